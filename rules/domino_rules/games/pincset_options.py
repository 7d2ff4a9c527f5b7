"""House options of Pińćset, the Puerto Rican 500. Source: RULES 1.1 and 1.2."""

from typing import Any, Final

from domino_rules.ruleset import Option, RuleSet

NAME: Final = "pincset"
HAND_SIZE: Final = 7

OPTIONS: Final = (
    Option("target", 500, minimum=1, source="Polish rules (dominogranie): the first pair with 500 points wins"),
    Option(
        "target_inclusive",
        True,
        source="500 is enough at most tables; the Polish rules say once that it must be exceeded",
    ),
    Option("force_66", True, source="Polish rules: the holder of 6-6 begins; at most tables he leads it, too"),
    Option(
        "count_remaining",
        "all",
        choices=("all", "opponents"),
        source="Polish rules: the pips left in all four hands; some tables count the opponents' alone",
    ),
    Option("premiums", (100, 75, 50, 25), source="Polish rules: for going out in the first four hands"),
    Option(
        "premium_by",
        "hand_index",
        choices=("hand_index", "domino_count", "domino_count_per_pair"),
        source="by the number of the hand at most tables; the Polish rules can also be read as by hands won",
    ),
    Option(
        "tie_advances_index",
        True,
        source="some tables lose the premium of a hand that nobody wins, others play it again",
    ),
    Option("chuchazo", 100, source="Polish rules: 100 for going out with 0-0 that fits one end"),
    Option("capicu", 100, source="Polish rules: 100 for going out with a tile, no double, that fits both ends"),
    Option(
        "capicu_equal_ends",
        True,
        source="Polish rules: it can be played at both ends, as 5-3 between two fives; some want two numbers",
    ),
    Option("first_block", 100, source="Polish rules: 100 for the first hand won on points"),
    Option(
        "first_block_per",
        "match",
        choices=("match", "pair"),
        source="Polish rules: only once in the match, by either pair",
    ),
    Option(
        "redeal_doubles",
        None,
        choices=(None, 4, 5, 6),
        source="some tournaments deal again when a hand holds so many doubles",
    ),
    Option(
        "series_games",
        1,
        minimum=1,
        source="Polish rules: an agreed number of games to 500, and who wins most of them",
    ),
    Option(
        "direction",
        "counter_clockwise",
        choices=("counter_clockwise", "clockwise"),
        source="Polish rules: against the clock, the next player sits on the right",
    ),
)

DEFAULTS: Final = RuleSet.defaults(NAME, OPTIONS)


def rules(**options: Any) -> RuleSet:
    """Return the rules of Pińćset with some options changed; raises SetupError `unknown_option` or `bad_option`."""
    return DEFAULTS.with_options(**options)
