"""How the camera of a table does: its state, its frames a second, how long it has been silent."""

from __future__ import annotations

import time
from collections import deque
from typing import Any, Final

from domino_server.tables.capture import label_of
from domino_server.tables.config import TableConfig
from domino_server.tables.states import CameraState

_WINDOW_S: Final = 2.0
_BLIND: Final = "no_picture"
"""What vision says of a picture that shows nothing."""


class CameraGauge:
    """For the thread of a table."""

    def __init__(self, config: TableConfig) -> None:
        """Begin with a camera that has shown nothing yet."""
        self._times: deque[float] = deque(maxlen=60)
        self._last = time.monotonic()
        self._state = CameraState()
        if config.source is not None:
            label = "phone" if config.pushed else label_of(config.source)
            self._state = CameraState(state="waiting", label=label)

    @property
    def state(self) -> CameraState:
        """What is known of the camera itself."""
        return self._state

    @property
    def silent_s(self) -> float:
        """Seconds since the last frame."""
        return time.monotonic() - self._last

    def frame(self) -> None:
        """Note that a frame came."""
        self._last = time.monotonic()
        self._times.append(self._last)

    def set(self, **changes: Any) -> None:
        """Note something about the camera."""
        self._state = self._state.model_copy(update=changes)

    def live(self) -> None:
        """Note that it shows whole pictures: the one that was looked at just now was."""
        self._last = time.monotonic()
        self.set(state="live", code=None, detail=None)

    def off(self) -> None:
        """Note that nobody looks any more; why a table broke down stays."""
        if self._state.code != "internal_error":
            self._state = CameraState(label=self._state.label)

    def now(self, size_wh: tuple[int, int] | None, settle: str) -> CameraState:
        """Return how the camera does.

        Args:
            size_wh: of the newest picture.
            settle: why vision does what it does.
        """
        since = time.monotonic() - _WINDOW_S
        fps = round(sum(at > since for at in self._times) / _WINDOW_S, 1)
        code = self._state.code or (_BLIND if settle == _BLIND else None)
        return self._state.model_copy(update={"fps": fps, "size": size_wh, "code": code})
