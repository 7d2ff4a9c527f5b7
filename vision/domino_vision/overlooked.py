"""Boxes that no look found but that may be tiles: half of one, in the frame before, or two that were found as one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from domino_vision.choice import MAY_BE, halves_of, is_double, reads_well
from domino_vision.detectors.apart import clashes
from domino_vision.detectors.base import sides
from domino_vision.types import Detections, F32Array, F64Array, Face

_COVERED: Final = 0.6
"""Share of a half from which a box covers it."""
_RANGE: Final = (0.8, 1.25)
"""Length of a box that holds two tiles side by side over that of the tiles around it, and width over twice theirs."""
_ATHWART: Final = 0.05
"""By so much less do tiles score that lie athwart the nearest one."""
_SLIM: Final = 0.65
"""Width over length up to which the tiles around it tell how large a tile is."""
_AROUND: Final = 5
_LEAST_AROUND: Final = 2
"""So many tiles of the same face must lie around it."""
_BESIDE: Final = 1.3
"""And one of them within so many lengths, middle to middle."""


def between(found: Detections, half_logp: F32Array, most_pips: int) -> Detections:
    """Return boxes that nothing found but that may be tiles: half a length beside one that may lie across two tiles.

    Such a one reads as a double, as touching halves show the same pips, and what lies beyond its ends was found too, if
    not as what it is.

    Args:
        found: n boxes; some may cover others.
        half_logp: (n, 2, 15) natural log-probabilities of their halves.
        most_pips: the highest pips of a half in the tile set.

    Returns:
        Boxes for `choose` beside those that were found.
    """
    if not len(found):
        return found
    well = reads_well(found, half_logp, most_pips)
    boxes = []
    for box in np.flatnonzero(well & is_double(half_logp)).tolist():
        quad = found.corners_px[box]
        step = (quad[2:].mean(0) - quad[:2].mean(0)) / 2
        others = np.delete(found.corners_px, box, 0)
        for half, way in zip(halves_of(quad), (-step, step), strict=True):
            if any(_covers(other, half + way) for other in others):
                boxes.append(quad + way)
    score = np.full(len(boxes), MAY_BE, np.float32)
    return Detections(np.array(boxes, np.float32).reshape(-1, 4, 2), np.full(len(boxes), Face.UP, np.uint8), score)


def seen_before(found: Detections, near: Detections) -> Detections:
    """Return the faces of a frame before, `near`, that cover a box of `found` in part: they may be what it is not.

    Backs are not: of one that was taken away the ground that is left tells little.

    Args:
        found: n boxes.
        near: tiles of a frame before from the same camera.

    Returns:
        Boxes for `choose` beside those that were found.
    """
    clash = clashes(np.concatenate([found.corners_px, near.corners_px]))
    covers = clash[len(found) :, : len(found)].any(1) & (near.face == Face.UP)
    kept = near.where(np.flatnonzero(covers))
    return replace(kept, score=np.minimum(kept.score, np.float32(MAY_BE)))


def side_by_side(found: Detections) -> Detections:
    """Return the tiles that two of them were found as one: a box as long as those around it, and twice as wide.

    Args:
        found: n boxes.

    Returns:
        Boxes for `choose` beside those that were found: both halves of such a box, those that lie as the nearest tile
        does with a better score. Together they are worth less than the box unless they read better.
    """
    boxes: list[F32Array] = []
    scores: list[float] = []
    faces: list[int] = []
    length, width = np.sort(sides(found.corners_px), axis=0)[::-1]
    slim = np.flatnonzero(width < _SLIM * length)
    centres = found.corners_px.mean(1)
    for box in np.flatnonzero((width >= _SLIM * length) & (found.face != Face.STANDING)).tolist():
        alike = slim[found.face[slim] == found.face[box]]
        away = np.linalg.norm(centres[alike] - centres[box], axis=1)
        near = alike[np.argsort(away)][:_AROUND]
        if len(near) < _LEAST_AROUND or away.min() > _BESIDE * float(np.median(length[near])):
            continue
        way = _axis(found.corners_px[near[0]])
        for turned in (found.corners_px[box], np.roll(found.corners_px[box], 1, axis=0)):
            long, wide = (float(side[0]) for side in sides(turned[None]))
            shares = wide / np.median(length[near]), long / np.median(width[near]) / 2  # it is cut across the long one
            if not all(_RANGE[0] < share < _RANGE[1] for share in shares):
                continue
            parts = [np.roll(half, 1, axis=0) for half in halves_of(turned)]
            along = abs(float(_axis(parts[0]) @ way)) > np.sqrt(0.5)
            boxes += parts
            faces += [int(found.face[box])] * 2
            score = float(found.score[box]) / 2 if found.face[box] == Face.DOWN else MAY_BE
            scores += [score - (0.0 if along else _ATHWART)] * 2
    corners = np.array(boxes, np.float32).reshape(-1, 4, 2)
    return Detections(corners, np.array(faces, np.uint8), np.array(scores, np.float32))


def _axis(quad: F32Array) -> F64Array:
    """Return the direction from a quad's first half to its second, (2,)."""
    way = (quad[2:].mean(0) - quad[:2].mean(0)).astype(np.float64)
    return np.asarray(way / max(float(np.linalg.norm(way)), 1e-9), np.float64)


def _covers(quad: F32Array, half: F32Array) -> bool:
    return float(cv2.intersectConvexConvex(half, quad)[0]) > _COVERED * abs(cv2.contourArea(half))
