"""What is known of each tile on the table from all looks before, in table coordinates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from domino_vision.assemble.plane import project
from domino_vision.track.fuse import PRIOR_DOUBT, normalised, with_prior
from domino_vision.track.poses import Halves, match_tiles, same_tile
from domino_vision.types import HALF_CLASSES, F32Array, F64Array, ReadTile, TableObservation, TileReadings, TileRole

FORGET_AFTER: Final = 2
"""A tile that more committed looks in turn than this did not show is gone."""
_ESTABLISHED: Final = 2
"""A tile that was seen so often was no mistake."""
_SURE: Final = 0.98
_TOLD_DOUBT: Final = 1e-6
"""What a person said beats what is seen."""
_PLACE_MM: Final = 12.0
"""A tile further from its place is another one, or was moved: its values are read afresh."""
_MOST_LOGP_GAP: Final = 30.0


@dataclass(frozen=True, slots=True)
class KnownTile:
    """A tile that was on the table at the last commit, or shortly before.

    Attributes:
        quad_mm: shape (4, 2) float64.
        half_logp: shape (2, 15) float32, log-probabilities from all looks together.
        halves: pips as committed, first half first; None where no face was seen.
        confidence: probability that `halves` are right.
        role: as committed.
        told: whether a person said what it is.
        missed: commits in turn that did not show it.
        seen: commits that showed it with these values; 0 for a tile of a look that is not committed yet.
    """

    quad_mm: F64Array
    half_logp: F32Array
    halves: Halves
    confidence: float
    role: TileRole
    told: bool = False
    missed: int = 0
    seen: int = 1


class TableMemory:
    """The tiles known so far. A value: `after` returns the memory after one more commit."""

    def __init__(self, tiles: Sequence[KnownTile] = ()) -> None:
        """Remember some tiles, none by default."""
        self.tiles = tuple(tiles)

    def __len__(self) -> int:
        return len(self.tiles)

    @property
    def quads_mm(self) -> F64Array:
        """Quads of all known tiles, shape (n, 4, 2)."""
        return np.array([tile.quad_mm for tile in self.tiles], np.float64).reshape(-1, 4, 2)

    @property
    def halves(self) -> tuple[Halves, ...]:
        """Pips of all known tiles."""
        return tuple(tile.halves for tile in self.tiles)

    def prime(
        self, readings: TileReadings, px_to_mm: F64Array, unturned: Collection[int] = frozenset()
    ) -> TileReadings:
        """Return readings in which tiles in their known place carry what was known of them.

        Args:
            readings: a look.
            px_to_mm: shape (3, 3), that look's pixels to table millimetres.
            unturned: the tiles of the look of which it is known that nobody turned them over.
        """
        quads = project(px_to_mm, readings.corners_px.astype(np.float64))
        logp = readings.half_logp.copy()
        nothing = [None] * len(quads)
        for match in match_tiles(self.quads_mm, quads, [None] * len(self), nothing):
            tile = self.tiles[match.before]
            if match.shift_mm < _PLACE_MM and tile.halves is not None:
                known = tile.half_logp[::-1] if match.turned else tile.half_logp
                doubt, still = _TOLD_DOUBT if tile.told else PRIOR_DOUBT, match.after in unturned
                logp[match.after] = with_prior(logp[match.after], known, doubt, unturned=still)
        return TileReadings(readings.corners_px, readings.face, readings.score, logp)

    def after(self, observation: TableObservation, forget_after: int = FORGET_AFTER) -> TableMemory:
        """Return the memory after an observation in table coordinates was committed.

        Tiles that are not seen are kept for a while, as a detector may miss one that is still there; what a person said
        of them is not, as another one may be laid there.

        Args:
            observation: what was committed.
            forget_after: a tile seen more than once is kept while no more commits than this in turn miss it.
        """
        quads = np.array([tile.quad_mm for tile in observation.tiles], np.float64).reshape(-1, 4, 2)
        seen = [tile.halves for tile in observation.tiles]
        matches = {m.after: self.tiles[m.before] for m in match_tiles(self.quads_mm, quads, self.halves, seen)}
        known = [_known(tile, matches.get(i)) for i, tile in enumerate(observation.tiles)]
        used = {id(tile) for tile in matches.values()}
        lost = [replace(tile, missed=tile.missed + 1, told=False) for tile in self.tiles if id(tile) not in used]
        shown = {tuple(sorted(tile.halves)) for tile in known if tile.halves is not None}
        kept = [
            tile
            for tile in lost
            if tile.missed <= (forget_after if tile.seen >= _ESTABLISHED else min(forget_after, FORGET_AFTER))
            and (tile.halves is None or tuple(sorted(tile.halves)) not in shown)
        ]
        return TableMemory([*known, *kept])

    def unknown(self, observation: TableObservation) -> tuple[int, ...]:
        """Return the tiles of an observation in table coordinates that no known tile is, here or elsewhere before."""
        quads = np.array([tile.quad_mm for tile in observation.tiles], np.float64).reshape(-1, 4, 2)
        seen = [tile.halves for tile in observation.tiles]
        known = {match.after for match in match_tiles(self.quads_mm, quads, self.halves, seen)}
        return tuple(i for i in range(len(seen)) if i not in known)

    def told(self, index: int, halves: tuple[int, int], *, by_person: bool = True) -> TableMemory:
        """Return the memory after a person, or rules, said what a tile is, first half first."""
        logp = np.full((2, HALF_CLASSES), -_MOST_LOGP_GAP)
        logp[0, halves[0]] = logp[1, halves[1]] = 0.0
        tile = replace(self.tiles[index], half_logp=normalised(logp), halves=halves, confidence=1.0, told=by_person)
        return TableMemory([*self.tiles[:index], tile, *self.tiles[index + 1 :]])

    def expected(self, indices: Collection[int], unsure: Collection[int] = ()) -> TableMemory:
        """Return the memory in which some tiles were looked at, but not committed: they may be taken away as yet.

        Args:
            indices: these tiles.
            unsure: tiles of which that look says too little; it is not to be counted twice with the next one.
        """
        tiles = [replace(tile, seen=0) if i in indices else tile for i, tile in enumerate(self.tiles)]
        return TableMemory([replace(tile, halves=None) if i in unsure else tile for i, tile in enumerate(tiles)])

    def moved(self, transform: F64Array) -> TableMemory:
        """Return the memory with all places moved by a homography (3, 3) of the table plane."""
        return TableMemory([replace(tile, quad_mm=project(transform, tile.quad_mm)) for tile in self.tiles])


def _known(tile: ReadTile, before: KnownTile | None) -> KnownTile:
    quad = tile.quad_mm.astype(np.float64)
    told = before is not None and before.told and before.halves is not None and tile.halves is not None
    logp = _belief(tile.halves, tile.half_confidence)
    if told and before is not None and before.halves is not None:  # what was said is no surer or less for being seen
        if tile.halves == before.halves:
            logp = before.half_logp
        elif tile.halves == before.halves[::-1]:
            logp = before.half_logp[::-1].copy()
    same = before is not None and bool(same_tile(before.halves, tile.halves))
    seen = before.seen + 1 if before is not None and same else 1
    return KnownTile(quad, logp, tile.halves, tile.confidence, tile.role, told=told, seen=seen)


def _belief(halves: Halves, confidence: tuple[float, float] | None) -> F32Array:
    """Return log-probabilities (2, 15) of a tile as committed: its decoded values, and evenly all others."""
    p = np.full((2, HALF_CLASSES), 1 / HALF_CLASSES)
    if halves is not None:
        for half, value in enumerate(halves):
            sure = min(max((confidence or (_SURE, _SURE))[half], 1 / HALF_CLASSES), 0.9999)
            p[half] = (1 - sure) / (HALF_CLASSES - 1)
            p[half, value] = sure
    return normalised(np.log(p))
