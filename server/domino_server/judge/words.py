"""The words of the judge's aid in five languages: `locales/<language>.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from domino_rules.explain import explain, find_language

_LONGEST_ODDS: Final = 9999


def word(key: str, lang: str = "en", **params: Any) -> str:
    """Return the text of a key; raises SetupError `unknown_language`, KeyError for a key that is not there."""
    return words(find_language(lang))[key].format(**params)


@cache
def words(language: str) -> Mapping[str, str]:
    """Return all texts of a language by their keys."""
    text = (files("domino_server.judge") / "locales" / f"{language}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def odds_text(odds: float, lang: str = "en") -> str:
    """Return how a misreading compares with an offence: `misread 1 : 40 against the rules`.

    Args:
        odds: the probability of an offence, 0 to 1.
        lang: language.
    """
    misread = 1.0 - odds
    if odds >= misread:
        pair = (1, _LONGEST_ODDS if misread * _LONGEST_ODDS < odds else round(odds / misread))
    else:
        pair = (_LONGEST_ODDS if odds * _LONGEST_ODDS < misread else round(misread / odds), 1)
    return word("odds.both", lang, misread=pair[0], illegal=pair[1])


def alert_text(alert: Mapping[str, Any], lang: str = "en") -> dict[str, Any]:
    """Return an alert in words: `title`, `text` (what the rule says of it), `rule`, `odds`, and `outcomes`.

    Args:
        alert: data of an event `alert`.
        lang: language.
    """
    params = dict(alert["params"])
    section = "finding" if params.pop("audit", False) or alert["code"] in _AS_FINDING else "reason"
    text = explain(f"{section}.{alert['code']}", params, lang)
    if text == f"{section}.{alert['code']}":
        text = explain(str(alert["code"]), params, lang)
    kind = word(f"alert.{alert['kind']}", lang)
    return {
        "title": kind,
        "text": kind if text == alert["code"] else text,
        "rule": alert["rule"],
        "certainty": explain(f"certainty.{alert['certainty']}", {}, lang),
        "odds": None if alert["odds"] is None else odds_text(float(alert["odds"]), lang),
        "outcomes": [_outcome(outcome, lang) for outcome in alert["outcomes"]],
    }


_AS_FINDING: Final = frozenset({"wrong_end", "tile_twice", "points_wrong", "points_missed"})


def _outcome(outcome: Mapping[str, Any], lang: str) -> dict[str, Any]:
    key = str(outcome["key"])
    text = word("outcome.as", lang, tile=key[3:]) if key.startswith("as:") else word(f"outcome.{key}", lang)
    return {"text": text, "odds": outcome["odds"], "totals": outcome["totals"]}
