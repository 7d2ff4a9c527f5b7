"""What was seen when a fact was committed, kept as files that are named by their content.

An event holds the names; a file that is altered no longer fits its name, one that was removed on purpose is named by a
`purge` event, and so the chain stays checkable.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from domino_rules.errors import DominoError
from domino_server.judge.chain import canonical
from domino_server.judge.clips import CLIP_SUFFIX, Ring
from domino_server.judge.pictures import crop, encode, grown, region_around, without_room
from domino_vision.types import U8Array

_CLIP_SECONDS: Final = 15.0
_MOST_CROPS: Final = 12
_NAME: Final = re.compile(rf"[0-9a-f]{{64}}(\.jpg|\.json|{re.escape(CLIP_SUFFIX)}|\.mp4)")
"""Clips of earlier versions end in .mp4."""
_PART: Final = re.compile(rf"\.{_NAME.pattern}\.part")
_PART_S: Final = 3600.0
"""A file that was begun so long ago and never became whole will not."""

_LOG = logging.getLogger(__name__)

Quad = NDArray[np.floating] | Sequence[Sequence[float]]
"""Four corners, pixels."""


class EvidenceError(DominoError):
    """Evidence that cannot be kept: `evidence_unwritable`."""


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    size: int
    at: float


class Evidence:
    """The evidence of one table, in a folder of its own. Safe for several threads.

    Attributes:
        region: polygon of the table in pixels, shape (n, 2): it is grown a little, and what lies outside is made
            unrecognisable. None: the tiles in question show where the table is.
    """

    def __init__(
        self,
        folder: Path,
        budget_bytes: float,
        max_age_s: float,
        *,
        private: bool = True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Take up the evidence of a table.

        Args:
            folder: made if need be.
            budget_bytes: how much may be kept, infinite for no limit; the oldest files go first.
            max_age_s: how long anything is kept, seconds; infinite for no limit.
            private: whether the room outside the table is made unrecognisable before anything is stored.
            clock: the time of day, seconds.

        Raises:
            EvidenceError: `evidence_unwritable`.
        """
        self.region: NDArray[np.floating] | None = None
        self.folder, self.private = folder, private
        self._budget, self._max_age, self._clock = budget_bytes, max_age_s, clock
        self._ring, self._lock = Ring(_CLIP_SECONDS), Lock()
        self._sync = ThreadPoolExecutor(1, "evidence")
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            found = [file for entry in os.scandir(folder) if (file := _file(entry)) is not None]
        except OSError as error:
            raise _unwritable(folder, error) from error
        known = sorted((file for file in found if _NAME.fullmatch(file.name)), key=lambda file: file.at)
        self._files = {file.name: file for file in known}
        self._bytes = sum(file.size for file in known)
        begun = (file for file in found if _PART.fullmatch(file.name))
        self.remove(file.name for file in begun if clock() - file.at > _PART_S)

    @property
    def bytes_kept(self) -> int:
        """How much is kept now."""
        return self._bytes

    def close(self) -> None:
        """Wait until all is on the disk."""
        self._sync.shutdown()

    def frame(self, bgr: U8Array, at: float) -> None:
        """Remember a frame (h, w, 3) for clips, small and in memory only; `at` in monotonic seconds."""
        self._ring.add(bgr, at)

    def keep(self, frame_bgr: U8Array, crops: Iterable[Quad], facts: Mapping[str, Any]) -> dict[str, Any]:
        """Keep what was seen when something was committed, and return the data of an event `evidence`.

        Args:
            frame_bgr: the sharpest frame, shape (h, w, 3) uint8, in full resolution.
            crops: the tiles in question, each (4, 2) pixels, corners 0-1 the short edge at the first half's end.
            facts: JSON: distributions, hypotheses, models and so on (see `facts_of`); what it holds under `about` is
                repeated in the event.

        Raises:
            EvidenceError: `evidence_unwritable`, such as on a full disk.
            ChainError: `not_canonical` if the facts are no JSON.
        """
        quads = [np.asarray(quad, np.float64).reshape(4, 2) for quad in crops][:_MOST_CROPS]
        names = [self._store(encode(crop(frame_bgr, quad)), ".jpg") for quad in quads]
        told = self._store(canonical(facts), ".json")
        picture = without_room(frame_bgr, self._table(quads)) if self.private else frame_bgr
        size = [int(frame_bgr.shape[1]), int(frame_bgr.shape[0])]
        about = dict(facts.get("about", {}))
        return {"frame": self._store(encode(picture), ".jpg"), "size": size, "crops": names, "facts": told, **about}

    def clip(self, at: float, before_s: float = 5.0, after_s: float = 2.0, **about: Any) -> dict[str, Any] | None:
        """Keep a short clip around a moment, and return the data of an event `evidence`; None if nothing was filmed.

        Call it `after_s` after the moment, best outside the thread that reads frames: it takes a tenth of a second.

        Args:
            at: the moment, monotonic seconds.
            before_s: seconds before it.
            after_s: seconds after it.
            about: what it shows, repeated in the event.

        Raises:
            EvidenceError: `evidence_unwritable`.
        """
        region = None if self.region is None else grown(self.region)
        video = self._ring.clip(at - before_s, at + after_s, region, private=self.private)
        return None if video is None else {"clip": self._store(video, CLIP_SUFFIX), **about}

    def names(self, *, before: float | None = None) -> tuple[str, ...]:
        """Return the files that are kept, the oldest first; only those older than a time of day (seconds), if given."""
        with self._lock:
            return tuple(file.name for file in self._files.values() if before is None or file.at < before)

    def retain(self) -> dict[str, Any] | None:
        """Give up what is too old or too much, and return the data of an event `purge`; None if there is nothing.

        As with `purge`, the files go by `remove`, once the event is kept.
        """
        now, gone, left = self._clock(), list[str](), self._bytes
        with self._lock:
            for file in self._files.values():  # the oldest first
                if now - file.at <= self._max_age and left <= self._budget:
                    break
                gone.append(file.name)
                left -= file.size
        return self.purge(gone, "retention", None) if gone else None

    def purge(self, names: Iterable[str] | None, reason: str, by: str | None) -> dict[str, Any]:
        """Give files up, all of them if none are named, and return the data of an event `purge`.

        Keep that event and then `remove` the files: a process that is killed in between leaves a file too many, never
        one that is missing without a word.

        Args:
            names: the files.
            reason: why.
            by: who asked for it; None if a rule did.
        """
        removed: list[str] = []
        with self._lock:
            for name in list(self._files) if names is None else list(names):
                file = self._files.pop(name, None)
                if file is None:
                    continue
                self._bytes -= file.size
                removed.append(name)
        return {"files": removed, "reason": reason, "by": by, "bytes_left": self._bytes}

    def remove(self, names: Iterable[str]) -> None:
        """Remove files for good that were given up, unless the same was kept again meanwhile.

        What cannot be removed is named in the log and stays; the rest goes.
        """
        with self._lock:
            for name in set(names) - self._files.keys():
                path = self.folder / name
                try:
                    path.unlink(missing_ok=True)
                except OSError as error:
                    _LOG.error("evidence %s cannot be removed: %s", path, error.strerror or error)

    def _table(self, quads: Sequence[NDArray[np.float64]]) -> NDArray[np.float64] | None:
        return region_around(quads) if self.region is None else grown(self.region)

    def _store(self, data: bytes, ending: str) -> str:
        """Write content under its own name, unless it is there; it reaches the disk soon after.

        What is remembered may be gone: another process may have removed it.
        """
        name = hashlib.sha256(data).hexdigest() + ending
        with self._lock:
            path = self.folder / name
            if name in self._files:
                if path.is_file():
                    return name
                self._bytes -= self._files.pop(name).size
            part = self.folder / f".{name}.part"
            try:
                part.write_bytes(data)
                part.replace(path)
            except OSError as error:
                with suppress(OSError):
                    part.unlink(missing_ok=True)
                raise _unwritable(path, error) from error
            self._files[name] = _File(name, len(data), self._clock())
            self._bytes += len(data)
        self._sync.submit(_to_disk, path)
        return name


def _file(entry: os.DirEntry[str]) -> _File | None:
    """Return what lies in a folder if it is a plain file; another process may remove it while one looks."""
    try:
        about = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    return _File(entry.name, about.st_size, about.st_mtime) if stat.S_ISREG(about.st_mode) else None


def _to_disk(path: Path) -> None:
    with suppress(OSError), path.open("rb") as file:  # it may have been removed since
        os.fsync(file.fileno())


def _unwritable(path: Path, error: OSError) -> EvidenceError:
    reason = error.strerror or str(error)
    return EvidenceError("evidence_unwritable", f"cannot keep evidence in {path}: {reason}", path=str(path))
