"""Cutting tiles out of pictures."""

import numpy as np
import pytest

from domino_vision.errors import VisionError
from domino_vision.rectify import rectify_tiles, target_corners

SIZE = (80, 40)


def ring(x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    """Corners of an upright rectangle, first half to the left, clockwise as seen, pixel edges."""
    return np.array([[x0, y1], [x0, y0], [x1, y0], [x1, y1]], dtype=np.float32)


def quarters() -> np.ndarray:
    """A picture of four flat colours: blue, green / red, white, each 40 by 20."""
    picture = np.zeros((40, 80, 3), dtype=np.uint8)
    picture[:20, :40], picture[:20, 40:] = (255, 0, 0), (0, 255, 0)
    picture[20:, :40], picture[20:, 40:] = (0, 0, 255), (255, 255, 255)
    return picture


def test_a_quad_that_is_the_picture_gives_the_picture() -> None:
    """Without margin and scaling every pixel stays where it is."""
    picture = np.random.default_rng(1).integers(0, 256, (40, 80, 3), dtype=np.uint8)
    crop = rectify_tiles(picture, ring(0, 0, 80, 40)[None], SIZE, 0.0)[0]
    assert np.array_equal(crop, picture)


def test_margin_is_a_share_of_length_and_width() -> None:
    """A margin of 0.25 shows half as much again, evenly on all sides."""
    picture = np.zeros((60, 120, 3), dtype=np.uint8)
    picture[20:40, 40:80] = 255
    crop = rectify_tiles(picture, ring(40, 20, 80, 40)[None], (60, 30), 0.25)[0]
    assert crop[5:25, 10:50].min() == 255
    assert crop.sum() == 20 * 40 * 3 * 255


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("other_way", [False, True])
def test_first_half_lies_left_and_nothing_is_mirrored(turned: bool, other_way: bool) -> None:
    """Corners may go round either way; the crop starts at corners 0 and 1 and keeps the handedness of the picture."""
    quad = ring(0, 0, 80, 40)
    if other_way:
        quad = quad[[1, 0, 3, 2]]
    if turned:
        quad = np.roll(quad, 2, axis=0)
    crop = rectify_tiles(quarters(), quad[None], SIZE, 0.0)[0]
    expected = quarters()[::-1, ::-1] if turned else quarters()
    assert np.array_equal(crop, expected)


def test_shrinking_averages_and_never_aliases() -> None:
    """A one-pixel checkerboard becomes an even grey when it is shrunk eightfold."""
    ys, xs = np.mgrid[0:320, 0:640]
    board = np.repeat(((xs + ys) % 2 * 255).astype(np.uint8)[..., None], 3, axis=2)
    crop = rectify_tiles(board, ring(3.2, 1.7, 633.4, 317.2)[None], SIZE, 0.0)[0]
    assert abs(int(crop.min()) - 127) < 12
    assert abs(int(crop.max()) - 127) < 12


def test_perspective_is_undone() -> None:
    """A trapezium's colours land in the quarters of the crop."""
    import cv2

    quad = np.array([[30, 150], [60, 40], [180, 55], [250, 160]], dtype=np.float32)
    transform = cv2.getPerspectiveTransform(ring(-0.5, -0.5, 79.5, 39.5), quad - 0.5)
    picture = np.asarray(cv2.warpPerspective(quarters(), transform, (280, 200)), dtype=np.uint8)
    crop = rectify_tiles(picture, quad[None], SIZE, 0.0)[0]
    assert np.abs(crop[5:15, 5:35].astype(int) - (255, 0, 0)).max() < 3
    assert np.abs(crop[25:35, 45:75].astype(int) - 255).max() < 3


@pytest.mark.parametrize("far", [0.0, 500.0, -500.0])
def test_tiles_may_leave_the_picture(far: float) -> None:
    """Corners outside the picture repeat its border instead of failing."""
    picture = np.full((40, 80, 3), 77, dtype=np.uint8)
    crop = rectify_tiles(picture, ring(60, 20, 140, 60)[None] + np.float32(far), SIZE, 0.1)[0]
    assert (crop == 77).all()


def test_a_quad_without_surface_is_one_colour() -> None:
    """Four equal corners show the pixel they lie on."""
    picture = np.full((40, 80, 3), 9, dtype=np.uint8)
    picture[10, 20] = 200
    crop = rectify_tiles(picture, np.full((1, 4, 2), (20.5, 10.5), dtype=np.float32), SIZE, 0.1)[0]
    assert (crop == 200).all()


def test_no_tiles_give_no_crops() -> None:
    """An empty list of quads is no error."""
    assert rectify_tiles(quarters(), np.zeros((0, 4, 2), dtype=np.float32), SIZE, 0.1).shape == (0, 40, 80, 3)


@pytest.mark.parametrize(
    ("frame", "corners", "code"),
    [
        (np.zeros((4, 4), np.uint8), np.zeros((1, 4, 2), np.float32), "frame_invalid"),
        (np.zeros((4, 4, 3), np.float32), np.zeros((1, 4, 2), np.float32), "frame_invalid"),
        (np.zeros((4, 4, 3), np.uint8), np.zeros((4, 2), np.float32), "quad_invalid"),
        (np.zeros((4, 4, 3), np.uint8), np.full((1, 4, 2), np.nan, np.float32), "quad_invalid"),
    ],
)
def test_wrong_input_is_named(frame: np.ndarray, corners: np.ndarray, code: str) -> None:
    """Wrong shapes and corners that are no numbers raise a typed error."""
    with pytest.raises(VisionError) as caught:
        rectify_tiles(frame, corners, SIZE, 0.1)
    assert caught.value.code == code


def test_target_corners_leave_the_margin() -> None:
    """The tile's place in the crop is the inner part, in pixel-centre coordinates."""
    corners = target_corners((60, 30), 0.25)
    assert np.allclose(corners, [[9.5, 24.5], [9.5, 4.5], [49.5, 4.5], [49.5, 24.5]])
    assert np.allclose(target_corners((60, 30), 0.25, clockwise=False), corners[[1, 0, 3, 2]])
