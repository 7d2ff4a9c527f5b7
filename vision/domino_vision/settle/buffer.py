"""The last calm frames, so that the sharpest of them can be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from domino_vision.types import Frame

_MOST: Final = 5


@dataclass(frozen=True, slots=True)
class Kept:
    """A frame and how sharp it is."""

    frame: Frame
    sharpness: float


class FrameBuffer:
    """A few frames of a table at rest; when it is full the least sharp one goes."""

    def __init__(self, most: int = _MOST) -> None:
        """Keep up to `most` frames."""
        self._most = most
        self._frames: list[Kept] = []

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, frame: Frame, sharpness: float) -> None:
        """Keep a frame if it is sharper than the least sharp one, or there is room."""
        self._frames.append(Kept(frame, sharpness))
        self._frames.sort(key=lambda kept: -kept.sharpness)
        del self._frames[self._most :]

    def take(self) -> Kept | None:
        """Take out the sharpest frame; None if there is none left."""
        return self._frames.pop(0) if self._frames else None

    def clear(self) -> None:
        """Forget all frames: the table changed."""
        self._frames.clear()
