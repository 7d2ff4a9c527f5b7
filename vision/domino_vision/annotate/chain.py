"""What a drawing says about the chain: numbers along it, how each tile is read, where the open ends are."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from domino_vision.assemble.count import parts_joined, tip_value
from domino_vision.types import F64Array, Join, Part, ReadTile, TableObservation, TileRole


@dataclass(frozen=True, slots=True)
class Tip:
    """An open end: the tile, what it adds, the middle of its free side (2,) and the direction away from it (2,)."""

    tile: int
    count: int
    at: F64Array
    out: F64Array


def chain_order(observation: TableObservation) -> list[int]:
    """Return the tiles of the chain, walked from its left-most tip; at a spinner the longest way first."""
    links: dict[int, list[int]] = {}
    for join in observation.joins:
        links.setdefault(join.a, []).append(join.b)
        links.setdefault(join.b, []).append(join.a)
    order: list[int] = []
    left = {index: float(tile.quad_px[:, 0].mean()) for index, tile in enumerate(observation.tiles)}
    todo = sorted(links, key=lambda index: (len(links[index]) > 1, left[index]))
    for start in todo:
        if start not in order:
            _walk(start, links, order)
    alone = (i for i, tile in enumerate(observation.tiles) if tile.role is TileRole.CHAIN and i not in links)
    return [*order, *alone]


def shown_value(tile: ReadTile) -> str:
    """Return a tile's value as it is written: higher half first."""
    return "" if tile.tile is None else str(tile.tile)


def tips(observation: TableObservation) -> list[Tip]:
    """Return the open ends, as the open-end count adds them up; those that add nothing are included.

    Tiles of the chain that its layout does not hold have none.
    """
    parts = parts_joined(observation.joins)
    alone = [i for i, tile in enumerate(observation.tiles) if tile.halves is not None]
    if not parts and len(alone) == 1:
        parts = {alone[0]: Counter()}
    found: list[Tip] = []
    for index, joined in parts.items():
        tile = observation.tiles[index]
        if tile.halves is None or (observation.layout is not None and tile.tile not in observation.layout):
            continue
        a, b = tile.halves
        if a == b:
            if joined.total() <= 1:
                found.append(_tip(index, tile, tip_value(a, b, joined), _free_side(index, observation)))
        elif joined["m"] < 2:
            free: tuple[tuple[Part, int], ...] = (("a", a), ("b", b))
            found += [_tip(index, tile, pips, side_of(tile, part)) for part, pips in free if not joined[part]]
    return found


def side_of(tile: ReadTile, part: Part, towards: F64Array | None = None) -> F64Array:
    """Return the middle of a tile's side (2,): an end, or of the long sides the one nearer to `towards`."""
    quad = tile.quad_px.astype(np.float64)
    if part == "a":
        return np.asarray((quad[0] + quad[1]) / 2)
    if part == "b":
        return np.asarray((quad[2] + quad[3]) / 2)
    sides = [(quad[1] + quad[2]) / 2, (quad[3] + quad[0]) / 2]
    if towards is None:
        return np.asarray(sides[0])
    return np.asarray(min(sides, key=lambda side: float(np.linalg.norm(side - towards))))


def join_point(tiles: Sequence[ReadTile], join: Join) -> F64Array:
    """Return the point (2,) where two joined parts touch, or come nearest."""
    a, b = _outline(tiles[join.a], join.a_part), _outline(tiles[join.b], join.b_part)
    apart = np.linalg.norm(a[:, None] - b[None], axis=2)
    near = apart <= apart.min() + 0.04 * np.ptp(a, axis=0).max()
    weight = near / near.sum()
    return np.asarray((np.einsum("ij,ik->k", weight, a) + np.einsum("ij,jk->k", weight, b)) / 2)


def _outline(tile: ReadTile, part: Part) -> F64Array:
    """Points (48, 2) along the outline of a half, or of the whole tile for its long sides."""
    c0, c1, c2, c3 = tile.quad_px.astype(np.float64)
    if part == "a":
        c2, c3 = (c1 + c2) / 2, (c0 + c3) / 2
    elif part == "b":
        c0, c1 = (c0 + c3) / 2, (c1 + c2) / 2
    share = np.linspace(0, 1, 12, endpoint=False)[:, None]
    ring = ((c0, c1), (c1, c2), (c2, c3), (c3, c0))
    return np.concatenate([start + (end - start) * share for start, end in ring])


def _walk(start: int, links: dict[int, list[int]], order: list[int]) -> None:
    stack = [start]
    while stack:
        tile = stack.pop()
        if tile in order:
            continue
        order.append(tile)
        onward = [other for other in links[tile] if other not in order]
        stack += sorted(onward, key=lambda other: _reach(other, tile, links))


def _reach(tile: int, source: int, links: dict[int, list[int]]) -> int:
    seen, stack = {source}, [tile]
    while stack:
        at = stack.pop()
        if at not in seen:
            seen.add(at)
            stack += links[at]
    return len(seen)


def _free_side(index: int, observation: TableObservation) -> F64Array:
    """The middle of the side across from where a tile is joined; of its second end if it is not."""
    tile = observation.tiles[index]
    for join in observation.joins:
        for me, part, other in ((join.a, join.a_part, join.b), (join.b, join.b_part, join.a)):
            if me == index and part == "m":
                centre = tile.quad_px.mean(axis=0).astype(np.float64)
                return side_of(tile, "m", 2 * centre - observation.tiles[other].quad_px.mean(axis=0))
            if me == index:
                return side_of(tile, "b" if part == "a" else "a")
    return side_of(tile, "b")


def _tip(index: int, tile: ReadTile, count: int, at: F64Array) -> Tip:
    out = at - tile.quad_px.mean(axis=0)
    return Tip(index, count, at, np.asarray(out / max(float(np.linalg.norm(out)), 1e-6)))
