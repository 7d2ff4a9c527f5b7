"""An arm with a hand that reaches over the table, and somebody who leans over it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from domino_vision.synth.paint import F64, U8, Colour, hsv, mix, shade

SEAT_WAYS = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]])
"""The way in the picture from the table to each seat: near, right, far, left."""


@dataclass(frozen=True, slots=True)
class Arm:
    """How somebody's arm looks: skin, sleeve, and slants of the four fingers."""

    skin: Colour
    sleeve: Colour
    slants: tuple[float, ...]

    @staticmethod
    def random(rng: np.random.Generator) -> Arm:
        """The arm of a random person."""
        skin = hsv(rng.uniform(0.03, 0.09), rng.uniform(0.25, 0.65), rng.uniform(0.25, 0.95))
        sleeve = hsv(rng.uniform(0, 1), rng.uniform(0, 0.9), rng.uniform(0.05, 0.9))
        return Arm(skin, sleeve, tuple(float(v) for v in rng.normal(0, 0.1, 4)))


def draw_arm(canvas: U8, ids: U8, arm: Arm, grip: F64, seat: int, tile_px: float, slant: float) -> None:
    """Paint an arm in place.

    Args:
        canvas: picture.
        ids: mask of what is in the picture; covered pixels become 255.
        arm: its look.
        grip: pixels (2,) between the finger tips.
        seat: the side it comes from.
        tile_px: length of a tile in pixels, which gives the hand its size.
        slant: radians by which the arm turns away from the straight way to the seat.
    """
    way = SEAT_WAYS[seat % 4]
    c, s = np.cos(slant), np.sin(slant)
    away = np.array([c * way[0] - s * way[1], s * way[0] + c * way[1]])
    across = np.array([-away[1], away[0]])
    finger = tile_px * 1.05
    palm = grip + away * finger * 0.85
    wrist = palm + away * finger * 1.6
    elbow = palm + away * float(max(canvas.shape[:2])) * 1.5
    _capsule(canvas, ids, wrist, elbow, finger * 0.5, arm.sleeve)
    _capsule(canvas, ids, palm + away * finger * 0.4, wrist, finger * 0.42, arm.skin)
    for slot, bend in zip((-1.2, -0.4, 0.4, 1.2), arm.slants, strict=True):
        root = palm + across * slot * finger * 0.3
        tip = root - away * finger * (0.72 - 0.12 * abs(slot)) + across * finger * (slot * 0.1 + bend)
        _capsule(canvas, ids, tip, root, finger * 0.14, arm.skin)
    for offset in (-0.25, 0.25):
        base = palm + across * offset * finger
        _capsule(canvas, ids, base, base + away * finger * 0.5, finger * 0.33, arm.skin)


def draw_leaning(canvas: U8, ids: U8, arm: Arm, seat: int, reach: float, sway: float) -> None:
    """Paint a head and shoulders that come in from a seat's side by ``reach`` (0 to 1) and sway sideways."""
    height, width = canvas.shape[:2]
    way = SEAT_WAYS[seat % 4]
    size = np.array([width, height])
    across = np.array([-way[1], way[0]])
    edge = size / 2 * (1 + way)
    head = edge - way * size * 0.42 * reach + across * size * 0.06 * sway
    radius = 0.17 * height
    chest, wide = head + way * radius * 2.4, across * radius * 2
    _capsule(canvas, ids, chest - wide, chest + wide, radius * 1.5, arm.sleeve)
    _capsule(canvas, ids, head, head + way * radius * 0.4, radius, shade(arm.skin, 0.35))


def _capsule(canvas: U8, ids: U8, start: F64, stop: F64, radius: float, colour: Colour) -> None:
    ends = [tuple(int(v) for v in np.clip(np.round(p * 16), -(2**28), 2**28)) for p in (start, stop)]
    for ring in range(5):
        share = 1.0 - ring / 5
        tone = mix(shade(colour, 0.62), mix(colour, (255, 255, 255), 0.08), 1 - share**2)
        cv2.line(canvas, ends[0], ends[1], tone, max(1, round(2 * radius * share)), cv2.LINE_AA, 4)
    cv2.line(ids, ends[0], ends[1], 255, max(1, round(2 * radius)), cv2.LINE_8, 4)
