"""Legal chains laid as people lay them: crosswise doubles, bends, spinner arms, crooked joins."""

import math
from dataclasses import dataclass, replace

import numpy as np

from domino_vision.synth.board import Board, Piece, unit
from domino_vision.synth.paint import F64

Values = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Habits:
    """How tidily a chain is laid (lengths in tile widths, angles in radians, chances 0..1)."""

    gap: float = 0.02
    crooked: float = 0.01
    sideways: float = 0.02
    clearance: float = 0.15
    bend: float = 0.15
    crosswise: float = 0.85
    side_bend: float = 0.5

    @staticmethod
    def random(rng: np.random.Generator) -> "Habits":
        """Habits of a random player."""
        return Habits(
            gap=float(rng.choice([0.0, 0.02, 0.05, 0.14], p=[0.35, 0.35, 0.2, 0.1])),
            crooked=math.radians(float(rng.choice([0.2, 1.0, 2.5, 4.5], p=[0.25, 0.4, 0.25, 0.1]))),
            sideways=float(rng.choice([0.005, 0.03, 0.07], p=[0.4, 0.4, 0.2])),
            clearance=float(rng.uniform(0.05, 0.5)),
            bend=float(rng.choice([0.03, 0.15, 0.35], p=[0.4, 0.4, 0.2])),
            crosswise=float(rng.choice([1.0, 0.8, 0.2], p=[0.6, 0.25, 0.15])),
            side_bend=float(rng.choice([0.0, 0.5, 1.0], p=[0.35, 0.3, 0.35])),
        )


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """An open end: where the next tile goes on.

    Attributes:
        index: piece it belongs to.
        key: "a", "b" or "m".
        point: (2,) middle of the free edge.
        heading: direction in which the chain grows there.
        pips: what must match.
        half: (2,) centre of the last half, None where the tile lies crosswise.
    """

    index: int
    key: str
    point: F64
    heading: float
    pips: int
    half: F64 | None


class Chain:
    """Grows one chain on a board from a stock of tiles that it shares with its caller."""

    def __init__(self, rng: np.random.Generator, board: Board, stock: list[Values], habits: Habits) -> None:
        self._rng, self._board, self._stock, self._habits = rng, board, stock, habits
        self.ends: list[End] = []

    def start(self, centre: F64, heading: float, spinner: bool) -> bool:
        """Lay the first tile; a spinner is a crosswise double with four ends."""
        options = [t for t in self._stock if t[0] == t[1]] if spinner else list(self._stock)
        if not options:
            return False
        tile = options[int(self._rng.integers(len(options)))]
        length = self._board.length
        angle = heading + math.pi / 2 if spinner else heading
        index = self._board.add(Piece("up", centre, angle, length, halves=tile), self._habits.clearance)
        if index is None:
            return False
        self._stock.remove(tile)
        if spinner:
            for side in (0.0, math.pi):
                way = heading + side
                self.ends.append(End(index, "m", centre + unit(way) / 2, way, tile[0], None))
            for key, way in (("b", angle), ("a", angle + math.pi)):
                self.ends.append(End(index, key, centre + unit(way) * length / 2, way, tile[0], None))
        else:
            for key, way, pips in (("b", heading, tile[1]), ("a", heading + math.pi, tile[0])):
                tip = unit(way)
                self.ends.append(End(index, key, centre + tip * length / 2, way, pips, centre + tip * length / 4))
        return True

    def grow(self, count: int) -> int:
        """Lay up to ``count`` more tiles at random ends; how many were laid."""
        laid, fails = 0, 0
        while laid < count and self.ends and fails < 12:
            slot = int(self._rng.integers(len(self.ends)))
            after = self._extend(self.ends[slot])
            if after is None:
                fails += 1
                if self._rng.random() < 0.4:
                    self.ends.pop(slot)
            else:
                self.ends[slot] = after
                laid += 1
        return laid

    def lay(self, tile: Values, slot: int) -> bool:
        """Lay a given tile at an end; one that does not match is laid all the same, its first half to the chain.

        Args:
            tile: halves of the tile.
            slot: number of the end in ``ends``, which moves on.

        Returns:
            Whether there was room.
        """
        end = self.ends[slot]
        fits = end.pips in tile
        other = tile[0] if fits and tile[1] == end.pips else tile[1]
        for move in self._moves(end, tile[0] == tile[1]):
            after = self._place(end, move, other)
            if after is not None:
                if not fits:
                    self._board.pieces[-1] = replace(self._board.pieces[-1], halves=tile)
                self.ends[slot] = after
                return True
        return False

    def _extend(self, end: End) -> End | None:
        options = [t for t in self._stock if end.pips in t]
        self._rng.shuffle(options)
        for tile in options[:3]:
            other = tile[1] if tile[0] == end.pips else tile[0]
            for move in self._moves(end, other == end.pips):
                after = self._place(end, move, other)
                if after is not None:
                    self._stock.remove(tile)
                    return after
        return None

    def _moves(self, end: End, double: bool) -> list[str]:
        rng, habits = self._rng, self._habits
        if double and rng.random() < habits.crosswise:
            return ["cross"]
        turns = ["left", "right"] if rng.random() < 0.5 else ["right", "left"]
        if end.half is not None and rng.random() < habits.side_bend:
            turns = [f"side-{t}" for t in turns]
        if rng.random() < habits.bend and not double:
            return [*turns, "straight"]
        return ["straight"] if double else ["straight", *turns]

    def _place(self, end: End, move: str, other: int) -> End | None:
        rng, habits, length = self._rng, self._habits, self._board.length
        gap = habits.gap * abs(rng.normal(0.6, 0.4))
        forward, side = unit(end.heading), unit(end.heading + math.pi / 2)
        turn = 0.0 if move in ("straight", "cross") else (math.pi / 2 if move.endswith("left") else -math.pi / 2)
        heading = end.heading + turn + rng.normal(0, habits.crooked)
        slip = rng.normal(0, habits.sideways)
        way = unit(heading)
        if move == "cross":
            centre = end.point + forward * (gap + 0.5) + side * slip
            angle = heading + (math.pi / 2 if rng.random() < 0.5 else -math.pi / 2)
        elif move == "straight":
            centre, angle = end.point + forward * (gap + length / 2) + side * slip, heading
        elif move.startswith("side-") and end.half is not None:
            centre, angle = end.half + way * (0.5 + gap + length / 2) + forward * slip, heading
        else:
            centre, angle = end.point + forward * (0.5 + gap) + way * (length / 4 + slip), heading
        piece = Piece("up", centre, angle, length, halves=(end.pips, other))
        index = self._board.add(piece, habits.clearance, end.index)
        if index is None:
            return None
        if move == "cross":
            self._board.joins.append((end.index, end.key, index, "m"))
            return End(index, "m", centre + way / 2, heading, other, None)
        self._board.joins.append((end.index, end.key, index, "a"))
        return End(index, "b", centre + way * length / 2, heading, other, centre + way * length / 4)


def scatter(
    rng: np.random.Generator,
    board: Board,
    count: int,
    spot: tuple[F64, F64],
    *,
    kind: str,
    gap: float,
    stock: list[Values] | None = None,
    angle: float | None = None,
) -> None:
    """Drop tiles at random places of a rectangle, at any angle unless one is given.

    Args:
        rng: source of randomness.
        board: where they go; places that clash are given up.
        count: how many to try.
        spot: lower and upper corner (2,) of the rectangle.
        kind: "up" or "down".
        gap: least distance to other pieces.
        stock: tiles to take for "up".
        angle: common direction.
    """
    for _ in range(count):
        if kind == "up" and not stock:
            return
        halves = stock[-1] if kind == "up" and stock else (-1, -1)
        for _attempt in range(6):
            centre = rng.uniform(spot[0], spot[1])
            way = float(rng.uniform(0, 2 * math.pi)) if angle is None else angle + rng.normal(0, 0.05)
            if board.add(Piece(kind, centre, way, board.length, halves=halves), gap) is not None:
                if kind == "up" and stock:
                    stock.pop()
                break


def rank(
    rng: np.random.Generator,
    board: Board,
    count: int,
    start: F64,
    heading: float,
    *,
    kind: str,
    stock: list[Values] | None = None,
    side_by_side: bool = True,
) -> None:
    """A row of tiles: a hand laid in order, or tiles standing on their long edge (kind "standing")."""
    thick = 0.35
    pitch = (1.0 if side_by_side else board.length) + float(rng.choice([0.03, 0.15, 0.6]))
    messy = float(rng.choice([0.005, 0.03, 0.1]))
    for slot in range(count):
        if kind != "down" and not stock:
            return
        halves = stock[-1] if kind != "down" and stock else (-1, -1)
        turned = heading + (math.pi / 2 if side_by_side else 0.0) + rng.normal(0, messy)
        if rng.random() < 0.5 and kind != "standing":
            turned += math.pi
        centre = start + unit(heading) * pitch * slot + rng.normal(0, messy, 2)
        width = thick if kind == "standing" else 1.0
        piece = Piece(kind, centre, turned, board.length, width, halves)
        if board.add(piece, 0.0) is not None and stock and kind != "down":
            stock.pop()
