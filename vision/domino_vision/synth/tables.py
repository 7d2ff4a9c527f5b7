"""Table tops: tileable textures warped into the table plane, and what lies beyond the table's edge."""

import math
from collections.abc import Callable

import cv2
import numpy as np

from domino_vision.synth.camera import Camera
from domino_vision.synth.paint import U8, Colour, blend, circle, hsv, jitter, luma, polygon, shade, smooth_noise, u8

_SIDE = 512


def _base_colour(rng: np.random.Generator) -> Colour:
    roll = rng.random()
    if roll < 0.28:
        return hsv(rng.uniform(0, 1), rng.uniform(0, 0.1), rng.uniform(0.75, 1.0))
    if roll < 0.48:
        return hsv(rng.uniform(0, 1), rng.uniform(0, 0.4), rng.uniform(0.02, 0.22))
    if roll < 0.62:
        return hsv(rng.uniform(0.3, 0.45), rng.uniform(0.4, 0.95), rng.uniform(0.2, 0.75))
    if roll < 0.75:
        return hsv(rng.uniform(0, 1), rng.uniform(0, 0.12), rng.uniform(0.3, 0.7))
    return hsv(rng.uniform(0, 1), rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.9))


def _filled(colour: Colour) -> U8:
    image = np.empty((_SIDE, _SIDE, 3), np.uint8)
    image[:] = colour
    return image


def _grainy(rng: np.random.Generator, image: U8, amount: float) -> U8:
    grain = rng.normal(0, amount, (_SIDE, _SIDE)).astype(np.float32)
    return u8(image + grain[:, :, None])


def _wood(rng: np.random.Generator, planks: int) -> U8:
    colour = hsv(rng.uniform(0.03, 0.12), rng.uniform(0.2, 0.75), rng.uniform(0.15, 0.9))
    fine = smooth_noise(rng, (_SIDE, _SIDE), (int(rng.integers(60, 200)), int(rng.integers(3, 9))))
    bands = smooth_noise(rng, (_SIDE, _SIDE), (int(rng.integers(6, 24)), int(rng.integers(2, 4))))
    rings = np.sin(bands * rng.uniform(4, 40)) * 0.5 + 0.5
    field = 0.8 + 0.25 * fine * rng.uniform(0.4, 1.3) + 0.2 * rings * rng.uniform(0.0, 1.0)
    if planks:
        step = _SIDE // planks
        for plank in range(planks):
            rows = slice(plank * step, (plank + 1) * step)
            field[rows] = np.roll(field[rows], int(rng.integers(_SIDE)), axis=1) * rng.uniform(0.8, 1.12)
            field[plank * step : plank * step + int(rng.integers(1, 4))] *= rng.uniform(0.25, 0.7)
    return u8(np.asarray(colour, np.float32) * field[:, :, None])


def _cloth(rng: np.random.Generator) -> U8:
    first, second = _base_colour(rng), _base_colour(rng)
    image = _filled(first)
    cells = int(rng.choice([4, 8, 16, 32]))
    step = _SIDE // cells
    overlay = _filled(second)
    stripes = (np.arange(_SIDE) // step) % 2
    weight = (stripes[:, None] + stripes[None, :]) * 0.5
    if rng.random() < 0.4:
        weight = np.abs(stripes[:, None] - stripes[None, :]).astype(np.float64)
    mixed = image + (overlay.astype(np.float32) - image) * weight[:, :, None]
    return _grainy(rng, u8(mixed), rng.uniform(1, 9))


def _stripes(rng: np.random.Generator) -> U8:
    image = _filled(_base_colour(rng))
    position = 0
    while position < _SIDE:
        wide = int(rng.integers(6, 90))
        if rng.random() < 0.6:
            image[:, position : position + wide] = _base_colour(rng)
        position += wide
    return _grainy(rng, image, rng.uniform(1, 8))


def _petals(rng: np.random.Generator, image: U8, x: float, y: float, size: float, ink: Colour, core: Colour) -> None:
    count, start = int(rng.integers(4, 9)), rng.uniform(0, 6)
    for petal in range(count):
        phi = start + petal * 2 * math.pi / count
        centre = (int(x + size * 0.55 * math.cos(phi)), int(y + size * 0.55 * math.sin(phi)))
        axes = (max(1, int(size * 0.5)), max(1, int(size * 0.24)))
        cv2.ellipse(image, centre, axes, math.degrees(phi), 0, 360, jitter(rng, ink, 12), -1, cv2.LINE_AA)
    circle(image, (x, y), size * 0.22, core)


def _floral(rng: np.random.Generator) -> U8:
    image = _filled(_base_colour(rng))
    palette = [_base_colour(rng) for _ in range(5)]
    size = float(rng.choice([8, 16, 32, 56]))
    grid = rng.random() < 0.3
    for index in range(int(min(420, 40_000 / size**1.6))):
        x, y = rng.uniform(0, _SIDE, 2)
        if grid:
            pitch = size * 3
            x, y = (index * pitch) % _SIDE, ((index * pitch) // _SIDE) * pitch % _SIDE
        ink = palette[int(rng.integers(5))]
        roll = rng.random()
        if roll < 0.5:
            _petals(rng, image, x, y, size * rng.uniform(0.6, 1.2), ink, palette[0])
        elif roll < 0.8:
            axes = (int(size * rng.uniform(0.4, 1.6)) + 1, int(size * rng.uniform(0.1, 0.5)) + 1)
            turn = rng.uniform(0, 360)
            cv2.ellipse(image, (int(x), int(y)), axes, turn, 0, float(rng.uniform(90, 360)), ink, -1, cv2.LINE_AA)
        else:
            thick = int(max(1, size * 0.1))
            cv2.ellipse(image, (int(x), int(y)), (int(size), int(size * 0.6) + 1), 40, 0, 230, ink, thick, cv2.LINE_AA)
    return _grainy(rng, image, rng.uniform(1, 8))


def _print(rng: np.random.Generator) -> U8:
    paper = hsv(rng.uniform(0.08, 0.6), rng.uniform(0, 0.15), rng.uniform(0.75, 1.0))
    image = _filled(paper)
    letters = "abcdefghiklmnorstuvw eEoO8B:. "
    for column in range(3):
        left, y = column * 172 + 6, int(rng.integers(5, 40))
        while y < _SIDE - 8:
            roll = rng.random()
            if roll < 0.06:
                tall = int(rng.integers(40, 120))
                cv2.rectangle(image, (left, y), (left + 158, min(y + tall, _SIDE - 4)), _base_colour(rng), -1)
                y += tall + 14
                continue
            scale = 0.9 if roll < 0.12 else 0.35
            text = "".join(letters[int(i)] for i in rng.integers(0, len(letters), 8 if scale > 0.5 else 24))
            cv2.putText(image, text, (left, y + 9), 0, scale, (40, 40, 40), 1, cv2.LINE_AA)
            y += 30 if scale > 0.5 else 13
    return image


def _tiles(rng: np.random.Generator) -> U8:
    image = _grainy(rng, _filled(_base_colour(rng)), rng.uniform(0, 6))
    cells = int(rng.choice([2, 4, 6, 8]))
    step = _SIDE // cells
    line = int(rng.integers(2, 7))
    for row in range(cells):
        for column in range(cells):
            image[row * step : (row + 1) * step, column * step : (column + 1) * step] = u8(
                image[row * step : (row + 1) * step, column * step : (column + 1) * step] * rng.uniform(0.88, 1.1)
            )
    grout = _base_colour(rng)
    for index in range(cells + 1):
        image[max(0, index * step - line) : index * step] = grout
        image[:, max(0, index * step - line) : index * step] = grout
    return image


def _granite(rng: np.random.Generator) -> U8:
    colour = _base_colour(rng)
    image = _filled(colour).astype(np.float32)
    for cells, gain in ((512, rng.uniform(5, 40)), (128, rng.uniform(5, 40)), (12, rng.uniform(0, 30))):
        image += (smooth_noise(rng, (_SIDE, _SIDE), (cells, cells)) - 0.5)[:, :, None] * gain
    if rng.random() < 0.5:
        vein = np.abs(smooth_noise(rng, (_SIDE, _SIDE), (7, 7)) - smooth_noise(rng, (_SIDE, _SIDE), (11, 11)))
        image += (np.clip(0.05 - vein, 0, 1) * 20)[:, :, None] * rng.uniform(-60, 60)
    return u8(image)


def _leather(rng: np.random.Generator) -> U8:
    cells = int(rng.integers(50, 120))
    bumps = smooth_noise(rng, (_SIDE, _SIDE), (cells, cells))
    relief = bumps - np.roll(bumps, 2, axis=(0, 1))
    colour = hsv(rng.uniform(0, 0.1), rng.uniform(0, 0.6), rng.uniform(0.06, 0.45))
    return u8(_filled(colour) + relief[:, :, None] * rng.uniform(20, 120))


def _board(rng: np.random.Generator) -> U8:
    """A printed game board: grid, diamonds and little stars."""
    base = hsv(rng.uniform(0, 1), rng.uniform(0.3, 0.9), rng.uniform(0.3, 0.9))
    image = _grainy(rng, _filled(base), 4)
    cells = int(rng.choice([8, 16]))
    step = _SIDE // cells
    line, inks = shade(base, rng.uniform(0.5, 1.4)), [_base_colour(rng) for _ in range(3)]
    for index in range(cells):
        cv2.line(image, (index * step, 0), (index * step, _SIDE), line, 1, cv2.LINE_AA)
        cv2.line(image, (0, index * step), (_SIDE, index * step), line, 1, cv2.LINE_AA)
    for _ in range(cells * cells // 3):
        x, y = (rng.integers(0, cells, 2) + 0.5) * step
        size = step * rng.uniform(0.2, 0.5)
        points = np.array([[x - size, y], [x, y - size], [x + size, y], [x, y + size]])
        polygon(image, points, inks[int(rng.integers(3))])
        if rng.random() < 0.5:
            circle(image, (x, y), size * 0.4, inks[0])
    return image


def _flat(rng: np.random.Generator) -> U8:
    return _grainy(rng, _filled(_base_colour(rng)), rng.uniform(0, 2.5))


def _felt(rng: np.random.Generator) -> U8:
    base = _filled(_base_colour(rng))
    soft = (smooth_noise(rng, (_SIDE, _SIDE), (128, 128)) - 0.5)[:, :, None] * rng.uniform(5, 40)
    return _grainy(rng, u8(base + soft), rng.uniform(3, 14))


def _towel(rng: np.random.Generator) -> U8:
    loops = smooth_noise(rng, (_SIDE, _SIDE), (170, 170))[:, :, None] * rng.uniform(30, 110)
    return u8(_filled(_base_colour(rng)) + loops - 35)


def _flag(rng: np.random.Generator) -> U8:
    """A flag: bands along or across, now and then a field, a triangle or a disc."""
    image = _filled(_base_colour(rng))
    inks = [
        hsv(float(rng.choice([0.0, 0.6, 0.33, 0.14])), rng.uniform(0.0, 1.0), rng.uniform(0.5, 1.0)) for _ in range(4)
    ]
    bands = int(rng.choice([2, 3, 5, 9]))
    for band in range(bands):
        rows = slice(band * _SIDE // bands, (band + 1) * _SIDE // bands)
        image[rows] = inks[band % (2 if bands > 3 else 3)]
    if rng.random() < 0.5:
        image = image.transpose(1, 0, 2).copy()
    roll = rng.random()
    if roll < 0.3:
        image[: _SIDE // 2, : _SIDE // 2] = inks[3]
        for y in range(30, _SIDE // 2, 50):
            for x in range(30, _SIDE // 2, 50):
                circle(image, (x, y), 9, (245, 245, 245))
    elif roll < 0.5:
        polygon(image, np.array([[0, 0], [_SIDE * 0.45, _SIDE / 2], [0, _SIDE]]), inks[3])
    elif roll < 0.7:
        circle(image, (_SIDE / 2, _SIDE / 2), _SIDE * 0.2, inks[3])
    return _grainy(rng, image, rng.uniform(1, 6))


# By name: texture, its chance, and whether it repeats by mirroring. The order is part of what a seed means.
_TABLES: dict[str, tuple[Callable[[np.random.Generator], U8], float, bool]] = {
    "flat": (_flat, 0.21, False),
    "felt": (_felt, 0.11, True),
    "wood": (lambda rng: _wood(rng, 0), 0.13, True),
    "planks": (lambda rng: _wood(rng, int(rng.integers(2, 9))), 0.09, False),
    "cloth": (_cloth, 0.08, False),
    "stripes": (_stripes, 0.05, False),
    "floral": (_floral, 0.1, True),
    "print": (_print, 0.04, False),
    "tiles": (_tiles, 0.04, False),
    "granite": (_granite, 0.05, True),
    "leather": (_leather, 0.04, True),
    "board": (_board, 0.03, False),
    "towel": (_towel, 0.03, True),
    "flag": (_flag, 0.0, False),
}


def named_texture(rng: np.random.Generator, name: str) -> tuple[U8, bool]:
    """A random table top of one kind (flat, felt, wood, planks, cloth, print, flag, ...); result as `table_texture`."""
    draw, _, mirror = _TABLES[name]
    return draw(rng), mirror


def table_texture(rng: np.random.Generator, alike: Colour | None = None) -> tuple[U8, bool]:
    """A random table top.

    Args:
        rng: source of randomness.
        alike: make a plain table of about this colour.

    Returns:
        (512, 512, 3) BGR uint8, and whether it repeats by mirroring instead of by shifting.
    """
    if alike is not None:
        return _grainy(rng, _filled(jitter(rng, alike, 16)), rng.uniform(0, 6)), False
    names, chances = list(_TABLES), [row[1] for row in _TABLES.values()]
    return named_texture(rng, names[int(rng.choice(len(names), p=chances))])


def lay_table(rng: np.random.Generator, camera: Camera, texture: U8, span: float, mirror: bool) -> U8:
    """The picture of an endless table.

    Args:
        rng: source of randomness (turn and offset of the texture).
        camera: the camera.
        texture: (h, w, 3) BGR, repeated over the plane.
        span: size of one repeat in tile widths.
        mirror: repeat by mirroring.
    """
    width, height = camera.size_wh
    phi = float(rng.choice([0.0, math.pi / 2, rng.uniform(0, 2 * math.pi)])) + rng.normal(0, 0.03)
    scale = span / texture.shape[1]
    c, s = math.cos(phi) * scale, math.sin(phi) * scale
    offset = rng.uniform(-span, span, 2)
    place = np.array([[c, s, offset[0]], [s, -c, offset[1]], [0, 0, 1.0]])
    border = cv2.BORDER_REFLECT if mirror else cv2.BORDER_WRAP
    step = scale * float(np.linalg.norm(camera.plane()[:2, 0])) / float(camera.plane()[2, 2])
    if step < 0.6:
        texture = u8(cv2.GaussianBlur(texture, (0, 0), min(4.0, 0.3 / max(step, 0.05))))
    return u8(
        cv2.warpPerspective(texture, camera.plane() @ place, (width, height), flags=cv2.INTER_LINEAR, borderMode=border)
    )


def beyond(rng: np.random.Generator, canvas: U8, camera: Camera, edges: list[tuple[float, float]]) -> None:
    """Replace what lies behind the table's edges with a floor, walls or dark.

    Args:
        rng: source of randomness.
        canvas: picture, changed in place.
        camera: the camera.
        edges: (angle, distance) of half planes of the table: points p with p·unit(angle) > distance are off it.
    """
    width, height = camera.size_wh
    inverse = np.linalg.inv(camera.plane())
    if (inverse[2] @ [width / 2, height / 2, 1.0]) < 0:
        inverse = -inverse
    small = (max(2, width // 8), max(2, height // 8))
    ys, xs = np.mgrid[0 : small[1], 0 : small[0]].astype(np.float32)
    xs, ys = (xs + 0.5) * (width / small[0]) - 0.5, (ys + 0.5) * (height / small[1]) - 0.5
    field = np.full(xs.shape, -1e6, np.float32)
    for angle, distance in (*edges, (math.pi / 2, 100.0)):
        a, b, c = math.cos(angle) * inverse[0] + math.sin(angle) * inverse[1] - distance * inverse[2]
        field = np.maximum(field, (a * xs + b * ys + c) / max(math.hypot(a, b), 1e-9))
    if field.max() < -8:
        return
    signed = cv2.resize(field.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    alpha = u8(np.clip(signed + 0.5, 0, 1) * 255)
    room = _room(rng, (max(2, width // 4), max(2, height // 4)), _base_colour(rng))
    blend(canvas, u8(cv2.resize(room, (width, height), interpolation=cv2.INTER_LINEAR)), alpha)


def _room(rng: np.random.Generator, size_wh: tuple[int, int], colour: Colour) -> U8:
    width, height = size_wh
    image = np.empty((height, width, 3), np.uint8)
    image[:] = colour
    for _ in range(int(rng.integers(0, 12))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        w, h = rng.uniform(0.05, 0.4) * width, rng.uniform(0.05, 0.6) * height
        box = np.array([[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]]) + rng.normal(0, 8, (4, 2))
        polygon(image, box, jitter(rng, _base_colour(rng), 15))
    blurred = u8(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.5, 6))))
    return u8(blurred * rng.uniform(0.3, 1.0)) if luma(colour) > 60 else blurred
