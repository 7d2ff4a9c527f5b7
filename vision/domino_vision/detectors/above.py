"""The table as it looks from above, made of a picture that was taken from the side.

Seen from the side a tile is as wide as long, or narrow, and its box takes in the table beside it. The tiles found so
far tell where the table lies (`assemble.plane`); the picture warped to that plane shows them as equal rectangles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from domino_vision.assemble.plane import TILE_LENGTH_MM, face_weight, fit_plane, project
from domino_vision.detectors.base import lengths_px
from domino_vision.types import Detections, F32Array, F64Array, Face, U8Array

LEAST_TILT_DEG: Final = 20.0
"""Planes leaning less need no view from above. Boxes tell half to all of the true tilt."""
_LEAST_TILES: Final = 3
"""With fewer tiles that lie, the plane is a guess."""
_MARGIN_LENGTHS: Final = 1.0
"""The view reaches so many lengths of a tile beyond the tiles."""
_NEAR_SHARE: Final = 80.0
"""Percentile of the tiles' lengths that stands for those near the camera."""
_SHARP: Final = 1.2
"""Near tiles may be this much longer in the picture than in the view; past that it is averaged down first."""
_GREY: Final = 114
"""What fills the view where the picture ends; the networks were trained with it."""


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """A view of the table's plane.

    Attributes:
        tilt_deg: of the camera's axis against the plane's normal, as far as boxes tell.
        px_to_view: (3, 3) homography from pixels of the picture to those of the view.
        size_wh: of the view in pixels.
        shrink: by what tiles near the camera are larger in the picture than is of use; it is averaged down if above 1.
    """

    tilt_deg: float
    px_to_view: F64Array
    size_wh: tuple[int, int]
    shrink: float

    def smaller(self, share: float) -> TopView:
        """Return the same view with lengths of this share."""
        width, height = (max(1, int(np.ceil(side * share))) for side in self.size_wh)
        px_to_view = np.diag([share, share, 1.0]) @ self.px_to_view
        return TopView(self.tilt_deg, px_to_view, (width, height), self.shrink / share)

    def part(self, bgr: U8Array, corner: tuple[int, int], size_wh: tuple[int, int]) -> U8Array:
        """Return a part of the view, its upper left corner at `corner`, of a picture (h, w, 3) uint8."""
        height, width = bgr.shape[:2]
        if self.shrink > 1:
            small_wh = (max(1, round(width / self.shrink)), max(1, round(height / self.shrink)))
            bgr = np.asarray(cv2.resize(bgr, small_wh, interpolation=cv2.INTER_AREA), np.uint8)
        grown = np.diag([width / bgr.shape[1], height / bgr.shape[0], 1.0])
        # whole numbers are pixel centres for OpenCV and outer corners for us
        whole = _shift(-corner[0] - 0.5, -corner[1] - 0.5) @ self.px_to_view @ grown @ _shift(0.5, 0.5)
        seen = cv2.warpPerspective(bgr, whole, size_wh, flags=cv2.INTER_LINEAR, borderValue=(_GREY,) * 3)
        return np.asarray(seen, np.uint8)

    def to_picture(self, corners: F32Array) -> F32Array:
        """Return corners (n, 4, 2) of the view in pixels of the picture."""
        back = np.asarray(np.linalg.inv(self.px_to_view), np.float64)
        return np.asarray(project(back, corners.astype(np.float64)), np.float32)


def top_view(found: Detections, size_wh: tuple[int, int], length_px: float) -> TopView | None:
    """Return the view of what was found in which a tile is `length_px` long; None if the camera looks from above.

    Args:
        found: tiles; those that stand tell nothing about the plane.
        size_wh: of the picture in pixels.
        length_px: of a tile in the view.
    """
    lying = found.where(found.face != Face.STANDING)
    if len(lying) < _LEAST_TILES:
        return None
    plane = fit_plane(lying.corners_px, size_wh, face_weight(lying.face) * lying.score)
    fits = ~plane.bad | plane.turned
    if plane.tilt_deg < LEAST_TILT_DEG or not fits.any():
        return None
    scale, tiles = length_px / TILE_LENGTH_MM, plane.to_mm(lying.corners_px[fits])
    low = (tiles.min((0, 1)) - TILE_LENGTH_MM * _MARGIN_LENGTHS) * scale
    high = (tiles.max((0, 1)) + TILE_LENGTH_MM * _MARGIN_LENGTHS) * scale
    width, height = (int(side) for side in np.ceil(high - low))
    near = float(np.percentile(lengths_px(lying.corners_px), _NEAR_SHARE))
    px_to_view = _shift(-low[0], -low[1]) @ np.diag([scale, scale, 1.0]) @ plane.px_to_mm
    return TopView(plane.tilt_deg, px_to_view, (width, height), near / (length_px * _SHARP))


def _shift(x: float, y: float) -> F64Array:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])
