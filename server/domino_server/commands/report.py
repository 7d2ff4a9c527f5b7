"""`dominotable report`: exported tables or records as HTML, PDF, CSV or JSON."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import typer

from domino_rules.explain import find_language
from domino_server.console import note, printable, warn, written
from domino_server.judge.reports import TableReport, as_csv, as_json, as_text, build, open_source, render, write_pdf
from domino_vision.sinks import write_bytes

NOT_GENUINE = 1


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What is written.

    Attributes:
        lang: language.
        hand: only this hand of the last match.
        pictures: at most so many pictures a hand.
        log: whether every move is listed.
        title: heading.
        key: the table's public key, if it is known from elsewhere.
        html: file to write.
        pdf: file to write.
        csv: file to write.
        as_json: file to write.
    """

    lang: str = "en"
    hand: int | None = None
    pictures: int = 4
    log: bool = True
    title: str | None = None
    key: str | None = None
    html: Path | None = None
    pdf: Path | None = None
    csv: Path | None = None
    as_json: Path | None = None


def run(files: list[Path], options: ReportOptions) -> None:
    """Write the report of a table, or of the tables of a day.

    Without a file to write, HTML goes to stdout; a terminal, where nobody reads HTML, is shown a summary instead.

    Exit code 1 if a file is not genuine; the report says so too.

    Raises:
        DominoError: if a file cannot be read, or the report not be written.
        OSError: if a file cannot be read.
    """
    find_language(options.lang)
    with ExitStack() as stack:
        tables = [
            build(
                stack.enter_context(open_source(path, options.key)),
                options.lang,
                hand=options.hand,
                pictures=options.pictures,
            )
            for path in files
        ]
    page = render(tables, options.lang, title=options.title, log=options.log)
    texts = {options.html: page, options.csv: as_csv(tables), options.as_json: as_json(tables)}
    for path, text in texts.items():
        if path is not None:
            write_bytes(path, text.encode())
    if options.pdf is not None:
        write_pdf(page, options.pdf)
    written(*texts, options.pdf)
    if all(path is None for path in (options.html, options.pdf, options.csv, options.as_json)):
        _show(page, tables, options.lang)
    bad = [table.name for table in tables if table.verification is not None and not table.verification["genuine"]]
    for name in bad:
        warn(f"{name} is not as its table wrote it")
    if bad:
        raise typer.Exit(NOT_GENUINE)


def _show(page: str, tables: list[TableReport], lang: str) -> None:
    if not sys.stdout.isatty():
        typer.echo(page, nl=False)
        return
    for line in as_text(tables, lang).splitlines():
        typer.echo(printable(line))
    note("the whole report: --html FILE, or --pdf, --csv, --json")
