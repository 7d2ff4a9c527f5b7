"""Refine oriented boxes to the quads of the tiles' top faces, at full resolution.

Three steps: every box becomes an equal rectangle of the table plane; each side moves to where the colour of the face
ends; both answers are averaged. Where a side shows no clear edge (touching tiles) the plane alone decides.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.assemble.plane import TablePlane, fit_plane, project
from domino_vision.types import Detections, F32Array, F64Array, Face, U8Array

_LEAST_FOR_PLANE: Final = 3
"""With fewer tiles the plane is less sure than the boxes."""
_LENGTH: Final = 64
"""Length of a tile, in pixels of the patch in which edges are sought."""
_MARGIN: Final = 19
_REACH: Final = 0.12
"""Edges are sought this far inside and outside, as a share of the tile's length."""
_TURN_DEG: Final = 12.0
_SIGMA_SHIFT: Final = 0.035
_SIGMA_TURN_DEG: Final = 12.0
"""How far sides lie from where boxes put them: the prior by which places are weighed."""
_SHIFTS: Final = 25
_TURNS: Final = 15
_SAMPLES: Final = 20
_SPAN: Final = 0.88
"""Share of a side that is looked at: corners are round."""
_LEAST_STEP: Final = 4.0
"""A side moves if the colour changes there by this much a pixel, on average along all of it."""
_MOST_STEP: Final = 12.0
_MOST_COLOUR: Final = 60.0
"""Colours further from the face than this count alike: shadow, pip or table."""
_PLANE_SHARE: Final = 0.5
_AREA_RANGE: Final = (0.65, 1.5)
_MOST_MOVED: Final = 0.25


def refine(bgr: U8Array, found: Detections) -> Detections:
    """Move the corners of tiles to the corners of their faces.

    Args:
        bgr: the picture (h, w, 3) uint8 at full resolution.
        found: tiles with the corners of their boxes, in pixels of the picture.

    Returns:
        The same tiles in the same order. A tile whose refined quad is not convex or differs much in place or size
        keeps its box, and so do standing tiles.
    """
    lying = np.flatnonzero(found.face != Face.STANDING)
    if not len(lying):
        return found
    boxes = found.corners_px[lying].astype(np.float64)
    plane = _plane(boxes, found.score[lying], (bgr.shape[1], bgr.shape[0]))
    if plane is not None:  # seen at a flat angle, a tile may look wider than long
        boxes[plane.turned] = np.roll(boxes[plane.turned], 1, axis=1)
    quads = _equal_rectangles(boxes, plane, 1.0)
    quads = np.array([_to_edges(bgr, quad) for quad in quads])
    quads = _equal_rectangles(quads, plane, _PLANE_SHARE)
    good = np.array([_plausible(box, quad) for box, quad in zip(boxes, quads, strict=True)])
    corners = found.corners_px.copy()
    corners[lying] = np.where(good[:, None, None], quads, boxes)
    return Detections(corners, found.face, found.score)


def _plane(boxes: F64Array, score: F32Array, size_wh: tuple[int, int]) -> TablePlane | None:
    if len(boxes) < _LEAST_FOR_PLANE:
        return None
    return fit_plane(boxes.astype(np.float32), size_wh, score.astype(np.float64))


def _equal_rectangles(quads: F64Array, plane: TablePlane | None, share: float) -> F64Array:
    """Move quads (n, 4, 2) towards rectangles of the tiles' size in the plane; those that do not fit it stay."""
    if plane is None:
        return quads
    flat = plane.to_mm(quads)
    along = (flat[:, 2] + flat[:, 3] - flat[:, 0] - flat[:, 1]) / 2
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    first = ((flat[:, 1] + flat[:, 2] - flat[:, 0] - flat[:, 3]) * across).sum(axis=1, keepdims=True)
    across *= np.sign(first)
    length, width = plane.tile_wh_mm
    u, v = along * length / 2, across * width / 2
    ring = np.stack([-u - v, -u + v, u + v, u - v], axis=1) + flat.mean(axis=1, keepdims=True)
    target = project(_inverse(plane.px_to_mm), ring)
    fits = ~plane.bad & np.isfinite(target).all(axis=(1, 2))
    out = quads.copy()
    out[fits] += share * (target[fits] - quads[fits])
    return out


def _to_edges(bgr: U8Array, quad: F64Array) -> F64Array:
    """Move each side of a quad (4, 2) to the line where the colour of the face ends."""
    width = _LENGTH * _aspect(quad)
    rect = np.array([[0, width], [0, 0], [_LENGTH, 0], [_LENGTH, width]]) + _MARGIN
    if cv2.contourArea(quad.astype(np.float32), oriented=True) < 0:
        rect = rect[[1, 0, 3, 2]]
    to_patch = cv2.getPerspectiveTransform(quad.astype(np.float32), rect.astype(np.float32)).astype(np.float64)
    size = (_LENGTH + 2 * _MARGIN, round(width) + 2 * _MARGIN)
    patch = _patch(bgr, quad, to_patch, size)
    if patch is None:
        return quad
    slope_x, slope_y = _slopes(patch, width)
    half_l, half_w = _LENGTH / 2, width / 2
    x, y = _MARGIN + half_l, _MARGIN + half_w
    sides = [
        _side(-slope_y, (x, y - half_w), (1, 0), (0, -1), half_l),
        _side(slope_x, (x + half_l, y), (0, 1), (1, 0), half_w),
        _side(slope_y, (x, y + half_w), (1, 0), (0, 1), half_l),
        _side(-slope_x, (x - half_l, y), (0, 1), (-1, 0), half_w),
    ]
    top, right, bottom, left = sides
    ring = [_cross(left, bottom), _cross(left, top), _cross(right, top), _cross(right, bottom)]
    if rect[0, 1] < rect[1, 1]:
        ring = [ring[1], ring[0], ring[3], ring[2]]
    return project(_inverse(to_patch), np.array(ring))


def _patch(bgr: U8Array, quad: F64Array, to_patch: F64Array, size: tuple[int, int]) -> NDArray[np.float32] | None:
    """The tile and its surroundings, upright (h, w, 3), smoothed before it is made smaller."""
    reach = np.ptp(quad, axis=0).max() * 0.4 + 4
    low = np.clip(np.floor(quad.min(axis=0) - reach), 0, None).astype(int)
    high = np.ceil(quad.max(axis=0) + reach).astype(int)
    part = bgr[low[1] : high[1], low[0] : high[0]]
    if min(part.shape[:2]) < 4:
        return None
    shrink = _long_side(quad) / _LENGTH
    if shrink > 1.5:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), shrink * 0.45), dtype=np.uint8)
    # whole numbers are pixel centres for OpenCV and outer corners for us
    shift_in = np.array([[1, 0, low[0] + 0.5], [0, 1, low[1] + 0.5], [0, 0, 1]])
    shift_out = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    transform = shift_out @ to_patch @ shift_in
    warped = cv2.warpPerspective(part, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, dtype=np.float32)


def _slopes(patch: NDArray[np.float32], width: float) -> tuple[F32Array, F32Array]:
    """How fast the colour leaves that of the face, to the right and downwards, in grey levels a pixel."""
    inset = 0.15 * width
    top, left = round(_MARGIN + inset), round(_MARGIN + inset)
    inner = patch[top : round(_MARGIN + width - inset), left : round(_MARGIN + _LENGTH - inset)]
    face = np.median(inner.reshape(-1, 3), axis=0)
    away = np.minimum(np.linalg.norm(patch - face, axis=2), _MOST_COLOUR).astype(np.float32)
    away = cv2.GaussianBlur(away, (0, 0), 0.6).astype(np.float32)
    slope_x = cv2.Sobel(away, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    slope_y = cv2.Sobel(away, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    return np.asarray(slope_x, dtype=np.float32), np.asarray(slope_y, dtype=np.float32)


def _side(
    slope: F32Array, middle: tuple[float, float], along: tuple[int, int], out: tuple[int, int], half: float
) -> tuple[F64Array, F64Array]:
    """Find one side: a point (2,) on it and its direction (2,).

    Args:
        slope: how fast the colour leaves the face's in the direction `out`, the patch's pixels.
        middle: the middle of the side as the box has it.
        along: unit vector along the side.
        out: unit vector out of the tile.
        half: half the length of the side in pixels.
    """
    shifts = np.linspace(-_REACH, _REACH, _SHIFTS) * _LENGTH
    turns = np.tan(np.deg2rad(np.linspace(-_TURN_DEG, _TURN_DEG, _TURNS)))
    places = np.linspace(-_SPAN, _SPAN, _SAMPLES) * half
    off = shifts[:, None, None] + turns[:, None] * places
    x = (middle[0] + along[0] * places + out[0] * off - 0.5).astype(np.float32).reshape(_SHIFTS, -1)
    y = (middle[1] + along[1] * places + out[1] * off - 0.5).astype(np.float32).reshape(_SHIFTS, -1)
    steps = cv2.remap(slope, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).reshape(off.shape)
    strength = np.clip(steps, -_MOST_STEP, _MOST_STEP).mean(axis=2)
    best = np.unravel_index(int((strength * _PRIOR).argmax()), strength.shape)
    shift, turn = (shifts[best[0]], turns[best[1]]) if strength[best] >= _LEAST_STEP else (0.0, 0.0)
    outwards = np.array(out, dtype=np.float64)
    return np.array(middle) + outwards * shift, np.array(along, dtype=np.float64) + outwards * turn


def _prior() -> F64Array:
    shift = np.linspace(-_REACH, _REACH, _SHIFTS)[:, None] / _SIGMA_SHIFT
    turn = np.linspace(-_TURN_DEG, _TURN_DEG, _TURNS)[None] / _SIGMA_TURN_DEG
    return np.asarray(np.exp(-0.5 * (shift**2 + turn**2)))


_PRIOR: Final = _prior()


def _cross(a: tuple[F64Array, F64Array], b: tuple[F64Array, F64Array]) -> F64Array:
    """Where two lines meet; the turns allowed keep them from being parallel."""
    (p, u), (q, v) = a, b
    share = ((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / (u[0] * v[1] - u[1] * v[0])
    return np.asarray(p + share * u)


def _plausible(box: F64Array, quad: F64Array) -> bool:
    """Whether a refined quad is convex and near its box in place and size."""
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    ratio = cv2.contourArea(quad.astype(np.float32)) / max(cv2.contourArea(box.astype(np.float32)), 1e-9)
    moved = np.linalg.norm(quad - box, axis=1).max() / max(_long_side(box), 1e-9)
    return bool(_AREA_RANGE[0] <= ratio <= _AREA_RANGE[1] and moved <= _MOST_MOVED)


def _long_side(quad: F64Array) -> float:
    return float(np.linalg.norm(quad[2] + quad[3] - quad[0] - quad[1]) / 2)


def _aspect(quad: F64Array) -> float:
    short = float(np.linalg.norm(quad[1] + quad[2] - quad[0] - quad[3]) / 2)
    return float(np.clip(short / max(_long_side(quad), 1e-9), 0.35, 0.75))


def _inverse(homography: F64Array) -> F64Array:
    return np.asarray(np.linalg.inv(homography), dtype=np.float64)
