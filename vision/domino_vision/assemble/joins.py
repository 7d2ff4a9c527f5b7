"""Which tiles are joined, and where: found in table millimetres, between the free edges of the tiles' halves.

A half has three edges that something may be laid against: the tile's end, and half of each long side (a line that
turns). A long side has a middle besides, where a tile meets a crosswise double. A join is the short end of one tile
against any such edge of another. Two long sides side by side are no join, so a row or a pile stays unjoined, but for
one case: a line that turns right at a crosswise double, a half's side against the middle of the double.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from domino_vision.types import F64Array, IntArray, Join, Part

EDGE_PARTS: Final[tuple[Part, ...]] = ("a", "b", "a", "a", "b", "b", "m", "m")
"""Edges of a tile: ends a and b; the long sides beside a (left, right) and b; the middles of the long sides."""
END_EDGES: Final = (0, 1)
_MIDDLES: Final = (6, 7)
_SIDES: Final = (2, 3, 4, 5)
_MEETING: Final = tuple(
    (e, f)
    for e in range(8)
    for f in range(8)
    if e in END_EDGES or f in END_EDGES or (e in _SIDES and f in _MIDDLES) or (e in _MIDDLES and f in _SIDES)
)
"""Edges that may touch in a join."""
OVERLAPS: Final[dict[int, tuple[int, ...]]] = {2: (6,), 3: (7,), 4: (6,), 5: (7,), 6: (2, 4), 7: (3, 5)}
"""Edges that cannot both be covered, as they lie on the same stretch of a long side."""
Key = tuple[int, int, int, int]
"""A place where two tiles may be joined: a tile and its edge, another tile and its edge."""


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """How far apart and how crooked joined tiles may lie; lengths in millimetres of a 50 mm tile."""

    base: float = 8.2
    """Log-odds of a join between edges that touch exactly."""
    gap_mean: float = 1.0
    gap_sigma: float = 3.5
    overlap_sigma: float = 2.8
    aside_sigma: float = 3.5
    side_sigma: float = 4.2
    """The same against the side of a half: where a line turns, tiles are shifted more."""
    angle_sigma: float = 0.14
    reach: float = 20.0
    """No join is looked for over a wider gap, or further aside."""
    match: float = 0.995
    """Share of joins that match; by chance a match has `chance`."""
    chance: float = 0.15
    crosswise: float = 0.98
    """Share of doubles that are met at the middle of a side rather than at a half's side."""
    corner: float = 4.0
    """Cost of a line that turns right at a crosswise double, where two long sides touch."""
    branch: float = 9.0
    """Cost of a second join at one half: no rule allows one, so it costs more than halves that differ."""
    beside: float = 4.0
    """Cost of a join of a tile that lies side by side with others, as in a hand or a stack."""
    pair: float = 2.0
    """Least log-odds of a chain of two tiles."""
    apart: float = 8.0
    """Least log-odds of each chain beside the strongest."""
    least: float = -4.6
    """Candidates below these log-odds are none."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible join with its log-odds and the edges that it would cover."""

    join: Join
    edges: tuple[int, int]
    score: float

    @property
    def key(self) -> Key:
        """Where it is."""
        return (self.join.a, self.edges[0], self.join.b, self.edges[1])

    @property
    def slots(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Each tile with the edge that would be covered."""
        return (self.join.a, self.edges[0]), (self.join.b, self.edges[1])


@dataclass(frozen=True, slots=True)
class JoinChoice:
    """The joins that were taken, and what was left: candidates refused as loops.

    Attributes:
        taken: what is joined, with the log-odds of each.
        loops: candidates that would have closed a loop.
    """

    taken: tuple[Candidate, ...]
    loops: tuple[Candidate, ...] = ()

    @property
    def joins(self) -> tuple[Join, ...]:
        """What is joined."""
        return tuple(candidate.join for candidate in self.taken)

    @property
    def score(self) -> float:
        """Log-odds of all joins together."""
        return sum(candidate.score for candidate in self.taken)


@dataclass(frozen=True, slots=True)
class TileRects:
    """Tiles as equal rectangles on the table.

    Attributes:
        centre: shape (n, 2) float64, mm.
        axis: shape (n, 2) float64, unit vector from the first half to the second.
        wh: length and width in mm.
    """

    centre: F64Array
    axis: F64Array
    wh: tuple[float, float]

    @classmethod
    def from_quads(cls, quads_mm: F64Array, wh: tuple[float, float]) -> TileRects:
        """Return the rectangles of size `wh` that lie as the quads (n, 4, 2) do."""
        first, second = quads_mm[:, :2].mean(1), quads_mm[:, 2:].mean(1)
        axis = second - first
        axis = axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
        return cls(quads_mm.mean(1), axis, wh)

    def edges(self) -> tuple[F64Array, F64Array]:
        """Return middles and outward normals of the eight edges of each tile, both (n, 8, 2)."""
        length, width = self.wh
        along = self.axis[:, None]
        side = np.stack([-self.axis[:, 1], self.axis[:, 0]], 1)[:, None]
        u = np.array([-0.5, 0.5, -0.25, -0.25, 0.25, 0.25, 0.0, 0.0])[None, :, None] * length
        v = np.array([0.0, 0.0, 0.5, -0.5, 0.5, -0.5, 0.5, -0.5])[None, :, None] * width
        ends = np.array([-1.0, 1.0, 0, 0, 0, 0, 0, 0])[None, :, None]
        return self.centre[:, None] + along * u + side * v, along * ends + side * np.sign(v)


def find_joins(rects: TileRects, half_p: F64Array, options: JoinOptions | None = None) -> JoinChoice:
    """Return the joins between tiles.

    Args:
        rects: n face-up tiles.
        half_p: shape (n, 2, K) float64, probability of each pip count of each half.
        options: tolerances.
    """
    options = options or JoinOptions()
    candidates = join_candidates(rects, half_p, options)
    return choose_joins(candidates, len(half_p), options)


def join_candidates(rects: TileRects, half_p: F64Array, options: JoinOptions) -> list[Candidate]:
    """Return all joins that may be, the likeliest first; those below log-odds of `options.least` are left out."""
    if len(half_p) < 2:
        return []
    pairs, score = edge_pairs(rects, options)
    (i, e, j, f) = pairs.T
    values, double = _values(half_p)
    match = (values[i, e] * values[j, f]).sum(1)
    odds = options.match * match / options.chance + (1 - options.match) * (1 - match) / (1 - options.chance)
    beside = _beside(rects)
    score = score + np.log(odds) - options.beside * (beside[i] + beside[j])
    at_middle = np.log(np.maximum(double, 1e-4))
    at_side = np.log(np.maximum(1 - options.crosswise * double, 1e-4))
    for tile, edge in ((i, e), (j, f)):
        score += np.where(np.isin(edge, _MIDDLES), at_middle[tile], 0) + np.where(
            np.isin(edge, _SIDES), at_side[tile], 0
        )
    keep = np.flatnonzero(score > options.least)
    order = keep[np.argsort(-score[keep], kind="stable")]
    return [
        Candidate(Join(a, EDGE_PARTS[a_edge], b, EDGE_PARTS[b_edge]), (a_edge, b_edge), odds)
        for (a, a_edge, b, b_edge), odds in zip(pairs[order].tolist(), score[order].tolist(), strict=True)
    ]


def edge_pairs(rects: TileRects, options: JoinOptions) -> tuple[IntArray, F64Array]:
    """Return pairs (tile, edge, tile, edge), shape (m, 4), and the log-odds of their positions."""
    middles, normals = rects.edges()
    n = len(middles)
    near = np.linalg.norm(rects.centre[:, None] - rects.centre[None], axis=-1) < rects.wh[0] + options.reach + 10
    first, second = np.nonzero(np.triu(near, 1))
    edges = np.array(_MEETING)
    i, j = np.repeat(first, len(edges)), np.repeat(second, len(edges))
    e, f = np.tile(edges, (len(first), 1)).T if n and len(first) else (np.zeros(0, int), np.zeros(0, int))
    delta = middles[j, f] - middles[i, e]
    facing = normals[i, e] - normals[j, f]
    cos = -(normals[i, e] * normals[j, f]).sum(1)
    facing = facing / np.maximum(np.linalg.norm(facing, axis=1, keepdims=True), 1e-9)
    gap = (delta * facing).sum(1)
    aside = delta[:, 0] * facing[:, 1] - delta[:, 1] * facing[:, 0]
    angle = np.arccos(np.clip(cos, -1, 1))
    turns = np.isin(e, _SIDES) | np.isin(f, _SIDES)
    spread = np.where(gap < options.gap_mean, options.overlap_sigma, options.gap_sigma)
    sideways = np.where(turns, options.side_sigma, options.aside_sigma)
    away = ((gap - options.gap_mean) / spread) ** 2 + (aside / sideways) ** 2 + (angle / options.angle_sigma) ** 2
    score = options.base - away / 2 - options.corner * ((e > 1) & (f > 1))
    keep = (np.abs(gap) < options.reach) & (np.abs(aside) < options.reach) & (angle < 0.9) & (score > options.least - 4)
    return np.stack([i, e, j, f], 1)[keep], score[keep]


def _values(half_p: F64Array) -> tuple[F64Array, F64Array]:
    """Return the distribution of pips at each edge, (n, 8, K), and the probability of a double, (n,)."""
    both = half_p[:, 0] * half_p[:, 1]
    double = both.sum(1)
    middle = both / np.maximum(double[:, None], 1e-12)
    a, b = half_p[:, 0], half_p[:, 1]
    values = np.stack([a, b, a, a, b, b, middle, middle], 1)
    return values, double


def _beside(rects: TileRects) -> IntArray:
    """Return with how many others each tile lies side by side, long side along long side."""
    delta = rects.centre[None] - rects.centre[:, None]
    along = np.abs((delta * rects.axis[:, None]).sum(-1))
    across = np.abs(delta[..., 0] * rects.axis[:, None, 1] - delta[..., 1] * rects.axis[:, None, 0])
    parallel = np.abs(rects.axis @ rects.axis.T) > 0.94
    length, width = rects.wh
    touching = parallel & (along < length / 5) & (across < width * 1.6) & (across > width / 2)
    return np.asarray(touching.sum(1), np.int64)


def choose_joins(
    candidates: Sequence[Candidate],
    count: int,
    options: JoinOptions,
    forced: frozenset[Key] = frozenset(),
    banned: frozenset[Key] = frozenset(),
) -> JoinChoice:
    """Return the likeliest joins that leave each edge covered once and close no loop.

    Best first, as for a spanning tree; a second join at one half must pay for being a branch.

    Args:
        candidates: what may be joined, the likeliest first.
        count: how many tiles there are.
        options: tolerances.
        forced: candidates that are taken before all others, whatever they score.
        banned: candidates that are not taken.
    """
    group = list(range(count))
    covered: set[tuple[int, int]] = set()
    halves: dict[tuple[int, Part], int] = {}
    taken: list[Candidate] = []
    loops: list[Candidate] = []
    pairs: set[tuple[int, int]] = set()
    for candidate in sorted(candidates, key=lambda candidate: (candidate.key not in forced, -candidate.score)):
        join, score = candidate.join, candidate.score
        slots = candidate.slots
        parts: tuple[tuple[int, Part], ...] = ((join.a, join.a_part), (join.b, join.b_part))
        if any(slot in covered for slot in slots) or (join.a, join.b) in pairs or candidate.key in banned:
            continue
        for part in parts:
            score -= options.branch * (halves.get(part, 0) if part[1] != "m" else 0)
        if score <= 0 and candidate.key not in forced:
            continue
        a, b = _root(group, join.a), _root(group, join.b)
        if a == b:
            loops.append(candidate)
            continue
        group[a] = b
        taken.append(replace(candidate, score=score))
        pairs.add((join.a, join.b))
        for tile, edge in slots:
            covered.add((tile, edge))
            covered.update((tile, other) for other in OVERLAPS.get(edge, ()))
        for part in parts:
            halves[part] = halves.get(part, 0) + 1
    return JoinChoice(
        tuple(_strong_enough(taken, group, options)),
        tuple(candidate for candidate in loops if candidate.score > options.base),
    )


def _strong_enough(taken: list[Candidate], group: list[int], options: JoinOptions) -> list[Candidate]:
    """Return the joins of every chain but those of two tiles beside a longer one, and of doubtful ones.

    There is one line of play: each chain beside the strongest must be one beyond doubt, seen in pieces.
    """
    chains: dict[int, list[Candidate]] = {}
    for candidate in taken:
        chains.setdefault(_root(group, candidate.join.a), []).append(candidate)
    longest = max((len(chain) for chain in chains.values()), default=0)
    strength = {tile: sum(candidate.score for candidate in chain) for tile, chain in chains.items()}
    strongest = max(strength, key=lambda tile: strength[tile], default=-1)
    kept: list[Candidate] = []
    for tile, chain in chains.items():
        if len(chain) == 1 and (longest > 1 or strength[tile] < options.pair):
            continue
        if tile != strongest and strength[tile] < options.apart:
            continue
        kept.extend(chain)
    return kept


def _root(group: list[int], tile: int) -> int:
    while group[tile] != tile:
        group[tile] = group[group[tile]]
        tile = group[tile]
    return tile
