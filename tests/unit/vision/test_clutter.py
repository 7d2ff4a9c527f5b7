"""What the detector takes for a tile and the reader cannot read is left out."""

from dataclasses import replace

import numpy as np
import pytest

from domino_vision.clutter import shows_face
from domino_vision.types import BACK_CLASS, HALF_CLASSES, UNREADABLE_CLASS, Detections, F32Array, Face

SIZE = (1280, 960)


def logp(*classes: int, sure: float = 0.95) -> F32Array:
    """Return log-probabilities of tiles whose two halves both show a class."""
    p = np.full((len(classes), 2, HALF_CLASSES), (1 - sure) / (HALF_CLASSES - 1))
    for index, shown in enumerate(classes):
        p[index, :, shown] = sure
    return np.log(p).astype(np.float32)


def found(*faces: Face, score: float = 0.9) -> Detections:
    count = len(faces)
    place = np.arange(count, dtype=np.float32)[:, None, None] * [1000, 0]
    corners = np.asarray(np.array([[0, 40], [0, 0], [80, 0], [80, 40]])[None] + place, np.float32)
    return Detections(corners, np.array(faces, np.uint8), np.full(count, score, np.float32))


def test_a_face_that_nobody_could_read_is_none() -> None:
    """However sure the detector is, an unreadable face is left out; a readable one and a blank stay."""
    kept = shows_face(found(Face.UP, Face.UP, Face.UP), logp(5, UNREADABLE_CLASS, 0), SIZE)
    assert kept.tolist() == [True, False, True]


def test_doubt_of_both_counts_against_a_tile() -> None:
    """A doubtful box needs a sure reading; a sure box may be read with doubt."""
    doubtful_reading = logp(5, sure=0.6)
    assert shows_face(found(Face.UP, score=0.4), doubtful_reading, SIZE).tolist() == [False]
    assert shows_face(found(Face.UP, score=0.9), doubtful_reading, SIZE).tolist() == [True]
    assert shows_face(found(Face.UP, score=0.4), logp(5), SIZE).tolist() == [True]


def test_an_unreadable_tile_next_to_a_readable_one_stays() -> None:
    """Glare over one tile of a line does not take it out of the line; alone or of another size it is clutter."""
    base = np.array([[0, 40], [0, 0], [80, 0], [80, 40]], np.float32)
    beside, away, below = np.array([82, 0]), np.array([400, 0]), np.array([0, 45])
    corners = np.stack([base, base + beside, base + away, base * 0.4 + below]).astype(np.float32)
    boxes = replace(found(Face.UP, Face.UP, Face.UP, Face.UP), corners_px=corners)
    reads = logp(5, UNREADABLE_CLASS, UNREADABLE_CLASS, UNREADABLE_CLASS)
    assert shows_face(boxes, reads, SIZE).tolist() == [True, True, False, False]


def test_a_weak_tile_next_to_a_readable_one_stays_if_it_is_read_for_certain() -> None:
    """Beside a tile less is asked of the detector, and more of the reader; two blanks are read nowhere for certain."""
    base = np.array([[0, 40], [0, 0], [80, 0], [80, 40]], np.float32)
    corners = np.stack([base, base + np.array([0, 42]), base + np.array([400, 0])]).astype(np.float32)
    boxes = replace(found(Face.UP, Face.UP, Face.UP), corners_px=corners, score=np.array([0.9, 0.3, 0.3], np.float32))
    assert shows_face(boxes, logp(5, 1, 1, sure=0.97), SIZE).tolist() == [True, True, False]
    assert shows_face(boxes, logp(5, 1, 1, sure=0.85), SIZE).tolist() == [True, False, False]
    assert shows_face(boxes, logp(5, 0, 0, sure=0.97), SIZE).tolist() == [True, False, False]


@pytest.mark.parametrize(("width", "kept"), [(9, True), (7, False)])
def test_a_face_too_narrow_to_show_its_pips_is_none(width: int, kept: bool) -> None:
    """The costume of a jack reads as a tile a few pixels wide; it vouches for nothing that lies beside it either."""
    base = np.array([[0, width], [0, 0], [2 * width, 0], [2 * width, width]], np.float32)
    corners = np.stack([base, base + np.array([0, 1.1 * width], np.float32)])
    boxes = replace(found(Face.UP, Face.UP), corners_px=corners, score=np.array([0.9, 0.55], np.float32))
    assert shows_face(boxes, logp(5, UNREADABLE_CLASS), SIZE).tolist() == [kept, kept]


def test_tiles_without_a_face_are_not_judged_by_it() -> None:
    """Backs and standing tiles stay whatever the reader makes of them; no tiles give no answer."""
    kept = shows_face(found(Face.DOWN, Face.STANDING), logp(BACK_CLASS, UNREADABLE_CLASS), SIZE)
    assert kept.tolist() == [True, True]
    assert shows_face(Detections.none(), np.zeros((0, 2, HALF_CLASSES), np.float32), SIZE).tolist() == []


def test_what_has_the_size_of_the_tiles_needs_less_of_a_score() -> None:
    """Beside tiles of its size a faint box that cannot be read is one of them; where it is smaller it is clutter."""
    base = np.array([[0, 40], [0, 0], [80, 0], [80, 40]], np.float32)
    places = np.array([[100 + 82 * k, 200] for k in range(5)] + [[100, 245]])
    for share, kept in ((1.0, True), (0.8, False)):
        shapes = np.array([base] * 5 + [base * share])
        corners = np.asarray(shapes + places[:, None], np.float32)
        score = np.array([0.9] * 5 + [0.45], np.float32)
        boxes = Detections(corners, np.zeros(6, np.uint8), score)
        reads = logp(1, 2, 3, 4, 5, UNREADABLE_CLASS)
        assert shows_face(boxes, reads, SIZE).tolist() == [True] * 5 + [kept]
        faint = replace(boxes, score=np.array([0.9] * 5 + [0.36], np.float32))
        assert shows_face(faint, reads, SIZE).tolist() == [True] * 5 + [False]
