"""Faces, pips and styles of the compositor."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from domino_vision.synth.errors import SynthError
from domino_vision.synth.faces import back_texture, face_texture
from domino_vision.synth.pips import chinese_positions, pip_positions, pip_radius
from domino_vision.synth.styles import TileStyle, random_style


def _plain(count_set: str = "double-twelve") -> TileStyle:
    return replace(
        random_style(np.random.default_rng(0), count_set),
        aspect=2.0,
        body=(255, 255, 255),
        body_kind="plain",
        opacity=1.0,
        bevel=0.0,
        pip_kind="printed",
        pip_radius=0.08,
        pip_spread=0.28,
        pip_colours=((0, 0, 0),) * 13,
        pip_glint=False,
        wells=False,
        divider="none",
        pin="none",
        logo="none",
        wear=0.0,
    )


def _blobs(half: np.ndarray) -> int:
    dark = (half.max(axis=2) < 100).astype(np.uint8)
    return int(cv2.connectedComponents(dark)[0]) - 1


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("staggered", [False, True])
@pytest.mark.parametrize("count", range(13))
def test_a_half_shows_as_many_pips_as_it_is_worth(count: int, across: bool, staggered: bool) -> None:
    """Connected dark blobs of a rendered half equal its value; half a is the left one."""
    style = replace(_plain(), six_across=across, staggered=staggered)
    other = (count + 5) % 13
    face, alpha = face_texture(np.random.default_rng(1), style, count, other, 300)
    assert face.shape == (300, 600, 3)
    assert alpha.shape == (300, 600)
    assert _blobs(face[:, :300]) == count
    assert _blobs(face[:, 300:]) == other


@pytest.mark.parametrize("kind", ["printed", "engraved", "drilled", "ringed", "gradient"])
def test_every_kind_of_pip_is_drawn(kind: str) -> None:
    """A six differs from a blank in pixels, whatever the pips are like."""
    style = replace(_plain(), pip_kind=kind)
    six, _ = face_texture(np.random.default_rng(1), style, 6, 0, 100, 0.5)
    assert six[:, :100].min() < 60
    assert six[:, 100:].min() > 200


def test_pips_keep_apart() -> None:
    """The radius shrinks until no two pips of a half touch."""
    for count in range(2, 13):
        radius = pip_radius(count, 0.2, 0.3)
        points = pip_positions(count) * 0.3
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
        assert gaps[gaps > 0].min() > 2 * radius


def test_arrangements_are_symmetric_under_half_a_turn() -> None:
    """A half looks the same turned by 180 degrees."""
    for count in range(13):
        points = pip_positions(count)
        nearest = np.linalg.norm(points[:, None] + points[None], axis=2)
        assert count == 0 or nearest.min(axis=1).max() < 1e-9


@pytest.mark.parametrize("count", [-1, 13])
def test_impossible_counts_are_refused(count: int) -> None:
    """A half outside 0..12 raises a typed error."""
    with pytest.raises(SynthError) as caught:
        pip_positions(count)
    assert caught.value.code == "pip_count"


@pytest.mark.parametrize("count", range(1, 7))
def test_chinese_halves_show_their_pips(count: int) -> None:
    """Both halves of a Chinese tile, without a divider, show as many pips as they are worth."""
    style = replace(_plain("chinese"), aspect=2.3, pip_spread=0.22)
    other = count % 6 + 1
    face, _ = face_texture(np.random.default_rng(1), style, count, other, 300)
    assert _blobs(face[:, :300]) == count
    assert _blobs(face[:, 300:]) == other


def test_chinese_tiles_know_no_blank() -> None:
    """A blank half of a Chinese tile raises a typed error."""
    with pytest.raises(SynthError) as caught:
        chinese_positions(0)
    assert caught.value.code == "pip_count"


def test_unknown_set_is_refused() -> None:
    """A set that cannot be drawn raises a typed error that names it."""
    with pytest.raises(SynthError) as caught:
        random_style(np.random.default_rng(0), "double-five")
    assert caught.value.code == "unknown_set"
    assert "double-five" in str(caught.value)


@pytest.mark.parametrize("set_name", ["double-six", "double-nine", "double-twelve"])
def test_styles_stay_in_their_ranges(set_name: str) -> None:
    """Random styles have sane proportions, and ink that differs from the body."""
    for seed in range(60):
        style = random_style(np.random.default_rng(seed), set_name)
        assert 1.8 <= style.aspect <= 2.15
        assert len(style.pip_colours) == 13
        for ink in style.pip_colours[1:]:
            assert np.abs(np.subtract(ink, style.body)).max() > 30


def test_styles_vary() -> None:
    """Hardly two of many random styles share a body colour."""
    bodies = {random_style(np.random.default_rng(seed)).body for seed in range(50)}
    assert len(bodies) > 40


def test_same_seed_same_texture() -> None:
    """Faces and backs depend on the generator's state alone."""
    style = random_style(np.random.default_rng(3))
    for draw in (
        lambda rng: face_texture(rng, style, 3, 5, 64),
        lambda rng: back_texture(rng, style, 64),
    ):
        first, second = draw(np.random.default_rng(5)), draw(np.random.default_rng(5))
        assert np.array_equal(first[0], second[0])
        assert np.array_equal(first[1], second[1])
