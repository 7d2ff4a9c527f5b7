"""Things that look like a tile to the detector but show no face that can be read: cards, dice, mahjong tiles, print."""

from typing import Final

import numpy as np

from domino_vision.detectors.base import lengths_px
from domino_vision.sizes import alike
from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS, BoolArray, Detections, F32Array, Face

MOST_UNREADABLE: Final = 0.3
"""Mean probability of `unreadable` over both halves past which a face is none."""
LEAST_SUM: Final = 1.35
"""The detector's score and the probability of the pips of the half that reads worse must sum to this."""
DOUBTFUL_SCORE: Final = 0.5
"""Detector's score below which what cannot be read is no tile, whatever lies next to it."""
ALIKE_SCORE: Final = 0.4
"""The same for what has the size of the tiles on the plane of their table. Chosen on harder copies of photographs."""
NEAR_LENGTHS: Final = 1.15
"""Centres of tiles that touch end to end are one length apart, those of others less."""
ALIKE: Final = 0.5
"""Least ratio of the areas of two tiles that lie next to each other: in a flat view one that points away is short, and
one that lies across is narrow, by the same factor."""


def shows_face(found: Detections, half_logp: F32Array, size_wh: tuple[int, int]) -> BoolArray:
    """Return which detections to keep, (n,): tiles called face up must show a face that can be read.

    The detector and the reader make different mistakes; clutter that one takes for a tile is seldom clear to the other.
    A box that cannot be read is kept where a tile of its size that can be read lies next to it: there it is a tile
    under glare or far away, and a person is asked rather than a wrong count told. The sum was chosen on `photos/dev`,
    where no true tile alone is below it, and on two thirds of `photos/negatives`.

    Args:
        found: n detections.
        half_logp: (n, 2, 15) natural log-probabilities of their halves.
        size_wh: of the picture in pixels.
    """
    p = np.exp(half_logp.astype(np.float64))
    unreadable = p[..., UNREADABLE_CLASS].mean(1)
    least = p[..., : BACK_CLASS + 1].max(-1).min(-1) if len(found) else np.zeros(0)
    up = found.face == Face.UP
    seen = up & (unreadable <= MOST_UNREADABLE) & (found.score + least >= LEAST_SUM)
    beside = (found.score >= ALIKE_SCORE) & _next_to(found.corners_px, seen)
    doubtful = beside & up & ~seen & (found.score < DOUBTFUL_SCORE)
    if doubtful.any():
        beside &= ~doubtful | alike(found, size_wh)
    return np.asarray(~up | seen | beside, dtype=bool)


def _next_to(corners_px: F32Array, tiles: BoolArray) -> BoolArray:
    """Return which boxes, (n,), have one of the `tiles`, (n,), of about their size beside them."""
    lengths, centres = lengths_px(corners_px), corners_px.mean(axis=1)
    away = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    near = away < NEAR_LENGTHS * np.maximum(lengths[:, None], lengths[None])
    x, y = np.moveaxis(corners_px.astype(np.float64), 2, 0)
    areas = np.abs((x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)) / 2
    ratio = areas[:, None] / np.maximum(areas[None], 1e-6)
    alike = (ratio > ALIKE) & (ratio < 1 / ALIKE)
    others = ~np.eye(len(lengths), dtype=bool)
    return np.asarray((near & alike & others & tiles[None]).any(axis=1), dtype=bool)
