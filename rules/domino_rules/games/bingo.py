"""Bingo: options, presets, deal and match. Source: RULES 3; seed 002."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final

from domino_rules.errors import SetupError
from domino_rules.games.bingo_rules import trump_number
from domino_rules.games.bingo_score import SETS
from domino_rules.games.bingo_state import BingoState
from domino_rules.games.individuals import check_deal, check_opener, individual_sides
from domino_rules.games.pool import Stock
from domino_rules.ruleset import Option, RuleSet
from domino_rules.score import Ledger
from domino_rules.state import Deal, Hand, HandContext, HandResult
from domino_rules.tile import DOUBLE_SIX, TileSet

HAND_SIZE: Final = 7
FACE_DOWN: Final = 13

OPTIONS: Final = (
    Option("blank_value", 0, (0, 7), source="Polish rules: 0, but for 0-0 and 3-0; Hoyle: blanks count as sevens"),
    Option(
        "rank_phase1",
        "max_half",
        ("max_half", "sum"),
        source="Polish rules, by their example: the higher half; others: the more pips",
    ),
    Option(
        "plain_points",
        "pips",
        ("pips", "zero"),
        source="Polish rules, by their example: 14 points for 5-2 and 6-1; Le Bingo: nothing",
    ),
    Option(
        "follow",
        "any_half",
        ("any_half", "high_then_low"),
        source="Polish rules: either half of the lead; Hoyle: the higher first",
    ),
    Option(
        "declare_when",
        "any_play",
        ("any_play", "lead_only"),
        source="Polish rules: at the moment of laying the double; dominogranie: who leads alone",
    ),
    Option(
        "tie",
        "leader",
        ("leader", "replier"),
        source="Polish rules: the reply must be higher; all others: the first tile",
    ),
    Option("trump_double_top", True, (True, False), source="dominogranie and gambiter: it beats every other trump"),
    Option("bingo_as_trump", True, (True, False), source="spaanszt: a trump, or Bingo, where nothing matches"),
    Option(
        "fixed_ten_first",
        True,
        (True, False),
        source="Polish rules: 6-4 and 3-0 count 10; they do not say whether as trumps, too",
    ),
    Option(
        "last_trump_to",
        "winner",
        ("winner", "loser"),
        source="dominogranie and gambiter: who takes the trick; Hoyle: who loses it",
    ),
    Option(
        "close_counts",
        "hand_total",
        ("hand_total", "from_now"),
        source="gambiter: the points of the hand; Polish rules: those from the closing on",
    ),
    Option("close_timing", "before_draw", ("before_draw", "until_lead"), source="spaanszt: instead of drawing"),
    Option("hand_ends_at_70", True, (True, False), source="a choice of ours: otherwise both could pass it"),
    Option("target", 70, minimum=1, source="Polish rules: 70 points earn a set"),
    Option("two_sets_max_opp", 20, source="Polish rules: two sets if the opponent has at most 20"),
    Option("sets_to_win", 7, minimum=1, source="Polish rules: seven sets"),
    Option(
        "unable",
        "lose_trick",
        ("lose_trick", "lose_hand"),
        source="spaanszt: any tile, and the trick is lost; the Polish rules can be read as the hand",
    ),
)

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({
    "seed": MappingProxyType({}),
    "classic": MappingProxyType({
        "blank_value": 7,
        "rank_phase1": "sum",
        "plain_points": "zero",
        "declare_when": "lead_only",
    }),
})  # fmt: skip
"""Named bundles of options: what differs from the defaults. Source: RULES B1, B2, B4, B17."""


class Bingo:
    """A trick game for two on the double-six set, played for sets."""

    name: str = "bingo"
    aliases: tuple[str, ...] = ("domino-bingo",)
    options: tuple[Option, ...] = OPTIONS
    tile_set: TileSet = DOUBLE_SIX
    player_counts: tuple[int, ...] = (2,)
    unit: str = SETS
    presets: Mapping[str, Mapping[str, Any]] = PRESETS

    def rules(self, preset: str = "seed", **options: Any) -> RuleSet:
        """Return the rule set of a preset (`seed` or `classic`) with further options changed.

        Raises:
            SetupError: `bad_option` for an unknown preset or value, `unknown_option`.
        """
        if preset not in self.presets:
            raise Option("preset", "seed", tuple(self.presets)).error(preset)
        return RuleSet.defaults(self.name, self.options).with_options(**{**self.presets[preset], **options})

    def sides(self, seats: Sequence[str], rules: RuleSet) -> Mapping[str, tuple[str, ...]]:
        """Return both players as their own sides; raises SetupError `players`."""
        del rules
        return individual_sides(self.name, seats, self.player_counts)

    def shuffled_deal(self, seats: Sequence[str], rules: RuleSet, random: Random) -> Deal:
        """Return a random deal: seven tiles each, thirteen face down, one turned up."""
        players = tuple(self.sides(seats, rules))
        tiles = list(self.tile_set)
        random.shuffle(tiles)
        hands = {player: Hand.of(tiles[HAND_SIZE * i : HAND_SIZE * (i + 1)]) for i, player in enumerate(players)}
        return Deal(hands, tuple(tiles[14:27]), (tiles[27],))

    def start(self, deal: Deal, rules: RuleSet, context: HandContext | None = None) -> BingoState:
        """Return the first state of a hand; without a told opener the first player of the deal leads.

        An empty stock stands for thirteen tiles that nobody has seen.

        Raises:
            SetupError: `players`, `opener` or `inconsistent_state`.
        """
        players = tuple(self.sides(tuple(deal.hands), rules))
        deal = Deal(deal.hands, deal.stock or (None,) * FACE_DOWN, deal.table)
        check_deal(deal, self.tile_set, {"hand": HAND_SIZE, "stock": FACE_DOWN, "table": 1})
        told = context.opener if context is not None else None
        check_opener(told, players)
        opener = told or players[0]
        return BingoState(
            rules,
            (players[0], players[1]),
            (deal.hands[players[0]], deal.hands[players[1]]),
            trump_number(deal.table[0], rules),
            turn=opener,
            stock=Stock(deal.stock, ((deal.table[0],),)),
            opener=opener,
        )

    def next_context(
        self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult], opener: str | None = None
    ) -> HandContext:
        """Return what the next hand must know: the players open in turn; who opens the first hand is told.

        Raises:
            SetupError: `match_over`, or `opener` if the told one is not due.

        Source: RULES B20.
        """
        if self.winner(seats, rules, results) is not None:
            raise SetupError("match_over", "the match is over", hands=len(results))
        due = _opener_due(seats, results)
        check_opener(opener, seats, due)
        first = opener or due or seats[len(results) % 2]
        return HandContext(len(results) + 1, first, MappingProxyType(self.totals(seats, results)))

    def totals(self, seats: Sequence[str], results: Sequence[HandResult]) -> dict[str, int]:
        """Return each player's sets after `results`."""
        return Ledger(tuple(event for result in results for event in result.events)).totals(seats, self.unit)

    def winner(self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult]) -> str | None:
        """Return who has won the match: the first to `sets_to_win` sets. Source: seed 002 l.65."""
        totals = self.totals(seats, results)
        return next((seat for seat in seats if totals[seat] >= rules["sets_to_win"]), None)


def _opener_due(seats: Sequence[str], results: Sequence[HandResult]) -> str | None:
    last = results[-1].opener if results else None
    return None if last is None else next((seat for seat in seats if seat != last), None)


BINGO: Final = Bingo()
