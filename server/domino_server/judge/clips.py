"""The last seconds before the camera, small, so that a short clip can show how something happened."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from domino_server.commands.watch_video import VideoSink
from domino_server.judge.pictures import decode, encode, shrunk, without_room
from domino_vision.types import U8Array

_WIDTH: Final = 640
_QUALITY: Final = 75
_FPS: Final = 10.0
_LATE: Final = 0.002
"""Seconds by which a picture may come early."""


@dataclass(frozen=True, slots=True)
class _Small:
    at: float
    jpeg: bytes


class Ring:
    """Small pictures of the last seconds, in memory only. Safe for several threads."""

    def __init__(self, seconds: float) -> None:
        """Remember so many seconds."""
        self._seconds = seconds
        self._pictures: deque[_Small] = deque(maxlen=max(2, round(seconds * _FPS) + 1))
        self._lock = Lock()
        self._scale = 1.0

    def add(self, bgr: U8Array, at: float) -> None:
        """Remember a picture (h, w, 3), unless the one before is too young; `at` in monotonic seconds."""
        with self._lock:
            last = self._pictures[-1].at if self._pictures else None
        if last is not None and 0 <= at - last < 1 / _FPS - _LATE:
            return
        small = shrunk(bgr, _WIDTH)
        picture = _Small(at, encode(small, _QUALITY))
        with self._lock:
            if last is not None and at < last:  # another source: its clock began anew
                self._pictures.clear()
            self._pictures.append(picture)
            self._scale = small.shape[1] / bgr.shape[1]

    def clip(self, begin: float, end: float, region: NDArray[np.floating] | None, *, private: bool) -> bytes | None:
        """Return the pictures between two moments as the bytes of an .mp4 file; None if there is none.

        Args:
            begin: monotonic seconds.
            end: monotonic seconds.
            region: polygon of the table in pixels of the full pictures, shape (n, 2).
            private: whether everything outside the region is made unrecognisable.
        """
        with self._lock:
            chosen = [picture for picture in self._pictures if begin <= picture.at <= end]
            scale = self._scale
        if not chosen:
            return None
        small = None if region is None else np.asarray(region, np.float64) * scale
        pictures = [decode(picture.jpeg) for picture in chosen]
        if private:
            pictures = [without_room(picture, small) for picture in pictures]
        return _video(pictures, [picture.at for picture in chosen])


def _video(pictures: Sequence[U8Array], times: Sequence[float]) -> bytes:
    """Return pictures as a video in which each one stands as long as it did before the camera."""
    with tempfile.TemporaryDirectory(prefix="dominotable-") as folder:
        path = Path(folder) / "clip.mp4"
        with VideoSink(path, _FPS) as sink:
            for number in range(round((times[-1] - times[0]) * _FPS) + 1):
                moment = times[0] + number / _FPS
                index = max(0, int(np.searchsorted(np.asarray(times), moment + 0.5 / _FPS)) - 1)
                sink.add(pictures[index])
        return path.read_bytes()
