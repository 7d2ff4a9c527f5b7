"""All tiles of a table are of one size."""

import random

import numpy as np
import pytest

from domino_vision.choice import choose
from domino_vision.sizes import LEAST_ALIKE, compare_sizes
from domino_vision.types import HALF_CLASSES, Detections, Face
from tests.laid_tables import Camera, lay_chain, read_table

CAMERA = Camera(turn=20, tilt=40, px_per_mm=1.6, size_wh=(1000, 1000))
EXTRA = np.array([[300.0, -200.0], [-300.0, -250.0], [60.0, 280.0]])


def boxes(count: int, extra: float, face: Face = Face.UP) -> Detections:
    """A table seen from the side, and three boxes with sides `extra` times those of a tile."""
    readings = read_table(lay_chain(random.Random(3), count), CAMERA, np.random.default_rng(0))
    quads = readings.corners_px
    near = quads[0] - quads[0].mean(axis=0)
    more = np.array([quads[0].mean(axis=0) + place / 8 + near * extra for place in EXTRA], np.float32)
    faces = np.array([Face.UP] * len(quads) + [face] * len(more), np.uint8)
    return Detections(np.concatenate([quads, more]), faces, np.full(len(faces), 0.9, np.float32))


@pytest.mark.parametrize(("extra", "odd", "foreign"), [(1.0, False, False), (0.6, True, True), (1.5, True, True)])
def test_boxes_of_another_size_are_told_from_tiles(extra: float, odd: bool, foreign: bool) -> None:
    """Seen from the side too, tiles near and far are of one size, and what is not stands out."""
    found = boxes(10, extra)
    sizes = compare_sizes(found, np.full(len(found), 0.9), CAMERA.size_wh)
    assert not sizes.odd[:10].any()
    assert not sizes.foreign[:10].any()
    assert sizes.odd[10:].all() == sizes.odd[10:].any() == odd
    assert sizes.foreign[10:].all() == sizes.foreign[10:].any() == foreign


def test_backs_and_standing_tiles_are_not_compared() -> None:
    """Of stacks and standing tiles other sides are seen."""
    for face in (Face.DOWN, Face.STANDING):
        found = boxes(10, 0.6, face)
        assert not compare_sizes(found, np.full(len(found), 0.9), CAMERA.size_wh).odd.any()


def test_where_there_is_no_telling_none_is_odd() -> None:
    """A few boxes, none at all, or a heap of boxes of all sizes say nothing about the size of a tile."""
    few = boxes(LEAST_ALIKE, 0.6).where(np.arange(LEAST_ALIKE + 2)[LEAST_ALIKE - 1 :])
    rng = np.random.default_rng(0)
    square = np.array([[0, 20], [0, 0], [40, 0], [40, 20]], np.float32)
    heap = np.array([square * rng.uniform(0.3, 4, 2) + rng.uniform(0, 900, 2) for _ in range(20)], np.float32)
    wild = Detections(heap, np.zeros(20, np.uint8), np.full(20, 0.9, np.float32))
    for found in (few, Detections.none(), wild):
        sizes = compare_sizes(found, np.full(len(found), 0.9), CAMERA.size_wh)
        assert not sizes.odd.any()
        assert not sizes.foreign.any()


def test_where_the_others_are_many_none_is_said_to_be_foreign() -> None:
    """A board with printed dominoes shows more of them than lie on it: which are the tiles is not told by number."""
    readings = read_table(lay_chain(random.Random(3), 12), CAMERA, np.random.default_rng(0))
    middles = readings.corners_px.mean(axis=1, keepdims=True)
    for smaller, told in (([1, 6], True), ([1, 4, 6, 9], False)):
        corners = readings.corners_px.copy()
        corners[smaller] = middles[smaller] + (corners[smaller] - middles[smaller]) * np.float32(0.6)
        found = Detections(corners, np.zeros(12, np.uint8), np.full(12, 0.9, np.float32))
        sizes = compare_sizes(found, np.full(12, 0.9), CAMERA.size_wh)
        assert sizes.foreign[smaller].all() == sizes.foreign.any() == told
        assert sizes.odd.any() == told


def test_boxes_that_cover_better_ones_do_not_say_how_large_tiles_are() -> None:
    """Weak boxes over tiles are many, half a tile and two of them; the tiles are what lies apart."""
    tiles = boxes(6, 1.0).corners_px[:6]
    middles = tiles.mean(axis=1, keepdims=True)
    rivals = [middles + (tiles - middles) * np.float32(share) for share in (0.66, 0.68, 0.7)]
    corners = np.concatenate([tiles, *rivals])
    found = Detections(corners, np.zeros(24, np.uint8), np.full(24, 0.9, np.float32))
    sizes = compare_sizes(found, np.repeat([0.9, 0.4], [6, 18]), CAMERA.size_wh)
    assert not sizes.odd[:6].any()
    assert sizes.odd[6:].all()


def reads(count: int, *others: tuple[int, float]) -> np.ndarray:
    p = np.full((count + len(others), 2, HALF_CLASSES), 0.01 / (HALF_CLASSES - 1))
    p[:count, :, 3] = 0.99
    for at, (pips, sure) in enumerate(others, count):
        p[at] = (1 - sure) / (HALF_CLASSES - 1)
        p[at, :, pips] = sure
    return np.log(p).astype(np.float32)


def test_what_is_half_as_large_is_no_tile_however_well_it_reads() -> None:
    """A die with its shadow reads as a four and a blank; beside tiles its size gives it away."""
    found = boxes(10, 0.6)
    chosen, _ = choose(found, reads(13), 0.35, 6, CAMERA.size_wh)
    assert chosen.tolist() == list(range(10))
    alone = found.where(np.arange(10, 13))
    assert len(choose(alone, reads(3), 0.35, 6, CAMERA.size_wh)[0]) > 0


def test_a_tile_beats_two_boxes_over_its_halves() -> None:
    """A nine looks like a double-four, and so does the seven beside it: two boxes over one tile, half as large each."""
    found = boxes(10, 1.0).where(np.arange(10))
    quad = found.corners_px[4]
    middle = (quad[[1, 0]] + quad[[2, 3]])[::-1] / 2
    halves = np.array([[quad[0], quad[1], middle[1], middle[0]], [middle[0], middle[1], quad[2], quad[3]]])
    both = Detections(
        np.concatenate([found.corners_px, halves]).astype(np.float32),
        np.zeros(12, np.uint8),
        np.array([0.9] * 10 + [0.88, 0.89], np.float32),
    )
    chosen, _ = choose(both, reads(10, (4, 0.96), (5, 0.8)), 0.35, 12, CAMERA.size_wh)
    assert chosen.tolist() == list(range(10))
