"""Follow a table from photograph to photograph: what is known stays known, and what is new is a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from domino_rules.tile import Tile, TileSet
from domino_vision.assemble.plane import TILE_LENGTH_MM
from domino_vision.track import CameraMotion, Registration, TableTracker
from domino_vision.types import F32Array, F64Array, ReadTile, TableObservation, TileReadings, TileRole

_UP: Final = (TileRole.CHAIN, TileRole.LOOSE)
_FORGET_AFTER: Final = 12
"""Photographs of a game that only grows: a tile that several of them miss was overlooked."""


@dataclass(frozen=True, slots=True)
class FollowerOptions:
    """What counts as a move, and when a person is asked about one."""

    ask_new: float = 0.9
    """Ask if a new tile is less certain than this."""
    reach_mm: float = TILE_LENGTH_MM * 0.75
    """A new tile belongs to the others if its edge is within this of one of theirs; else it lies loose."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one photograph told.

    Attributes:
        observation: the table in table coordinates.
        registration: where the table lay in the frame.
        new: indices of tiles that came, in play.
        loose: indices of tiles that came but lie aside: no moves.
        tiles: the tiles that came in play.
        asks: whether a person would be asked before these are moves.
    """

    observation: TableObservation
    registration: Registration
    new: tuple[int, ...]
    loose: tuple[int, ...]
    tiles: tuple[Tile, ...]
    asks: bool


class Follower:
    """The state of one table between photographs."""

    def __init__(self, tile_set: TileSet, options: FollowerOptions | None = None) -> None:
        """Start with an unknown table.

        Args:
            tile_set: the set in use, with copies: a tile that is out comes no second time.
            options: thresholds.
        """
        self.options = options or FollowerOptions()
        self.tracker = TableTracker(tile_set, forget_after=_FORGET_AFTER)

    def step(self, readings: TileReadings, size_wh: tuple[int, int]) -> Step:
        """Take in the readings of the next photograph.

        Args:
            readings: the tiles found, with a distribution over each half.
            size_wh: width and height of the photograph in pixels.
        """
        look = self.tracker.look([readings], size_wh)
        observation, memory = look.observation, self.tracker.memory
        fresh = [i for i in memory.unknown(observation) if observation.tiles[i].role in _UP]
        fresh = [i for i in fresh if not self._lifted(observation.tiles[i])]
        known = [tile.quad_mm for tile in memory.tiles if tile.halves is not None]
        played, loose = self._in_play(observation, fresh, known)
        tiles = tuple(tile for i in played if (tile := observation.tiles[i].tile) is not None)
        asks = any(observation.tiles[i].confidence < self.options.ask_new for i in played)
        asks |= look.registration.motion is CameraMotion.UNKNOWN and len(known) > 1
        self.tracker.commit(look)
        return Step(observation, look.registration, tuple(played), tuple(loose), tiles, asks)

    def _lifted(self, tile: ReadTile) -> bool:
        """Whether every copy of a tile's kind is known to be out, hidden for the moment."""
        hidden = [known.halves for known in self.tracker.memory.tiles if known.missed and known.halves is not None]
        out = sum(Tile(*halves) is tile.tile for halves in hidden)
        return tile.tile is not None and out >= max(1, self.tracker.tile_set.copies(tile.tile))

    def _in_play(
        self, observation: TableObservation, fresh: list[int], known: list[F64Array]
    ) -> tuple[list[int], list[int]]:
        """Split new tiles into those that belong to what lies there, one after the other, and those that lie aside."""
        played = [i for i in fresh if observation.tiles[i].role is TileRole.CHAIN]
        left = [i for i in fresh if i not in played]
        places: list[F32Array | F64Array] = [*known, *(observation.tiles[i].quad_mm for i in played)]
        if not places and len(left) == 1:
            return left, []
        while left:
            gaps = {i: min((_gap_mm(observation.tiles[i].quad_mm, at) for at in places), default=np.inf) for i in left}
            near = [i for i in left if gaps[i] < self.options.reach_mm]
            if not near:
                break
            played += near
            places += [observation.tiles[i].quad_mm for i in near]
            left = [i for i in left if i not in near]
        return played, left


def _gap_mm(first: F32Array, second: F32Array | F64Array) -> float:
    """Return the least distance between points on the edges of two quads, mm."""
    return float(np.linalg.norm(_ring(first)[:, None] - _ring(second)[None], axis=-1).min())


def _ring(quad: F32Array | F64Array) -> F64Array:
    steps = np.linspace(0, 1, 5)[:-1, None]
    after = np.roll(quad, -1, axis=0)
    return np.concatenate([quad[k] + steps * (after[k] - quad[k]) for k in range(4)]).astype(np.float64)
