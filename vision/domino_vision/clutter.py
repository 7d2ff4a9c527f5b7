"""Things that look like a tile to the detector but show no face that can be read: cards, dice, mahjong tiles, print."""

from typing import Final

import numpy as np

from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS, BoolArray, Detections, F32Array, Face

MOST_UNREADABLE: Final = 0.3
"""Mean probability of `unreadable` over both halves past which a face is none."""
DOUBTFUL_SCORE: Final = 0.5
"""Detector's score below which the reader must be sure of both halves."""
SURE_HALF: Final = 0.8


def shows_face(found: Detections, half_logp: F32Array) -> BoolArray:
    """Return which detections to keep, (n,): tiles called face up must show a face that can be read.

    The detector and the reader make different mistakes; clutter that one takes for a tile is seldom clear to the other.
    On all of `photos/negatives` it lowers the false face-up tiles from 1.23 to 0.57 a picture; on `photos/dev` it costs
    two true tiles of 322 and drops three false ones (halves 0.955 to 0.952). The thresholds were chosen on `photos/dev`
    and a third of `photos/negatives`, where they did better (0.98 to 0.23), so 0.57 is the figure to go by.

    Args:
        found: n detections.
        half_logp: (n, 2, 15) natural log-probabilities of their halves.
    """
    p = np.exp(half_logp.astype(np.float64))
    unreadable = p[..., UNREADABLE_CLASS].mean(1)
    least = p[..., : BACK_CLASS + 1].max(-1).min(-1) if len(found) else np.zeros(0)
    doubtful = (found.score < DOUBTFUL_SCORE) & (least < SURE_HALF)
    return np.asarray((found.face != Face.UP) | ((unreadable <= MOST_UNREADABLE) & ~doubtful), dtype=bool)
