"""What light, lens, sensor and file format do to a picture."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.synth.paint import U8, polygon, u8

_GRID = (48, 64)


def _gain_map(rng: np.random.Generator, harm: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    rows, columns = _GRID
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32)
    ys, xs = ys / rows * 2 - 1, xs / columns * 2 - 1
    phi = rng.uniform(0, 2 * math.pi)
    slope = (xs * math.cos(phi) + ys * math.sin(phi)) * rng.uniform(0, 0.4) * harm
    gain = 1.0 + slope - rng.uniform(0, 0.16) * harm * (xs**2 + ys**2)
    if rng.random() < 0.3 * harm:
        cx, cy = rng.uniform(-0.8, 0.8, 2)
        pool = np.exp(-((xs - cx) ** 2 + (ys - cy) ** 2) / rng.uniform(0.2, 1.5))
        gain *= 1 - rng.uniform(0.1, 0.5) * (1 - pool)
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.3 * harm else 0):
        gain *= _shadow(rng)
    cast = 1.0 + rng.normal(0, 0.035 * harm, 3)
    if rng.random() < 0.25 * harm:
        warmth = rng.normal(0, 0.14)
        cast = cast * np.array([1 - warmth, 1.0, 1 + warmth])
    return np.asarray(gain[:, :, None] * cast, dtype=np.float32)


def _shadow(rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Factor map of a shadow of something out of view: a band, a blob or a person's outline."""
    scale = 6
    rows, columns = _GRID[0] * scale, _GRID[1] * scale
    mask = np.zeros((rows, columns), np.uint8)
    x, y = rng.uniform(0, columns), rng.uniform(0, rows)
    if rng.random() < 0.5:
        phi, wide = rng.uniform(0, math.pi), rng.uniform(8, 120)
        along, across = np.array([math.cos(phi), math.sin(phi)]) * 900, np.array([-math.sin(phi), math.cos(phi)]) * wide
        centre = np.array([x, y])
        polygon(
            mask,
            [centre - along - across, centre + along - across, centre + along + across, centre - along + across],
            255,
        )
    else:
        axes = (int(rng.uniform(20, 160)), int(rng.uniform(20, 160)))
        cv2.ellipse(mask, (int(x), int(y)), axes, float(rng.uniform(0, 180)), 0, 360, 255, -1)
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.choice([1.5, 5, 16])))
    return np.asarray(
        1 - cv2.resize(soft, _GRID[::-1], interpolation=cv2.INTER_AREA) / 255.0 * rng.uniform(0.2, 0.65), np.float32
    )


def light(rng: np.random.Generator, frame: U8, harm: float) -> U8:
    """Uneven light, colour cast and shadows of things out of view."""
    height, width = frame.shape[:2]
    gain = u8(_gain_map(rng, harm) * 128)
    gain = u8(cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR))
    return u8(cv2.multiply(frame, gain, scale=1 / 128))


def glare(rng: np.random.Generator, frame: U8, ids: U8, gloss: float) -> U8:
    """Bright spots and window shapes of lamps, mirrored softly, by tiles (``ids`` > 0) otherwise than by the table."""
    height, width = frame.shape[:2]
    small = np.zeros((height // 4, width // 4, 3), np.uint8)
    rows, columns = small.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(0, columns), rng.uniform(0, rows)
        bright = float(rng.uniform(40, 220) * (0.4 + 0.6 * gloss))
        tint = (bright * rng.uniform(0.8, 1), bright, bright * rng.uniform(0.85, 1))
        if rng.random() < 0.35:
            w, h = rng.uniform(0.03, 0.2, 2) * columns
            slant = rng.uniform(-0.5, 0.5) * w
            polygon(small, [(x - w, y - h), (x + w, y - h), (x + w + slant, y + h), (x - w + slant, y + h)], tint)
        else:
            axes = (int(rng.uniform(0.01, 0.12) * columns) + 1, int(rng.uniform(0.01, 0.12) * columns) + 1)
            cv2.ellipse(small, (int(x), int(y)), axes, float(rng.uniform(0, 180)), 0, 360, tint, -1)
    soft = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.01, 0.07)) * columns)
    spots = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.6:
        shine = np.full(256, int(255 * (0.25 + 0.75 * gloss)), np.uint8)
        shine[0] = int(255 * rng.uniform(0, 1))
        keep = cv2.LUT(ids, shine)
        spots = cv2.multiply(spots, cv2.merge([keep, keep, keep]), scale=1 / 255)
    return u8(cv2.add(frame, spots))


def tone(rng: np.random.Generator, frame: U8, harm: float) -> U8:
    """Exposure, contrast and gamma."""
    exposure = float(np.exp(rng.normal(0.14, 0.18 * harm)))
    if rng.random() < 0.15 * harm:
        exposure *= rng.uniform(0.25, 0.7)
    gamma = float(np.exp(rng.normal(0, 0.14 * harm)))
    contrast, lift = 1.0 + rng.normal(0, 0.1) * harm, rng.uniform(0, 14) * harm
    x = np.linspace(0, 1, 256)
    y = np.clip(x * exposure, 0, 1.3) ** gamma
    y = (y - 0.45) * contrast + 0.45
    table = u8(y * (255 - lift) + lift)
    out = u8(cv2.LUT(frame, table))
    if rng.random() < 0.25 * harm:
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        keep = float(rng.uniform(0.0, 1.5))
        out = u8(cv2.addWeighted(out, keep, grey, 1 - keep, 0))
    return out


def lens(rng: np.random.Generator, frame: U8, tile_px: float, harm: float) -> U8:
    """Defocus and motion blur, bounded by the tile's length in pixels so that pips stay legible."""
    limit = max(0.35, tile_px * 0.03)
    sigma = min(limit, abs(float(rng.normal(0, 0.9))) * harm + 0.25)
    if rng.random() < 0.12 * harm:
        sigma = limit * float(rng.uniform(0.5, 1.0))
    if sigma > 0.3:
        frame = u8(cv2.GaussianBlur(frame, (0, 0), sigma))
    if rng.random() < 0.12 * harm:
        reach = int(np.clip(tile_px * rng.uniform(0.01, 0.05), 2, 15))
        kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        phi = rng.uniform(0, math.pi)
        dx, dy = reach * math.cos(phi) / 2, reach * math.sin(phi) / 2
        start, stop = (round(reach - dx), round(reach - dy)), (round(reach + dx), round(reach + dy))
        cv2.line(kernel, start, stop, 1.0, 1, cv2.LINE_AA)
        frame = u8(cv2.filter2D(frame, -1, kernel / kernel.sum()))
    return frame


def _grain(rng: np.random.Generator, height: int, width: int, amount: float) -> NDArray[np.int16]:
    """Normal noise (h, w); one quarter is drawn and mirrored into the others, which is four times as fast."""
    quarter = rng.standard_normal(((height + 1) // 2, (width + 1) // 2), dtype=np.float32) * amount
    whole = cv2.copyMakeBorder(
        quarter.astype(np.int16), 0, height - quarter.shape[0], 0, width - quarter.shape[1], cv2.BORDER_REFLECT
    )
    return np.asarray(whole, dtype=np.int16)


def sensor(rng: np.random.Generator, frame: U8, harm: float) -> U8:
    """Noise of the sensor, coarse colour noise, sharpening by the camera."""
    height, width = frame.shape[:2]
    amount = abs(float(rng.normal(0, 3.0))) * harm
    if rng.random() < 0.12 * harm:
        amount += float(rng.uniform(4, 14))
    if amount > 0.6:
        noise = np.repeat(_grain(rng, height, width, amount)[:, :, None], 3, axis=2)
        chroma = _grain(rng, height // 2 + 1, (width // 2 + 1) * 3, amount * 0.8).reshape(height // 2 + 1, -1, 3)
        coarse = cv2.resize(chroma, (width, height), interpolation=cv2.INTER_NEAREST)
        cv2.add(noise, coarse, dst=noise)
        frame = u8(cv2.add(frame, noise, dtype=cv2.CV_8U))
    if rng.random() < 0.4 * harm:
        soft = cv2.GaussianBlur(frame, (0, 0), float(rng.uniform(0.8, 2.0)))
        power = float(rng.uniform(0.2, 1.3))
        frame = u8(cv2.addWeighted(frame, 1 + power, soft, -power, 0))
    return frame


def store(rng: np.random.Generator, frame: U8, tile_px: float, harm: float) -> U8:
    """Resampling and JPEG compression."""
    height, width = frame.shape[:2]
    if rng.random() < 0.15 * harm and tile_px > 50:
        share = float(rng.uniform(max(0.4, 36 / tile_px), 0.9))
        small = cv2.resize(frame, (int(width * share), int(height * share)), interpolation=cv2.INTER_AREA)
        frame = u8(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC))
    if rng.random() < 0.7 * harm:
        quality = int(rng.uniform(40, 95))
        _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
        frame = u8(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return frame
