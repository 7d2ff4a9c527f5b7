"""What lies over the table and stays there, such as a cup or a resting arm, while others go on playing elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

_CALM: Final = 0.004
"""Motion up to this share of the region is noise."""
_SAME: Final = 0.05
"""What lies there is as it was while at most this share of it looks different."""

Mask = NDArray[np.uint8]
"""Shape (h, w) of the small picture, 0 or 1."""
Changed = Callable[[NDArray[np.float32], NDArray[np.float32]], Mask]
"""Says where a picture differs from another, light evened out."""


@dataclass(frozen=True, slots=True)
class _Thing:
    where: Mask
    looked: NDArray[np.float32]
    since: float


class Cover:
    """Remembers the thing that came to rest over the table, and since when it lies there."""

    def __init__(self) -> None:
        """Start with nothing over the table."""
        self._thing: _Thing | None = None

    def clear(self) -> None:
        """Forget it: the table was committed as it lies."""
        self._thing = None

    def without(self, mask: Mask) -> Mask:
        """Return a mask of what changed without the thing that is known."""
        thing = self._thing
        if thing is None or thing.where.shape != mask.shape:
            return mask
        return np.asarray(mask & (1 - thing.where), np.uint8)

    def see(self, small: NDArray[np.float32], over: Mask, motion: float, at: float, changed: Changed) -> float:
        """Take in a frame in which something lies over the table; return for how many seconds it has lain there so.

        Args:
            small: the small picture, (h, w, 3).
            over: where something lies.
            motion: share of the region that moves.
            at: time, seconds.
            changed: says where pictures differ.
        """
        thing = self._thing
        if thing is not None and thing.looked.shape == small.shape:
            differs = changed(small, thing.looked) & thing.where
            if float(differs.sum()) <= _SAME * float(thing.where.sum()):
                return at - thing.since
        if motion <= _CALM:
            self._thing = _Thing(over, small, at)
        return 0.0
