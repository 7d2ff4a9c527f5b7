"""Pictures as evidence: the room outside the table made unrecognisable, crops of the tiles in question, bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.types import F64Array, U8Array

GROWN: Final = 0.12
"""The table's region is grown by this share of its own size before anything outside it is blurred."""
_TILE_LENGTHS: Final = 2.0
"""Around tiles alone, so many tile lengths belong to the table."""
_COARSE: Final = 48
"""So many picture elements are left along the longer side of what is blurred: a face is a handful of them."""
_LARGE: Final = 2600
"""Pixels along the longer side from which blurring is done more cheaply."""
_CROP_WH: Final = (96, 192)
_CROP_MARGIN: Final = 0.25
_QUALITY: Final = 90


def encode(bgr: U8Array, quality: int = _QUALITY) -> bytes:
    """Return a picture (h, w, 3) uint8 BGR as the bytes of a JPEG file."""
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(data, np.uint8).tobytes()


def decode(data: bytes) -> U8Array:
    """Return the picture (h, w, 3) uint8 BGR in the bytes of a JPEG file that `encode` made."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(picture, np.uint8)


def region_around(quads: Sequence[NDArray[np.floating]]) -> F64Array | None:
    """Return the hull of tiles, grown by two tile lengths, pixels of shape (n, 2); None if there are no tiles.

    Args:
        quads: corners of the tiles, each of shape (4, 2), corners 0-1 a short edge.
    """
    if not quads:
        return None
    hull = cv2.convexHull(np.concatenate(quads).astype(np.float32)).reshape(-1, 2).astype(np.float64)
    tile = float(np.median([np.linalg.norm(quad[1] - quad[2]) for quad in quads]))
    away = hull - hull.mean(0)
    length = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6)
    return np.asarray(hull + away * (_TILE_LENGTHS * tile / length), np.float64)


def grown(region: NDArray[np.floating], share: float = GROWN) -> F64Array:
    """Return a polygon (n, 2) grown about its middle by a share of its size."""
    points = np.asarray(region, np.float64)
    middle = (points.min(0) + points.max(0)) / 2
    return np.asarray(middle + (points - middle) * (1 + share), np.float64)


def without_room(bgr: U8Array, region: NDArray[np.floating] | None) -> U8Array:
    """Return the picture with everything outside the region made unrecognisable; all of it if there is no region.

    Args:
        bgr: shape (h, w, 3) uint8.
        region: polygon of the table in pixels, shape (n, 2), as it is (it is not grown here).
    """
    height, width = bgr.shape[:2]
    scale = _COARSE / max(height, width)
    coarse_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    step = max(1, max(height, width) // (8 * _COARSE))
    coarse = cv2.GaussianBlur(cv2.resize(bgr[::step, ::step], coarse_wh, interpolation=cv2.INTER_AREA), (3, 3), 0)
    if max(height, width) > _LARGE:  # twice as fast, and nobody looks at it
        coarse = cv2.resize(coarse, (-(-width // 2), -(-height // 2)), interpolation=cv2.INTER_LINEAR)
        out = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST)
    else:
        out = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    if region is not None and len(region) >= 3:
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [np.round(np.clip(region, -1e5, 1e5)).astype(np.int32)], 255)
        cv2.copyTo(bgr, mask, out)
    return np.asarray(out, np.uint8)


def crop(bgr: U8Array, quad_px: NDArray[np.floating] | Sequence[Sequence[float]]) -> U8Array:
    """Return a tile (192, 96, 3) upright with a margin around it, its first half above.

    Args:
        bgr: shape (h, w, 3) uint8.
        quad_px: shape (4, 2), corners 0-1 the short edge at the first half's end.
    """
    quad = grown(np.asarray(quad_px, np.float64).reshape(4, 2), 2 * _CROP_MARGIN).astype(np.float32)
    width, height = _CROP_WH
    to = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad, to)
    return np.asarray(cv2.warpPerspective(bgr, matrix, _CROP_WH, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def shrunk(bgr: U8Array, width: int) -> U8Array:
    """Return the picture made smaller to this width, if it is wider."""
    if bgr.shape[1] <= width:
        return bgr
    height = max(2, round(bgr.shape[0] * width / bgr.shape[1] / 2) * 2)
    return np.asarray(cv2.resize(bgr, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
