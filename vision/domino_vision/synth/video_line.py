"""A line of play that grows on a scripted table, tile by tile, at the ends that a game names."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from domino_vision.synth.board import Board, unit
from domino_vision.synth.layouts import Chain, End, Habits, Values
from domino_vision.synth.paint import F64
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_script import Placing
from domino_vision.synth.video_table import TableWriter
from domino_vision.synth.video_writer import NONE, Mishaps

ARMS: Final = ("R", "L", "U", "D")
"""The ends of a first double in the order in which `Chain.start` gives them."""
NEAT: Final = Habits(gap=0.03, crooked=0.015, sideways=0.03, clearance=0.35, bend=0.06, crosswise=1.0, side_bend=0.0)


@dataclass(frozen=True, slots=True)
class Undo:
    """What it takes to lift the tile laid last: its key, and the ends as they were before."""

    key: str
    arms: dict[str, End]


class Line(Chain):
    """A chain whose ends have names."""

    def __init__(self, rng: np.random.Generator, board: Board, habits: Habits) -> None:
        """Begin with an empty board."""
        super().__init__(rng, board, [], habits)
        self.arms: dict[str, End] = {}

    def begin(self, tile: Values, centre: F64) -> bool:
        """Lay the first tile, its first half to the left; a double lies crosswise. Return whether there is room."""
        double = tile[0] == tile[1]
        self._stock.append(tile)
        if not self.start(centre, 0.0, double):
            return False
        self.arms = dict(zip(ARMS, self.ends, strict=False))
        return True

    def join(self, arm: str, tile: Values, inner: int) -> bool:
        """Lay a tile at an end with the half `inner` inwards, matching or not; return whether there was room."""
        after = self._joined(self.arms[arm], tile, inner)
        if after is None:
            return False
        self.arms[arm] = after
        if tile[0] == tile[1] and "U" not in self.arms and after.key == "m":
            self._open_arms(after.index, tile[0])
        return True

    def beside(self, index: int, tile: Values, inner: int) -> bool:
        """Lay a tile at a free long side or end of a piece in the line, where nothing may be joined."""
        piece = self._board.pieces[index]
        ways = [("m", piece.angle + turn, 0.5, 0) for turn in (math.pi / 2, -math.pi / 2)]
        ways += [("a", piece.angle + math.pi, piece.length / 2, 0), ("b", piece.angle, piece.length / 2, 1)]
        for key, way, reach, half in ways:
            end = End(index, key, piece.centre + unit(way) * reach, way, piece.halves[half], None)
            if self._joined(end, tile, inner) is not None:
                return True
        return False

    def lift(self, undo: Undo) -> None:
        """Take the piece laid last off again."""
        self._take_off()
        self.arms = dict(undo.arms)

    def _joined(self, end: End, tile: Values, inner: int) -> End | None:
        other = tile[0] + tile[1] - inner
        moves = self._moves(end, tile[0] == tile[1])
        if end.half is not None and tile[0] != tile[1]:
            moves += ["side-left", "side-right"]
        for careful in (True, False):
            for move in moves:
                after = self._place(end, move, other)
                if after is not None and careful and not self._goes_on(after):
                    self._take_off()
                elif after is not None:
                    self._board.pieces[-1] = replace(self._board.pieces[-1], halves=(inner, other))
                    return after
        return None

    def _goes_on(self, end: End) -> bool:
        """Return whether two more tiles would find room at an end."""
        for move in ("straight", "left", "right"):
            after = self._place(end, move, end.pips)
            if after is None:
                continue
            room = False
            for further in ("straight", "left", "right"):
                if self._place(after, further, end.pips) is not None:
                    self._take_off()
                    room = True
                    break
            self._take_off()
            if room:
                return True
        return False

    def _take_off(self) -> None:
        """Take the piece laid last off again."""
        self._board.pieces.pop()
        index = len(self._board.pieces)
        self._board.joins[:] = [join for join in self._board.joins if index not in (join[0], join[2])]

    def _open_arms(self, index: int, pips: int) -> None:
        """Name the ends of the spinner: the one that lies left, or above if they lie one above the other, is U."""
        piece = self._board.pieces[index]
        ends = [
            End(index, key, piece.centre + unit(way) * piece.length / 2, way, pips, None)
            for key, way in (("b", piece.angle), ("a", piece.angle + math.pi))
        ]
        ends.sort(key=_before)
        self.arms |= {"U": ends[0], "D": ends[1]}


def _before(end: End) -> float:
    x, y = unit(end.heading)
    return float(x) if abs(x) > abs(y) else -float(y)


class LineWriter(TableWriter):
    """Writes a game with a line of play."""

    def __init__(
        self, rng: np.random.Generator, stage: Stage, game: str, seats: int, stock: int, mishaps: Mishaps = NONE
    ) -> None:
        """Begin with the boneyard face down in its corner.

        Args:
            rng: source of randomness.
            stage: camera and look of the tiles.
            game: pincset or cincos.
            seats: players.
            stock: tiles of the boneyard.
            mishaps: chances of bumps, light changes, hands that rest.
        """
        super().__init__(rng, stage, game, seats, mishaps)
        spot, corner = self.spots["layout"], self.spots["stock"]
        self._stock = [self.key() for _ in range(stock)]
        for key, at in zip(self._stock, corner.slots(self.length, gap=0.1), strict=False):
            self.start(key, self.down(at))
        self._stock = [key for key in self._stock if key in self.state.pieces]

        def fits(quad: F64) -> bool:
            apart = not stock or bool(
                (quad[:, 0] < corner.low[0] - 0.5).all() or (quad[:, 1] > corner.high[1] + 0.5).all()
            )
            return stage.board.fits(quad) and spot.holds(quad, 0.3) and apart

        self._board = Board(self.length, fits)
        self.line = Line(rng, self._board, NEAT)
        self._keys: list[str] = []
        self._middle = (spot.low + spot.high) / 2

    def lay(self, seat: int, tile: Values, arm: str, inner: int, **move: Any) -> Undo | None:
        """Let a player lay a tile.

        Args:
            seat: who.
            tile: its halves; of the first tile the left one first.
            arm: `start`, an end of the line, or `beside`: at the double of `inner`, which has no open end.
            inner: the half that touches, matching or not.
            move: what is told of it besides.

        Returns:
            What it takes to lift it again; None if there was no room.
        """
        before = dict(self.line.arms)
        if arm == "start":
            done = self.line.begin(tile, self._middle)
        elif arm == "beside":
            ends = {end.index for arm, end in self.line.arms.items() if arm in {"L", "R"}}
            doubles = [i for i, piece in enumerate(self._board.pieces) if piece.halves == (inner, inner)]
            inside = [i for i in doubles if i not in ends]
            done = any(self.line.beside(index, tile, inner) for index in inside)
        else:
            done = self.line.join(arm, tile, inner)
        if not done:
            return None
        key = self.key()
        self._keys.append(key)
        index = len(self._board.pieces) - 1
        joins = tuple((own, self._keys[other], part) for other, part, last, own in self._board.joins if last == index)
        placing = Placing(key, self._board.pieces[-1], self.side(seat), joins)
        self.act(placing, role="play", seat=seat, tile=tile, **move)
        return Undo(key, before)

    def take_back(self, undo: Undo, seat: int, **move: Any) -> None:
        """Let a player take the tile back that was laid last."""
        self.line.lift(undo)
        self._keys.remove(undo.key)
        self.take((undo.key,), seat, role="take_back", **move)

    def draw(self, seat: int, **move: Any) -> None:
        """Let a player draw a tile of the boneyard."""
        if self._stock:
            self.take((self._stock.pop(),), seat, role="draw", **move)
