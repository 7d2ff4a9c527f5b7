"""Things that look like tiles and are none, beyond common clutter: prints, playing cards, dice in pairs."""

import math

import cv2
import numpy as np

from domino_vision.synth.board import Piece, footprint, unit
from domino_vision.synth.camera import Camera, lift
from domino_vision.synth.clutter import Thing, draw_thing
from domino_vision.synth.paint import (
    F64,
    U8,
    Colour,
    circle,
    hsv,
    luma,
    mix,
    paste_quad,
    polygon,
    rounded_mask,
    shade,
    u8,
)
from domino_vision.synth.pips import pip_positions
from domino_vision.synth.prints import printed_cloth, printed_sheet
from domino_vision.synth.stage import Stage
from domino_vision.synth.tables import lay_table

_CARD_PX = (176, 126)
_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_COLUMNS = {
    1: (1,),
    2: (2,),
    3: (3,),
    4: (2, 2),
    5: (2, 1, 2),
    6: (3, 3),
    7: (3, 1, 3),
    8: (3, 2, 3),
    9: (4, 1, 4),
    10: (4, 2, 4),
}
"""Suits on a card, column by column."""


def playing_card(rng: np.random.Generator) -> Thing:
    """A playing card: suits in columns, a framed figure, or a patterned back."""
    length, width = _CARD_PX
    image = np.full((width, length, 3), hsv(rng.uniform(0, 1), rng.uniform(0, 0.06), rng.uniform(0.86, 1.0)), np.uint8)
    rank, suit = int(rng.integers(13)), int(rng.integers(4))
    ink: Colour = (
        hsv(rng.uniform(0.97, 1.02), 0.85, rng.uniform(0.6, 0.9)) if suit < 2 else hsv(0, 0, rng.uniform(0, 0.2))
    )
    if rng.random() < 0.2:
        _card_back(rng, image)
    else:
        if rank < 10:
            _card_suits(image, suit, rank + 1, ink, float(rng.uniform(8, 13)))
        else:
            _card_figure(rng, image)
        _card_corners(image, _RANKS[rank], suit, ink)
    return image, rounded_mask(width, length, 9), (3.5, 2.5), 0.0


def _suit(image: U8, suit: int, x: float, y: float, size: float, ink: Colour, turn: float = 1.0) -> None:
    """A heart, diamond, spade or club whose top looks along -x (+x if turned)."""
    way = -turn
    if suit == 1:
        polygon(image, np.array([[x - size, y], [x, y - size * 0.75], [x + size, y], [x, y + size * 0.75]]), ink)
        return
    tip = -way if suit == 0 else way
    if suit == 3:
        for dx, dy in ((0.5 * way, 0.0), (-0.15 * way, 0.5), (-0.15 * way, -0.5)):
            circle(image, (x + dx * size, y + dy * size), size * 0.45, ink)
    else:
        for dy in (-0.4, 0.4):
            circle(image, (x - tip * 0.3 * size, y + dy * size), size * 0.48, ink)
        base = x - tip * 0.05 * size
        polygon(image, np.array([[base, y - size * 0.85], [x + tip * size, y], [base, y + size * 0.85]]), ink)
    if suit >= 2:
        stem = np.array([[x, y], [x - way * size, y - size * 0.3], [x - way * size, y + size * 0.3]])
        polygon(image, stem, ink)


def _card_suits(image: U8, suit: int, count: int, ink: Colour, size: float) -> None:
    height, width = image.shape[:2]
    columns = _COLUMNS[count]
    for column, number in enumerate(columns):
        y = height * (0.5 + (column - (len(columns) - 1) / 2) * 0.23)
        for row in range(number):
            x = width * (0.5 + (row - (number - 1) / 2) * (0.68 / max(number - 1, 1)))
            _suit(image, suit, x, y, size * (2.2 if count == 1 else 1.0), ink, 1.0 if x <= width / 2 else -1.0)


def _card_figure(rng: np.random.Generator, image: U8) -> None:
    height, width = image.shape[:2]
    low, high = (int(width * 0.1), int(height * 0.2)), (int(width * 0.9), int(height * 0.8))
    half = image[low[1] : high[1], low[0] : width // 2]
    half[:] = hsv(rng.uniform(0, 1), rng.uniform(0, 0.5), rng.uniform(0.7, 1.0))
    for _ in range(int(rng.integers(6, 16))):
        points = rng.uniform(0, 1, (3, 2)) * [half.shape[1], half.shape[0]]
        polygon(half, points, hsv(float(rng.choice([0.0, 0.14, 0.6, rng.random()])), 0.8, rng.uniform(0.1, 1.0)))
    image[low[1] : high[1], width - width // 2 : width - low[0]] = half[::-1, ::-1]
    cv2.rectangle(image, low, high, (40, 40, 40), 1)


def _card_corners(image: U8, rank: str, suit: int, ink: Colour) -> None:
    height = image.shape[0]
    for _ in range(2):  # the same at the other corner, turned round
        upright = np.ascontiguousarray(np.rot90(image, -1))
        cv2.putText(upright, rank, (5, 20), 0, 0.6, ink, 2, cv2.LINE_AA)
        image[:] = np.rot90(upright)
        _suit(image, suit, 28, height - 12, 5, ink)
        image[:] = image[::-1, ::-1].copy()


def _card_back(rng: np.random.Generator, image: U8) -> None:
    height, width = image.shape[:2]
    rim = int(rng.choice([0, 5, 8]))
    field = image[rim : height - rim, rim : width - rim]
    colour = hsv(rng.uniform(0, 1), rng.uniform(0.5, 1.0), rng.uniform(0.2, 0.9))
    field[:] = colour
    light = mix(colour, (255, 255, 255), float(rng.uniform(0.4, 1.0)))
    step = int(rng.integers(6, 22))
    roll = rng.random()
    for x in range(-height, width + height, step):
        if roll < 0.4:
            cv2.line(field, (x, 0), (x + height, height), light, 1, cv2.LINE_AA)
            cv2.line(field, (x + height, 0), (x, height), light, 1, cv2.LINE_AA)
        elif roll < 0.8:
            for y in range(step // 2, height, step):
                circle(field, (x, y), step * 0.25, light, -1 if roll < 0.65 else 1)
    if rng.random() < 0.4:
        circle(field, (field.shape[1] / 2, field.shape[0] / 2), height * 0.2, light, 3)


def flat_lookalikes(rng: np.random.Generator, stage: Stage) -> list[tuple[Thing, F64, float]]:
    """Prints and cards for a table, the lowest first: each thing, its centre (2,) on the table, its angle.

    What would reach behind the camera is left out.
    """
    roll = rng.random()
    low, high = stage.view
    spots: list[tuple[Thing, F64, float]] = []
    if roll < 0.75:
        for _ in range(int(rng.choice([1, 1, 1, 2]))):
            thing = printed_sheet(rng, stage.style.set_name, stage.style)
            spots += [(thing, np.asarray(rng.uniform(low, high)), _turn(rng))]
    if roll > 0.6:
        spots += _hand_of_cards(rng, np.asarray(rng.uniform(low, high)))
    return [
        spot for spot in spots if float(stage.camera.depth(lift(footprint(*spot[1:], *spot[0][2]), 0.0)).min()) > 0.2
    ]


def lay_lookalikes(rng: np.random.Generator, frame: U8, stage: Stage) -> U8:
    """The empty table (h, w, 3) with prints and cards on it, below all that is laid later; a new picture."""
    if rng.random() < 0.12:
        cloth, span = printed_cloth(rng, stage.style.set_name)
        return lay_table(rng, stage.camera, cloth, span, False)
    out, unused = frame.copy(), np.zeros(frame.shape[:2], np.uint8)
    for thing, centre, angle in flat_lookalikes(rng, stage):
        draw_thing(out, unused, stage.camera, thing, centre, angle)
    return out


def _turn(rng: np.random.Generator) -> float:
    if rng.random() < 0.4:
        return float(rng.uniform(0, 2 * math.pi))
    return int(rng.integers(4)) * math.pi / 2 + float(rng.normal(0, 0.06))


def _hand_of_cards(rng: np.random.Generator, start: F64) -> list[tuple[Thing, F64, float]]:
    """Cards beside each other, overlapping or in a fan."""
    heading, fan = _turn(rng), float(rng.choice([0.0, 0.0, rng.uniform(-0.25, 0.25)]))
    gap = float(rng.choice([0.6, 1.2, 2.6, 3.0]))
    found, centre = [], start
    for index in range(int(rng.integers(1, 8))):
        turn = heading + math.pi / 2 + index * fan + float(rng.normal(0, 0.03))
        found.append((playing_card(rng), centre, turn))
        centre = centre + unit(heading + index * fan) * gap
    return found


def draw_dice(rng: np.random.Generator, canvas: U8, ids: U8, stage: Stage) -> None:
    """A few dice as cubes with pips on every side; two that touch look like a tile from above.

    Dice that would clash with what lies there, or reach behind the camera, are left out.

    Args:
        rng: source of randomness.
        canvas: the picture (h, w, 3) uint8 BGR; dice are drawn into it.
        ids: (h, w) uint8, which piece covers a pixel; dice count as 255, a thing.
        stage: camera and board; dice become pieces of the board.
    """
    low, high = stage.view
    side = float(rng.uniform(0.55, 1.3))
    body = hsv(rng.uniform(0, 1), float(rng.choice([0.03, 0.15, 0.9])), float(rng.choice([0.15, 0.6, 0.95])))
    ink: Colour = hsv(rng.uniform(0, 1), 0.8, 0.6) if rng.random() < 0.15 else (20, 20, 20)
    if luma(body) < 130:
        ink = (235, 235, 235)
    corner = float(rng.uniform(0.02, 0.3))
    start, heading = rng.uniform(low, high), rng.uniform(0, 2 * math.pi)
    paired, gap = rng.random() < 0.5, float(rng.choice([1.0, 1.02, 1.1]))
    count = int(rng.integers(1, 6))
    for index in range(count):
        centre = start + unit(heading) * side * gap * index if paired else rng.uniform(low, high)
        turn = heading if paired else float(rng.uniform(0, 2 * math.pi))
        quad = footprint(np.asarray(centre), turn, side, side)
        piece = Piece("thing", np.asarray(centre), turn, side, side)
        if stage.board.clashes(quad, -0.02) or float(stage.camera.depth(lift(quad, side)).min()) < 0.2:
            continue
        stage.board.pieces.append(piece)
        _draw_die(rng, canvas, ids, stage.camera, quad, side, (body, ink, corner))


def _draw_die(
    rng: np.random.Generator,
    canvas: U8,
    ids: U8,
    camera: Camera,
    quad: F64,
    side: float,
    look: tuple[Colour, Colour, float],
) -> None:
    foot, top = lift(quad, 0.0), lift(quad, side)
    shadow = camera.project(np.vstack([foot, lift(quad + side * 0.12, 0.0)])).astype(np.float32)
    dark = np.zeros(canvas.shape[:2], np.uint8)
    polygon(dark, cv2.convexHull(shadow).reshape(-1, 2), 110)
    canvas[:] = u8(canvas * (1 - dark[..., None] / 255.0))
    tone = float(rng.uniform(0.5, 0.85))
    for index in range(4):
        after = (index + 1) % 4
        middle = (quad[index] + quad[after]) / 2
        if float(np.dot(middle - quad.mean(axis=0), camera.position[:2] - middle)) <= 0:
            continue
        points = camera.project(np.stack([top[index], top[after], foot[after], foot[index]]))
        texture, alpha = _die_face(rng, look)
        paste_quad(canvas, u8(texture * tone), np.full_like(alpha, 255), points)
    texture, alpha = _die_face(rng, look)
    upper = camera.project(top)
    paste_quad(canvas, texture, alpha, upper[[1, 2, 3, 0]])
    polygon(ids, cv2.convexHull(camera.project(np.vstack([top, foot])).astype(np.float32)).reshape(-1, 2), 255, False)


def _die_face(rng: np.random.Generator, look: tuple[Colour, Colour, float]) -> tuple[U8, U8]:
    body, ink, corner = look
    image = np.full((64, 64, 3), body, np.uint8)
    for u, v in pip_positions(int(rng.integers(1, 7))) * 17 + 31.5:
        circle(image, (u, v), 5.8, shade(ink, float(rng.uniform(0.9, 1.1))))
    return image, rounded_mask(64, 64, corner * 64)
