"""Things that are not tiles: cards, dice, coins, pens, phones, buttons, printed pips, hands and cups."""

import math

import cv2
import numpy as np

from domino_vision.synth.board import footprint
from domino_vision.synth.camera import Camera, lift
from domino_vision.synth.faces import face_texture
from domino_vision.synth.paint import (
    F64,
    U8,
    Colour,
    circle,
    hsv,
    jitter,
    mix,
    paste_quad,
    polygon,
    rounded_mask,
    shade,
)
from domino_vision.synth.pips import pip_positions
from domino_vision.synth.styles import random_style

Thing = tuple[U8, U8, tuple[float, float], float]  # texture, alpha, size (length, width), height


def _sheet(width: int, height: int, colour: Colour) -> U8:
    image = np.empty((height, width, 3), np.uint8)
    image[:] = colour
    return image


def _card(rng: np.random.Generator) -> Thing:
    image = _sheet(124, 176, hsv(rng.uniform(0, 1), rng.uniform(0, 0.05), rng.uniform(0.88, 1.0)))
    ink: Colour = (30, 30, 200) if rng.random() < 0.5 else (25, 25, 25)
    if rng.random() < 0.25:
        cv2.rectangle(image, (8, 8), (115, 167), hsv(rng.uniform(0, 1), 0.8, 0.6), -1)
    else:
        rows = int(rng.integers(1, 5))
        for x in (38, 62, 86) if rng.random() < 0.3 else (42, 82):
            for row in range(rows):
                y = 34 + (row + 0.5) * 110 / rows
                polygon(image, np.array([[x - 9, y], [x, y - 11], [x + 9, y], [x, y + 11]]), ink)
        cv2.putText(image, str(rng.choice(list("23456789JQKA"))), (6, 26), 0, 0.8, ink, 2, cv2.LINE_AA)
    return image, rounded_mask(176, 124, 9), (2.5, 3.5), 0.0


def _die(rng: np.random.Generator) -> Thing:
    body = hsv(rng.uniform(0, 1), float(rng.choice([0.02, 0.9])), rng.uniform(0.6, 1.0))
    image = _sheet(64, 64, body)
    ink: Colour = (20, 20, 20) if rng.random() < 0.7 else (240, 240, 240)
    for u, v in pip_positions(int(rng.integers(1, 7))) * 17 + 32:
        circle(image, (u, v), 5.5, ink)
    side = float(rng.uniform(0.6, 1.0))
    return image, rounded_mask(64, 64, 11), (side, side), side


def _coin(rng: np.random.Generator) -> Thing:
    metal = hsv(rng.uniform(0.05, 0.14), float(rng.choice([0.05, 0.5])), rng.uniform(0.45, 0.9))
    image = _sheet(80, 80, metal)
    circle(image, (39.5, 39.5), 34, shade(metal, 1.25), 2)
    cv2.putText(image, str(int(rng.choice([1, 2, 5, 10, 20, 50]))), (20, 52), 0, 1.2, shade(metal, 0.6), 3, cv2.LINE_AA)
    size = float(rng.uniform(0.7, 1.3))
    return image, rounded_mask(80, 80, 39), (size, size), 0.08


def _button(rng: np.random.Generator) -> Thing:
    colour = hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.1, 1.0))
    image = _sheet(64, 64, colour)
    circle(image, (31.5, 31.5), 25, shade(colour, 0.7), 2)
    for u, v in pip_positions(4) * 8 + 31.5:
        circle(image, (u, v), 4, shade(colour, 0.35))
    size = float(rng.uniform(0.4, 0.9))
    return image, rounded_mask(64, 64, 31), (size, size), 0.08


def _pen(rng: np.random.Generator) -> Thing:
    colour = hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.05, 0.9))
    image = _sheet(300, 18, colour)
    image[:, :70] = jitter(rng, shade(colour, 0.5), 30)
    image[:, -26:] = (170, 175, 180)
    image[3:6] = mix(colour, (255, 255, 255), 0.5)
    return image, rounded_mask(18, 300, 8), (float(rng.uniform(5, 7)), 0.4), 0.3


def _phone(rng: np.random.Generator) -> Thing:
    image = _sheet(90, 180, jitter(rng, (22, 22, 22), 6))
    if rng.random() < 0.5:
        image[10:170, 5:85] = hsv(rng.uniform(0, 1), rng.uniform(0, 0.8), rng.uniform(0.1, 0.9))
        for y in range(20, 160, int(rng.integers(10, 30))):
            cv2.rectangle(image, (12, y), (int(rng.integers(30, 80)), y + 5), jitter(rng, (200, 200, 200), 40), -1)
    return image, rounded_mask(180, 90, 12), (3.0, 6.0), 0.3


def _paper(rng: np.random.Generator) -> Thing:
    """A sheet with drawn dots, lines or a table: pips that belong to no tile."""
    image = _sheet(160, 120, hsv(rng.uniform(0, 1), rng.uniform(0, 0.3), rng.uniform(0.8, 1.0)))
    ink = hsv(rng.uniform(0, 1), rng.uniform(0, 0.9), rng.uniform(0, 0.5))
    roll = rng.random()
    if roll < 0.4:
        for _ in range(int(rng.integers(2, 6))):
            x, y = rng.uniform(20, 140), rng.uniform(20, 100)
            for u, v in pip_positions(int(rng.integers(1, 10))) * 12:
                circle(image, (x + u, y + v), 3.2, ink)
    elif roll < 0.8:
        for y in range(14, 112, 11):
            cv2.line(image, (12, y), (int(rng.integers(60, 150)), y), ink, 2, cv2.LINE_AA)
    else:
        for x in range(10, 160, 28):
            cv2.line(image, (x, 8), (x, 112), ink, 1, cv2.LINE_AA)
        for y in range(8, 120, 20):
            cv2.line(image, (8, y), (152, y), ink, 1, cv2.LINE_AA)
    return image, rounded_mask(120, 160, 1), (float(rng.uniform(3, 8)), float(rng.uniform(2.5, 6))), 0.0


def _box(rng: np.random.Generator) -> Thing:
    """A plain block of about the size of a tile: a rubber, a matchbox, a blank token."""
    colour = hsv(rng.uniform(0, 1), rng.uniform(0, 0.9), rng.uniform(0.15, 1.0))
    image = _sheet(128, 64, colour)
    if rng.random() < 0.6:
        cv2.rectangle(
            image, (int(rng.integers(0, 60)), 0), (int(rng.integers(64, 128)), 63), jitter(rng, colour, 70), -1
        )
        cv2.putText(image, str(rng.choice(["SOAP", "No. 7", "gum", "M"])), (14, 42), 0, 0.9, (250, 250, 250), 2, 16)
    return image, rounded_mask(64, 128, 4), (float(rng.uniform(1.2, 4)), float(rng.uniform(0.7, 2.2))), 0.35


def _saucer(rng: np.random.Generator) -> Thing:
    colour = hsv(rng.uniform(0, 1), rng.uniform(0, 0.6), rng.uniform(0.3, 1.0))
    image = _sheet(160, 160, colour)
    circle(image, (79.5, 79.5), 56, shade(colour, 0.85), 3)
    circle(image, (79.5, 79.5), 44, shade(colour, 1.1))
    circle(image, (79.5, 79.5), 38, hsv(rng.uniform(0.03, 0.1), rng.uniform(0, 0.9), rng.uniform(0.1, 0.9)))
    size = float(rng.uniform(2.2, 4.5))
    return image, rounded_mask(160, 160, 79), (size, size), float(rng.choice([0.1, 1.5]))


def _tin(rng: np.random.Generator) -> Thing:
    """A box with tiles printed on it."""
    colour = hsv(rng.uniform(0, 1), rng.uniform(0, 0.8), rng.uniform(0.2, 0.9))
    image = _sheet(260, 130, colour)
    style = random_style(rng)
    for _ in range(int(rng.integers(1, 4))):
        face, cover = face_texture(rng, style, int(rng.integers(0, 7)), int(rng.integers(0, 7)), 34)
        quad = footprint(rng.uniform([60, 40], [200, 90]), rng.uniform(0, 6), 80, 42) + rng.normal(0, 6, (4, 2))
        paste_quad(image, face, cover, quad[[0, 3, 2, 1]])
    cv2.putText(image, "DOMINO", (12, 120), 0, 1.1, shade(colour, 1.8), 3, cv2.LINE_AA)
    return image, rounded_mask(130, 260, 12), (float(rng.uniform(5, 8)), float(rng.uniform(2.5, 4))), 0.6


_THINGS = (_card, _die, _coin, _button, _pen, _phone, _paper, _box, _saucer, _tin)
_CHANCES = (0.18, 0.13, 0.13, 0.08, 0.12, 0.08, 0.12, 0.09, 0.05, 0.02)


def random_thing(rng: np.random.Generator) -> Thing:
    """Texture, alpha, (length, width) and height in tile widths of something that is not a tile."""
    return _THINGS[int(rng.choice(len(_THINGS), p=_CHANCES))](rng)


def draw_thing(canvas: U8, ids: U8, camera: Camera, thing: Thing, centre: F64, angle: float) -> None:
    """Paint a thing on the table plane; tall things are drawn as a stack of slices."""
    texture, alpha, (length, width), height = thing
    quad = footprint(centre, angle, length, width)
    levels = [0.0] if height < 0.05 else list(np.linspace(0, height, 3 if height < 0.3 else 6))
    for level in levels:
        image_quad = camera.project(lift(quad, float(level)))
        last = level == levels[-1]
        dim = texture if last else cv2.convertScaleAbs(texture, alpha=0.6)
        paste_quad(canvas, np.asarray(dim, dtype=np.uint8), alpha, image_quad[[1, 2, 3, 0]])
    polygon(ids, camera.project(lift(quad, height)), 255, False)


def _capsule(canvas: U8, ids: U8, start: F64, stop: F64, radius: float, skin: Colour) -> None:
    steps = 9
    for ring in range(steps):
        share = 1.0 - ring / steps
        tone = mix(shade(skin, 0.62), mix(skin, (255, 255, 255), 0.08), 1 - share**2)
        thick = max(1, round(2 * radius * share))
        ends = [tuple(int(v) for v in np.round(p * 16)) for p in (start, stop)]
        cv2.line(canvas, ends[0], ends[1], tone, thick, cv2.LINE_AA, 4)
    ends = [tuple(int(v) for v in np.round(p)) for p in (start, stop)]
    cv2.line(ids, ends[0], ends[1], 255, max(1, round(2 * radius)))


def draw_hand(rng: np.random.Generator, canvas: U8, ids: U8, reach: F64, tile_px: float) -> None:
    """A hand that comes in from the picture's edge and points at ``reach`` (2,) pixels."""
    height, width = canvas.shape[:2]
    skin = hsv(rng.uniform(0.03, 0.09), rng.uniform(0.25, 0.65), rng.uniform(0.25, 0.95))
    sleeve = hsv(rng.uniform(0, 1), rng.uniform(0, 0.9), rng.uniform(0.05, 0.9))
    middle = np.array([width / 2, height / 2])
    away = reach - middle + rng.normal(0, 0.2, 2) * middle
    away = away / (float(np.hypot(*away)) + 1e-6)
    finger = tile_px * float(rng.uniform(0.8, 1.4))
    palm = reach + away * finger
    elbow = palm + away * float(max(width, height))
    wrist = palm + away * finger * 1.6
    _capsule(canvas, ids, wrist, elbow, finger * 0.5, sleeve)
    _capsule(canvas, ids, palm + away * finger * 0.4, wrist, finger * 0.42, skin)
    across = np.array([-away[1], away[0]])
    for slot in (-1.2, -0.4, 0.4, 1.2):
        bend = rng.normal(0, 0.1)
        root = palm + across * slot * finger * 0.3
        tip = root - away * finger * rng.uniform(0.5, 0.95) + across * finger * (slot * 0.1 + bend)
        _capsule(canvas, ids, tip, root, finger * 0.14, skin)
    for offset in (-0.25, 0.25):
        base = palm + across * offset * finger
        _capsule(canvas, ids, base, base + away * finger * 0.5, finger * 0.33, skin)


def draw_cup(rng: np.random.Generator, canvas: U8, ids: U8, centre: F64, radius: float) -> None:
    """A round thing over the tiles, seen from above, ``radius`` in pixels."""
    colour = hsv(rng.uniform(0, 1), rng.uniform(0, 0.9), rng.uniform(0.1, 1.0))
    squash = float(rng.uniform(0.75, 1.0))
    axes = (max(2, int(radius)), max(2, int(radius * squash)))
    point = (int(centre[0]), int(centre[1]))
    cv2.ellipse(canvas, point, axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
    cv2.ellipse(canvas, point, axes, 0, 0, 360, shade(colour, 1.3), max(1, int(radius * 0.08)), cv2.LINE_AA)
    inner = (max(1, int(radius * 0.8)), max(1, int(radius * 0.8 * squash)))
    cv2.ellipse(canvas, point, inner, 0, 0, 360, shade(colour, 0.5), -1, cv2.LINE_AA)
    cv2.ellipse(ids, point, axes, 0, 0, 360, 255, -1)


def hand_reach(rng: np.random.Generator, size_wh: tuple[int, int], ring: float) -> F64:
    """A point (2,) in the outer part of the picture for a hand to reach to; ``ring`` 0 = middle, 1 = edge."""
    phi = rng.uniform(0, 2 * math.pi)
    half = np.array(size_wh) / 2
    return np.asarray(half + half * ring * np.array([math.cos(phi), math.sin(phi)]))
