"""Camera and lens distortion of the path-traced generator."""

import numpy as np
import pytest

from domino_vision.render.lens import Distortion, snapped, take_apart
from domino_vision.synth.camera import make_camera

CAMERA = make_camera((640, 480), tilt_deg=55, fov_deg=60, length=2.0, fraction=0.1, roll_deg=4.0, shift=(0.031, -0.02))


def test_a_camera_taken_apart_projects_the_same() -> None:
    """Focal length, principal point and pose give back the pixels of the camera's matrix."""
    hole = take_apart(CAMERA)
    points = np.random.default_rng(1).uniform(-4, 4, (20, 3))
    local = (points - hole.position) @ hole.rotation.T
    pixels = hole.centre + hole.focal * local[:, :2] / local[:, 2:]
    assert np.allclose(pixels, CAMERA.project(points))
    assert np.allclose(hole.rotation @ hole.rotation.T, np.eye(3))


def test_snapping_moves_the_picture_by_less_than_a_pixel() -> None:
    """The principal point becomes a whole pixel, and every point moves by the same step of at most half a pixel."""
    after = snapped(CAMERA)
    centre = take_apart(after).centre
    assert np.allclose(centre, np.rint(centre))
    points = np.random.default_rng(2).uniform(-3, 3, (20, 3))
    step = after.project(points) - CAMERA.project(points)
    assert np.allclose(step, step[0])
    assert np.abs(step).max() <= 0.5


@pytest.mark.parametrize(("k1", "k2"), [(0.0, 0.0), (0.16, 0.006), (-0.06, -0.006), (0.05, -0.01)])
def test_distortion_and_its_way_back_agree(k1: float, k2: float) -> None:
    """Distorting what was straightened gives the pixel again, all over the picture."""
    lens = Distortion(np.array([330.0, 231.0]), (640, 480), k1, k2)
    pixels = np.random.default_rng(3).uniform([0, 0], [640, 480], (200, 2))
    assert np.abs(lens.apply(lens.undo(pixels)) - pixels).max() < 1e-6


def test_barrels_pull_inwards() -> None:
    """A positive coefficient shows corners nearer to the middle, and needs a margin for what lies beyond."""
    lens = Distortion(np.array([320.0, 240.0]), (640, 480), 0.1)
    corner = np.array([[630.0, 470.0]])
    assert np.linalg.norm(lens.apply(corner) - lens.centre) < np.linalg.norm(corner - lens.centre)
    assert lens.margin > 20


def test_the_picture_is_bent_as_points_are() -> None:
    """A bright spot of the pin-hole picture appears where `apply` puts its place."""
    lens = Distortion(np.array([160.0, 120.0]), (320, 240), 0.12, 0.01)
    picture = np.zeros((240 + 2 * lens.margin, 320 + 2 * lens.margin, 3), np.float32)
    spot = np.array([[262.5, 42.5]])
    x, y = (spot[0] + lens.margin - 0.5).astype(int)
    picture[y - 2 : y + 3, x - 2 : x + 3] = 1
    bent = lens.bend(picture)
    assert bent.shape == (240, 320, 3)
    ys, xs = np.nonzero(bent[:, :, 0] > 0.5)
    assert np.allclose([xs.mean() + 0.5, ys.mean() + 0.5], lens.apply(spot)[0], atol=0.4)
