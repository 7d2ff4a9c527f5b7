"""Views of a tile as other pictures will show it: farther away, softer, in another light, its corners a little off."""

from typing import Final

import cv2
import numpy as np

from domino_vision.rectify import target_corners
from domino_vision.types import U8Array

CUT_SIZE_WH: Final = (192, 96)
"""Width and height in pixels of a tile as it is kept."""
CUT_MARGIN: Final = 0.3
"""What it shows beyond each edge, as a share of its length and width."""

_CORNER_SIGMA: Final = 0.02
_LENGTHS_PX: Final = (16.0, 100.0)
_SMALLER: Final = 0.7
"""Share of the views that are made smaller and up again."""
_MOST_NOISE: Final = 8.0


def views(crops_bgr: U8Array, each: int, size_wh: tuple[int, int], margin: float, seed: int = 0) -> U8Array:
    """Return `each` random views of every crop, those of one crop after another.

    Args:
        crops_bgr: (n, 96, 192, 3) uint8, cut with `CUT_MARGIN`.
        each: views of a crop.
        size_wh: width and height of a view, its margin included.
        margin: what a view shows beyond each edge, as a share of the tile's length and width.
        seed: the same seed gives the same views.

    Returns:
        (n * each, h, w, 3) uint8.
    """
    rng = np.random.default_rng(seed)
    made = [_view(crop, size_wh, margin, rng) for crop in crops_bgr for _ in range(each)]
    return np.stack(made) if made else np.zeros((0, size_wh[1], size_wh[0], 3), np.uint8)


def _view(crop: U8Array, size_wh: tuple[int, int], margin: float, rng: np.random.Generator) -> U8Array:
    length = CUT_SIZE_WH[0] / (1 + 2 * CUT_MARGIN)
    corners = target_corners(CUT_SIZE_WH, CUT_MARGIN) + rng.normal(0, _CORNER_SIGMA, (4, 2)) * length
    transform = cv2.getPerspectiveTransform(corners.astype(np.float32), target_corners(size_wh, margin))
    view = np.asarray(
        cv2.warpPerspective(crop, transform, size_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        dtype=np.uint8,
    )
    if rng.random() < _SMALLER:
        view = _far(view, float(np.exp(rng.uniform(*np.log(_LENGTHS_PX)))) * (1 + 2 * margin), rng)
    light = rng.uniform(0.75, 1.2) * (1 + rng.normal(0, 0.03, 3))
    return np.asarray(np.clip(view * light + rng.normal(0, 8), 0, 255), dtype=np.uint8)


def _far(view: U8Array, width: float, rng: np.random.Generator) -> U8Array:
    """The view as a camera saw it that had `width` pixels for it."""
    height_full, width_full = view.shape[:2]
    scale = width / width_full
    small_wh = (max(8, round(width)), max(4, round(height_full * scale)))
    soft = cv2.GaussianBlur(view, (0, 0), rng.uniform(0.1, 1.0) / scale * 0.8)
    small = cv2.resize(soft, small_wh, interpolation=cv2.INTER_AREA)
    noisy = np.clip(small + rng.normal(0, rng.uniform(0, _MOST_NOISE), small.shape), 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(40, 90))
        noisy = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1), np.uint8
        )
    large = cv2.resize(noisy, (width_full, height_full), interpolation=cv2.INTER_LINEAR)
    return np.asarray(large, dtype=np.uint8)
