"""Places of tiles on the table, rigid motions between them, and which tile of one look is which of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from domino_vision.assemble.plane import TILE_LENGTH_MM
from domino_vision.types import F64Array

Halves = tuple[int, int] | None

_SAME_PLACE: Final = 0.55
"""Tiles of one place lie nearer to each other than this share of a tile's length."""
_UNMATCHED: Final = 1.0
"""Cost of leaving a tile unmatched, in tile lengths of distance between equal places."""
_OTHER_VALUES: Final = 0.5
"""Further cost of a match whose values differ."""
_FAR: Final = 0.6
"""Most that distance costs between tiles that show the same values."""
_TURN_COST: Final = 0.5
"""Cost of tiles that lie square to each other, in tile lengths."""
_NEVER: Final = 1e3


@dataclass(frozen=True, slots=True)
class Pose:
    """A rigid motion in the table plane: turn about the origin, then shift.

    Attributes:
        turn: radians, from x towards y.
        shift: (x, y) in mm.
    """

    turn: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def matrix(self) -> F64Array:
        """The motion as a homography (3, 3)."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.array([[c, -s, self.shift[0]], [s, c, self.shift[1]], [0, 0, 1.0]])

    def apply(self, points: F64Array) -> F64Array:
        """Return points (..., 2) moved."""
        matrix = self.matrix
        return np.asarray(points @ matrix[:2, :2].T + matrix[:2, 2], np.float64)


@dataclass(frozen=True, slots=True)
class TileMatch:
    """A tile of the look before and the tile of the look after that it is.

    Attributes:
        before: index in the look before.
        after: index in the look after.
        turned: whether the look after calls first half what the look before calls second.
        shift_mm: distance between the centres.
        turn: how far the tile turned in its place, radians, -pi to pi.
    """

    before: int
    after: int
    turned: bool
    shift_mm: float
    turn: float


def axes(quads_mm: F64Array) -> tuple[F64Array, F64Array]:
    """Return centres and unit vectors from the first to the second half of quads (n, 4, 2), both (n, 2)."""
    along = quads_mm[:, 2:].mean(1) - quads_mm[:, :2].mean(1)
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    return quads_mm.mean(1), along


def same_tile(first: Halves, second: Halves) -> bool | None:
    """Whether two readings are of the same tile in either order; None if a face is not seen."""
    if first is None or second is None:
        return None
    return sorted(first) == sorted(second)


def match_tiles(
    before_mm: F64Array,
    after_mm: F64Array,
    before: Sequence[Halves],
    after: Sequence[Halves],
    *,
    length_mm: float = TILE_LENGTH_MM,
    anywhere: bool = True,
) -> tuple[TileMatch, ...]:
    """Return which tile is which, one to one, the cheapest in distance and in values taken together.

    Tiles of other values are matched only if they lie in the same place (one of the readings is wrong, or one tile was
    swapped for another); tiles of equal values may have moved anywhere.

    Args:
        before_mm: shape (n, 4, 2), quads of the look before in table millimetres.
        after_mm: shape (m, 4, 2), the same of the look after, in the same frame of coordinates.
        before: the pips read on each, first half first; None where no face is seen.
        after: the same of the look after.
        length_mm: length of a tile.
        anywhere: match tiles of equal values however far they moved.
    """
    if not len(before_mm) or not len(after_mm):
        return ()
    (centre, axis), (centre_after, axis_after) = axes(before_mm), axes(after_mm)
    distance = np.linalg.norm(centre[:, None] - centre_after[None], axis=-1)
    share = distance / length_mm + _TURN_COST * (1 - np.abs(axis @ axis_after.T))
    cost = np.where(share < _SAME_PLACE, share, _NEVER)
    for i, first in enumerate(before):
        for j, second in enumerate(after):
            same = same_tile(first, second)
            if same is False:
                cost[i, j] += _OTHER_VALUES
            elif same and anywhere:
                cost[i, j] = _FAR * np.tanh(share[i, j])
    padded = np.full((len(cost) + cost.shape[1],) * 2, _UNMATCHED / 2)
    padded[: len(cost), : cost.shape[1]] = cost
    padded[len(cost) :, cost.shape[1] :] = 0.0
    rows, columns = linear_sum_assignment(padded)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    found: list[tuple[int, int]] = [(i, j) for i, j in pairs if i < len(cost) and j < cost.shape[1]]
    return tuple(
        _match(i, j, float(distance[i, j]), axis[i], axis_after[j], before[i], after[j])
        for i, j in found
        if cost[i, j] < _NEVER
    )


def _match(
    i: int, j: int, shift: float, axis: NDArray[np.float64], axis_after: NDArray[np.float64], a: Halves, b: Halves
) -> TileMatch:
    turned = float(axis @ axis_after) < 0
    if shift > TILE_LENGTH_MM / 4 and a is not None and b is not None and a[0] != a[1] and sorted(a) == sorted(b):
        turned = a != b
    own = -axis_after if turned else axis_after
    turn = float(np.arctan2(axis[0] * own[1] - axis[1] * own[0], axis @ own))
    return TileMatch(i, j, turned, shift, turn)


def rigid_fit(source: F64Array, target: F64Array, weight: F64Array | None = None) -> Pose:
    """Return the rigid motion that brings points (n, 2) nearest to others.

    Source: Kabsch, Acta Cryst. A32 (1976) 922, in the plane.
    """
    weight = np.ones(len(source)) if weight is None else weight
    total = max(float(weight.sum()), 1e-12)
    middle, goal = (weight @ source) / total, (weight @ target) / total
    p, q = source - middle, target - goal
    cos = float((weight[:, None] * p * q).sum())
    sin = float((weight * (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0])).sum())
    turn = float(np.arctan2(sin, cos))
    moved = Pose(turn).apply(middle)
    return Pose(turn, (float(goal[0] - moved[0]), float(goal[1] - moved[1])))
