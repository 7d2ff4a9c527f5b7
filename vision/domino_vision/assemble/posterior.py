"""What is believed of a table: the likeliest joins and values, and how sure each fact is over all that may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from domino_rules.tile import TileSet
from domino_vision.assemble.decode import ILLEGAL, Decoded, decode
from domino_vision.assemble.hypotheses import Hypothesis
from domino_vision.types import F64Array, Join


@dataclass(frozen=True, slots=True)
class Posterior:
    """The likeliest reading of a table, with probabilities over every way in which its tiles may be joined.

    Attributes:
        joins: what is joined, the likeliest way.
        loops: pairs of tiles that touch although the chain would close.
        decoded: the likeliest values under these joins; its probabilities are those over all ways.
        joined_p: probability that each of the joins is one.
        illegal_p: probability of each join that it is one and its halves differ.
        pair_p: of each two tiles that are joined in some way, the probability that they are.
        lawful: whether the likeliest way is a line of play that keeps to the matching rule.
        lawful_p: probability that there is a line of play which does.
    """

    joins: tuple[Join, ...]
    loops: tuple[Join, ...]
    decoded: Decoded
    joined_p: tuple[float, ...]
    illegal_p: tuple[float, ...]
    pair_p: Mapping[tuple[int, int], float]
    lawful: bool = True
    lawful_p: float = 1.0

    def pairs_in_doubt(self, least: float) -> list[tuple[int, int, float]]:
        """Return two tiles each and the probability that they are joined, where that is between `least` and the rest.

        Args:
            least: the least probability that is a doubt, below 0.5.
        """
        return sorted((a, b, p) for (a, b), p in self.pair_p.items() if least < p < 1 - least)


def believe(half_p: F64Array, ways: Sequence[Hypothesis], tile_set: TileSet, *, joint: bool = True) -> Posterior:
    """Return the posterior of a table.

    Args:
        half_p: shape (n, 2, K) float64, distribution of each half.
        ways: how the tiles may be joined, the likeliest way first.
        tile_set: the set in use.
        joint: whether tiles tell on each other; otherwise each stands alone.
    """
    first = ways[0]
    best = decode(half_p, first.choice.joins, tile_set, joint=joint, illegal=first.illegal)
    others = [(way.choice.joins, way.illegal) for way in ways[1:]]
    found = [best, *(decode(half_p, joins, tile_set, illegal=share, like=best) for joins, share in others)]
    p = np.array([way.p for way in ways])
    p = p / p.sum()
    chosen = np.array(best.halves, np.int64).reshape(-1, 2)
    rows = np.arange(len(chosen))
    marginals = np.tensordot(p, np.array([each.marginals for each in found]), 1)
    joined, matched = np.zeros(len(first.choice.joins)), np.zeros(len(first.choice.joins))
    pair_p: dict[tuple[int, int], float] = {}
    for way, share, each in zip(ways, p, found, strict=True):
        match = dict(zip(way.choice.joins, each.match_p, strict=True))
        joined += [share * (join in match) for join in first.choice.joins]
        matched += [share * match.get(join, 0.0) for join in first.choice.joins]
        for join in way.choice.joins:
            pair_p[join.a, join.b] = pair_p.get((join.a, join.b), 0.0) + float(share)
    return Posterior(
        joins=first.choice.joins,
        loops=tuple(candidate.join for candidate in first.choice.loops),
        decoded=replace(
            best,
            marginals=marginals,
            confidence=marginals[rows, chosen[:, 0], chosen[:, 1]],
            match_p=tuple((matched / np.maximum(joined, 1e-12)).tolist()),
            count_p=_mixed([each.count_p for each in found], p),
        ),
        joined_p=tuple(joined.tolist()),
        illegal_p=tuple((joined - matched).tolist()),
        pair_p=pair_p,
        lawful=first.illegal == ILLEGAL,
        lawful_p=float(sum(p[k] for k, way in enumerate(ways) if way.illegal == ILLEGAL and way.choice.joins)),
    )


def _mixed(count_p: Sequence[F64Array], p: F64Array) -> F64Array:
    """Return the distribution of the open-end count; what is missing from 1 is that there is no chain."""
    mixed = np.zeros(max(len(each) for each in count_p))
    for each, share in zip(count_p, p, strict=True):
        mixed[: len(each)] += share * each
    return mixed
