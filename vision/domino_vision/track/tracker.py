"""One table over time: a look is put into the table's coordinates, read with what is known, and kept if believed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_rules.tile import TileSet
from domino_vision.assemble import assemble
from domino_vision.assemble.plane import project
from domino_vision.track.calibration import Drift, DriftWatch, better_plane
from domino_vision.track.fuse import fuse_looks
from domino_vision.track.memory import FORGET_AFTER, TableMemory
from domino_vision.track.plausible import common_area, plausible
from domino_vision.track.poses import Pose, match_tiles
from domino_vision.track.register import CameraMotion, Registration, anchored, register
from domino_vision.types import (
    BACK_CLASS,
    HALF_CLASSES,
    UNREADABLE_CLASS,
    F64Array,
    Face,
    TableObservation,
    TileReadings,
    TileRole,
)

_KEPT_SCORE: Final = 0.5
_SURE_SCORE: Final = 0.6
"""A tile of at least this score may have been overlooked before."""
_CLEAR_BACK: Final = 0.9
"""A tile that is found face down lies so, whatever was known of it, if it reads as a back this surely."""
_BARE: Final = 0.5
"""Mean probability of `unreadable` past which both halves of a tile cannot be read."""
_ACROSS: Final = 0.2
"""A box lies across a tile that covers this share of it."""
_FACES: Final = {TileRole.DOWN: Face.DOWN, TileRole.STANDING: Face.STANDING}

Decode = Callable[[TileReadings, tuple[int, int], TileSet], TableObservation]


@dataclass(frozen=True, slots=True)
class Look:
    """The table as looks at it show it, not yet believed.

    Attributes:
        observation: in table coordinates, decoded with what was known before.
        registration: where the table lies in these frames.
        readings: what was decoded, for evidence.
        looks: how many frames were added.
        own_px_to_mm: shape (3, 3), the plane that these frames' tiles alone tell of, in coordinates of its own.
    """

    observation: TableObservation
    registration: Registration
    readings: TileReadings
    looks: int = 1
    own_px_to_mm: F64Array | None = None


class TableTracker:
    """Where the table lies and what is known of its tiles. Not for several threads at once."""

    def __init__(
        self,
        tile_set: TileSet,
        decode: Decode = assemble,
        px_to_mm: F64Array | None = None,
        forget_after: int = FORGET_AFTER,
    ) -> None:
        """Start with an empty memory.

        Args:
            tile_set: the set in use, with copies: a tile that is out comes no second time.
            decode: decodes readings.
            px_to_mm: shape (3, 3), where the table lies, if it was calibrated before.
            forget_after: how many commits in turn may miss a tile that is still thought to be there.
        """
        self.tile_set = tile_set
        self.memory = TableMemory()
        self.decode = decode
        self._px_to_mm = px_to_mm
        self._forget_after = forget_after
        self._watch = DriftWatch()
        self.drift = Drift(Pose(), 0.0, 0)

    @property
    def px_to_mm(self) -> F64Array | None:
        """Pixels to table millimetres; None until a tile was committed, or markers told."""
        return self._px_to_mm

    def calibrate(self, px_to_mm: F64Array) -> None:
        """Take a table of which nothing is known yet to lie where markers show it (3, 3), pixels to millimetres."""
        if not len(self.memory):
            self._px_to_mm = px_to_mm

    def look(
        self,
        looks: Sequence[TileReadings],
        size_wh: tuple[int, int],
        unchanged: Callable[[F64Array], bool] | None = None,
        moved: Callable[[F64Array], Callable[[F64Array], bool]] | None = None,
    ) -> Look:
        """Return what frames of a table at rest show; nothing is remembered.

        Args:
            looks: readings of at least one frame, the sharpest first.
            size_wh: width and height of the frames in pixels.
            unchanged: whether the pixels of a quad (4, 2) are as they were at the last commit; a known tile that was
                not found in such a place is still there, and one that was found was not turned over.
            moved: gives the same for frames of a camera that was pushed, from their pixels to millimetres (3, 3).
        """
        alone = self.decode(looks[0], size_wh, self.tile_set)
        anchor = alone.px_to_mm if self._px_to_mm is None else self._px_to_mm
        registration = register(self.memory.quads_mm, self.memory.halves, alone, anchor)
        fused = plausible(fuse_looks(looks, registration.px_to_mm), registration.px_to_mm, self.memory)
        unturned: frozenset[int] = frozenset()
        if registration.motion is CameraMotion.MOVED:
            unchanged = None if moved is None else moved(registration.px_to_mm)
        if unchanged is not None and registration.motion is not CameraMotion.UNKNOWN:
            fused = self._with_kept(fused, registration, unchanged)
            unturned = _unturned(fused, unchanged)
        primed = self.memory.prime(fused, registration.px_to_mm, unturned)
        decoded = self.decode(primed, size_wh, self.tile_set)
        observation = anchored(decoded, registration.px_to_mm)
        return Look(observation, registration, fused, len(looks), decoded.px_to_mm)

    def _with_kept(
        self, readings: TileReadings, registration: Registration, unchanged: Callable[[F64Array], bool]
    ) -> TileReadings:
        """Return readings with the known tiles that were overlooked although nothing changed where they lie.

        Nor does a tile come where nothing changed: doubtful detections of such are left out, and those that lie across
        several tiles that are still there, as boxes between alike backs do. What is left where a known tile was taken
        away is told from the tile by that it cannot be read.
        """
        quads = project(registration.px_to_mm, readings.corners_px.astype(np.float64))
        matches = match_tiles(self.memory.quads_mm, quads, self.memory.halves, [None] * len(quads))
        found, known = {match.before for match in matches}, {match.after for match in matches}
        same = [unchanged(quad) for quad in readings.corners_px.astype(np.float64)]
        keep = [i in known or readings.score[i] >= _SURE_SCORE or not same[i] for i in range(len(readings))]
        bare = _unreadable(readings)
        for match in matches:  # it was taken away, and the ground below looks a little like a tile
            away = self.memory.tiles[match.before].missed > 0 or not same[match.after]
            keep[match.after] &= not (away and bare[match.after])
        to_px = np.asarray(np.linalg.inv(registration.px_to_mm), np.float64)
        lost = [t for i, t in enumerate(self.memory.tiles) if i not in found and t.seen and not t.missed]
        kept = [(tile, quad) for tile in lost if unchanged(quad := project(to_px, tile.quad_mm))]
        across = [
            sum(common_area(quad, other) > _ACROSS * cv2.contourArea(quad.astype(np.float32)) for _, other in kept) > 1
            for quad in readings.corners_px.astype(np.float64)
        ]
        keep = [kept_too and (i in known or not across[i]) for i, kept_too in enumerate(keep)]
        faces = [_FACES.get(tile.role, Face.UP) for tile, _ in kept]
        logp = np.array([tile.half_logp for tile, _ in kept], np.float32).reshape(-1, 2, HALF_CLASSES)
        corners = np.array([quad for _, quad in kept], np.float32).reshape(-1, 4, 2)
        return TileReadings(
            np.concatenate([readings.corners_px[keep], corners]),
            np.concatenate([readings.face[keep], np.array(faces, np.uint8)]),
            np.concatenate([readings.score[keep], np.full(len(kept), _KEPT_SCORE, np.float32)]),
            np.concatenate([readings.half_logp[keep], logp]),
        )

    def commit(self, look: Look) -> F64Array | None:
        """Believe a look: remember its tiles and where the table lies.

        A slow drift of all tiles is undone. Where the tiles show that the table's plane was found badly, when few of
        them lay there, it is found anew, and the coordinates change a little.

        Returns:
            None, or the homography (3, 3) from the table millimetres before to those from now on: zones follow it
            (`Zones.moved`), and the look's observation is to be anchored in `px_to_mm`.
        """
        self.memory = self.memory.after(look.observation, self._forget_after)
        if not len(look.observation.tiles):
            return None
        self._px_to_mm = look.registration.px_to_mm
        self.drift = self._watch.see(look.observation)
        if self.drift.significant:
            return self._change_frame(np.asarray(np.linalg.inv(self.drift.pose.matrix), np.float64))
        better = better_plane(look.readings, look.registration.px_to_mm, look.own_px_to_mm)
        if better is None:
            return None
        return self._change_frame(better @ np.linalg.inv(look.registration.px_to_mm))

    def _change_frame(self, transform: F64Array) -> F64Array:
        """Move what is known into other table coordinates."""
        if self._px_to_mm is not None:
            self._px_to_mm = np.asarray(transform @ self._px_to_mm, np.float64)
        self.memory = self.memory.moved(transform)
        self._watch = DriftWatch()
        return transform

    def tell(self, quad_mm: F64Array, halves: tuple[int, int], *, by_person: bool = True) -> None:
        """Remember what a person said of the tile nearest to a place, or what rules leave.

        Args:
            quad_mm: shape (4, 2), the tile's quad as last observed.
            halves: its pips, first half first.
            by_person: whether no look can prove it wrong.

        Raises:
            ValueError: no tile is known.
        """
        if not len(self.memory):
            raise ValueError("no tile is known yet")
        away = np.linalg.norm(self.memory.quads_mm.mean(1) - np.asarray(quad_mm, np.float64).mean(0), axis=1)
        self.memory = self.memory.told(int(np.argmin(away)), halves, by_person=by_person)


def _unturned(readings: TileReadings, unchanged: Callable[[F64Array], bool]) -> frozenset[int]:
    """Return the tiles that nobody turned over: nothing changed in their place, and they are no clear backs.

    Where few pips are all that tells a face from a back, hardly anything changes when it is turned.
    """
    back = np.exp(readings.half_logp[..., BACK_CLASS].astype(np.float64)).mean(-1)
    maybe = np.flatnonzero((readings.face != Face.DOWN) | (back < _CLEAR_BACK))
    return frozenset(i for i in maybe.tolist() if unchanged(readings.corners_px[i].astype(np.float64)))


def _unreadable(readings: TileReadings) -> NDArray[np.bool_]:
    """Return which tiles were found doubtfully, and show nothing that can be read."""
    unreadable = np.exp(readings.half_logp[..., UNREADABLE_CLASS].astype(np.float64)).mean(-1)
    return np.asarray((readings.score < _SURE_SCORE) & (unreadable > _BARE), bool)
