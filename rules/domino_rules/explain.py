"""Codes and parameters as sentences in five languages. The catalogues are `locales/<language>.json`.

A text holds parameters, `{player}`, the first one known of several, `{tile|tiles}`, and counted forms,
`{points, plural, one {# point} other {# points}}`, by the plural categories that CLDR names for the language.
A code may have a text of its own for one place: `reason.arm_closed.beside` where the parameter `arm` is `beside`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from domino_rules.errors import SetupError
from domino_rules.score import Addend, ScoreEvent

LANGUAGES: Final = ("en", "es", "pl", "sr-Latn", "sr-Cyrl")
FALLBACKS: Final[Mapping[str, tuple[str, ...]]] = {
    "finding": ("reason", "error"),
    "reason": ("error",),
    "doubt": ("table",),
}
"""Where else a text is looked for: the audit uses the engine's own reasons, doubts in a look are of its table."""
SECTIONS: Final = ("reason", "error", "finding", "score", "addend", "result", "problem", "table", "game", "option")
"""Where a code without a section is looked for, in this order."""

_PLURAL = re.compile(r"\{(\w+), plural, ((?:\w+ \{[^{}]*\}\s*)+)\}")
_FORM = re.compile(r"(\w+) \{([^{}]*)\}")
_PARAM = re.compile(r"\{(\w+(?:\|\w+)*)\}")


def explain(code: str, params: Mapping[str, Any] | None = None, lang: str = "en") -> str:
    """Return the text of a code; the code itself if no catalogue knows it.

    Args:
        code: `reason.must_play`, or `must_play` alone, which is looked for in all `SECTIONS`.
        params: values for the text; a missing one shows as `?`.
        lang: `en`, `es`, `pl`, `sr-Latn`, `sr-Cyrl`, or a tag that begins like one of them (`es-MX`, `sr`).

    Raises:
        SetupError: `unknown_language`.

    Example:
        >>> explain("unit.points", {"n": 22}, "pl"), explain("must_play", lang="es")
        ('22 punkty', 'Si una ficha cuadra, hay que jugarla.')
    """
    language = find_language(lang)
    values = params or {}
    text = _text(f"{code}.{values.get('arm')}", catalogue(language)) or _text(code, catalogue(language))
    if text is None:
        return code
    text = _PLURAL.sub(lambda match: _counted(match, values, language), text)
    return _PARAM.sub(lambda match: _value(match[1], values), text)


def explain_score(event: ScoreEvent, lang: str = "en") -> str:
    """Return a score as one line: who, how much, for what, and the sum that proves it.

    Example:
        >>> from domino_rules.tile import Tile
        >>> tips = (Addend("tip", 6, Tile(6, 5)), Addend("tip", 4, Tile(6, 4)))
        >>> explain_score(ScoreEvent("Ana", 10, "count", tips))
        'Ana: 10 points, count: 6 (6-5) + 4 (6-4)'
    """
    amount = explain(f"unit.{event.unit}", {"n": event.points}, lang)
    head = f"{event.side}: {amount}, {explain(f'score.{event.reason}', {}, lang)}"
    terms = [_term(addend, lang) for addend in event.evidence if addend.value]
    return head if not terms else f"{head}: " + " + ".join(terms).replace("+ -", "− ")


def explain_addend(addend: Addend, lang: str = "en") -> str:
    """Return what a summand stands for."""
    arm = "?" if addend.arm is None else explain(f"arm.{addend.arm.value}", {}, lang)
    params = {"tile": addend.tile, "arm": arm, "player": addend.player, "number": addend.number, "value": addend.value}
    return explain(f"addend.{addend.code}", params, lang)


def _term(addend: Addend, lang: str) -> str:
    label = str(addend.tile) if addend.tile is not None else explain_addend(addend, lang)
    return f"{addend.value} ({label})"


def find_language(tag: str) -> str:
    """Return the catalogue for a language tag: the tag itself, or the first one that begins like it.

    Raises:
        SetupError: `unknown_language`, with the known ones.
    """
    wanted = tag.strip().replace("_", "-").lower()
    for language in LANGUAGES:
        if wanted == language.lower():
            return language
    for language in LANGUAGES:
        if wanted.split("-", maxsplit=1)[0] == language.split("-", maxsplit=1)[0].lower():
            return language
    known = ", ".join(LANGUAGES)
    raise SetupError("unknown_language", f"unknown language {tag!r}; known: {known}", lang=tag, known=known)


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return the texts of a language by their full codes."""
    text = (files("domino_rules") / "locales" / f"{language}.json").read_text(encoding="utf-8")
    texts: dict[str, str] = json.loads(text)
    return texts


def _text(code: str, texts: Mapping[str, str]) -> str | None:
    if code in texts:
        return texts[code]
    section, dot, name = code.partition(".")
    sections = FALLBACKS.get(section, ()) if dot else SECTIONS
    return next(
        (texts[key] for key in (f"{other}.{name if dot else code}" for other in sections) if key in texts), None
    )


def _counted(match: re.Match[str], values: Mapping[str, Any], language: str) -> str:
    number = values.get(match[1])
    forms = dict(_FORM.findall(match[2]))
    category, shown = "other", "?"
    if isinstance(number, int):
        category, shown = plural_category(number, language), str(number)
    form: str = forms.get(category) or forms.get("other", "")
    return form.replace("#", shown)


def plural_category(number: int, language: str) -> str:
    """Return the CLDR plural category of a whole number: one, few, many or other.

    Source: CLDR plural rules for en, es, pl and sr.
    """
    return _CATEGORIES[language.split("-", maxsplit=1)[0]](abs(number))


def _english(n: int) -> str:
    return "one" if n == 1 else "other"


def _spanish(n: int) -> str:
    if n and n % 1_000_000 == 0:
        return "many"
    return "one" if n == 1 else "other"


def _polish(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if _few(n) else "many"


def _serbian(n: int) -> str:
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if _few(n) else "other"


def _few(n: int) -> bool:
    return 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14


_CATEGORIES: Final[Mapping[str, Callable[[int], str]]] = {
    "en": _english,
    "es": _spanish,
    "pl": _polish,
    "sr": _serbian,
}


def _value(names: str, values: Mapping[str, Any]) -> str:
    for name in names.split("|"):
        value = values.get(name)
        if isinstance(value, list | tuple):
            if value:
                return ", ".join(map(str, value))
        elif value is not None:
            return str(value)
    return "?"
