"""The last seconds before the camera, small, so that a short clip can show how something happened."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from domino_server.judge.pictures import decode, encode, shrunk, without_room
from domino_vision.types import U8Array

_WIDTH: Final = 640
_QUALITY: Final = 75
_FPS: Final = 10.0
_LATE: Final = 0.002
"""Seconds by which a picture may come early."""
CLIP_SUFFIX: Final = ".webm"
_CODEC: Final = "libvpx"
"""VP8: every browser shows it, and every build of FFmpeg that PyAV comes with writes it."""
_CODEC_OPTIONS: Final = {"deadline": "good", "cpu-used": "5", "crf": "20"}
_MOST_BITS_S: Final = 1_000_000
_MS: Final = Fraction(1, 1000)


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
        """Return the pictures between two moments as the bytes of a .webm file; None if there is none.

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
    import av

    out = BytesIO()
    height, width = (side // 2 * 2 for side in pictures[0].shape[:2])
    with av.open(out, "w", format="webm") as film:
        stream = film.add_stream(_CODEC, rate=round(_FPS), options=dict(_CODEC_OPTIONS))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.bit_rate, stream.thread_count = _MOST_BITS_S, 1
        stream.codec_context.time_base = _MS
        for picture, at in zip(pictures, times, strict=True):
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture[:height, :width]), "bgr24")
            frame.pts, frame.time_base = round((at - times[0]) * 1000), _MS
            film.mux(stream.encode(frame))
        film.mux(stream.encode())
    return out.getvalue()
