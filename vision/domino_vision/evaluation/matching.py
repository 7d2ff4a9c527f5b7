"""Who is who: tiles of a label and tiles of a reading, one to one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from domino_vision.labels import Label
from domino_vision.types import F64Array, Join, Part, TableObservation, TileRole

MIN_IOU: Final = 0.5
Point = tuple[float, float]
_TURNED: Final[dict[Part, Part]] = {"a": "b", "b": "a", "m": "m"}


@dataclass(frozen=True, slots=True)
class Match:
    """A labelled face-up tile and the tile read there.

    Attributes:
        label: index of the labelled tile.
        read: index of the read tile.
        turned: whether the reading calls first half what the label calls second.
        corner_error: mean distance of the corners over the labelled tile's length, in the better of both turns.
    """

    label: int
    read: int
    turned: bool
    corner_error: float


@dataclass(frozen=True, slots=True)
class Matching:
    """A label against a reading.

    Attributes:
        up: matched face-up tiles.
        false_up: read tiles, face up, that no labelled tile is.
        down: how many face-down tiles were found.
        false_down: how many were read where none is labelled.
        ignored: read tiles on what the label ignores; neither right nor wrong.
    """

    up: tuple[Match, ...]
    false_up: tuple[int, ...]
    down: int
    false_down: int
    ignored: frozenset[int]

    def read_joins(self, joins: Iterable[Join]) -> frozenset[frozenset[tuple[int, Part]]]:
        """Return read joins in the label's tile numbers and halves; those with an ignored tile are left out.

        A read tile that no labelled tile is gets a number of its own below zero, so that its joins are never right.
        """
        where = {match.read: match for match in self.up}
        found = set()
        for join in joins:
            if join.a in self.ignored or join.b in self.ignored:
                continue
            ends: list[tuple[int, Part]] = []
            parts: tuple[tuple[int, Part], ...] = ((join.a, join.a_part), (join.b, join.b_part))
            for index, part in parts:
                match = where.get(index)
                if match is None:
                    ends.append((-1 - index, part))
                else:
                    ends.append((match.label, _TURNED[part] if match.turned else part))
            found.add(frozenset(ends))
        return frozenset(found)


def label_joins(joins: Iterable[Join]) -> frozenset[frozenset[tuple[int, Part]]]:
    """Return the joins of a label as unordered pairs of (tile, part)."""
    return frozenset(frozenset(((join.a, join.a_part), (join.b, join.b_part))) for join in joins)


def match_table(label: Label, seen: TableObservation) -> Matching:
    """Match a reading with a label.

    A read tile lies on `ignore` if at least half of it is covered by one ignored quad and it overlaps no labelled tile,
    face up or down, by `MIN_IOU`. Standing tiles are not counted. A face-up tile read on a labelled face-down one is a
    false face-up tile.
    """
    quads = np.array([tile.quad_px for tile in seen.tiles], np.float32).reshape(-1, 4, 2)
    up_iou, down_iou = iou_matrix(label.quads_px, quads), iou_matrix(label.down_px, quads)
    known = np.vstack([up_iou, down_iou]).max(0, initial=0.0) >= MIN_IOU
    on_ignore = cover_matrix(label.ignore_px, quads).max(0, initial=0.0) >= 0.5
    ignored = on_ignore & ~known
    roles = [tile.role for tile in seen.tiles]
    faces_up = [i for i, role in enumerate(roles) if role in {TileRole.CHAIN, TileRole.LOOSE} and not ignored[i]]
    faces_down = [i for i, role in enumerate(roles) if role is TileRole.DOWN and not ignored[i]]
    pairs = assign(up_iou[:, faces_up])
    up = tuple(_match(label, quads, tile, faces_up[k]) for tile, k in pairs)
    matched = {match.read for match in up}
    down = len(assign(down_iou[:, faces_down]))
    return Matching(
        up,
        tuple(i for i in faces_up if i not in matched),
        down,
        len(faces_down) - down,
        frozenset(int(i) for i in np.flatnonzero(ignored)),
    )


def assign(iou: F64Array) -> list[tuple[int, int]]:
    """Return the one-to-one pairs (row, column) with at least `MIN_IOU` that overlap most in all. Source: Hungarian."""
    rows, columns = linear_sum_assignment(np.where(iou >= MIN_IOU, iou, 0.0), maximize=True)
    return [(int(r), int(c)) for r, c in zip(rows, columns, strict=True) if iou[r, c] >= MIN_IOU]


def iou_matrix(a: NDArray[Any], b: NDArray[Any]) -> F64Array:
    """Return intersection over union of convex quads (n, 4, 2) and (m, 4, 2), shape (n, m) float64."""
    overlap, area_a, area_b = _overlaps(a, b)
    union = area_a[:, None] + area_b[None] - overlap
    return np.asarray(np.where(union > 0, overlap / np.maximum(union, 1e-12), 0.0), np.float64)


def cover_matrix(a: NDArray[Any], b: NDArray[Any]) -> F64Array:
    """Return which share of each quad in `b` each quad in `a` covers, shape (n, m) float64."""
    overlap, _, area_b = _overlaps(a, b)
    return np.asarray(overlap / np.maximum(area_b, 1e-12)[None], np.float64)


def _overlaps(a: NDArray[Any], b: NDArray[Any]) -> tuple[F64Array, F64Array, F64Array]:
    hulls_a, hulls_b = _hulls(a), _hulls(b)
    overlap = np.zeros((len(a), len(b)))
    if len(a) and len(b):
        apart = (a.min(1)[:, None] > b.max(1)[None]) | (a.max(1)[:, None] < b.min(1)[None])
        for i, j in np.argwhere(~apart.any(-1)):
            overlap[i, j] = _area(_clipped(hulls_a[i], hulls_b[j]))
    return overlap, np.array([_area(hull) for hull in hulls_a]), np.array([_area(hull) for hull in hulls_b])


def _hulls(quads: NDArray[Any]) -> list[list[Point]]:
    """Return convex hulls, all going round the same way."""
    found = []
    for quad in quads:
        hull = [(float(x), float(y)) for x, y in cv2.convexHull(np.ascontiguousarray(quad, np.float32))[:, 0]]
        found.append(hull if _area(hull) >= 0 else hull[::-1])
    return found


def _clipped(polygon: list[Point], window: list[Point]) -> list[Point]:
    """Return the part of a convex polygon inside another. Source: Sutherland and Hodgman, 1974.

    OpenCV's own function finds no overlap at all for some polygons that nearly coincide.
    """
    for (x0, y0), (x1, y1) in zip(window, window[1:] + window[:1], strict=True):
        sides = [(x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) for x, y in polygon]
        kept: list[Point] = []
        for k, (x, y) in enumerate(polygon):
            before, side, (px, py) = sides[k - 1], sides[k], polygon[k - 1]
            if (before < 0) is not (side < 0):
                t = before / (before - side)
                kept.append((px + t * (x - px), py + t * (y - py)))
            if side >= 0:
                kept.append((x, y))
        polygon = kept
    return polygon


def _area(polygon: list[Point]) -> float:
    """Return the signed area of a polygon."""
    return sum(polygon[k - 1][0] * y - polygon[k - 1][1] * x for k, (x, y) in enumerate(polygon)) / 2


def _match(label: Label, quads: NDArray[np.float32], tile: int, read: int) -> Match:
    true, found = label.quads_px[tile].astype(np.float64), quads[read].astype(np.float64)
    first, second = true[:2].mean(0), true[2:].mean(0)
    ends = found[:2].mean(0), found[2:].mean(0)
    straight = np.linalg.norm(ends[0] - first) + np.linalg.norm(ends[1] - second)
    turned = np.linalg.norm(ends[1] - first) + np.linalg.norm(ends[0] - second)
    orders = ([0, 1, 2, 3], [2, 3, 0, 1], [1, 0, 3, 2], [3, 2, 1, 0])
    error = min(float(np.linalg.norm(found[order] - true, axis=1).mean()) for order in orders)
    length = float(np.linalg.norm(first - second))
    return Match(tile, read, bool(turned < straight), error / max(length, 1e-6))
