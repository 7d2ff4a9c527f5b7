"""Where something came to lie in which no look found a tile: it is looked for from near, and missed if need be.

Dark tiles on a dark cloth, far from all others, are not seen in a small picture; that the picture changed there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.types import BoolArray, F64Array, TileReadings

_AREA: Final = (0.5, 3.0)
"""What changed covers so many tiles: less is a shadow's edge, more an arm or the light."""
_LEAST_WIDTH: Final = 0.6
"""It is at least so wide, in widths of a tile."""
_AROUND: Final = 1.3
"""Tiles that are known, larger by this factor, account for what changed: they throw shadows and hide the ground."""
_APART: Final = 0.6
"""Pips are so far apart at most, in lengths of a tile: what changed there is one thing."""
NOTHING: Final = np.zeros((0, 4, 2), np.float64)


def unfound(mask: NDArray[np.uint8], scale: float, tiles_px: Sequence[F64Array]) -> F64Array:
    """Return where the picture changed as if tiles lay there, though none is known, and none was.

    Args:
        mask: (h, w) where a picture differs from the one before, 0 or 1.
        scale: its pixels for each pixel of the picture.
        tiles_px: quads (4, 2), 0-1 and 2-3 their short edges, of the tiles that lie there and of those that lay there.

    Returns:
        Quads (n, 4, 2) in pixels of the picture, 0-1 and 2-3 their short edges; none if no tile is known.
    """
    if not len(tiles_px) or not mask.any():
        return NOTHING
    quads = np.array(tiles_px, np.float64) * scale
    quads = quads[[_in_sight(quad, mask.shape) for quad in quads]]
    if not len(quads):
        return NOTHING
    length = float(np.median(np.linalg.norm(quads[:, :2].mean(1) - quads[:, 2:].mean(1), axis=1)))
    width = float(np.median(np.linalg.norm(quads[:, [0, 3]].mean(1) - quads[:, [1, 2]].mean(1), axis=1)))
    left = mask.copy()
    for quad in quads:
        middle = quad.mean(0)
        cv2.fillConvexPoly(left, np.round(middle + (quad - middle) * _AROUND).astype(np.int32), 0)
    side = min(max(1, round(length * _APART)), *mask.shape) | 1
    whole = cv2.morphologyEx(left, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    found: list[F64Array] = []
    contours, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        at_edge = x <= 0 or y <= 0 or x + w >= mask.shape[1] or y + h >= mask.shape[0]
        (centre, sides, angle) = cv2.minAreaRect(contour)
        share = max(sides[0], 1.0) * max(sides[1], 1.0) / max(length * width, 1.0)
        if at_edge or not _AREA[0] <= share <= _AREA[1] or min(sides) < _LEAST_WIDTH * width:
            continue
        corners = cv2.boxPoints((centre, sides, angle)).astype(np.float64)
        lies_across = np.linalg.norm(corners[1] - corners[0]) > np.linalg.norm(corners[2] - corners[1])
        found.append((np.roll(corners, 1, axis=0) if lies_across else corners) / scale)
    return np.array(found, np.float64).reshape(-1, 4, 2)


def _in_sight(quad: F64Array, shape: tuple[int, ...]) -> bool:
    """Return whether a quad lies near a mask, not far beyond it as tiles of a plane that was fitted badly do."""
    return bool(np.isfinite(quad).all()) and bool((np.abs(quad) < 4 * max(shape)).all())


def found_there(closer: TileReadings, readings: TileReadings, places: F64Array) -> TileReadings | None:
    """Return readings with the tiles that a closer look shows at some places (k, 4, 2); None without any."""
    there, apart = _within(closer, places), ~_within(readings, places)
    if not there.any():
        return None
    return TileReadings(
        np.concatenate([readings.corners_px[apart], closer.corners_px[there]]),
        np.concatenate([readings.face[apart], closer.face[there]]),
        np.concatenate([readings.score[apart], closer.score[there]]),
        np.concatenate([readings.half_logp[apart], closer.half_logp[there]]),
    )


def _within(readings: TileReadings, places: F64Array) -> BoolArray:
    """Return which tiles have their middle in one of some places."""
    rings = [np.asarray(place, np.float32) for place in places]
    middles = readings.corners_px.mean(1).tolist()
    return np.array([any(cv2.pointPolygonTest(ring, at, False) >= 0 for ring in rings) for at in middles], bool)
