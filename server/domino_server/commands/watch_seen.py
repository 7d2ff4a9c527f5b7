"""Which films and folders a record was watched from to their end: they are not watched into it again."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from domino_server.folder_watch import state_of
from domino_server.referee import Journal
from domino_vision.sources import PictureSource, Source, VideoFileSource

_SEEN: Final = "; watched to its end: "
"""Begins a comment of the record."""


def seen_line(source: Source) -> str | None:
    """Return the comment that says that a source was watched to its end; None for one that has none.

    It holds the name and a digest of which files there are, how large, and when they were written.
    """
    if isinstance(source, PictureSource):
        paths = source.paths
    elif isinstance(source, VideoFileSource):
        paths = (Path(source.name),)
    else:
        return None
    files = [(path.name, state_of(path)) for path in paths]
    return f"{_SEEN}{Path(source.name).name!r} {hashlib.sha256(repr(files).encode()).hexdigest()[:16]}"


def was_seen(journal: Journal, source: Source) -> bool:
    """Whether a source was watched to its end into this record, and is as it was then."""
    line = seen_line(source)
    return line is not None and line in journal.text.splitlines()


def note_seen(journal: Journal, source: Source) -> None:
    """Note in the record that a source was watched to its end."""
    line = seen_line(source)
    if line is not None:
        journal.add([line])
