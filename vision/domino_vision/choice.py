"""Which of the boxes that cover each other are tiles: the detector's score and what the reader makes of each, together.

Where tiles have no divider, two touching halves of two tiles look like a tile of their own, to the detector as well.
Seldom to the reader: a box that takes in a half of its neighbour, or the table, reads badly.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from domino_vision.detectors.apart import LEAST_SCORE, clashes, lying_apart
from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS, Detections, F32Array, F64Array, Face, IntArray, U8Array

LEAST_TRUST: Final = 0.4
"""Share of its score that a box keeps when nothing can be read in it."""
_STANDING_READS: Final = 0.7
"""What counts as read of a standing tile, whose face need not be seen."""


def choose(found: Detections, half_logp: F32Array, least_score: float, most_pips: int) -> tuple[IntArray, U8Array]:
    """Choose the boxes that are tiles: no two cover each other, and together they explain the picture best.

    A tile called standing whose place another box sees as a lying tile, and reads better so, gets that box and stays
    called standing: whether it lies is for its neighbours to say (`assemble.faces`).

    Args:
        found: n boxes; some may cover others.
        half_logp: (n, 2, 15) natural log-probabilities of their halves.
        least_score: a box below this detector's score is no tile, unless it stands in for one that it covers.
        most_pips: the highest pips of a half in the tile set; a box that reads as more reads badly.

    Returns:
        The indices of the boxes, (m,), and how each lies, (m,) values of `Face`.
    """
    if not len(found):
        return np.zeros(0, np.int64), np.zeros(0, np.uint8)
    pips = _pips(half_logp, most_pips)
    reads = _reads(found, half_logp, pips)
    worth = (found.score - LEAST_SCORE) * (LEAST_TRUST + (1 - LEAST_TRUST) * reads) + LEAST_SCORE
    clash = clashes(found.corners_px)
    weak = found.score < least_score
    kept = lying_apart(found.corners_px, np.asarray(worth, np.float32))
    kept = kept[~weak[kept] | (clash[kept] & ~weak[None]).any(1)]
    boxes, face = kept.copy(), found.face[kept]
    for place, box in enumerate(kept.tolist()):
        if face[place] != Face.STANDING:
            continue
        apart = np.delete(kept, place)
        seen_lying = clash[box] & (found.face == Face.UP) & ~clash[:, apart].any(1) & (pips > pips[box])
        if seen_lying.any():
            boxes[place] = int(np.argmax(np.where(seen_lying, pips, -1.0)))
    return boxes, face


def _pips(half_logp: F32Array, most_pips: int) -> F64Array:
    """Return the probability of the likeliest pips of the half that reads worse, (n,)."""
    return np.asarray(np.exp(half_logp[..., : most_pips + 1].astype(np.float64)).max(-1).min(-1), np.float64)


def _reads(found: Detections, half_logp: F32Array, pips: F64Array) -> F64Array:
    """Return how well each box reads as what the detector calls it, (n,), 0 to 1."""
    p = np.exp(half_logp.astype(np.float64))
    back = p[..., BACK_CLASS].mean(-1) + p[..., UNREADABLE_CLASS].mean(-1) / 2
    standing = np.full(len(found), _STANDING_READS)
    return np.select([found.face == Face.UP, found.face == Face.DOWN], [pips, np.maximum(back, pips)], standing)
