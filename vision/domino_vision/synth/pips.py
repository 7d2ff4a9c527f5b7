"""Where pips sit on a half, for 0 to 12 pips, in the arrangements found on tiles that are sold."""

import numpy as np

from domino_vision.synth.errors import SynthError
from domino_vision.synth.paint import F64

MAX_PIPS = 12

# Coordinates (u, v) in -1..1: u along the tile, v across it.
_THREES = (-1.0, 0.0, 1.0)
_FOURS = (-1.0, -1.0 / 3.0, 1.0 / 3.0, 1.0)
_DIAGONAL = ((-1.0, -1.0), (1.0, 1.0))
_CORNERS = ((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0))
_SIX = tuple((u, v) for v in (-1.0, 1.0) for u in _THREES)
_EIGHT = (*_SIX, (0.0, 0.0))
_RING = tuple((u, v) for u in _THREES for v in _THREES if (u, v) != (0.0, 0.0))
_NINE = tuple((u, v) for u in _THREES for v in _THREES)
_OUTER_FOURS = tuple((u, v) for v in (-1.0, 1.0) for u in _FOURS)
_PIPS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((0.0, 0.0),),
    _DIAGONAL,
    (*_DIAGONAL, (0.0, 0.0)),
    _CORNERS,
    (*_CORNERS, (0.0, 0.0)),
    _SIX,
    _EIGHT,
    _RING,
    _NINE,
    (*_OUTER_FOURS, (-1.0, 0.0), (1.0, 0.0)),
    (*_OUTER_FOURS, (-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)),
    (*_OUTER_FOURS, *((u, 0.0) for u in _FOURS)),
)


_STAGGERED = {
    10: (*_OUTER_FOURS, (-1.0 / 3.0, 0.0), (1.0 / 3.0, 0.0)),
    11: (*_OUTER_FOURS, (-2.0 / 3.0, 0.0), (0.0, 0.0), (2.0 / 3.0, 0.0)),
}


def pip_positions(count: int, *, across: bool = False, mirrored: bool = False, staggered: bool = False) -> F64:
    """Positions of the pips of one half.

    Args:
        count: 0 to 12.
        across: rows run across the tile instead of along it (the rarer arrangement of 6, 7, 8, 10, 11, 12).
        mirrored: the diagonal of 2 and 3 runs the other way.
        staggered: the middle row of 10 and 11 sits between the outer pips (the rarer arrangement).

    Returns:
        (count, 2) float64, columns along and across the tile, in -1..1 about the centre of the half.

    Raises:
        SynthError: the count is outside 0..12 (`pip_count`).
    """
    if not 0 <= count <= MAX_PIPS:
        raise SynthError("pip_count", f"a half carries 0 to {MAX_PIPS} pips, not {count}", count=count)
    points = np.array(_STAGGERED.get(count, _PIPS[count]) if staggered else _PIPS[count], dtype=np.float64).reshape(
        -1, 2
    )
    if across:
        points = points[:, ::-1].copy()
    if mirrored:
        points[:, 1] *= -1
    return points


_CHINESE: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.28, 0.0),),
    2: ((0.28, -1.0), (0.28, 1.0)),
    3: ((0.28, 1.0), (0.56, 0.0), (0.86, -1.0)),
    4: ((0.28, -1.0), (0.28, 1.0), (0.8, -1.0), (0.8, 1.0)),
    5: ((0.28, -1.0), (0.28, 1.0), (0.57, 0.0), (0.86, -1.0), (0.86, 1.0)),
    6: tuple((t, v) for v in (-1.0, 1.0) for t in (0.28, 0.57, 0.86)),
}


def chinese_positions(count: int) -> F64:
    """Positions on a half of a Chinese tile, whose pips crowd towards its outer end and know no blank.

    Args:
        count: 1 to 6.

    Returns:
        (count, 2) float64: distance from the outer end over the half's length, and place across in -1..1.

    Raises:
        SynthError: the count is outside 1..6 (`pip_count`).
    """
    if count not in _CHINESE:
        raise SynthError("pip_count", f"a half of a Chinese tile carries 1 to 6 pips, not {count}", count=count)
    return np.array(_CHINESE[count], dtype=np.float64)


def pip_radius(count: int, radius: float, spread: float) -> float:
    """Radius that keeps ``count`` pips apart when the outermost sit ``spread`` from the centre (same unit)."""
    points = pip_positions(count) * spread
    if len(points) < 2:
        return radius
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    nearest = float(gaps[gaps > 0].min())
    return min(radius, 0.40 * nearest)
