"""Lamps, sun and the room around the table. Radiance in arbitrary units: exposure is set afterwards."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from domino_vision.synth.camera import Camera
from domino_vision.synth.paint import F32, F64

_MODES = ("lamp", "room", "sun", "lamps")
_MODE_CHANCES = (0.38, 0.27, 0.2, 0.15)


@dataclass(frozen=True, slots=True, eq=False)
class Lamp:
    """A rectangular lamp at ``place`` (3,) that shines towards ``aim`` (3,); half sides and RGB radiance."""

    place: F64
    aim: F64
    half: tuple[float, float]
    radiance: F64


@dataclass(frozen=True, slots=True, eq=False)
class Lights:
    """All light of a scene.

    Attributes:
        room: (h, w, 3) float32 RGB radiance around the table, upwards the first row.
        lamps: lamps.
        sun: direction (3,) of sunlight and its RGB irradiance, or None.
        cast: white balance that the camera got wrong, RGB factors.
    """

    room: F32
    lamps: tuple[Lamp, ...]
    sun: tuple[F64, F64] | None
    cast: F64


def _warmth(rng: np.random.Generator, lean: float) -> F64:
    """RGB tint of a light: positive lean is warm."""
    t = float(rng.normal(lean, 0.12))
    return np.array([1 + 0.35 * t, 1 + 0.03 * t, 1 - 0.45 * t]).clip(0.3, 1.7)


def _room(rng: np.random.Generator, bright: float) -> F32:
    """Walls, a ceiling and a few windows or doors, (64, 128, 3)."""
    rows, columns = 64, 128
    up = np.linspace(1, 0, rows, dtype=np.float32)[:, None, None]
    wall, ceiling = rng.uniform(0.15, 1.0, 3) * 0.6 + 0.2, rng.uniform(0.6, 1.0) * _warmth(rng, 0.0)
    image = np.asarray(wall * (1 - up) + ceiling * up, np.float32) * np.ones((rows, columns, 3), np.float32)
    side = np.cos(np.linspace(0, 2 * math.pi, columns, dtype=np.float32) + float(rng.uniform(0, 6.3)))
    image *= 1 + 0.4 * side[None, :, None]
    for _ in range(int(rng.integers(1, 5))):
        x, y = int(rng.integers(0, columns)), int(rng.integers(4, 28))
        w, h = int(rng.integers(4, 26)), int(rng.integers(3, 14))
        glow = float(rng.choice([rng.uniform(0.05, 0.4), rng.uniform(2, 9)])) * _warmth(rng, -0.2)
        shift = np.roll(image, -x, axis=1)
        shift[y : y + h, :w] = glow
        image = np.roll(shift, x, axis=1)
    image[rows // 2 :] *= 0.5
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8) * bright, np.float32)


def _out_of_view(camera: Camera, place: F64, size: float) -> F64:
    """The place (3,), or one farther away along the same ray from the table at which the camera does not see a lamp."""
    width, height = camera.size_wh
    for _ in range(12):
        near = place + size * 1.5 * np.array([[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, -1]])
        pixels = camera.project(near)
        seen = (pixels > [-0.1 * width, -0.1 * height]).all(axis=1) & (pixels < [1.1 * width, 1.1 * height]).all(axis=1)
        if not (seen & (camera.depth(near) > 0)).any():
            break
        place = place * 1.35
    return place


def _lamp(rng: np.random.Generator, camera: Camera, power: float, mirror: F64 | None) -> Lamp:
    """A lamp at random over the table, or where the tiles mirror it into the camera."""
    if mirror is not None:
        place = mirror / max(float(np.linalg.norm(mirror)), 1e-9) * float(rng.uniform(22, 60))
        place = place + rng.normal(0, 3, 3)
        place[2] = max(place[2], 10.0)
    else:
        phi, tall = rng.uniform(0, 2 * math.pi), rng.uniform(16, 60)
        away = tall * float(rng.choice([rng.uniform(0.0, 0.5), rng.uniform(0.5, 1.6)]))
        place = np.array([away * math.cos(phi), away * math.sin(phi), tall])
    size = float(rng.choice([rng.uniform(0.6, 2.0), rng.uniform(2.0, 9.0)]))
    half = (size, size * float(rng.choice([1.0, rng.uniform(0.1, 0.6)])))
    place = _out_of_view(camera, place, size)
    distance = float(np.linalg.norm(place))
    flux = power * distance**2 / (4 * half[0] * half[1])
    return Lamp(place, np.array([*rng.normal(0, 2, 2), 0.0]), half, flux * _warmth(rng, 0.25))


def choose_lights(rng: np.random.Generator, camera: Camera) -> Lights:
    """Random light; now and then a lamp sits where glossy tiles mirror it into the camera."""
    mode = str(rng.choice(_MODES, p=_MODE_CHANCES))
    mirror = camera.position * [-1, -1, 1] if rng.random() < 0.22 else None
    bright = float(rng.uniform(0.7, 1.3)) if mode == "room" else float(rng.uniform(0.12, 0.6))
    lamps: list[Lamp] = []
    if mode in ("lamp", "lamps"):
        count = 1 if mode == "lamp" else int(rng.integers(2, 4))
        lamps = [
            _lamp(rng, camera, float(rng.uniform(1.2, 4.0)) / count, mirror if k == 0 else None) for k in range(count)
        ]
    elif mirror is not None:
        lamps = [_lamp(rng, camera, float(rng.uniform(0.2, 0.9)), mirror)]
    sun = None
    if mode == "sun":
        phi, rise = rng.uniform(0, 2 * math.pi), math.radians(float(rng.uniform(18, 70)))
        way = -np.array([math.cos(phi) * math.cos(rise), math.sin(phi) * math.cos(rise), math.sin(rise)])
        sun = (way, _warmth(rng, 0.12) * float(rng.uniform(1.5, 6.0)))
    strong = rng.random() < 0.15
    cast = 1 + rng.normal(0, 0.14 if strong else 0.035, 3)
    return Lights(_room(rng, bright), tuple(lamps), sun, cast.clip(0.55, 1.6))
