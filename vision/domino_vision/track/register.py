"""Where the table's coordinates lie in a new frame: the camera stood still, was pushed, or looks from elsewhere.

Tiles do not move by themselves, so those that are known tell where the camera is. Each tile that shows the same values
as a known one proposes a rigid motion of the plane that the new frame found for itself; the motion under which most
tiles fall into place is taken and made exact with all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from domino_vision.assemble.plane import TILE_LENGTH_MM, project
from domino_vision.track.poses import Halves, Pose, TileMatch, axes, match_tiles, rigid_fit, same_tile
from domino_vision.types import F32Array, F64Array, TableObservation

_CLOSE_MM: Final = 8.0
"""A tile is in its place if its corners are within this of where they were."""
_FIT_MM: Final = 14.0
"""The same while the motion is still sought, as two planes found apart differ a little."""
_STILL_MM: Final = 2.5
"""The camera stood still if the tiles in their place moved less than this, together."""
_LEAST_SHARE: Final = 0.5
"""A motion needs this share of the known tiles that are still seen."""
_LEAST_TILES: Final = 2
"""One tile alone may as well have been moved itself."""
_NUDGE_MM: Final = 20.0
"""A camera that was only nudged moves no tile further than this; it is less than the gap to the next tile."""
_NUDGED_SHARE: Final = 0.8
"""So many of the tiles must have moved together if no face among them says which is which."""
_FULL_TILES: Final = 4
"""From so many tiles on a homography is fitted to their corners, else the rigid motion stands."""


class CameraMotion(StrEnum):
    """What became of the camera between two looks."""

    STILL = "still"
    MOVED = "moved"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Registration:
    """The table's coordinates in a frame.

    Attributes:
        px_to_mm: shape (3, 3), pixels of the new frame to table millimetres.
        motion: whether the camera stood still, moved, or it cannot be told (too few tiles in common).
        shift_mm: how far the picture of the tiles moved on the table, median.
        inliers: known tiles that fell into place.
        known: known tiles that could have.
    """

    px_to_mm: F64Array
    motion: CameraMotion
    shift_mm: float
    inliers: int
    known: int


def register(
    known_mm: F64Array,
    known: Sequence[Halves],
    observation: TableObservation,
    anchor_px_to_mm: F64Array,
) -> Registration:
    """Return where the table lies in the frame of an observation.

    Args:
        known_mm: shape (n, 4, 2), the tiles known before, in table millimetres.
        known: their pips, first half first; None where no face is seen.
        observation: the new look, in coordinates of its own.
        anchor_px_to_mm: where the table lay in the frames before.
    """
    corners = np.array([tile.quad_px for tile in observation.tiles], np.float64).reshape(-1, 4, 2)
    halves = [tile.halves for tile in observation.tiles]
    anchor = np.asarray(anchor_px_to_mm, np.float64)
    if not len(known_mm) or not len(corners):
        return Registration(anchor, CameraMotion.UNKNOWN, 0.0, 0, len(known_mm))
    still = _in_place(known_mm, project(anchor, corners), known, halves, _CLOSE_MM)
    need = max(1, round(_LEAST_SHARE * min(len(known_mm), len(corners))))
    if len(still) >= need and _shift(known_mm, project(anchor, corners), still) < _STILL_MM:
        return Registration(anchor, CameraMotion.STILL, 0.0, len(still), len(known_mm))
    moved = _moved(known_mm, known, corners, halves, observation.px_to_mm)
    tight = [m for m in still if m.shift_mm < _STILL_MM and same_tile(known[m.before], halves[m.after])]
    if moved is not None and tight and moved[1] < min(len(known_mm), len(corners)):
        # a pushed camera leaves no tile where it was in the picture: other tiles were pushed
        return Registration(anchor, CameraMotion.STILL, 0.0, len(still), len(known_mm))
    if moved is None or moved[1] < max(need, len(still), _LEAST_TILES):
        moved = None if tight else _nudged(known_mm, known, corners, halves, anchor)
    if moved is not None:
        px_to_mm, inliers = moved
        pairs = _in_place(known_mm, project(px_to_mm, corners), known, halves)
        shift = _shift(known_mm, project(anchor, corners), pairs)
        return Registration(px_to_mm, CameraMotion.MOVED, shift, inliers, len(known_mm))
    motion = CameraMotion.STILL if len(still) >= need else CameraMotion.UNKNOWN
    return Registration(anchor, motion, 0.0, len(still), len(known_mm))


def anchored(observation: TableObservation, px_to_mm: F64Array) -> TableObservation:
    """Return the observation with its quads in the coordinates of `px_to_mm` (3, 3)."""
    homography = np.asarray(px_to_mm, np.float64)
    tiles = tuple(
        replace(tile, quad_mm=project(homography, tile.quad_px.astype(np.float64)).astype(np.float32))
        for tile in observation.tiles
    )
    return replace(observation, tiles=tiles, px_to_mm=homography)


def quads_of(observation: TableObservation) -> F64Array:
    """Return the quads of an observation in its table millimetres, shape (n, 4, 2)."""
    quads: list[F32Array] = [tile.quad_mm for tile in observation.tiles]
    return np.array(quads, np.float64).reshape(-1, 4, 2)


def _in_place(
    known_mm: F64Array,
    quads_mm: F64Array,
    known: Sequence[Halves],
    halves: Sequence[Halves],
    tolerance: float = _CLOSE_MM,
) -> list[TileMatch]:
    matches = match_tiles(known_mm, quads_mm, known, halves, anywhere=False)
    return [match for match in matches if match.shift_mm < tolerance and abs(match.turn) < 0.3]


def _shift(known_mm: F64Array, quads_mm: F64Array, matches: list[TileMatch]) -> float:
    """Return the length of the median shift of matched tiles, mm."""
    if not matches:
        return 0.0
    delta = [quads_mm[match.after].mean(0) - known_mm[match.before].mean(0) for match in matches]
    return float(np.linalg.norm(np.median(np.array(delta), axis=0)))


def _moved(
    known_mm: F64Array, known: Sequence[Halves], corners: F64Array, halves: Sequence[Halves], own: F64Array
) -> tuple[F64Array, int] | None:
    """Return the frame's homography to table millimetres, and how many known tiles it brings into place."""
    quads = project(own, corners)
    best: tuple[int, float, Pose] | None = None
    for pose in _proposals(known_mm, known, quads, halves):
        matches = _in_place(known_mm, pose.apply(quads), known, halves, _FIT_MM)
        agreeing = [m for m in matches if same_tile(known[m.before], halves[m.after]) is not False]
        rank = (len(agreeing), -float(sum(m.shift_mm for m in agreeing)))
        if best is None or rank > best[:2]:
            best = (*rank, pose)
    if best is None:
        return None
    pose = best[2]
    for _ in range(3):
        matches = _in_place(known_mm, pose.apply(quads), known, halves, _FIT_MM)
        if not matches:
            return None
        pose = rigid_fit(*_matched(quads, known_mm, matches))
    px_to_mm = _refined(pose.matrix @ own, known_mm, known, corners, halves)
    inliers = _in_place(known_mm, project(px_to_mm, corners), known, halves)
    return px_to_mm, len(inliers)


def _nudged(
    known_mm: F64Array, known: Sequence[Halves], corners: F64Array, halves: Sequence[Halves], anchor: F64Array
) -> tuple[F64Array, int] | None:
    """Return the homography to table millimetres, and the tiles in place, if almost all tiles moved a little together.

    Backs show no values that could propose a motion, but in a table full of them the nearest one is the same tile;
    after a wider push their places together tell which is which.
    """
    quads = project(anchor, corners)
    least = max(_FULL_TILES, round(_NUDGED_SHARE * min(len(known_mm), len(corners))))
    pose = Pose()
    if len(_in_place(known_mm, quads, known, halves, _NUDGE_MM)) < least:
        pose = _pushed(known_mm.mean(1), quads.mean(1)) or pose
    for tolerance in (_NUDGE_MM, _FIT_MM, _FIT_MM):
        matches = _in_place(known_mm, pose.apply(quads), known, halves, tolerance)
        if len(matches) < least:
            return None
        pose = rigid_fit(*_matched(quads, known_mm, matches))
    px_to_mm = _refined(pose.matrix @ anchor, known_mm, known, corners, halves)
    inliers = _in_place(known_mm, project(px_to_mm, corners), known, halves)
    return (px_to_mm, len(inliers)) if len(inliers) >= least else None


def _pushed(known_mm: F64Array, seen_mm: F64Array) -> Pose | None:
    """Return the shift that brings the middles of the tiles that are seen, (m, 2), onto the known ones, (n, 2).

    None if it does so for few of them, or another shift does so for as many: a row of backs moved by one of them.
    """
    shifts = (known_mm[:, None] - seen_mm[None]).reshape(-1, 2)
    away = np.linalg.norm(seen_mm[None, :, None] + shifts[:, None, None] - known_mm[None, None], axis=-1).min(2)
    hits = (away < _FIT_MM).sum(1)
    best = int(np.lexsort((np.minimum(away, _FIT_MM).sum(1), -hits))[0])
    others = np.linalg.norm(shifts - shifts[best], axis=1) > _FIT_MM
    few = hits[best] < max(_FULL_TILES, _NUDGED_SHARE * max(len(known_mm), len(seen_mm)))
    if few or (others.any() and hits[others].max() >= hits[best]):
        return None
    return Pose(shift=(float(shifts[best, 0]), float(shifts[best, 1])))


def _matched(quads: F64Array, known_mm: F64Array, matches: Sequence[TileMatch]) -> tuple[F64Array, F64Array]:
    """Return the corners of matched tiles, of quads and of known ones, one for one, both of shape (4 m, 2)."""
    return (
        np.concatenate([quads[match.after] for match in matches]),
        np.concatenate([_as_turned(known_mm[match.before], turned=match.turned) for match in matches]),
    )


def _refined(
    rigid: F64Array, known_mm: F64Array, known: Sequence[Halves], corners: F64Array, halves: Sequence[Halves]
) -> F64Array:
    """Return the homography that fits the corners of all tiles in place best, or the rigid one if they are few."""
    px_to_mm = rigid
    for _ in range(3):
        matches = _in_place(known_mm, project(px_to_mm, corners), known, halves, _FIT_MM)
        if len(matches) < _FULL_TILES:
            return px_to_mm
        fitted, _ = cv2.findHomography(*_matched(corners, known_mm, matches), cv2.RANSAC, _CLOSE_MM / 2)
        if np.shape(fitted) != (3, 3) or not _agrees(np.asarray(fitted, np.float64), rigid, corners):
            return px_to_mm
        px_to_mm = np.asarray(fitted, np.float64)
    return px_to_mm


def _proposals(known_mm: F64Array, known: Sequence[Halves], quads: F64Array, halves: Sequence[Halves]) -> list[Pose]:
    """Return the rigid motions that bring a tile onto a known one of the same values."""
    (centre, axis), (centre_new, axis_new) = axes(known_mm), axes(quads)
    found = []
    for i, first in enumerate(known):
        for j, second in enumerate(halves):
            if first is None or not same_tile(first, second):
                continue
            for turned in (False, True) if first[0] == first[1] else (first != second,):
                way = -axis_new[j] if turned else axis_new[j]
                turn = float(np.arctan2(way[0] * axis[i][1] - way[1] * axis[i][0], way @ axis[i]))
                shift = centre[i] - Pose(turn).apply(centre_new[j])
                found.append(Pose(turn, (float(shift[0]), float(shift[1]))))
    return found


def _as_turned(quad: F64Array, *, turned: bool) -> F64Array:
    return np.roll(quad, 2, axis=0) if turned else quad


def _agrees(fitted: F64Array, rigid: F64Array, corners: F64Array) -> bool:
    """Whether two homographies put all tiles within half a tile of each other: none runs wild far from its points."""
    away = np.linalg.norm(project(fitted, corners) - project(rigid, corners), axis=-1)
    return bool(away.max() < TILE_LENGTH_MM / 2)
