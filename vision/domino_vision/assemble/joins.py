"""Which tiles are joined, and where: found in table millimetres, between the free edges of the tiles' halves.

A half has three edges that something may be laid against: the tile's end, and half of each long side (a line that
turns). A long side has a middle besides, where a tile meets a crosswise double. A join is the short end of one tile
against any such edge of another. Two long sides side by side are no join, so a row or a pile stays unjoined, but for
one case: a line that turns right at a crosswise double, a half's side against the middle of the double.
"""

from __future__ import annotations

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
_OVERLAPS: Final = {2: (6,), 3: (7,), 4: (6,), 5: (7,), 6: (2, 4), 7: (3, 5)}
"""Edges that cannot both be covered, as they lie on the same stretch of a long side."""
_DOUBTFUL: Final = -1.5
"""Log-odds from which a join that was not taken is in doubt."""


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """How far apart and how crooked joined tiles may lie; lengths in millimetres of a 50 mm tile."""

    base: float = 5.0
    """Log-odds of a join between edges that touch exactly."""
    gap_mean: float = 1.0
    gap_sigma: float = 5.0
    overlap_sigma: float = 4.0
    aside_sigma: float = 5.0
    side_sigma: float = 6.0
    """The same against the side of a half: where a line turns, tiles are shifted more."""
    angle_sigma: float = 0.20
    reach: float = 20.0
    """No join is looked for over a wider gap, or further aside."""
    match: float = 0.95
    """Share of joins that match; by chance a match has `chance`."""
    chance: float = 0.2
    crosswise: float = 0.85
    """Share of doubles that are met at the middle of a side rather than at a half's side."""
    corner: float = 2.0
    """Cost of a line that turns right at a crosswise double, where two long sides touch."""
    branch: float = 2.5
    """Cost of a second join at one half."""
    beside: float = 2.0
    """Cost of a join of a tile that lies side by side with others, as in a hand or a stack."""
    pair: float = 1.0
    """Least log-odds of a chain of two tiles."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible join with its log-odds and the edges that it would cover."""

    join: Join
    edges: tuple[int, int]
    score: float


@dataclass(frozen=True, slots=True)
class JoinChoice:
    """The joins that were taken, and what was left: candidates refused as loops, and near misses.

    Attributes:
        joins: what is joined.
        scores: log-odds of each.
        loops: candidates that would have closed a loop.
        doubtful: candidates at the chain, not taken although their log-odds are not clearly against them.
    """

    joins: tuple[Join, ...]
    scores: tuple[float, ...]
    loops: tuple[Candidate, ...]
    doubtful: tuple[Candidate, ...]


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
    """Return all joins that are geometrically possible, the likeliest first."""
    if len(half_p) < 2:
        return []
    pairs, geometry = edge_pairs(rects, options)
    values, double = _values(half_p)
    beside = _beside(rects)
    found = []
    for (i, e, j, f), score in zip(pairs.tolist(), geometry.tolist(), strict=True):
        match = float(values[i, e] @ values[j, f])
        odds = options.match * match / options.chance + (1 - options.match) * (1 - match) / (1 - options.chance)
        total = score + float(np.log(odds)) - options.beside * float(beside[i] + beside[j])
        for tile, edge in ((i, e), (j, f)):
            if edge in _MIDDLES:
                total += float(np.log(max(double[tile], 1e-2)))
            elif edge in _SIDES:
                total += float(np.log(max(1 - options.crosswise * double[tile], 1e-2)))
        found.append(Candidate(Join(i, EDGE_PARTS[e], j, EDGE_PARTS[f]), (e, f), total))
    return sorted(found, key=lambda candidate: -candidate.score)


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
    keep = (np.abs(gap) < options.reach) & (np.abs(aside) < options.reach) & (angle < 0.9) & (score > -4)
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


def choose_joins(candidates: list[Candidate], count: int, options: JoinOptions) -> JoinChoice:
    """Return the likeliest joins that leave each edge covered once and close no loop.

    Best first, as for a spanning tree; a second join at one half must pay for being a branch.
    """
    group = list(range(count))
    covered: set[tuple[int, int]] = set()
    halves: dict[tuple[int, Part], int] = {}
    taken: list[Candidate] = []
    loops: list[Candidate] = []
    doubtful: list[Candidate] = []
    pairs: set[tuple[int, int]] = set()
    for candidate in sorted(candidates, key=lambda candidate: -candidate.score):
        join, score = candidate.join, candidate.score
        slots = [(join.a, candidate.edges[0]), (join.b, candidate.edges[1])]
        parts: tuple[tuple[int, Part], ...] = ((join.a, join.a_part), (join.b, join.b_part))
        if any(slot in covered for slot in slots) or (join.a, join.b) in pairs:
            continue
        for part in parts:
            score -= options.branch * (halves.get(part, 0) if part[1] != "m" else 0)
        if score <= 0:
            if score > _DOUBTFUL:
                doubtful.append(Candidate(join, candidate.edges, score))
            continue
        a, b = _root(group, join.a), _root(group, join.b)
        if a == b:
            loops.append(candidate)
            continue
        group[a] = b
        taken.append(Candidate(join, candidate.edges, score))
        pairs.add((join.a, join.b))
        for tile, edge in slots:
            covered.add((tile, edge))
            covered.update((tile, other) for other in _OVERLAPS.get(edge, ()))
        for part in parts:
            halves[part] = halves.get(part, 0) + 1
    keep = _strong_enough(taken, group, options)
    chain = {tile for candidate in keep for tile in (candidate.join.a, candidate.join.b)}
    return JoinChoice(
        tuple(candidate.join for candidate in keep),
        tuple(candidate.score for candidate in keep),
        tuple(candidate for candidate in loops if candidate.score > options.base),
        tuple(
            candidate
            for candidate in (_instead(candidate, keep) for candidate in doubtful)
            if candidate.score > _DOUBTFUL and not chain.isdisjoint((candidate.join.a, candidate.join.b))
        ),
    )


def _instead(candidate: Candidate, taken: list[Candidate]) -> Candidate:
    """Return a near miss with its log-odds given that a chain has no loop.

    Between tiles that hang together already it could only stand in the place of the weakest join on the way from one to
    the other, so that one must be wrong as well.
    """
    weakest = {candidate.join.a: np.inf}
    grown = True
    while grown and candidate.join.b not in weakest:
        grown = False
        for link in taken:
            for here, there in ((link.join.a, link.join.b), (link.join.b, link.join.a)):
                if here in weakest and there not in weakest:
                    weakest[there] = min(weakest[here], link.score)
                    grown = True
    if candidate.join.b not in weakest:
        return candidate
    return replace(candidate, score=candidate.score - weakest[candidate.join.b])


def _strong_enough(taken: list[Candidate], group: list[int], options: JoinOptions) -> list[Candidate]:
    """Return the joins of every chain but those of two tiles beside a longer one, and of doubtful pairs."""
    chains: dict[int, list[Candidate]] = {}
    for candidate in taken:
        chains.setdefault(_root(group, candidate.join.a), []).append(candidate)
    longest = max((len(chain) for chain in chains.values()), default=0)
    kept: list[Candidate] = []
    for chain in chains.values():
        if len(chain) == 1 and (longest > 1 or chain[0].score < options.pair):
            continue
        kept.extend(chain)
    return kept


def _root(group: list[int], tile: int) -> int:
    while group[tile] != tile:
        group[tile] = group[group[tile]]
        tile = group[tile]
    return tile
