"""From readings to an observation."""

import random
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_rules.layout import Layout
from domino_rules.tile import DOUBLE_SIX, find_tile_set
from domino_vision.assemble import AssembleOptions, assemble
from domino_vision.assemble.layout_of import layouts_of
from domino_vision.labels import label_files, read_label
from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS, Face, Join, TableObservation, TileReadings, TileRole
from tests.laid_tables import EAST, SOUTH, Camera, LaidTable, as_pairs, codes, lay_chain, line, read_table, sharp

CAMERA = Camera()


def observe(table: LaidTable, sure: float = 0.995) -> TableObservation:
    return assemble(read_table(table, CAMERA, np.random.default_rng(0), 0, sure), CAMERA.size_wh, DOUBLE_SIX)


def test_an_empty_table_has_nothing_to_report() -> None:
    """No tiles: no chain, no count, no question."""
    seen = observe(LaidTable())
    assert (seen.tiles, seen.joins, seen.layouts, seen.open_end_count, seen.ask) == ((), (), (), None, False)
    assert seen.tile_px == 0


def test_a_lone_tile_is_the_first_of_a_chain() -> None:
    """One tile alone counts both halves and is a layout of one tile."""
    seen = observe(line((6, 4)))
    assert seen.open_end_count == 10
    assert str(seen.layout) == "6-4"
    assert seen.tiles[0].role is TileRole.CHAIN


def test_a_line_with_its_count_and_layout() -> None:
    """A line with a covered double is rooted there: it may be the spinner."""
    seen = observe(line((6, 4), (4, 4), (4, 1)))
    assert seen.open_end_count == 7
    assert [str(layout) for layout in seen.layouts] == ["4-4 L:4-6 R:4-1"]
    assert not seen.ask
    assert codes(seen) == []


def test_two_covered_doubles_give_two_layouts() -> None:
    """A picture does not tell which of two covered doubles was laid first: one layout each."""
    seen = observe(line((6, 4), (4, 4), (4, 1), (1, 1), (1, 0)))
    assert sorted(str(layout.spinner) for layout in seen.layouts) == ["1-1", "4-4"]
    assert {layout.count for layout in seen.layouts} == {6}


def test_a_line_without_doubles_starts_at_its_left_tip() -> None:
    """No double: the layout runs from the left-most tip to the right."""
    assert str(observe(line((6, 4), (4, 1))).layout) == "6-4 R:4-1"


def test_a_spinner_with_arms() -> None:
    """A double with tiles on all sides has its line at its sides and arms at its ends."""
    table = line((1, 2), (2, 2), (2, 3))
    middle = table.centre[1]
    table.add(middle - 51 * SOUTH, SOUTH, (4, 2))
    table.add(middle + 51 * SOUTH, SOUTH, (2, 5))
    seen = observe(table)
    assert [str(layout) for layout in seen.layouts] == ["2-2 L:2-1 R:2-3 U:2-4 D:2-5"]
    assert seen.open_end_count == 13


def test_an_illegal_join_is_kept_and_told() -> None:
    """Two halves that differ at a join stay; the problem names both tiles and their values."""
    seen = observe(line((6, 4), (4, 1), (2, 5)), sure=0.9999)
    assert as_pairs(seen.joins) == as_pairs([Join(0, "b", 1, "a"), Join(1, "b", 2, "a")])
    assert codes(seen) == ["illegal_join"]
    assert seen.problems[0].tiles == (1, 2)
    assert seen.problems[0].params["halves"] == [1, 2]
    assert seen.open_end_count == 11


def test_a_tile_seen_twice_is_told() -> None:
    """Two tiles that are both surely 6-4 are a problem, not a correction."""
    table = line((6, 4), (4, 1))
    table.add(np.array([0.0, 200.0]), EAST, (6, 4))
    seen = observe(table, sure=0.99999)
    assert codes(seen) == ["duplicate_tile"]
    assert seen.problems[0].tiles == (0, 2)


def test_a_tile_of_another_set_is_told() -> None:
    """A nine among double-six tiles is kept and named."""
    seen = observe(line((9, 4), (4, 1)), sure=0.999)
    assert "not_in_set" in codes(seen)
    assert seen.tiles[0].halves == (9, 4)


def test_one_half_among_many_is_misread_and_no_other_set() -> None:
    """A single nine on a table of double-six is a doubt about that half, not a tile of another set."""
    chain = ((6, 4), (4, 1), (1, 3), (3, 2), (2, 5), (5, 9))
    seen = observe(line(*chain), sure=0.999)
    assert "not_in_set" not in codes(seen)
    assert seen.tiles[5].confidence < 0.9
    assert seen.ask
    nines = observe(line((9, 4), (4, 1), (1, 8), (8, 2), (2, 7), (7, 9)), sure=0.999)
    assert "not_in_set" in codes(nines)


def test_a_branch_is_told_and_the_longer_side_laid() -> None:
    """A second double with three tiles is a branch no layout has; what cannot be laid is left out of it."""
    halves = [(1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (3, 5), (2, 6)]
    joins = [
        Join(0, "b", 1, "m"),
        Join(1, "m", 2, "a"),
        Join(2, "b", 3, "m"),
        Join(3, "m", 4, "a"),
        Join(3, "a", 5, "a"),
        Join(1, "a", 6, "a"),
    ]
    layouts, problems = layouts_of(halves, joins, np.array([[50.0 * k, 0.0] for k in range(7)]))
    assert len(layouts) == 2
    assert [problem.code for problem in problems] == ["branch"]
    assert problems[0].tiles[0] in {1, 3}
    assert all(isinstance(layout, Layout) and len(layout) == 6 for layout in layouts)


def test_two_tiles_at_one_half_are_a_branch_that_is_told() -> None:
    """A half touches one tile: of two that lie against it one goes on, the other is told, never laid behind it."""
    halves = [(0, 0), (0, 4), (4, 3), (1, 4)]
    joins = [Join(0, "m", 1, "a"), Join(1, "b", 2, "a"), Join(2, "a", 3, "b")]
    centres = np.array([[0, 0], [38, 0], [88, 0], [88, 40]], float)
    layouts, problems = layouts_of(halves, joins, centres)
    assert [problem.code for problem in problems] == ["branch"]
    assert all(len(layout) == 3 for layout in layouts)


def test_a_tile_that_reads_as_a_back_lies_face_down() -> None:
    """The reader's word on a back is heard: no values, no joins, role down."""
    table = line((6, 4), (4, 1), (1, 3))
    readings = read_table(table, CAMERA, np.random.default_rng(0))
    readings.half_logp[2] = np.log(np.eye(15)[BACK_CLASS] * 0.97 + 0.002)
    seen = assemble(readings, CAMERA.size_wh, DOUBLE_SIX)
    assert seen.tiles[2].role is TileRole.DOWN
    assert seen.tiles[2].halves is None
    assert len(seen.joins) == 1


def test_face_down_and_standing_tiles_never_join() -> None:
    """Tiles that show no face stay out of the chain wherever they lie."""
    readings = read_table(line((6, 4), (4, 1), (5, 3)), CAMERA, np.random.default_rng(0))
    readings.half_logp[0] = np.log(np.eye(15)[BACK_CLASS] * 0.97 + 0.002)
    face = np.array([Face.DOWN, Face.UP, Face.STANDING], np.uint8)
    seen = assemble(
        TileReadings(readings.corners_px, face, readings.score, readings.half_logp), CAMERA.size_wh, DOUBLE_SIX
    )
    assert seen.joins == ()
    assert [tile.role for tile in seen.tiles] == [TileRole.DOWN, TileRole.CHAIN, TileRole.STANDING]


def test_an_open_half_in_doubt_is_asked_about() -> None:
    """Where the free half of a tip may be two values, the count is uncertain and a person is asked."""
    readings = read_table(line((6, 4), (4, 1)), CAMERA, np.random.default_rng(0))
    readings.half_logp[1, 1, 1] = readings.half_logp[1, 1, 2] = np.log(0.49)
    seen = assemble(readings, CAMERA.size_wh, DOUBLE_SIX)
    assert seen.ask
    assert seen.count_confidence == pytest.approx(0.5, abs=0.1)


def test_a_doubtful_inner_half_is_settled_by_its_neighbour() -> None:
    """The same doubt inside the chain is no question: the neighbour settles it."""
    readings = read_table(line((6, 4), (4, 1)), CAMERA, np.random.default_rng(0))
    readings.half_logp[1, 0, 4] = readings.half_logp[1, 0, 5] = np.log(0.49)
    seen = assemble(readings, CAMERA.size_wh, DOUBLE_SIX)
    assert not seen.ask
    assert seen.tiles[1].halves == (4, 1)
    alone = assemble(readings, CAMERA.size_wh, DOUBLE_SIX, options=AssembleOptions(joint=False))
    assert alone.tiles[1].confidence < seen.tiles[1].confidence


@pytest.mark.parametrize("missed", [(5, 0), (5, 5)])
def test_a_missed_tile_leaves_a_gap_that_is_told(missed: tuple[int, int]) -> None:
    """Where a tile of the chain was not found, what is left is in line with room for one tile: a person is asked."""
    table = line((6, 4), (4, 1), (1, 3), (3, 5), missed, (missed[1], 2))
    for values in (table.centre, table.axis, table.halves):
        del values[4]
    seen = observe(table)
    assert codes(seen) == ["gap_in_chain"]
    assert seen.problems[0].tiles == (3, 4)
    assert seen.ask


def test_a_gap_before_a_corner_is_told() -> None:
    """The tile after the missed one may lie across the line."""
    table = line((6, 4), (4, 1), (1, 3))
    table.add(table.centre[2] + np.array([25 + 52 + 12.5, 12.5]), SOUTH, (5, 2))
    seen = observe(table)
    assert codes(seen) == ["gap_in_chain"]
    assert seen.problems[0].tiles == (2, 3)


def test_a_chain_in_two_pieces_is_told() -> None:
    """Two chains on one table are one that is not seen whole."""
    table = line((6, 4), (4, 1), (1, 3), (3, 5))
    for k, halves in enumerate([(0, 0), (0, 2), (2, 6), (6, 1)]):
        table.add(np.array([51.0 * k, 120.0]), EAST, halves)
    seen = observe(table)
    assert codes(seen) == ["split_chain"]
    assert seen.ask


def test_a_face_down_tile_in_the_chain_is_told() -> None:
    """A back that lies where the next tile would is probably a tile of the chain."""
    readings = read_table(line((6, 4), (4, 1), (1, 3), (3, 5)), CAMERA, np.random.default_rng(0))
    readings.face[3] = Face.DOWN
    readings.half_logp[3] = np.log(np.eye(15)[BACK_CLASS] * 0.97 + 0.002)
    seen = assemble(readings, CAMERA.size_wh, DOUBLE_SIX)
    assert codes(seen) == ["face_down_at_chain"]
    assert seen.problems[0].tiles == (2, 3)
    assert seen.ask


def test_an_unreadable_half_may_be_anything() -> None:
    """A tip whose free half nobody can read leaves the count open."""
    readings = read_table(line((6, 4), (4, 1)), CAMERA, np.random.default_rng(0))
    readings.half_logp[1, 1] = np.log(np.where(np.arange(15) == UNREADABLE_CLASS, 0.9, 0.1 / 14))
    seen = assemble(readings, CAMERA.size_wh, DOUBLE_SIX)
    assert seen.tiles[1].role is TileRole.CHAIN
    assert seen.ask


def test_timings_are_carried_on_and_summed() -> None:
    """Earlier stages' times are kept; assemble and whole are added."""
    readings = read_table(line((6, 4), (4, 1)), CAMERA, np.random.default_rng(0))
    seen = assemble(readings, CAMERA.size_wh, DOUBLE_SIX, timings_ms={"detect": 50.0, "read": 20.0})
    assert set(seen.timings_ms) == {"detect", "read", "assemble", "whole"}
    assert seen.timings_ms["whole"] == pytest.approx(70 + seen.timings_ms["assemble"])


def test_28_tiles_are_assembled_in_time() -> None:
    """A whole set takes some tens of milliseconds of processor time, however busy the machine."""
    readings = read_table(lay_chain(random.Random(4), 28), CAMERA, np.random.default_rng(0), 0.01)
    times = []
    for _ in range(5):
        start = time.process_time()
        assemble(readings, CAMERA.size_wh, DOUBLE_SIX)
        times.append(time.process_time() - start)
    assert min(times) < 0.1


@pytest.mark.parametrize("boxed", [False, True], ids=["true quads", "rotated rectangles"])
def test_real_chains_are_joined(photos: Path, boxed: bool) -> None:
    """On the labelled photographs, with true values, joins reach F1 0.98 from quads and from rotated rectangles."""
    right = read = true = 0
    for file in label_files(photos / "dev"):
        label = read_label(file)
        if not label.chain:
            continue
        quads = np.array([_box(quad) for quad in label.quads_px]) if boxed else label.quads_px
        count = len(quads)
        logp = sharp(list(label.halves))
        ones = np.ones(count, np.float32)
        readings = TileReadings(quads.astype(np.float32), np.zeros(count, np.uint8), ones, logp)
        image = cv2.imread(str(file.with_suffix(".jpg")), cv2.IMREAD_REDUCED_GRAYSCALE_8)
        assert image is not None
        size_wh = (image.shape[1] * 8, image.shape[0] * 8)
        seen = assemble(readings, size_wh, find_tile_set(label.tile_set))
        found, truth = as_pairs(seen.joins), as_pairs(label.chain)
        right, read, true = right + len(found & truth), read + len(found), true + len(truth)
    assert 2 * right / (read + true) >= 0.98


def _box(quad: np.ndarray) -> np.ndarray:
    """Return the rotated rectangle about a quad, corners in the quad's order."""
    box = cv2.boxPoints(cv2.minAreaRect(quad))
    turned = [np.roll(order, k, axis=0) for order in (box, box[::-1]) for k in range(4)]
    return min(turned, key=lambda corners: float(np.abs(corners - quad).sum()))
