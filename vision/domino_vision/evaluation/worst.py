"""The worst photographs of an evaluation, drawn with the truth beside the reading."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.annotate.style import BLACK, BOLD, WHITE, Colour, put_text, text_width
from domino_vision.errors import SourceError
from domino_vision.evaluation.metrics import PhotoResult
from domino_vision.sinks import check_folder, write_picture
from domino_vision.types import Join, TileRole, U8Array

_HEIGHT: Final = 900
_TEXT_PX: Final = 16
_GREEN, _RED, _BLUE, _GREY, _PINK = (60, 200, 60), (40, 40, 230), (230, 140, 40), (150, 150, 150), (220, 60, 220)


def worst(results: Sequence[PhotoResult], count: int) -> tuple[PhotoResult, ...]:
    """Return the photographs with most errors, the worst first; those without an error are left out."""
    ranked = sorted(results, key=lambda result: (-result.errors, result.name))
    return tuple(result for result in ranked[: max(count, 0)] if result.errors)


def save_worst(results: Sequence[PhotoResult], folder: Path, pictures: Path, count: int) -> tuple[Path, ...]:
    """Draw the worst photographs into a folder, which is made if need be; return the files.

    Args:
        results: the compared photographs.
        folder: where the drawings go, `01-<name>.jpg` the worst.
        pictures: the folder that holds the photographs.
        count: how many at most.

    Raises:
        VisionError: `unreadable_picture` or `cannot_write`; no half-written drawing remains.
    """
    files = []
    check_folder(folder)
    for rank, result in enumerate(worst(results, count), 1):
        source = pictures / f"{result.name}.jpg"
        way = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION  # labels know no EXIF turn
        image = cv2.imdecode(np.fromfile(source, np.uint8), way) if source.is_file() else None
        if image is None:
            raise SourceError("unreadable_picture", f"cannot read picture {source}", file=str(source))
        file = folder / f"{rank:02d}-{result.name}.jpg"
        write_picture(file, side_by_side(np.asarray(image, np.uint8), result))
        files.append(file)
    return tuple(files)


def side_by_side(image: U8Array, result: PhotoResult) -> U8Array:
    """Return truth (left) and reading (right) drawn on a BGR picture; wrong tiles are red."""
    scale = _HEIGHT / image.shape[0]
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    truth, read = small.copy(), small.copy()
    _draw_truth(truth, result, scale)
    _draw_reading(read, result, scale)
    _caption(truth, f"truth  {result.name}  count {result.count_true}")
    asked = "  asks" if result.seen.ask else ""
    _caption(read, f"read  count {result.count_read} ({result.seen.count_confidence:.2f}){asked}")
    return np.asarray(np.hstack([truth, read]), np.uint8)


def _draw_truth(image: NDArray[np.uint8], result: PhotoResult, scale: float) -> None:
    label = result.label
    right = {match.label: all(ok) for match, ok in zip(result.matching.up, result.right, strict=True)}
    for quad in label.ignore_px:
        _outline(image, quad * scale, _GREY)
    for quad in label.down_px:
        _outline(image, quad * scale, _BLUE)
    for i, (quad, halves) in enumerate(zip(label.quads_px, label.halves, strict=True)):
        _tile(image, quad * scale, halves, _GREEN if right.get(i) else _RED)
    _draw_joins(image, label.chain or (), label.quads_px * scale)


def _draw_reading(image: NDArray[np.uint8], result: PhotoResult, scale: float) -> None:
    right = {match.read: all(ok) for match, ok in zip(result.matching.up, result.right, strict=True)}
    quads = np.array([tile.quad_px for tile in result.seen.tiles], np.float32).reshape(-1, 4, 2) * scale
    for i, (quad, tile) in enumerate(zip(quads, result.seen.tiles, strict=True)):
        if i in result.matching.ignored or tile.role is TileRole.STANDING:
            _outline(image, quad, _GREY)
        elif tile.halves is None:
            _outline(image, quad, _BLUE)
        else:
            _tile(image, quad, tile.halves, _GREEN if right.get(i) else _RED)
    _draw_joins(image, result.seen.joins, quads)


def _outline(image: NDArray[np.uint8], quad: NDArray[np.float32], colour: tuple[int, int, int]) -> None:
    cv2.polylines(image, [np.round(quad).astype(np.int32)], isClosed=True, color=colour, thickness=2)


def _tile(
    image: NDArray[np.uint8], quad: NDArray[np.float32], halves: tuple[int, int], colour: tuple[int, int, int]
) -> None:
    _outline(image, quad, colour)
    centre = quad.mean(0)
    for end, pips in zip((quad[:2].mean(0), quad[2:].mean(0)), halves, strict=True):
        at = end + (end - centre) * 0.3
        _text(image, str(pips), (int(at[0]) - 6, int(at[1]) + 6), colour)


def _draw_joins(image: NDArray[np.uint8], joins: Sequence[Join], quads: NDArray[np.float32]) -> None:
    for join in joins:
        ends = []
        for index, part in ((join.a, join.a_part), (join.b, join.b_part)):
            quad = quads[index]
            centre = quad.mean(0)
            end = {"a": quad[:2].mean(0), "b": quad[2:].mean(0), "m": centre}[part]
            ends.append(tuple(int(v) for v in (end + centre) / 2))
        cv2.line(image, ends[0], ends[1], _PINK, 2, cv2.LINE_AA)


def _caption(image: NDArray[np.uint8], text: str) -> None:
    _text(image, text, (8, 24), WHITE)


def _text(image: NDArray[np.uint8], text: str, at: tuple[int, int], colour: Colour) -> None:
    """Write a line on a dark ground; `at` is its left end and baseline."""
    x, y = at
    wide = text_width(text, _TEXT_PX, BOLD)
    cv2.rectangle(image, (x - 3, y - _TEXT_PX), (x + wide + 3, y + 5), BLACK, -1)
    put_text(np.asarray(image, np.uint8), text, x, y - 0.36 * _TEXT_PX, _TEXT_PX, colour, BOLD)
