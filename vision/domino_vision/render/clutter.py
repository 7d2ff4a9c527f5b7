"""Solid things that are not tiles: cards, dice, coins, phones, mahjong tiles, cups, hands and arms."""

import math

import cv2
import numpy as np

from domino_vision.render.mesh import FACE_SHARE, about_z, ball, capsule, lathe, placed, tile_mesh
from domino_vision.render.solids import Material, Solid
from domino_vision.synth.board import unit
from domino_vision.synth.clutter import Thing, random_thing
from domino_vision.synth.paint import F64, U8, Colour, circle, hsv, jitter, mix, rounded_mask, shade

_MAHJONG_CHANCE = 0.1
_FINGER = 0.3
_SLOTS = (-1.5, -0.5, 0.5, 1.5)


def choose_thing(rng: np.random.Generator) -> Thing:
    """Texture, alpha, (length, width) and height of something that is not a tile."""
    return _mahjong(rng) if rng.random() < _MAHJONG_CHANCE else random_thing(rng)


def _mahjong(rng: np.random.Generator) -> Thing:
    """A mahjong tile: circles, sticks or strokes on ivory."""
    image = np.empty((120, 160, 3), np.uint8)
    image[:] = hsv(0.13, rng.uniform(0.02, 0.2), rng.uniform(0.88, 1.0))
    inks: list[Colour] = [(40, 120, 30), (30, 30, 190), (120, 50, 20)]
    roll, count = rng.random(), int(rng.integers(1, 10))
    columns = 1 if count == 1 else (2 if count in (2, 4, 6) else 3)
    rows = math.ceil(count / columns)
    for index in range(count):
        x, y = 80 + (index // columns - (rows - 1) / 2) * 44, 60 + (index % columns - (columns - 1) / 2) * 32
        ink = inks[int(rng.integers(3))]
        if roll < 0.45:
            for radius, colour in ((13, ink), (8, image[0, 0].tolist()), (4, ink)):
                circle(image, (x, y), radius, colour)
        elif roll < 0.75:
            cv2.line(image, (int(x - 16), int(y)), (int(x + 16), int(y)), ink, 8, cv2.LINE_AA)
    if roll >= 0.75:
        ink = inks[int(rng.integers(3))]
        for _ in range(int(rng.integers(5, 10))):
            start, stop = (rng.uniform([35, 25], [125, 95]).astype(int).tolist() for _ in range(2))
            cv2.line(image, start, stop, ink, 6, cv2.LINE_AA)
    return image, rounded_mask(120, 160, 10), (float(rng.uniform(1.0, 1.4)), float(rng.uniform(0.75, 1.05))), 0.7


def thing_solid(rng: np.random.Generator, thing: Thing, centre: F64, angle: float) -> Solid:
    """A thing as a box or a disc that carries its texture on top."""
    texture, alpha, (length, width), height = thing
    corner = float((alpha[0] < 128).sum()) / 2 / alpha.shape[1] * length
    height = max(height, 0.012)
    mesh = tile_mesh((length, width, height), corner, min(0.1 * width, 0.18 * height), step=0.4)
    below = max(4, round(texture.shape[0] * (1 - FACE_SHARE) / FACE_SHARE))
    rim = np.median(texture.reshape(-1, 3), axis=0).astype(np.uint8)
    whole = np.vstack([texture, np.tile(rim, (below, texture.shape[1], 1))])
    metal = 1.0 if abs(length - width) < 1e-6 and 0.05 < height < 0.1 and rng.random() < 0.5 else 0.0
    rough = float(rng.uniform(0.08, 0.8)) if height > 0.05 else float(rng.uniform(0.35, 0.9))
    material = Material(np.asarray(whole, np.uint8), roughness=rough, metal=metal)
    return Solid(placed(mesh, about_z(angle), np.array([*centre, 0.0])), material)


def cup_solids(rng: np.random.Generator, centre: F64) -> list[Solid]:
    """A cup or glass with a drink, standing on the table."""
    radius, tall = float(rng.uniform(1.2, 1.9)), float(rng.uniform(2.2, 4.5))
    foot, wall = radius * float(rng.uniform(0.6, 1.0)), 0.13
    outline = np.array(
        [
            [0.0, 0.0], [foot * 0.9, 0.0], [foot, 0.1], [radius, tall - 0.1], [radius - 0.03, tall],
            [radius - wall, tall], [radius - wall - 0.02, tall - 0.1], [foot - wall, 0.25], [0.0, 0.25],
        ]
    )  # fmt: skip
    level = tall * float(rng.uniform(0.4, 0.85))
    inner = foot - wall + (radius - foot) * (level - 0.25) / tall
    drink = np.array([[0.0, level - 0.02], [inner, level - 0.02], [inner, level], [0.0, level]])
    body = hsv(rng.uniform(0, 1), rng.uniform(0, 0.8), rng.uniform(0.15, 1.0))
    fluid = hsv(rng.uniform(0.03, 0.13), rng.uniform(0.3, 0.95), rng.uniform(0.05, 0.8))
    shift, still = np.array([*centre, 0.0]), np.eye(3)
    return [
        Solid(placed(lathe(outline, 40), still, shift), Material(body, roughness=0.15, coat=0.6)),
        Solid(placed(lathe(drink, 40), still, shift), Material(fluid, roughness=0.05)),
    ]


def _skin(rng: np.random.Generator) -> U8:
    colour = hsv(rng.uniform(0.02, 0.07), rng.uniform(0.3, 0.65), rng.uniform(0.25, 0.95))
    grid = rng.normal(0, 6, (12, 12, 1)) + rng.normal(0, 3, (12, 12, 3))
    image = np.clip(np.array(colour) + grid, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(image, (96, 96), interpolation=cv2.INTER_CUBIC), np.uint8)


def hand_solids(rng: np.random.Generator, reach: F64, heading: float, low: float) -> list[Solid]:
    """A hand with its arm that comes from far off along ``heading`` and whose fingertips are at ``reach``.

    Args:
        rng: source of randomness.
        reach: (2,) place of the middle fingertip on the table.
        heading: direction from the arm to the fingertip, radians.
        low: height of the fingertips' undersides.
    """
    ahead, side = unit(heading), unit(heading + math.pi / 2)
    grip = float(rng.uniform(1.6, 2.6))
    high = low + _FINGER + float(rng.uniform(0.5, 1.1))

    def place(forward: float, across: float, height: float) -> F64:
        return np.array([*(reach + ahead * forward + side * across), height])

    skin = Material(_skin(rng), roughness=0.45, specular=0.4)
    solids = [Solid(placed(ball((1.75, 1.45, 0.55)), about_z(heading), place(-grip - 1.5, 0, high + 0.1)), skin)]
    solids.append(
        Solid(capsule(place(-grip - 2.2, 0, high + 0.1), place(-grip - 4.2, 0, high + 0.35), 0.95, 0.85), skin)
    )
    for slot in _SLOTS:
        spread, curl = slot * float(rng.uniform(0.38, 0.62)), float(rng.uniform(0.0, 0.5)) + 0.12 * slot**2
        knuckle = place(-grip - 0.3 - 0.1 * slot**2, slot * 0.66, high + 0.15)
        middle = place(-grip * 0.5 - curl * 0.5, (slot * 0.66 + spread) / 2, high + float(rng.uniform(0.2, 0.5)))
        tip = place(-curl, spread, low + _FINGER)
        solids.append(Solid(capsule(knuckle, middle, _FINGER * 1.15, _FINGER * 1.05), skin))
        solids.append(Solid(capsule(middle, tip, _FINGER * 1.05, _FINGER * 0.85), skin))
        nail = Material(jitter(rng, (190, 190, 225), 8), roughness=0.2)
        pose = placed(ball((0.2, 0.17, 0.07), 8), about_z(heading), tip + np.array([*(ahead * 0.12), _FINGER * 0.74]))
        solids.append(Solid(pose, nail))
    left = 1.0 if rng.random() < 0.5 else -1.0
    root, joint = place(-grip - 2.2, left * 1.15, high), place(-grip - 0.7, left * 1.75, high - 0.05)
    end = place(-0.35 * grip, left * float(rng.uniform(0.8, 1.5)), low + _FINGER * 1.1)
    solids += [Solid(capsule(root, joint, 0.45, 0.38), skin), Solid(capsule(joint, end, 0.38, 0.3), skin)]
    return solids + _arm(
        rng, place(-grip - 3.4, 0, high + 0.3), place(-grip - 34, float(rng.normal(0, 5)), high + 6), skin
    )


def _arm(rng: np.random.Generator, wrist: F64, shoulder: F64, skin: Material) -> list[Solid]:
    solids = [Solid(capsule(wrist, shoulder, 0.9, 1.9), skin)]
    if rng.random() < 0.6:
        cloth = hsv(rng.uniform(0, 1), rng.uniform(0, 0.9), rng.uniform(0.05, 0.9))
        cuff = wrist + (shoulder - wrist) * float(rng.uniform(0.04, 0.3))
        solids.append(Solid(capsule(cuff, shoulder, 1.35, 2.5), Material(cloth, roughness=0.9, sheen=0.4)))
    elif rng.random() < 0.3:
        band = wrist + (shoulder - wrist) * 0.03
        metal = mix(shade((190, 190, 190), 1.0), hsv(rng.uniform(0, 1), 0.6, 0.4), float(rng.random()))
        solids.append(Solid(capsule(band, band + (shoulder - wrist) * 0.02, 1.06), Material(metal, roughness=0.3)))
    return solids
