"""Small painting helpers: colours, smooth noise, alpha blending and perspective pasting."""

import colorsys
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
Colour = tuple[int, int, int]

SHIFT = 4  # sub-pixel bits of OpenCV's drawing functions


def u8(array: Any) -> U8:
    """Clip to 0..255 and return uint8; arrays that are uint8 already pass through."""
    given = np.asarray(array)
    result: U8 = given if given.dtype == np.uint8 else np.clip(given, 0, 255).astype(np.uint8)
    return result


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """BGR colour from hue, saturation and value in 0..1 (hue wraps)."""
    r, g, b = colorsys.hsv_to_rgb(hue % 1.0, min(max(saturation, 0.0), 1.0), min(max(value, 0.0), 1.0))
    return int(b * 255), int(g * 255), int(r * 255)


def shade(colour: Colour, factor: float) -> Colour:
    """The colour times a factor, clipped to 0..255."""
    b, g, r = (int(min(max(c * factor, 0.0), 255.0)) for c in colour)
    return b, g, r


def mix(first: Colour, second: Colour, weight: float) -> Colour:
    """Linear blend; weight 1 gives the second colour."""
    b, g, r = (int(x + (y - x) * weight) for x, y in zip(first, second, strict=True))
    return b, g, r


def luma(colour: Colour) -> float:
    """Perceived brightness in 0..255 (Rec. 601 weights)."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def jitter(rng: np.random.Generator, colour: Colour, amount: float) -> Colour:
    """The colour with independent Gaussian changes of the given standard deviation a channel."""
    b, g, r = (int(min(max(c + rng.normal(0, amount), 0), 255)) for c in colour)
    return b, g, r


def smooth_noise(rng: np.random.Generator, shape: tuple[int, int], cells: tuple[int, int]) -> F32:
    """Noise field (h, w) float32 in 0..1, interpolated from ``cells`` (rows, columns) random values."""
    grid = rng.random((max(cells[0], 2), max(cells[1], 2)), dtype=np.float32)
    return np.asarray(cv2.resize(grid, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def circle(image: U8, centre: tuple[float, float], radius: float, colour: Any, thickness: float = -1) -> None:
    """Antialiased circle with sub-pixel centre and radius; a negative thickness fills."""
    scale = 1 << SHIFT
    point = (round(centre[0] * scale), round(centre[1] * scale))
    line = -1 if thickness < 0 else max(1, round(thickness))
    cv2.circle(image, point, max(1, round(radius * scale)), colour, line, cv2.LINE_AA, SHIFT)


def polygon(image: Any, points: Any, colour: Any, antialias: bool = True) -> None:
    """Fill a convex polygon given as (n, 2) float pixels."""
    fixed = np.round(np.asarray(points, dtype=np.float64) * (1 << SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(image, fixed.reshape(-1, 1, 2), colour, cv2.LINE_AA if antialias else cv2.LINE_8, SHIFT)


def rounded_mask(height: int, width: int, radius: float) -> U8:
    """Antialiased mask (h, w) of a full-size rectangle with rounded corners, radius in pixels."""
    over = 2 if max(height, width) < 600 else 1
    h, w, r = height * over, width * over, round(radius * over)
    mask = np.zeros((h, w), np.uint8)
    r = max(0, min(r, h // 2 - 1, w // 2 - 1))
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask if over == 1 else u8(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA))


def blend(target: U8, source: U8, alpha: U8) -> None:
    """Lay ``source`` (h, w, 3) over ``target`` in place with ``alpha`` (h, w) in 0..255."""
    a = alpha[:, :, None].astype(np.uint16)
    out = target.astype(np.uint16)
    out *= 255 - a
    out += source.astype(np.uint16) * a
    out += 127
    out //= 255
    target[:] = out


def paste_quad(canvas: U8, texture: U8, alpha: U8, quad: F64) -> None:
    """Warp a texture onto an image quadrilateral in place.

    Args:
        canvas: (H, W, 3) picture that is painted on.
        texture: (h, w, 3) BGR.
        alpha: (h, w) opacity.
        quad: (4, 2) pixels of the texture's corners: top left, top right, bottom right, bottom left.
    """
    height, width = canvas.shape[:2]
    x0, y0 = np.floor(quad.min(axis=0)).astype(int) - 1
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 2
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    h, w = alpha.shape
    source = np.array([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]], np.float32)
    goal = (quad - [x0, y0]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, goal)
    size = (int(x1 - x0), int(y1 - y0))
    warped = u8(cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    cover = u8(cv2.warpPerspective(alpha, matrix, size, flags=cv2.INTER_LINEAR))
    blend(canvas[y0:y1, x0:x1], warped, cover)
