"""How far films and folders were watched into a record: what was seen is not watched into it again."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

from domino_server.folder_watch import state_of
from domino_server.referee import Journal
from domino_vision.sources import PictureSource, Source, VideoFileSource

_SEEN: Final = "; watched to its end: "
_AS_FAR: Final = "; watched as far as "
"""Begin comments of the record."""

Files = PictureSource | VideoFileSource


class Watched:
    """What a record tells of a source of files, and is told: how far it was watched.

    The comments hold the name of the source, and a digest of which files there are, how large, and when they were
    written: a source that is another one now was never watched.
    """

    def __init__(self, journal: Journal, source: Source) -> None:
        """Look up a source, cameras and streams too, of which nothing is noted.

        Args:
            journal: the record.
            source: what is watched into it.
        """
        self._journal = journal
        self._files: Files | None = source if isinstance(source, PictureSource | VideoFileSource) else None
        self._name = "" if self._files is None else _identity(self._files)
        self._noted = journal.count

    @property
    def to_its_end(self) -> bool:
        """Whether it was watched to its end, and is as it was then."""
        return self._files is not None and f"{_SEEN}{self._name}" in self._journal.text.splitlines()

    @property
    def as_far_as(self) -> float:
        """The time in the source, in seconds, at which the record grew last; 0 if nothing of it is in the record."""
        pattern = re.compile(rf"{re.escape(_AS_FAR)}(\d+\.\d+) s: {re.escape(self._name)}")
        found = [pattern.fullmatch(line) for line in self._journal.text.splitlines()] if self._files is not None else []
        return max((float(match[1]) for match in found if match is not None), default=0.0)

    def go_on(self) -> None:
        """Let the source go on where the record, as it is now, ends."""
        self._noted = self._journal.count
        if self._files is not None:
            self._files.skip_to(self.as_far_as)

    def note(self) -> None:
        """Note how far the source was watched, if the record has grown since."""
        if self._files is not None and self._journal.count > self._noted:
            self._journal.add([f"{_AS_FAR}{self._files.at:.3f} s: {self._name}"])
            self._noted = self._journal.count

    def note_end(self) -> None:
        """Note that the source was watched to its end."""
        if self._files is not None:
            self._journal.add([f"{_SEEN}{self._name}"])


def _identity(source: Files) -> str:
    paths = source.paths if isinstance(source, PictureSource) else (Path(source.name),)
    files = [(path.name, state_of(path)) for path in paths]
    return f"{Path(source.name).name!r} {hashlib.sha256(repr(files).encode()).hexdigest()[:16]}"
