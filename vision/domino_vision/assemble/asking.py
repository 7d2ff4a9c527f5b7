"""Which doubts about one picture matter: those whose answer could change the open-end count or a join's legality."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import cv2
import numpy as np

from domino_vision.assemble.tree import part_value
from domino_vision.types import F32Array, F64Array, Join, Part

SURE_READ: Final = 0.98
"""Probability, by the reader alone, from which two touching halves together are taken as read.

All other readings together, the legal ones among them, then stand at 1:49 or worse: that the join is illegal is told,
and nobody is asked whether it is. The open-end count has the last word by its own posterior: where it hangs on such a
join and is not sure, a person is asked all the same.
"""


def joins_as_read(half_p: F64Array, joins: Iterable[Join], halves: Sequence[tuple[int, int]]) -> tuple[Join, ...]:
    """Return the joins whose halves differ and are both read surely: findings to tell, not questions.

    Args:
        half_p: shape (n, 2, K) float64, each half as read, before any tile told on another.
        joins: the joins by index into `half_p`.
        halves: the decoded values of each tile.
    """
    return tuple(
        join
        for join in joins
        if part_value(halves[join.a], join.a_part) != part_value(halves[join.b], join.b_part)
        and _read_p(half_p[join.a], halves[join.a], join.a_part) * _read_p(half_p[join.b], halves[join.b], join.b_part)
        >= SURE_READ
    )


def overruled(half_p: F64Array, joins: Iterable[Join], halves: Sequence[tuple[int, int]]) -> bool:
    """Return whether a half of a joined tile is taken for another value than the reader surely reads there.

    The others on the table may be right that it cannot be so, or a rule was broken: a person should look.

    Args:
        half_p: shape (n, 2, K) float64, each half as read, before any tile told on another.
        joins: the joins by index into `half_p`.
        halves: the decoded values of each tile.
    """
    chain = sorted({tile for join in joins for tile in (join.a, join.b)})
    return any(
        half_p[tile, half].max() >= SURE_READ and half_p[tile, half].argmax() != halves[tile][half]
        for tile in chain
        for half in (0, 1)
    )


def _read_p(half_p: F64Array, halves: tuple[int, int], part: Part) -> float:
    """Return how sure the reader is of what a tile shows at a part: one half, at the middle of a long side both."""
    both = [float(half_p[k, value]) for k, value in enumerate(halves)]
    return both[0] * both[1] if part == "m" else both["ab".index(part)]


def legality_in_doubt(match_p: Iterable[float], joins: Iterable[Join], as_read: Sequence[Join], sure: float) -> bool:
    """Return whether a join, those taken as read apart, is neither legal nor illegal with at least probability `sure`.

    Args:
        match_p: of each join, the probability that its halves match.
        joins: the joins.
        as_read: those of them that are findings.
        sure: how likely the one or the other must be.
    """
    return any(max(p, 1 - p) < sure for p, join in zip(match_p, joins, strict=True) if join not in as_read)


def at_chain(quads_mm: F32Array, tiles: Iterable[int], chain: Iterable[int], reach: float) -> list[int]:
    """Return those of `tiles` that lie so near to the chain that they may belong to it.

    Nearness alone decides, not how straight they lie: the outline of a tile that is badly read is often badly fitted.

    Args:
        quads_mm: shape (n, 4, 2), corners of all tiles.
        tiles: the tiles to look at.
        chain: the tiles of the chain.
        reach: how wide the gap may be, mm.
    """
    members = list(chain)
    return [i for i in tiles if any(_gap(quads_mm[i], quads_mm[j]) <= reach for j in members)]


def _gap(first: F32Array, second: F32Array) -> float:
    """Return the distance between two convex outlines, at most 0 where a corner of one lies within the other."""
    outlines = [np.ascontiguousarray(quad, np.float32) for quad in (first, second)]
    inside = [
        cv2.pointPolygonTest(outline, (float(x), float(y)), True)
        for outline, corners in zip(outlines, reversed(outlines), strict=True)
        for x, y in corners
    ]
    return -max(inside)
