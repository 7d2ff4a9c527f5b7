"""Printed ArUco markers that lie on the table: they show how it lies where few tiles do. Nobody needs them."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from scipy.optimize import least_squares

from domino_vision.assemble.plane import TILE_LENGTH_MM, face_weight, project
from domino_vision.types import F32Array, F64Array, TileReadings, U8Array

_LEAST_MARKERS: Final = 2
"""A single small square tells too little of how a whole table is tilted."""
_UNEVEN: Final = 0.08
"""Markers are of one size and on one plane if no side or diagonal is off by more than this part of a side,"""
_UNEQUAL: Final = 0.12
"""and the tiles lie on it too if half of them differ in length by less than this share of it."""


def find_markers(bgr: U8Array, dictionary: int = cv2.aruco.DICT_4X4_50) -> dict[int, F32Array]:
    """Return the ArUco markers of a picture (h, w, 3) by number: corners (4, 2) in pixels, from the upper left on."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary), cv2.aruco.DetectorParameters())
    corners, numbers, _ = detector.detectMarkers(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY))
    flat = np.asarray(numbers if len(corners) else []).ravel().tolist()
    # whole numbers are pixel centres for OpenCV and outer corners for us
    return {int(n): np.asarray(quad, np.float32).reshape(4, 2) + 0.5 for n, quad in zip(flat, corners, strict=True)}


def plane_of_markers(bgr: U8Array, readings: TileReadings) -> F64Array | None:
    """Return where the table lies by two or more markers (4x4, numbers 0 to 49) of one size, each number once.

    The tiles between them tell the scale, and whether the markers lie on the table at all.

    Args:
        bgr: the picture (h, w, 3).
        readings: its tiles.

    Returns:
        Shape (3, 3), pixels to table millimetres, x to the right and y down in the middle of the picture, a tile 50 mm
        long; None where no such markers are seen, or no tile lies there.
    """
    lying = readings.corners_px[face_weight(readings.face) > 0].astype(np.float64)
    if not len(lying):
        return None
    found = find_markers(bgr)
    if len(found) < _LEAST_MARKERS:
        return None
    flat = _flattened(np.array(list(found.values()), np.float64))
    if flat is None:
        return None
    middle = np.array(bgr.shape[1::-1], np.float64) / 2
    origin, right = project(flat, middle + np.array([[0.0, 0.0], [1.0, 0.0]]))
    lengths = _lengths(project(flat, lying))
    length = float(np.median(lengths))
    if not 0 < length < np.inf or float(np.median(np.abs(lengths / length - 1))) > _UNEQUAL:
        return None
    scale, (cos, sin) = TILE_LENGTH_MM / length, (right - origin) / np.linalg.norm(right - origin)
    turned = scale * np.array([[cos, sin], [-sin, cos]])
    onto = np.eye(3)
    onto[:2, :2], onto[:2, 2] = turned, -turned @ origin
    return np.asarray(onto @ flat, np.float64)


def _flattened(quads_px: F64Array) -> F64Array | None:
    """Return the homography under which markers (n, 4, 2) are unit squares, each where it lies; None if none is.

    Of each marker the sides and the diagonals are fitted, so that nothing has to be known of where they lie.
    """
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    start = np.asarray(cv2.getPerspectiveTransform(quads_px[0].astype(np.float32), square), np.float64)
    size = np.abs(quads_px).max()
    to_unit = np.diag([1 / size, 1 / size, 1.0])
    first = (start @ np.linalg.inv(to_unit)).ravel()
    unit = project(to_unit, quads_px)

    def errors(params: F64Array) -> F64Array:
        flat = project(np.append(params, 1.0).reshape(3, 3), unit)
        ahead = [np.linalg.norm(np.roll(flat, -step, axis=1) - flat, axis=2) for step in (1, 2)]
        return np.asarray(np.concatenate([ahead[0] - 1, ahead[1] - np.sqrt(2)]).ravel(), np.float64)

    if not first[8] or not np.isfinite(first).all() or not np.isfinite(errors(first[:8] / first[8])).all():
        return None
    fitted = least_squares(errors, first[:8] / first[8])
    if float(np.abs(errors(fitted.x)).max()) > _UNEVEN:
        return None
    return np.asarray(np.append(fitted.x, 1.0).reshape(3, 3) @ to_unit, np.float64)


def _lengths(quads: F64Array) -> F64Array:
    """Return the lengths (n,) of tiles (n, 4, 2), 0-1 and 2-3 their short edges."""
    along = quads[:, [1, 3]] - quads[:, [2, 0]]
    return np.asarray(np.linalg.norm(along, axis=2).mean(1), np.float64)
