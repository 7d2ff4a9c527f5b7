"""The catalogues: every code of the package has a text in every language, with the right parameters and plurals."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import domino_rules
from domino_rules.audit.finding import Certainty
from domino_rules.errors import SetupError
from domino_rules.explain import LANGUAGES, catalogue, explain, explain_addend, explain_score, plural_category
from domino_rules.games import GAMES
from domino_rules.layout import Arm, LayoutProblem
from domino_rules.record import Source
from domino_rules.score import Addend, ScoreEvent
from domino_rules.tile import Tile

PACKAGE = Path(domino_rules.__file__).parent
RAISERS = {"IllegalMoveError", "SetupError", "ParseError", "RecordError", "refuse", "_error", "Duty"}
CODES_BY_CALL = {
    **dict.fromkeys(RAISERS, ("reason", 0)),
    "find": ("finding", 0),
    "find_witness": ("finding", 0),
    "ScoreEvent": ("score", 2),
    "_bonus": ("score", 0),
    "_scored": ("score", 1),
    "capture_event": ("score", 2),
    "Addend": ("addend", 0),
    "TileValue": ("addend", 0),
    "HandResult": ("result", 0),
    "Outcome": ("result", 0),
}
CODE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
FORMS = {"en": {"one", "other"}, "es": {"one", "many", "other"}, "pl": {"one", "few", "many", "other"}}
FORMS["sr-Latn"] = FORMS["sr-Cyrl"] = {"one", "few", "other"}


def constants(node: ast.expr) -> Iterator[str]:
    """Yield the strings that an expression may come out as."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.IfExp():
            yield from (*constants(node.body), *constants(node.orelse))
        case _:
            return


def used_codes() -> set[str]:
    codes = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            section, at = CODES_BY_CALL.get(name, ("", 0))
            if section and at < len(node.args):
                codes |= {f"{section}.{text}" for text in constants(node.args[at]) if CODE.fullmatch(text)}
    return codes


def all_codes() -> list[str]:
    codes = used_codes()
    codes |= {f"game.{game.name}" for game in GAMES}
    codes |= {f"unit.{game.unit}" for game in GAMES}
    codes |= {f"option.{game.name}.{option.name}" for game in GAMES for option in game.options}
    codes |= {f"problem.{problem.name.lower()}" for problem in LayoutProblem if problem.name}
    codes |= {f"arm.{arm.value}" for arm in Arm}
    codes |= {f"certainty.{certainty.value}" for certainty in Certainty}
    codes |= {f"source.{source.value}" for source in Source}
    codes |= {f"addend.{code}" for code in ("opponent_few_points", "opponent_no_points", "reached_target")}
    return sorted(codes)


def known(code: str, texts: object) -> bool:
    return explain(code, {}, str(texts)) != code


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)[,}]", text)) | set(re.findall(r"\{(\w+(?:\|\w+)+)\}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_text(language: str) -> None:
    """Reasons, scores, addends, findings, problems, games and options that the code uses are all in the catalogue."""
    codes = all_codes()
    assert len(codes) > 150
    missing = [code for code in codes if not known(code, language)]
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_agree_on_codes_and_parameters(language: str) -> None:
    """Every language has the same codes, and every text the same parameters as in English."""
    english, other = catalogue("en"), catalogue(language)
    assert list(other) == list(english)
    assert {code for code in english if placeholders(other[code]) != placeholders(english[code])} == set()
    assert all(text.strip() == text and text for text in other.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_texts_have_every_form(language: str) -> None:
    """Each plural offers exactly the categories of its language."""
    for text in catalogue(language).values():
        for forms in re.findall(r"plural, ((?:\w+ \{[^{}]*\}\s*)+)\}", text):
            assert {name for name, _ in re.findall(r"(\w+) \{([^{}]*)\}", forms)} == FORMS[language]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "0 points|1 point|2 points|5 points|12 points|21 points|22 points|1000000 points"),
        ("es", "0 tantos|1 tanto|2 tantos|5 tantos|12 tantos|21 tantos|22 tantos|1000000 de tantos"),
        ("pl", "0 punktów|1 punkt|2 punkty|5 punktów|12 punktów|21 punktów|22 punkty|1000000 punktów"),
        ("sr-Latn", "0 poena|1 poen|2 poena|5 poena|12 poena|21 poen|22 poena|1000000 poena"),
        ("sr-Cyrl", "0 поена|1 поен|2 поена|5 поена|12 поена|21 поен|22 поена|1000000 поена"),
    ],
)
def test_numbers_take_the_right_form(language: str, expected: str) -> None:
    """Plural categories are those of CLDR."""
    numbers = (0, 1, 2, 5, 12, 21, 22, 1_000_000)
    assert "|".join(explain("unit.points", {"n": n}, language) for n in numbers) == expected


def test_negative_numbers_count_like_positive_ones() -> None:
    """A payment of minus one point is one point."""
    assert explain("unit.points", {"n": -1}) == "-1 point"
    assert plural_category(-22, "pl") == "few"


def test_cyrillic_is_the_latin_text_letter_by_letter() -> None:
    """The two Serbian catalogues differ in script only: as many words, and no Latin letters but names and codes."""
    latin, cyrillic = catalogue("sr-Latn"), catalogue("sr-Cyrl")
    for code, text in cyrillic.items():
        bare = re.sub(r"UTF-8|Tiu-U|Dominó de Cincos|\{\w+, plural, |\b(one|few|other) \{|\{[\w|]+\}", "", text)
        assert not re.search(r"[a-zA-ZčćžšđČĆŽŠĐ]", bare), code
        assert len(text.split()) == len(latin[code].split()), code


def test_language_tags_find_their_catalogue() -> None:
    """Regions are dropped, sr alone is Latin; an unknown language is refused."""
    assert explain("arm.L", lang="es_MX") == "izquierda"
    assert explain("arm.L", lang="sr") == "levi kraj"
    assert explain("arm.L", lang="sr-cyrl") == "леви крај"
    with pytest.raises(SetupError) as caught:
        explain("arm.L", lang="tlh")
    assert caught.value.code == "unknown_language"


def test_an_unknown_code_is_shown_as_it_is() -> None:
    """A newer code is better than nothing."""
    assert explain("reason.brand_new", {}, "pl") == "reason.brand_new"


def test_findings_fall_back_to_the_engines_reasons() -> None:
    """The audit repeats reasons of the engine; parameters that are missing show as a question mark."""
    text = explain("finding.no_match", {"tiles": (Tile(6, 5),), "pips": 4, "arm": "L"}, "es")
    assert text == "6-5 no cuadra con el 4 de la punta L."
    assert explain("finding.no_match", {}) == "? does not match the ? at end ?."


def test_a_score_shows_its_sum() -> None:
    """Who, how much, for what, and the addends; a subtraction is written with a minus."""
    left = (Addend("tile_left", 11, Tile(6, 5), None, "Bo"), Addend("own_tile_left", -4, Tile(3, 1)))
    event = ScoreEvent("Ana", 5, "block", (*left, Addend("rounding", -2)))
    assert explain_score(event, "en") == "Ana: 5 points, blocked hand: 11 (6-5) − 4 (3-1) − 2 (rounded)"
    assert explain_addend(Addend("tip", 5, Tile(6, 5), Arm.LEFT), "pl") == "6-5 na końcu lewy koniec"


def test_catalogues_are_plain_files() -> None:
    """A screen may load them as they are: flat JSON objects of texts."""
    for language in LANGUAGES:
        texts = json.loads((PACKAGE / "locales" / f"{language}.json").read_text(encoding="utf-8"))
        assert all(isinstance(text, str) for text in texts.values())
