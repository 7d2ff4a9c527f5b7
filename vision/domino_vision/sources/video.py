"""Video files, cameras and network streams through OpenCV."""

import threading
import time
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import cv2
import numpy as np

from domino_vision.errors import SourceError
from domino_vision.sources.base import Shot, Source
from domino_vision.sources.quiet import silent_opencv
from domino_vision.types import Frame, U8Array

_OPEN_TIMEOUT_MS: Final = 5000
_READ_TIMEOUT_MS: Final = 5000
_FIRST_WAIT_S: Final = 0.5
_LONGEST_WAIT_S: Final = 8.0


class VideoFileSource(Source):
    """Every frame of a video file; the time of a frame is its time in the video."""

    def __init__(self, path: Path) -> None:
        """Open a video file.

        Raises:
            SourceError: `video_unreadable`.
        """
        self.name = str(path)
        with silent_opencv():
            self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            msg = f"{path} is no picture and no video that can be read"
            raise SourceError("video_unreadable", msg, name=str(path))
        self._fps = float(self._capture.get(cv2.CAP_PROP_FPS)) or 30.0
        self._next = 0
        self._ended = False

    def __next__(self) -> Shot:
        at = self._next / self._fps
        read, bgr = self._capture.read() if self._capture.isOpened() else (False, None)
        if not read or bgr is None:
            empty, self._ended = self._next == 0 and not self._ended, True
            if empty:
                raise SourceError("video_unreadable", f"{self.name} holds no frame", name=self.name)
            raise StopIteration
        self._next += 1
        return Shot(f"{self.name}#{self._next}", Frame(_bgr(bgr), at))

    @property
    def at(self) -> float:
        """The time of the frame that was given last, in seconds; 0 before the first."""
        return max(0, self._next - 1) / self._fps

    def skip_to(self, at: float) -> None:
        """Go on with the frame that is shown at a time of the video in seconds; past its end there is none."""
        if at > 0:
            self._capture.set(cv2.CAP_PROP_POS_FRAMES, round(at * self._fps))
            self._next = max(1, round(self._capture.get(cv2.CAP_PROP_POS_FRAMES)))

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


class LiveSource(Source):
    """A camera or a stream: always its newest frame. A thread reads, so that no frame grows old in a buffer.

    A stream that breaks off is opened again, waiting longer each time; a camera that is gone is reported.
    """

    live = True

    def __init__(self, device: int | str, timeout_s: float = 10.0) -> None:
        """Open a camera by index or a stream by URL.

        Args:
            device: camera index, or an `http`, `https`, `rtsp` or `rtsps` URL.
            timeout_s: how long `next` waits for a frame before it says that the source is lost.

        Raises:
            SourceError: `camera_missing` or `stream_unreachable`.
        """
        self._device = device
        self._timeout_s = timeout_s
        self.name = f"camera {device}" if isinstance(device, int) else without_password(device)
        self._capture = self._open()
        self._news = threading.Condition()
        self._newest: tuple[int, U8Array, float] | None = None
        self._given = 0
        self._closed = False
        self._lost = False
        self._thread = threading.Thread(target=self._follow, name=self.name, daemon=True)
        self._thread.start()

    def __next__(self) -> Shot:
        with self._news:
            self._news.wait_for(self._has_news, timeout=self._timeout_s)
            if self._closed:
                raise StopIteration
            newest = self._newest
            if newest is None or newest[0] == self._given:
                raise self._lost_error()
            number, bgr, at = newest
            self._given = number
        return Shot(f"{self.name}#{number}", Frame(bgr, at))

    def close(self) -> None:
        """Stop the thread and let go of the device."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._thread.join(timeout=_READ_TIMEOUT_MS / 1000 + 1)

    def _has_news(self) -> bool:
        fresh = self._newest is not None and self._newest[0] != self._given
        return fresh or self._closed or self._lost

    def _open(self) -> cv2.VideoCapture:
        with silent_opencv():
            capture = _capture(self._device)
        if not capture.isOpened():
            raise self._missing_error()
        return capture

    def _follow(self) -> None:
        """Read frames until closed; runs in its own thread, which owns the capture."""
        number, wait = 0, _FIRST_WAIT_S
        while not self._closed:
            read, bgr = self._capture.read()
            if read and bgr is not None:
                number, wait = number + 1, _FIRST_WAIT_S
                with self._news:
                    self._newest = (number, _bgr(bgr), time.monotonic())
                    self._news.notify_all()
            elif isinstance(self._device, int):
                break
            else:
                self._reopen(wait)
                wait = min(2 * wait, _LONGEST_WAIT_S)
        with self._news:
            self._lost = not self._closed
            self._news.notify_all()
        self._capture.release()

    def _reopen(self, wait: float) -> None:
        self._capture.release()
        with self._news:
            self._news.wait_for(lambda: self._closed, timeout=wait)
        if not self._closed:
            with silent_opencv():
                self._capture = _capture(self._device)

    def _missing_error(self) -> SourceError:
        if isinstance(self._device, int):
            msg = f"no camera with index {self._device} that could be opened"
            return SourceError("camera_missing", msg, index=self._device)
        return SourceError("stream_unreachable", f"cannot open the stream {self.name}", url=self.name)

    def _lost_error(self) -> SourceError:
        code = "camera_lost" if isinstance(self._device, int) else "stream_lost"
        return SourceError(code, f"{self.name} sends no more frames", name=self.name)


def without_password(url: str) -> str:
    """Return a URL without the name and password it may carry, fit for logs and screens."""
    try:
        parts = urlsplit(url)
    except ValueError:  # no URL at all, such as http://[x
        return url.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _capture(device: int | str) -> cv2.VideoCapture:
    if isinstance(device, int):
        capture = cv2.VideoCapture(device)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_TIMEOUT_MS]
    return cv2.VideoCapture(device, cv2.CAP_FFMPEG, limits)


def _bgr(frame: Any) -> U8Array:
    """Some devices deliver grey frames."""
    array = np.asarray(frame, dtype=np.uint8)
    return array if array.ndim == 3 else np.asarray(cv2.cvtColor(array, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
