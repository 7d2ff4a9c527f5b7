"""How a window looks: colours of tiles, light, lens and sensor, so that no style is learnt by heart."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.training.box_labels import FACE_DOWN, FACE_UP, STANDING, Box
from domino_vision.training.box_windows import Image

Floats = NDArray[np.float32]


def recolour_tiles(rng: np.random.Generator, window: Image, boxes: Sequence[Box]) -> Image:
    """Give all tiles of a window one new pair of colours: any body, any pips, dark on light or light on dark.

    Args:
        rng: Source of chance.
        window: BGR, shape (size, size, 3).
        boxes: Tiles in window pixels; standing ones are recoloured too.

    Returns:
        A new window; shading inside each tile is kept.
    """
    body, pips = _pair_of_colours(rng)
    out = window.astype(np.float32)
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY).astype(np.float32)
    inverted = rng.random() < 0.5
    for box in boxes:
        x, y, right, bottom = _around(box, window.shape[0])
        if right - x < 4 or bottom - y < 4:
            continue
        mask = np.zeros((bottom - y, right - x), np.uint8)
        cv2.fillConvexPoly(mask, np.round(box.quad - (x, y)).astype(np.int32), 255)
        inside = grey[y:bottom, x:right][mask > 0]
        if inside.size < 16:
            continue
        low, high = np.percentile(inside, (4, 96))
        middle = float(np.median(inside))
        light_body = abs(high - middle) <= abs(middle - low)
        span = max(float(high - low), 70.0)
        share = (grey[y:bottom, x:right] - middle) / span if light_body else (middle - grey[y:bottom, x:right]) / span
        share = np.clip(share, -1.1, 0.25)[..., None]
        ink = np.clip(-share, 0, 1)
        shine = np.clip(share, 0, 1) * (90 if not inverted else 40)
        painted = body * (1 - ink) + pips * ink + shine
        weight = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None].astype(np.float32) / 255
        out[y:bottom, x:right] = out[y:bottom, x:right] * (1 - weight) + painted * weight
    return np.clip(out, 0, 255).astype(np.uint8)


def move_tiles(rng: np.random.Generator, window: Image, boxes: Sequence[Box], ground: Image) -> Image:
    """Lay the lying tiles of a window, just as they lie, on another ground, with a soft shadow."""
    size = window.shape[0]
    mask = np.zeros((size, size), np.uint8)
    for box in boxes:
        centre = box.quad.mean(axis=0)
        cv2.fillConvexPoly(mask, np.round((box.quad - centre) * 1.03 + centre).astype(np.int32), 255)
    offset = rng.uniform(-6, 6, 2)
    shifted = cv2.warpAffine(mask, np.array([[1, 0, offset[0]], [0, 1, offset[1]]], np.float32), (size, size))
    shadow = cv2.GaussianBlur(shifted, (0, 0), float(rng.uniform(2, 8))).astype(np.float32) / 255
    base = ground.astype(np.float32) * (1 - float(rng.uniform(0.2, 0.7)) * shadow[..., None])
    weight = cv2.GaussianBlur(mask, (0, 0), 0.9)[..., None].astype(np.float32) / 255
    return np.clip(base * (1 - weight) + window * weight, 0, 255).astype(np.uint8)


def turn_over(rng: np.random.Generator, window: Image, boxes: Sequence[Box]) -> tuple[Image, list[Box]]:
    """Turn a third of the face-up tiles on their faces: plain backs in the colour of their bodies.

    Returns:
        A new window and the boxes, the turned ones of class face down.
    """
    out = window.copy()
    turned: list[Box] = []
    for box in boxes:
        x, y, right, bottom = _around(box, window.shape[0])
        if box.kind != FACE_UP or rng.random() > 1 / 3 or right - x < 6 or bottom - y < 6:
            turned.append(box)
            continue
        part = window[y:bottom, x:right].astype(np.float32)
        mask = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(box.quad - (x, y)).astype(np.int32), 255)
        body = np.median(part[mask > 0].reshape(-1, 3), axis=0).astype(np.float32)
        spread = max(part.shape[0], part.shape[1]) / 4
        shade = cv2.GaussianBlur(part, (0, 0), spread) - part[mask > 0].reshape(-1, 3).mean(axis=0)
        back = body + 0.4 * shade + rng.normal(0, 2, (*mask.shape, 1))
        inner = cv2.erode(mask, np.ones((3, 3), np.uint8), iterations=max(1, int(spread / 8)))
        weight = cv2.GaussianBlur(inner, (0, 0), 1.0)[..., None].astype(np.float32) / 255
        out[y:bottom, x:right] = np.clip(part * (1 - weight) + back * weight, 0, 255).astype(np.uint8)
        turned.append(Box(box.quad, FACE_DOWN))
    return out, turned


def new_light(rng: np.random.Generator, window: Image) -> Image:
    """Change light, lens and sensor: hue, white balance, exposure, gamma, shadows, blur, noise, compression."""
    out = _new_hue(rng, window).astype(np.float32)
    steps: tuple[tuple[float, Callable[[np.random.Generator, Floats], Floats]], ...] = (
        (0.7, _balance),
        (0.6, _gamma),
        (0.35, _slope),
        (0.2, _shadow_edge),
        (0.15, _glare),
        (0.3, _blur),
        (0.4, _noise),
    )
    for chance, step in steps:
        if rng.random() < chance:
            out = np.clip(step(rng, out), 0, 255).astype(np.float32)
    result = out.astype(np.uint8)
    if rng.random() < 0.3:
        done, data = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 80))])
        if done:
            result = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return result


def lying(boxes: Sequence[Box]) -> list[Box]:
    """The boxes that lie flat: face up or face down."""
    return [box for box in boxes if box.kind != STANDING]


def _pair_of_colours(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Body and pip colour in BGR with at least 70 grey levels between them."""
    for _ in range(50):
        body, pips = _colour(rng), _colour(rng)
        if rng.random() < 0.4:
            pips = np.full(3, rng.choice((15.0, 240.0)), np.float32)
        if abs(float(body.mean() - pips.mean())) >= 70 or float(np.abs(body - pips).max()) >= 140:
            return body, pips
    return np.full(3, 235, np.float32), np.full(3, 20, np.float32)


def _colour(rng: np.random.Generator) -> Floats:
    hue, saturation = int(rng.integers(180)), int(255 * rng.beta(1.0, 1.3))
    pixel = np.array([[[hue, saturation, int(rng.uniform(10, 250))]]], np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], dtype=np.float32)


def _around(box: Box, size: int) -> tuple[int, int, int, int]:
    low = np.floor(box.quad.min(axis=0)).astype(int) - 2
    high = np.ceil(box.quad.max(axis=0)).astype(int) + 3
    return max(int(low[0]), 0), max(int(low[1]), 0), min(int(high[0]), size), min(int(high[1]), size)


def _new_hue(rng: np.random.Generator, window: Image) -> Image:
    chance = rng.random()
    if chance < 0.06:
        return cv2.cvtColor(cv2.cvtColor(window, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR).astype(np.uint8)
    if chance < 0.12:
        return np.asarray(255 - window, dtype=np.uint8)
    if chance < 0.5:
        hsv = cv2.cvtColor(window, cv2.COLOR_BGR2HSV).astype(np.int16)
        hsv[..., 0] = (hsv[..., 0] + int(rng.integers(180))) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.4, 1.5), 0, 255)
        return cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR).astype(np.uint8)
    return window


def _balance(rng: np.random.Generator, image: Floats) -> Floats:
    gains = rng.uniform(0.55, 1.35) * np.exp(rng.normal(0, 0.07, 3))
    return (image * gains + rng.uniform(-25, 25)).astype(np.float32)


def _gamma(rng: np.random.Generator, image: Floats) -> Floats:
    power = float(np.exp(rng.uniform(np.log(0.5), np.log(2.2))))
    table = (255 * (np.arange(256) / 255) ** power).astype(np.float32)
    return np.asarray(table[image.astype(np.uint8)], dtype=np.float32)


def _ramp(rng: np.random.Generator, size: int) -> Floats:
    angle = rng.uniform(0, 2 * np.pi)
    line = np.linspace(-1, 1, size, dtype=np.float32)
    return np.asarray(np.cos(angle) * line[None, :] + np.sin(angle) * line[:, None], dtype=np.float32)


def _slope(rng: np.random.Generator, image: Floats) -> Floats:
    factor = 1 + rng.uniform(0.1, 0.5) * _ramp(rng, image.shape[0])
    return np.asarray(image * factor[..., None], dtype=np.float32)


def _shadow_edge(rng: np.random.Generator, image: Floats) -> Floats:
    ramp = _ramp(rng, image.shape[0])
    soft = (1 + np.tanh((ramp - rng.uniform(-0.5, 0.5)) * rng.uniform(5, 60))) / 2
    return np.asarray(image * (1 - rng.uniform(0.3, 0.65) * soft)[..., None], dtype=np.float32)


def _glare(rng: np.random.Generator, image: Floats) -> Floats:
    size = image.shape[0]
    x, y = rng.uniform(0, size, 2)
    grid = np.arange(size, dtype=np.float32)
    distance = (grid[None, :] - x) ** 2 + (grid[:, None] - y) ** 2
    spot = rng.uniform(60, 180) * np.exp(-distance / (2 * rng.uniform(30, 160) ** 2))
    return np.asarray(image + spot[..., None], dtype=np.float32)


def _blur(rng: np.random.Generator, image: Floats) -> Floats:
    if rng.random() < 0.5:
        return cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.5, 2.0))).astype(np.float32)
    length = int(rng.integers(3, 9))
    kernel = np.zeros((length, length), np.float32)
    cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
    return cv2.filter2D(image, -1, kernel / kernel.sum()).astype(np.float32)


def _noise(rng: np.random.Generator, image: Floats) -> Floats:
    grain = rng.standard_normal(image.shape, dtype=np.float32) * float(rng.uniform(2, 14))
    if rng.random() < 0.4:
        grain = cv2.GaussianBlur(grain, (0, 0), 0.8) * 1.8
    return (image + grain).astype(np.float32)
