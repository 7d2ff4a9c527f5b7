"""Printed dominoes: boards, leaflets, box lids and cloths with faces of tiles drawn on them, none of which is a tile.

A print has no thickness, no shadow and no rounded edge of its own; it bends, folds and shines with its sheet.
"""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from domino_vision.synth.board import footprint
from domino_vision.synth.clutter import Thing
from domino_vision.synth.faces import face_texture
from domino_vision.synth.paint import (
    U8,
    Colour,
    circle,
    hsv,
    luma,
    mix,
    paste_quad,
    rounded_mask,
    shade,
    smooth_noise,
    u8,
)
from domino_vision.synth.styles import SET_MAX, TileStyle, random_style
from domino_vision.synth.tables import named_texture

_PAPERS = ("flat", "flat", "flat", "leather", "wood", "granite", "board", "stripes", "floral", "print", "felt")
_WORDS = ("DOMINO", "Double Six", "START", "Rules", "Chickenfoot", "MEXICAN TRAIN", "28", "Train", "Club")
_LONGEST_PX = 1000
_ROOM = 0.35
"""What is left free along a sheet's edge, in widths of a printed tile."""


@dataclass(frozen=True, slots=True)
class _Ink:
    """How the faces of a sheet are printed: strength, a line round each, a printed shadow, numbers in the halves."""

    strength: float
    line: Colour | None
    shadow: bool
    numbers: float


@dataclass(frozen=True, slots=True)
class _Face:
    """Where a printed face lies on its sheet, in its own widths: centre, angle."""

    x: float
    y: float
    angle: float


def printed_style(rng: np.random.Generator, set_name: str) -> TileStyle:
    """Return how a printer draws tiles of a set: flat, mostly light with dark pips, without depth or gleam."""
    style = random_style(rng, set_name)
    if set_name != "chinese" and rng.random() < 0.5:
        paper, ink = (
            hsv(rng.uniform(0, 1), rng.uniform(0, 0.08), rng.uniform(0.85, 1.0)),
            hsv(0, 0, rng.uniform(0, 0.2)),
        )
        style = replace(style, body=paper, pip_colours=(ink,) * len(style.pip_colours), divider_colour=ink)
    kinds = ("printed", "printed", "printed", "ringed", "gradient")
    return replace(
        style,
        body_kind="plain",
        opacity=1.0,
        corner=float(rng.choice([0.0, rng.uniform(0.03, 0.12), rng.uniform(0.1, 0.25)])),
        bevel=0.0,
        pip_kind=kinds[int(rng.integers(len(kinds)))],
        pip_glint=False,
        wells=False,
        pin=style.pin if rng.random() < 0.3 else "none",
        gloss=0.0,
        wear=0.0,
    )


def printed_sheet(rng: np.random.Generator, set_name: str, style: TileStyle | None = None) -> Thing:
    """A sheet, board or lid with printed dominoes.

    Args:
        rng: source of randomness.
        set_name: the set that the printed tiles are of.
        style: look of the tiles on the table; now and then the print shows the same.

    Returns:
        Texture, alpha, (length, width) in widths of a tile on the table, and height.
    """
    look = printed_style(rng, set_name)
    if style is not None and style.set_name == set_name and rng.random() < 0.35:
        look = replace(look, body=style.body, pip_colours=style.pip_colours, divider=style.divider)
    size = float(math.exp(rng.normal(-0.1, 0.3)))
    faces, length, width = _arranged(rng, look.aspect)
    px = float(np.clip(_LONGEST_PX / max(length, width), 14, 90))
    sheet = _paper(rng, (max(8, round(width * px)), max(8, round(length * px))))
    _letters(rng, sheet, px)
    _print_faces(rng, sheet, faces, look, px)
    sheet = _bent(rng, sheet)
    corner = float(rng.choice([0.0, 0.0, 0.3]))
    alpha = rounded_mask(sheet.shape[0], sheet.shape[1], corner * px)
    return sheet, alpha, (length * size, width * size), float(rng.choice([0.0, 0.02, 0.1], p=[0.45, 0.35, 0.2]))


def printed_cloth(rng: np.random.Generator, set_name: str) -> tuple[U8, float]:
    """A table top with dominoes all over it: a square BGR picture to be repeated, and its side in tile widths."""
    look, side = printed_style(rng, set_name), int(rng.integers(512, 800))
    sheet = _paper(rng, (side, side))
    px = float(rng.uniform(30, 80))
    room = side / px
    count = int(rng.integers(3, max(4, int(room * room / 5))))
    spots = rng.uniform(0.08, 0.92, (count, 2)) * room
    turns = rng.uniform(0, 2 * math.pi, count) if rng.random() < 0.6 else np.zeros(count)
    _print_faces(rng, sheet, [_Face(x, y, float(turn)) for (x, y), turn in zip(spots, turns, strict=True)], look, px)
    return sheet, room * float(rng.uniform(0.6, 1.4))


def _arranged(rng: np.random.Generator, long: float) -> tuple[list[_Face], float, float]:
    """Faces of a sheet, its length and its width, all in widths of a printed tile that is ``long`` such widths long."""
    roll = rng.random()
    if roll < 0.45:
        length, width = rng.uniform(9, 24), rng.uniform(8, 20)
        faces = _ring(rng, length, width, long)
    elif roll < 0.7:
        columns, rows = int(rng.integers(1, 9)), int(rng.integers(1, 6))
        gap = float(rng.choice([0.0, 0.06, 0.3, 1.0]))
        length, width = columns * (long + gap) + 2 * _ROOM, rows * (1 + gap) + 2 * _ROOM
        steps = [(c, r) for c in range(columns) for r in range(rows) if rng.random() < 0.93]
        faces = [_Face(_ROOM + c * (long + gap) + long / 2, _ROOM + r * (1 + gap) + 0.5, 0.0) for c, r in steps]
    elif roll < 0.85:
        length, width = rng.uniform(6, 16), rng.uniform(2 * long + 1, 12)
        faces = _line(rng, (0.3, float(rng.uniform(0.5, width - 2 * long))), length - 0.3, long, turned=False)
    else:
        length, width = rng.uniform(4, 14), rng.uniform(3, 10)
        spots = rng.uniform([1, 1], [max(1.1, length - 1), max(1.1, width - 1)], (int(rng.integers(1, 12)), 2))
        faces = [_Face(x, y, rng.uniform(0, 2 * math.pi)) for x, y in spots]
    if rng.random() < 0.5:  # the same lying along the other side
        faces = [_Face(face.y, face.x, math.pi / 2 - face.angle) for face in faces]
        length, width = width, length
    return faces, float(length), float(width)


def _ring(rng: np.random.Generator, length: float, width: float, long: float) -> list[_Face]:
    """A chain round a board's edge, in one row or zigzag in two."""
    band = 2.0 if rng.random() < 0.6 else 1.0
    shut = band + _ROOM + 0.2
    faces = _line(rng, (_ROOM, _ROOM), length - _ROOM, long, turned=False, band=band)
    faces += _line(rng, (_ROOM, width - _ROOM - band), length - _ROOM, long, turned=False, band=band)
    faces += _line(rng, (shut, _ROOM), width - shut, long, turned=True, band=band)
    faces += _line(rng, (shut, length - _ROOM - band), width - shut, long, turned=True, band=band)
    return [face for face in faces if rng.random() < 0.97]


def _line(
    rng: np.random.Generator, start: tuple[float, float], stop: float, long: float, *, turned: bool, band: float = 2.0
) -> list[_Face]:
    """A line of faces along x (along y if turned) from ``start`` to ``stop``, some of them crosswise."""
    at, low = start
    found = []
    gap = float(rng.choice([0.0, 0.03, 0.1]))
    crosswise = float(rng.choice([0.0, 0.3, 0.5])) if band > 1 else 0.0
    while at + 1 < stop:
        across = rng.random() < crosswise
        step = 1.0 if across else long
        if at + step > stop:
            break
        row = low + (long / 2 if across else 0.5 + float(rng.choice([0.0, band - 1])))
        x, y, angle = at + step / 2, row, math.pi / 2 if across else 0.0
        found.append(_Face(y, x, math.pi / 2 - angle) if turned else _Face(x, y, angle))
        at += step + gap
    return found


def _paper(rng: np.random.Generator, shape: tuple[int, int]) -> U8:
    if rng.random() < 0.3:
        paper = hsv(rng.uniform(0, 1), rng.uniform(0, 0.25), rng.uniform(0.75, 1.0))
        return u8(np.full((*shape, 3), paper, np.float32) + rng.normal(0, 2, (*shape, 1)))
    texture, _ = named_texture(rng, _PAPERS[int(rng.integers(len(_PAPERS)))])
    sheet = u8(cv2.resize(texture, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR))
    if min(shape) > 60 and rng.random() < 0.5:  # a field within
        low, high = (int(side * rng.uniform(0.15, 0.3)) for side in shape)
        inner, _ = named_texture(rng, str(rng.choice(["flat", "board", "felt", "print"])))
        field = (shape[1] - 2 * high, shape[0] - 2 * low)
        sheet[low : low + field[1], high : high + field[0]] = cv2.resize(inner, field)
    return sheet


def _letters(rng: np.random.Generator, sheet: U8, px: float) -> None:
    height, width = sheet.shape[:2]
    for _ in range(int(rng.integers(0, 4))):
        size = float(rng.uniform(0.01, 0.05)) * px
        ink, at = hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0, 1)), rng.uniform(0.05, 0.8, 2)
        place = (int(at[0] * width), int((at[1] + 0.1) * height))
        cv2.putText(sheet, str(rng.choice(_WORDS)), place, 0, size, ink, max(1, int(size * 2)), cv2.LINE_AA)
    for _ in range(int(rng.choice([0, 0, 0, 2, 5]))):
        at = rng.uniform(0, 1, 2) * [width, height]
        circle(sheet, (at[0], at[1]), px * rng.uniform(0.2, 0.5), hsv(rng.uniform(0, 1), 0.8, rng.uniform(0.1, 1.0)))


def _print_faces(rng: np.random.Generator, sheet: U8, faces: list[_Face], look: TileStyle, px: float) -> None:
    low, high = (1 if look.set_name == "chinese" else 0), SET_MAX[look.set_name]
    outlined = rng.random() < 0.55
    line = shade(look.body, 0.45) if luma(look.body) > 90 else mix(look.body, (255, 255, 255), 0.4)
    ink = _Ink(
        float(rng.uniform(0.8, 1.0)), line if outlined else None, rng.random() < 0.12, float(rng.choice([0, 0, 0.15]))
    )
    for face in faces:
        first, second = (int(count) for count in rng.integers(low, high + 1, 2))
        texture, alpha = face_texture(rng, look, first, second, max(8, round(px * look.aspect / 2)), 0.0)
        if rng.random() < ink.numbers:
            size, place = (
                texture.shape[0] / 70,
                (int(texture.shape[1] * rng.choice([0.1, 0.6])), int(texture.shape[0] * 0.6)),
            )
            cv2.putText(texture, str(int(rng.choice([5, 25, 50, 75, 100]))), place, 0, size, look.pip_colours[1], 1, 16)
        quad = footprint(np.array([face.x, face.y]), face.angle, look.aspect)[[0, 3, 2, 1]] * px
        if ink.shadow:
            paste_quad(sheet, np.zeros_like(texture), u8(alpha * 0.35), quad + px * 0.07)
        paste_quad(sheet, texture, u8(alpha * ink.strength), quad)
        if ink.line is not None:
            points = [np.round(quad * 16).astype(np.int32)]
            cv2.polylines(sheet, points, True, ink.line, max(1, int(px * 0.03)), cv2.LINE_AA, 4)


def _bent(rng: np.random.Generator, sheet: U8) -> U8:
    """Folds, waves and a gleam over a sheet, which pay no heed to what is printed on it."""
    height, width = sheet.shape[:2]
    light = np.ones((height, width), np.float32)
    if rng.random() < 0.5:
        light += (smooth_noise(rng, (height, width), (4, 4)) - 0.5) * float(rng.uniform(0.05, 0.4))
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        upright, at, depth = rng.random() < 0.5, rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.35)
        away = np.arange(width if upright else height, dtype=np.float32) / (width if upright else height) - at
        fold = 1 + depth * np.exp(-np.abs(away) / rng.uniform(0.004, 0.08)) * np.sign(away)
        light *= fold[None, :] if upright else fold[:, None]
    out = sheet * light[..., None]
    if rng.random() < 0.25:
        spot = smooth_noise(rng, (height, width), (3, 3)).clip(0.55, 1) - 0.55
        out = out + spot[..., None] * float(rng.uniform(60, 260))
    return u8(out)
