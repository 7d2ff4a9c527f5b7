"""Why a person is asked about one picture: what could change the open-end count or a join's legality."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from domino_vision.assemble.posterior import Posterior
from domino_vision.assemble.tree import part_value
from domino_vision.types import F32Array, F64Array, IntArray, Join, Part, ReadTile, TableProblem, TileRole

SURE_READ: Final = 0.98
"""Probability, by the reader alone, from which two touching halves together are taken as read.

All other readings together, the legal ones among them, then stand at 1:49 or worse: that the join is illegal is told,
and nobody is asked whether it is. The open-end count has the last word by its own posterior: where it hangs on such a
join and is not sure, a person is asked all the same.
"""
_NAMED: Final = 0.95
"""Where the count is in doubt, each tile and join that is less certain than this is named, else the least certain."""
_ALIKE: Final = 0.005
"""Probabilities that differ by less are equally certain."""


@dataclass(frozen=True, slots=True)
class AskingOptions:
    """How certain a table must be for nobody to be asked."""

    count: float = 0.9
    """Ask if the open-end count, or whether a join is legal, is less certain than this."""
    tile: float = 0.5
    """Ask if a tile of the chain, or so near that it may be, is less certain; without a chain of three, if any is."""


@dataclass(frozen=True, slots=True)
class Believed:
    """A table as it is believed to lie, and what is doubtful.

    Attributes:
        tiles: all tiles.
        up: indices of those that lie face up; `half_p` and `seen` count these alone.
        half_p: shape (n, 2, K) float64, each half as read, before any tile told on another.
        seen: the posterior.
        count: the open-end count; None without a chain.
        count_p: its probability if the chain is what it seems.
        doubts: why the chain may not be what it seems.
    """

    tiles: Sequence[ReadTile]
    up: IntArray
    half_p: F64Array
    seen: Posterior
    count: int | None
    count_p: float
    doubts: tuple[TableProblem, ...]

    @property
    def whole_p(self) -> float:
        """Probability that the chain is what it seems in spite of all doubts."""
        return float(np.prod([self.unfounded_p(doubt) for doubt in self.doubts]))

    def unfounded_p(self, doubt: TableProblem) -> float:
        """Return the probability that a doubt is unfounded.

        A tile that surely stands on its edge is in a hand, not in the chain; any other doubt is as likely right as not.
        """
        standing = [self.tiles[i].confidence for i in doubt.tiles[1:] if self.tiles[i].role is TileRole.STANDING]
        return max(0.5, min(standing, default=0.5))


def questions(table: Believed, tile_wh_mm: tuple[float, float], options: AskingOptions) -> tuple[TableProblem, ...]:
    """Return why a person should look at a picture; nothing if the answer could change neither count nor legality.

    Args:
        table: what is believed.
        tile_wh_mm: length and width of a tile.
        options: thresholds.
    """
    return (
        *_tiles_unsure(table, tile_wh_mm, options.tile),
        *_count_unsure(table, options.count),
        *_legality_unsure(table, options.count),
        *_overruled(table),
    )


def _tiles_unsure(table: Believed, tile_wh_mm: tuple[float, float], sure: float) -> Iterator[TableProblem]:
    """Yield tiles that are badly read: of the chain and of what may belong to it, else of all.

    Two tiles among others may touch by chance, and so may more where no rule is kept: they make no chain that the
    others do not belong to.
    """
    tiles = table.tiles
    up = [i for i, tile in enumerate(tiles) if tile.halves is not None]
    unsure = [i for i in up if tiles[i].confidence < sure]
    chain = [i for i in up if tiles[i].role is TileRole.CHAIN]
    if unsure and len(chain) > 2 and table.seen.lawful:
        unsure = at_chain(np.stack([tile.quad_mm for tile in tiles]), unsure, chain, tile_wh_mm[0] / 2)
    for i in unsure:
        yield TableProblem("tile_unsure", (i,), {"confidence": round(tiles[i].confidence, 3)})


def _count_unsure(table: Believed, sure: float) -> Iterator[TableProblem]:
    """Yield what makes the open-end count unsure: tips that are badly read, joins in doubt, doubts about the chain.

    Where surely no rule is kept there is no score that the count could change.
    """
    if table.count is None or table.count_p * table.whole_p >= sure:
        return
    if table.seen.joins and table.seen.lawful_p < 1 - sure:
        return
    if table.count_p < sure:
        chain = sorted({tile for join in table.seen.joins for tile in (join.a, join.b)}) or range(len(table.up))
        pairs = table.seen.pairs_in_doubt(1 - _NAMED)
        certain = table.seen.decoded.confidence
        below = _NAMED if pairs else max(_NAMED, certain[list(chain)].min() + _ALIKE)
        badly = [int(table.up[i]) for i in chain if certain[i] < below]
        others = [count for count, _ in table.seen.decoded.count_alternatives() if count != table.count]
        params = {"count": table.count, "others": others[:2], "confidence": round(table.count_p, 3)}
        yield TableProblem("count_unsure", tuple(badly), params)
        for a, b, p in pairs:
            yield TableProblem("join_unsure", (int(table.up[a]), int(table.up[b])), {"joined_p": round(p, 3)})
    yield from (doubt for doubt in table.doubts if table.unfounded_p(doubt) < _NAMED)


def _legality_unsure(table: Believed, sure: float) -> Iterator[TableProblem]:
    """Yield joins that are illegal neither with at least probability `sure` nor with the rest of it at most.

    What is read surely is no question but a finding.
    """
    seen = table.seen
    as_read = joins_as_read(table.half_p, seen.joins, seen.decoded.halves)
    for join, p in zip(seen.joins, seen.illegal_p, strict=True):
        if max(p, 1 - p) < sure and join not in as_read:
            pair = int(table.up[join.a]), int(table.up[join.b])
            yield TableProblem("legality_unsure", pair, {"illegal_p": round(p, 3)})


def _overruled(table: Believed) -> Iterator[TableProblem]:
    """Yield joined tiles of which a half is taken for another value than the reader surely reads there.

    The others on the table may be right that it cannot be so, or a rule was broken: a person should look.
    """
    halves = table.seen.decoded.halves
    for tile in sorted({tile for join in table.seen.joins for tile in (join.a, join.b)}):
        for half in (0, 1):
            read = int(table.half_p[tile, half].argmax())
            if table.half_p[tile, half, read] >= SURE_READ and read != halves[tile][half]:
                yield TableProblem("overruled", (int(table.up[tile]),), {"read": read, "taken": halves[tile][half]})


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


def _read_p(half_p: F64Array, halves: tuple[int, int], part: Part) -> float:
    """Return how sure the reader is of what a tile shows at a part: one half, at the middle of a long side both."""
    both = [float(half_p[k, value]) for k, value in enumerate(halves)]
    return both[0] * both[1] if part == "m" else both["ab".index(part)]


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
