"""Tiu-U (fishing): options, deal and match. Source: RULES 2; seed 001."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final

from domino_rules.errors import SetupError
from domino_rules.games.individuals import check_deal, check_opener, individual_sides
from domino_rules.games.pool import Stock
from domino_rules.games.tiu_u_rules import OPENING_TILE, TWO_CHINESE
from domino_rules.games.tiu_u_score import PAYMENT, capture_event
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.ruleset import Option, RuleSet
from domino_rules.score import Ledger, ScoreEvent
from domino_rules.state import Deal, Hand, HandContext, HandResult
from domino_rules.tile import Tile, TileSet

TALON: Final = 16
STOCK: Final = 24
HAND_SIZES: Final[Mapping[int, int]] = MappingProxyType({2: 12, 3: 8})
"""Columns of four: three for each of two players, two for each of three. Source: seed 001 l.8-10."""

OPTIONS: Final = (
    Option(
        "supreme",
        "exclusive",
        ("exclusive", "also"),
        source="Serbian rules: 4-2 and 2-1 pair only with each other; pagat.com: also with each other",
    ),
    Option(
        "draw_chain", True, (True, False), source="Serbian rules: turn on while the tile pairs; pagat.com: one tile"
    ),
    Option(
        "hand_capture",
        "mandatory",
        ("mandatory", "optional"),
        source="Serbian rules: pass if there is nothing to play; navpil leaves it to the player",
    ),
    Option(
        "round_what",
        "total",
        ("total", "small_only"),
        source="Serbian rules: the total; pagat.com: the small fish alone",
    ),
    Option(
        "round_exact",
        "stays",
        ("stays", "next_ten"),
        source="a choice of ours: 190 stays; by the letter of the Serbian rules it would be 200",
    ),
    Option("quad_buys", 3, (3, 4), source="Serbian rules: three are bought, and the hand grows by three: one of both"),
    Option("quad_source", "hand", ("hand", "drawn_too"), source="a choice of ours: from the hand, in one's own turn"),
    Option(
        "min_stock_for_triple",
        3,
        source="a choice of ours: the tiles that the stock must have before three are stacked",
    ),
    Option(
        "tie_top", "split", ("split", "pay_each"), source="a choice of ours: the third pays once, and they share it"
    ),
    Option(
        "direction",
        "counter_clockwise",
        ("counter_clockwise", "clockwise"),
        source="the Serbian rules do not say; the next player sits on the right, as in Pińćset",
    ),
    Option("match_hands", 1, minimum=1, source="Serbian rules: one hand is a match"),
)


class TiuU:
    """A fishing game for two or three on two mixed Chinese sets; the losers pay the winner after every hand."""

    name: str = "tiu-u"
    aliases: tuple[str, ...] = ("pecanje", "tiu_u")
    options: tuple[Option, ...] = OPTIONS
    tile_set: TileSet = TWO_CHINESE
    player_counts: tuple[int, ...] = tuple(HAND_SIZES)
    unit: str = PAYMENT

    def rules(self, **options: Any) -> RuleSet:
        """Return a rule set with the given options; raises SetupError `unknown_option` or `bad_option`."""
        return RuleSet.defaults(self.name, self.options).with_options(**options)

    def sides(self, seats: Sequence[str], rules: RuleSet) -> Mapping[str, tuple[str, ...]]:
        """Return each player as his own side; raises SetupError `players`."""
        del rules
        return individual_sides(self.name, seats, self.player_counts)

    def shuffled_deal(self, seats: Sequence[str], rules: RuleSet, random: Random) -> Deal:
        """Return a random deal: 16 tiles face up, 12 or 8 to each player, 24 in the stock."""
        players = tuple(self.sides(seats, rules))
        tiles = list(self.tile_set)
        random.shuffle(tiles)
        talon, rest = tiles[:TALON], tiles[TALON:]
        size = HAND_SIZES[len(players)]
        hands = {player: Hand.of(rest[size * i : size * (i + 1)]) for i, player in enumerate(players)}
        return Deal(hands, tuple(rest[-STOCK:]), tuple(talon))

    def start(self, deal: Deal, rules: RuleSet, context: HandContext | None = None) -> TiuUState:
        """Return the first state of a hand, pairs of 6-6 laid down; without a told opener the first player begins.

        An empty stock stands for 24 tiles that nobody has seen. Of a hidden hand only `shown` 6-6 are laid down.

        Raises:
            SetupError: `players`, `opener` or `inconsistent_state`.
        """
        players = tuple(self.sides(tuple(deal.hands), rules))
        deal = Deal(deal.hands, deal.stock or (None,) * STOCK, deal.table)
        check_deal(deal, self.tile_set, {"hand": HAND_SIZES[len(players)], "stock": STOCK, "table": TALON})
        told = context.opener if context is not None else None
        check_opener(told, players)
        held: list[Hand] = []
        piles: list[tuple[Tile, ...]] = []
        events: list[ScoreEvent] = []
        for player, dealt in deal.hands.items():
            pile, hand = opening_pairs(dealt)
            held.append(hand)
            piles.append(pile)
            for at in range(0, len(pile), 2):
                events.extend(capture_event(player, (pile[at], pile[at + 1]), "opening_pair"))
        opener = told or players[0]
        return TiuUState(
            rules,
            players,
            tuple(held),
            turn=opener,
            talon=deal.table,
            stock=Stock(deal.stock),
            piles=tuple(piles),
            events=tuple(events),
            opener=opener,
        )

    def next_context(
        self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult], opener: str | None = None
    ) -> HandContext:
        """Return what the next hand must know. Who opens is told; by default the seat after the last opener.

        Raises:
            SetupError: `match_over`, or `opener` if the told one has no seat.
        """
        if self.winner(seats, rules, results) is not None:
            raise SetupError("match_over", "the match is over", hands=len(results))
        check_opener(opener, seats)
        last = results[-1].opener if results else None
        due = seats[(seats.index(last) + 1) % len(seats)] if last in seats else seats[len(results) % len(seats)]
        return HandContext(len(results) + 1, opener or due, MappingProxyType(self.totals(seats, results)))

    def totals(self, seats: Sequence[str], results: Sequence[HandResult]) -> dict[str, int]:
        """Return what each player has been paid in all after `results`."""
        return Ledger(tuple(event for result in results for event in result.events)).totals(seats, self.unit)

    def winner(self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult]) -> str | None:
        """Return who was paid most once `match_hands` hands are played; while several tie on top the match goes on."""
        if len(results) < rules["match_hands"]:
            return None
        totals = self.totals(seats, results)
        best = [seat for seat in seats if totals[seat] == max(totals.values())]
        return best[0] if len(best) == 1 else None


def opening_pairs(hand: Hand) -> tuple[tuple[Tile, ...], Hand]:
    """Return the 6-6 that are laid down before play, in pairs, and the hand without them. Source: seed 001 l.22."""
    laid = (OPENING_TILE,) * (hand.known.count(OPENING_TILE) // 2 * 2)
    for tile in laid:
        hand = hand.without(tile)
    return laid, hand


TIU_U: Final = TiuU()
