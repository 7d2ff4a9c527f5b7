"""Layouts of games that are not chains: Bingo tricks with a trump and a stock, a Tiu-U pool with columns."""

import math
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import numpy as np

from domino_vision.render.bodies import STACK_HEIGHT
from domino_vision.synth.board import Board, Piece, unit
from domino_vision.synth.layouts import Values, rank
from domino_vision.synth.paint import F64
from domino_vision.synth.plan import lay, stock_of

SETS_MIXED: Final = MappingProxyType({"tiu-u": 2})
"""Of how many sets the tiles of a kind of scene are, where it is more than one."""


@dataclass(slots=True)
class Laid:
    """What lies on the board beyond its pieces: how many tiles are under a piece, by its index."""

    under: dict[int, int] = field(default_factory=dict)


def lay_scene(rng: np.random.Generator, board: Board, kind: str, set_name: str, view: F64) -> Laid:
    """Lay a scene of any kind, those of the compositor and "bingo" and "tiu-u"; arguments as `synth.plan.lay`."""
    laid = Laid()
    match kind:
        case "bingo":
            _bingo(rng, board, stock_of(rng, set_name), view)
        case "tiu-u":
            _tiu_u(rng, board, [tile for _ in range(SETS_MIXED[kind]) for tile in stock_of(rng, set_name)], view, laid)
        case _:
            lay(rng, board, kind, set_name, view)
    return laid


def _row(
    rng: np.random.Generator, board: Board, kind: str, tiles: list[Values], start: F64, heading: float, pitch: float
) -> list[int]:
    """Parallel tiles laid across ``heading`` every ``pitch``; indices of those that found room."""
    found = []
    for slot, halves in enumerate(tiles):
        centre = start + unit(heading) * pitch * slot + rng.normal(0, 0.03, 2)
        turn = heading + math.pi / 2 + float(rng.normal(0, 0.03))
        index = board.add(Piece(kind, centre, turn, board.length, halves=halves), 0.0)
        if index is not None:
            found.append(index)
    return found


def _frame(rng: np.random.Generator, view: F64) -> tuple[F64, F64, float]:
    """Middle and reach of the view, and a direction that is square to the camera but for a little."""
    low, high = view
    heading = float(rng.integers(2)) * math.pi + float(rng.normal(0, 0.06))
    return (low + high) / 2, (high - low) / 2, heading


def _bingo(rng: np.random.Generator, board: Board, stock: list[Values], view: F64) -> None:
    """A trick of one or two tiles, a trump face up beside the stock, captured tricks, hands on edge."""
    middle, reach, heading = _frame(rng, view)
    ahead, side = unit(heading), unit(heading + math.pi / 2)
    lead = middle + reach * rng.uniform(-0.2, 0.2, 2)
    for slot in range(int(rng.integers(1, 3))):
        turn = heading + math.pi / 2 + float(rng.normal(0, 0.12))
        centre = lead + ahead * (1.25 + rng.uniform(0, 0.4)) * slot + rng.normal(0, 0.1, 2)
        if board.add(Piece("up", centre, turn, board.length, halves=stock[-1]), 0.05) is not None:
            stock.pop()
    pile = lead + ahead * -float(rng.uniform(3.2, 5.0)) + side * float(rng.normal(0, 0.4))
    if (
        board.add(Piece("up", pile, heading + float(rng.normal(0, 0.1)), board.length, halves=stock[-1]), 0.05)
        is not None
    ):
        stock.pop()
    count = int(rng.integers(1, 15))
    for slot in range(count):
        place = pile - ahead * (board.length / 2 + 0.75 + 1.08 * (slot % 7)) + side * (slot // 7) * (board.length + 0.2)
        turn = heading + math.pi / 2 + float(rng.normal(0, 0.05))
        board.add(Piece("down", place, turn, board.length), 0.0)
    for way in (1.0, -1.0):
        base = middle + side * way * float(abs(side @ reach)) * 0.72
        for slot in range(int(rng.integers(0, 4))):
            kind = "up" if rng.random() < 0.7 else "down"
            start = base + ahead * (slot * 2.5 - 1.0)
            taken = [stock.pop() for _ in range(2) if stock]
            _row(rng, board, kind, taken if kind == "up" else [(-1, -1)] * 2, start, heading, 1.04)
        if rng.random() < 0.5:
            start = middle + side * way * float(abs(side @ reach)) * 0.95 - ahead * board.length * 2.5
            rank(rng, board, int(rng.integers(2, 7)), start, heading, kind="standing", stock=stock, side_by_side=False)


def _tiu_u(rng: np.random.Generator, board: Board, stock: list[Values], view: F64, laid: Laid) -> None:
    """A talon of rows of face-up tiles, face-down columns of four, captured pairs face up."""
    middle, reach, heading = _frame(rng, view)
    ahead, side = unit(heading), unit(heading + math.pi / 2)
    rows, columns = int(rng.integers(1, 4)), int(rng.integers(3, 7))
    gap = float(rng.choice([0.03, 0.15, 0.4]))
    pitch = board.length + gap
    origin = middle - ahead * (columns - 1) / 2 * (1 + gap) - side * (rows - 1) / 2 * pitch
    for row in range(rows):
        tiles = [stock.pop() for _ in range(columns) if stock]
        _row(rng, board, "up", tiles, origin + side * row * pitch, heading, 1 + gap)
    stack = origin + side * (rows * pitch + float(rng.uniform(0.3, 1.0))) - ahead * float(rng.uniform(0, 3))
    for index in _row(rng, board, "down", [(-1, -1)] * int(rng.integers(2, 9)), stack, heading, 1.02):
        laid.under[index] = STACK_HEIGHT - 1
    for way in (1.0, -1.0):
        base = middle + ahead * way * float(abs(ahead @ reach)) * 0.75 - side * 2
        for slot in range(int(rng.integers(0, 4))):
            taken = [stock.pop() for _ in range(2) if stock]
            _row(rng, board, "up", taken, base + side * slot * (board.length + 0.25), heading, 1.03)
