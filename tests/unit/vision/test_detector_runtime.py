"""The detector at run time: decoding, suppression, looking twice. Networks are played by plain functions."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domino_vision import pipeline
from domino_vision.detectors import onnx
from domino_vision.detectors.apart import clashes, lying_apart
from domino_vision.detectors.base import corners_of, lengths_px, long_enough, overlaps, suppress
from domino_vision.detectors.looks import MAX_WINDOWS, ScaledLooks, Window, closer, merge, tile_windows
from domino_vision.errors import ModelError
from domino_vision.types import Detections, Face, U8Array
from tests.played_detector import Tables, found, tile

THREE = "{0: 'face_up', 1: 'face_down', 2: 'standing'}"


class Session:
    """Stands for an onnxruntime session with one answer."""

    def __init__(self, output: np.ndarray, names: str = THREE, sides: tuple[Any, Any] = (640, 640)) -> None:
        self.output = output.astype(np.float32)
        self.names = names
        self.sides = sides
        self.seen: np.ndarray | None = None

    def get_inputs(self) -> list[Any]:
        return [type("Port", (), {"name": "images", "type": "tensor(float)", "shape": [1, 3, *self.sides]})]

    def get_outputs(self) -> list[Any]:
        return [type("Port", (), {"name": "output0", "shape": list(self.output.shape)})]

    def get_modelmeta(self) -> Any:
        return type("Meta", (), {"custom_metadata_map": {"names": self.names}})

    def run(self, _: Any, feed: dict[str, np.ndarray]) -> list[np.ndarray]:
        (self.seen,) = feed.values()
        return [self.output]


def answer(*boxes: tuple[float, ...], columns: int = 50) -> np.ndarray:
    """The raw output for boxes (x, y, w, h, up, down, standing, angle)."""
    output = np.zeros((1, 8, columns))
    for at, box in enumerate(boxes):
        output[0, :, at] = box
    return output


def detector(monkeypatch: pytest.MonkeyPatch, session: Session) -> onnx.OnnxDetector:
    monkeypatch.setattr(onnx, "open_session", lambda *_: session)
    return onnx.OnnxDetector(Path("x.onnx"))


def blank(width: int = 640, height: int = 640) -> U8Array:
    return np.zeros((height, width, 3), np.uint8)


def test_box_becomes_corners_in_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """A box of the square comes back in pixels of the picture, short edge first, with its face."""
    session = Session(answer((100, 50, 80, 40, 0.01, 0.8, 0.02, 0.0)))
    seen = detector(monkeypatch, session).find(blank(1280, 960))
    assert seen.face.tolist() == [Face.DOWN]
    assert seen.score[0] == pytest.approx(0.8)
    assert sorted(map(tuple, seen.corners_px[0].tolist())) == [(120, 60), (120, 140), (280, 60), (280, 140)]
    sides = np.linalg.norm(np.diff(seen.corners_px[0], axis=0), axis=1)
    assert sides.tolist() == [80, 160, 80]


def test_network_sees_rgb_between_zero_and_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture goes in as RGB from 0 to 1 in the upper left of a grey square."""
    session = Session(answer())
    detector(monkeypatch, session).find(np.full((320, 640, 3), (0, 51, 255), np.uint8))
    assert session.seen is not None
    assert session.seen.shape == (1, 3, 640, 640)
    assert session.seen[0, :, 100, 100] == pytest.approx([1.0, 0.2, 0.0])
    assert session.seen[0, :, 400, 100] == pytest.approx(114 / 255)


def test_a_network_of_free_size_sees_no_more_than_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The grey beside a picture is left out, as is what a smaller scale leaves over; corners come out the same."""
    box = (100, 50, 80, 40, 0.9, 0.0, 0.0, 0.0)
    session = Session(answer(box), sides=("height", "width"))
    free = detector(monkeypatch, session)
    wide = free.find(blank(1920, 1080))
    assert session.seen is not None
    assert session.seen.shape == (1, 3, 384, 640)
    assert wide.corners_px.max(axis=(0, 1)).tolist() == pytest.approx([140 * 3, 70 * 3])
    small = free.find(blank(640, 640), 0.25)
    assert session.seen.shape == (1, 3, 160, 160)
    assert small.corners_px.max(axis=(0, 1)).tolist() == pytest.approx([140 * 4, 70 * 4])
    assert free.side_px == 640


def test_a_smaller_scale_fills_the_rest_of_the_square(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network of one size sees grey where the picture is made smaller than fits."""
    session = Session(answer((40, 40, 40, 20, 0.9, 0.0, 0.0, 0.0)))
    seen = detector(monkeypatch, session).find(blank(640, 320), 0.5)
    assert session.seen is not None
    assert session.seen.shape == (1, 3, 640, 640)
    assert session.seen[0, 0, 159, 319] == 0
    assert session.seen[0, 0, 160, 319] == pytest.approx(114 / 255)
    assert seen.corners_px.mean(axis=(0, 1)).tolist() == pytest.approx([80, 80])


def test_doubles_of_one_class_are_suppressed_those_of_another_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two boxes of one class on a tile the better stays; another class's box is a rival; touching tiles stay."""
    boxes = (
        (100, 100, 80, 40, 0.6, 0, 0, 0),
        (101, 100, 80, 40, 0.5, 0, 0, 0),
        (102, 101, 80, 40, 0, 0.9, 0, 0.05),
        (182, 101, 80, 40, 0.7, 0, 0, 0),
    )
    seen = detector(monkeypatch, Session(answer(*boxes))).find(blank())
    assert seen.face.tolist() == [Face.DOWN, Face.UP, Face.UP]
    assert seen.score.tolist() == pytest.approx([0.9, 0.7, 0.6])


def test_a_box_of_two_classes_counts_as_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tile that may lie or stand is found as either, with the score of each."""
    seen = detector(monkeypatch, Session(answer((100, 100, 80, 40, 0.4, 0, 0.8, 0)))).find(blank())
    assert seen.face.tolist() == [Face.STANDING, Face.UP]
    assert seen.score.tolist() == pytest.approx([0.8, 0.4])


def test_two_classes_are_read_from_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that knows two classes is decoded by its names."""
    output = np.delete(answer((100, 100, 80, 40, 0.02, 0.8, 0, 0)), 6, axis=1)
    seen = detector(monkeypatch, Session(output, "{0: 'face_down', 1: 'face_up'}")).find(blank())
    assert seen.face.tolist() == [Face.UP]


@pytest.mark.parametrize(
    ("names", "rows"), [("{0: 'person'}", 6), ("", 8), ("nonsense(", 8), (THREE, 7), ("{1: 'face_up'}", 6)]
)
def test_other_networks_are_refused(monkeypatch: pytest.MonkeyPatch, names: str, rows: int) -> None:
    """A network of other classes or another head is no detector of tiles."""
    with pytest.raises(ModelError) as caught:
        detector(monkeypatch, Session(np.zeros((1, rows, 10)), names))
    assert caught.value.code == "model_broken"


def test_senseless_numbers_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boxes that are not finite or have no size do not come through."""
    boxes = ((np.nan, 1, 2, 3, 0.9, 0, 0, 0), (9, 9, 0, 5, 0.9, 0, 0, 0), (9, 9, 40, 20, 0.9, 0, 0, np.inf))
    assert len(detector(monkeypatch, Session(answer(*boxes))).find(blank())) == 0


@settings(deadline=None)
@given(st.floats(0, 600), st.floats(0, 600), st.floats(20, 200), st.floats(-3.2, 3.2), st.booleans())
def test_corners_keep_centre_size_and_order(x: float, y: float, length: float, angle: float, tall: bool) -> None:
    """Corners go round clockwise from a short edge, whichever side the network calls the width."""
    sides = (length / 2, length) if tall else (length, length / 2)
    quad = corners_of(np.array([[x, y, *sides, angle]], np.float32))[0]
    assert quad.mean(axis=0) == pytest.approx([x, y], abs=0.1)
    assert lengths_px(quad[None])[0] == pytest.approx(length, rel=1e-3)
    assert cv2.contourArea(quad, oriented=True) == pytest.approx(length**2 / 2, rel=1e-2)
    assert np.linalg.norm(quad[1] - quad[0]) == pytest.approx(length / 2, rel=1e-2)


def test_overlap_is_one_for_the_same_and_small_for_neighbours() -> None:
    """The same box overlaps itself fully; touching neighbours stay under the limit of suppression."""
    a, beside, behind = tile(100, 100, 80), tile(100, 141, 80), tile(181, 100, 80)
    values = overlaps(np.array([a]), np.array([a, beside, behind, tile(500, 500, 80)]))[0]
    assert values[0] == pytest.approx(1, abs=1e-3)
    assert values[1:3].max() < onnx.MAX_OVERLAP - 0.1
    assert values[3] < 1e-3


def test_suppress_keeps_the_best_first() -> None:
    """Kept indices come best first."""
    quads = np.array([tile(100, 100, 80), tile(101, 100, 80), tile(300, 100, 80)])
    assert suppress(quads, np.array([0.5, 0.7, 0.9], np.float32), 0.4).tolist() == [2, 1]


def test_tiles_of_good_size_need_one_look() -> None:
    """Where tiles have the right size at once there is no second look."""
    tables = Tables([tile(400, 400, 184), tile(800, 700, 184)], 1280, 40, 200)
    assert len(ScaledLooks(tables).find(tables.picture)) == 2
    assert len(tables.looks) == 1


def test_second_look_finds_what_was_small() -> None:
    """Small tiles are looked at again, larger, and those that the first look missed are found."""
    tiles = [tile(500 + 45 * k, 600 + 5 * k, 60 - 2 * k, np.pi / 2) for k in range(6)]
    tables = Tables(tiles, 1920, 17, 200)
    seen = ScaledLooks(tables).find(tables.picture)
    assert len(seen) == 6
    assert 2 <= len(tables.looks) <= 1 + MAX_WINDOWS
    assert max(tables.looks) * 55 == pytest.approx(90, rel=0.2)


def test_small_tiles_get_a_look_of_their_own() -> None:
    """Half as long as most, and no view from above makes them alike: a third look shows them in the good size."""
    near = [tile(500 + 150 * (k % 2), 500 + 700 * (k // 2), 120) for k in range(4)]
    small = [tile(500 + 80 * k, 850, 60) for k in range(3)]
    tables = Tables([*near, *small], 1920, 17, 200)
    assert len(ScaledLooks(tables).find(tables.picture)) == 7
    assert max(tables.looks) * 60 == pytest.approx(90, rel=0.1)
    alike = Tables(near, 1920, 17, 200)
    assert len(ScaledLooks(alike).find(alike.picture)) == 4
    assert max(alike.looks) * 120 == pytest.approx(90, rel=0.1)


def test_a_strong_box_across_two_tiles_comes_as_their_rival() -> None:
    """Two tiles side by side and a box made of a half of each: the tiles come first, the rival after them."""
    tiles = [tile(400, 400, 184), tile(584, 400, 184)]
    across = tile(492, 400, 184)
    both = Detections(
        np.array([*tiles, across], np.float32), np.zeros(3, np.uint8), np.array([0.8, 0.7, 0.75], np.float32)
    )
    tables = Tables([], 1280, 40, 200)
    tables.find = lambda bgr, scale=None: both  # type: ignore[method-assign]
    seen = ScaledLooks(tables).find(tables.picture)
    assert seen.score.tolist() == pytest.approx([0.8, 0.7, 0.75])


@pytest.mark.parametrize(("at", "face", "seen"), [(496, Face.UP, 2), (496, Face.DOWN, 1), (900, Face.UP, 1)])
def test_a_weak_face_beside_a_tile_comes_after_it(at: int, face: Face, seen: int) -> None:
    """The reader says whether it is one; weak backs, and weak boxes that lie anywhere, are none."""
    both = Detections(
        np.array([tile(400, 400, 184), tile(400, at, 184)], np.float32),
        np.array([Face.UP, face], np.uint8),
        np.array([0.8, 0.25], np.float32),
    )
    tables = Tables([], 1280, 40, 200)
    tables.find = lambda bgr, scale=None: both  # type: ignore[method-assign]
    assert len(ScaledLooks(tables).find(tables.picture)) == seen


def test_a_face_lies_as_it_is_seen_from_near() -> None:
    """A box of the small picture that is too wide gives way to the one seen from near, if only a little less sure."""
    near, far = tile(400, 400, 184), tile(402, 404, 190)
    for score, kept, sure in ((0.26, near, 0.32), (0.1, far, 0.38)):
        joined = closer(found(near, score=score), found(far, score=0.38))
        assert joined.corners_px[0] == pytest.approx(kept)
        assert joined.score[0] == pytest.approx(sure)


@pytest.mark.parametrize(("score", "first"), [(0.3, False), (0.7, True)])
def test_of_two_looks_the_surer_one_says_how_a_tile_lies(score: float, first: bool) -> None:
    """A tile that is seen well from afar stays as it is seen there if the look from near takes in only a part of it."""
    near, far = tile(400, 400, 150), tile(402, 404, 184)
    joined = closer(found(near, score=score), found(far, score=0.6))
    assert joined.corners_px[0] == pytest.approx(near if first else far)
    assert joined.score[0] == pytest.approx(max(score, 0.6))


def test_a_network_of_free_size_takes_one_large_look_instead_of_several() -> None:
    """What takes overlapping windows of 640 pixels is one window of twice that, at the same scale."""
    tiles = [tile(600 + 75 * k, 700, 60) for k in range(7)]
    squares, free = Tables(tiles, 1920, 17, 200), Tables(tiles, 1920, 17, 200)
    free.most_px = 1280
    assert len(ScaledLooks(squares).find(squares.picture)) == 7
    assert len(ScaledLooks(free).find(free.picture)) == 7
    assert len(squares.looks) > len(free.looks) == 2
    assert free.looks[1] == pytest.approx(squares.looks[1], rel=0.35)
    live = Tables(tiles[:3], 1920, 17, 200)
    live.most_px = 1280
    assert len(ScaledLooks(live).find(live.picture, near=found(*tiles[:3]))) == 3
    assert len(live.looks) == 1
    assert live.looks[0] * 450 <= 641


def test_known_tiles_save_the_first_look() -> None:
    """With the tiles of the frame before only their surroundings are looked at."""
    tiles = [tile(700, 700, 60), tile(780, 700, 60)]
    tables = Tables(tiles, 1920, 17, 200)
    seen = ScaledLooks(tables).find(tables.picture, near=found(*tiles))
    assert len(seen) == 2
    assert len(tables.looks) == 1


def test_pyramid_finds_the_huge_and_the_tiny() -> None:
    """Where the first look finds nothing, tiles that fill the picture and tiny ones are still found."""
    huge = Tables([tile(500, 500, 800)], 1024, 40, 300)
    seen = ScaledLooks(huge).find(huge.picture)
    assert len(lying_apart(seen.corners_px, seen.score)) == 1
    tiny = Tables([tile(480, 480, 56)], 2048, 20, 300)
    assert len(ScaledLooks(tiny).find(tiny.picture)) == 1


def test_nothing_is_found_where_nothing_lies() -> None:
    """An empty table gives no tile, and pictures of any shape are looked at."""
    empty = Tables([], 640, 1, 2)
    for shape in ((640, 640), (40, 1200), (1200, 40), (33, 33)):
        assert len(ScaledLooks(empty).find(np.zeros((*shape, 3), np.uint8))) == 0


def test_earlier_looks_are_kept_in_ties() -> None:
    """Merging drops doubles across looks."""
    a, b = tile(100, 100, 80), tile(103, 100, 80)
    assert len(merge([found(a), found(b, score=0.8)])) == 1
    assert len(merge([Detections.none(), Detections.none()])) == 0


@settings(deadline=None)
@given(
    st.integers(1, 4000),
    st.integers(1, 4000),
    st.floats(50, 900),
    st.floats(0.0, 0.5),
)
def test_windows_cover_the_region(width: int, height: int, span: float, share: float) -> None:
    """Windows cover a region without gaps, inside it, and overlap as asked."""
    windows = tile_windows(Window(5, 7, width, height), span, span * share)
    for low, size, total, start in (("x", "w", width, 5), ("y", "h", height, 7)):
        spans = sorted({(getattr(window, low), getattr(window, size)) for window in windows})
        assert spans[0][0] == start
        assert spans[-1][0] + spans[-1][1] == start + total
        for (a, a_size), (b, _) in pairwise(spans):
            assert a + a_size - b >= span * share - 2


def test_parts_of_tiles_are_dropped() -> None:
    """A box inside a better one goes; crossing and touching tiles stay."""
    quads = np.array([tile(100, 100, 80), tile(90, 100, 40), tile(182, 100, 80), tile(300, 100, 80)])
    assert lying_apart(quads, np.array([0.9, 0.8, 0.7, 0.6], np.float32)).tolist() == [0, 2, 3]
    assert lying_apart(quads[:0], np.zeros(0, np.float32)).tolist() == []


def test_two_tiles_outweigh_the_better_box_between_them() -> None:
    """Two touching halves that look like a tile of their own do not cost the two tiles they belong to."""
    quads = np.array([tile(100, 100, 80), tile(140, 100, 80), tile(180, 100, 80)])
    assert lying_apart(quads, np.array([0.6, 0.9, 0.6], np.float32)).tolist() == [0, 2]
    assert lying_apart(quads, np.array([0.3, 0.9, 0.3], np.float32)).tolist() == [1]


def test_boxes_in_one_place_count_once() -> None:
    """Boxes that nearly coincide are one tile, the better one."""
    quads = np.array([tile(100, 100, 80), tile(100.5, 100, 80), tile(100, 100, 80)])
    assert lying_apart(quads, np.array([0.6, 0.7, 0.5], np.float32)).tolist() == [1]


def test_a_heap_of_boxes_is_sorted_out_in_bounded_time() -> None:
    """Hundreds of boxes over each other end with some that lie apart."""
    rng = np.random.default_rng(5)
    quads = np.array([tile(x, y, 60) for x, y in rng.uniform(50, 250, (300, 2))])
    kept = lying_apart(quads, rng.uniform(0.1, 0.9, 300).astype(np.float32))
    assert len(kept) > 2
    assert not clashes(quads[kept]).any()


def test_specks_are_no_tiles() -> None:
    """Boxes far shorter than the median tile are none; a few boxes alone may be of any size."""
    quads = np.array(
        [tile(100, 100, 80), tile(182, 100, 80), tile(300, 100, 80), tile(400, 90, 40), tile(300, 300, 20)]
    )
    assert long_enough(quads, 0.4).tolist() == [True, True, True, True, False]
    assert long_enough(quads[-1:], 0.4).tolist() == [True]


def test_pt_file_needs_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .pt file without ultralytics says which extra to install."""
    (tmp_path / "x.pt").write_bytes(b"1")
    monkeypatch.setitem(__import__("sys").modules, "ultralytics", None)
    load: Callable[[str], object] = pipeline.load_detector
    for name, code in (("x.pt", "extra_missing"), ("y.pt", "model_missing")):
        with pytest.raises(ModelError) as caught:
            load(str(tmp_path / name))
        assert caught.value.code == code
