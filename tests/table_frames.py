"""Pictures of games that a fake network reads without mistakes: each carries the number of its table in a corner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import cv2
import numpy as np

from domino_rules.games.pincset import PINCSET
from domino_rules.record import Record
from domino_rules.record_replay import replay
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_vision.synth.video_hand import Arm, draw_arm
from domino_vision.types import Detections, Face, Frame, TileReadings
from tests.laid_tables import rectangle, sharp
from tests.referee_games import LENGTH, Seen, Table, random_game, table_of

SIZE_WH = (1280, 720)
_BITS = 12
_BLOCK = 24
"""Pixels of a bit of the number; it lies so far from the picture's edge, where arms come over the table."""
PX_PER_MM = 0.9


@dataclass
class Film:
    """Tables as pictures. Use it as the network of a table: it reads what `show` has drawn."""

    tables: list[Table] = field(default_factory=list)
    looks: int = 0
    fail: int = 0
    """So many looks raise an error before the next one works."""
    misread: dict[Tile, tuple[int, int]] = field(default_factory=dict)
    """Of tiles that are read wrong each time: the number that a half shows, and the one that is read."""

    def show(self, table: Table) -> bytes:
        """Return the picture of a table as JPEG."""
        return jpeg(self.paint(table))

    def paint(self, table: Table) -> np.ndarray:
        """Return the picture of a table, shape (h, w, 3)."""
        self.tables.append(table)
        return draw(table, len(self.tables) - 1)

    def with_set(self, tile_set: object) -> Film:
        """Any set will do."""
        del tile_set
        return self

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        """Return the tiles of the table whose number the picture carries."""
        del near
        self.looks += 1
        if self.fail:
            self.fail -= 1
            raise RuntimeError("planted")
        return readings_of(self._as_read(self.tables[number_in(frame.bgr)]))

    def _as_read(self, table: Table) -> Table:
        tiles = list(table.tiles)
        for index, (centre, axis, pair, role) in enumerate(tiles):
            shown, read = self.misread.get(Tile(*pair), (-1, -1)) if pair is not None else (-1, -1)
            if pair is not None and shown in pair:
                halves = (read, pair[1]) if pair[0] == shown else (pair[0], read)
                tiles[index] = (centre, axis, halves, role)
        return Table(tiles, table.joins)


def quads_px(table: Table) -> np.ndarray:
    """Return the corners of the tiles in the picture."""
    quads = [rectangle(centre, np.asarray(axis, float)) for centre, axis, _, _ in table.tiles]
    mm = np.array(quads, float).reshape(-1, 4, 2)
    return mm * PX_PER_MM + np.array(SIZE_WH) / 2


def readings_of(table: Table) -> TileReadings:
    """Return what a perfect network reads."""
    quads = quads_px(table).astype(np.float32)
    halves = [pair or (0, 0) for _, _, pair, _ in table.tiles]
    face = np.array([Face.DOWN if pair is None else Face.UP for _, _, pair, _ in table.tiles], np.uint8)
    return TileReadings(quads, face, np.full(len(quads), 0.95, np.float32), sharp(halves, 0.995).reshape(-1, 2, 15))


def draw(table: Table, number: int) -> np.ndarray:
    """Return the picture (h, w, 3) of a table with its number."""
    width, height = SIZE_WH
    picture = np.full((height, width, 3), (60, 110, 60), np.uint8)
    noise = np.random.default_rng(1).integers(0, 12, (height // 4, width // 4), np.uint8)
    picture += cv2.resize(noise, SIZE_WH)[:, :, None]
    for quad, (_, _, pair, _) in zip(quads_px(table), table.tiles, strict=True):
        corners = quad.round().astype(np.int32)
        cv2.fillPoly(picture, [corners], (225, 235, 240))
        for half, pips in enumerate(pair or ()):
            middle = quad[2 * half : 2 * half + 2].mean(0) * 0.5 + quad.mean(0) * 0.5
            cv2.circle(picture, (round(middle[0]), round(middle[1])), 3 + pips, (20, 20, 20), -1)
    for bit in range(_BITS):
        colour = 255 if number >> bit & 1 else 0
        picture[height - 2 * _BLOCK : height - _BLOCK, (bit + 1) * _BLOCK : (bit + 2) * _BLOCK] = colour
    return picture


def reached_over(bgr: np.ndarray, side: int, slant: float) -> np.ndarray:
    """Return a picture with somebody's arm over the middle of the table (see `draw_arm`)."""
    picture, ids = bgr.copy(), np.zeros(bgr.shape[:2], np.uint8)
    arm = Arm((140, 170, 220), (120, 60, 40), (0.0, 0.0, 0.0, 0.0))
    draw_arm(picture, ids, arm, np.array(SIZE_WH) / 2, side, LENGTH * PX_PER_MM, slant)
    return picture


def number_in(bgr: np.ndarray) -> int:
    """Return the number that a picture carries."""
    first, height = _BLOCK + _BLOCK // 2, bgr.shape[0]
    row = bgr[height - first, first : first + _BITS * _BLOCK : _BLOCK].mean(axis=1)
    return sum(1 << bit for bit, grey in enumerate(row) if grey > 127)


def jpeg(bgr: np.ndarray) -> bytes:
    """Return a picture as JPEG."""
    return cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def states(record: Record, hand: int = 0) -> Iterator[GameState]:
    """Yield the states behind the moves of a hand."""
    for step in replay(record).hands[hand].steps:
        yield step.state


def pincset_tables(seed: int, most: int) -> tuple[Record, list[Table]]:
    """Return a random game of Pińćset and its tables after each of the first tiles laid."""
    record = random_game("pincset", "ABCD", seed, 1, force_66=False)
    assert PINCSET.name == record.game
    tables: list[Table] = []
    for state in states(record):
        table = table_of(state, Seen(stock=False), Random(seed))
        if not tables or len(table.tiles) > len(tables[-1].tiles):
            tables.append(table)
        if len(tables) == most:
            break
    return record, tables


def tiles_of(tables: Sequence[Table]) -> list[int]:
    """Return how many tiles lie on each table."""
    return [len(table.tiles) for table in tables]
