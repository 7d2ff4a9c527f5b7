"""From which side of the table somebody reached over it: a guess from where the change touches the picture's edge."""

from __future__ import annotations

from collections import Counter
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.types import F32Array, U8Array

SIDES: Final = ("near", "right", "far", "left")
"""In the order of seats 0 to 3: against the clock from the near side."""
SEATED: Final[dict[int, tuple[int, ...]]] = {2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)}
"""By number of players, the side on which each seat is."""
_WIDTH: Final = 96
_CHANGED: Final = 14.0
"""Levels of a colour by which what covers the table differs from it, at a brightness of 128; in the dark half of it."""
_STRIP: Final = 0.05
_DEEP: Final = 0.5
"""Share of the strip along an edge that an arm covers from the edge inwards."""
_LEAST: Final = 0.025
"""Share of an edge that an arm covers at least."""
_CLEARER: Final = 1.6
_LEAST_VOTES: Final = 2
_COMES_S: Final = 1.0
"""An arm may be in the picture for so long, outside what is watched, before the table is known not to be at rest."""
_EVERY_S: Final = 0.5


class Arms:
    """Watches who reaches over the table between two commits."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        """Start with nobody seen.

        Args:
            seats: who sits at each seat, against the clock from the near side.
        """
        self._seats = seats
        self._rest: F32Array | None = None
        self._later: list[tuple[float, F32Array]] = []
        self._seen: list[int] = []
        self._over = 0
        self._actors: list[str] = []
        self._unclear = False

    def table(self, bgr: U8Array) -> None:
        """Take a picture of the table to compare with, the first one or the first after the camera was moved."""
        self._rest = _small(bgr)
        self._later.clear()

    def at_rest(self, bgr: U8Array, at: float) -> None:
        """Take a picture of the table at rest at a time in seconds; it counts if nobody reached over it soon after."""
        if self._later and at - self._later[-1][0] < _EVERY_S:
            return
        self._later.append((at, _small(bgr)))
        while self._later and at - self._later[0][0] >= _COMES_S:
            self._rest = self._later.pop(0)[1]

    def over(self, bgr: U8Array) -> None:
        """Take a picture while something is over the table."""
        self._later.clear()
        self._over += 1
        side = None if self._rest is None else _side(self._rest, _small(bgr))
        if side is not None:
            self._seen.append(side)

    def away(self) -> None:
        """Note that nothing is over the table any more."""
        side, votes = _came_from(self._seen)
        sides = SEATED.get(len(self._seats), ())
        if votes >= _LEAST_VOTES and side in sides:
            self._actors.append(self._seats[sides.index(side)])
        self._unclear |= votes < _LEAST_VOTES <= self._over
        self._seen.clear()
        self._over = 0

    def taken(self) -> tuple[tuple[str, ...], bool]:
        """Return who reached over the table since this was asked last, in order, and whether others may have, too."""
        found, self._actors = (tuple(self._actors), self._unclear), []
        self._unclear = False
        return found


def _came_from(sides: list[int]) -> tuple[int, int]:
    """Return the side that somebody reached from, and in how many pictures it was seen; (-1, 0) without any.

    While an arm swings over a corner of the picture it crosses an edge beside its own; it comes and goes over its own.
    """
    if not sides:
        return -1, 0
    counts = Counter(sides)
    beside = all(side == sides[0] or (side - sides[0]) % 2 for side in sides)
    if sides[0] == sides[-1] and beside and counts[sides[0]] >= _LEAST_VOTES:
        return sides[0], counts[sides[0]]
    return counts.most_common(1)[0]


def _small(bgr: U8Array) -> F32Array:
    height = max(8, round(_WIDTH * bgr.shape[0] / bgr.shape[1]))
    small = cv2.resize(bgr, (_WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.float32)


def _side(rest: F32Array, now: F32Array) -> int | None:
    """Return the side whose edge the change touches most clearly; None if none does."""
    if rest.shape != now.shape:
        return None
    # of each pixel, not of the median levels: on a dark table these are a few steps, and an arm moves them by one
    gain = float(np.median((now + 1) / (rest + 1)))
    least = _CHANGED * np.clip(np.sqrt((rest + 8) / 136), 0.5, 1.0)
    changed: NDArray[np.bool_] = np.any(np.abs(now - rest * gain) > least, axis=2)
    height, width = changed.shape
    deep, wide = max(2, round(height * _STRIP)), max(2, round(width * _STRIP))
    # every strip from the edge inwards: an arm comes over the edge itself, a tile that lies near it does not
    strips = (changed[: -deep - 1 : -1], changed[:, : -wide - 1 : -1].T, changed[:deep], changed[:, :wide].T)
    shares = [float((strip[0] & (strip.mean(axis=0) > _DEEP)).mean()) for strip in strips]
    order = sorted(range(4), key=lambda side: -shares[side])
    if shares[order[0]] < _LEAST or shares[order[0]] < _CLEARER * shares[order[1]]:
        return None
    return order[0]
