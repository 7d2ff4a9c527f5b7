"""The words of the judge's aid are there in every language, with the same parameters."""

from __future__ import annotations

import re

import pytest

from domino_rules.explain import LANGUAGES
from domino_server.judge.alerts import KINDS
from domino_server.judge.words import odds_text, word, words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text(language: str) -> None:
    """The keys and the parameters are those of English, and no text is empty."""
    english, other = words("en"), words(language)
    assert list(other) == list(english)
    for key, text in other.items():
        assert text.strip()
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", english[key])), key


def test_every_kind_of_alert_has_a_name() -> None:
    """Each kind that an alert may have has its word."""
    assert all(word(f"alert.{kind}") for kind in {*KINDS.values(), "illegal_play"})


@pytest.mark.parametrize(("odds", "pair"), [(40 / 41, "1 : 40"), (0.25, "3 : 1"), (0.5, "1 : 1"), (1.0, "1 : 9999")])
def test_odds_are_told_as_a_ratio(odds: float, pair: str) -> None:
    """The likelier side is a multiple of one."""
    assert f"misread {pair} against" in odds_text(odds)
    assert "1 : " in odds_text(1.0, "sr-Cyrl")
