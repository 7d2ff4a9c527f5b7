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
    Option("target", 150, minimum=5, source="seed 003 l.2: 150 or what the table says"),
    Option(
        "lone_spinner_counts",
        "both_halves_once",
        choices=("both_halves_once", "once", "each_end"),
        source="RULES C1: a lone double v-v counts 2v, v or 4v",
    ),
    Option("deal", "standard", choices=tuple(DEALS), source="RULES C6: 7/5/5, 9/7/5 or 7/7/5"),
    Option("opening", "highest_double", choices=("highest_double", "lot"), source="RULES C5"),
    Option("round_scope", "sum", choices=("sum", "each"), source="RULES C7: add the losers, then round, or each"),
    Option("block_score", "difference", choices=("difference", "opponents_total"), source="RULES C8, seed 003 l.35"),
    Option(
        "block_multi",
        "opponents_minus_own",
        choices=("opponents_minus_own", "pairwise_sum", "next_lowest"),
        source="RULES C9: a block with three or four individuals",
    ),
    Option("block_tie", "nobody", choices=("nobody", "split"), source="RULES C10: three or more sides, two lowest"),
    Option("partner_tiles", "ignored", choices=("ignored", "counted"), source="RULES C11: at domino"),
    Option("boneyard_keeps", 0, choices=(0, 1, 2), source="RULES C14: last tiles that nobody draws"),
    Option("finish", "immediate", choices=("immediate", "end_of_hand"), source="RULES C12"),
    Option("sides", "individuals", choices=("individuals", "pairs"), source="seed 003 l.34-38: sides; pairs need four"),
    Option("direction", "clockwise", choices=("clockwise", "counter_clockwise"), source="RULES C15"),
)

DEFAULTS: Final = RuleSet.defaults(NAME, OPTIONS)


def deal_sizes(players: int, rules: RuleSet) -> tuple[int, int]:
    """Return how many tiles each player gets, and how many stay in the boneyard."""
    size: int = DEALS[rules["deal"]][players]
    return size, len(DOUBLE_SIX) - players * size


def rules(**options: Any) -> RuleSet:
    """Return the rules of Cincos with some options changed; raises SetupError `unknown_option` or `bad_option`."""
    return DEFAULTS.with_options(**options)
