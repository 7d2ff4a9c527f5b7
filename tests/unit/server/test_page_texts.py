"""The words of the pages: every language has the same ones, every one is used, and plurals are whole."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import domino_server
from domino_rules.explain import LANGUAGES
from domino_rules.games import GAMES
from domino_vision.settle import SettleState
from domino_vision.zones import KINDS

STATIC = Path(domino_server.__file__).parent / "static"
PLURALS = {
    "en": {"one", "other"},
    "es": {"one", "many", "other"},
    "pl": {"one", "few", "many", "other"},
    "sr-Latn": {"one", "few", "other"},
    "sr-Cyrl": {"one", "few", "other"},
}
_USED = re.compile(r"\b(?:t|rich)\(\s*\"([a-zA-Z_.]+)\"")
_FAMILY = re.compile(r"\b(?:tf|has)\(\"([a-z_.]+)\",")
_IN_PAGE = re.compile(r"data-t(?:-label|-title|-hint)?=\"([a-z_.]+)\"")
_PLURAL = re.compile(r"\{(\w+), plural, ((?:\w+ \{[^{}]*\}\s*)+)\}")


def texts(language: str) -> dict[str, str]:
    return dict(json.loads((STATIC / "locales" / f"{language}.json").read_text(encoding="utf-8")))


def modules() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(STATIC.rglob("*.js")))


def used() -> tuple[set[str], set[str]]:
    """The keys and the families of keys that pages and modules name."""
    pages = "\n".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.html"))
    return set(_USED.findall(modules())) | set(_IN_PAGE.findall(pages)), set(_FAMILY.findall(modules()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_parameters(language: str) -> None:
    """No language lacks a text, has one more, or names another parameter."""
    english, other = texts("en"), texts(language)
    assert set(other) == set(english)
    assert all(text.strip() for text in other.values())
    for key, text in english.items():
        assert _parameters(other[key]) == _parameters(text), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_texts_have_a_form_for_every_category(language: str) -> None:
    """A text that counts has the plural forms of its language, and no form that the language lacks."""
    counted = [(key, forms) for key, text in texts(language).items() for _, forms in _PLURAL.findall(text)]
    assert counted
    for key, forms in counted:
        assert set(re.findall(r"(\w+) \{", forms)) == PLURALS[language], key


def test_every_key_that_is_used_exists() -> None:
    """Pages and modules name no text that is not there."""
    keys, families = used()
    known = set(texts("en"))
    assert keys - known == set()
    assert {family for family in families if not any(key.startswith(f"{family}.") for key in known)} == set()


def test_no_text_is_unused() -> None:
    """Every text is named by a page or a module, by itself or as one of a family."""
    keys, families = used()
    unused = {key for key in texts("en") if key not in keys and not any(key.startswith(f"{f}.") for f in families)}
    assert unused == set()


def test_codes_of_the_server_have_texts() -> None:
    """States, zones, games and values of house options are said in words."""
    known = set(texts("en"))
    values = {str(c) for g in GAMES for o in g.options for c in o.choices if isinstance(c, str)}
    wanted = {f"settle.{state.value}" for state in SettleState} | {f"zone.{kind}" for kind in KINDS}
    wanted |= {f"game.{game.name}" for game in GAMES} | {f"about.{game.name}" for game in GAMES}
    wanted |= {f"value.{value}" for value in values}
    assert wanted - known == set()


def test_every_question_and_pause_of_the_referee_has_a_text() -> None:
    """Whatever is asked, and whatever the game waits for, is said in words."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((STATIC.parent / "referee").glob("*.py")))
    asked = {f"question.{name}" for name in re.findall(r"\bQuestion\(\s*\"(\w+)\"", code)}
    waits = {f"pause.{name}" for name in re.findall(r"\bPause\(\s*\"(\w+)\"", code)}
    assert "question.opener" in asked
    assert "pause.unexplained" in waits
    assert asked | waits <= set(texts("en"))


def test_both_serbian_scripts_stay_apart() -> None:
    """The Latin catalogue holds no Cyrillic letter, and the Cyrillic one differs wherever there are words."""
    latin, cyrillic = texts("sr-Latn"), texts("sr-Cyrl")
    assert [key for key, text in latin.items() if re.search("[а-яА-Я]", text)] == []
    assert sum(latin[key] == cyrillic[key] for key in latin) < 12


def _parameters(text: str) -> set[str]:
    counted = {name for name, _ in _PLURAL.findall(text)}
    return counted | set(re.findall(r"\{(\w+)\}", _PLURAL.sub(" ", text)))
