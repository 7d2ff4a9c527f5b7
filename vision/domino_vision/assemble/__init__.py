"""From readings to a table: the plane, the joins, the values decoded together, the layout, the count."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from domino_rules.tile import Tile, TileSet
from domino_vision.assemble.asking import at_chain, joins_as_read, legality_in_doubt, overruled
from domino_vision.assemble.count import open_end_count
from domino_vision.assemble.decode import Decoded, decode, half_probabilities
from domino_vision.assemble.doubts import chain_doubts
from domino_vision.assemble.faces import faces_read, lying_in_chain
from domino_vision.assemble.joins import JoinChoice, JoinOptions, TileRects, find_joins
from domino_vision.assemble.layout_of import layouts_of
from domino_vision.assemble.plane import TablePlane, face_weight, fit_plane
from domino_vision.assemble.tree import part_value
from domino_vision.types import (
    BACK_CLASS,
    F64Array,
    Face,
    Join,
    ReadTile,
    TableObservation,
    TableProblem,
    TileReadings,
    TileRole,
)

__all__ = ["AssembleOptions", "assemble", "fit_plane", "open_end_count"]


@dataclass(frozen=True, slots=True)
class AssembleOptions:
    """When a person is asked, and how joins are found."""

    ask_count: float = 0.9
    """Ask if the open-end count, or whether a join is legal, is less certain than this."""
    ask_tile: float = 0.5
    """Ask if a tile of the chain, or so near that it may be, is less certain; without a chain of three, if any is."""
    joint: bool = True
    """Decode the tiles together; otherwise each half stands alone (to measure what decoding gains)."""
    joins: JoinOptions = field(default_factory=JoinOptions)


def assemble(
    readings: TileReadings,
    size_wh: tuple[int, int],
    tile_set: TileSet,
    *,
    timings_ms: Mapping[str, float] | None = None,
    options: AssembleOptions | None = None,
) -> TableObservation:
    """Return what lies on the table: tiles with roles and values, joins, layouts, the count and how sure all that is.

    Args:
        readings: the tiles found, with a distribution over each half.
        size_wh: width and height of the frame in pixels.
        tile_set: the set in use.
        timings_ms: milliseconds of earlier stages (`detect`, `read`); `assemble` and `whole` are added.
        options: thresholds.
    """
    started = time.perf_counter()
    options = options or AssembleOptions()
    face = faces_read(readings)
    plane = _plane(readings, face, size_wh)
    most_pips = _most_pips(readings, np.flatnonzero(face == Face.UP), tile_set)
    face = lying_in_chain(readings, face, plane, most_pips, options.joins)
    quads_mm = plane.to_mm(readings.corners_px).astype(np.float32)
    up = np.flatnonzero(face == Face.UP)
    half_p = half_probabilities(readings.half_logp[up], most_pips)
    rects = TileRects.from_quads(quads_mm[up].astype(np.float64), plane.tile_wh_mm)
    choice = find_joins(rects, half_p, options.joins)
    decoded = decode(half_p, choice.joins, tile_set, joint=options.joint)
    tiles = _tiles(readings, quads_mm, face, up, choice, decoded)
    joins = tuple(Join(int(up[j.a]), j.a_part, int(up[j.b]), j.b_part) for j in choice.joins)
    halves = [tile.halves for tile in tiles]
    layouts, branches = layouts_of(halves, joins, quads_mm.mean(1).astype(np.float64))
    count = open_end_count(halves, joins)
    all_rects = TileRects.from_quads(quads_mm.astype(np.float64), plane.tile_wh_mm)
    doubts = chain_doubts(all_rects, up, np.flatnonzero(face != Face.UP), joins, halves)
    count_p = _count_confidence(count, choice, decoded) * _chain_whole_p(doubts, tiles)
    problems = (*branches, *_problems(up, choice, decoded, joins, tile_set), *doubts)
    found = joins_as_read(half_p, choice.joins, decoded.halves)
    ask = (
        _least(tiles, plane.tile_wh_mm) < options.ask_tile
        or (count is not None and count_p < options.ask_count)
        or (options.joint and legality_in_doubt(decoded.match_p, choice.joins, found, options.ask_count))
        or overruled(half_p, choice.joins, decoded.halves)
    )
    spent = dict(timings_ms or {})
    spent["assemble"] = (time.perf_counter() - started) * 1e3
    spent["whole"] = sum(value for name, value in spent.items() if name != "whole")
    return TableObservation(
        size_wh=size_wh,
        tiles=tiles,
        joins=joins,
        layouts=layouts,
        open_end_count=count,
        count_confidence=count_p,
        ask=ask,
        problems=problems,
        px_to_mm=plane.px_to_mm,
        tile_px=_tile_px(readings, face),
        timings_ms=spent,
    )


def _plane(readings: TileReadings, face: NDArray[np.uint8], size_wh: tuple[int, int]) -> TablePlane:
    return fit_plane(readings.corners_px, size_wh, face_weight(face))


def _most_pips(readings: TileReadings, up: NDArray[np.int64], tile_set: TileSet) -> int:
    """Return the most pips to decode: the set's, or more if a half clearly shows more."""
    if not len(up):
        return tile_set.max_half
    over = np.exp(readings.half_logp[up, :, tile_set.max_half + 1 : BACK_CLASS].astype(np.float64)).sum(-1)
    return BACK_CLASS - 1 if over.size and float(over.max()) > 0.9 else tile_set.max_half


def _tiles(
    readings: TileReadings,
    quads_mm: NDArray[np.float32],
    face: NDArray[np.uint8],
    up: NDArray[np.int64],
    choice: JoinChoice,
    decoded: Decoded,
) -> tuple[ReadTile, ...]:
    chain = {int(up[i]) for join in choice.joins for i in (join.a, join.b)}
    if len(up) == 1 and not chain:
        chain = {int(up[0])}
    place = {int(index): k for k, index in enumerate(up)}
    tiles = []
    for i in range(len(readings)):
        role = {Face.DOWN: TileRole.DOWN, Face.STANDING: TileRole.STANDING}.get(Face(int(face[i])), TileRole.LOOSE)
        halves, confidence, half_confidence = None, float(readings.score[i]), None
        if i in place:
            role = TileRole.CHAIN if i in chain else TileRole.LOOSE
            halves, confidence = decoded.halves[place[i]], _unit(decoded.confidence[place[i]])
            first, second = decoded.half_p[place[i], (0, 1), halves]
            half_confidence = (_unit(first), _unit(second))
        tiles.append(ReadTile(readings.corners_px[i], quads_mm[i], halves, _unit(confidence), role, half_confidence))
    return tuple(tiles)


def _least(tiles: tuple[ReadTile, ...], tile_wh_mm: tuple[float, float]) -> float:
    """Return how sure the least sure face-up tile is: of the chain and of what may belong to it, else of all.

    Two tiles among others may touch by chance: they make no chain that the others do not belong to.
    """
    up = [i for i, tile in enumerate(tiles) if tile.halves is not None]
    chain = [i for i in up if tiles[i].role is TileRole.CHAIN]
    if len(chain) > 2:
        quads_mm = np.stack([tile.quad_mm for tile in tiles])
        up = at_chain(quads_mm, up, chain, tile_wh_mm[0] / 2)
    return min((tiles[i].confidence for i in up), default=1.0)


def _unit(value: float | np.floating) -> float:
    return min(max(float(value), 0.0), 1.0)


def _count_confidence(count: int | None, choice: JoinChoice, decoded: Decoded) -> float:
    """Return the probability of the count: that of the values, times that of each join that is in doubt."""
    if count is None:
        return 1.0
    if not len(decoded.count_p):
        value_p = float(decoded.confidence[0]) if len(decoded.confidence) == 1 else 1.0
    else:
        value_p = float(decoded.count_p[count]) if count < len(decoded.count_p) else 0.0
    scores = np.array([*choice.scores, *(-candidate.score for candidate in choice.doubtful)])
    joins_p = float(np.prod(1 / (1 + np.exp(-2 * scores)))) if len(scores) else 1.0
    return _unit(value_p * joins_p * 0.5 ** len(choice.loops))


def _chain_whole_p(doubts: tuple[TableProblem, ...], tiles: tuple[ReadTile, ...]) -> float:
    """Return the probability that the chain is what it seems in spite of all doubts.

    A tile that surely stands on its edge is in a hand, not in the chain; any other doubt is as likely right as not.
    """
    standing = [tiles[i] for p in doubts for i in p.tiles[1:] if tiles[i].role is TileRole.STANDING]
    certain = [max(0.5, tile.confidence) for tile in standing]
    return float(np.prod(certain)) * 0.5 ** (len(doubts) - len(certain))


def _problems(
    up: NDArray[np.int64], choice: JoinChoice, decoded: Decoded, joins: tuple[Join, ...], tile_set: TileSet
) -> tuple[TableProblem, ...]:
    problems: list[TableProblem] = []
    for join, own, match in zip(joins, choice.joins, decoded.match_p or [1.0] * len(joins), strict=True):
        values = [part_value(decoded.halves[own.a], own.a_part), part_value(decoded.halves[own.b], own.b_part)]
        if values[0] != values[1]:
            problems.append(TableProblem("illegal_join", (join.a, join.b), {"halves": values, "match_p": match}))
    problems += [TableProblem("loop", (int(up[c.join.a]), int(up[c.join.b]))) for c in choice.loops]
    problems += [TableProblem("not_in_set", (int(up[i]),), {"set": tile_set.name}) for i in decoded.outside]
    places: dict[Tile, list[int]] = {}
    for index, halves in zip(up.tolist(), decoded.halves, strict=True):
        places.setdefault(Tile(*halves), []).append(index)
    for tile, where in places.items():
        if tile in tile_set and len(where) > tile_set.copies(tile):
            problems.append(TableProblem("duplicate_tile", tuple(where), {"tile": str(tile)}))
    return tuple(problems)


def _tile_px(readings: TileReadings, face: NDArray[np.uint8]) -> float:
    """Return the median length of the tiles that lie, in pixels; of standing ones if no other is there."""
    if not len(readings):
        return 0.0
    ends: F64Array = readings.corners_px.reshape(-1, 2, 2, 2).mean(2).astype(np.float64)
    lengths = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    lying = face != Face.STANDING
    return float(np.median(lengths[lying] if lying.any() else lengths))
