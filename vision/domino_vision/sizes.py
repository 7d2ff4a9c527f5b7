"""All tiles of a table are of one size: which boxes have it, on the plane that most of them tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from domino_vision.assemble.plane import TablePlane, face_weight, fit_plane
from domino_vision.detectors.apart import lying_apart
from domino_vision.detectors.base import areas
from domino_vision.types import BoolArray, Detections, F64Array, Face

LEAST_ALIKE: Final = 4
"""So many boxes of one size must lie there before others are odd."""
_MOST_ODD: Final = 0.6
"""If a larger share is odd the plane is none."""
_AREA_RANGE: Final = (0.6, 1.7)
"""Areas that may be a tile's, relative to one: boxes are inexact, and a tile on top of others is nearer."""
_MOST_FOREIGN: Final = 1 / 3
"""If more faces than this share of the tiles are of another size, it is not said which of both are the tiles: a board
shows more printed ones than lie on it."""
_SURE: Final = 0.5
"""From this worth on a face counts for that."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How faces compare with the tiles of their table.

    Attributes:
        odd: (n,) faces that are longer, shorter, wider or narrower than a tile's.
        foreign: (n,) faces that are no tile's, whatever they show: about half as large, or nearly twice.
    """

    odd: BoolArray
    foreign: BoolArray


def compare_sizes(found: Detections, worth: F64Array, size_wh: tuple[int, int]) -> Sizes:
    """Compare boxes with each other on the plane of the table; where there is no telling, none is odd.

    Args:
        found: n boxes; some may cover others.
        worth: (n,) how sure it is that each is a tile, 0 to 1.
        size_wh: of the picture in pixels.
    """
    none = np.zeros(len(found), dtype=bool)
    plane = _plane(found, worth, size_wh)
    if plane is None:
        return Sizes(none, none)
    up, bad = found.face == Face.UP, plane.bad & ~plane.turned
    share = areas(plane.to_mm(found.corners_px)) / (plane.tile_wh_mm[0] * plane.tile_wh_mm[1])
    foreign = up & ((share < _AREA_RANGE[0]) | (share > _AREA_RANGE[1]))
    sure = up & (worth > _SURE)
    if (foreign & sure).sum() > _MOST_FOREIGN * (sure & ~bad).sum():
        return Sizes(none, none)
    return Sizes(up & bad, foreign)


def alike(found: Detections, size_wh: tuple[int, int]) -> BoolArray:
    """Return which boxes, (n,), have the size that tiles have on their table; none where there is no telling.

    Args:
        found: n boxes that do not cover each other.
        size_wh: of the picture in pixels.
    """
    plane = _plane(found, found.score.astype(np.float64), size_wh)
    fits = np.zeros(len(found), dtype=bool) if plane is None else ~plane.bad & (found.face != Face.STANDING)
    return np.asarray(fits, dtype=bool)


def _plane(found: Detections, worth: F64Array, size_wh: tuple[int, int]) -> TablePlane | None:
    """The plane that most of the boxes lie on that do not cover better ones, or None."""
    apart = np.zeros(len(found), dtype=bool)
    apart[lying_apart(found.corners_px, np.asarray(worth, np.float32))] = True
    lying = apart & (found.face != Face.STANDING)
    if lying.sum() < LEAST_ALIKE:
        return None
    plane = fit_plane(found.corners_px, size_wh, face_weight(found.face) * np.maximum(worth, 0) * apart)
    bad = plane.bad & ~plane.turned
    return None if bad[apart].mean() > _MOST_ODD or (lying & ~bad).sum() < LEAST_ALIKE else plane
