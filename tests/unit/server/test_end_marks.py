"""Where open ends are marked in the picture: at the free side of the right tile, never on a tile."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from domino_rules.layout import Layout
from domino_rules.tile import DOUBLE_SIX, Tile
from domino_server.tables.end_marks import seen_ends
from domino_server.tables.states import SeenEndState
from domino_vision.assemble import assemble
from domino_vision.types import TableObservation
from tests.laid_tables import EAST, LENGTH, WIDTH, Camera, LaidTable, lay_chain, read_table

STRAIGHT = Camera(px_per_mm=3.0)
cameras = st.builds(Camera, turn=st.floats(0, 360), tilt=st.floats(0, 25), px_per_mm=st.floats(1, 5))
rarely = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def looked_at(table: LaidTable, camera: Camera) -> TableObservation:
    readings = read_table(table, camera, np.random.default_rng(1))
    return assemble(readings, camera.size_wh, DOUBLE_SIX)


def places(table: LaidTable, camera: Camera) -> set[tuple[int, int, int]]:
    """Return the true open ends: pips and place in the picture, in steps of eight pixels."""
    open_now = {end.arm for end in table.layout.open_ends}
    edges = [edge for arm, edge in table.edges.items() if arm in open_now]
    corners = table.quads().reshape(-1, 2)
    seen = camera.see(np.concatenate([corners, [edge.at for edge in edges]]))[len(corners) :]
    return {(edge.pips, *_rough(at)) for edge, at in zip(edges, seen.tolist(), strict=True)}


def spinner(layout: Layout | None) -> Tile | None:
    return None if layout is None or layout.spinner is None else layout.spinner.tile


def _rough(at: list[float] | tuple[float, float]) -> tuple[int, int]:
    return round(at[0] / 8), round(at[1] / 8)


def near(marks: list[SeenEndState], wanted: set[tuple[int, int, int]]) -> bool:
    """Whether each mark lies at one of the true ends, within a step, and each end has one."""
    found = [(mark.pips, *_rough(mark.at)) for mark in marks if mark.at is not None]
    fits = [{w for w in wanted if w[0] == f[0] and abs(w[1] - f[1]) <= 1 and abs(w[2] - f[2]) <= 1} for f in found]
    return len(found) == len(marks) == len(wanted) and all(fits) and len(set.union(*fits)) == len(wanted)


@rarely
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(2, 20), camera=cameras)
def test_every_end_is_marked_at_its_free_side(seed: int, count: int, camera: Camera) -> None:
    """Whatever lies there and from wherever it is seen: straight lines, corners, crosswise doubles, spinner arms."""
    table = lay_chain(random.Random(seed), count)
    shown = looked_at(table, camera)
    assume(len(shown.layouts) == 1 and shown.layout is not None)
    assume(len(shown.tiles) == len(table.halves) == len(table.layout.tiles))
    assume(spinner(shown.layout) is spinner(table.layout))  # of two doubles in a line no picture tells which was first
    assert near(seen_ends(shown), places(table, camera)), (seen_ends(shown), places(table, camera))


@pytest.mark.parametrize("pair", [(6, 4), (4, 6), (5, 5)])
def test_both_ends_of_a_first_tile_are_apart(pair: tuple[int, int]) -> None:
    """A tile that lies alone has a mark at each end, a double at each long side."""
    table = lay_first(pair)
    shown = looked_at(table, STRAIGHT)
    marks = seen_ends(shown)
    assert sorted(mark.pips for mark in marks) == sorted(pair)
    assert near(marks, places(table, STRAIGHT))


def test_a_double_laid_lengthwise_goes_on_at_its_other_end() -> None:
    """The line leaves a double across from where it came in, though its long sides are free."""
    table = LaidTable()
    table.add(np.zeros(2), EAST, (6, 4))
    table.add(EAST * (LENGTH + 1), EAST, (4, 4))
    shown = looked_at(table, STRAIGHT)
    mark = next(mark for mark in seen_ends(shown) if mark.pips == 4)
    assert mark.out == pytest.approx((1, 0), abs=0.01)


def lay_first(pair: tuple[int, int]) -> LaidTable:
    """Lay one tile, a double crosswise."""
    for seed in range(500):
        table = lay_chain(random.Random(seed), 1)
        if table.halves == [pair]:
            return table
    raise AssertionError(pair)


@rarely
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 20))
def test_no_mark_lies_on_a_tile(seed: int, count: int) -> None:
    """A little way out from its side each mark is on the bare table."""
    table = lay_chain(random.Random(seed), count)
    shown = looked_at(table, STRAIGHT)
    for mark in seen_ends(shown):
        assert mark.at is not None
        assert mark.out is not None
        assert np.hypot(*mark.out) == pytest.approx(1, abs=0.01)
        out = np.array(mark.at) + np.array(mark.out) * WIDTH * 3.0 / 4
        assert not any(_inside(out, tile.quad_px) for tile in shown.tiles), mark


def _inside(point: np.ndarray, quad: np.ndarray) -> bool:
    sides = np.roll(quad, -1, axis=0) - quad
    away = point - quad
    turns = sides[:, 0] * away[:, 1] - sides[:, 1] * away[:, 0]
    return bool((turns > 0).all() or (turns < 0).all())
