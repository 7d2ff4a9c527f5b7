"""Tiles that lie side by side: where a box fits badly among its neighbours, they tell where the tile must lie.

Between two of them it is looked for even where nobody saw it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from domino_vision.types import BoolArray, Detections, F32Array, F64Array, IntArray

PITCH: Final = 1.05
"""Middles of tiles that touch along their long sides are so many widths apart: nobody lays them quite close."""
_SIDE: Final = (0.6, 1.6)
"""A box this far across from a tile, in widths of the tile, may be the next one of a row."""
_GAP: Final = (1.9, 2.4)
"""Tiles so many widths apart have room for just one between them."""
_LEVEL: Final = 0.25
"""Tiles of a row are shifted along against each other by at most this share of their length."""
_OFF: Final = 0.5
"""A box is moved by at most so many widths."""


def places_in_rows(found: Detections, clear: BoolArray, doubtful: BoolArray) -> tuple[IntArray, F32Array]:
    """Return where boxes lie if they are the next tiles of a row.

    Edges of tiles that touch are faint, and a box may take in a part of the next tile or be turned askew. Where it
    should lie follows from a neighbour that is read for certain, or from the two between which it lies.

    Args:
        found: n boxes.
        clear: (n,), which of them are read for certain.
        doubtful: (n,), which of the others are asked about.

    Returns:
        Indices of the boxes beside which such a neighbour lies, (m,), and their corners in pixels, (m, 4, 2).
    """
    quads = found.corners_px.astype(np.float64)
    middles = quads.mean(axis=1)
    indices: list[int] = []
    places: list[F64Array] = []
    for box in np.flatnonzero(doubtful).tolist():
        sides: dict[int, tuple[float, F64Array]] = {}
        for tile in np.flatnonzero(clear).tolist():
            across, along = _axes(quads[tile])
            away = middles[box] - middles[tile]
            aside, shift = (float(away @ axis / (axis @ axis)) for axis in (across, along))
            if not _SIDE[0] <= abs(aside) <= _SIDE[1] or abs(shift) > _LEVEL:
                continue
            place = quads[tile] + np.sign(aside) * PITCH * across
            width = float(np.linalg.norm(across))
            side = int(np.sign(away @ _upright(across)))
            if np.linalg.norm(place.mean(axis=0) - middles[box]) <= _OFF * width:
                sides[side] = min(sides.get(side, (np.inf, place)), (abs(aside), place), key=lambda each: each[0])
        if sides:
            first, *others = (place for _, place in sides.values())
            indices.append(box)
            places.append(np.mean([first, *(_alike(other, first) for other in others)], axis=0))
    return np.array(indices, np.int64), np.array(places, np.float32).reshape(-1, 4, 2)


def gaps_in_rows(found: Detections, clear: BoolArray) -> F32Array:
    """Return where a tile may lie that nobody saw: between two tiles of a row that are just so far apart, (m, 4, 2).

    Args:
        found: n boxes; where the middle of one lies nearly in a gap, there is none.
        clear: (n,), which of them are read for certain: between these gaps are looked for.
    """
    quads = found.corners_px.astype(np.float64)
    middles = quads.mean(axis=1)
    places: list[F64Array] = []
    tiles = np.flatnonzero(clear).tolist()
    for number, tile in enumerate(tiles):
        across, along = _axes(quads[tile])
        for other in tiles[number + 1 :]:
            away = middles[other] - middles[tile]
            aside, shift = (float(away @ axis / (axis @ axis)) for axis in (across, along))
            if not _GAP[0] <= abs(aside) <= _GAP[1] or abs(shift) > _LEVEL:
                continue
            place = (quads[tile] + _alike(quads[other], quads[tile])) / 2
            off = np.linalg.norm(middles - place.mean(axis=0), axis=1)
            if off.min() > _OFF * float(np.linalg.norm(across)):
                places.append(place)
    return np.array(places, np.float32).reshape(-1, 4, 2)


def _axes(quad: F64Array) -> tuple[F64Array, F64Array]:
    """Return a tile's own width and length as vectors."""
    across = ((quad[1] - quad[0]) + (quad[2] - quad[3])) / 2
    along = ((quad[3] - quad[0]) + (quad[2] - quad[1])) / 2
    return across, along


def _upright(axis: F64Array) -> F64Array:
    """Return an axis in one of its two directions, the same for tiles that lie alike however their corners go round."""
    return axis if tuple(axis) > (0.0, 0.0) else -axis


def _alike(quad: F64Array, other: F64Array) -> F64Array:
    """Return a quad with its corners beginning at the end at which those of another one begin."""
    return quad if _axes(quad)[1] @ _axes(other)[1] > 0 else np.roll(quad, 2, axis=0)
