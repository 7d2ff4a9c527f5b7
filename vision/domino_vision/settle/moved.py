"""What of a table is as it was although the camera was pushed: the picture before, laid over the one now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.settle.stillness import differs
from domino_vision.types import F64Array, U8Array

_WIDTH: Final = 480
"""Width of the pictures that are compared, pixels: a pushed picture lies over the other one within one or two."""
_EDGE: Final = np.ones((3, 3), np.uint8)
"""Changes thinner than this are edges that do not quite lie over each other."""
_BLUR: Final = 1.0
_UNCHANGED: Final = 0.4
"""A place whose picture changed in less than this share is as it was; a tile that is gone changes most of its place."""


def unchanged_since(
    before: U8Array, before_to_mm: F64Array, now: U8Array, now_to_mm: F64Array
) -> Callable[[F64Array], bool]:
    """Return what says whether a place, a quad (4, 2) in pixels of the picture now, looks as it did before.

    Args:
        before: (h, w, 3), the table as it was.
        before_to_mm: shape (3, 3), its pixels to table millimetres.
        now: (h, w, 3), the table as it is.
        now_to_mm: shape (3, 3), its pixels to the same millimetres.
    """
    mask, scale = changes(before, before_to_mm, now, now_to_mm)

    def same(quad_px: F64Array) -> bool:
        inside = np.zeros(mask.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(quad_px * scale).astype(np.int32), 1)
        return bool(inside.any()) and float((mask & inside).sum()) < _UNCHANGED * float(inside.sum())

    return same


def changes(
    before: U8Array, before_to_mm: F64Array, now: U8Array, now_to_mm: F64Array
) -> tuple[NDArray[np.uint8], float]:
    """Return where a picture differs from the one before laid over it, uint8 0 or 1, and that mask's scale to it.

    Args:
        before: (h, w, 3), the table as it was.
        before_to_mm: shape (3, 3), its pixels to table millimetres.
        now: (h, w, 3), the table as it is.
        now_to_mm: shape (3, 3), its pixels to the same millimetres.
    """
    small, seen = _small(before), _small(now)
    scale = seen.shape[1] / now.shape[1]
    over = np.diag([scale, scale, 1.0]) @ np.linalg.inv(now_to_mm) @ before_to_mm
    over = over @ np.diag([before.shape[1] / small.shape[1]] * 2 + [1.0])
    wh = seen.shape[1], seen.shape[0]
    then = cv2.warpPerspective(small, over, wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    blurred = [np.asarray(cv2.GaussianBlur(each, (0, 0), _BLUR), np.float32) for each in (seen, then)]
    return np.asarray(cv2.morphologyEx(differs(*blurred), cv2.MORPH_OPEN, _EDGE), np.uint8), scale


def _small(picture: U8Array) -> U8Array:
    """Return a picture as wide as those that are compared: averaged, so that pips do not flicker."""
    height = max(8, round(picture.shape[0] * _WIDTH / picture.shape[1]))
    return np.asarray(cv2.resize(picture, (_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)
