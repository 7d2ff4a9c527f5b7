"""The judge's commands: `verify`, `report`, `standings` and `purge`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from domino_server.console import guard

JsonOption = Annotated[bool, typer.Option("--json", help="print JSON instead of text")]
LangOption = Annotated[str, typer.Option(help="language: en, es, pl, sr-Latn or sr-Cyrl")]


def register(app: typer.Typer) -> None:
    """Add the judge's commands to the command line."""
    for command in (verify, report, standings, purge):
        app.command()(command)


def verify(
    file: Annotated[Path, typer.Argument(help="an exported table (.zip)")],
    key: Annotated[str | None, typer.Option(help="the table's public key; else the one that the file names")] = None,
    head: Annotated[str | None, typer.Option(help="NUMBER:HASH as printed on a report; the file must hold it")] = None,
    as_json: JsonOption = False,
) -> None:
    """Check that an exported table is as it was written, and work its scores out anew. Exit 1 if it is not genuine."""
    from domino_server.commands import verify as command

    with guard():
        command.run(file, key, head, as_json=as_json)


def report(
    files: Annotated[list[Path], typer.Argument(help="exported tables (.zip) or records; several make a day")],
    lang: LangOption = "en",
    html: Annotated[Path | None, typer.Option(help="write HTML here; else to stdout, if that is no terminal")] = None,
    pdf: Annotated[Path | None, typer.Option(help="write PDF here (needs the `report` extra)")] = None,
    csv: Annotated[Path | None, typer.Option(help="write a row for each side of each hand here")] = None,
    as_json: Annotated[Path | None, typer.Option("--json", help="write everything but pictures here")] = None,
    hand: Annotated[int | None, typer.Option(min=1, help="only this hand of the last match")] = None,
    pictures: Annotated[int, typer.Option(min=0, max=100, help="pictures of evidence a hand, at most")] = 4,
    no_log: Annotated[bool, typer.Option("--no-log", help="results, rulings and findings, not every move")] = False,
    title: Annotated[str | None, typer.Option(help="the heading")] = None,
    key: Annotated[str | None, typer.Option(help="the table's public key, if it is known from elsewhere")] = None,
) -> None:
    """Report a hand, a match or a day, with rulings, evidence and proof. Exit 1 if a file is not genuine."""
    from domino_server.commands import report as command

    with guard():
        wanted = command.ReportOptions(lang, hand, pictures, not no_log, title, key, html, pdf, csv, as_json)
        command.run(files, wanted)


def standings(
    pairings: Annotated[
        Path | None, typer.Argument(help="pairing list (CSV: round, table, a, b, points_a, points_b, winner)")
    ] = None,
    results: Annotated[list[Path] | None, typer.Option(help="an exported table whose result is added")] = None,
    entrants: Annotated[Path | None, typer.Option(help="a side a line, in the order of their seeds")] = None,
    system: Annotated[str, typer.Option(help="swiss or round-robin")] = "swiss",
    pair_next: Annotated[Path | None, typer.Option("--next", help="write the list with the next round here")] = None,
    out: Annotated[Path | None, typer.Option(help="write the list with its results here")] = None,
    csv: Annotated[Path | None, typer.Option(help="write the standings here")] = None,
    lang: LangOption = "en",
) -> None:
    """Standings of a tournament over several tables, with tie-breaks, and the pairings of the next round."""
    from domino_server.commands import standings as command

    with guard():
        wanted = command.StandingsOptions(tuple(results or ()), entrants, system, pair_next, out, csv, lang)
        command.run(pairings, wanted)


def purge(
    table: Annotated[str, typer.Argument(help="id of the table, or its name if no other has it")],
    reason: Annotated[str, typer.Option(help="why; it stands in the table's chain of events")],
    by: Annotated[str | None, typer.Option(help="who asks for it")] = None,
    older_than: Annotated[float | None, typer.Option(min=0, help="only what is older than so many days")] = None,
    file: Annotated[list[str] | None, typer.Option(help="only this file of evidence; may be repeated")] = None,
    everything: Annotated[bool, typer.Option("--all", help="all evidence of the table")] = False,
    data: Annotated[Path | None, typer.Option(help="folder of all that is kept (DOMINOTABLE_DATA)")] = None,
    database: Annotated[str | None, typer.Option(help="address of the database (DOMINOTABLE_DATABASE)")] = None,
) -> None:
    """Remove evidence for good. The chain names what was removed and why, and stays checkable."""
    from domino_server.commands import purge as command

    with guard():
        wanted = command.PurgeOptions(reason, by, older_than, tuple(file or ()), everything, data, database)
        command.run(table, wanted)
