"""What every detector is, and the geometry of oriented boxes that all of them share."""

from typing import Final, Protocol

import numpy as np

from domino_vision.types import BoolArray, Detections, F32Array, F64Array, IntArray, U8Array

NEAR_LENGTHS: Final = 1.15
"""Centres of tiles that touch end to end are one length apart, those of others less."""
ALIKE: Final = 0.5
"""Least ratio of the areas of two tiles that lie next to each other: in a flat view one that points away is short, and
one that lies across is narrow, by the same factor."""


class BoxDetector(Protocol):
    """One look of a network at one picture."""

    @property
    def side_px(self) -> int:
        """Side of the square that the network was trained to see, in pixels."""
        ...

    @property
    def most_px(self) -> int:
        """Longest side that the network can see at all; `side_px` if it sees squares only."""
        ...

    def find(self, bgr: U8Array, scale: float | None = None) -> Detections:
        """Find the tiles of a picture; corners in its pixels.

        Args:
            bgr: (h, w, 3) uint8 BGR.
            scale: pixels of the network for each pixel of the picture; by default what makes the long side `side_px`,
                at most what makes it `most_px`.
        """
        ...


def corners_of(boxes: F32Array) -> F32Array:
    """Turn oriented boxes into corners.

    Args:
        boxes: (n, 5) centre x, centre y, width, height in pixels and the angle of the width in radians.

    Returns:
        Corners (n, 4, 2) float32 going round clockwise as seen; 0-1 and 2-3 are the short edges.
    """
    centre, sides, angle = boxes[:, :2], boxes[:, 2:4], boxes[:, 4]
    along_width = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    along_height = np.stack([-along_width[:, 1], along_width[:, 0]], axis=1)
    wide = (sides[:, 0] >= sides[:, 1])[:, None]
    length = np.where(wide, along_width, along_height) * sides.max(axis=1, keepdims=True) / 2
    # the short direction is the long one turned by 90 degrees clockwise, whichever side was the width
    across = np.where(wide, along_height, -along_width) * sides.min(axis=1, keepdims=True) / 2
    offsets = np.stack([across - length, -across - length, length - across, length + across], axis=1)
    return np.asarray(centre[:, None] + offsets, dtype=np.float32)


def suppress(corners_px: F32Array, score: F32Array, overlap: float) -> IntArray:
    """Return the indices of the boxes to keep, best first: none overlaps a better one by more than `overlap`.

    Args:
        corners_px: (n, 4, 2).
        score: (n,); where looks should be preferred over each other, add to it.
        overlap: highest overlap of two kept boxes, 0 to 1, as `overlaps` measures it.
    """
    order = np.argsort(-score, kind="stable")
    means, spreads = _gaussians(corners_px[order])
    alive = np.ones(len(order), dtype=bool)
    kept: list[int] = []
    for at, index in enumerate(order):
        if not alive[at]:
            continue
        kept.append(int(index))
        rest = at + 1 + np.flatnonzero(alive[at + 1 :])
        if len(rest):
            alive[rest] = _likeness(means[at], spreads[at], means[rest], spreads[rest]) <= overlap
    return np.array(kept, dtype=np.int64)


def suppress_by_face(found: Detections, overlap: float) -> Detections:
    """Return the boxes to keep, best first: none overlaps a better one of its own face by more than `overlap`.

    Boxes of two faces in one place are both kept: a tile that lies seen at a flat angle is found as a standing one too.
    """
    kept = [
        own[suppress(found.corners_px[own], found.score[own], overlap)]
        for own in (np.flatnonzero(found.face == face) for face in np.unique(found.face))
    ]
    order = np.concatenate(kept) if kept else np.zeros(0, np.int64)
    return found.where(order[np.argsort(-found.score[order], kind="stable")])


def overlaps(corners_px: F32Array, others_px: F32Array) -> F64Array:
    """Return how much each box overlaps each other one: (n, m), 0 to 1.

    One minus the Hellinger distance of the boxes seen as Gaussians, a smooth stand-in for the share of common area.
    Source: Llerena et al., Gaussian bounding boxes and probabilistic intersection-over-union, 2021.
    """
    means, spreads = _gaussians(corners_px)
    other_means, other_spreads = _gaussians(others_px)
    rows = [_likeness(m, s, other_means, other_spreads) for m, s in zip(means, spreads, strict=True)]
    return np.array(rows, dtype=np.float64).reshape(len(corners_px), len(others_px))


def long_enough(corners_px: F32Array, least: float) -> BoolArray:
    """Return which boxes may be whole tiles by their length, (n,); among fewer than five boxes all may.

    Args:
        corners_px: (n, 4, 2).
        least: shortest length over the median length.
    """
    lengths = lengths_px(corners_px)
    if len(lengths) < 5:
        return np.ones(len(lengths), dtype=bool)
    return np.asarray(lengths >= least * np.median(lengths), dtype=bool)


def lengths_px(corners_px: F32Array) -> F32Array:
    """Return the length of the long side of each tile in pixels: (n,)."""
    return np.asarray(sides(corners_px)[0], dtype=np.float32)


def sides(corners: F32Array | F64Array) -> tuple[F64Array, F64Array]:
    """Return lengths and widths (n,) of quads (n, 4, 2), 0-1 and 2-3 their short edges, in their own unit."""
    ring = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2).astype(np.float64)
    return (ring[:, 1] + ring[:, 3]) / 2, (ring[:, 0] + ring[:, 2]) / 2


def areas(corners: F32Array | F64Array) -> F64Array:
    """Return the areas (n,) of quads (n, 4, 2), in the square of their own unit."""
    x, y = np.moveaxis(corners.astype(np.float64), 2, 0)
    return np.asarray(np.abs((x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)) / 2, np.float64)


def next_to(corners_px: F32Array, tiles: BoolArray) -> BoolArray:
    """Return which boxes, (n,), have one of the `tiles`, (n,), of about their size beside them."""
    lengths, centres = lengths_px(corners_px), corners_px.mean(axis=1)
    away = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    near = away < NEAR_LENGTHS * np.maximum(lengths[:, None], lengths[None])
    size = areas(corners_px)
    ratio = size[:, None] / np.maximum(size[None], 1e-6)
    alike = (ratio > ALIKE) & (ratio < 1 / ALIKE)
    others = ~np.eye(len(lengths), dtype=bool)
    return np.asarray((near & alike & others & tiles[None]).any(axis=1), dtype=bool)


def _gaussians(corners_px: F32Array) -> tuple[F64Array, F64Array]:
    """Mean (n, 2) and covariance xx, yy, xy (n, 3) of the area of each parallelogram."""
    quads = corners_px.astype(np.float64)
    means = quads.mean(axis=1)
    u = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 2
    v = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 2
    xx, yy = ((u**2 + v**2) / 12).T
    xy = (u[:, 0] * u[:, 1] + v[:, 0] * v[:, 1]) / 12
    return means, np.stack([xx, yy, xy], axis=1) + np.array([1e-3, 1e-3, 0.0])


def _likeness(mean: F64Array, spread: F64Array, means: F64Array, spreads: F64Array) -> F64Array:
    xx, yy, xy = (spread + spreads).T
    dx, dy = (means - mean).T
    determinant = xx * yy - xy**2
    distance = (xx * dy**2 + yy * dx**2 - 2 * xy * dx * dy) / (4 * determinant)
    own = spread[0] * spread[1] - spread[2] ** 2
    theirs = spreads[:, 0] * spreads[:, 1] - spreads[:, 2] ** 2
    distance += 0.5 * np.log(determinant / (4 * np.sqrt(own * theirs)))
    return np.asarray(1 - np.sqrt(1 - np.exp(-np.clip(distance, 0, 100)) + 1e-12))
