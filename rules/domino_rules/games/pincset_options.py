"""House options of Pińćset, the Puerto Rican 500. Source: RULES 1.1 and 1.2."""

from typing import Any, Final

from domino_rules.ruleset import Option, RuleSet

NAME: Final = "pincset"
HAND_SIZE: Final = 7

OPTIONS: Final = (
    Option("target", 500, minimum=1, source="seed 000 l.1-2"),
    Option("target_inclusive", True, source="RULES A8: 500 reached (true) or exceeded (false)"),
    Option("force_66", True, source="RULES A10: the holder of 6-6 must also lead it"),
    Option("count_remaining", "all", choices=("all", "opponents"), source="RULES A1, seed 000 l.21-27"),
    Option("premiums", (100, 75, 50, 25), source="seed 000 l.17"),
    Option(
        "premium_by",
        "hand_index",
        choices=("hand_index", "domino_count", "domino_count_per_pair"),
        source="RULES A2 and decision 9",
    ),
    Option("tie_advances_index", True, source="RULES A3: a tied hand counts as a hand of the premium ladder"),
    Option("chuchazo", 100, source="seed 000 l.18"),
    Option("capicu", 100, source="seed 000 l.19"),
    Option("capicu_equal_ends", True, source="RULES A5: a tile with a 5 at ends 5 and 5 makes capicú"),
    Option("first_block", 100, source="seed 000 l.20"),
    Option("first_block_per", "match", choices=("match", "pair"), source="RULES A4"),
    Option("redeal_doubles", None, choices=(None, 4, 5, 6), source="RULES A12: a hand with so many doubles is redealt"),
    Option("series_games", 1, minimum=1, source="RULES decision 8, seed 000 l.29: games to 500, most games won"),
    Option(
        "direction",
        "counter_clockwise",
        choices=("counter_clockwise", "clockwise"),
        source="seed 000 l.1: the next player sits on the right",
    ),
)

DEFAULTS: Final = RuleSet.defaults(NAME, OPTIONS)


def rules(**options: Any) -> RuleSet:
    """Return the rules of Pińćset with some options changed; raises SetupError `unknown_option` or `bad_option`."""
    return DEFAULTS.with_options(**options)
