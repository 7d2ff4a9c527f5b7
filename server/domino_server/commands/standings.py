"""`dominotable standings`: who stands where, who plays whom next."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import typer

from domino_rules.errors import ParseError
from domino_rules.explain import find_language
from domino_server.console import note, printable, written
from domino_server.judge.pairing import next_swiss, round_robin
from domino_server.judge.reports import build, open_source
from domino_server.judge.results import with_results
from domino_server.judge.standings import Game, Row, StandingsError, read_pairings, standings, write_pairings
from domino_server.judge.words import word
from domino_vision.sinks import write_bytes

_COLUMNS = (
    "rank", "name", "played", "won", "drawn", "lost", "score", "buchholz", "berger", "difference", "points",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StandingsOptions:
    """What is done.

    Attributes:
        results: exported tables whose results are put into the list.
        entrants: file with a side a line, in the order of their seeds.
        system: `swiss` or `round-robin`.
        pair_next: file for the list with the next round (Swiss) or all rounds (round robin) added.
        out: file for the list with its results.
        csv: file for the standings.
        lang: language.
    """

    results: tuple[Path, ...] = ()
    entrants: Path | None = None
    system: str = "swiss"
    pair_next: Path | None = None
    out: Path | None = None
    csv: Path | None = None
    lang: str = "en"


def run(pairings: Path | None, options: StandingsOptions) -> None:
    """Print the standings, and write what was asked for.

    Raises:
        DominoError: if a file cannot be used.
        OSError: if a file cannot be read.
    """
    find_language(options.lang)
    if options.system not in {"swiss", "round-robin"}:
        raise StandingsError("bad_option", f"no system {options.system!r}: swiss or round-robin", system=options.system)
    entrants = _lines(options.entrants)
    games: tuple[Game, ...] = () if pairings is None else read_pairings(_text(pairings))
    if not games and not entrants:
        raise StandingsError("entrants", "nobody plays: name a pairing list, or --entrants", entrants=0)
    games = _filled(games, options.results, options.lang)
    rows = standings(games, entrants)
    typer.echo("\n".join(map(printable, table_lines(rows, games, options.lang))))
    if options.out is not None:
        write_bytes(options.out, write_pairings(games).encode())
    if options.csv is not None:
        write_bytes(options.csv, as_csv(rows, options.lang).encode())
    if options.pair_next is not None:
        write_bytes(options.pair_next, write_pairings((*games, *_next(games, entrants, options.system))).encode())
    written(options.out, options.csv, options.pair_next)


def _next(games: Sequence[Game], entrants: Sequence[str], system: str) -> tuple[Game, ...]:
    waiting = sum(not game.over for game in games)
    if waiting:
        raise StandingsError("round_open", f"{waiting} games have no result yet", games=waiting)
    if system == "swiss":
        return next_swiss(games, entrants)
    names = entrants or [row.name for row in standings(games)]
    return round_robin(names, first=max((game.round for game in games), default=0) + 1)


def _filled(games: tuple[Game, ...], files: Sequence[Path], lang: str) -> tuple[Game, ...]:
    with ExitStack() as stack:
        tables = [build(stack.enter_context(open_source(path)), lang, pictures=0) for path in files]
    for table in tables:
        if table.verification is not None and not table.verification["genuine"]:
            raise StandingsError("not_genuine", f"{table.name} is not as its table wrote it; see `dominotable verify`")
    games, strange = with_results(games, tables)
    for match in strange:
        note(f"no game of the list: {printable(match)}")
    return games


def table_lines(rows: Sequence[Row], games: Sequence[Game], lang: str) -> list[str]:
    """Return the standings as lines of text."""
    last = max((game.round for game in games if game.over), default=0)
    head = [word(f"standings.{name}", lang) for name in _COLUMNS]
    cells = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(head))]
    lines = [word("standings.title", lang, round=last), ""]
    for line in cells:
        aligned = (text.ljust(width) if at == 1 else text.rjust(width)
                   for at, (text, width) in enumerate(zip(line, widths, strict=True)))  # fmt: skip
        lines.append("  ".join(aligned).rstrip())
    return lines


def as_csv(rows: Sequence[Row], lang: str) -> str:
    """Return the standings as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([word(f"standings.{name}", lang) for name in _COLUMNS])
    writer.writerows(_cells(row) for row in rows)
    return out.getvalue()


def _cells(row: Row) -> list[str]:
    values = (row.rank, row.name, row.played, row.won, row.drawn, row.lost, row.score, row.buchholz, row.berger,
              f"{row.difference:+d}", row.points)  # fmt: skip
    return [_number(value) for value in values]


def _number(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}".rstrip("0")
    return str(value)


def _lines(path: Path | None) -> tuple[str, ...]:
    if path is None:
        return ()
    return tuple(line.strip() for line in _text(path).splitlines() if line.strip())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParseError("not_utf8", f"{path}: not UTF-8 text", path=str(path)) from error
