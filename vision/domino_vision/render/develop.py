"""From traced light to a photograph: smoothing, exposure, lens and sensor."""

import cv2
import numpy as np

from domino_vision.render.backend import Traced
from domino_vision.render.lens import Distortion
from domino_vision.synth import optics
from domino_vision.synth.paint import F32, F64, U8, u8

QUALITY = 92
"""Of the JPEG files that pictures are written to."""
_FIREFLY = 2.5


def smooth(traced: Traced, samples: int) -> F32:
    """Light (h, w, 3) with the noise of few paths reduced: a cross-bilateral mean within alike surfaces."""
    light = np.minimum(traced.light, _FIREFLY * cv2.medianBlur(traced.light, 3) + 0.05)
    strength = 0.9 / np.sqrt(max(samples, 1))
    total, weight = np.zeros_like(light), np.zeros(light.shape[:2], np.float32)
    tone = np.asarray(cv2.GaussianBlur(np.log1p(light * 4), (0, 0), 0.8), np.float32)
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            share = np.exp(-(dx * dx + dy * dy) / 5.0)

            def moved(field: F32, shift: tuple[int, int] = (dy, dx)) -> F32:
                return np.asarray(np.roll(field, shift, axis=(0, 1)), np.float32)

            off = ((moved(traced.albedo) - traced.albedo) ** 2).sum(axis=2) / 0.004
            off += ((moved(traced.normals) - traced.normals) ** 2).sum(axis=2) / 0.08
            off += ((moved(tone) - tone) ** 2).sum(axis=2) / strength**2
            kernel = (share * np.exp(-off)).astype(np.float32)
            total += moved(light) * kernel[:, :, None]
            weight += kernel
    return np.asarray(total / weight[:, :, None], np.float32)


def expose(rng: np.random.Generator, light: F32, cast: F64) -> U8:
    """Picture (h, w, 3) BGR uint8 of linear RGB light: automatic exposure, highlights that clip softly, sRGB."""
    balanced = light * cast.astype(np.float32)
    bright = balanced @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    middle = float(np.exp(np.log(bright + 1e-3).mean()))
    high = float(np.percentile(bright, 97))
    gain = min(0.2 / max(middle, 1e-4), 1.05 / max(high, 1e-4)) * float(np.exp(rng.normal(0.05, 0.18)))
    exposed = balanced * gain
    soft = float(rng.uniform(0.55, 0.85))
    rolled = soft + (1 - soft) * np.tanh((exposed - soft) / (1 - soft))
    curve = np.where(exposed > soft, rolled, exposed)
    srgb = np.where(curve <= 0.0031308, 12.92 * curve, 1.055 * np.power(np.maximum(curve, 1e-6), 1 / 2.4) - 0.055)
    return u8(np.ascontiguousarray(srgb[:, :, ::-1]) * 255 + 0.5)


def _bloom(rng: np.random.Generator, light: F32) -> F32:
    """Highlights that spill over in the lens."""
    level = float(np.percentile(light, 99.5))
    over = np.maximum(light - level, 0)
    spill = cv2.GaussianBlur(over, (0, 0), 0.012 * max(light.shape[:2]))
    return np.asarray(light + spill * float(rng.uniform(0.05, 0.4)), np.float32)


def develop(rng: np.random.Generator, light: F32, lens: Distortion, cast: F64, tile_px: float, harm: float) -> U8:
    """The photograph, (h, w, 3) BGR uint8, of light traced with the margin of the lens.

    Args:
        rng: source of randomness.
        light: linear RGB.
        lens: distortion.
        cast: RGB factors of the white balance.
        tile_px: length of a tile in pixels, which bounds blur.
        harm: how bad the picture gets, 0 to about 1.5.
    """
    frame = expose(rng, lens.bend(_bloom(rng, light)), cast)
    if harm <= 0:
        return frame
    harm *= float(rng.choice([0.3, 0.7, 1.0, 1.25], p=[0.25, 0.35, 0.3, 0.1]))
    frame = optics.lens(rng, frame, tile_px, harm)
    frame = optics.sensor(rng, frame, harm)
    return optics.store(rng, frame, tile_px, harm)


def as_written(frame: U8) -> U8:
    """The picture as it comes back from its file: all that anybody who looks at it can see."""
    code = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
