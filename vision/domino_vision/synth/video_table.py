"""The parts of a scripted table, where a program looks for them by itself, and what all scripted games share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from domino_vision.assemble.plane import TILE_LENGTH_MM
from domino_vision.synth.board import Piece, footprint
from domino_vision.synth.layouts import Values
from domino_vision.synth.paint import F64
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_script import Laying, Sweeping, Taking
from domino_vision.synth.video_writer import NONE, Mishaps, ScriptWriter, xy
from domino_vision.zones_presets import preset, visible_rect

SIDES: Final[dict[int, tuple[int, ...]]] = {2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)}
"""By number of players, the side of the table of each seat: near, right, far, left."""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """An upright rectangle on the table: its lower and upper corner (2,), tile widths, y away from the camera."""

    low: F64
    high: F64

    @property
    def quad(self) -> F64:
        """Its corners (4, 2)."""
        size = self.high - self.low
        return footprint((self.low + self.high) / 2, 0.0, float(size[0]), float(size[1]))

    def holds(self, quad: F64, margin: float = 0.0) -> bool:
        """Return whether a quad (4, 2) lies inside."""
        return bool((quad >= self.low + margin).all() and (quad <= self.high - margin).all())

    def slots(self, length: float, *, lying: bool = False, gap: float = 0.22) -> list[F64]:
        """Return places for tiles, upright or lying, row by row from the near left corner on."""
        across, down = (length + gap, 1 + gap) if lying else (1 + gap, length + gap)
        size = self.high - self.low
        columns, rows = max(1, int(size[0] // across)), max(1, int(size[1] // down))
        middle = (self.low + self.high) / 2
        return [
            middle + xy((column - (columns - 1) / 2) * across, (row - (rows - 1) / 2) * down)
            for row in range(rows)
            for column in range(columns)
        ]


def table_spots(stage: Stage, game: str, seats: int) -> dict[str, Spot]:
    """Return the parts of a game's table by name, those of the preset for what the camera sees.

    Raises:
        ZoneError: the camera sees too little, or the preset does not know the game or that many seats.
    """
    mm = TILE_LENGTH_MM / stage.style.aspect
    to_mm = np.diag([mm, -mm, 1.0]) @ np.linalg.inv(stage.camera.plane(stage.style.thickness))
    zones = preset(game, seats, visible_rect(stage.camera.size_wh, np.asarray(to_mm, np.float64)))
    found = {}
    for zone in zones.zones:
        points = zone.points / [mm, -mm]
        found[zone.name] = Spot(points.min(axis=0), points.max(axis=0))
    return found


class TableWriter(ScriptWriter):
    """Writes the script of one kind of game."""

    def __init__(self, rng: np.random.Generator, stage: Stage, game: str, seats: int, mishaps: Mishaps = NONE) -> None:
        """Begin with an empty table.

        Args:
            rng: source of randomness.
            stage: camera and look of the tiles.
            game: the game, for the parts of its table.
            seats: players.
            mishaps: chances of bumps, light changes, hands that rest.
        """
        super().__init__(rng, stage, mishaps)
        self.rng = rng
        self.stage = stage
        self.seats = seats
        self.spots = table_spots(stage, game, seats)
        self.length = stage.board.length
        self.names = 0

    def key(self) -> str:
        """Return a new name for a piece."""
        self.names += 1
        return f"piece-{self.names}"

    def side(self, seat: int) -> int:
        """Return the side of the table of a seat: near, right, far or left."""
        return SIDES[self.seats][seat]

    def up(self, at: F64, halves: Values, angle: float = math.pi / 2, messy: float = 0.04) -> Piece:
        """Return a tile face up at a place, either way round."""
        if self.rng.random() < 0.5:
            halves = (halves[1], halves[0])
        shift = self.rng.normal(0, messy / 2, 2)
        return Piece("up", at + shift, angle + float(self.rng.normal(0, messy)), self.length, halves=halves)

    def down(self, at: F64, angle: float = math.pi / 2) -> Piece:
        """Return a tile face down at a place."""
        shift = self.rng.normal(0, 0.02, 2)
        return Piece("down", at + shift, angle + float(self.rng.normal(0, 0.02)), self.length)

    def show(self, seat: int, tiles: Sequence[Values], **move: Any) -> None:
        """Let a player turn up the tiles that he has left, in his place at the table."""
        spot = self.spots[f"hand-{seat}"]
        upright = self.side(seat) in {0, 2}
        slots = spot.slots(self.length, lying=not upright, gap=0.12)
        middle = (spot.low + spot.high) / 2
        slots.sort(key=lambda at: float(np.linalg.norm(at - middle)))
        angle = math.pi / 2 if upright else 0.0
        to = tuple((self.key(), self.up(at, tile, angle)) for at, tile in zip(slots, tiles, strict=False))
        if to:
            self.act(Laying(to, self.side(seat)), role="show", seat=seat, tiles=list(tiles), **move)

    def clear(self, seat: int = 0) -> None:
        """Let somebody clear the table."""
        self.add(Sweeping(2.0, self.side(seat)))

    def take(self, keys: Sequence[str], seat: int, **move: Any) -> None:
        """Let a player take tiles off the table."""
        self.act(Taking(tuple(keys), self.side(seat)), seat=seat, **move)
