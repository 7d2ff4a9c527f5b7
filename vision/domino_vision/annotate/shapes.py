"""Shapes that stay visible on any ground: each has a dark rim around a bright body, or the other way round."""

from typing import Final

import cv2
import numpy as np

from domino_vision.annotate.placing import Box
from domino_vision.annotate.style import BLACK, WHITE, Colour, put_text, text_width
from domino_vision.types import F64Array, TileRole, U8Array

_SHIFT: Final = 4
_DASHES: Final[dict[TileRole, tuple[float, float]]] = {TileRole.DOWN: (3.0, 2.0), TileRole.STANDING: (0.6, 2.0)}
"""Length of dash and gap, in widths of the line."""


def draw_quad(image: U8Array, quad: F64Array, colour: Colour, width: int, role: TileRole) -> None:
    """Draw the outline of a tile just outside of it, dashed or dotted if it is not face up."""
    centre = quad.mean(axis=0)
    size = max(float(np.linalg.norm(quad - centre, axis=1).mean()), 1.0)
    ring = centre + (quad - centre) * (1 + width / size)
    for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        for start, end in _pieces(a, b, role, width):
            draw_line(image, start, end, colour, width)


def draw_line(image: U8Array, start: F64Array, end: F64Array, colour: Colour, width: int) -> None:
    """Draw a line with a dark rim."""
    a, b = _fixed(start), _fixed(end)
    cv2.line(image, a, b, BLACK, width + max(2, width // 2), cv2.LINE_AA, _SHIFT)
    cv2.line(image, a, b, colour, width, cv2.LINE_AA, _SHIFT)


def draw_dot(image: U8Array, point: F64Array, radius: float, colour: Colour) -> None:
    """Draw a filled circle with a white rim."""
    for reach, body in ((radius * 1.5, BLACK), (radius * 1.3, WHITE), (radius, colour)):
        cv2.circle(image, _fixed(point), round(reach * 2**_SHIFT), body, -1, cv2.LINE_AA, _SHIFT)


def draw_arrow(image: U8Array, at: F64Array, out: F64Array, size: float, colour: Colour) -> None:
    """Draw a triangle with its base at a point and its tip outwards, `size` pixels long."""
    across = np.array([-out[1], out[0]])
    for grow, body in ((0.12, BLACK), (0.0, colour)):
        base = at - out * size * grow
        corners = [
            base - across * size * (0.6 + grow),
            at + out * size * (1 + 2 * grow),
            base + across * size * (0.6 + grow),
        ]
        points = np.round(np.array(corners) * 2**_SHIFT).astype(np.int32)
        cv2.fillConvexPoly(image, points, body, cv2.LINE_AA, _SHIFT)


def draw_box(image: U8Array, box: Box, colour: Colour, radius: float, rim: Colour | None = BLACK) -> None:
    """Draw a filled rectangle with round corners and a rim."""
    if rim is not None:
        grown = Box(box.left - 2, box.top - 2, box.right + 2, box.bottom + 2)
        draw_box(image, grown, rim, radius + 2, rim=None)
    r = min(radius, (box.right - box.left) / 2, (box.bottom - box.top) / 2)
    for x0, y0, x1, y1 in ((r, 0, r, 0), (0, r, 0, r)):
        corners = (_fixed(np.array([box.left + x0, box.top + y0])), _fixed(np.array([box.right - x1, box.bottom - y1])))
        cv2.rectangle(image, *corners, colour, -1, cv2.LINE_AA, _SHIFT)
    for x in (box.left + r, box.right - r):
        for y in (box.top + r, box.bottom - r):
            cv2.circle(image, _fixed(np.array([x, y])), round(r * 2**_SHIFT), colour, -1, cv2.LINE_AA, _SHIFT)


class Tag:
    """A label of one or two parts: a coloured part with a number or sign, and a white part with a value."""

    def __init__(self, head: str, text: str, size: int, colour: Colour, head_ink: Colour = WHITE) -> None:
        """Measure a label; `size` is the height of its letters in pixels, either part may be empty."""
        self._head, self._text, self._size, self._colour, self._ink = head, text, size, colour, head_ink
        pad = size * 0.7
        self._head_w = text_width(head, size, 700) + pad if head else 0.0
        self._text_w = text_width(text, size, 700) + pad if text else 0.0
        self.wh = (self._head_w + self._text_w, size * 1.45)

    def draw(self, image: U8Array, box: Box) -> None:
        """Draw the label at a place of its size."""
        size, middle = self._size, box.middle[1]
        draw_box(image, box, self._colour if self._head else WHITE, size * 0.3)
        if self._head:
            put_text(image, self._head, box.left + size * 0.35, middle, size, self._ink, 700)
        if self._text:
            if self._head:
                right = Box(box.left + self._head_w, box.top, box.right, box.bottom)
                draw_box(image, right, WHITE, size * 0.2, rim=None)
            put_text(image, self._text, box.left + self._head_w + size * 0.35, middle, size, BLACK, 700)


def _pieces(a: F64Array, b: F64Array, role: TileRole, width: int) -> list[tuple[F64Array, F64Array]]:
    if role not in _DASHES:
        return [(a, b)]
    dash, gap = (part * width * 2 for part in _DASHES[role])
    length = float(np.linalg.norm(b - a))
    count = max(1, round((length + gap) / (dash + gap)))
    step = (b - a) / count
    share = dash / (dash + gap)
    return [(a + step * k, a + step * (k + share)) for k in range(count)]


def _fixed(point: F64Array) -> tuple[int, int]:
    x, y = np.clip(np.round((point - 0.5) * 2**_SHIFT), -(2**24), 2**24).astype(int)
    return int(x), int(y)
