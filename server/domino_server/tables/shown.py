"""What a table was shown of files: a server that starts again does not show it again, and goes on with a film."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from domino_server.folder_watch import FileState, state_of
from domino_server.store import NewEvent, Store

RUN: Final = "run"
"""Kind of the events that say whether a table is watched."""
SHOWN: Final = "shown"
"""Kind of the events that say which files were shown, and how far a film was when something was kept of it."""

ShownFile = tuple[str, FileState]
"""Name of a file, without its folder, and what changes when it does."""


def shown_file(path: Path) -> ShownFile | None:
    """Return a file as it is now, or None if it is gone."""
    state = state_of(path)
    return None if state is None else (path.name, state)


@dataclass(frozen=True, slots=True)
class FilmPlace:
    """A place in a film: its file, and the seconds from its beginning."""

    file: ShownFile
    at: float


@dataclass(frozen=True, slots=True)
class Shown:
    """What a table was shown since somebody last stopped it.

    Attributes:
        files: those that were shown to the end, in that order.
        place: how far the film was that was shown last; None for none.
    """

    files: tuple[ShownFile, ...] = ()
    place: FilmPlace | None = None


def shown_event(files: Iterable[ShownFile]) -> NewEvent:
    """Return what is kept of files that were shown to the end."""
    return NewEvent(SHOWN, {"files": [_written(name, state) for name, state in files]})


def place_event(place: FilmPlace) -> NewEvent:
    """Return what is kept of a film that goes on."""
    return NewEvent(SHOWN, {"film": _written(*place.file), "ms": round(place.at * 1000)})


def shown_files(store: Store, table: str) -> Shown:
    """Return what a table was shown since somebody last stopped it.

    Whoever stops a table and starts it again wants its film again; a server that ends and starts again does not.

    Raises:
        StoreError: if the store cannot be read.
    """
    files: list[ShownFile] = []
    place: FilmPlace | None = None
    for event in store.events(table, kinds=(RUN, SHOWN)):
        if event.kind == RUN:
            if not event.data["running"]:
                files.clear()
                place = None
        elif "film" in event.data:
            place = FilmPlace(_read(event.data["film"]), event.data["ms"] / 1000)
        else:
            files += map(_read, event.data["files"])
    return Shown(tuple(files), place)


def _written(name: str, state: FileState) -> list[str]:
    """Return a file as texts: its numbers are too large for canonical JSON, and its name need not be Unicode."""
    return [quote(os.fsencode(name)), *map(str, state)]


def _read(texts: Sequence[str]) -> ShownFile:
    name, number, size, written = texts
    return os.fsdecode(unquote_to_bytes(name)), (int(number), int(size), int(written))
