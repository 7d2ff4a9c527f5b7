"""How pictures come to the thread of a table: the newest wins, and networks are shared fairly."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from domino_server.tables.spectacles import Spectacles
from domino_vision.errors import SourceError
from domino_vision.sources.headers import read_header
from domino_vision.sources.pictures import MAX_PIXELS, MIN_SIDE_PX
from domino_vision.types import Detections, Frame, TileReadings, U8Array


class Reads(Protocol):
    """A pipeline, as far as a table needs it."""

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        """Return the tiles of a frame with a distribution over each half."""
        ...


class FairLock:
    """A lock that is given in the order in which it was asked for, so that no table waits for ever."""

    def __init__(self) -> None:
        """Start free."""
        self._guard = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._held = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn, and keep the lock within the block."""
        self._acquire()
        try:
            yield
        finally:
            self._release()

    def _acquire(self) -> None:
        with self._guard:
            if not self._held:
                self._held = True
                return
            mine = threading.Event()
            self._waiting.append(mine)
        mine.wait()

    def _release(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()  # the lock passes on without being free in between
            else:
                self._held = False


class SharedReader:
    """Networks that several tables share, one frame at a time, seen through what people said of this table."""

    def __init__(self, reader: Reads, lock: FairLock) -> None:
        """Share `reader` under `lock`."""
        self.spectacles = Spectacles()
        self._reader = reader
        self._lock = lock

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        """Return the tiles of a frame once it is this table's turn."""
        with self._lock.turn():
            readings = self._reader.readings(frame, near)
        return self.spectacles.through(readings)


@dataclass(frozen=True, slots=True)
class Pushed:
    """A picture as it was sent.

    Attributes:
        data: a JPEG, or a frame that is decoded already.
        at: when it came, monotonic seconds.
        taken: is called once: with True when the table takes it, False when a newer one came first.
        still: it shows a table at rest (a photograph).
    """

    data: bytes | Frame
    at: float
    taken: Callable[[bool], None] | None = None
    still: bool = False

    def done(self, *, taken: bool) -> None:
        """Tell the sender what became of it."""
        if self.taken is not None:
            self.taken(taken)


class Slot:
    """Room for one picture: the newest. What waits there for longer than it may is replaced."""

    def __init__(self, news: threading.Condition) -> None:
        """Tell of pictures through `news`, whose lock guards the slot."""
        self._news = news
        self._held: Pushed | None = None
        self.dropped = 0

    def put(self, picture: Pushed) -> None:
        """Leave a picture; an older one that nobody took is dropped, unless it is a photograph and this is none."""
        with self._news:
            old, self._held = self._held, picture
            if old is not None and old.still and not picture.still:
                old, self._held = picture, old
            self.dropped += old is not None
            self._news.notify_all()
        if old is not None:
            old.done(taken=False)

    def put_when_free(self, picture: Pushed, stopped: Callable[[], bool], wait_s: float = 0.5) -> bool:
        """Leave a picture once the one before was taken; False if the table stopped meanwhile."""
        with self._news:
            while self._held is not None:
                if stopped():
                    return False
                self._news.wait(wait_s)
            self._held = picture
            self._news.notify_all()
        return True

    def take(self) -> Pushed | None:
        """Take the picture out; call with the lock of `news` held."""
        picture, self._held = self._held, None
        if picture is not None:
            self._news.notify_all()
        return picture

    @property
    def full(self) -> bool:
        """Whether a picture waits."""
        return self._held is not None


def decode_frame(data: bytes) -> U8Array:
    """Return a pushed picture, BGR uint8 (h, w, 3). Quicker than `decode_picture`, for many a second.

    Raises:
        SourceError: `picture_empty`, `not_a_picture`, `picture_damaged`, `picture_too_small`, `picture_too_large`.
    """
    if not data:
        raise SourceError("picture_empty", "the picture is empty", name="picture")
    header = read_header(data)
    if header is None:
        raise SourceError("not_a_picture", "what was sent is no picture", name="picture")
    if header.width * header.height > MAX_PIXELS:
        raise SourceError("picture_too_large", f"{header.width} x {header.height} pixels are too many", name="picture")
    if min(header.width, header.height) < MIN_SIDE_PX:
        raise SourceError("picture_too_small", f"{header.width} x {header.height} pixels are too few", name="picture")
    if not header.whole:
        raise SourceError("picture_damaged", "the picture was cut off on its way", name="picture")
    try:
        bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise SourceError("picture_damaged", "the picture cannot be decoded", name="picture") from error
    if bgr is None:
        raise SourceError("picture_damaged", "the picture cannot be decoded", name="picture")
    return np.asarray(bgr, np.uint8)
