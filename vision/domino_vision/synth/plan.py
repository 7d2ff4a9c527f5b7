"""Decides what lies on the table: chain, hands, boneyard, racks of standing tiles, things."""

import math

import numpy as np

from domino_vision.synth.board import Board, Piece, unit
from domino_vision.synth.layouts import Chain, Habits, Values, rank, scatter
from domino_vision.synth.paint import F64
from domino_vision.synth.styles import max_pips_of

KINDS = ("chain", "cross", "loose", "hand", "mixed", "single", "empty", "stock")
KIND_CHANCES = (0.24, 0.14, 0.22, 0.12, 0.20, 0.05, 0.03, 0.0)


def stock_of(rng: np.random.Generator, set_name: str) -> list[Values]:
    """Every tile of a set once, shuffled; either half first."""
    low, high = (1 if set_name == "chinese" else 0), max_pips_of(set_name)
    tiles = [(a, b) if rng.random() < 0.5 else (b, a) for a in range(low, high + 1) for b in range(a, high + 1)]
    rng.shuffle(tiles)
    return [(int(a), int(b)) for a, b in tiles]


def _axis(rng: np.random.Generator) -> float:
    """Direction in which a game is laid: mostly square to the camera."""
    square = int(rng.integers(4)) * math.pi / 2
    if rng.random() < 0.25:
        return float(rng.uniform(0, 2 * math.pi))
    return square + float(rng.normal(0, math.radians(4)))


def _lay_chain(
    rng: np.random.Generator, board: Board, stock: list[Values], view: F64, spinner: bool, most: int
) -> None:
    habits = Habits.random(rng)
    chain = Chain(rng, board, stock, habits)
    low, high = view
    middle, reach = (low + high) / 2, (high - low) / 2
    heading = _axis(rng)
    for attempt in range(8):
        centre = middle + reach * rng.uniform(-0.5, 0.5, 2) * (1 - attempt / 8)
        if chain.start(centre, heading, spinner):
            break
    else:
        return
    if not spinner and rng.random() < 0.35:
        chain.ends.pop(int(rng.integers(2)))
    chain.grow(most)


def _lay_hands(rng: np.random.Generator, board: Board, stock: list[Values], view: F64, standing: bool) -> None:
    low, high = view
    for _ in range(int(rng.integers(1, 4))):
        turns = [0.0, math.pi / 2, math.pi, -math.pi / 2] if standing else [0.0, math.pi / 2]
        heading = float(rng.choice(turns)) + float(rng.normal(0, 0.08))
        count = int(rng.integers(2, 8))
        kind = "standing" if standing else ("down" if rng.random() < 0.12 else "up")
        side_by_side = not standing and rng.random() < 0.75
        start = rng.uniform(low, high)
        start = np.where(rng.random(2) < 0.5, start, low + (high - low) * rng.choice([0.06, 0.9], 2))
        rank(rng, board, count, start, heading, kind=kind, stock=stock, side_by_side=side_by_side)


def _lay_racks(rng: np.random.Generator, board: Board, stock: list[Values], view: F64) -> None:
    """Players' racks around the table: rows of standing tiles whose faces look outwards."""
    low, high = view
    middle, reach = (low + high) / 2, (high - low) / 2
    for turn in range(4):
        if rng.random() < 0.25:
            continue
        heading = turn * math.pi / 2 + float(rng.normal(0, 0.06))
        count = int(rng.integers(3, 8))
        outwards = unit(heading - math.pi / 2)
        side = middle + outwards * reach * float(rng.uniform(0.8, 1.0))
        start = side - unit(heading) * board.length * 1.03 * count * float(rng.uniform(0.35, 0.6))
        rank(rng, board, count, start, heading, kind="standing", stock=stock, side_by_side=False)


def _lay_heap(rng: np.random.Generator, board: Board, stock: list[Values], view: F64, up: int, down: int) -> None:
    low, high = view
    middle, reach = (low + high) / 2, (high - low) / 2
    share = float(rng.uniform(0.25, 1.0))
    centre = middle + reach * rng.uniform(-1, 1, 2) * (1 - share)
    spot = (centre - reach * share, centre + reach * share)
    gap = float(rng.choice([0.02, 0.1, 0.4, 1.0]))
    angle = _axis(rng) if rng.random() < 0.25 else None
    scatter(rng, board, up, spot, kind="up", gap=gap, stock=stock, angle=angle)
    scatter(rng, board, down, spot, kind="down", gap=gap, angle=angle)


def _lay_stock(rng: np.random.Generator, board: Board, view: F64) -> None:
    """Rows of backs side by side, as a boneyard is laid out, or a stock."""
    low, high = view
    heading, rows = _axis(rng), int(rng.integers(1, 4))
    start = low + (high - low) * rng.uniform(0.05, 0.8, 2)
    gap = float(rng.choice([0.02, 0.1, 0.4]))
    for _ in range(rows):
        rank(rng, board, int(rng.integers(1, 14)), start, heading, kind="down")
        start = start + unit(heading + math.pi / 2) * (board.length + gap)


def _lay_stocks(rng: np.random.Generator, board: Board, stock: list[Values], view: F64) -> None:
    """Backs in rows beside other tiles."""
    for _ in range(int(rng.integers(1, 3))):
        _lay_stock(rng, board, view)
    if rng.random() < 0.6:
        _lay_hands(rng, board, stock, view, standing=False)
    _lay_heap(rng, board, stock, view, int(rng.integers(0, 6)), int(rng.integers(0, 3)))


def _lay_mixed(rng: np.random.Generator, board: Board, stock: list[Values], view: F64) -> None:
    """A line of play, racks or hands, a heap."""
    _lay_chain(rng, board, stock, view, rng.random() < 0.4, int(rng.integers(3, 20)))
    if rng.random() < 0.3:
        _lay_racks(rng, board, stock, view)
    elif rng.random() < 0.6:
        _lay_hands(rng, board, stock, view, standing=rng.random() < 0.6)
    _lay_heap(rng, board, stock, view, int(rng.integers(0, 6)), int(rng.integers(0, 10)))


def lay(rng: np.random.Generator, board: Board, kind: str, set_name: str, view: F64) -> None:
    """Lay a scene of the given kind.

    Args:
        rng: source of randomness.
        board: empty board, filled in place.
        kind: one of ``KINDS``.
        set_name: the set whose tiles are laid.
        view: (2, 2) lower and upper corner of the part of the table that is seen.
    """
    stock = stock_of(rng, set_name)
    match kind:
        case "chain" | "cross":
            _lay_chain(rng, board, stock, view, kind == "cross", int(rng.integers(2, 24)))
            if rng.random() < 0.25:
                _lay_heap(rng, board, stock, view, int(rng.integers(0, 4)), int(rng.integers(0, 4)))
        case "loose":
            few = rng.random() < 0.5
            up, down = int(rng.integers(1, 7 if few else 24)), int(rng.integers(0, 4 if few else 12))
            _lay_heap(rng, board, stock, view, up, down if rng.random() < 0.6 else 0)
        case "hand":
            _lay_hands(rng, board, stock, view, standing=False)
            if rng.random() < 0.4:
                _lay_heap(rng, board, stock, view, 0, int(rng.integers(1, 8)))
        case "empty":
            return
        case "stock":
            _lay_stocks(rng, board, stock, view)
        case "single":
            _single(rng, board, stock, view)
        case _:
            _lay_mixed(rng, board, stock, view)


def _single(rng: np.random.Generator, board: Board, stock: list[Values], view: F64) -> None:
    low, high = view
    middle, reach = (low + high) / 2, (high - low) / 2
    for attempt in range(10):
        share = (1 - attempt / 9) * 0.8
        centre = middle + reach * rng.uniform(-1, 1, 2) * share
        piece = Piece("up", centre, float(rng.uniform(0, 2 * math.pi)), board.length, halves=stock[0])
        if board.add(piece, 0.0) is not None:
            return


def place_things(
    rng: np.random.Generator, board: Board, sizes: list[tuple[float, float]], view: F64
) -> list[Piece | None]:
    """Find room for things of the given (length, width); None where there is none."""
    placed: list[Piece | None] = []
    fits = board.fits
    board.fits = lambda quad: True
    for length, width in sizes:
        found = None
        for _ in range(5):
            centre = rng.uniform(view[0] * 1.15, view[1] * 1.15)
            piece = Piece("thing", centre, float(rng.uniform(0, 2 * math.pi)), length, width)
            if board.add(piece, 0.1) is not None:
                found = piece
                break
        placed.append(found)
    board.fits = fits
    return placed
