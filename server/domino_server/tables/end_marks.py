"""Where the open ends of a line lie in the picture: beside the tile's free side, so that no pip is covered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from domino_rules.layout import MAIN_LINE, Layout, OpenEnd
from domino_rules.tile import Tile
from domino_server.tables.states import Point, SeenEndState
from domino_vision.types import F64Array, Join, ReadTile, TableObservation, TileRole

_SIDES: Final[Mapping[str, tuple[int, int]]] = {"a": (0, 1), "b": (2, 3), "long 1": (1, 2), "long 2": (3, 0)}
"""The sides of a tile by the corners between which they lie; `a` and `b` as the parts of a join."""
_ACROSS: Final[Mapping[str, str]] = {"a": "b", "b": "a", "long 1": "long 2", "long 2": "long 1"}
_ENDS: Final = ("a", "b")
_LONG: Final = ("long 1", "long 2")


def seen_ends(shown: TableObservation) -> list[SeenEndState]:
    """Return the open ends of a table with the side of a tile at which each lies, and the way away from it."""
    layout = shown.layout
    if layout is None:
        return []
    taken: set[tuple[int, str]] = set()
    return [_seen(shown, layout, end, taken) for end in layout.open_ends]


def _seen(shown: TableObservation, layout: Layout, end: OpenEnd, taken: set[tuple[int, str]]) -> SeenEndState:
    tip = layout.tip(end.arm)
    placement = tip or layout.spinner
    index = None if placement is None else _index(shown, placement.tile)
    if index is None:
        return SeenEndState(arm=end.arm.value, pips=end.pips, count=end.count, at=None, out=None)
    tile = shown.tiles[index]
    free = _free(tile, _joined(shown, index), end, own_end=tip is None or end.arm not in MAIN_LINE)
    side = next((each for each in free if (index, each) not in taken), None)
    at, out = (None, None) if side is None else _place(tile, side)
    if side is not None:
        taken.add((index, side))
    return SeenEndState(arm=end.arm.value, pips=end.pips, count=end.count, at=at, out=out)


def _index(shown: TableObservation, tile: Tile) -> int | None:
    """Return a tile of the line."""
    found = [i for i, seen in enumerate(shown.tiles) if seen.tile is tile]
    return min(found, key=lambda i: shown.tiles[i].role is not TileRole.CHAIN, default=None)


def _free(tile: ReadTile, joined: set[str], end: OpenEnd, *, own_end: bool) -> list[str]:
    """Return the sides at which a line may go on from its outermost tile, the likeliest first.

    A tile goes on at the half that is to be matched; a double across from where it is joined, one that lies alone at
    its long sides, the spinner's own arms at its ends.
    """
    halves = tile.halves or (-1, -1)
    if halves[0] != halves[1]:
        wanted = [side for side, pips in zip(_ENDS, halves, strict=True) if pips == end.pips]
        return [side for side in (*wanted, *_ENDS) if side not in joined]
    across = [_ACROSS[side] for side in sorted(joined)]
    first = _ENDS if own_end and len(joined) > 1 else across or _LONG
    return [side for side in (*first, *_LONG, *_ENDS) if side not in joined]


def _joined(shown: TableObservation, index: int) -> set[str]:
    """Return the sides at which a tile is joined."""
    return {
        _side(shown.tiles[index], part, shown.tiles[other])
        for join in shown.joins
        for me, part, other in _both(join)
        if me == index
    }


def _both(join: Join) -> tuple[tuple[int, str, int], tuple[int, str, int]]:
    return (join.a, join.a_part, join.b), (join.b, join.b_part, join.a)


def _side(tile: ReadTile, part: str, other: ReadTile) -> str:
    if part in _ENDS:
        return part
    middle = other.quad_px.mean(axis=0)
    return min(_LONG, key=lambda side: float(np.linalg.norm(_middle(tile, side) - middle)))


def _middle(tile: ReadTile, side: str) -> F64Array:
    first, second = _SIDES[side]
    return np.asarray((tile.quad_px[first] + tile.quad_px[second]) / 2, np.float64)


def _place(tile: ReadTile, side: str) -> tuple[Point, Point]:
    """Return the middle of a side, and the way away from the tile."""
    at = _middle(tile, side)
    out = at - tile.quad_px.mean(axis=0)
    out = out / max(float(np.linalg.norm(out)), 1e-6)
    return (round(float(at[0]), 1), round(float(at[1]), 1)), (round(float(out[0]), 3), round(float(out[1]), 3))
