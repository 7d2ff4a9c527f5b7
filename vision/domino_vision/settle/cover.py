"""What lies over the table and stays there, such as cups or resting arms, while others go on playing elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

_CALM: Final = 0.004
"""Motion up to this share of the region is noise."""
_SAME: Final = 0.05
"""A thing is as it was while at most this share of it looks different."""
_PASSING_S: Final = 1.0
"""What is in front of a thing for less than this only passes over it."""

Mask = NDArray[np.uint8]
"""Shape (h, w) of the small picture, 0 or 1."""
Changed = Callable[[NDArray[np.float32], NDArray[np.float32]], Mask]
"""Says where a picture differs from another, light evened out."""


class _Rest:
    """How each place looks at rest, and since when."""

    def __init__(self, small: NDArray[np.float32], at: float) -> None:
        self.looks = small.copy()
        self.since = np.full(small.shape[:2], at)

    def put(self, where: NDArray[np.bool_], looks: NDArray[np.float32], since: NDArray[np.float64] | float) -> None:
        self.looks[where] = looks[where]
        self.since[where] = since[where] if isinstance(since, np.ndarray) else since


class Cover:
    """Remembers how long each place has looked as it does, though somebody may have passed over it meanwhile."""

    def __init__(self) -> None:
        """Start with nothing over the table."""
        self._rests: tuple[_Rest, _Rest] | None = None

    def clear(self) -> None:
        """Forget it: nothing lies over the table, or it was committed as it lies."""
        self._rests = None

    def see(
        self, small: NDArray[np.float32], things: Sequence[Mask], motion: float, at: float, changed: Changed
    ) -> float:
        """Take in a frame in which things lie over the table; return for how many seconds all have lain there so.

        Args:
            small: the small picture, (h, w, 3).
            things: where each of them lies.
            motion: share of the region that moves.
            at: time, seconds.
            changed: says where pictures differ.
        """
        if self._rests is None or self._rests[0].looks.shape != small.shape:
            if motion <= _CALM:
                self._rests = _Rest(small, at), _Rest(small, at)
            return 0.0
        known, fresh = self._rests
        other, moved = changed(small, known.looks) > 0, changed(small, fresh.looks) > 0
        if motion <= _CALM:
            fresh.put(moved, small, at)
        stays = np.where(other, np.where(moved, 0.0, at - fresh.since), at - known.since)
        known.put(other & ~moved & (at - fresh.since >= _PASSING_S), fresh.looks, fresh.since)
        return min((float(np.quantile(stays[thing > 0], _SAME)) for thing in things), default=0.0)
