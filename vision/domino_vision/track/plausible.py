"""Which detections can be tiles, given those that are known: all are of one size, and none lies in another."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.assemble.plane import project
from domino_vision.detectors.base import sides
from domino_vision.track.memory import TableMemory
from domino_vision.track.poses import match_tiles
from domino_vision.types import BACK_CLASS, F64Array, Face, TileReadings, U8Array

_LENGTH_RANGE: Final = (0.78, 1.6)
_WIDTH_RANGE: Final = (0.62, 1.6)
_LEAST_ROOM: Final = 0.68
"""What other tiles leave of a detection must be this share of a tile."""
_LEAST_KNOWN: Final = 2
_CLEARLY_UP: Final = 0.75
_PLACE_MM: Final = 12.0
_SURE_SCORE: Final = 0.6


def plausible(readings: TileReadings, px_to_mm: F64Array, memory: TableMemory) -> TileReadings:
    """Return the readings without those that cannot be tiles, and with faces that agree with what was read.

    Args:
        readings: a look.
        px_to_mm: shape (3, 3), its pixels to table millimetres.
        memory: the tiles known before; they tell how large a tile is, and theirs are the places.
    """
    quads = project(px_to_mm, readings.corners_px.astype(np.float64))
    places = match_tiles(memory.quads_mm, quads, [None] * len(memory), [None] * len(quads))
    known = np.zeros(len(quads), bool)
    known[[match.after for match in places if match.shift_mm < _PLACE_MM]] = True
    keep = (known | ~_doubtful_blank(readings)) & (~known.any() | _right_size(quads, readings.face, memory))
    rank = readings.score.astype(np.float64) + known
    area = np.array([cv2.contourArea(quad.astype(np.float32)) for quad in quads], np.float64)
    tile_area = float(np.median(area[keep])) if keep.any() else 1.0
    kept: list[int] = []
    for i in np.argsort(-rank).tolist():
        taken = sum(common_area(quads[i], quads[j]) for j in kept)
        if keep[i] and area[i] - taken > _LEAST_ROOM * min(tile_area, area[i]):
            kept.append(i)
    keep[[i for i in range(len(quads)) if i not in kept]] = False
    return TileReadings(
        readings.corners_px[keep], _faces(readings)[keep], readings.score[keep], readings.half_logp[keep]
    )


def _right_size(
    quads_mm: F64Array, face: U8Array, memory: TableMemory
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    up = [tile.quad_mm for tile in memory.tiles if not tile.missed and tile.halves is not None]
    seen = np.array(up, np.float64).reshape(-1, 4, 2)
    if len(seen) < _LEAST_KNOWN:
        return np.ones(len(quads_mm), bool)
    length, width = (float(np.median(side)) for side in sides(seen))
    lengths, widths = sides(quads_mm)
    right = (lengths > _LENGTH_RANGE[0] * length) & (lengths < _LENGTH_RANGE[1] * length)
    right &= (widths > _WIDTH_RANGE[0] * width) & (widths < _WIDTH_RANGE[1] * width)
    return np.asarray(right | (face == Face.STANDING), bool)


def _doubtful_blank(readings: TileReadings) -> NDArray[np.bool_]:
    """Return which tiles show two blanks and are not surely found: plain ground looks like that too."""
    blank = readings.half_logp.argmax(-1) == 0 if len(readings) else np.zeros((0, 2), bool)
    return np.asarray(blank.all(1) & (readings.score < _SURE_SCORE), bool)


def common_area(first: F64Array, second: F64Array) -> float:
    """Return the area that two quads (4, 2) have in common."""
    return float(cv2.intersectConvexConvex(first.astype(np.float32), second.astype(np.float32))[0])


def _faces(readings: TileReadings) -> U8Array:
    """Return faces; a tile found face down on which pips are clearly read lies face up.

    Blank halves prove nothing: a back looks like two of them.
    """
    p = np.exp(readings.half_logp[..., :BACK_CLASS].astype(np.float64))
    sure, pips = p.max(-1, initial=0.0), p.argmax(-1) if len(p) else np.zeros((0, 2), np.int64)
    shows_pips = ((pips > 0) & (sure > _CLEARLY_UP)).any(1)
    up = (readings.face == Face.DOWN) & shows_pips & (sure.min(1, initial=1.0) > _CLEARLY_UP / 2)
    return np.asarray(np.where(up, Face.UP, readings.face), np.uint8)
