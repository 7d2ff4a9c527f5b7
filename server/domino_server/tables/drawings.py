"""Pictures of a table as JPEG: plain, annotated, and what a question is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from domino_server.picture import WORDS
from domino_server.tables.publisher import Look
from domino_server.tables.states import Point, TableState
from domino_vision.annotate import annotate
from domino_vision.types import Frame, U8Array

_LONG_SIDE_PX: Final = 1280
_QUALITY: Final = 80
_CROP_QUALITY: Final = 92
_CROP_PX: Final = (192, 96)
"""A tile in a crop: its length and width; it lies level, the first half at the left."""
_ROOM: Final = 0.35
"""Room around a tile in a crop, as a share of its length."""


def plain_jpeg(look: Look, state: TableState) -> bytes:
    """Return the newest picture, scaled down."""
    del state
    return scaled_jpeg(look.frame.bgr)


def scaled_jpeg(bgr: U8Array) -> bytes:
    """Return a picture as JPEG, scaled down."""
    return _encoded(_scaled(bgr), _QUALITY)


def annotated_jpeg(look: Look, state: TableState) -> bytes:
    """Return the newest picture with what was understood of it, the scores and the last move beside it."""
    if look.shown is None or look.shown.size_wh != look.frame.size_wh:
        return plain_jpeg(look, state)
    lines = [f"{side} {points}" for side, points in state.totals.items()]
    if state.moves:
        lines.append(state.moves[-1].text)
    if state.pause is not None:
        lines.append(f"waits: {state.pause.code}")
    return _encoded(annotate(look.frame.bgr, look.shown, lines, WORDS), _QUALITY)


def crop_jpeg(frame: Frame, quad: Sequence[Point]) -> bytes:
    """Return a tile of a picture, turned level; `quad` are its corners in pixels, 0-1 the first half's short edge."""
    length, width = _CROP_PX
    room = length * _ROOM
    corners = np.array(quad, np.float32).reshape(4, 2)
    target = np.array(
        [[room, room + width], [room, room], [room + length, room], [room + length, room + width]], np.float32
    )
    if _signed_area(corners) * _signed_area(target) < 0:
        target = target[[1, 0, 3, 2]]
    matrix = cv2.getPerspectiveTransform(corners, target)
    size = (round(length + 2 * room), round(width + 2 * room))
    return _encoded(np.asarray(cv2.warpPerspective(frame.bgr, matrix, size), np.uint8), _CROP_QUALITY)


def _signed_area(corners: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> float:
    return float(cv2.contourArea(corners, oriented=True))


def _scaled(bgr: U8Array) -> U8Array:
    scale = _LONG_SIDE_PX / max(bgr.shape[:2])
    if scale >= 1:
        return bgr
    size = (round(bgr.shape[1] * scale), round(bgr.shape[0] * scale))
    return np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)


def _encoded(bgr: U8Array, quality: int) -> bytes:
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(data, np.uint8).tobytes()
