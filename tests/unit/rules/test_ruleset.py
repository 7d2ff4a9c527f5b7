"""House options."""

import re

import pytest

from domino_rules.audit.finding import RULES as FINDING_RULES
from domino_rules.errors import SetupError
from domino_rules.games import GAMES
from domino_rules.ruleset import Option, RuleSet
from domino_rules.state import find_game

OPTIONS = (
    Option("target", 500, minimum=1),
    Option("inclusive", default=True),
    Option("premiums", (100, 75)),
    Option("count", "all", choices=("all", "opponents")),
    Option("redeal", None, choices=(None, 4, 5)),
)
RULES = RuleSet.defaults("test", OPTIONS)


def test_options_are_read_from_text() -> None:
    """Texts are read as the kind of value that the option takes."""
    rules = RULES.with_options(target="200", inclusive="false", premiums="50, 25", redeal="none")
    assert (rules["target"], rules["inclusive"], rules["premiums"], rules["redeal"]) == (200, False, (50, 25), None)
    assert rules.changed() == {"target": 200, "inclusive": False, "premiums": (50, 25)}
    assert RULES.with_options(redeal="4")["redeal"] == 4


@pytest.mark.parametrize(
    ("name", "value"),
    [("target", 0), ("target", "many"), ("inclusive", 1), ("count", "some"), ("redeal", 6), ("premiums", 5)],
)
def test_a_bad_value_is_refused_with_what_is_expected(name: str, value: object) -> None:
    """A value that the option does not take raises `bad_option` and leaves the rules as they were."""
    with pytest.raises(SetupError) as caught:
        RULES.with_options(**{name: value})
    assert caught.value.code == "bad_option"
    assert caught.value.params["option"] == name
    assert RULES.changed() == {}


def test_an_unknown_option_names_the_known_ones() -> None:
    """The error of an unknown option lists what there is."""
    with pytest.raises(SetupError, match="target, inclusive") as caught:
        RULES.with_options(tarjet=3)
    assert caught.value.code == "unknown_option"


@pytest.mark.parametrize(
    ("name", "found"),
    [("pincset", "pincset"), ("500", "pincset"), (" Cincos ", "cincos"), ("bingo", "bingo"), ("pecanje", "tiu-u")],
)
def test_games_are_found_by_name_and_alias(name: str, found: str) -> None:
    """Every game is found by its name and its aliases."""
    assert find_game(name).name == found


def test_an_unknown_game_names_the_known_ones() -> None:
    """The error of an unknown game lists what there is."""
    with pytest.raises(SetupError, match="pincset, cincos, bingo, tiu-u") as caught:
        find_game("poker")
    assert caught.value.code == "unknown_game"


@pytest.mark.parametrize("name", ["pincset", "cincos", "bingo", "tiu-u"])
def test_every_option_says_where_it_comes_from(name: str) -> None:
    """Every option accepts its own default and names its source."""
    options = find_game(name).options
    assert options
    assert all(option.accepts(option.default) and option.source for option in options)


def test_rules_are_cited_in_words() -> None:
    """Neither options nor findings point to papers that come with no copy of this project."""
    cited = [option.source for game in GAMES for option in game.options]
    cited += [words for codes in FINDING_RULES.values() for words in codes.values()]
    assert cited
    assert not [text for text in cited if re.search(r"seed \d|RULES|\bl\.\d|\b[ABCT]\d", text)]
