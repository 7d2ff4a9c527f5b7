"""Cut tiles out of a picture as upright 2:1 crops, sampled so that no pip aliases."""

import cv2
import numpy as np

from domino_vision.errors import VisionError
from domino_vision.types import F32Array, U8Array

_SHRINK_FROM = 1.25
"""A tile this much larger than its crop is averaged down first; below, bilinear sampling alone skips no pixel."""


def rectify_tiles(frame: U8Array, corners: F32Array, size_wh: tuple[int, int], margin: float) -> U8Array:
    """Rectify every tile of a picture, first half to the left.

    Args:
        frame: picture, (h, w, 3) uint8, any channel order (kept).
        corners: (n, 4, 2), pixels of `frame`, x right, y down, origin at the outer corner of the first pixel; corners
            0 and 1 are the short edge at the first half's end, 2 and 3 the one at the second half's end, going round
            either way. They may lie outside the picture: the border is repeated.
        size_wh: width and height of a crop in pixels, the margin included.
        margin: what is shown beyond each edge, as a share of the tile's own length and width.

    Returns:
        Crops, (n, h, w, 3) uint8, never mirrored.

    Raises:
        VisionError: `frame_invalid` or `quad_invalid`, if shapes are wrong or a corner is not finite.
    """
    if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8 or 0 in frame.shape:
        msg = f"a picture must be (h, w, 3) uint8, got {frame.shape} {frame.dtype}"
        raise VisionError("frame_invalid", msg, shape=list(frame.shape))
    quads = np.asarray(corners, dtype=np.float32)
    if quads.ndim != 3 or quads.shape[1:] != (4, 2):
        msg = f"corners must be (n, 4, 2), got {quads.shape}"
        raise VisionError("quad_invalid", msg, shape=list(quads.shape))
    if not np.isfinite(quads).all():
        raise VisionError("quad_invalid", "corners must be finite", shape=list(quads.shape))
    width, height = size_wh
    crops = np.empty((len(quads), height, width, 3), dtype=np.uint8)
    for crop, quad in zip(crops, quads, strict=True):
        crop[:] = _rectify(frame, quad - np.float32(0.5), size_wh, margin)
    return crops


def target_corners(size_wh: tuple[int, int], margin: float, *, clockwise: bool = True) -> F32Array:
    """Where the four corners of a tile lie in its crop: (4, 2), pixels of the crop, whole numbers at pixel centres.

    Args:
        size_wh: width and height of the crop in pixels.
        margin: share of the tile's length and width shown beyond each edge.
        clockwise: whether corners 0 to 3 go round clockwise as seen (y down).
    """
    width, height = size_wh
    x0, y0 = (side * margin / (1 + 2 * margin) - 0.5 for side in (width, height))
    x1, y1 = width - 1 - x0, height - 1 - y0
    ring = [[x0, y1], [x0, y0], [x1, y0], [x1, y1]] if clockwise else [[x0, y0], [x0, y1], [x1, y1], [x1, y0]]
    return np.array(ring, dtype=np.float32)


def _rectify(frame: U8Array, quad: F32Array, size_wh: tuple[int, int], margin: float) -> U8Array:
    """One crop; from here on whole numbers are pixel centres, as OpenCV has it."""
    area = _signed_area(quad)
    target = target_corners(size_wh, margin, clockwise=area >= 0)
    if abs(area) < 1.0:  # no surface: show the place, as large as one pixel can be
        return np.full((size_wh[1], size_wh[0], 3), _pixel_at(frame, quad.mean(axis=0)), dtype=np.uint8)
    region, local = _region(frame, quad, margin)
    shrink = float(np.sqrt(abs(area) / abs(_signed_area(target))))
    if shrink > _SHRINK_FROM:
        region, local = _averaged_down(region, local, shrink)
    transform = cv2.getPerspectiveTransform(local, target)
    warped = cv2.warpPerspective(region, transform, size_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, dtype=np.uint8)


def _signed_area(quad: F32Array) -> float:
    """Shoelace area, positive if the corners go round clockwise as seen (y down)."""
    x, y = quad[:, 0].astype(np.float64), quad[:, 1].astype(np.float64)
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)


def _pixel_at(frame: U8Array, point: F32Array) -> U8Array:
    height, width = frame.shape[:2]
    x = int(np.clip(round(float(point[0])), 0, width - 1))
    y = int(np.clip(round(float(point[1])), 0, height - 1))
    return np.asarray(frame[y, x], dtype=np.uint8)


def _region(frame: U8Array, quad: F32Array, margin: float) -> tuple[U8Array, F32Array]:
    """The part of the picture that holds the tile and its margin, and the corners in that part's pixels."""
    height, width = frame.shape[:2]
    low, high = quad.min(axis=0), quad.max(axis=0)
    reach = (high - low) * margin * 2 + 4
    x0, y0 = (int(v) for v in np.clip(np.floor(low - reach), 0, (width - 1, height - 1)))
    x1, y1 = (int(v) for v in np.clip(np.ceil(high + reach) + 1, (x0 + 1, y0 + 1), (width, height)))
    return frame[y0:y1, x0:x1], (quad - np.array([x0, y0], dtype=np.float32)).astype(np.float32)


def _averaged_down(region: U8Array, quad: F32Array, shrink: float) -> tuple[U8Array, F32Array]:
    """Shrink by averaging over areas; the corners follow."""
    height, width = region.shape[:2]
    new_w, new_h = max(1, round(width / shrink)), max(1, round(height / shrink))
    scale = np.array([new_w / width, new_h / height], dtype=np.float32)
    small = cv2.resize(region, (new_w, new_h), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8), ((quad + 0.5) * scale - 0.5).astype(np.float32)
