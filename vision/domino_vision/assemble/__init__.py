"""From readings to a table: the plane, the joins, the values decoded together, the layout, the count."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from domino_rules.tile import Tile, TileSet
from domino_vision.assemble.asking import AskingOptions, Believed, questions
from domino_vision.assemble.count import open_end_count
from domino_vision.assemble.decode import Decoded, half_probabilities
from domino_vision.assemble.doubts import chain_doubts, parts_of_tiles
from domino_vision.assemble.faces import blank_in_chain, blank_p, faces_read, lying_in_chain
from domino_vision.assemble.hypotheses import UNJOINED, Hypothesis, way_by_place, ways_joined
from domino_vision.assemble.joins import JoinOptions, TileRects
from domino_vision.assemble.layout_of import layouts_of
from domino_vision.assemble.plane import TablePlane, face_weight, fit_plane
from domino_vision.assemble.posterior import Posterior, believe
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

_OTHER_SET: Final = 0.25
"""How likely it is, before anything is read, that a set with more pips lies there: people forget to name it."""
_OVER_IN_OTHER: Final = 0.35
"""Share of halves with more pips than double-six has: three of ten in double-nine, six of thirteen in double-twelve."""
_OVER_IN_OWN: Final = 0.02
"""So often a half is read with more pips than the set has, by a pattern of the tile's body for one."""

__all__ = ["AssembleOptions", "assemble", "fit_plane", "open_end_count"]


@dataclass(frozen=True, slots=True)
class AssembleOptions:
    """When a person is asked, and how joins are found."""

    asking: AskingOptions = field(default_factory=AskingOptions)
    joint: bool = True
    """Decode the tiles together; else each half and each join stands alone (to measure what decoding gains)."""
    joins: JoinOptions = field(default_factory=JoinOptions)
    line: bool = True
    """Whether the game has a line of play; where it has none, tiles that touch are not joined."""


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
    blank = blank_in_chain(readings, face, plane, tile_set, most_pips, options.joins) if options.line else None
    if blank is not None:
        face[blank] = Face.UP
    quads_mm = plane.to_mm(readings.corners_px).astype(np.float32)
    up = np.flatnonzero(face == Face.UP)
    half_p = half_probabilities(readings.half_logp[up], most_pips)
    if blank is not None:
        half_p[up == blank] = blank_p(half_p.shape[2])
    rects = TileRects.from_quads(quads_mm[up].astype(np.float64), plane.tile_wh_mm)
    seen = believe(half_p, _ways(rects, half_p, options), tile_set, joint=options.joint)
    tiles = _tiles(readings, quads_mm, face, up, seen)
    joins = tuple(Join(int(up[j.a]), j.a_part, int(up[j.b]), j.b_part) for j in seen.joins)
    halves = [tile.halves for tile in tiles]
    count = open_end_count(halves, joins) if options.line else None
    centres = quads_mm.mean(1).astype(np.float64)
    layouts, branches = layouts_of(halves, joins, centres) if options.line else ((), ())
    all_rects = TileRects.from_quads(quads_mm.astype(np.float64), plane.tile_wh_mm)
    doubts = (
        *chain_doubts(all_rects, up, np.flatnonzero(face != Face.UP), joins, halves),
        *parts_of_tiles(readings.corners_px, quads_mm, size_wh, plane.tile_wh_mm[0], joins),
    )
    table = Believed(tiles, up, half_p, seen, count, _count_confidence(count, seen.decoded), doubts)
    asked = questions(table, plane.tile_wh_mm, options.asking)
    spent = dict(timings_ms or {})
    spent["assemble"] = (time.perf_counter() - started) * 1e3
    spent["whole"] = sum(value for name, value in spent.items() if name != "whole")
    return TableObservation(
        size_wh=size_wh,
        tiles=tiles,
        joins=joins,
        layouts=layouts,
        open_end_count=count,
        count_confidence=table.count_p * table.whole_p,
        questions=asked,
        problems=(*branches, *_problems(up, seen, joins, tile_set), *doubts),
        px_to_mm=plane.px_to_mm,
        tile_px=_tile_px(readings, face),
        timings_ms=spent,
    )


def _ways(rects: TileRects, half_p: F64Array, options: AssembleOptions) -> tuple[Hypothesis, ...]:
    if not options.line:
        return (UNJOINED,)
    if not options.joint:
        return (way_by_place(rects, half_p, options.joins),)
    return ways_joined(rects, half_p, options.joins)


def _plane(readings: TileReadings, face: NDArray[np.uint8], size_wh: tuple[int, int]) -> TablePlane:
    return fit_plane(readings.corners_px, size_wh, face_weight(face))


def _most_pips(readings: TileReadings, up: NDArray[np.int64], tile_set: TileSet) -> int:
    """Return the most pips to decode: the set's, or all that can be read if the tiles are rather those of another set.

    In a set with more pips many halves show more than this one has; in this set one is misread so now and then.
    """
    if not len(up):
        return tile_set.max_half
    over = np.exp(readings.half_logp[up, :, tile_set.max_half + 1 : BACK_CLASS].astype(np.float64)).sum(-1)
    over = np.clip(np.nan_to_num(over), 0, 1)
    odds = over * (_OVER_IN_OTHER / _OVER_IN_OWN) + (1 - over) * ((1 - _OVER_IN_OTHER) / (1 - _OVER_IN_OWN))
    other = float(np.log(odds).sum() + np.log(_OTHER_SET / (1 - _OTHER_SET)))
    return BACK_CLASS - 1 if other > 0 and over.size and float(over.max()) > 0.9 else tile_set.max_half


def _tiles(
    readings: TileReadings,
    quads_mm: NDArray[np.float32],
    face: NDArray[np.uint8],
    up: NDArray[np.int64],
    seen: Posterior,
) -> tuple[ReadTile, ...]:
    chain, decoded = {int(up[i]) for join in seen.joins for i in (join.a, join.b)}, seen.decoded
    half_p = decoded.half_p
    if len(up) == 1 and not chain:
        chain = {int(up[0])}
    place = {int(index): k for k, index in enumerate(up)}
    tiles = []
    for i in range(len(readings)):
        role = {Face.DOWN: TileRole.DOWN, Face.STANDING: TileRole.STANDING}.get(Face(int(face[i])), TileRole.LOOSE)
        halves, confidence, half_confidence = None, _face_p(readings, i, role), None
        if i in place:
            role = TileRole.CHAIN if i in chain else TileRole.LOOSE
            halves, confidence = decoded.halves[place[i]], _unit(decoded.confidence[place[i]])
            first, second = half_p[place[i], (0, 1), halves]
            half_confidence = (_unit(first), _unit(second))
        tiles.append(ReadTile(readings.corners_px[i], quads_mm[i], halves, _unit(confidence), role, half_confidence))
    return tuple(tiles)


def _face_p(readings: TileReadings, index: int, role: TileRole) -> float:
    """Return how likely a tile whose face is not seen lies so, or stands.

    What stands may look like a back. What lies face down reads as one: where nothing of a back is read, it stands.
    """
    score = float(readings.score[index])
    if role is not TileRole.STANDING:
        return score
    back = float(np.exp(readings.half_logp[index, :, BACK_CLASS].astype(np.float64)).mean())
    return score / max(score + (1 - score) * back, 1e-9)


def _unit(value: float | np.floating) -> float:
    return min(max(float(value), 0.0), 1.0)


def _count_confidence(count: int | None, decoded: Decoded) -> float:
    """Return the probability of the count, over all values and all ways in which the tiles may be joined."""
    if count is None:
        return 1.0
    if not len(decoded.count_p):
        return float(decoded.confidence[0]) if len(decoded.confidence) == 1 else 1.0
    return _unit(decoded.count_p[count]) if count < len(decoded.count_p) else 0.0


def _problems(
    up: NDArray[np.int64], seen: Posterior, joins: tuple[Join, ...], tile_set: TileSet
) -> tuple[TableProblem, ...]:
    problems, decoded = list[TableProblem](), seen.decoded
    for join, own, match in zip(joins, seen.joins, decoded.match_p, strict=True):
        values = [part_value(decoded.halves[own.a], own.a_part), part_value(decoded.halves[own.b], own.b_part)]
        if values[0] != values[1]:
            problems.append(TableProblem("illegal_join", (join.a, join.b), {"halves": values, "match_p": match}))
    problems += [TableProblem("loop", (int(up[j.a]), int(up[j.b]))) for j in seen.loops]
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
