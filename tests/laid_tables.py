"""Tables laid by rule and chance, seen by a camera: readings whose truth is known, for unit and property tests."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import cv2
import numpy as np

from domino_rules.layout import Arm, Layout
from domino_rules.tile import DOUBLE_SIX, Tile, TileSet
from domino_vision.types import Face, Join, Part, TableObservation, TileReadings

LENGTH, WIDTH = 50.0, 25.0
EAST, SOUTH = np.array([1.0, 0.0]), np.array([0.0, 1.0])
Point = np.ndarray


@dataclass
class Edge:
    """A free edge: the tile and part it belongs to, its middle, the direction outwards, the pips to match."""

    tile: int
    part: Part
    at: Point
    out: Point
    pips: int


@dataclass
class LaidTable:
    """Tiles on a table in millimetres: centre, axis from first to second half, halves; joins and the layout."""

    centre: list[Point] = field(default_factory=list)
    axis: list[Point] = field(default_factory=list)
    halves: list[tuple[int, int]] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)
    layout: Layout = field(default_factory=Layout)
    edges: dict[Arm, Edge] = field(default_factory=dict)

    def quads(self) -> np.ndarray:
        """Return corners in millimetres (n, 4, 2), 0-1 the first half's short edge."""
        return np.array([rectangle(c, a) for c, a in zip(self.centre, self.axis, strict=True)]).reshape(-1, 4, 2)

    def add(self, centre: Point, axis: Point, halves: tuple[int, int]) -> int:
        """Lay a tile, joined to nothing; return its index."""
        self.centre.append(np.asarray(centre, float))
        self.axis.append(np.asarray(axis, float))
        self.halves.append(halves)
        return len(self.halves) - 1

    def free(self, centre: Point, axis: Point, room: float, spare: int | None) -> bool:
        """Whether a tile would keep `room` mm from all but the tile `spare` that it is laid against."""
        grown = rectangle(centre, axis, LENGTH + 2 * room, WIDTH + 2 * room).astype(np.float32)
        for i, quad in enumerate(self.quads().astype(np.float32)):
            if i != spare and cv2.intersectConvexConvex(grown, quad)[0] > 0:
                return False
        return True


def rectangle(centre: Point, axis: Point, length: float = LENGTH, width: float = WIDTH) -> np.ndarray:
    """Return the corners of a tile (4, 2), 0-1 at the first half."""
    side = np.array([-axis[1], axis[0]])
    u, v = axis * length / 2, side * width / 2
    return np.array([centre - u - v, centre - u + v, centre + u + v, centre + u - v])


def line(*tiles: tuple[int, int]) -> LaidTable:
    """Lay a straight line from left to right, doubles crosswise."""
    table, x = LaidTable(), 0.0
    for a, b in tiles:
        width = WIDTH if a == b else LENGTH
        table.add(np.array([x + width / 2, 0.0]), SOUTH if a == b else EAST, (a, b))
        x += width + 1
    return table


def lay_chain(rng: random.Random, count: int, gap: float = 2.0, tile_set: TileSet = DOUBLE_SIX) -> LaidTable:
    """Lay up to `count` tiles by the rules, with turns, crosswise doubles and spinner arms, `gap` mm apart at most."""
    table = LaidTable()
    left = list(tile_set.kinds)
    first = rng.choice(left)
    left.remove(first)
    halves = first.halves if rng.random() < 0.5 else (first.halves[1], first.halves[0])
    east = np.array([1.0, 0.0])
    table.add(np.zeros(2), np.array([0.0, 1.0]) if first.is_double else east, halves)
    table.layout = table.layout.put(first, Arm.START, halves[0])
    if first.is_double:
        for arm, way in ((Arm.LEFT, -east), (Arm.RIGHT, east)):
            table.edges[arm] = Edge(0, "m", way * WIDTH / 2, way, first.high)
    else:
        table.edges[Arm.LEFT] = Edge(0, "a", -east * LENGTH / 2, -east, halves[0])
        table.edges[Arm.RIGHT] = Edge(0, "b", east * LENGTH / 2, east, halves[1])
    for _ in range(40 * count):
        if len(table.halves) >= count:
            break
        tile = rng.choice(left)
        arms = [arm for arm in table.layout.fits(tile) if arm in table.edges]
        if arms and _attach(rng, table, tile, rng.choice(arms), gap):
            left.remove(tile)
    return table


def _attach(rng: random.Random, table: LaidTable, tile: Tile, arm: Arm, gap: float) -> bool:
    edge = table.edges[arm]
    inner = edge.pips
    outer = tile.other(inner)
    space = rng.uniform(0, gap)
    side = np.array([-edge.out[1], edge.out[0]]) * rng.choice((-1, 1))
    part: Part
    if tile.is_double and edge.part != "m":
        centre, axis, part, tip = edge.at + edge.out * (WIDTH / 2 + space), side, "m", edge.out * WIDTH / 2
        new = Edge(len(table.halves), "m", centre + tip, edge.out, outer)
    else:
        centre, way = _line_on(rng, table, edge, side, space)
        first_in = rng.random() < 0.5
        axis = way if first_in else -way
        part = "a" if first_in else "b"
        new = Edge(len(table.halves), "b" if first_in else "a", centre + way * LENGTH / 2, way, outer)
    if not table.free(centre, axis, 14.0, edge.tile):
        return False
    halves = (inner, outer) if part != "b" else (outer, inner)
    index = table.add(centre, axis, halves)
    table.joins.append(Join(edge.tile, edge.part, index, part))
    before = table.layout.arms_open
    table.layout = table.layout.put(tile, arm, inner)
    table.edges[arm] = new
    if table.layout.arms_open and not before:
        _open_arms(table)
    return True


def _line_on(rng: random.Random, table: LaidTable, edge: Edge, side: Point, space: float) -> tuple[Point, Point]:
    """Return the centre of the next tile, and which way the line goes on: straight or round a corner."""
    style = rng.choice(("straight", "straight", "new turns", "old turns"))
    if style == "new turns" and edge.part != "m":
        half = edge.at + edge.out * (WIDTH / 2 + space)
        return half + side * LENGTH / 4, side
    if style == "old turns" and edge.part != "m" and len(set(table.halves[edge.tile])) > 1:
        at = edge.at - edge.out * WIDTH / 2 + side * WIDTH / 2
        return at + side * (LENGTH / 2 + space), side
    return edge.at + edge.out * (LENGTH / 2 + space), edge.out


def _open_arms(table: LaidTable) -> None:
    spinner = table.layout.spinner
    if spinner is None:
        return
    pair = (spinner.tile.high, spinner.tile.high)
    index = next(i for i, halves in enumerate(table.halves) if halves == pair)
    sides: tuple[tuple[Arm, Part, float], ...] = ((Arm.UP, "a", -1.0), (Arm.DOWN, "b", 1.0))
    for arm, part, sign in sides:
        way = table.axis[index] * sign
        table.edges[arm] = Edge(index, part, table.centre[index] + way * LENGTH / 2, way, spinner.tile.high)


@dataclass(frozen=True)
class Camera:
    """A camera over the table: turned about its axis, tilted, far enough to see all; angles in degrees."""

    turn: float = 0.0
    tilt: float = 0.0
    lean: float = 0.0
    px_per_mm: float = 3.0
    size_wh: tuple[int, int] = (1920, 1440)

    def see(self, points_mm: np.ndarray) -> np.ndarray:
        """Return points in pixels, same shape."""
        if not points_mm.size:
            return points_mm
        flat = points_mm.reshape(-1, 2)
        flat = flat - (flat.min(0) + flat.max(0)) / 2
        turn, tilt, lean = np.radians([self.turn, self.tilt, self.lean])
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        flat = flat @ spin.T
        focal = 0.95 * max(self.size_wh)
        away = max(focal / self.px_per_mm, 1.8 * float(np.abs(flat).max(initial=50)))
        axis = np.array([np.cos(lean), np.sin(lean), 0]) * tilt
        matrix, _ = cv2.Rodrigues(axis)
        seen = np.c_[flat, np.zeros(len(flat))] @ matrix.T + [0, 0, away]
        pixels = seen[:, :2] / seen[:, 2:] * focal + np.array(self.size_wh) / 2
        return pixels.reshape(points_mm.shape)


def read_table(
    table: LaidTable, camera: Camera, rng: np.random.Generator, noise: float = 0.0, sure: float = 0.98
) -> TileReadings:
    """Return readings of the tiles: corners with noise (share of a tile's length), halves with probability `sure`."""
    quads = camera.see(table.quads())
    lengths = np.linalg.norm(quads[:, :2].mean(1) - quads[:, 2:].mean(1), axis=1)
    quads = quads + rng.normal(0, noise, quads.shape) * lengths[:, None, None]
    return TileReadings(
        quads.astype(np.float32),
        np.full(len(quads), Face.UP, np.uint8),
        np.full(len(quads), 0.9, np.float32),
        sharp(table.halves, sure),
    )


def sharp(halves: list[tuple[int, int]], sure: float = 0.98) -> np.ndarray:
    """Return log-probabilities (n, 2, 15) float32 that favour the given halves."""
    p = np.full((len(halves), 2, 15), (1 - sure) / 14)
    for i, pair in enumerate(halves):
        p[i, (0, 1), pair] = sure
    return np.log(p).astype(np.float32)


def as_pairs(joins: list[Join] | tuple[Join, ...]) -> set[frozenset[tuple[int, Part]]]:
    """Return joins as unordered pairs."""
    return {frozenset(((j.a, j.a_part), (j.b, j.b_part))) for j in joins}


def codes(seen: TableObservation) -> list[str]:
    """Return what is wrong with a table, by code."""
    return sorted(problem.code for problem in seen.problems)
