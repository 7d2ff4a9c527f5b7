"""The view from above of a table that is seen from the side."""

import random

import numpy as np
import pytest

from domino_vision.detectors.above import LEAST_TILT_DEG, top_view
from domino_vision.detectors.base import lengths_px
from domino_vision.detectors.looks import ScaledLooks
from domino_vision.types import Detections, Face
from tests.laid_tables import Camera, lay_chain, read_table
from tests.played_detector import Tables, found

SIZE = 1000


def seen_from(tilt: float, count: int = 12, seed: int = 3) -> np.ndarray:
    camera = Camera(turn=20, tilt=tilt, px_per_mm=1.6, size_wh=(SIZE, SIZE))
    return read_table(lay_chain(random.Random(seed), count), camera, np.random.default_rng(0)).corners_px


def test_from_above_there_is_no_other_view() -> None:
    """A camera that looks down, too few tiles, or tiles that stand: the picture is all there is."""
    assert top_view(found(*seen_from(0)), (SIZE, SIZE), 90) is None
    leaning = found(*seen_from(45))
    assert top_view(leaning.where(np.arange(2)), (SIZE, SIZE), 90) is None
    standing = Detections(leaning.corners_px, np.full(len(leaning), Face.STANDING, np.uint8), leaning.score)
    assert top_view(standing, (SIZE, SIZE), 90) is None
    assert top_view(Detections.none(), (SIZE, SIZE), 90) is None


@pytest.mark.parametrize("tilt", [30, 45, 55])
def test_in_the_view_all_tiles_are_equal(tilt: float) -> None:
    """Tiles become rectangles of the length asked for, within the view; the way back leads to where they lie."""
    quads = seen_from(tilt)
    view = top_view(found(*quads), (SIZE, SIZE), 90)
    assert view is not None
    assert view.tilt_deg > LEAST_TILT_DEG
    corners = np.dstack([quads, np.ones(quads.shape[:2])]) @ view.px_to_view.T
    seen = (corners[..., :2] / corners[..., 2:]).astype(np.float32)
    assert lengths_px(seen) == pytest.approx(90, rel=0.06)
    assert (seen >= 0).all()
    assert (seen <= view.size_wh).all()
    assert np.abs(view.to_picture(seen) - quads).max() < 0.1
    small = view.smaller(0.5)
    assert small.size_wh == pytest.approx(np.array(view.size_wh) / 2, abs=1)
    assert np.abs(small.to_picture(seen * np.float32(0.5)) - quads).max() < 0.1


def test_the_view_shows_the_picture_where_it_says() -> None:
    """A bright spot of the picture lies in a part of the view where the homography puts it, however much it shrinks."""
    quads = seen_from(45)
    picture = np.full((SIZE, SIZE, 3), 114, np.uint8)
    x, y = (int(v) for v in quads[4].mean(axis=0))
    picture[y - 6 : y + 7, x - 6 : x + 7] = 255
    for length in (90, 40, 15):
        view = top_view(found(*quads), (SIZE, SIZE), length)
        assert view is not None
        corner = (view.size_wh[0] // 8, view.size_wh[1] // 8)
        part = view.part(picture, corner, (view.size_wh[0] - corner[0], view.size_wh[1] - corner[1]))
        light = part[..., 0] - 114.0
        ys, xs = np.mgrid[0 : part.shape[0], 0 : part.shape[1]] + 0.5
        middle = np.array([(xs * light).sum(), (ys * light).sum()]) / light.sum() + corner
        place = view.px_to_view @ [x + 0.5, y + 0.5, 1]
        assert np.abs(middle - place[:2] / place[2]).max() < 0.6


def test_tiles_known_only_from_above_are_found() -> None:
    """A network that has seen right-angled tiles only finds those of a table seen from the side, each once."""
    quads = seen_from(50)
    tables = Tables(list(quads), SIZE, 17, 200, square=True)
    assert len(tables.find(tables.picture)) < 3
    looks = iter([found(*np.delete(quads, [3, 6, 8], axis=0), score=0.5)])
    network = tables.find
    tables.find = lambda bgr, scale=None: next(looks, None) or network(bgr, scale)  # type: ignore[method-assign]
    seen = ScaledLooks(tables).find(tables.picture)
    assert len(seen.where(seen.score > 0.8)) == len(quads)
    centres = seen.corners_px.mean(axis=1)
    assert (np.linalg.norm(centres[:, None] - quads.mean(axis=1)[None], axis=2) < 10).any(axis=0).all()


def test_a_view_of_a_large_table_is_seen_smaller() -> None:
    """Where tiles of the good length would take too many looks they are shown shorter, and never many times over."""
    quads = seen_from(45, count=24, seed=5)
    tables = Tables(list(quads), SIZE, 17, 200)
    assert len(ScaledLooks(tables).find(tables.picture)) == len(quads)
    assert len(tables.looks) <= 1 + 4 * 8


def test_a_table_seen_from_above_needs_no_look_at_the_tiles_far_away() -> None:
    """From above they are as large as those near: nothing is shown larger than the median tile of the picture needs."""
    quads = seen_from(50, count=24, seed=5)
    tables = Tables(list(quads), SIZE, 17, 200)
    assert len(ScaledLooks(tables).find(tables.picture)) == len(quads)
    from_above, others = [scale for scale in tables.looks if scale == 1.0], [x for x in tables.looks if x != 1.0]
    assert from_above
    assert max(others) * np.median(lengths_px(quads)) == pytest.approx(90, rel=0.1)
