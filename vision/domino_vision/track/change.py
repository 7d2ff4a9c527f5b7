"""What changed on the table between two observations, in table coordinates.

A referee reads moves out of this; it says nothing of games. Both observations must be in the same frame of coordinates
(`track.register` and `track.anchored` see to that), so that a pushed camera is no change at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from domino_vision.assemble.plane import TILE_LENGTH_MM
from domino_vision.track.poses import Pose, TileMatch, match_tiles, rigid_fit, same_tile
from domino_vision.track.register import quads_of
from domino_vision.types import F64Array, ReadTile, TableObservation, TileRole

_MOVED_MM: Final = 9.0
"""Less than this is noise."""
_TURNED: Final = 0.30
_GROUP_MM: Final = 5.0
"""Tiles were pushed together if one rigid motion explains their places up to this."""
_NEAR: Final = 2.2
"""Tiles of a pushed group lie within this many tile lengths of another one of it."""
_LEAST_GROUP: Final = 3
_LEAST_SHIFT_MM: Final = 4.0
_FACES: Final = (TileRole.DOWN, TileRole.STANDING)


@dataclass(frozen=True, slots=True)
class MovedTile:
    """A tile that lies elsewhere, or otherwise, than before.

    Attributes:
        before: its index in the observation before.
        after: its index in the observation after.
        shift_mm: how far its centre moved.
        turn: how far it turned, radians, -pi to pi.
    """

    before: int
    after: int
    shift_mm: float
    turn: float


@dataclass(frozen=True, slots=True)
class TurnedTile:
    """A tile that shows its other face: from face down to face up or the other way round."""

    before: int
    after: int
    up: bool


@dataclass(frozen=True, slots=True)
class PushedGroup:
    """Tiles that moved together, as by an elbow: no moves of a game.

    Attributes:
        tiles: (before, after) indices.
        pose: the motion in table millimetres.
    """

    tiles: tuple[tuple[int, int], ...]
    pose: Pose


@dataclass(frozen=True, slots=True)
class TableChange:
    """What changed; indices into the tiles of the observations before and after.

    Attributes:
        new: tiles after that no tile before is.
        gone: tiles before that no tile after is.
        moved: tiles that were moved one by one, further than noise.
        turned: tiles that were turned over in their place.
        read_anew: (before, after) tiles in the same place whose values are now read otherwise: one of the readings is
            wrong, or a tile was swapped for another.
        pushed: groups of tiles that moved together.
        same: (before, after) tiles that lie where they lay.
    """

    new: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    moved: tuple[MovedTile, ...] = ()
    turned: tuple[TurnedTile, ...] = ()
    read_anew: tuple[tuple[int, int], ...] = ()
    pushed: tuple[PushedGroup, ...] = ()
    same: tuple[tuple[int, int], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed that a game could be about; pushed tiles are not."""
        return not (self.new or self.gone or self.moved or self.turned or self.read_anew)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All (before, after) tiles that are the same tile, in the order of `after`."""
        pushed = [pair for group in self.pushed for pair in group.tiles]
        moved = [(tile.before, tile.after) for tile in self.moved]
        turned = [(tile.before, tile.after) for tile in self.turned]
        return tuple(sorted({*self.same, *self.read_anew, *pushed, *moved, *turned}, key=lambda pair: pair[1]))


def diff(before: TableObservation, after: TableObservation, *, length_mm: float = TILE_LENGTH_MM) -> TableChange:
    """Return what changed between two observations in the same table coordinates.

    Args:
        before: the earlier one.
        after: the later one.
        length_mm: length of a tile.
    """
    first, second = quads_of(before), quads_of(after)
    halves = [tile.halves for tile in before.tiles], [tile.halves for tile in after.tiles]
    matches = match_tiles(first, second, *halves, length_mm=length_mm)
    groups = pushed_groups(first, second, matches, length_mm)
    grouped = {pair for group in groups for pair in group.tiles}
    same, moved, turned, anew = [], [], [], []
    for match in matches:
        pair = (match.before, match.after)
        old, new = before.tiles[match.before], after.tiles[match.after]
        if _shows(old) != _shows(new) and TileRole.STANDING not in (old.role, new.role):
            turned.append(TurnedTile(*pair, _shows(new)))
        elif same_tile(old.halves, new.halves) is False:
            anew.append(pair)
        elif pair in grouped:
            continue
        elif match.shift_mm > _MOVED_MM or abs(match.turn) > _TURNED:
            moved.append(MovedTile(*pair, match.shift_mm, match.turn))
        else:
            same.append(pair)
    old_seen, new_seen = {match.before for match in matches}, {match.after for match in matches}
    return TableChange(
        new=tuple(i for i in range(len(second)) if i not in new_seen),
        gone=tuple(i for i in range(len(first)) if i not in old_seen),
        moved=tuple(moved),
        turned=tuple(turned),
        read_anew=tuple(anew),
        pushed=groups,
        same=tuple(same),
    )


def pushed_groups(
    before_mm: F64Array, after_mm: F64Array, matches: Sequence[TileMatch], length_mm: float = TILE_LENGTH_MM
) -> tuple[PushedGroup, ...]:
    """Return groups of neighbouring tiles that moved by one rigid motion, the largest first.

    Args:
        before_mm: shape (n, 4, 2), mm.
        after_mm: shape (m, 4, 2), mm.
        matches: which is which.
        length_mm: length of a tile.
    """
    left = [m for m in matches if m.shift_mm > _LEAST_SHIFT_MM or abs(m.turn) > _TURNED / 2]
    found: list[PushedGroup] = []
    while len(left) >= _LEAST_GROUP:
        group, pose = _largest(before_mm, after_mm, left, length_mm)
        if len(group) < _LEAST_GROUP:
            break
        found.append(PushedGroup(tuple((m.before, m.after) for m in group), pose))
        left = [m for m in left if m not in group]
    return tuple(found)


def _largest(
    before_mm: F64Array, after_mm: F64Array, matches: list[TileMatch], length_mm: float
) -> tuple[list[TileMatch], Pose]:
    best: list[TileMatch] = []
    best_pose = Pose()
    for seed in matches:
        group, pose = [seed], _pose(before_mm, after_mm, [seed])
        for _ in range(3):
            group = [m for m in matches if _error(before_mm, after_mm, m, pose) < _GROUP_MM]
            group = _connected(before_mm, group, seed, length_mm)
            if not group:
                break
            pose = _pose(before_mm, after_mm, group)
        if len(group) > len(best):
            best, best_pose = group, pose
    return best, best_pose


def _pose(before_mm: F64Array, after_mm: F64Array, matches: list[TileMatch]) -> Pose:
    source = np.concatenate([before_mm[m.before] for m in matches])
    target = np.concatenate([_unturned(after_mm, m) for m in matches])
    return rigid_fit(source, target)


def _error(before_mm: F64Array, after_mm: F64Array, match: TileMatch, pose: Pose) -> float:
    moved = pose.apply(before_mm[match.before])
    return float(np.linalg.norm(moved - _unturned(after_mm, match), axis=1).mean())


def _unturned(after_mm: F64Array, match: TileMatch) -> F64Array:
    return np.roll(after_mm[match.after], 2, axis=0) if match.turned else after_mm[match.after]


def _connected(before_mm: F64Array, matches: list[TileMatch], seed: TileMatch, length_mm: float) -> list[TileMatch]:
    """Return the matches that a walk from `seed` over near tiles reaches."""
    if seed not in matches:
        return []
    reached, stack = [seed], [seed]
    rest = [m for m in matches if m is not seed]
    while stack:
        here = before_mm[stack.pop().before].mean(0)
        near = [m for m in rest if np.linalg.norm(before_mm[m.before].mean(0) - here) < _NEAR * length_mm]
        rest = [m for m in rest if m not in near]
        reached += near
        stack += near
    return reached


def _shows(tile: ReadTile) -> bool:
    return tile.role not in _FACES
