"""The table plane fitted from the tiles."""

import random

import numpy as np
import pytest

from domino_vision.assemble.plane import TILE_LENGTH_MM, fit_plane
from domino_vision.labels import label_files, read_label
from tests.laid_tables import Camera, LaidTable, lay_chain, read_table


def lengths_mm(quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    ends = quads[:, :2].mean(1) - quads[:, 2:].mean(1)
    sides = quads[:, [0, 3]].mean(1) - quads[:, [1, 2]].mean(1)
    return np.linalg.norm(ends, axis=1), np.linalg.norm(sides, axis=1)


@pytest.mark.parametrize("tilt", [0, 20, 45])
def test_all_tiles_come_out_equal(tilt: float) -> None:
    """On the fitted plane every tile is 50 mm long and half as wide, however the camera leans."""
    table = lay_chain(random.Random(3), 14)
    camera = Camera(turn=30, tilt=tilt, lean=70)
    readings = read_table(table, camera, np.random.default_rng(0), 0.005)
    plane = fit_plane(readings.corners_px, camera.size_wh)
    long, wide = lengths_mm(plane.to_mm(readings.corners_px))
    assert long == pytest.approx(TILE_LENGTH_MM, rel=0.06)
    assert wide == pytest.approx(TILE_LENGTH_MM / 2, rel=0.08)
    assert not plane.bad.any()
    assert plane.tilt_deg == pytest.approx(tilt, abs=8)


def test_bad_boxes_are_flagged_and_do_not_bend_the_plane() -> None:
    """Two boxes of the wrong size among twelve are bad; the others keep their size."""
    table = lay_chain(random.Random(5), 12)
    camera = Camera(tilt=30)
    corners = read_table(table, camera, np.random.default_rng(0)).corners_px
    for k in (2, 7):
        corners[k] = corners[k].mean(0) + (corners[k] - corners[k].mean(0)) * np.float32(1.8)
    plane = fit_plane(corners, camera.size_wh)
    assert np.flatnonzero(plane.bad).tolist() == [2, 7]
    assert np.delete(lengths_mm(plane.to_mm(corners))[0], [2, 7]) == pytest.approx(TILE_LENGTH_MM, rel=0.03)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_tiles_give_scale_without_tilt(count: int) -> None:
    """With one to three tiles seen straight on the plane is a similarity."""
    table = LaidTable()
    for k in range(count):
        table.add(np.array([0.0, 70.0 * k]), np.array([1.0, 0.0]), (k, 6))
    readings = read_table(table, Camera(turn=20), np.random.default_rng(1), 0.01)
    plane = fit_plane(readings.corners_px, (1920, 1440))
    assert plane.tilt_deg == 0
    assert plane.px_to_mm[2, :2] == pytest.approx([0, 0], abs=1e-12)
    assert lengths_mm(plane.to_mm(readings.corners_px))[0] == pytest.approx(TILE_LENGTH_MM, rel=0.05)


def test_no_tile_still_gives_a_finite_plane() -> None:
    """Without tiles that lie there is a plane all the same, so that nothing later must ask."""
    plane = fit_plane(np.zeros((0, 4, 2), np.float32), (640, 480))
    assert np.isfinite(plane.px_to_mm).all()
    assert plane.bad.shape == (0,)


def test_orientation_is_that_of_the_picture() -> None:
    """X in millimetres grows to the right of the picture and y downwards."""
    readings = read_table(lay_chain(random.Random(8), 10), Camera(tilt=35, lean=10), np.random.default_rng(0))
    plane = fit_plane(readings.corners_px, (1920, 1440))
    centre, right, down = plane.to_mm(np.array([[960, 720], [1000, 720], [960, 760]]))
    assert right[0] > centre[0]
    assert down[1] > centre[1]


def test_a_tile_whose_corners_start_on_a_long_edge_is_turned() -> None:
    """Corners that start on a long edge, as a flat view suggests, are found; the others are in order."""
    table = lay_chain(random.Random(5), 12)
    camera = Camera(tilt=40)
    right = read_table(table, camera, np.random.default_rng(0)).corners_px
    wrong = right.copy()
    wrong[4] = np.roll(right[4], -1, axis=0)
    assert np.flatnonzero(fit_plane(wrong, camera.size_wh).turned).tolist() == [4]
    assert not fit_plane(right, camera.size_wh).turned.any()


def test_real_tilted_photographs_fit_to_two_per_cent(photos: "object") -> None:
    """On the strongly tilted photographs the labelled tiles come out equal."""
    for file in label_files(photos / "dev"):  # type: ignore[operator]
        if not file.name.startswith("karthik__"):
            continue
        quads = read_label(file).quads_px
        plane = fit_plane(quads, (640, 480))
        long, _ = lengths_mm(plane.to_mm(quads))
        if plane.tilt_deg:
            assert np.median(np.abs(long - TILE_LENGTH_MM)) < 0.02 * TILE_LENGTH_MM
