"""One hand of Tiu-U in progress. Source: RULES 2.1 and section 8; seed 001."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from domino_rules.errors import IllegalMoveError
from domino_rules.games.hidden import candidates, may_hold, must_hold, revealed, unseen
from domino_rules.games.individuals import check_next, not_due, refuse, seat_of
from domino_rules.games.pool import Stock, less
from domino_rules.games.tiu_u_rules import TWO_CHINESE, mates, pairs
from domino_rules.games.tiu_u_score import Catch, capture_event, rounding_events, settlement, winners
from domino_rules.moves import Capture, Move, Pass, Quadruple, Stood, Triple, Turn
from domino_rules.ruleset import RuleSet
from domino_rules.score import ScoreEvent
from domino_rules.state import Hand, HandResult, LegalMoves
from domino_rules.tile import Tile

BOUGHT_FOR_TRIPLE = 3
"""How many tiles a player buys for three that he lays at the stock. Source: seed 001 l.26."""

TIU_U_MOVES = (Capture, Pass, Triple, Quadruple, Turn)


@dataclass(frozen=True, slots=True)
class TiuUState:
    """A hand of Tiu-U. A turn is one of `Capture`, `Pass`, `Triple`, `Quadruple`, then `Turn`, again while it pairs.

    Built by `TIU_U.start`; a position told in the middle of a hand may be built directly.

    Attributes:
        rules: the options.
        players: in the order of play.
        held: their hands, in the same order.
        turn: whose turn it is (or was, when the hand is over).
        talon: the tiles face up in the middle.
        stock: what is still to be bought; its stacks are the tripled tiles.
        piles: what each player has captured, in the order of `players`.
        drawing: whether part 2 of the turn has begun.
        events: the scores so far, before rounding while the hand goes on.
        result: how the hand ended.
        opener: who began.

    Source: RULES 2.1.
    """

    rules: RuleSet
    players: tuple[str, ...]
    held: tuple[Hand, ...]
    turn: str
    talon: tuple[Tile, ...]
    stock: Stock
    piles: tuple[tuple[Tile, ...], ...]
    drawing: bool = False
    events: tuple[ScoreEvent, ...] = field(default=())
    result: HandResult | None = None
    opener: str | None = None

    @property
    def to_move(self) -> str | None:
        """Whose turn it is; None when the hand is over."""
        return None if self.result else self.turn

    @property
    def hands(self) -> Mapping[str, Hand]:
        """What each player holds."""
        return MappingProxyType(dict(zip(self.players, self.held, strict=True)))

    @property
    def captured(self) -> Mapping[str, tuple[Tile, ...]]:
        """What lies face up before each player."""
        return MappingProxyType(dict(zip(self.players, self.piles, strict=True)))

    @property
    def catches(self) -> Mapping[str, Catch]:
        """What the captured tiles of each player count."""
        return {player: Catch.of(pile) for player, pile in self.captured.items()}

    @property
    def finals(self) -> Mapping[str, int]:
        """Each player's rounded score, as it would be if the hand ended now."""
        return {player: catch.final(self.rules) for player, catch in self.catches.items()}

    def hand(self, player: str) -> Hand:
        """Return what `player` holds; raises SetupError `inconsistent_state` if nobody is called so."""
        return self.held[seat_of(player, self.players)]

    def unseen(self) -> Counter[Tile]:
        """Return how many copies of each tile nobody has seen yet."""
        return unseen(TWO_CHINESE, self.talon, self.stock, *self.piles, *(hand.known for hand in self.held))

    def reveal(self, player: str, tiles: Iterable[Tile]) -> TiuUState:
        """Return the state in which the hand of `player` is known.

        Raises:
            SetupError: `inconsistent_state` if he cannot hold these tiles, or nobody is called so.
        """
        return replace(self, held=self._holding(player, revealed(player, self.hand(player), tiles, self.unseen)))

    @property
    def legal_moves(self) -> LegalMoves:
        """A live view of the moves that the rules allow now."""
        return LegalMoves(self._generate, self._allows)

    def apply(self, move: Move) -> TiuUState:
        """Return the state after `move`.

        Raises:
            IllegalMoveError: `hand_over`, `not_your_turn`, `not_in_hand`, `not_on_talon`, `no_pair`, `must_capture`,
                `need_two_on_talon`, `fourth_already_played`, `stock_too_small`, `no_tripled_stack`,
                `inconsistent_state` (a told tile cannot be the one turned), `move_not_due` or `wrong_move`.
        """
        self._check(move)
        match move:
            case Pass():
                return replace(self, drawing=True)
            case Capture():
                return self._captured(move)
            case Triple():
                return self._tripled(move)
            case Quadruple():
                return self._quadrupled(move)
            case Turn():
                return self._turned(move)
        raise AssertionError(move)  # pragma: no cover - _check refuses all others

    def let_stand(self, move: Stood) -> TiuUState:
        """Return the state after a pair that is none, a mate that was left, or a capture out of turn.

        Raises:
            IllegalMoveError: `hand_over`, `not_in_hand`, `not_on_talon`, `move_not_due`, `inconsistent_state` (a told
                tile cannot be the one turned) or `wrong_move`.
        """
        play = move.move
        if self.result:
            raise refuse("hand_over", "the hand is over", play)
        if not isinstance(play, Capture | Turn) or play.player not in self.players:
            raise not_due("tiu-u", TIU_U_MOVES, play, "capture or turn a tile")
        if isinstance(play, Turn) is not self.drawing or (self.drawing and play.player != self.turn):
            raise refuse("move_not_due", f"{play.player} cannot do that now", play, tile=str(play.tile))
        if play.take is not None and play.take not in self.talon:
            raise refuse("not_on_talon", f"{play.take} does not lie on the talon", play, tile=str(play.take))
        if isinstance(play, Turn):
            check_next(play, play.tile, self.stock.next, self.unseen)
            return self._turned(play)
        if not self.hand(play.player).may_hold(play.tile):
            raise refuse("not_in_hand", f"{play.player} does not hold {play.tile}", play, tile=str(play.tile))
        return replace(self._captured(play), turn=play.player)

    # --- what is legal -------------------------------------------------------------------------------------------

    def _allows(self, move: object) -> bool:
        if not isinstance(move, Move):
            return False
        try:
            self._check(move)
        except IllegalMoveError:
            return False
        return True

    def _check(self, move: Move) -> None:
        if self.result:
            raise refuse("hand_over", "the hand is over", move)
        if move.player != self.turn:
            raise refuse("not_your_turn", f"it is {self.turn}'s turn, not {move.player}'s", move, expected=self.turn)
        match move:
            case Turn() if self.drawing:
                self._check_turn(move)
            case Quadruple() if not self.drawing or self._lays_drawn:
                self._check_quadruple(move)
            case Pass() if not self.drawing:
                self._check_pass(move)
            case Capture() if not self.drawing:
                self._check_capture(move)
            case Triple() if not self.drawing:
                self._check_triple(move)
            case _:
                due = "turn a tile of the stock" if self.drawing else "capture, pass, triple or quadruple"
                raise not_due("tiu-u", TIU_U_MOVES, move, due)

    @property
    def _lays_drawn(self) -> bool:
        return bool(self.rules["quad_source"] == "drawn_too")

    def _check_pass(self, move: Pass) -> None:
        if self.rules["hand_capture"] == "optional":
            return
        if must_hold(self.hand(move.player), self._has_mate, self.unseen):
            raise refuse("must_capture", "a tile of the hand pairs with one on the talon", move)

    def _has_mate(self, tile: Tile) -> bool:
        return bool(mates(tile, self.talon, self.rules))

    def _check_hand(self, move: Capture | Triple | Quadruple) -> None:
        if not may_hold(self.hand(move.player), move.tile, self.unseen):
            raise refuse("not_in_hand", f"{move.player} cannot hold {move.tile}", move, tile=str(move.tile))

    def _check_capture(self, move: Capture) -> None:
        self._check_hand(move)
        self._check_pair(move, move.tile, move.take)

    def _check_pair(self, move: Move, tile: Tile, take: Tile) -> None:
        if take not in self.talon:
            raise refuse("not_on_talon", f"{take} does not lie on the talon", move, tile=str(take))
        if not pairs(tile, take, self.rules):
            raise refuse("no_pair", f"{tile} and {take} make no pair", move, tile=str(tile), take=str(take))

    def _check_triple(self, move: Triple) -> None:
        self._check_hand(move)
        tile, there = move.tile, self.talon.count(move.tile)
        if there != 2:
            message = f"tripling needs exactly two {tile} on the talon, not {there}"
            raise refuse("need_two_on_talon", message, move, tile=str(tile), found=there)
        if any(tile in pile for pile in self.piles):
            raise refuse("fourth_already_played", f"the fourth {tile} has been captured", move, tile=str(tile))
        self._check_stock(move, len(self.stock), self.rules["min_stock_for_triple"])

    def _check_quadruple(self, move: Quadruple) -> None:
        if self.drawing:
            check_next(move, move.tile, self.stock.next, self.unseen)
        else:
            self._check_hand(move)
        height = self.stock.height(move.tile)
        bought_from_stack = self.drawing and not self.stock.face_down and self.stock.kinds[0] is move.tile
        if height != 3 or bought_from_stack:
            message = f"three {move.tile} do not lie at the stock"
            raise refuse("no_tripled_stack", message, move, tile=str(move.tile), found=height)
        self._check_stock(move, len(self.stock) - height - self.drawing, self.rules["quad_buys"])

    def _check_stock(self, move: Move, there: int, needed: int) -> None:
        if there < needed:
            message = f"the stock has {there} tiles to buy, {needed} are needed"
            raise refuse("stock_too_small", message, move, found=there, expected=needed)

    def _check_turn(self, move: Turn) -> None:
        check_next(move, move.tile, self.stock.next, self.unseen)
        if move.take is not None:
            self._check_pair(move, move.tile, move.take)
        elif self._has_mate(move.tile):
            raise refuse("must_capture", f"{move.tile} pairs with a tile of the talon", move, tile=str(move.tile))

    def _generate(self) -> Iterator[Move]:
        if self.result:
            return
        if self.drawing:
            yield from self._turns()
            return
        if self._allows(Pass(self.turn)):
            yield Pass(self.turn)
        for tile in candidates(self.hand(self.turn), self.unseen):
            yield from (Capture(self.turn, tile, take) for take in mates(tile, self.talon, self.rules))
            stacking: tuple[Triple | Quadruple, ...] = (Triple(self.turn, tile), Quadruple(self.turn, tile))
            yield from (move for move in stacking if self._could_stack(move) and self._allows(move))

    def _could_stack(self, move: Triple | Quadruple) -> bool:
        """Return whether a quick look at the table does not already speak against the move."""
        return self.talon.count(move.tile) == 2 if isinstance(move, Triple) else move.tile in self.stock.kinds

    def _turns(self) -> Iterator[Move]:
        known = self.stock.next
        for tile in (known,) if known is not None else sorted(self.unseen()):
            takes = mates(tile, self.talon, self.rules)
            yield from (Turn(self.turn, tile, take) for take in takes or (None,))
            if self._lays_drawn and self._allows(Quadruple(self.turn, tile)):
                yield Quadruple(self.turn, tile)

    # --- what follows --------------------------------------------------------------------------------------------

    def _holding(self, player: str, hand: Hand) -> tuple[Hand, ...]:
        at = self.players.index(player)
        return (*self.held[:at], hand, *self.held[at + 1 :])

    def _catching(self, player: str, pair: tuple[Tile, Tile]) -> dict[str, Any]:
        """Return what changes when the player lays a pair before him: the piles, the scores, the talon."""
        at = self.players.index(player)
        return {
            "piles": (*self.piles[:at], (*self.piles[at], *pair), *self.piles[at + 1 :]),
            "events": (*self.events, *capture_event(player, pair, "capture")),
            "talon": less(self.talon, pair[1]),
        }

    def _captured(self, move: Capture) -> TiuUState:
        held = self._holding(move.player, self.hand(move.player).without(move.tile))
        return replace(self, held=held, drawing=True, **self._catching(move.player, (move.tile, move.take)))

    def _tripled(self, move: Triple) -> TiuUState:
        tile = move.tile
        hand, stock = _bought(
            self.hand(move.player).without(tile), self.stock.stacked((tile, tile, tile)), BOUGHT_FOR_TRIPLE
        )
        talon = less(less(self.talon, tile), tile)
        return replace(self, held=self._holding(move.player, hand), stock=stock, talon=talon, drawing=True)

    def _quadrupled(self, move: Quadruple) -> TiuUState:
        hand, stock = self.hand(move.player), self.stock
        if self.drawing:
            _, stock = stock.take()
        else:
            hand = hand.without(move.tile)
        hand, stock = _bought(hand, stock.laid_on(move.tile), self.rules["quad_buys"])
        return replace(self, held=self._holding(move.player, hand), stock=stock, drawing=True)

    def _turned(self, move: Turn) -> TiuUState:
        _, stock = self.stock.take()
        if move.take is None:
            changes: dict[str, Any] = {"talon": (*self.talon, move.tile)}
        else:
            changes = self._catching(move.player, (move.tile, move.take))
        if stock and (move.take is None or not self.rules["draw_chain"]):
            changes["turn"] = self.players[(self.players.index(move.player) + 1) % len(self.players)]
            changes["drawing"] = False
        state = replace(self, stock=stock, **changes)
        return state if stock else _ended(state)


def _bought(hand: Hand, stock: Stock, count: int) -> tuple[Hand, Stock]:
    tiles, stock = stock.buy(count)
    for tile in tiles:
        hand = hand.plus(tile)
    return hand, stock


def _ended(state: TiuUState) -> TiuUState:
    """Return the state with rounding and payments: the last tile of the stock has been bought. Source: l.30-39."""
    events = (
        *state.events,
        *rounding_events(state.catches, state.rules),
        *settlement(state.finals, state.rules),
    )
    best = winners(state.finals)
    side = best[0] if len(best) == 1 else None
    result = HandResult("tie" if side is None else "points", side, state.turn, events, opener=state.opener)
    return replace(state, events=events, result=result)
