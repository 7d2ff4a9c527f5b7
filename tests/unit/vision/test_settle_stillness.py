"""Rest and motion measured on pictures."""

import time

import cv2
import numpy as np
import pytest

from domino_vision.settle import Stillness, region_of
from domino_vision.settle.stillness import WHOLE

RNG = np.random.default_rng(5)
COARSE = RNG.integers(60, 180, (27, 48, 3), dtype=np.uint8)
TABLE = np.asarray(cv2.resize(COARSE, (960, 540), interpolation=cv2.INTER_CUBIC), np.uint8)


def noisy(bgr, seed=0, amount=2.0):
    noise = np.random.default_rng(seed).normal(0, amount, bgr.shape)
    return np.clip(bgr + noise, 0, 255).astype(np.uint8)


def with_box(bgr, x, y, w, h, colour=(240, 240, 240)):
    out = bgr.copy()
    cv2.rectangle(out, (x, y), (x + w, y + h), colour, -1)
    return out


@pytest.fixture
def watched():
    """A measurer that knows the table at rest."""
    still = Stillness()
    for step in range(3):
        still.measure(noisy(TABLE, step), step / 15)
    still.settle()
    return still


def test_noise_is_rest(watched):
    """Sensor noise is neither motion nor change."""
    sample = watched.measure(noisy(TABLE, 9), 1.0)
    assert sample.motion < 0.001
    assert sample.changed < 0.001
    assert not sample.hand


def test_a_new_tile_is_a_change_and_no_hand(watched):
    """A tile in the middle changes the table; once it lies still there is no motion and no hand."""
    picture = with_box(TABLE, 400, 200, 70, 35)
    assert watched.measure(noisy(picture, 1), 1.0).motion > 0.003
    sample = watched.measure(noisy(picture, 2), 1.1)
    assert sample.changed > 0.003
    assert sample.motion < 0.001
    assert not sample.hand
    assert watched.changed_in(np.array([[400, 200], [470, 200], [470, 235], [400, 235]]), (960, 540)) > 0.6
    assert watched.changed_in(np.array([[100, 100], [170, 100], [170, 135], [100, 135]]), (960, 540)) == 0.0


def test_an_arm_from_the_edge_is_a_hand(watched):
    """A large change that reaches the picture's edge is a hand even when it rests."""
    picture = with_box(TABLE, 420, 250, 110, 290, (90, 120, 190))
    watched.measure(picture, 1.0)
    sample = watched.measure(noisy(picture, 3), 1.1)
    assert sample.hand
    assert sample.covered > 0.04


@pytest.mark.parametrize("gain", [0.7, 0.85, 1.2])
def test_light_is_a_gain_and_no_change(watched, gain):
    """A lamp that is turned up or down changes the gain alone."""
    sample = watched.measure(noisy(np.clip(TABLE * gain, 0, 255).astype(np.uint8), 4), 1.0)
    assert sample.gain == pytest.approx(gain, abs=0.04)
    assert sample.changed < 0.01


def test_a_pushed_camera_is_a_shift(watched):
    """The whole picture moved by some pixels is measured as such and is no hand."""
    moved = np.roll(TABLE, (9, 16), axis=(0, 1))
    watched.measure(noisy(moved, 1), 1.0)
    sample = watched.measure(noisy(moved, 5), 1.1)
    assert sample.shift_px == pytest.approx(np.hypot(9, 16), abs=3)
    assert not sample.hand


def test_a_camera_pushed_over_a_dark_table_changes_no_light():
    """Few tiles are the only light things on a speckled black cloth; none of them lies where one lay before."""
    speckles = np.random.default_rng(8).integers(0, 60, (135, 240, 3), dtype=np.uint8)
    table = np.asarray(cv2.resize(speckles, (960, 540), interpolation=cv2.INTER_NEAREST), np.uint8) // 2
    for x in range(200, 740, 54):
        table = with_box(table, x, 260, 48, 24, (150, 160, 200))
    still = Stillness()
    still.measure(noisy(table, 1), 0.0)
    still.settle()
    moved = np.roll(table, (17, 9), axis=(0, 1))
    still.measure(noisy(moved, 2), 1.0)
    sample = still.measure(noisy(moved, 3), 1.1)
    assert sample.gain == pytest.approx(1.0, abs=0.06)
    assert not sample.hand


@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_empty_picture_is_no_picture(level):
    """Black, white or grey frames are dark, and the first of them frightens nobody."""
    assert Stillness().measure(np.full((360, 640, 3), level, np.uint8), 0.0).dark


def test_sharpness_tells_sharp_from_blurred(watched):
    """A blurred frame is less sharp."""
    sharp = watched.measure(noisy(TABLE, 1), 1.0).sharpness
    blurred = np.asarray(cv2.GaussianBlur(TABLE, (0, 0), 9), np.uint8)
    assert watched.measure(blurred, 1.1).sharpness < sharp


def test_a_drawn_region_hides_what_is_outside():
    """Motion outside of the region is not seen."""
    still = Stillness((0.0, 0.0, 0.5, 1.0))
    still.measure(TABLE, 0.0)
    still.settle()
    sample = still.measure(with_box(TABLE, 700, 100, 200, 300), 0.1)
    assert sample.motion == 0.0
    assert sample.changed == 0.0


def test_the_region_follows_the_tiles():
    """The region surrounds the tiles, and is the whole picture without any."""
    quad = np.array([[[400, 200], [400, 230], [460, 230], [460, 200]]], np.float32)
    left, top, right, bottom = region_of(quad, (960, 540), margin=2.0)
    assert (left, right) == pytest.approx(((400 - 120) / 960, (460 + 120) / 960))
    assert top < 200 / 540 < bottom
    assert region_of(np.zeros((0, 4, 2), np.float32), (960, 540)) == WHOLE


@pytest.mark.parametrize("place", [(-400, 200), (1300, 200), (400, -300), (400, 900), (1099, 200), (-219, -169)])
def test_tiles_beside_the_picture_leave_the_whole_of_it_to_be_watched(place):
    """A camera that was turned away from the tiles goes on measuring, also where a strip of their region is left."""
    quad = np.array([[0, 0], [0, 30], [60, 30], [60, 0]], np.float32) + np.array(place, np.float32)
    region = region_of(quad[None], (960, 540))
    assert region == WHOLE
    still = Stillness(region)
    still.know_tiles(quad[None])
    still.measure(TABLE, 0.0)
    still.settle()
    assert still.measure(noisy(TABLE, 1), 0.1).changed < 0.001


def test_an_idle_frame_of_1080p_costs_little():
    """A frame in which nothing changed takes at most 5 ms of processor time."""
    still = Stillness()
    frame = np.asarray(cv2.resize(TABLE, (1920, 1080)), np.uint8)
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        still.measure(frame, 0.0)
        still.settle()
        spent = []
        for step in range(20):
            start = time.thread_time()
            still.measure(frame, step / 15)
            spent.append(time.thread_time() - start)
    finally:
        cv2.setNumThreads(threads)
    assert np.median(spent) < 0.005


def test_a_tile_as_bright_as_the_table_is_seen_by_its_colour():
    """A pink tile on a blue cloth may have the same grey; it changed the table all the same."""
    cloth = np.full((540, 960, 3), (200, 120, 60), np.uint8)
    grey = int(cv2.cvtColor(cloth[:1, :1], cv2.COLOR_BGR2GRAY)[0, 0])
    pink = (60, 78, 190)
    assert abs(int(cv2.cvtColor(np.full((1, 1, 3), pink, np.uint8), cv2.COLOR_BGR2GRAY)[0, 0]) - grey) < 6
    textured = noisy(cloth, 1, 12.0)
    measurer = Stillness()
    measurer.measure(textured, 0.0)
    measurer.settle()
    measurer.measure(with_box(textured, 400, 200, 50, 25, pink), 0.1)
    quad = np.array([[402, 202], [448, 202], [448, 223], [402, 223]], float)
    assert measurer.changed_in(quad, (960, 540)) > 0.8


def test_a_frame_from_before_a_tile_went_does_not_show_the_same(watched):
    """A single small tile that is gone tells a frame from the newest one, noise does not."""
    with_tile = with_box(TABLE, 400, 200, 40, 20)
    watched.measure(noisy(TABLE, 7), 1.0)
    assert watched.shows_the_same(noisy(TABLE, 8))
    assert not watched.shows_the_same(noisy(with_tile, 9))


ARM = (420, 250, 110, 290, (90, 120, 190))


def test_what_lies_over_the_table_stays_though_others_reach_in_elsewhere(watched):
    """The time that a thing lies there unmoved goes on while an arm comes and goes on the other side of the table."""
    cup = with_box(TABLE, *ARM)
    for step in range(4):
        sample = watched.measure(noisy(cup, step), 1.0 + step)
    assert sample.hand
    assert sample.stays_s == pytest.approx(2.0)
    for step in range(3):
        sample = watched.measure(noisy(with_box(cup, 0, 40 + 60 * step, 300, 60, (60, 80, 150)), step), 5.0 + step / 15)
        assert sample.stays_s == 0.0
    sample = watched.measure(noisy(cup, 8), 6.0)
    assert sample.stays_s == pytest.approx(4.0)


def test_what_moves_over_the_table_does_not_stay(watched):
    """A person who leans over the table and shifts now and then has not lain there for long."""
    for step in range(4):
        watched.measure(noisy(with_box(TABLE, *ARM), step), 1.0 + step)
    x, *rest = ARM
    for step in range(3):
        sample = watched.measure(noisy(with_box(TABLE, x + 30, *rest), step), 5.0 + step)
    assert sample.hand
    assert sample.stays_s == pytest.approx(1.0)


def test_backs_in_an_arm_are_known_for_what_they_are(watched):
    """What is seen where an arm rests is of the arm; what lies beside it is not."""
    watched.measure(noisy(with_box(TABLE, *ARM)), 1.0)
    watched.measure(noisy(with_box(TABLE, *ARM), 3), 1.1)
    fingers = np.array([[430, 260], [500, 260], [500, 295], [430, 295]], np.float64)
    assert watched.in_hand(fingers, (960, 540))
    assert not watched.in_hand(fingers - [300, 100], (960, 540))


def test_an_arm_is_known_in_a_wide_region_by_the_size_of_tiles(watched):
    """Fingers of some tiles' size that reach in from the edge are a hand even where they cover little of the region."""
    fingers = with_box(TABLE, 500, 500, 90, 40, (90, 120, 190))
    assert not watched.measure(noisy(fingers, 1), 1.0).hand
    tile = np.array([[[0, 0], [40, 0], [40, 20], [0, 20]]], np.float32)
    watched.know_tiles(tile)
    assert watched.measure(noisy(fingers, 2), 1.1).hand
    assert not watched.measure(noisy(with_box(TABLE, 500, 300, 90, 40), 2), 1.1).hand


def test_the_whole_picture_is_compared_with_the_whole_that_was_committed():
    """A hand that rests beyond the region is known once the whole is watched; on a table as committed there is none."""
    still = Stillness((0.3, 0.4, 0.7, 0.9))
    still.measure(noisy(TABLE), 0.0)
    still.settle()
    still.know_tiles(np.array([[[0, 0], [40, 0], [40, 20], [0, 20]]], np.float32))
    hand = with_box(TABLE, 400, 0, 60, 120, (90, 120, 190))
    assert not still.measure(noisy(hand, 1), 1.0).hand
    still.widen()
    assert still.measure(noisy(hand, 2), 1.1).hand
    assert not still.measure(noisy(TABLE, 3), 1.2).hand


OTHER_ARM = (100, 0, 70, 180, (120, 90, 60))


def test_several_things_that_lie_over_the_table_stay_each_for_itself(watched):
    """Two arms rest on two sides: all lies there for as long as the later one, and backs in the smaller are of it."""
    one = with_box(TABLE, *ARM)
    for step in range(3):
        watched.measure(noisy(one, step), 1.0 + step)
    both = with_box(one, *OTHER_ARM)
    for step in range(4):
        sample = watched.measure(noisy(both, step), 4.0 + step)
    assert sample.stays_s == pytest.approx(2.0)
    fingers = np.array([[110, 140], [160, 140], [160, 170], [110, 170]], np.float64)
    assert watched.in_hand(fingers, (960, 540))
    assert watched.in_hand(fingers + np.array([330, 150]), (960, 540))


def test_who_passes_slowly_over_a_thing_does_not_put_an_end_to_its_rest(watched):
    """An arm that hardly moves in front of what lies there is gone soon; the thing lay there all the time."""
    cup = with_box(TABLE, *ARM)
    for step in range(4):
        watched.measure(noisy(cup, step), 1.0 + step)
    over = with_box(cup, 380, 300, 200, 240, (60, 80, 150))
    for step in range(4):
        sample = watched.measure(noisy(over, step), 5.0 + step / 5)
        assert sample.stays_s < 1.0
    sample = watched.measure(noisy(cup, 8), 6.0)
    assert sample.stays_s == pytest.approx(4.0)


def test_a_picture_of_another_size_shows_another_table(watched):
    """A phone was turned, or a camera opened anew: nothing is compared, and the table is looked at again."""
    assert watched.measure(noisy(TABLE, 1), 1.0).motion == 0.0
    for size in ((480, 270), (540, 960)):
        small = np.asarray(cv2.resize(TABLE, size), np.uint8)
        assert watched.measure(small, 2.0).motion == 1.0
        assert watched.measure(small, 2.1).motion == 0.0
