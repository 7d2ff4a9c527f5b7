"""Whether the table still lies where it was first found: a plane found badly, and tiles that creep together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from domino_vision.assemble.plane import TILE_LENGTH_MM, face_weight, project
from domino_vision.track.poses import Pose, match_tiles, rigid_fit
from domino_vision.track.register import quads_of
from domino_vision.types import F64Array, TableObservation, TileReadings

_REFIT_TILES: Final = 3
_UNEQUAL: Final = 0.04
"""The plane is found anew if tiles differ in size by more than this share on it,"""
_BETTER: Final = 0.6
"""and by less than this part of it on the new one."""
_DRIFT_TILES: Final = 4
_DRIFT_MM: Final = 3.0
_REACH_MM: Final = 15.0


def better_plane(readings: TileReadings, old: F64Array, fresh: F64Array | None) -> F64Array | None:
    """Return a plane on which tiles are clearly more equal than on the old one, laid over it; None if there is none.

    Args:
        readings: the tiles of one look.
        old: shape (3, 3), pixels to the table millimetres in use.
        fresh: shape (3, 3), pixels to millimetres as these tiles alone tell, in coordinates of its own.
    """
    corners = readings.corners_px[face_weight(readings.face) > 0].astype(np.float64)
    if fresh is None or len(corners) < _REFIT_TILES:
        return None
    before, after = project(old, corners), project(fresh, corners)
    if _spread(before) < _UNEQUAL or _spread(after) > _BETTER * _spread(before):
        return None
    pose = rigid_fit(after.reshape(-1, 2), before.reshape(-1, 2))
    return np.asarray(pose.matrix @ fresh, np.float64)


def _spread(quads_mm: F64Array) -> float:
    """Return how unequal tiles (n, 4, 2) are in length and in width, relative, and how far from a tile's length."""
    lengths, widths = _sides(quads_mm)
    return float((np.abs(lengths / TILE_LENGTH_MM - 1) + np.abs(widths / np.median(widths) - 1)).mean() / 2)


@dataclass(frozen=True, slots=True)
class Drift:
    """How far the tiles that nobody touched have crept since they were first seen.

    Attributes:
        pose: the motion, table millimetres.
        shift_mm: its median length at the tiles.
        tiles: how many tiles tell of it.
    """

    pose: Pose
    shift_mm: float
    tiles: int

    @property
    def significant(self) -> bool:
        """Whether the calibration should follow it."""
        return self.tiles >= _DRIFT_TILES and self.shift_mm > _DRIFT_MM


class DriftWatch:
    """Remembers where tiles were first seen, and measures whether all of them creep together."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._first = np.zeros((0, 4, 2))
        self._last = np.zeros((0, 4, 2))

    def see(self, observation: TableObservation) -> Drift:
        """Take in a committed observation in table coordinates; return the drift since each tile was first seen."""
        quads = quads_of(observation)
        nothing = [None] * len(quads)
        matches = match_tiles(self._last, quads, [None] * len(self._last), nothing)
        near = {m.after: m for m in matches if m.shift_mm < _REACH_MM and abs(m.turn) < 0.2}
        first = quads.copy()
        for after, match in near.items():
            origin = self._first[match.before]
            first[after] = np.roll(origin, 2, axis=0) if match.turned else origin
        self._first, self._last = first, quads
        stayed = sorted(near)
        if not stayed:
            return Drift(Pose(), 0.0, 0)
        pose = rigid_fit(first[stayed].reshape(-1, 2), quads[stayed].reshape(-1, 2))
        delta = quads[stayed].mean(1) - first[stayed].mean(1)
        return Drift(pose, float(np.linalg.norm(np.median(delta, axis=0))), len(stayed))


def _sides(quads_mm: F64Array) -> tuple[F64Array, F64Array]:
    """Return lengths and widths (n,) of quads (n, 4, 2)."""
    ring = np.linalg.norm(np.roll(quads_mm, -1, axis=1) - quads_mm, axis=2)
    return (ring[:, 1] + ring[:, 3]) / 2, (ring[:, 0] + ring[:, 2]) / 2
