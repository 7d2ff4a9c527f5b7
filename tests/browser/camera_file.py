"""The camera of a browser under test: a video file that Chromium takes for one, with what the test puts before it."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import cv2
import numpy as np

_FRAME: Final = b"FRAME\n"


class CameraFile:
    """A video of a single frame that a browser plays over and over as its camera (`arguments`).

    Chromium reads the frame from the file each time: what `show` puts there is what the camera sees next. The page
    opens the camera itself, and everything behind it is the browser's own.
    """

    def __init__(self, path: Path, size_wh: tuple[int, int], fps: int = 10) -> None:
        """Write the file, with a dark picture; sides in pixels are even."""
        self.path, self.size_wh, self.fps = path, size_wh, fps
        width, height = size_wh
        self._head = f"YUV4MPEG2 W{width} H{height} F{fps}:1 Ip A1:1 C420jpeg\n".encode()
        self.picture = np.zeros((height, width, 3), np.uint8)
        path.write_bytes(self._head + _FRAME + _planes(self.picture))
        self._file = os.open(path, os.O_WRONLY)

    @property
    def arguments(self) -> tuple[str, ...]:
        """What Chromium is started with to have this camera, and no other."""
        return ("--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={self.path}")

    def show(self, bgr: np.ndarray) -> None:
        """Let the camera see a picture of its size, uint8 (h, w, 3)."""
        assert bgr.shape[1::-1] == self.size_wh
        self.picture = bgr
        os.pwrite(self._file, _planes(bgr), len(self._head) + len(_FRAME))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)


def _planes(bgr: np.ndarray) -> bytes:
    return cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420).tobytes()
