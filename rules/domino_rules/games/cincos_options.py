"""House options of Dominó de Cincos. Source: RULES 4.1 and 4.2."""

from typing import Any, Final

from domino_rules.ruleset import Option, RuleSet
from domino_rules.tile import DOUBLE_SIX

NAME: Final = "cincos"
DEALS: Final = {
    "standard": {2: 7, 3: 5, 4: 5},
    "pagat": {2: 9, 3: 7, 4: 5},
    "wikipedia": {2: 7, 3: 7, 4: 5},
}
"""Tiles for each player, by the name of the deal and the number of players. Source: RULES C6."""

OPTIONS: Final = (
    Option(
        "target", 150, minimum=5, source="Spanish rules (Cómo se juega: Dominó de Cincos): 150, or what the table says"
    ),
    Option(
        "lone_spinner_counts",
        "both_halves_once",
        choices=("both_halves_once", "once", "each_end"),
        source="pagat.com and most: 5-5 led counts 10; rarepike: 5; some count both halves at both ends: 20",
    ),
    Option(
        "deal",
        "standard",
        choices=tuple(DEALS),
        source="two, three, four players: 7, 5, 5 at most tables; 9, 7, 5 at pagat.com; 7, 7, 5 in Wikipedia",
    ),
    Option(
        "opening",
        "highest_double",
        choices=("highest_double", "lot"),
        source="rarepike and rubl: the highest double; pagat.com: by lot",
    ),
    Option("round_scope", "sum", choices=("sum", "each"), source="pagat.com: add the losers, then round"),
    Option(
        "block_score",
        "difference",
        choices=("difference", "opponents_total"),
        source="Spanish rules: the lowest side scores the difference; pagat.com: all that the others hold",
    ),
    Option(
        "block_multi",
        "opponents_minus_own",
        choices=("opponents_minus_own", "pairwise_sum", "next_lowest"),
        source="rarepike, for three or four who play alone: what the others hold, less one's own",
    ),
    Option(
        "block_tie",
        "nobody",
        choices=("nobody", "split"),
        source="a choice of ours where two of three sides are lowest; pagat.com: they share what the third holds",
    ),
    Option(
        "partner_tiles",
        "ignored",
        choices=("ignored", "counted"),
        source="Spanish rules and pagat.com: who goes out scores what the other side holds",
    ),
    Option(
        "boneyard_keeps",
        0,
        choices=(0, 1, 2),
        source="Spanish rules: drawn until it is empty; some tables leave the last ones",
    ),
    Option(
        "finish",
        "immediate",
        choices=("immediate", "end_of_hand"),
        source="tables do either; the Spanish rules do not say",
    ),
    Option(
        "sides", "individuals", choices=("individuals", "pairs"), source="Spanish rules: sides; pairs need four players"
    ),
    Option(
        "direction",
        "clockwise",
        choices=("clockwise", "counter_clockwise"),
        source="All Fives is described clockwise; Caribbean tables play to the right",
    ),
)

DEFAULTS: Final = RuleSet.defaults(NAME, OPTIONS)


def deal_sizes(players: int, rules: RuleSet) -> tuple[int, int]:
    """Return how many tiles each player gets, and how many stay in the boneyard."""
    size: int = DEALS[rules["deal"]][players]
    return size, len(DOUBLE_SIX) - players * size


def rules(**options: Any) -> RuleSet:
    """Return the rules of Cincos with some options changed; raises SetupError `unknown_option` or `bad_option`."""
    return DEFAULTS.with_options(**options)
