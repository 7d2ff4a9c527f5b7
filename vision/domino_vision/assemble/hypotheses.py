"""Several ways in which the tiles may be joined, the likeliest first, each with its probability.

The likeliest joins are found best first, as for a spanning tree (`joins.choose_joins`). The next likeliest differ from
them in at least one decision that was not clear: a join that was taken is forbidden, or one that was refused is forced,
and the rest is chosen anew. Partitioning what is left by its first difference finds the k best without repetition.
Source: Lawler, A procedure for computing the K best solutions to discrete optimization problems, 1972.

A table may also be one on which no rule is kept: tiles that were put together by children, or for a photograph. There
half of the joins do not match. How many of a table's own joins match tells which of the two it is.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

import numpy as np

from domino_vision.assemble.decode import ILLEGAL
from domino_vision.assemble.joins import (
    OVERLAPS,
    Candidate,
    JoinChoice,
    JoinOptions,
    Key,
    TileRects,
    choose_joins,
    join_candidates,
)
from domino_vision.types import F64Array, Join

_FAR: Final = 4.6
"""A choice of joins whose log-odds are this much below the best one's, 1:100, is left out."""
_MOST: Final = 6
"""Choices that are looked at, at most."""
_MOST_TRIED: Final = 40
"""Choices that are made to find them, at most: on a grid of tiles nothing is clear."""
LAWLESS_MATCH: Final = 0.45
"""Share of joins that match where no rule is kept: 7 of 18 in the five labelled photographs of such tables."""
_LAWLESS: Final = 2.6
"""Log-odds that such a table must make up for: five of the 74 labelled chains follow no rule."""
_LAWLESS_BRANCH: Final = 1.0
"""What a second join at one half costs there."""
_LAWLESS_BASE: Final = 1.0
"""How much less likely touching makes a join there: tiles that merely lie about touch by chance as well."""
_LAWLESS_CORNER: Final = 20.0
"""What two long sides that touch cost there: only rules make a join of them."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One way in which the tiles may be joined.

    Attributes:
        choice: the joins, and what was left.
        p: its probability among all that were found.
        illegal: share of joins that do not match on such a table.
    """

    choice: JoinChoice
    p: float
    illegal: float


UNJOINED: Final = Hypothesis(JoinChoice(()), 1.0, ILLEGAL)
"""No tile is joined to another."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A choice of joins with the decisions that were taken for it."""

    choice: JoinChoice
    forced: frozenset[Key]
    banned: frozenset[Key]


def ways_joined(rects: TileRects, half_p: F64Array, options: JoinOptions | None = None) -> tuple[Hypothesis, ...]:
    """Return how the tiles may be joined, the likeliest way first; the probabilities sum to 1.

    Args:
        rects: n face-up tiles.
        half_p: shape (n, 2, K) float64, probability of each pip count of each half.
        options: tolerances.
    """
    lawful = options or JoinOptions()
    lawless = replace(
        lawful,
        base=lawful.base - _LAWLESS_BASE,
        match=LAWLESS_MATCH,
        branch=_LAWLESS_BRANCH,
        corner=_LAWLESS_CORNER,
    )
    tiles = len(half_p)
    found = [
        (choice.score, choice, ILLEGAL)
        for choice in best_choices(join_candidates(rects, half_p, lawful), tiles, lawful)
    ]
    candidates = join_candidates(rects, half_p, lawless)
    if choose_joins(candidates, tiles, lawless).score - _LAWLESS > found[0][0] - _FAR:
        choices = best_choices(candidates, tiles, lawless)
        found += [(choice.score - _LAWLESS, choice, 1 - LAWLESS_MATCH) for choice in choices if choice.joins]
    found.sort(key=lambda way: -way[0])
    found = [way for way in found if way[0] > found[0][0] - _FAR][:_MOST]
    weights = np.exp([score - found[0][0] for score, _, _ in found])
    return tuple(
        Hypothesis(choice, float(share), illegal)
        for (_, choice, illegal), share in zip(found, weights / weights.sum(), strict=True)
    )


def way_by_place(rects: TileRects, half_p: F64Array, options: JoinOptions) -> Hypothesis:
    """Return the likeliest way in which the tiles may be joined if it does not matter whether halves that touch match.

    Args:
        rects: n face-up tiles.
        half_p: shape (n, 2, K) float64, probability of each pip count of each half; it tells the doubles.
        options: tolerances.
    """
    blind = replace(options, match=options.chance)
    choice = choose_joins(join_candidates(rects, half_p, blind), len(half_p), blind)
    return Hypothesis(choice, 1.0, ILLEGAL)


def best_choices(candidates: Sequence[Candidate], tiles: int, options: JoinOptions) -> list[JoinChoice]:
    """Return the choices of joins that score best, the best first, none much below it, no two with the same joins.

    Args:
        candidates: what may be joined, the likeliest first.
        tiles: how many tiles there are.
        options: tolerances.
    """
    start = choose_joins(candidates, tiles, options)
    rivals = _rivals(candidates)
    number = count()
    queue = [(-start.score, next(number), _Node(start, frozenset(), frozenset()))]
    found: dict[frozenset[Join], JoinChoice] = {}
    tried = 0
    while queue and len(found) < _MOST:
        _, _, node = heapq.heappop(queue)
        found.setdefault(frozenset(node.choice.joins), node.choice)
        for forced, banned in _others(node, candidates, rivals):
            if tried == _MOST_TRIED:
                break
            tried += 1
            choice = choose_joins(candidates, tiles, options, forced, banned)
            if choice.score > start.score - _FAR:
                heapq.heappush(queue, (-choice.score, next(number), _Node(choice, forced, banned)))
    return list(found.values())


def _others(
    node: _Node, candidates: Sequence[Candidate], rivals: Mapping[Key, list[Candidate]]
) -> Iterator[tuple[frozenset[Key], frozenset[Key]]]:
    """Yield what to force and what to ban for all other choices that keep to a node's decisions, each once."""
    forced, banned = node.forced, node.banned
    taken = {candidate.key: candidate.score for candidate in node.choice.taken}
    loop = max((candidate.score for candidate in node.choice.loops), default=0.0)
    for candidate in candidates:
        key = candidate.key
        if key in forced or key in banned:
            continue
        if key in taken:
            instead = max((other.score for other in rivals[key] if other.key not in banned), default=0.0)
            if taken[key] - max(instead, loop, 0.0) < _FAR:
                yield forced, banned | {key}
                forced |= {key}
        elif candidate.score > -_FAR:
            ousted = max((taken[other.key] for other in rivals[key] if other.key in taken), default=0.0)
            if max(ousted, 0.0) - candidate.score < _FAR:
                yield forced | {key}, banned
                banned |= {key}


def _rivals(candidates: Sequence[Candidate]) -> dict[Key, list[Candidate]]:
    """Return for each candidate those of the same two tiles, and those against the same stretch of a tile."""
    at: dict[tuple[int, int], list[Candidate]] = {}
    of: dict[tuple[int, int], list[Candidate]] = {}
    for candidate in candidates:
        of.setdefault((candidate.join.a, candidate.join.b), []).append(candidate)
        for slot in candidate.slots:
            at.setdefault(slot, []).append(candidate)
    found: dict[Key, list[Candidate]] = {}
    for candidate in candidates:
        rivals = dict.fromkeys(of[candidate.join.a, candidate.join.b])
        for tile, edge in candidate.slots:
            for beside in (edge, *OVERLAPS.get(edge, ())):
                rivals.update(dict.fromkeys(at.get((tile, beside), ())))
        del rivals[candidate]
        found[candidate.key] = list(rivals)
    return found
