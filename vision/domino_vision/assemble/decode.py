"""Joint decoding: the values of all tiles together, given what each half looks like and which tiles are joined.

Three things tie the tiles together. Joined halves show the same pips, softly: a small share of joins is illegal and
must be seen as such. A tile that meets another with the middle of its long side is a double. Each tile occurs as often
as the set holds it. Sums over the tree of joins are exact (sum-product); the uniqueness factors are loopy and passed
around a few times. The distribution of the open-end count comes from the same sums with a phase on each tile's
contribution: the result is its characteristic function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from domino_rules.tile import Tile, TileSet
from domino_vision.assemble.count import parts_joined, tip_value
from domino_vision.assemble.tree import JoinTree, part_value
from domino_vision.types import BACK_CLASS, F64Array, IntArray, Join, Part

ILLEGAL: Final = 1e-2
"""Share of joins that break the matching rule."""
_CROSSWISE_PLAIN: Final = 5e-3
"""Share of crosswise tiles that are no doubles."""
_DUPLICATE: Final = 1e-3
"""Weight of a tile beyond those that the set holds."""
_OUTSIDE: Final = 0.05
"""A tile is not of the set if the reader gives the set's values less than this."""
_SWEEPS: Final = 4
_SETTLED: Final = 2e-3
_FLOOR: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Decoded:
    """The values of n tiles.

    Attributes:
        halves: pips of the first and second half, the likeliest assignment of all tiles together.
        marginals: shape (n, K, K), probability of each ordered pair of pips.
        confidence: shape (n,), probability that both halves are right.
        match_p: probability of each join that its halves match.
        count_p: shape (C,), probability of each open-end count; empty without a chain.
        outside: tiles that show pips which the set does not hold.
        room: shape (n, K, K), how likely the other tiles leave each tile over.
    """

    halves: tuple[tuple[int, int], ...]
    marginals: F64Array
    confidence: F64Array
    match_p: tuple[float, ...]
    count_p: F64Array
    outside: tuple[int, ...]
    room: F64Array

    @property
    def half_p(self) -> F64Array:
        """Marginal of each half, shape (n, 2, K)."""
        return np.stack([self.marginals.sum(2), self.marginals.sum(1)], 1)

    def count_alternatives(self, most: int = 3) -> tuple[tuple[int, float], ...]:
        """Return the likeliest open-end counts with their probabilities, best first."""
        order = np.argsort(-self.count_p)[:most]
        return tuple((int(count), float(self.count_p[count])) for count in order)


def half_probabilities(half_logp: NDArray[np.floating], pips: int) -> F64Array:
    """Return the distribution over 0 to `pips` of each half, given that a face is up; shape (n, 2, pips + 1).

    A half that may be unreadable, a back, or seems to show more pips than can be, may show anything; the last is
    likelier what it resembles most.
    """
    logp = half_logp[..., : pips + 1].astype(np.float64)
    logp = np.nan_to_num(logp, nan=-50.0, neginf=-50.0, posinf=0.0)
    p = np.exp(logp - logp.max(-1, keepdims=True, initial=-1e9))
    p = p / np.maximum(p.sum(-1, keepdims=True), _FLOOR)
    unseen = np.exp(half_logp[..., BACK_CLASS:].astype(np.float64)).sum(-1, keepdims=True)
    over = np.exp(half_logp[..., pips + 1 : BACK_CLASS].astype(np.float64)).sum(-1, keepdims=True)
    unseen = np.clip(np.nan_to_num(unseen) + np.nan_to_num(over) / 2, 0, 1)
    return np.asarray((1 - unseen) * p + unseen / (pips + 1), np.float64)


def within_set(half_logp: NDArray[np.floating], most_pips: int) -> NDArray[np.float32]:
    """Return the distributions (..., 15) of halves of a set that is known for certain, natural log.

    A half that seems to show more pips than the set has may show anything; what it resembles most is likelier.
    """
    p = np.exp(np.nan_to_num(half_logp.astype(np.float64), nan=-50.0, neginf=-50.0, posinf=0.0))
    over = p[..., most_pips + 1 : BACK_CLASS].sum(-1, keepdims=True)
    own = p[..., : most_pips + 1]
    likely = own / np.maximum(own.sum(-1, keepdims=True), _FLOOR)
    p[..., : most_pips + 1] += over * (likely + 1 / (most_pips + 1)) / 2
    p[..., most_pips + 1 : BACK_CLASS] = 0
    return np.log(np.maximum(p, _FLOOR)).astype(np.float32)


def decode(
    half_p: F64Array,
    joins: Sequence[Join],
    tile_set: TileSet,
    *,
    joint: bool = True,
    illegal: float = ILLEGAL,
    like: Decoded | None = None,
) -> Decoded:
    """Return the values of face-up tiles, the joined ones and the loose ones together.

    Args:
        half_p: shape (n, 2, K) float64 with K at least the set's most pips + 1, distribution of each half.
        joins: the joins by index into `half_p`; they form no loop.
        tile_set: the set in use.
        joint: whether tiles tell on each other; otherwise each stands alone, as if no reading knew of another.
        illegal: share of joins that break the matching rule on this table.
        like: the same tiles decoded under other joins; the values and what tiles leave over are taken from it, which
            saves most of the work where only the probabilities are wanted.
    """
    n, pips = len(half_p), half_p.shape[2]
    if not n:
        none = np.zeros((0, pips, pips))
        return Decoded((), none, np.zeros(0), (), np.zeros(0), (), none)
    outside = _outside(half_p, tile_set)
    tables = _tables(half_p, joins if joint else (), tile_set, outside)
    tree = JoinTree(joins, n, _equality(pips, illegal if joint else 1 - 1 / pips))
    room = np.ones_like(tables) if like is None else like.room
    if joint and like is None:
        room, marginals, match_p = _with_uniqueness(tree, tables, tile_set)
    else:
        marginals, match_p = tree.sums(tables * room)
    weights = tables * room
    if like is not None:
        halves = like.halves
    else:
        halves = _likeliest(tree, tables, weights, tile_set) if joint else tuple(tree.likeliest(tables))
    chosen = np.array(halves)
    confidence = marginals[np.arange(n), chosen[:, 0], chosen[:, 1]]
    return Decoded(halves, marginals, confidence, match_p, _count(tree, weights, joins), outside, room)


def _equality(pips: int, illegal: float) -> F64Array:
    """Return the weight of two values at a join, shape (K, K)."""
    equal = np.full((pips, pips), illegal / (pips - 1))
    np.fill_diagonal(equal, 1 - illegal)
    return equal


def _outside(half_p: F64Array, tile_set: TileSet) -> tuple[int, ...]:
    known = _in_set(half_p.shape[2], tile_set)
    mass = np.einsum("na,nb,ab->n", half_p[:, 0], half_p[:, 1], known)
    return tuple(int(i) for i in np.flatnonzero(mass < _OUTSIDE))


def _in_set(pips: int, tile_set: TileSet) -> F64Array:
    known = np.zeros((pips, pips))
    for tile in tile_set.kinds:
        if tile.high < pips:
            known[tile.high, tile.low] = known[tile.low, tile.high] = 1
    return known


def _tables(half_p: F64Array, joins: Sequence[Join], tile_set: TileSet, outside: tuple[int, ...]) -> F64Array:
    """Return the weight of each ordered pair of pips for each tile, shape (n, K, K), without its neighbours."""
    pips = half_p.shape[2]
    tables = np.maximum(half_p[:, 0, :, None] * half_p[:, 1, None, :], _FLOOR)
    known = _in_set(pips, tile_set)
    double = np.eye(pips, dtype=bool)
    for i in range(len(half_p)):
        if i not in outside:
            tables[i] *= known
    for i, parts in parts_joined(joins).items():
        if parts["m"]:
            tables[i] = np.where(double, tables[i], tables[i] * _CROSSWISE_PLAIN)
    return np.asarray(tables / tables.sum((1, 2), keepdims=True), np.float64)


def _with_uniqueness(
    tree: JoinTree, tables: F64Array, tile_set: TileSet
) -> tuple[F64Array, F64Array, tuple[float, ...]]:
    """Return the messages of the uniqueness factors, (n, K, K), and the sums over the tree under them."""
    pips = tables.shape[1]
    copies = np.ones((pips, pips), np.int64)
    for tile in tile_set.kinds:
        if tile.high < pips:
            copies[tile.high, tile.low] = copies[tile.low, tile.high] = tile_set.copies(tile)
    factor = np.ones_like(tables)
    marginals, match_p = tree.sums(tables)
    for _ in range(_SWEEPS):
        without = marginals / factor
        without = without / without.sum((1, 2), keepdims=True)
        tile_p = without + without.transpose(0, 2, 1)
        tile_p[:, np.arange(pips), np.arange(pips)] /= 2
        fresh = np.sqrt(factor * _room(np.clip(tile_p, 0, 1 - 1e-9), copies))
        if float((marginals * np.abs(fresh / factor - 1)).sum((1, 2)).max()) < _SETTLED:
            break
        factor = fresh
        marginals, match_p = tree.sums(tables * factor)
    return factor, marginals, match_p


def _room(tile_p: F64Array, copies: IntArray) -> F64Array:
    """Return for each tile and value how likely the others leave a copy of it over, softly; shape (n, K, K).

    The message of an at-most-m factor is a ratio of elementary symmetric sums of the others' odds:
    (e0 + ... + e(m-1)) / (e0 + ... + em). For one copy that is 1 / (1 + sum of the others' odds).
    """
    odds = tile_p / (1 - tile_p)
    others = odds.sum(0, keepdims=True) - odds
    if copies.max() == 1:
        return np.asarray(np.maximum(1 / (1 + others), _DUPLICATE), np.float64)
    most = int(copies.max())
    sums = np.zeros((most + 1, *odds.shape))
    sums[0] = 1
    for j in range(len(odds)):
        own = odds[j] * (np.arange(len(odds)) != j)[:, None, None]
        sums[1:] = sums[1:] + own * sums[:-1]
    totals = np.cumsum(sums, 0)
    below, upto = (np.take_along_axis(totals, (copies - k)[None, None], 0)[0] for k in (1, 0))
    return np.asarray(np.maximum(below / upto, _DUPLICATE), np.float64)


def _likeliest(tree: JoinTree, tables: F64Array, weights: F64Array, tile_set: TileSet) -> tuple[tuple[int, int], ...]:
    """Return the likeliest values: exact on the trees, then tile by tile until no surplus can be traded away."""
    states = tree.likeliest(weights)
    logs, ties = np.log(np.maximum(tables, 1e-300)), np.log(tree.equal)
    neighbours = tree.neighbours()
    for _ in range(3):
        changed = False
        for i in range(tree.count):
            others = Counter(Tile(*state) for k, state in enumerate(states) if k != i)
            if others[Tile(*states[i])] < max(1, tile_set.copies(Tile(*states[i]))):
                continue
            best = max(
                _options(logs[i]), key=lambda s: _energy(s, states, logs[i], ties, neighbours[i], others, tile_set)
            )
            changed |= best != states[i]
            states[i] = best
        if not changed:
            break
    return tuple(states)


def _options(log_table: F64Array) -> list[tuple[int, int]]:
    order = np.argsort(-log_table, axis=None)[:60]
    pips = log_table.shape[1]
    return [(int(k) // pips, int(k) % pips) for k in order]


def _energy(
    state: tuple[int, int],
    states: list[tuple[int, int]],
    logs: F64Array,
    ties: F64Array,
    neighbours: list[tuple[int, Part, Part]],
    others: Counter[Tile],
    tile_set: TileSet,
) -> float:
    """Return the log-weight of a tile's state with all other tiles as they are."""
    total = float(logs[state])
    for other, own, others_part in neighbours:
        total += float(ties[part_value(state, own), part_value(states[other], others_part)])
    tile = Tile(*state)
    return total + (float(np.log(_DUPLICATE)) if others[tile] >= max(1, tile_set.copies(tile)) else 0.0)


def _count(tree: JoinTree, weights: F64Array, joins: Sequence[Join]) -> F64Array:
    """Return the distribution of the open-end count of the joined tiles, shape (C,); empty without joins."""
    parts = parts_joined(joins)
    if not parts:
        return np.zeros(0)
    pips = weights.shape[1]
    values = np.zeros((tree.count, pips, pips), np.int64)
    for i, joined in parts.items():
        values[i] = [[tip_value(a, b, joined) for b in range(pips)] for a in range(pips)]
    most = int(values.max((1, 2)).sum()) + 1
    phases = np.exp(-2j * np.pi * np.arange(most // 2 + 1) / most)
    turns = phases[:, None] ** np.arange(int(values.max()) + 1)
    moved = weights[:, None] * turns[:, values].swapaxes(0, 1)
    full, _ = tree.messages(moved)
    spectrum = np.ones(len(phases), np.complex128)
    for tile in parts:
        if tree.parent[tile] is None:
            total = full[tile].sum((-1, -2))
            spectrum = spectrum * (total / max(abs(total[0]), 1e-300))
    p = np.clip(np.fft.irfft(spectrum, most), 0, None)
    return np.asarray(p / p.sum(), np.float64)
