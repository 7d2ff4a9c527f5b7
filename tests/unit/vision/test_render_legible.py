"""Which tiles of a finished picture can be read: pips that stand out and lie apart."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from domino_vision.render.bodies import label_quad
from domino_vision.render.legible import Clarity, clarity, legible, onlooker
from domino_vision.render.lens import Distortion, snapped
from domino_vision.synth.board import Piece
from domino_vision.synth.camera import make_camera
from domino_vision.synth.faces import face_texture
from domino_vision.synth.styles import TileStyle, random_style

SIZE = (320, 240)


def _style(set_name: str, seed: int = 0, **changes: object) -> TileStyle:
    plain: dict[str, object] = {
        "body": (200, 225, 235),
        "body_kind": "plain",
        "opacity": 1.0,
        "pip_kind": "printed",
        "pip_colours": ((30, 25, 20),) * 13,
        "divider": "bar",
        "divider_colour": (30, 25, 20),
        "pin": "none",
        "logo": "none",
        "wells": False,
        "wear": 0.0,
    }
    return replace(random_style(np.random.default_rng(seed), set_name), **(plain | changes))


class Scene:
    """One tile on a green table, painted by the compositor through a pin-hole."""

    def __init__(self, style: TileStyle, halves: tuple[int, int], px: float, angle: float = 0.3, tilt: float = 70.0):
        self.style = style
        self.piece = Piece("up", np.array([0.2, -0.1]), angle, style.aspect, halves=halves)
        camera = make_camera(SIZE, tilt_deg=tilt, fov_deg=50, length=style.aspect, fraction=px / SIZE[0])
        self.camera = snapped(camera)
        self.lens = Distortion(np.array(SIZE) / 2, SIZE)
        face, alpha = face_texture(np.random.default_rng(1), style, *halves, 160, 0.0)
        height, width = face.shape[:2]
        corners = np.array([[0, height], [0, 0], [width, 0], [width, height]], np.float32) - np.float32(0.5)
        quad = (label_quad(self.camera, self.piece, style) - 0.5).astype(np.float32)
        way = cv2.getPerspectiveTransform(corners, quad * 4 + np.float32(1.5))
        large = (SIZE[0] * 4, SIZE[1] * 4)
        painted = cv2.warpPerspective(face, way, large, flags=cv2.INTER_AREA)
        cover = cv2.warpPerspective(alpha, way, large)[..., None] / 255.0
        picture = painted * cover + np.array([60, 110, 50]) * (1 - cover)
        shrunk = cv2.resize(picture.astype(np.float32), SIZE, interpolation=cv2.INTER_AREA)
        self.frame = np.asarray(shrunk).clip(0, 255).astype(np.uint8)

    def clear(self, half: int, frame: np.ndarray | None = None) -> Clarity:
        return clarity(self._view(frame), self.piece, 0, half)

    def legible(self, frame: np.ndarray | None = None) -> bool:
        return legible(self._view(frame), self.piece, 0)

    def _view(self, frame: np.ndarray | None):
        return onlooker(self.frame if frame is None else frame, self.camera, self.lens, self.style)


@pytest.mark.parametrize("set_name", ["double-six", "double-twelve", "chinese"])
@pytest.mark.parametrize("seed", range(4))
def test_every_pip_is_measured_where_it_is_drawn(set_name: str, seed: int) -> None:
    """On a large clear tile each pip of any arrangement stands out by most of what ink and body differ by."""
    style = _style(set_name, seed)
    top = 6 if set_name != "double-twelve" else 12
    inks = np.array([[style.pip_colours[1], style.body]], np.float32) / 255
    apart = float(np.linalg.norm(np.diff(cv2.cvtColor(inks, cv2.COLOR_BGR2Lab)[0], axis=0)))
    for count in range(1, top + 1):
        scene = Scene(style, (count, top + 1 - count), 220, angle=0.7 * count)
        for half in (0, 1):
            assert scene.clear(half).contrast > 0.75 * apart, (count, half)
        assert scene.legible()


def test_small_tiles_lose_the_places_between_their_pips() -> None:
    """The same twelve pips can be told apart on a tile of 120 pixels and not on one of 14."""
    style = _style("double-twelve")
    near, far = Scene(style, (12, 11), 120), Scene(style, (12, 11), 14)
    assert near.clear(0).pitch == pytest.approx(120 / 14 * far.clear(0).pitch, rel=0.1)
    assert near.legible()
    assert not far.legible()


def test_blur_takes_the_pips() -> None:
    """A tile out of focus by half the way from pip to pip cannot be read; by a tenth it can."""
    scene = Scene(_style("double-six"), (6, 5), 150)
    pitch = scene.clear(0).pitch
    slight, much = (cv2.GaussianBlur(scene.frame, (0, 0), pitch * share) for share in (0.1, 0.8))
    assert scene.legible(slight)
    assert not scene.legible(much)


def test_light_takes_the_pips() -> None:
    """Blown out or nearly black, a picture shows no pips; with half the light it does."""
    scene = Scene(_style("double-six"), (3, 4), 150)
    assert scene.legible((scene.frame * 0.5).astype(np.uint8))
    assert not scene.legible(np.full_like(scene.frame, 255))
    assert not scene.legible((scene.frame * 0.02).astype(np.uint8))


def test_one_hidden_half_is_enough() -> None:
    """Glare over one half makes the tile illegible; the other half is as clear as before."""
    scene = Scene(_style("double-six"), (5, 5), 200, angle=0.0)
    middle = round(float((label_quad(scene.camera, scene.piece, scene.style) - 0.5)[:, 0].mean()))
    frame = scene.frame.copy()
    frame[:, middle + 3 :] = 250
    assert scene.clear(0, frame) == scene.clear(0)
    assert not scene.clear(1, frame).countable
    assert not scene.legible(frame)


def test_pips_in_the_colour_of_the_body_are_not_seen() -> None:
    """What is no darker than the body by a few units of colour difference is no pip to a person."""
    faint = _style("double-six", pip_colours=((196, 221, 231),) * 13)
    assert Scene(faint, (2, 1), 200).clear(0).contrast < 5
    assert not Scene(faint, (2, 1), 200).legible()


def test_blank_halves() -> None:
    """A blank half needs no pips; a blank tile needs a divider or a pin to be told from a back."""
    assert Scene(_style("double-six"), (0, 4), 150).legible()
    assert Scene(_style("double-six"), (0, 0), 150).legible()
    assert not Scene(_style("double-six", divider="none"), (0, 0), 150).legible()
    assert Scene(_style("double-six", divider="none", pin="brass"), (0, 0), 150).legible()
    assert math.isinf(Scene(_style("double-six"), (0, 4), 150).clear(0).contrast)
