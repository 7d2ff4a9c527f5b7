"""What may be wrong with a chain as a whole: a tile of it that was missed, or that shows no face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from domino_vision.assemble.count import parts_joined
from domino_vision.assemble.joins import EDGE_PARTS, END_EDGES, JoinOptions, TileRects, edge_pairs
from domino_vision.types import F32Array, F64Array, IntArray, Join, Part, TableProblem

_AT_CHAIN: Final = 3.0
"""Log-odds, less than those of a perfect place, down to which a face-down tile lies where a tile of the chain would."""
_ASIDE_MM: Final = 8.0
_ANGLE: Final = 0.25
_PART: Final = 0.8
"""A tile of the chain that is shorter than this share of the others is not seen whole."""
_PART_AT_EDGE: Final = 0.92
"""The same of a tile at the edge of the picture."""
_CHANCE: Final = 2.0
"""A tile that is joined to nothing may lie in line by chance: it must do so this much more exactly to be in doubt."""


def chain_doubts(
    rects: TileRects,
    up: IntArray,
    down: IntArray,
    joins: tuple[Join, ...],
    halves: Sequence[tuple[int, int] | None],
) -> tuple[TableProblem, ...]:
    """Return why the chain may not be what it seems: `split_chain`, `gap_in_chain`, `face_down_at_chain`.

    A tile that shows no face is in doubt only at an open end, where it would change the count; beside the chain it
    changes nothing.

    Args:
        rects: all tiles.
        up: indices of the face-up tiles.
        down: indices of the tiles that show no face, lying or standing.
        joins: the joins of the chain, by index into `rects`.
        halves: pips of each tile; None for those that show no face.
    """
    groups = _groups(joins)
    if not groups:
        return ()
    problems = [TableProblem("split_chain", tuple(sorted(group))) for group in groups[1:]]
    problems += _gaps(rects, up, groups)
    return (*problems, *_face_down(rects, down, joins, halves))


def parts_of_tiles(
    quads_px: F32Array, quads_mm: F32Array, size_wh: tuple[int, int], length_mm: float, joins: tuple[Join, ...]
) -> tuple[TableProblem, ...]:
    """Return which tiles of the chain are not seen whole, `part_of_tile`: cut off, covered, or no tile at all.

    What is read in them may be half of what lies there.

    Args:
        quads_px: shape (n, 4, 2), corners of all tiles in the picture.
        quads_mm: shape (n, 4, 2), the same on the table; 0-1 and 2-3 are the short edges.
        size_wh: width and height of the picture in pixels.
        length_mm: length of a tile.
        joins: the joins of the chain.
    """
    chain = sorted(parts_joined(joins))
    ends = quads_mm[chain].reshape(-1, 2, 2, 2).mean(2)
    share = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1) / length_mm
    within = quads_px[chain]
    at_edge = ((within <= 0) | (within >= np.array(size_wh))).any((1, 2))
    parts = share < np.where(at_edge, _PART_AT_EDGE, _PART)
    return tuple(TableProblem("part_of_tile", (i,)) for i, part in zip(chain, parts, strict=True) if part)


def _groups(joins: tuple[Join, ...]) -> list[set[int]]:
    """Return the tiles of each chain, the longest first."""
    groups: list[set[int]] = []
    for join in joins:
        met = [group for group in groups if join.a in group or join.b in group]
        groups = [group for group in groups if group not in met]
        groups.append({join.a, join.b}.union(*met))
    return sorted(groups, key=lambda group: (-len(group), min(group)))


def _gaps(rects: TileRects, up: IntArray, groups: list[set[int]]) -> list[TableProblem]:
    """Return pairs of tiles, one of the chain, with room for a tile between an end of one and an edge of the other."""
    length, width = rects.wh
    middles, normals = rects.edges()
    ends, outward = middles[up][:, :2].reshape(-1, 2), normals[up][:, :2].reshape(-1, 2)
    edges, normal = middles[up].reshape(-1, 2), normals[up].reshape(-1, 2)
    group = np.array([next((k for k, g in enumerate(groups) if i in g), -1 - i) for i in up.tolist()])
    first, second = np.repeat(group, 2)[:, None], np.repeat(group, 8)[None]
    delta = edges[None] - ends[:, None]
    gap = (delta * outward[:, None]).sum(-1)
    aside = np.abs(delta[..., 0] * outward[:, None, 1] - delta[..., 1] * outward[:, None, 0])
    exact = np.where((first >= 0) & (second >= 0), 1.0, _CHANCE)
    room = (np.abs(gap - length) < length / 5 / exact) | (np.abs(gap - width - 2) < width / 4 / exact)
    missing = room & (aside < _ASIDE_MM / exact) & (-(outward @ normal.T) > np.cos(_ANGLE / exact))
    missing &= (first != second) & ((first >= 0) | (second >= 0))
    missing &= ~_filled(ends, outward, rects.centre, length)[:, None]
    pairs = {tuple(sorted((int(up[i // 2]), int(up[j // 8])))) for i, j in np.argwhere(missing)}
    return [TableProblem("gap_in_chain", pair) for pair in sorted(pairs)]


def _filled(ends: F64Array, outward: F64Array, centre: F64Array, length: float) -> NDArray[np.bool_]:
    """Return for each end whether a tile lies just before it."""
    ahead = ends + outward * length / 2
    return np.asarray((np.linalg.norm(ahead[:, None] - centre[None], axis=-1) < length * 0.4).any(1))


def _face_down(
    rects: TileRects, down: IntArray, joins: tuple[Join, ...], halves: Sequence[tuple[int, int] | None]
) -> list[TableProblem]:
    parts = parts_joined(joins)
    tiles = np.array(sorted(parts), np.int64)
    both = np.concatenate([tiles, down])
    if not len(down):
        return []
    options = JoinOptions()
    pairs, score = edge_pairs(TileRects(rects.centre[both], rects.axis[both], rects.wh), options)
    mixed = (pairs[:, 0] < len(tiles)) & (pairs[:, 2] >= len(tiles)) & (score > options.base - _AT_CHAIN)
    found = {
        (int(both[i]), int(both[j]))
        for i, edge, j, _ in pairs[mixed].tolist()
        if _is_open(halves[int(both[i])], parts[int(both[i])], edge)
    }
    return [TableProblem("face_down_at_chain", pair) for pair in sorted(found)]


def _is_open(halves: tuple[int, int] | None, joined: Counter[Part], edge: int) -> bool:
    """Return whether a tile laid against an edge of a tile of the chain would cover an open end.

    A double is open wherever a tile can still lie, but at its ends while one of its long sides alone is covered: those
    are arms, which wait for the other side. A joined part may be the end of a half or its side, so it does not say
    which edge is covered; that is no matter, as nothing else lies where a tile lies already. Another tile is open at
    each half that nothing is joined to, and nowhere at the middle of a long side.
    Source: RULES 4.1.
    """
    part = EDGE_PARTS[edge]
    if halves is None or halves[0] != halves[1]:
        return part != "m" and not joined[part]
    return edge not in END_EDGES or joined["m"] != 1 or joined.total() > 1
