"""Things that look like a tile to the detector but show no face that can be read: cards, dice, mahjong tiles, print."""

from typing import Final

import numpy as np

from domino_vision.detectors.base import next_to, sides
from domino_vision.sizes import alike
from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS, BoolArray, Detections, F32Array, Face

MOST_UNREADABLE: Final = 0.3
"""Mean probability of `unreadable` over both halves past which a face is none."""
LEAST_SUM: Final = 1.35
"""The detector's score and the probability of the pips of the half that reads worse must sum to this."""
LEAST_BESIDE: Final = 1.2
"""So much where a tile of its size that can be read lies next to it."""
DOUBTFUL_SCORE: Final = 0.5
"""Detector's score below which what cannot be read is no tile, whatever lies next to it."""
ALIKE_SCORE: Final = 0.4
"""The same for what has the size of the tiles on the plane of their table. Chosen on harder copies of photographs."""
CLEAR: Final = 0.9
"""Probability of the pips of the half that reads worse past which a face is read for certain."""
LEAST_WIDTH_PX: Final = 8.0
"""A narrower face shows nobody its pips: three of a row would be less than two pixels apart (Nyquist)."""


def shows_face(found: Detections, half_logp: F32Array, size_wh: tuple[int, int]) -> BoolArray:
    """Return which detections to keep, (n,): tiles called face up must show a face that can be read.

    The detector and the reader make different mistakes; clutter that one takes for a tile is seldom clear to the other.
    A box that cannot be read is kept where a tile of its size that can be read lies next to it: there it is a tile
    under glare or far away, and a person is asked rather than a wrong count told. So is one there that the detector
    is hardly sure of, if it reads for certain: two tiles with a pip in each half, side by side, look like one. The sum
    was chosen on `photos/dev`, where no true tile alone is below it, and on two thirds of `photos/negatives`.

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
    seen &= sides(found.corners_px)[1] >= LEAST_WIDTH_PX
    near = next_to(found.corners_px, seen)
    beside = (found.score >= ALIKE_SCORE) & near
    doubtful = beside & up & ~seen & (found.score < DOUBTFUL_SCORE)
    if doubtful.any():
        beside &= ~doubtful | alike(found, size_wh)
    clear = near & reads_clearly(half_logp) & (found.score + least >= LEAST_BESIDE)
    return np.asarray(~up | seen | beside | clear, dtype=bool)


def reads_clearly(half_logp: F32Array) -> BoolArray:
    """Return which tiles show pips that are read for certain, (n,); two blanks are none: plain ground reads so too.

    Args:
        half_logp: (n, 2, 15) natural log-probabilities of their halves.
    """
    p = np.exp(half_logp[..., :BACK_CLASS].astype(np.float64))
    shown = (p.argmax(-1) > 0).any(1) if len(p) else np.zeros(0, bool)
    return np.asarray(shown & (p.max(-1).min(-1, initial=1.0) >= CLEAR), bool)
