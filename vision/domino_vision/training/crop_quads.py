"""Corners of tiles: of the one that a picture shows on an even ground, and in the order that crops are cut by."""

from collections.abc import Iterator

import cv2
import numpy as np

from domino_vision.types import F32Array, U8Array

_ASPECT = (1.75, 2.3)
_FILLED = 0.86
"""Least share of its rectangle that a tile's outline must fill."""


def find_single_tile(frame: U8Array) -> F32Array | None:
    """Corners of the only tile in a picture, or `None` if no clear 2:1 rectangle stands out from the ground.

    Args:
        frame: (h, w, 3) uint8 BGR.

    Returns:
        (4, 2) float32 pixels, corners 0 and 1 a short edge; which end that is stays open.
    """
    best: tuple[float, F32Array] | None = None
    for distance in _from_ground(frame):
        level, _ = cv2.threshold(distance, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        for factor in (1.0, 0.75, 1.3):
            found = _rectangle(distance > level * factor)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
    return None if best is None else best[1]


def _from_ground(frame: U8Array) -> Iterator[U8Array]:
    """How far every pixel's colour is from the ground's, as uint8: in all of Lab, then channel by channel.

    The ground is a plane through the picture's border, so that a lamp's gradient does not count.
    """
    lab = cv2.cvtColor(cv2.GaussianBlur(frame, (3, 3), 0), cv2.COLOR_BGR2LAB).astype(np.float32)
    height, width = lab.shape[:2]
    edge = max(2, min(height, width) // 12)
    ys, xs = np.mgrid[0:height, 0:width]
    design = np.stack([np.ones(height * width), xs.ravel(), ys.ravel(), xs.ravel() ** 2, ys.ravel() ** 2], axis=1)
    border = ((xs < edge) | (xs >= width - edge) | (ys < edge) | (ys >= height - edge)).ravel()
    flat = lab.reshape(-1, 3)
    plane, *_ = np.linalg.lstsq(design[border], flat[border], rcond=None)
    off = np.abs(flat - design @ plane)
    off /= off[border].std(axis=0) + 2
    for distance in (np.sqrt((off**2).sum(axis=1)), off[:, 0], off[:, 1], off[:, 2]):
        image = distance.reshape(height, width).astype(np.float32)
        top = max(float(np.percentile(image, 99)), 1e-6)
        yield np.asarray(np.clip(image * (255 / top), 0, 255), dtype=np.uint8)


def _rectangle(mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[float, F32Array] | None:
    side = min(mask.shape)
    kernel = np.ones((3, 3), dtype=np.uint8)
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, kernel, iterations=max(1, side // 40))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel)
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    outline = max(contours, key=cv2.contourArea)
    centre, (w, h), angle = cv2.minAreaRect(outline)
    if min(w, h) < 8 or not _ASPECT[0] <= max(w, h) / min(w, h) <= _ASPECT[1] or w * h > 0.8 * mask.size:
        return None
    filled = cv2.contourArea(outline) / (w * h)
    if filled < _FILLED:
        return None
    return filled, long_way(np.asarray(cv2.boxPoints((centre, (w + 1, h + 1), angle)), dtype=np.float32))


def long_way(quad: F32Array) -> F32Array:
    """Start a ring of four corners (4, 2) so that corners 0 and 1 are a short edge."""
    first = float(np.linalg.norm(quad[1] - quad[0]))
    second = float(np.linalg.norm(quad[2] - quad[1]))
    return quad if first <= second else np.roll(quad, -1, axis=0)
