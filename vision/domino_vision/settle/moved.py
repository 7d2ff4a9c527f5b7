"""What of a table is as it was although the camera was pushed: the picture before, laid over the one now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

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
    scale = _WIDTH / now.shape[1]
    small = np.diag([scale, scale, 1.0])
    wh = _WIDTH, max(8, round(now.shape[0] * scale))
    over = small @ np.linalg.inv(now_to_mm) @ before_to_mm
    then = cv2.warpPerspective(before, over, wh, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.resize(now, wh, interpolation=cv2.INTER_AREA)
    then, seen = (cv2.GaussianBlur(each, (0, 0), _BLUR).astype(np.float32) for each in (then, seen))
    mask = np.asarray(cv2.morphologyEx(differs(seen, then), cv2.MORPH_OPEN, _EDGE), np.uint8)

    def same(quad_px: F64Array) -> bool:
        inside = np.zeros(mask.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(quad_px * scale).astype(np.int32), 1)
        return bool(inside.any()) and float((mask & inside).sum()) < _UNCHANGED * float(inside.sum())

    return same
