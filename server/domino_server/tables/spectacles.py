"""What people said of the picture of a table: tiles that are none, tiles that were missed, other joins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from domino_server.referee.sight import Sight
from domino_vision.types import HALF_CLASSES, F32Array, F64Array, Face, Join, Part, TileReadings

_SAME: Final = 0.45
"""What lies nearer than this share of a tile's length is the same tile."""
_TOLD_LOGP: Final = -30.0
_SURE: Final = 1.0


@dataclass(frozen=True, slots=True)
class MissedTile:
    """A tile that was not found: its corners (4, 2) in pixels, 0-1 at the first half's end, and its halves."""

    quad_px: F32Array
    halves: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ToldJoin:
    """How a tile is joined, by the middles of both in pixels; `to` None if it touches nothing."""

    at: tuple[float, float]
    part: Part
    to: tuple[float, float] | None
    to_part: Part


class Spectacles:
    """Corrects readings and joins of one table in the picture. It holds until the table is laid anew."""

    def __init__(self) -> None:
        """Start with nothing to correct."""
        self.phantoms: list[tuple[float, float]] = []
        self.missed: list[MissedTile] = []
        self.joins: list[ToldJoin] = []

    @property
    def clear(self) -> bool:
        """Whether nothing is corrected."""
        return not (self.phantoms or self.missed or self.joins)

    def forget(self) -> None:
        """Correct nothing any more."""
        self.phantoms.clear()
        self.missed.clear()
        self.joins.clear()

    def through(self, readings: TileReadings) -> TileReadings:
        """Return readings without phantoms and with the tiles that were missed."""
        if self.phantoms and len(readings):
            readings = _without(readings, self.phantoms)
        for tile in self.missed:
            if not _has(readings, tile.quad_px):
                readings = _with(readings, tile)
        return readings

    def joined(self, sight: Sight) -> Sight:
        """Return a sight with the joins that people said instead of those that were seen."""
        for told in self.joins:
            tile = _tile_at(sight, told.at)
            if tile is None:
                continue
            rest = tuple(join for join in sight.joins if tile not in (join.a, join.b))
            to = None if told.to is None else _tile_at(sight, told.to)
            extra = () if to is None or to == tile else (Join(tile, told.part, to, told.to_part),)
            sight = replace(sight, joins=(*rest, *extra))
        return sight


def _without(readings: TileReadings, phantoms: Sequence[tuple[float, float]]) -> TileReadings:
    middles, lengths = readings.corners_px.mean(1), _lengths(readings.corners_px)
    away = np.linalg.norm(middles[:, None] - np.array(phantoms, np.float32)[None], axis=2).min(1)
    keep = away > _SAME * lengths
    return TileReadings(readings.corners_px[keep], readings.face[keep], readings.score[keep], readings.half_logp[keep])


def _has(readings: TileReadings, quad_px: F32Array) -> bool:
    if not len(readings):
        return False
    away = np.linalg.norm(readings.corners_px.mean(1) - quad_px.mean(0), axis=1)
    return bool(away.min() < _SAME * float(_lengths(quad_px[None])[0]))


def _with(readings: TileReadings, tile: MissedTile) -> TileReadings:
    logp = np.full((1, 2, HALF_CLASSES), _TOLD_LOGP, np.float32)
    logp[0, (0, 1), tile.halves] = 0.0
    return TileReadings(
        np.concatenate([readings.corners_px, tile.quad_px[None].astype(np.float32)]),
        np.concatenate([readings.face, np.array([Face.UP], np.uint8)]),
        np.concatenate([readings.score, np.array([_SURE], np.float32)]),
        np.concatenate([readings.half_logp, logp]),
    )


def _lengths(corners: F32Array) -> F64Array:
    ends = corners[:, :2].mean(1) - corners[:, 2:].mean(1)
    return np.asarray(np.linalg.norm(ends, axis=1), np.float64)


def _tile_at(sight: Sight, at: tuple[float, float]) -> int | None:
    """Return the tile at a place in the picture; None if none lies there."""
    best, nearest = None, float("inf")
    for index, tile in enumerate(sight.tiles):
        if not tile.quad_px:
            continue
        quad = np.array(tile.quad_px, np.float64)
        away = float(np.linalg.norm(quad.mean(0) - np.array(at)))
        if away < nearest and away < _SAME * float(np.linalg.norm(quad[:2].mean(0) - quad[2:].mean(0))):
            best, nearest = index, away
    return best
