"""A hand under audit: its seating, moves and knowledge, and the list that findings go to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from domino_rules.audit.finding import Certainty, Finding, rule_of
from domino_rules.audit.held import Held, holdings, laid
from domino_rules.audit.inferred import rests_on_inferred
from domino_rules.games.tiu_u import opening_pairs
from domino_rules.moves import Draw, Move, Pass, Quadruple, Stood, Triple, Turn, plain
from domino_rules.record import HandRecord, MoveRecord
from domino_rules.record_replay import Seating
from domino_rules.state import Deal, Hand, HandContext
from domino_rules.tile import Tile


@dataclass
class Case:
    """One hand under audit. `number` is the move that is looked at, from 1; findings are filed under it."""

    seating: Seating
    hand: HandRecord
    deal: Deal
    context: HandContext
    final: Mapping[str, tuple[Tile, ...]]
    buys: int = 3
    """How many tiles quadrupling brings; 0 in games that know no stacks."""
    number: int | None = None
    findings: list[Finding] = field(default_factory=list)
    drawn: dict[int, tuple[Tile | None, ...]] = field(default_factory=dict)
    """By index of the move, the tiles that it took from the stock."""
    told_stock: Counter[Tile] = field(default_factory=Counter)
    """Tiles of the stock that nobody had seen until they were drawn."""
    straight: set[int] = field(default_factory=set)
    """By index, the moves whose tile went from the stock to its stack without being in a hand."""
    hands: dict[str, Hand] = field(default_factory=dict)
    """The hands as play begins: in Tiu-U without the pairs of 6-6 laid down before."""
    held: dict[str, tuple[Held, ...]] = field(default_factory=dict)

    moves: tuple[MoveRecord, ...] = ()
    """The moves of the hand, whether the table let them stand or not."""
    stood: dict[int, Stood] = field(default_factory=dict)
    """By number, from 1, the moves against the rules that the table let stand."""

    def __post_init__(self) -> None:
        made = enumerate(self.hand.moves, 1)
        self.stood = {number: record.move for number, record in made if isinstance(record.move, Stood)}
        self.moves = tuple(replace(record, move=plain(record.move)) for record in self.hand.moves)
        self.hands = dict(self.deal.hands)
        if self.seating.game.name == "tiu-u":
            self.hands = {seat: opening_pairs(hand)[1] for seat, hand in self.deal.hands.items()}
        self.drawn = _from_stock(self)
        self.held = {seat: self._holdings(seat) for seat in self.seating.seats}

    def now(self, player: str) -> Held:
        """Return what is known of the player's hand before the move that is looked at."""
        return self.held[player][(self.number or 1) - 1]

    def find(
        self,
        code: str,
        player: str | None = None,
        tiles: Sequence[Tile] = (),
        certainty: Certainty = Certainty.PROVED,
        /,
        **params: Any,
    ) -> None:
        """File a finding under the move that is looked at; one that rests on what was inferred is only possible."""
        rule = rule_of(self.seating.game.name, code)
        found = Finding(code, self.hand.number, self.number, player, rule, tuple(tiles), certainty, params)
        if certainty is Certainty.PROVED and rests_on_inferred(found, self.moves, self.hand.sources):
            found = replace(found, certainty=Certainty.POSSIBLE, inferred=True)
        self.findings.append(found)

    def find_witness(self, code: str, player: str, wanted: Callable[[Tile], bool], **params: Any) -> bool:
        """File a finding if the player held a tile that is `wanted`; return whether that is so."""
        witness = self.now(player).witness(wanted)
        if witness is None:
            return False
        tiles, certainty = witness
        self.find(code, player, tiles, certainty, **params)
        return True

    def side_of(self, player: str | None) -> str:
        """Return the side that a player belongs to."""
        return next(side for side, members in self.seating.sides.items() if player in members)

    def check_held(self, player: str, tile: Tile) -> None:
        """File `not_in_hand` if the player certainly did not hold the tile that he laid."""
        reckoned = self.reckoned(player)
        if reckoned is not None and not reckoned[tile]:
            self.find("not_in_hand", player, (tile,))

    def reckoned(self, player: str) -> Counter[Tile] | None:
        """Return the player's hand now, reckoned from the deal and his draws alone; None if some of it is unseen."""
        if not self.now(player).complete:
            return None
        known = Counter(self.hands[player].known)
        for at in range((self.number or 1) - 1):
            move = self.moves[at].move
            if move.player == player:
                lost = None if at in self.straight else laid(move)
                known -= Counter([] if lost is None else [lost])
                known += Counter(tile for tile in self.gains(at) if tile is not None)
        return known

    def gains(self, at: int) -> tuple[Tile | None, ...]:
        """Return the tiles that a move brought into the hand of its player."""
        return () if isinstance(self.moves[at].move, Turn) else self.drawn.get(at, ())

    def _holdings(self, seat: str) -> tuple[Held, ...]:
        moves: list[Move] = [
            record.move if record.move.player == seat and at not in self.straight else Pass(record.move.player)
            for at, record in enumerate(self.moves)
        ]
        gains = {at: self.gains(at) for at, record in enumerate(self.moves) if record.move.player == seat}
        return holdings(self.hands[seat], self.final.get(seat), moves, gains)


def _from_stock(case: Case) -> dict[int, tuple[Tile | None, ...]]:
    """Return by index of the move the tiles taken from the stock; what was told or seen with the move comes first."""
    queue: list[Tile | None] = list(case.deal.stock)
    original = len(queue)  # how many of the first tiles are still in the queue
    if case.seating.game.name == "bingo":
        queue += case.deal.table
    taken: dict[int, tuple[Tile | None, ...]] = {}
    for at, record in enumerate(case.moves):
        move = record.move
        if isinstance(move, Draw | Turn):
            expected = queue.pop(0) if queue else None
            if original > 0 and expected is None and move.tile is not None:
                case.told_stock[move.tile] += 1
            original -= 1
            taken[at] = (expected if move.tile is None else move.tile,)
        elif isinstance(move, Triple | Quadruple) and case.buys:  # in other games it is a wrong move
            own_turn = at > 0 and case.moves[at - 1].move.player == move.player
            if isinstance(move, Quadruple) and own_turn and case.seating.rules["quad_source"] == "drawn_too":
                turned = queue.pop(0) if queue else None
                case.told_stock[move.tile] += original > 0 and turned is None
                original -= 1
                case.straight.add(at)
            queue += [move.tile] * (3 if isinstance(move, Triple) else 1)
            bought = 3 if isinstance(move, Triple) else case.buys
            taken[at] = tuple(queue.pop(0) for _ in range(min(bought, len(queue))))
            original -= bought
    return taken
