"""Tiles lie beside each other, never in each other: the choice of boxes that explains a picture best.

Greedy suppression keeps the best box and drops what overlaps it. Where tiles have no divider, two touching halves of
two tiles look like a tile of their own; such a box may well score best, and then costs both true tiles. Here the boxes
kept are those with the highest sum of scores among all sets in which none covers another: two true tiles outweigh the
one between them.
"""

from typing import Final

import cv2
import numpy as np

from domino_vision.types import BoolArray, F32Array, F64Array, IntArray

MAX_COMMON: Final = 0.3
"""Two boxes whose common area is more than this share of the smaller one cannot both be tiles."""
LEAST_SCORE: Final = 0.1
"""What a box must score beyond to be worth anything in a sum; it also makes few boxes better than many."""
_NEAR: Final = 0.05
"""Boxes whose centres are nearer than this share of their length lie in one place, whatever their common area."""
_MOST_STEPS: Final = 4000
"""Steps of the search in one group of boxes that overlap; past them the best choice found so far stands."""


def lying_apart(corners_px: F32Array, score: F32Array) -> IntArray:
    """Return the indices of boxes that do not cover each other and score most together, ascending.

    Args:
        corners_px: (n, 4, 2).
        score: (n,), 0 to 1.
    """
    worth = score.astype(np.float64) - LEAST_SCORE
    clash = clashes(corners_px)
    neighbours = [set(np.flatnonzero(row).tolist()) for row in clash]
    left = set(np.flatnonzero(worth > 0).tolist())
    kept: list[int] = []
    while left:
        group = _group(left.pop(), neighbours, left)
        kept += _Choice(worth, neighbours).best(sorted(group, key=lambda at: -worth[at]))
    return np.array(sorted(kept), dtype=np.int64)


def clashes(corners_px: F32Array) -> BoolArray:
    """Return which boxes cannot both be tiles, (n, n), symmetric; no box clashes with itself."""
    n = len(corners_px)
    areas = np.array([abs(cv2.contourArea(quad)) for quad in corners_px], dtype=np.float64)
    centres = corners_px.mean(axis=1)
    diagonals: F64Array = np.linalg.norm(corners_px[:, 2] - corners_px[:, 0], axis=1).astype(np.float64)
    found = np.zeros((n, n), dtype=bool)
    for a in range(n):
        away = np.linalg.norm(centres[:a] - centres[a], axis=1)
        for b in np.flatnonzero(away < (diagonals[:a] + diagonals[a]) / 2):
            common = cv2.intersectConvexConvex(corners_px[a], corners_px[b])[0]
            covered = common > MAX_COMMON * min(areas[a], areas[b]) or away[b] < _NEAR * diagonals[a]
            found[a, b] = found[b, a] = covered
    return found


def _group(start: int, neighbours: list[set[int]], left: set[int]) -> set[int]:
    """Take from `left` all boxes that hang together with `start` by clashes, and return them with it."""
    group, todo = {start}, [start]
    while todo:
        for other in neighbours[todo.pop()] & left:
            left.discard(other)
            group.add(other)
            todo.append(other)
    return group


class _Choice:
    """Branch and bound over the boxes of one group."""

    def __init__(self, worth: F64Array, neighbours: list[set[int]]) -> None:
        self._worth = worth
        self._neighbours = neighbours
        self._best_worth = -1.0
        self._best: list[int] = []
        self._steps = 0

    def best(self, boxes: list[int]) -> list[int]:
        """Return the boxes with the highest sum; `boxes` come best first, so the first try is the greedy one."""
        self._search(boxes, 0.0, [])
        return self._best

    def _search(self, boxes: list[int], worth: float, chosen: list[int]) -> None:
        self._steps += 1
        if worth > self._best_worth:
            self._best_worth, self._best = worth, chosen
        if not boxes or self._steps > _MOST_STEPS or worth + sum(self._worth[boxes]) <= self._best_worth:
            return
        first, rest = boxes[0], boxes[1:]
        free = [at for at in rest if at not in self._neighbours[first]]
        self._search(free, worth + float(self._worth[first]), [*chosen, first])
        if len(free) < len(rest):
            self._search(rest, worth, chosen)
