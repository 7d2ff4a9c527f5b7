"""At what pace a source is shown: stills as if they had been filmed, one that failed after a wait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from domino_vision.types import Frame

RETRY_S: Final = (0.5, 1.0, 2.0, 5.0)
"""Waits before a source that failed is asked again; the last one repeats."""
STILL_TIMES: Final = 8
"""So often a still picture is shown, as if it had been filmed."""
STILL_STEP_S: Final = 0.2


def stills(frame: Frame, after: float) -> Iterator[Frame]:
    """Yield the picture of a frame for a while, at times that follow `after`, seconds."""
    for number in range(1, STILL_TIMES + 1):
        yield Frame(frame.bgr, after + number * STILL_STEP_S)
