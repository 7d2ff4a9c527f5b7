"""Textures of single tiles: the face with its pips, and the back."""

import math

import cv2
import numpy as np

from domino_vision.synth.paint import F64, U8, Colour, circle, luma, mix, rounded_mask, shade, smooth_noise, u8
from domino_vision.synth.pips import chinese_positions, pip_positions, pip_radius
from domino_vision.synth.styles import TileStyle

_PINS: dict[str, Colour] = {"brass": (70, 165, 205), "steel": (185, 185, 180)}


def _size(style: TileStyle, px_per_half: int) -> tuple[int, int]:
    width = 2 * px_per_half
    return max(6, round(width / style.aspect)), width


def _body(rng: np.random.Generator, style: TileStyle, colour: Colour, height: int, width: int) -> U8:
    image = np.empty((height, width, 3), np.uint8)
    image[:] = colour
    if style.body_kind == "wood":
        grain = smooth_noise(rng, (height, width), (24, 3)) * 0.35 + smooth_noise(rng, (height, width), (60, 5)) * 0.2
        return u8(image * (0.75 + grain)[:, :, None])
    if style.body_kind == "marble":
        vein = np.abs(smooth_noise(rng, (height, width), (5, 9)) - smooth_noise(rng, (height, width), (9, 15)))
        return u8(image + (np.clip(vein * 3, 0, 1)[:, :, None] - 0.5) * (70 if luma(colour) < 150 else -70))
    if style.wear > 0.2:
        stain = smooth_noise(rng, (height, width), (6, 12)) * 0.14 * style.wear
        return u8(image * (1.0 - stain)[:, :, None])
    return image


def _bevel(image: U8, mask: U8, style: TileStyle, light: float) -> U8:
    """Lighten the rim that faces the light and darken the one that turns away."""
    rim = max(1.0, style.bevel * image.shape[0])
    if style.bevel < 0.012 or image.shape[0] < 10:
        return image
    soft = cv2.GaussianBlur(mask, (0, 0), rim, borderType=cv2.BORDER_CONSTANT).astype(np.float32)
    gx = cv2.Sobel(soft, cv2.CV_32F, 1, 0) * rim
    gy = cv2.Sobel(soft, cv2.CV_32F, 0, 1) * rim
    slope = np.clip((gx * math.cos(light) + gy * math.sin(light)) * (-0.0009), -0.4, 0.4)
    return u8(image * (1.0 + slope)[:, :, None] + np.maximum(slope, 0)[:, :, None] * 40)


def _pip(image: U8, centre: tuple[float, float], radius: float, ink: Colour, style: TileStyle, light: float) -> None:
    cx, cy = centre
    dx, dy = math.cos(light), math.sin(light)
    body = style.body
    match style.pip_kind:
        case "engraved" | "drilled":
            depth = 0.10 if style.pip_kind == "engraved" else 0.2
            lit, dark = mix(body, (255, 255, 255), 0.45), shade(body, 0.6)
            circle(image, (cx + dx * radius * depth, cy + dy * radius * depth), radius * 1.04, dark)
            circle(image, (cx - dx * radius * depth, cy - dy * radius * depth), radius * 1.04, lit)
            circle(image, centre, radius, ink)
            if style.pip_kind == "drilled" and radius > 2.5:
                glow = mix(ink, (255, 255, 255), 0.28)
                circle(image, (cx - dx * radius * 0.35, cy - dy * radius * 0.35), radius * 0.45, glow)
        case "ringed":
            circle(image, centre, radius, ink)
            circle(image, centre, radius * 0.66, mix(ink, body, 0.75))
            circle(image, centre, radius * 0.42, ink)
        case "gradient":
            for step in range(5):
                scale = 1.0 - step * 0.2
                shift = radius * 0.12 * step
                tone = mix(shade(ink, 0.7), mix(ink, (255, 255, 255), 0.35), step / 4)
                circle(image, (cx - dx * shift, cy - dy * shift), radius * scale, tone)
        case _:
            circle(image, centre, radius, ink)
    if style.pip_glint and radius > 2:
        spot = (cx - dx * radius * 0.45, cy - dy * radius * 0.45)
        circle(image, spot, radius * 0.2, mix(ink, (255, 255, 255), 0.8))


def _wells(image: U8, style: TileStyle, centre_x: float, spread: float, radius: float) -> None:
    """Empty cups at all nine places of a half."""
    rim = shade(style.body, 0.6) if luma(style.body) > 90 else mix(style.body, (255, 255, 255), 0.14)
    for u, v in pip_positions(9) * spread:
        centre = (centre_x + u - 0.5, image.shape[0] / 2 + v - 0.5)
        circle(image, centre, radius * 1.1, rim)
        circle(image, centre, radius * 0.85, shade(style.body, 0.9))


def _half(
    rng: np.random.Generator, image: U8, style: TileStyle, count: int, centre_x: float, turned: bool, light: float
) -> None:
    height = image.shape[0]
    points, radius = half_pips(style, count, height)
    if turned:
        points = -points
    ink = style.pip_colours[count]
    if style.wells:
        spread = pip_reach(style, count) * height
        _wells(image, style, centre_x, spread, pip_radius(9, style.pip_radius * height, spread))
    wobble = 0.004 * height * (1 + style.wear)
    for u, v in points + rng.normal(0, wobble, points.shape):
        _pip(image, (centre_x + u - 0.5, height / 2 + v - 0.5), radius, ink, style, light)


def pip_reach(style: TileStyle, count: int) -> float:
    """How far the outermost pips of a half sit from its middle, over the tile's width."""
    return max(style.pip_spread, 0.29) if count >= 10 else style.pip_spread


def half_pips(style: TileStyle, count: int, width: float) -> tuple[F64, float]:
    """Where the pips of a half are drawn, on all sets but Chinese ones.

    Args:
        style: look of the set.
        count: pips of the half.
        width: the tile's width in the unit that is wanted.

    Returns:
        Places (count, 2) along and across the tile about the middle of the first half (the second half's are turned
        round), and the radius of a pip.
    """
    spread = pip_reach(style, count) * width
    points = pip_positions(count, across=style.six_across, mirrored=style.mirrored, staggered=style.staggered)
    points *= spread
    points[:, 0] *= min(1.08, style.aspect / 2.0)
    return points, pip_radius(count, style.pip_radius * width, spread)


def chinese_pips(style: TileStyle, count: int, width: float, length: float) -> tuple[F64, float]:
    """Where the pips of a half of a Chinese tile are drawn: distance from its end and place across from its axis.

    Args:
        style: look of the set.
        count: pips of the half, 1 to 6.
        width: the tile's width in the unit that is wanted.
        length: its length.

    Returns:
        Places (count, 2) and the radius of a pip.
    """
    places = chinese_positions(count) * [length / 2, style.pip_spread * width]
    return places, min(style.pip_radius * width, 0.066 * length)


def _chinese(rng: np.random.Generator, image: U8, style: TileStyle, halves: tuple[int, int], light: float) -> None:
    """Both halves of a Chinese tile; on the double six half of the pips are red."""
    height, width = image.shape[:2]
    for half, count in enumerate(halves):
        places, radius = chinese_pips(style, count, height, width)
        for slot, (along, across) in enumerate(places):
            x, y = along, height / 2 + across
            if half:
                x, y = width - x, height - y
            reddened = halves == (6, 6) and slot >= 3
            ink = style.pip_colours[1] if reddened else style.pip_colours[count]
            slip = rng.normal(0, 0.004 * height, 2)
            _pip(image, (x + slip[0] - 0.5, y + slip[1] - 0.5), radius, ink, style, light)


def _divider(image: U8, style: TileStyle) -> None:
    height, width = image.shape[:2]
    middle, half = (width - 1) / 2, (height - 1) / 2
    thick = max(1.0, style.divider_width * height)
    reach = half if style.divider in ("bar", "groove") else half * style.divider_length
    if style.divider == "none":
        return
    offsets = (-thick * 0.9, thick * 0.9) if style.divider == "double" else (0.0,)
    for offset in offsets:
        wide = thick * 0.5 if style.divider == "double" else thick
        box = [(middle + offset - wide / 2, half - reach), (middle + offset + wide / 2, half + reach)]
        (x0, y0), (x1, y1) = box
        points = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) * 16
        cv2.fillConvexPoly(image, np.round(points).astype(np.int32), style.divider_colour, cv2.LINE_AA, 4)
        if style.divider == "groove" and thick > 2:
            edge = mix(style.body, (255, 255, 255), 0.4)
            cv2.line(image, (round(x1), round(y0)), (round(x1), round(y1)), edge, 1, cv2.LINE_AA)


def _pin(image: U8, style: TileStyle, light: float) -> None:
    if style.pin == "none":
        return
    height, width = image.shape[:2]
    centre = ((width - 1) / 2, (height - 1) / 2)
    radius, metal = style.pin_radius * height, _PINS[style.pin]
    circle(image, centre, radius * 1.12, shade(metal, 0.45))
    circle(image, centre, radius, metal)
    glint = (centre[0] - math.cos(light) * radius * 0.35, centre[1] - math.sin(light) * radius * 0.35)
    circle(image, glint, radius * 0.45, mix(metal, (255, 255, 255), 0.65))


def _logo(image: U8, style: TileStyle, centre: tuple[float, float], size: float, colour: Colour) -> None:
    x, y = centre
    if style.logo == "letters" or (style.logo == "none" and style.back == "logo"):
        scale, thick = size / 28, max(1, round(size / 14))
        (wide, tall), _ = cv2.getTextSize(style.mark, 0, scale, thick)
        cv2.putText(image, style.mark, (int(x - wide / 2), int(y + tall / 2)), 0, scale, colour, thick, cv2.LINE_AA)
    elif style.logo == "star":
        angles = np.arange(10) * math.pi / 5
        radii = np.where(np.arange(10) % 2 == 0, size, size * 0.45) * 0.7
        points = np.stack([x + radii * np.sin(angles), y - radii * np.cos(angles)], axis=1)
        cv2.fillPoly(image, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    else:
        circle(image, centre, size * 0.6, colour, max(1.0, size * 0.12))


def _finish(image: U8, style: TileStyle, light: float) -> tuple[U8, U8]:
    height, width = image.shape[:2]
    mask = rounded_mask(height, width, style.corner * height)
    image = _bevel(image, mask, style, light)
    if style.opacity < 1:
        mask = u8(mask.astype(np.float32) * style.opacity)
    return image, mask


def face_texture(
    rng: np.random.Generator, style: TileStyle, a: int, b: int, px_per_half: int, light: float | None = None
) -> tuple[U8, U8]:
    """The face of a tile lying along x: half ``a`` at the left, half ``b`` at the right.

    Args:
        rng: source of randomness (wear, small wobble of the pips).
        style: look of the set.
        a: pips of the left half, 0..12 (1..6 on Chinese tiles).
        b: pips of the right half, 0..12.
        px_per_half: pixels of one half along the tile.
        light: direction towards which light travels, radians in texture coordinates (x right, y down);
            random if not given.

    Returns:
        BGR (h, w, 3) and alpha (h, w), both uint8, with w = 2 * px_per_half and h = w / aspect.
    """
    light = float(rng.uniform(0, 2 * math.pi)) if light is None else light
    height, width = _size(style, px_per_half)
    image = _body(rng, style, style.body, height, width)
    _divider(image, style)
    if style.set_name == "chinese":
        _chinese(rng, image, style, (a, b), light)
    else:
        _half(rng, image, style, a, width * 0.25, False, light)
        _half(rng, image, style, b, width * 0.75, True, light)
    if style.logo != "none":
        _logo(image, style, (width * 0.5, height * 0.14), height * 0.08, mix(style.body, style.pip_colours[1], 0.6))
    _pin(image, style, light)
    return _finish(image, style, light)


def back_texture(
    rng: np.random.Generator, style: TileStyle, px_per_half: int, light: float | None = None
) -> tuple[U8, U8]:
    """The back of a tile, lying along x; arguments and result as for :func:`face_texture`."""
    light = float(rng.uniform(0, 2 * math.pi)) if light is None else light
    height, width = _size(style, px_per_half)
    image = _body(rng, style, style.back_colour, height, width)
    ink = style.back_ink
    match style.back:
        case "pattern":
            step = max(4, height // 5)
            for row, y in enumerate(range(step // 2, height, step)):
                for x in range(step // 2 + (row % 2) * step // 2, width, step):
                    circle(image, (x, y), step * 0.22, ink)
        case "frame":
            inset = max(2, height // 8)
            corner = (width - 1 - inset, height - 1 - inset)
            cv2.rectangle(image, (inset, inset), corner, ink, max(1, height // 30), cv2.LINE_AA)
        case "logo":
            _logo(image, style, (width / 2, height / 2), height * rng.uniform(0.25, 0.6), ink)
        case "lines":
            for offset in range(-height, width, max(4, height // 6)):
                cv2.line(image, (offset, 0), (offset + height, height), ink, 1, cv2.LINE_AA)
        case _:
            pass
    return _finish(image, style, light)
