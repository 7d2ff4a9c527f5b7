"""Reports as one HTML file that needs nothing else: pictures, drawings and styles are within it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from domino_rules.explain import find_language
from domino_server.judge.alerts import KINDS
from domino_server.judge.reports.model import TableReport
from domino_server.judge.words import odds_text, word

_DARK: Final = re.compile(r"@media\(prefers-color-scheme:dark\)\{(?:[^{}]*\{[^{}]*\})*\}")
"""Paper is white: drawings keep their light colours."""
_FONT: Final = re.compile(r"font:(\d+) (\d+px) ([\w-]+)")
"""WeasyPrint does not know the shorthand in drawings."""
_HASH_SHOWN: Final = 32


def render(
    tables: Sequence[TableReport],
    lang: str,
    *,
    title: str | None = None,
    log: bool = True,
    made: datetime | None = None,
) -> str:
    """Return the report of one or more tables.

    Args:
        tables: a table, or the tables of a day.
        lang: language of the report; the tables were built in the same.
        title: heading; by default what it is a report of.
        log: whether every move is listed, or only results, rulings and what was found.
        made: when the report was made; now by default.

    Raises:
        SetupError: `unknown_language`.
    """
    language = find_language(lang)
    environment = Environment(
        loader=PackageLoader("domino_server.judge.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["signed"] = lambda number: f"{number:+d}" if number else "0"
    environment.filters["when"] = lambda at: "" if at is None else at.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
    environment.filters["clock"] = lambda at: "" if at is None else at.astimezone(UTC).strftime("%H:%M:%S")
    environment.filters["svg"] = drawing
    environment.filters["kind"] = lambda code: word(f"alert.{KINDS.get(code, 'illegal_play')}", language)
    return environment.get_template("report.html.j2").render(
        tables=tables,
        lang=language,
        log=log,
        title=title or heading(tables, language),
        made=made or datetime.now(UTC),
        word=lambda key, **params: word(key, language, **params),
        odds=lambda value: odds_text(float(value), language),
        qr=lambda text: Markup(qr_code(text)),  # noqa: S704 - drawn by us
        command=command,
    )


def heading(tables: Sequence[TableReport], lang: str) -> str:
    """Return what a report is called: of a hand, a match or a day."""
    hands = [hand for table in tables for match in table.matches for hand in match.hands]
    matches = [match for table in tables for match in table.matches]
    if len(tables) == 1 and len(matches) == 1:
        if len(hands) == 1 and hands[0].number > 1:
            return word("report.hand", lang, number=hands[0].number)
        return word("report.match", lang)
    return word("report.day", lang)


def drawing(svg: str) -> Markup:
    """Return one of our own drawings for use within HTML, in light colours."""
    plain = _FONT.sub(r"font-weight:\1;font-size:\2;font-family:\3", _DARK.sub("", svg))
    return Markup(plain)  # noqa: S704 - `domino_rules.svg` escapes all text


def command(verification: Mapping[str, Any]) -> str:
    """Return the command by which an exported file is checked against a report."""
    head = f"{verification['events']}:{str(verification['hash'])[:_HASH_SHOWN]}"
    return f"dominotable verify FILE --key {verification['public_key']} --head {head}"


def qr_code(text: str) -> str:
    """Return a QR code as an SVG drawing."""
    return segno.make(text, micro=False, error="m").svg_inline(scale=3, border=2, dark="#23201b", omitsize=True)
