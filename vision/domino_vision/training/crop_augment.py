"""Distort a stored crop the way cameras, lamps and wrong corners do, cheaply enough to do it anew every time."""

import math

import cv2
import numpy as np

from domino_vision.rectify import target_corners
from domino_vision.training.crops import CUT_MARGIN, CUT_SIZE_WH
from domino_vision.types import PIP_CLASSES, UNREADABLE_CLASS, F32Array, U8Array

Halves = tuple[int, int]


def plain(image: U8Array, size_wh: tuple[int, int], margin: float, jitter: F32Array | None = None) -> U8Array:
    """The network's view of a stored crop, undistorted, or with its corners moved.

    Args:
        image: (96, 192, 3) uint8, as stored.
        size_wh: what the network sees, in pixels.
        margin: its margin.
        jitter: (4, 2), moves of the corners as shares of the tile's length.
    """
    corners = target_corners(CUT_SIZE_WH, CUT_MARGIN)
    if jitter is not None:
        corners = np.asarray(corners + jitter * np.float32(CUT_SIZE_WH[0] / (1 + 2 * CUT_MARGIN)), np.float32)
    return _view(image, corners, size_wh, margin)


def distort(
    image: U8Array, halves: Halves, size_wh: tuple[int, int], margin: float, rng: np.random.Generator
) -> tuple[U8Array, Halves]:
    """A random view of a stored crop.

    Args:
        image: (96, 192, 3) uint8, as stored.
        halves: classes of both halves.
        size_wh: what the network sees, in pixels.
        margin: its margin.
        rng: source of all randomness.

    Returns:
        The view, (h, w, 3) uint8, and the classes of its halves: swapped if the view is turned round, and unreadable
        where a half was covered.
    """
    image, halves = _turned(image, halves, rng)
    view = _view(image, _moved_corners(rng), size_wh, margin)
    if rng.random() < 0.2:
        view = _faded(view, margin, rng)
    view = _recoloured(view, rng)
    if rng.random() < 0.5:
        view = _lit(view, rng)
    view, halves = _covered(view, halves, rng)
    return _seen(view, max((h for h in halves if h < PIP_CLASSES), default=0), rng), halves


def _turned(image: U8Array, halves: Halves, rng: np.random.Generator) -> tuple[U8Array, Halves]:
    if rng.random() < 0.5:
        image = image[::-1]
    if rng.random() < 0.5:
        image, halves = image[:, ::-1], (halves[1], halves[0])
    return np.ascontiguousarray(image), halves


def _moved_corners(rng: np.random.Generator) -> F32Array:
    corners = target_corners(CUT_SIZE_WH, CUT_MARGIN)
    if rng.random() < 0.12:
        return corners
    centre = corners.mean(axis=0)
    length = float(np.linalg.norm(corners[2] - corners[1]))
    angle = math.radians(rng.normal(0, 2.0))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    scale = np.exp(rng.normal(0, 0.035)) * np.exp(rng.normal(0, [0.02, 0.03]))
    moved = (corners - centre) * scale @ turn.T + centre
    moved += np.clip(rng.normal(0, 0.016, 2), -0.04, 0.04) * length
    moved += np.clip(rng.normal(0, rng.choice([0.005, 0.012, 0.02]), (4, 2)), -0.06, 0.06) * length
    return np.asarray(moved, dtype=np.float32)


def _view(image: U8Array, corners: F32Array, size_wh: tuple[int, int], margin: float) -> U8Array:
    transform = cv2.getPerspectiveTransform(corners.astype(np.float32), target_corners(size_wh, margin))
    flags, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpPerspective(image, transform, size_wh, flags=flags, borderMode=border), dtype=np.uint8)


def _faded(view: U8Array, margin: float, rng: np.random.Generator) -> U8Array:
    """Pips that hardly stand out, or a relief all over the tile, as some sets have; the ground stays as it is."""
    height, width = view.shape[:2]
    (x0, _), (_, y0), (x1, _), (_, y1) = (v.astype(int) for v in target_corners((width, height), margin))
    tile = view[y0:y1, x0:x1].astype(np.float32)
    body = np.median(tile.reshape(-1, 3), axis=0)
    if rng.random() < 0.7 and float(tile.std()) > 25:
        tile = body + (tile - body) * np.float32(rng.uniform(0.3, 0.8))
    else:
        ys, xs = np.mgrid[0 : tile.shape[0], 0 : tile.shape[1]].astype(np.float32)
        waves, phase = rng.uniform(0.3, 1.2, 2), rng.uniform(0, 6.3, 2)
        relief = np.sin(xs * waves[0] + phase[0]) * np.sin(ys * waves[1] + phase[1])
        tile = tile + (relief * rng.uniform(4, 20))[..., None]
    faded = view.copy()
    faded[y0:y1, x0:x1] = np.clip(tile, 0, 255)
    return faded


def _recoloured(view: U8Array, rng: np.random.Generator) -> U8Array:
    """Other paints: channels exchanged, hues turned, all inverted, grey; the same pips."""
    if rng.random() < 0.25:
        view = np.ascontiguousarray(view[..., rng.permutation(3)])
    if rng.random() < 0.2:
        hsv = cv2.cvtColor(view, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int32) + int(rng.integers(180))) % 180
        view = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), dtype=np.uint8)
    if rng.random() < 0.2:
        view = (255 - view).astype(np.uint8)
    if rng.random() < 0.1:
        grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
        view = np.asarray(np.repeat(grey[..., None], 3, axis=2), dtype=np.uint8)
    if rng.random() < 0.8:
        tones = np.linspace(0, 1, 256)[:, None] ** np.exp(rng.normal(0, 0.3))
        low, high = rng.uniform(0, 0.3) * (rng.random() < 0.5), 1 - rng.uniform(0, 0.45) * (rng.random() < 0.5)
        tint = np.exp(rng.normal(0, 0.07, 3))
        gain = np.exp(rng.normal(0.05, 0.18))
        table = np.clip((low + (high - low) * tones) * tint * gain * 255, 0, 255).astype(np.uint8)
        view = np.asarray(cv2.LUT(view, table.reshape(256, 1, 3)), dtype=np.uint8)
    return view


def _lit(view: U8Array, rng: np.random.Generator) -> U8Array:
    """A lamp's gradient, the edge of a shadow, and glare."""
    height, width = view.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = rng.uniform(0, 2 * math.pi)
    along = ((xs / width - 0.5) * math.cos(angle) + (ys / height - 0.5) * math.sin(angle)).astype(np.float32)
    factor = 1 + along * np.float32(rng.uniform(0, 0.9))
    if rng.random() < 0.4:
        edge = np.clip((along - rng.uniform(-0.4, 0.4)) * rng.uniform(4, 60) + 0.5, 0, 1)
        factor *= 1 - edge * np.float32(rng.uniform(0.2, 0.65))
    lit = view * factor[..., None]
    if rng.random() < 0.3:
        cx, cy, sx, sy = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(4, 40), rng.uniform(4, 20)
        blob = np.exp(-(((xs - cx) / sx) ** 2) - ((ys - cy) / sy) ** 2)
        lit = lit + blob[..., None] * np.float32(rng.uniform(30, 170))
    return np.asarray(np.clip(lit, 0, 255), dtype=np.uint8)


def _covered(view: U8Array, halves: Halves, rng: np.random.Generator) -> tuple[U8Array, Halves]:
    """Now and then a pin, a crumb or a thread; rarely something that hides a whole half."""
    roll = rng.random()
    height, width = view.shape[:2]
    if roll > 0.3:
        return view, halves
    view = view.copy()
    colour = tuple(int(v) for v in rng.integers(0, 256, 3))
    if roll < 0.04:
        left = rng.random() < 0.5
        x0, x1 = (0, width * rng.uniform(0.44, 0.5)) if left else (width * rng.uniform(0.5, 0.56), width)
        patch = view[:, int(x0) : int(x1)]
        cells = (rng.random((4, 4, 3)) * rng.uniform(0, 60) + np.asarray(colour)).clip(0, 255).astype(np.uint8)
        patch[:] = cv2.resize(cells, (patch.shape[1], patch.shape[0]), interpolation=cv2.INTER_LINEAR)
        hidden = (UNREADABLE_CLASS, halves[1]) if left else (halves[0], UNREADABLE_CLASS)
        return view, hidden
    if roll < 0.14 and halves[0] < PIP_CLASSES:
        centre = (round(width / 2 + rng.normal(0, 1)), round(height / 2 + rng.normal(0, 1)))
        cv2.circle(view, centre, int(rng.integers(2, 6)), colour, -1, cv2.LINE_AA)
    elif roll < 0.22:
        a, b = (tuple(int(v) for v in rng.uniform(0, (width, height))) for _ in range(2))
        cv2.line(view, a, b, colour, 1, cv2.LINE_AA)
    else:  # something lies over an outer strip of the crop: a neighbour, a thumb
        deep = int(height * rng.uniform(0.02, 0.15))
        strip = view[:deep] if rng.random() < 0.5 else view[-deep:] if deep else view[:0]
        strip[:] = colour
    return view, halves


def _seen(view: U8Array, pips: int, rng: np.random.Generator) -> U8Array:
    """What a camera makes of it: few pixels, blur, noise, JPEG blocks."""
    height, width = view.shape[:2]
    if rng.random() < 0.55:
        least = 0.2 if pips <= 6 else 0.38
        scale = math.exp(rng.uniform(math.log(least), 0))
        skew = math.exp(rng.normal(0, 0.2))
        small = (max(8, round(width * min(1, scale * skew))), max(6, round(height * min(1, scale / skew))))
        few = _noised(np.asarray(cv2.resize(view, small, interpolation=cv2.INTER_AREA), dtype=np.uint8), rng)
        way = int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
        view = np.asarray(cv2.resize(few, (width, height), interpolation=way), dtype=np.uint8)
    if rng.random() < 0.35:
        most = 2.2 if pips <= 6 else 1.3
        across, along = rng.uniform(0.3, most, 2)
        view = np.asarray(cv2.GaussianBlur(view, (0, 0), across, sigmaY=along), dtype=np.uint8)
    elif rng.random() < 0.1:
        kernel = np.zeros((7, 7), dtype=np.float32)
        angle = rng.uniform(0, math.pi)
        dx, dy = round(3 * math.cos(angle)), round(3 * math.sin(angle))
        cv2.line(kernel, (3 - dx, 3 - dy), (3 + dx, 3 + dy), 1.0, 1)
        view = np.asarray(cv2.filter2D(view, -1, kernel / kernel.sum()), dtype=np.uint8)
    return _noised(view, rng)


def _noised(view: U8Array, rng: np.random.Generator) -> U8Array:
    if rng.random() < 0.3:
        noise = rng.standard_normal(view.shape, dtype=np.float32) * np.float32(rng.uniform(1, 12))
        view = np.clip(view + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        _, data = cv2.imencode(".jpg", view, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))])
        view = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return view
