"""Which of the boxes that cover each other are tiles: the detector's score and what the reader makes of each, together.

Where tiles have no divider, two touching halves of two tiles look like a tile of their own, to the detector as well.
Seldom to the reader: a box that takes in a half of its neighbour, or the table, reads badly. In a line of tiles it
reads well, as a double, but leaves the outer halves of both tiles over: two boxes that read well explain more than one.
And all tiles are of one size (`sizes`).
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from domino_vision.clutter import CLEAR, reads_clearly
from domino_vision.detectors.apart import LEAST_SCORE, clashes, lying_apart
from domino_vision.detectors.base import next_to
from domino_vision.sizes import compare_sizes
from domino_vision.types import (
    BACK_CLASS,
    UNREADABLE_CLASS,
    BoolArray,
    Detections,
    F32Array,
    F64Array,
    Face,
    IntArray,
    U8Array,
)

LEAST_TRUST: Final = 0.4
"""Share of its score that a box keeps when nothing can be read in it."""
_ODD_TRUST: Final = 0.5
"""Share of its worth that a box keeps which has not the size of the others. Chosen on harder copies of photographs."""
_STANDING_READS: Final = 0.7
"""What counts as read of a standing tile, whose face need not be seen."""
_READS_WELL: Final = 0.9
"""From here on what is read in a box accounts for what is seen there: of a face, for two halves."""
_ACCOUNTS: Final = 1.0
"""What that is worth beside its score: a box across two tiles may score twice what these do."""
MAY_BE: Final = 0.4
"""Score of a box that no detector found: little, but it counts as a tile if it reads very well."""
_CLEARER: Final = 0.2
"""A box is but a half of another one if the chance that this one reads wrong is such a share of its own."""
_AT_END: Final = 0.25
"""A box that goes on beyond the end of another one has its middle there, up to this share of a length."""
_WITHIN: Final = 0.75
"""Share of a box that lies in the tile that it is but a half of; of a tile beside one across it, a half does."""
_HALF: Final = 0.5
"""Common area over the area of both from which a box and the half of another one are the same."""


def choose(
    found: Detections, half_logp: F32Array, least_score: float, most_pips: int, size_wh: tuple[int, int]
) -> tuple[IntArray, U8Array]:
    """Choose the boxes that are tiles: no two cover each other, and together they explain the picture best.

    What shows a face but is half or twice as large as tiles is none: a die with its shadow, a mahjong tile, a leaflet.

    A tile called standing whose place another box sees as a lying tile, and reads better so, gets that box and stays
    called standing: whether it lies is for its neighbours to say (`assemble.faces`).

    Args:
        found: n boxes; some may cover others.
        half_logp: (n, 2, 15) natural log-probabilities of their halves.
        least_score: a box below this detector's score is no tile, unless it stands in for one that it covers, or lies
            beside one above it and shows a face that is read for certain.
        most_pips: the highest pips of a half in the tile set; a box that reads as more reads badly.
        size_wh: of the picture in pixels.

    Returns:
        The indices of the boxes, (m,), and how each lies, (m,) values of `Face`.
    """
    if not len(found):
        return np.zeros(0, np.int64), np.zeros(0, np.uint8)
    pips = _pips(half_logp, most_pips)
    reads = _reads(found, half_logp, pips)
    clash = clashes(found.corners_px)
    well = reads_well(found, half_logp, most_pips)
    across = _lies_across(found.corners_px, clash, well, is_double(half_logp))
    score = np.where(across, np.minimum(found.score, MAY_BE), found.score)
    trust = LEAST_TRUST + (1 - LEAST_TRUST) * reads
    worth = (score - LEAST_SCORE) * trust + LEAST_SCORE
    sizes = compare_sizes(found, worth, size_wh)
    accounts = (reads >= _READS_WELL) | ((found.face == Face.STANDING) & (clash & well).any(1))
    worth = worth + _ACCOUNTS * accounts
    worth = np.where(sizes.odd, (worth - LEAST_SCORE) * _ODD_TRUST + LEAST_SCORE, worth)
    worth = np.where(sizes.foreign | _is_half(found.corners_px, clash, well, pips), 0.0, worth)
    weak = found.score < least_score
    kept = lying_apart(found.corners_px, np.asarray(worth, np.float32))
    clear = (found.face == Face.UP) & reads_clearly(half_logp) & (pips >= CLEAR)
    clear &= next_to(found.corners_px, ~weak & clear)
    kept = kept[~weak[kept] | clear[kept] | (clash[kept] & ~weak[None]).any(1)]
    boxes, face = kept.copy(), found.face[kept]
    for place, box in enumerate(kept.tolist()):
        if face[place] != Face.STANDING:
            continue
        apart = np.delete(kept, place)
        seen_lying = clash[box] & (found.face == Face.UP) & ~clash[:, apart].any(1) & (pips > pips[box])
        if seen_lying.any():
            boxes[place] = int(np.argmax(np.where(seen_lying, pips, -1.0)))
    return boxes, face


def reads_well(found: Detections, half_logp: F32Array, most_pips: int) -> BoolArray:
    """Return which boxes, (n,), show a face that reads well; arguments as for `choose`."""
    return np.asarray((found.face == Face.UP) & (_pips(half_logp, most_pips) >= _READS_WELL), bool)


def _pips(half_logp: F32Array, most_pips: int) -> F64Array:
    """Return the probability of the likeliest pips of the half that reads worse, (n,)."""
    return np.asarray(np.exp(half_logp[..., : most_pips + 1].astype(np.float64)).max(-1).min(-1), np.float64)


def is_double(half_logp: F32Array) -> BoolArray:
    """Return which tiles show the same in both halves, (n,), from log-probabilities (n, 2, 15)."""
    shown = half_logp.argmax(2)
    return np.asarray(shown[:, 0] == shown[:, 1], bool)


def _lies_across(corners_px: F32Array, clash: BoolArray, well: BoolArray, double: BoolArray) -> BoolArray:
    """Return which boxes look like two halves of two tiles, (n,): a double of which each half is also one of no double.

    These lie in a line with it, each half beyond its end. Beside a double that lies in the line, such boxes would take
    in a half of it and one that it matches: doubles, too.
    """
    found = np.zeros(len(well), bool)
    centres = corners_px.mean(1)
    for box in np.flatnonzero(well & double).tolist():
        quad = corners_px[box]
        ends = quad[:2].mean(0), quad[2:].mean(0)
        near = _AT_END * float(np.linalg.norm(ends[1] - ends[0]))
        others = np.flatnonzero(clash[box] & well & ~double).tolist()
        found[box] = all(
            any(
                np.linalg.norm(centres[other] - end) < near
                and any(_same(own, half) for half in halves_of(corners_px[other]))
                for other in others
            )
            for own, end in zip(halves_of(quad), ends, strict=True)
        )
    return found


def _is_half(corners_px: F32Array, clash: BoolArray, well: BoolArray, pips: F64Array) -> BoolArray:
    """Return which boxes are but a half of one that reads well, and much surer than they do, (n,)."""
    found = np.zeros(len(well), bool)
    for box in range(len(found)):
        quad = corners_px[box]
        for other in np.flatnonzero(clash[box] & well & (1 - pips < (1 - pips[box]) * _CLEARER)).tolist():
            within = _common(quad, corners_px[other]) > _WITHIN * abs(cv2.contourArea(quad))
            found[box] |= within and any(_same(half, quad) for half in halves_of(corners_px[other]))
    return found


def halves_of(quad: F32Array) -> tuple[F32Array, F32Array]:
    """Return the halves of a quad (4, 2), 0-1 and 2-3 its short edges."""
    one, other = (quad[1] + quad[2]) / 2, (quad[3] + quad[0]) / 2
    return np.stack((quad[0], quad[1], one, other)), np.stack((other, one, quad[2], quad[3]))


def _common(quad: F32Array, other: F32Array) -> float:
    return float(cv2.intersectConvexConvex(quad, other)[0])


def _same(half: F32Array, quad: F32Array) -> bool:
    common = _common(half, quad)
    return common > _HALF * (abs(cv2.contourArea(half)) + abs(cv2.contourArea(quad)) - common)


def _reads(found: Detections, half_logp: F32Array, pips: F64Array) -> F64Array:
    """Return how well each box reads as what the detector calls it, (n,), 0 to 1."""
    p = np.exp(half_logp.astype(np.float64))
    back = p[..., BACK_CLASS].mean(-1) + p[..., UNREADABLE_CLASS].mean(-1) / 2
    standing = np.full(len(found), _STANDING_READS)
    return np.select([found.face == Face.UP, found.face == Face.DOWN], [pips, np.maximum(back, pips)], standing)
