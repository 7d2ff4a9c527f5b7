"""Which of the boxes that cover each other are tiles."""

from itertools import pairwise

import numpy as np
import pytest

from domino_vision.choice import choose
from domino_vision.overlooked import between, seen_before, side_by_side
from domino_vision.types import BACK_CLASS, HALF_CLASSES, UNREADABLE_CLASS, Detections, F32Array, Face

LEAST, MOST = 0.35, 6
SIZE = (640, 480)


def quad(x: float, y: float = 0.0, length: float = 80.0, width: float = 40.0) -> np.ndarray:
    return np.array([[x, y + width], [x, y], [x + length, y], [x + length, y + width]], np.float32)


def found(*boxes: tuple[np.ndarray, Face, float]) -> Detections:
    corners = np.array([box[0] for box in boxes], np.float32).reshape(-1, 4, 2)
    face = np.array([box[1] for box in boxes], np.uint8)
    return Detections(corners, face, np.array([box[2] for box in boxes], np.float32))


def logp(*reads: tuple[int, float]) -> F32Array:
    """Return log-probabilities of tiles: what both halves show, and how surely."""
    p = np.zeros((len(reads), 2, HALF_CLASSES))
    for index, (shown, sure) in enumerate(reads):
        p[index] = (1 - sure) / (HALF_CLASSES - 1)
        p[index, :, shown] = sure
    return np.asarray(np.log(p), np.float32)


def faces(*halves: tuple[int, int], sure: float = 0.99) -> F32Array:
    """Return log-probabilities of tiles by their halves."""
    p = np.full((len(halves), 2, HALF_CLASSES), (1 - sure) / (HALF_CLASSES - 1))
    for index, (first, second) in enumerate(halves):
        p[index, 0, first] = p[index, 1, second] = sure
    return np.asarray(np.log(p), np.float32)


def test_two_tiles_that_read_well_beat_the_box_across_them_and_its_remnant() -> None:
    """The box across two halves may read well too, but what is left beside it reads as nothing."""
    boxes = found(
        (quad(0), Face.UP, 0.57),
        (quad(80), Face.UP, 0.55),
        (quad(40), Face.UP, 0.63),
        (quad(118), Face.UP, 0.52),
    )
    chosen, face = choose(boxes, logp((3, 0.95), (4, 0.95), (5, 0.99), (UNREADABLE_CLASS, 0.4)), LEAST, MOST, SIZE)
    assert chosen.tolist() == [0, 1]
    assert face.tolist() == [Face.UP, Face.UP]


def test_a_box_that_reads_as_more_pips_than_the_set_has_reads_badly() -> None:
    """Two sixes taken together look like a ten, which no double-six set has."""
    boxes = found((quad(0), Face.UP, 0.4), (quad(80), Face.UP, 0.4), (quad(40), Face.UP, 0.8))
    reads = logp((6, 0.85), (6, 0.85), (10, 0.95))
    assert choose(boxes, reads, LEAST, 6, SIZE)[0].tolist() == [0, 1]
    assert choose(boxes, reads, LEAST, 12, SIZE)[0].tolist() == [2]


def test_the_detector_is_heard_where_the_reader_is_in_doubt() -> None:
    """Boxes that read alike are chosen by their scores alone."""
    boxes = found((quad(0), Face.UP, 0.9), (quad(30), Face.UP, 0.5))
    assert choose(boxes, logp((3, 0.6), (4, 0.6)), LEAST, MOST, SIZE)[0].tolist() == [0]


def test_a_tile_called_standing_is_read_in_the_box_that_sees_it_lie() -> None:
    """Its place is taken from the box of the top face, which reads better; whether it lies is not settled here."""
    boxes = found((quad(0, 0, 80, 56), Face.STANDING, 0.85), (quad(0, 0, 80, 40), Face.UP, 0.36))
    chosen, face = choose(boxes, logp((6, 0.4), (6, 0.99)), LEAST, MOST, SIZE)
    assert chosen.tolist() == [1]
    assert face.tolist() == [Face.STANDING]
    assert choose(boxes, logp((6, 0.99), (6, 0.4)), LEAST, MOST, SIZE)[0].tolist() == [0]


def test_a_back_that_reads_as_one_counts_as_read() -> None:
    """Face-down tiles need no pips."""
    boxes = found((quad(0), Face.DOWN, 0.6), (quad(4), Face.UP, 0.6))
    assert choose(boxes, logp((BACK_CLASS, 0.99), (BACK_CLASS, 0.99)), LEAST, MOST, SIZE)[0].tolist() == [0]


@pytest.mark.parametrize(("score", "kept"), [(0.3, []), (0.4, [0])])
def test_a_weak_box_that_covers_no_tile_is_none(score: float, kept: list[int]) -> None:
    """Below the least score a box counts only in the place of one above it."""
    assert choose(found((quad(0), Face.UP, score)), logp((5, 0.99)), LEAST, MOST, SIZE)[0].tolist() == kept


@pytest.mark.parametrize(("face", "reads", "kept"), [(Face.UP, 0.99, 2), (Face.UP, 0.6, 1), (Face.DOWN, 0.99, 1)])
def test_a_weak_box_beside_a_tile_counts_if_it_shows_a_face_for_certain(face: Face, reads: float, kept: int) -> None:
    """Two tiles with a pip in each half, side by side, look like one to the detector, never to the reader."""
    boxes = found((quad(0), Face.UP, 0.7), (quad(0, 42), face, 0.27))
    assert len(choose(boxes, logp((3, 0.99), (1, reads)), LEAST, MOST, SIZE)[0]) == kept


@pytest.mark.parametrize(("score", "reads", "kept"), [(0.7, 0.99, 2), (0.7, 0.6, 1), (0.3, 0.99, 0)])
def test_a_weak_box_counts_beside_what_is_a_tile_for_certain_only(score: float, reads: float, kept: int) -> None:
    """Clutter that one network alone takes for a tile vouches for no other; two weak boxes are nothing at all."""
    boxes = found((quad(0), Face.UP, score), (quad(0, 42), Face.UP, 0.27))
    assert len(choose(boxes, logp((3, reads), (1, 0.99)), LEAST, MOST, SIZE)[0]) == kept


def test_a_tile_is_not_the_half_of_a_box_that_takes_in_a_half_of_it() -> None:
    """Of a box across two tiles each half covers half of one; seen from near it is larger, and may read better."""
    boxes = found((quad(0), Face.UP, 0.88), (quad(82), Face.UP, 0.93), (quad(30, -2, 104, 44), Face.UP, 0.2))
    assert choose(boxes, logp((5, 0.89), (4, 0.99), (3, 0.99)), LEAST, MOST, SIZE)[0].tolist() == [0, 1]


def test_two_weak_tiles_outweigh_the_wide_box_over_a_half_of_each() -> None:
    """What reads worse and covers both gives way to the two that read for certain."""
    boxes = found(
        (quad(0), Face.UP, 0.7),
        (quad(0, 42), Face.UP, 0.27),
        (quad(0, 84), Face.UP, 0.27),
        (quad(0, 60, 80, 58), Face.UP, 0.36),
    )
    chosen, _ = choose(boxes, logp((3, 0.99), (1, 0.99), (1, 0.99), (2, 0.88)), LEAST, MOST, SIZE)
    assert chosen.tolist() == [0, 1, 2]


def test_nothing_found_is_nothing_chosen() -> None:
    """No boxes, no tiles."""
    chosen, face = choose(Detections.none(), np.zeros((0, 2, HALF_CLASSES), np.float32), LEAST, MOST, SIZE)
    assert chosen.tolist() == face.tolist() == []


def line(*tiles: tuple[int, int]) -> Detections:
    """Return boxes of a line without dividers: its tiles, seen badly, then those across each two, seen well."""
    tiles_at = [(quad(80 * i), Face.UP, 0.45) for i in range(len(tiles))]
    return found(*tiles_at, *((quad(80 * i + 40), Face.UP, 0.95) for i in range(len(tiles) - 1)))


def test_boxes_across_the_tiles_of_a_line_are_none_however_well_they_score() -> None:
    """Each reads as a double that fits; but each half of it is also one of a tile, and the outer halves are left."""
    tiles = [(6, 1), (1, 5), (5, 4), (4, 4), (4, 0), (0, 2), (2, 3)]
    across = [(one[1], other[0]) for one, other in pairwise(tiles)]
    boxes = line(*tiles)
    assert choose(boxes, faces(*tiles, *across), LEAST, MOST, SIZE)[0].tolist() == list(range(len(tiles)))


def test_double_that_lies_in_the_line_is_one() -> None:
    """The boxes across it and its neighbours take in touching halves, too: doubles of which its are no halves."""
    boxes = line((6, 1), (1, 1), (1, 5))
    assert choose(boxes, faces((6, 1), (1, 1), (1, 5), (1, 1), (1, 1)), LEAST, MOST, SIZE)[0].tolist() == [0, 1, 2]


def test_half_of_a_tile_is_none() -> None:
    """It scores better than the tile, and two of them better than one; but the tile is much surer to read."""
    boxes = found((quad(0), Face.UP, 0.4), (quad(0, 0, 40), Face.UP, 0.9), (quad(40, 0, 40), Face.UP, 0.9))
    reads = np.concatenate([faces((6, 1)), faces((3, 3), (0, 1), sure=0.95)])
    assert choose(boxes, reads, LEAST, MOST, SIZE)[0].tolist() == [0]
    alike = np.concatenate([faces((6, 1), sure=0.95), faces((3, 3), (0, 1), sure=0.95)])
    assert choose(boxes, alike, LEAST, MOST, SIZE)[0].tolist() == [1, 2]


def test_tiles_that_were_only_found_in_part_are_looked_for_between() -> None:
    """Beside a box across two tiles, where only halves of them were found, both tiles may lie."""
    boxes = found((quad(40), Face.UP, 0.9), (quad(0, 0, 40), Face.UP, 0.8), (quad(120, 0, 40), Face.UP, 0.8))
    reads = np.concatenate([faces((1, 1)), faces((6, 4), (5, 6), sure=0.5)])
    more = between(boxes, reads, MOST)
    assert np.allclose(more.corners_px, [quad(0), quad(80)])
    assert not len(between(boxes.where(np.array([0])), reads[:1], MOST))
    assert not len(between(boxes, faces((1, 2), (6, 4), (5, 6)), MOST))
    together = Detections.together([boxes, more])
    reads = np.concatenate([reads, faces((6, 1), (1, 5))])
    assert choose(together, reads, LEAST, MOST, SIZE)[0].tolist() == [3, 4]


def test_tiles_of_the_frame_before_stand_in_for_boxes_that_cover_them() -> None:
    """Not where nothing was found any more: there the tile may be gone."""
    near = found((quad(0), Face.UP, 0.9), (quad(300), Face.UP, 0.9))
    before = seen_before(found((quad(40), Face.UP, 0.5)), near)
    assert np.allclose(before.corners_px, [quad(0)])
    assert before.score.max() < 0.9
    assert not len(seen_before(Detections.none(), near))


@pytest.mark.parametrize("turned", [0, 1])
@pytest.mark.parametrize("face", [Face.DOWN, Face.UP])
def test_two_tiles_side_by_side_found_as_one_are_two(turned: int, face: Face) -> None:
    """A box as wide as the tiles around it are long holds two of them, which lie as these do."""
    both = np.roll(quad(0, 0, 80, 80), turned, axis=0)
    boxes = found((both, face, 0.7), *((quad(0, 90 + 45 * i), face, 0.9) for i in range(3)))
    parts = side_by_side(boxes)
    assert set(parts.face.tolist()) == {face}
    boxes = Detections.together([boxes, parts])
    reads = logp(*[(BACK_CLASS, 0.99)] * len(boxes)) if face == Face.DOWN else logp(*[(1, 0.99)] * len(boxes))
    kept = boxes.where(choose(boxes, reads, LEAST, MOST, SIZE)[0])
    assert sorted(kept.corners_px.mean(1).round().tolist()) == [[40, 20], [40, 60], [40, 110], [40, 155], [40, 200]]


def test_a_wide_box_is_one_tile_where_nothing_tells_how_large_tiles_are() -> None:
    """Alone, or near the camera and longer, too, it may be what it was found as."""
    assert not len(side_by_side(found((quad(0, 0, 80, 80), Face.DOWN, 0.7))))
    around = [(quad(0, 90 + 45 * i), Face.DOWN, 0.9) for i in range(3)]
    assert not len(side_by_side(found((quad(0, -60, 140, 80), Face.DOWN, 0.7), *around)))
    assert not len(side_by_side(Detections.none()))


def test_two_tiles_beside_each_other_stay_what_they_are_though_one_is_a_double() -> None:
    """Boxes across both share its halves as those across a line's tiles do, but do not go on beyond its ends."""
    upright = [np.roll(quad(x, 0, 40, 80), 1, axis=0) for x in (0.0, 40.0)]
    boxes = found(
        (upright[0], Face.UP, 0.95), (upright[1], Face.UP, 0.95), (quad(0), Face.UP, 0.7), (quad(0, 40), Face.UP, 0.7)
    )
    assert choose(boxes, faces((3, 3), (5, 1), (3, 1), (3, 5)), LEAST, MOST, SIZE)[0].tolist() == [0, 1]


def test_a_back_of_the_frame_before_that_is_gone_does_not_come_back() -> None:
    """Of the ground that is left of it nothing says that no tile lies there."""
    near = found((quad(0), Face.DOWN, 0.9))
    assert not len(seen_before(found((quad(40), Face.DOWN, 0.35)), near))


def test_a_square_that_reads_as_nothing_is_not_two_tiles() -> None:
    """A coaster beside backs is wrong once, not twice."""
    around = [(quad(0, 90 + 45 * i), Face.DOWN, 0.9) for i in range(3)]
    boxes = found((quad(0, 0, 80, 80), Face.DOWN, 0.5), *around)
    boxes = Detections.together([boxes, side_by_side(boxes)])
    reads = [(BACK_CLASS, 0.99) if 1 <= i <= 3 else (UNREADABLE_CLASS, 0.9) for i in range(len(boxes))]
    assert choose(boxes, logp(*reads), LEAST, MOST, SIZE)[0].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("tiles", "parts"), [(2, 2), (3, 0)])
def test_slim_tiles_side_by_side_are_as_wide_as_two(tiles: int, parts: int) -> None:
    """Chinese tiles are two and a half times as long as wide: three of them are no two."""
    around = [(quad(0, 110 + 36 * i, 80, 32), Face.DOWN, 0.9) for i in range(3)]
    wide = quad(0, 100 - 32 * tiles, 80, 32 * tiles)
    assert len(side_by_side(found((wide, Face.DOWN, 0.7), *around))) == parts
