"""From what a person points at in the picture to what vision and referee know: tiles, joins, zones."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from domino_rules.errors import SetupError
from domino_rules.tile import Tile
from domino_server.tables.commands import ZoneShape
from domino_server.tables.spectacles import MissedTile
from domino_vision.assemble.plane import TILE_LENGTH_MM, project
from domino_vision.types import F64Array, Part, ReadTile, TableObservation
from domino_vision.zones import Zone, Zones

_ASPECT: Final = 1.95
_HALVES: Final = re.compile(r"\s*(\d{1,2})\D+(\d{1,2})\s*", re.ASCII)

Pixel = tuple[float, float]


def tile_at(observation: TableObservation | None, index: int) -> ReadTile:
    """Return a tile of the table shown; raises SetupError `no_such_tile`."""
    if observation is None or not 0 <= index < len(observation.tiles):
        known = 0 if observation is None else len(observation.tiles)
        raise SetupError("no_such_tile", f"no tile {index} in the picture: {known} tiles", tile=index, tiles=known)
    return observation.tiles[index]


def middle_px(tile: ReadTile) -> Pixel:
    """Return the middle of a tile in pixels."""
    x, y = tile.quad_px.mean(axis=0)
    return float(x), float(y)


def zones_of(shapes: list[ZoneShape], observation: TableObservation | None, seats: int, game: str) -> Zones:
    """Return zones drawn in pixels as zones of the table.

    Raises:
        SetupError: `no_picture_yet` if no table was understood.
        ZoneError: as `Zone` and `Zones`.
    """
    if observation is None:
        raise SetupError("no_picture_yet", "draw zones once the table was seen")
    zones = []
    for shape in shapes:
        corners = project(observation.px_to_mm, np.array(shape.polygon, np.float64))
        zones.append(Zone(shape.name, tuple((float(x), float(y)) for x, y in corners)))
    return Zones(tuple(zones), seats, game)


def missed_tile(observation: TableObservation | None, text: str, at: Pixel, head: Pixel | None) -> MissedTile:
    """Return a tile that was not found, as it must lie.

    Without `head` it lies as its neighbour wants it: with the half that matches towards it, a double crosswise.

    Args:
        observation: the table shown.
        text: the tile; its first number is the half at `head`.
        at: its middle in pixels.
        head: the middle of its first half in pixels.

    Raises:
        SetupError: `no_picture_yet`.
        ParseError: `tile_syntax`, `tile_pips`.
    """
    if observation is None:
        raise SetupError("no_picture_yet", "add a tile once the table was seen")
    tile = Tile.parse(text)
    match = _HALVES.fullmatch(text)
    halves = tile.halves if match is None else (int(match[1]), int(match[2]))
    middle, *rest = project(observation.px_to_mm, np.array([at, head or at], np.float64))
    axis, halves = _lying(observation, middle, None if head is None else rest[0], halves)
    side = np.array([-axis[1], axis[0]])
    u, v = axis * TILE_LENGTH_MM / 2, side * TILE_LENGTH_MM / _ASPECT / 2
    quad = np.array([middle + u - v, middle + u + v, middle - u + v, middle - u - v])
    to_px = np.asarray(np.linalg.inv(observation.px_to_mm), np.float64)
    return MissedTile(project(to_px, quad).astype(np.float32), halves)


def _lying(
    observation: TableObservation, middle: F64Array, head: F64Array | None, halves: tuple[int, int]
) -> tuple[F64Array, tuple[int, int]]:
    """Return the direction to the first half, and the halves in that order."""
    if head is not None and float(np.linalg.norm(head - middle)) > 1.0:
        return (head - middle) / np.linalg.norm(head - middle), halves
    faces = [tile for tile in observation.tiles if tile.halves is not None]
    if not faces:
        return np.array([1.0, 0.0]), halves
    near = min(faces, key=lambda tile: float(np.linalg.norm(tile.quad_mm.mean(axis=0) - middle)))
    back, pips = _towards(near, middle)
    if halves[0] == halves[1]:
        return np.array([-back[1], back[0]]), halves
    return back, halves if pips == halves[0] or pips != halves[1] else (halves[1], halves[0])


def _towards(near: ReadTile, middle: F64Array) -> tuple[F64Array, int]:
    """Return the direction from a place to its neighbour, along one of his axes, and the pips that he shows there."""
    assert near.halves is not None  # noqa: S101 - picked so
    quad = near.quad_mm.astype(np.float64)
    axis = quad[:2].mean(axis=0) - quad[2:].mean(axis=0)
    axis = axis / np.linalg.norm(axis)
    away = middle - quad.mean(axis=0)
    along, across = float(away @ axis), float(away @ np.array([-axis[1], axis[0]]))
    if abs(along) >= abs(across):
        return (-axis if along > 0 else axis), near.halves[0 if along > 0 else 1]
    side = np.array([-axis[1], axis[0]])
    return (-side if across > 0 else side), near.halves[0 if along > 0 else 1]


def nearest_parts(tile: ReadTile, other: ReadTile) -> tuple[Part, Part]:
    """Return the parts at which two tiles lie nearest to each other."""
    own, others = _parts(tile), _parts(other)
    pairs: list[tuple[Part, Part]] = [(part, other_part) for part in own for other_part in others]
    return min(pairs, key=lambda pair: float(np.linalg.norm(own[pair[0]] - others[pair[1]])))


def _parts(tile: ReadTile) -> dict[Part, F64Array]:
    quad = tile.quad_mm.astype(np.float64)
    ends: dict[Part, F64Array] = {"a": quad[:2].mean(axis=0), "b": quad[2:].mean(axis=0)}
    if tile.halves is not None and tile.halves[0] == tile.halves[1]:
        ends["m"] = quad.mean(axis=0)
    return ends
