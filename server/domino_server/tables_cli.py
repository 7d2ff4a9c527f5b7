"""`dominotable tables`: what is kept of tables, as files to send, to keep and to take in again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from domino_server.console import guard, note, printable

if TYPE_CHECKING:
    from domino_server.store import Place, Store, TableRow

app = typer.Typer(help="The tables that are kept: list, export, import, backup.", no_args_is_help=True)

DataOption = Annotated[
    Path | None, typer.Option("--data", help="folder of the data; else $DOMINOTABLE_DATA or the user's folder of data")
]
DatabaseOption = Annotated[
    str | None,
    typer.Option(help="postgresql://user@host/name or sqlite:////path; else $DOMINOTABLE_DATABASE or --data"),
]


@app.command("list")
def list_tables(
    archived: Annotated[bool, typer.Option("--archived", help="also those that were put away")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON instead of text")] = False,
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """List the tables: id, when made, game, how many events, name."""
    with guard(), _opened(data, database) as (store, _):
        rows = [_plain(store, row) for row in store.tables(archived=archived)]
        if as_json:
            typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
            return
        if rows:
            typer.echo(f"{'id':12}  {'made (UTC)':16}  {'game':8}  {'events':>6}  name")
        for row in rows:
            away = " (archived)" if row["archived_at"] else ""
            made, game = str(row["created_at"])[:16].replace("T", " "), str(row["game"] or "-")
            typer.echo(f"{row['id']}  {made}  {game:8}  {row['events']:6}  {printable(str(row['name']))}{away}")


@app.command()
def export(
    table: Annotated[str, typer.Argument(help="id of the table, or its name if no other has it")],
    out: Annotated[Path, typer.Argument(help="the file to write (.zip)")],
    evidence: Annotated[bool, typer.Option(help="with the pictures that prove what was seen")] = True,
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Write a table with its record, events and evidence to one signed file; `dominotable verify` checks it."""
    with guard(), _opened(data, database) as (store, place):
        from domino_server.judge.export import export_signed
        from domino_server.judge.signing import TableKey

        row = _find(store, table)
        key = TableKey.open(place.keys, row.origin)
        export_signed(store, row.id, place.evidence if evidence else None, out, key)
        note(f"{out}: table {row.id}, {store.last_seq(row.id)} events, signed with key {key.public}")


@app.command("import")
def take_in(
    files: Annotated[list[Path], typer.Argument(help="exported tables, or a backup of PostgreSQL")],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Add exported tables under new ids; a file that is damaged in any place is refused whole."""
    with guard():
        for file in files:
            file.stat()  # no database is made for a file that is not there
    with guard(), _opened(data, database, new=True) as (store, place):
        from domino_server.store import import_any

        for file in files:
            for row in import_any(store, file, place.evidence):
                typer.echo(row.id)
                note(f"{file}: table {row.id}, {store.last_seq(row.id)} events, {printable(row.name)}")


@app.command()
def backup(
    out: Annotated[Path, typer.Argument(help="the file to write")],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Write everything to one file while the tables go on: a database from SQLite, all tables from PostgreSQL."""
    with guard(), _opened(data, database) as (store, _):
        from domino_server.store import backup as write

        write(store, out)
        note(f"{out}: {len(store.tables(archived=True))} tables, {out.stat().st_size} bytes")


@contextmanager
def _opened(data: Path | None, database: str | None, *, new: bool = False) -> Iterator[tuple[Store, Place]]:
    from domino_server.store import Place, Store, StoreError

    place = Place.of(data, database)
    file = place.file
    if file is not None and not new and not file.exists():
        raise StoreError("store_unreachable", f"there is no database {file}: name the folder with --data")
    store = Store.open(place.url)
    try:
        yield store, place
    finally:
        store.close()


def _plain(store: Store, row: TableRow) -> dict[str, object]:
    return {
        "id": row.id,
        "name": row.name,
        "game": row.config.get("game"),
        "events": store.last_seq(row.id),
        "created_at": row.created_at.isoformat(),
        "archived_at": row.archived_at and row.archived_at.isoformat(),
    }


def _find(store: Store, text: str) -> TableRow:
    from domino_server.store import StoreError

    rows = store.tables(archived=True)
    found = [row for row in rows if row.id == text] or [row for row in rows if row.name == text]
    if len(found) > 1:
        ids = ", ".join(row.id for row in found)
        raise StoreError("unknown_table", f"{len(found)} tables are called {text!r}: {ids}", table=text)
    return found[0] if found else store.table(text)
