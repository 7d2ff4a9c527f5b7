"""Which files a table was shown: a server that starts again does not show them to it again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from domino_server.folder_watch import FileState, state_of
from domino_server.store import NewEvent, Store

RUN: Final = "run"
"""Kind of the events that say whether a table is watched."""
SHOWN: Final = "shown"
"""Kind of the events that say which files were shown."""

ShownFile = tuple[str, FileState]
"""Name of a file, without its folder, and what changes when it does."""


def shown_file(path: Path) -> ShownFile | None:
    """Return a file as it is now, or None if it is gone."""
    state = state_of(path)
    return None if state is None else (path.name, state)


def shown_event(files: Iterable[ShownFile]) -> NewEvent:
    """Return what is kept of files that were shown to the end."""
    return NewEvent(SHOWN, {"files": [_written(name, state) for name, state in files]})


def shown_files(store: Store, table: str) -> tuple[ShownFile, ...]:
    """Return the files that a table was shown since somebody last stopped it, in the order in which it was.

    Whoever stops a table and starts it again wants its film again; a server that ends and starts again does not.

    Raises:
        StoreError: if the store cannot be read.
    """
    files: list[ShownFile] = []
    for event in store.events(table, kinds=(RUN, SHOWN)):
        if event.kind == SHOWN:
            files += map(_read, event.data["files"])
        elif not event.data["running"]:
            files.clear()
    return tuple(files)


def _written(name: str, state: FileState) -> list[str]:
    """Return a file as texts: its numbers are too large for canonical JSON, and its name need not be Unicode."""
    return [quote(os.fsencode(name)), *map(str, state)]


def _read(texts: Sequence[str]) -> ShownFile:
    name, number, size, written = texts
    return os.fsdecode(unquote_to_bytes(name)), (int(number), int(size), int(written))
