"""Tiles side by side tell where a box between them, or beside one of them, must lie."""

import math

import numpy as np
import pytest

from domino_vision.rows import PITCH, gaps_in_rows, places_in_rows
from domino_vision.types import Detections, F32Array, Face, U8Array

LENGTH, WIDTH = 80.0, 40.0


def quad(middle: tuple[float, float], turn: float = 0.0, width: float = WIDTH) -> F32Array:
    """Return corners of a tile that stands upright in the picture but for a turn, first half above."""
    u = np.array([math.cos(turn), math.sin(turn)]) * width / 2
    v = np.array([-math.sin(turn), math.cos(turn)]) * LENGTH / 2
    return np.asarray(np.array([-u - v, u - v, u + v, v - u]) + np.array(middle), np.float32)


def found(*quads: F32Array) -> Detections:
    faces: U8Array = np.full(len(quads), Face.UP, np.uint8)
    return Detections(np.array(quads, np.float32), faces, np.full(len(quads), 0.5, np.float32))


def places(*quads: F32Array, clear: int) -> tuple[list[int], F32Array]:
    """Return what is said of boxes of which the first `clear` are read for certain."""
    sure = np.arange(len(quads)) < clear
    indices, corners = places_in_rows(found(*quads), sure, ~sure)
    return indices.tolist(), corners


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.8])
def test_a_box_askew_lies_where_the_row_goes_on(turn: float) -> None:
    """It gets the size and the direction of its neighbour, a little apart from it, on its own side."""
    across = np.array([math.cos(turn), math.sin(turn)]) * WIDTH
    middle = (300.0 + across[0] * 1.2, 200.0 + across[1] * 1.2)
    indices, corners = places(quad((300, 200), turn), quad(middle, turn + 0.3, 55), clear=1)
    assert indices == [1]
    assert corners[0] == pytest.approx(quad((300, 200), turn) + PITCH * across, abs=0.01)


def test_between_two_tiles_it_lies_in_the_middle() -> None:
    """Neighbours whose halves are found in opposite orders are of one row all the same."""
    right = np.roll(quad((384, 204)), 2, axis=0)
    indices, corners = places(quad((300, 200)), right, quad((350, 203), 0.1, 60), clear=2)
    assert indices == [2]
    assert corners[0] == pytest.approx(quad((342, 202)), abs=0.01)


@pytest.mark.parametrize("middle", [(300, 284), (382, 200), (342, 230), (305, 200)])
def test_a_box_that_is_not_the_next_of_a_row_stays_where_it_is(middle: tuple[float, float]) -> None:
    """Below a tile, a tile away, shifted along by more than a little, or over the tile itself it is none of the row."""
    indices, corners = places(quad((300, 200)), quad(middle), clear=1)
    assert indices == []
    assert corners.shape == (0, 4, 2)


def test_nobody_tells_where_nothing_is_read_for_certain() -> None:
    """Doubtful boxes are no neighbours of each other."""
    assert places(quad((300, 200)), quad((342, 200)), clear=0)[0] == []


@pytest.mark.parametrize(
    ("middles", "gaps"),
    [
        (((300, 200), (384, 202)), [(342, 201)]),
        (((300, 200), (370, 200)), []),
        (((300, 200), (404, 200)), []),
        (((300, 200), (384, 240)), []),
        (((300, 200), (342, 200), (384, 200)), []),
    ],
)
def test_a_gap_of_one_tile_in_a_row_is_looked_at(
    middles: tuple[tuple[float, float], ...], gaps: list[tuple[float, float]]
) -> None:
    """Tiles nearer to each other, further apart or not level leave none, nor where something was found already."""
    boxes = found(*(quad(middle) for middle in middles))
    clear = np.ones(len(middles), bool)
    clear[1:-1] = False
    assert gaps_in_rows(boxes, clear).mean(axis=1).tolist() == [pytest.approx(gap, abs=0.01) for gap in gaps]
