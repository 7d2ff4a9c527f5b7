"""A folder as a camera: which of its pictures is to be shown next, while people and programs copy into it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from domino_rules.errors import DominoError
from domino_vision.errors import SourceError
from domino_vision.sources import Shot, list_pictures, read_picture
from domino_vision.types import Frame

SETTLE_S = 2.0
"""A picture that cannot be read is only called damaged once its file has not changed for this long."""

FileState = tuple[int, int, int]
"""What changes when a file does: its number on the disk, its size, and when it was written."""


class FolderWatch:
    """Gives each picture of a folder once, in natural order, and again when its file is replaced.

    A file that is still being copied is left alone until it can be read or has stopped growing; one that was called
    damaged is tried again as soon as it changes. The folder itself may be taken away and come back.
    """

    def __init__(
        self, folder: Path, clock: Callable[[], float] = time.monotonic, *, done: Mapping[str, FileState] | None = None
    ) -> None:
        """Watch a folder.

        Args:
            folder: where the pictures are.
            clock: tells monotonic seconds.
            done: pictures that were given before, by their names; they are given again only when they change.
        """
        self._folder = folder
        self._clock = clock
        self._done = dict(done or {})
        self._unread: dict[str, tuple[FileState, float]] = {}

    @property
    def shown(self) -> bool:
        """Whether the folder holds pictures, and each of them was given."""
        return bool(self._done) and not self._unread

    @property
    def done(self) -> Mapping[str, FileState]:
        """The pictures that were given, by their names."""
        return dict(self._done)

    def next(self) -> Shot | None:
        """Return the next picture, or None if there is nothing new.

        Raises:
            SourceError: `source_missing` if the folder is gone; or what is wrong with a picture, told once.
        """
        for path, state in self._fresh():
            try:
                bgr = read_picture(path)
            except DominoError as error:
                if self._given_up(path, state):
                    self._done[path.name] = state
                    raise
                if error.code == "picture_missing":
                    self._unread.pop(path.name, None)
                continue
            self._done[path.name] = state
            self._unread.pop(path.name, None)
            return Shot(path.name, Frame(bgr, self._clock()))
        return None

    def _fresh(self) -> list[tuple[Path, FileState]]:
        try:
            states = {path: state for path in list_pictures(self._folder) if (state := state_of(path))}
        except OSError as error:
            self._done.clear()
            name = str(self._folder)
            reason = error.strerror or str(error)
            raise SourceError("source_missing", f"cannot look into the folder {name}: {reason}", name=name) from error
        here = {path.name for path in states}
        self._done = {name: state for name, state in self._done.items() if name in here}
        self._unread = {name: seen for name, seen in self._unread.items() if name in here}
        return [(path, state) for path, state in states.items() if self._done.get(path.name) != state]

    def _given_up(self, path: Path, state: FileState) -> bool:
        """Whether a file that cannot be read has been the same for so long that it will stay so."""
        known = self._unread.get(path.name)
        if known is None or known[0] != state or state_of(path) != state:
            self._unread[path.name] = (state, self._clock())
            return False
        return self._clock() - known[1] >= SETTLE_S


def state_of(path: Path) -> FileState | None:
    """Return what changes when a file does, or None if it is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
