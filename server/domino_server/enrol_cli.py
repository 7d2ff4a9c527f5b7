"""The command `dominotable enrol`: its options."""

from pathlib import Path
from typing import Annotated

import typer

from domino_server.console import guard
from domino_server.tables_cli import DatabaseOption


def enrol(
    pictures: Annotated[list[Path] | None, typer.Argument(help="pictures of your tiles, face up, in any order")] = None,
    name: Annotated[str | None, typer.Option(help="what the tiles are to be called")] = None,
    set_name: Annotated[
        str, typer.Option("--set", help="double-six, double-nine, double-twelve or chinese")
    ] = "double-six",
    seen: Annotated[
        list[str] | None,
        typer.Option("--tiles-seen", help="the tiles in a picture, 6-6,6-5,...; once for each picture"),
    ] = None,
    add: Annotated[bool, typer.Option("--add", help="add these pictures to tiles enrolled before")] = False,
    show: Annotated[bool, typer.Option("--list", help="list the tiles that are enrolled")] = False,
    remove: Annotated[str | None, typer.Option(help="forget the tiles of this name")] = None,
    data: Annotated[Path | None, typer.Option(help="folder of all that is kept (DOMINOTABLE_DATA)")] = None,
    database: DatabaseOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON instead of text")] = False,
    weights: Annotated[Path | None, typer.Option(help="another detector")] = None,
    threads: Annotated[int, typer.Option(min=1, max=64, help="threads for the models")] = 2,
) -> None:
    """Teach the reader your own set from pictures of it; then: read --tiles NAME."""
    from domino_server.commands import enrol as command

    with guard():
        if show:
            command.show(data, as_json=as_json)
        elif remove is not None:
            command.remove(remove, data, database)
        else:
            options = command.EnrolOptions(
                set_name, tuple(seen or ()), add=add, data=data, as_json=as_json, weights=weights, threads=threads
            )
            command.run(pictures or [], name, options)
