"""Tiles of Tiu-U that are not what they are read as: other ones, or none at all.

Where tiles have no divider, touching halves of two that lie side by side look like a tile across them. Such a one, and
a tile that is misread, lies there with the same face at one look after another, and no legal move brings it there.
What it is instead is left open: that it was captured, and what it was, is told by what left the talon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import dist, hypot
from typing import Final

from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.moves import Capture, Turn
from domino_rules.tile import Tile
from domino_server.referee.reader import MISREAD, Swap
from domino_server.referee.sight import Kind, Point, SeenTile, Sight
from domino_server.referee.tiu_u_search import KINDS, PAIR, Budget, Fishes, explaining, wanted_tiles

_SAME_SPOT_MM: Final = 12.0
_INSIDE: Final = 0.2
"""A tile of which more than this share lies in another one does not lie beside it."""
_STEPS: Final = (-0.875, -0.625, -0.375, -0.125, 0.125, 0.375, 0.625, 0.875)
_MOST: Final = 4
"""More tiles at once than these are not doubted."""


@dataclass(frozen=True, slots=True)
class Doubted:
    """A tile that is not what it is read as: `meant`, or, if that is None, nothing that counts."""

    at: Point
    read: Tile
    meant: Tile | None = None

    def is_at(self, tile: SeenTile) -> bool:
        """Return whether a tile lies there and is still read so."""
        return tile.tile is self.read and dist(tile.at, self.at) < _SAME_SPOT_MM


@dataclass(frozen=True, slots=True)
class Reading:
    """A sight with some of its tiles read otherwise, and which."""

    sight: Sight
    doubted: tuple[Doubted, ...] = ()


class Doubts:
    """Which tiles of a hand are not what they are read as."""

    def __init__(self) -> None:
        """Start with none."""
        self._known: list[Doubted] = []
        self._surplus: tuple[SeenTile, ...] = ()
        self._before: tuple[SeenTile, ...] = ()
        self._at = 0.0

    def cleaned(self, state: TiuUState, sight: Sight) -> Iterator[Reading]:
        """Yield the sight without what was found to be no such tile before, and without what lies in other tiles.

        What the set does not have is as good as unread.
        """
        there = ((d, next((tile.at for tile in sight.tiles if d.is_at(tile)), None)) for d in self._known)
        known = tuple(replace(doubt, at=at) for doubt, at in there if at is not None)
        without = _in_set(_without(sight, known))
        if without is not sight:
            yield Reading(without, known)
        inside = [i for i in _unexplained(state, without) if _lies_in_another(without, i)][:_MOST]
        for index in inside:
            yield _dropped(without, (index,), known)

    def misread(self, state: TiuUState, sight: Sight) -> Iterator[list[Reading]]:
        """Yield the sights in which what nothing explained at the look before either is not as it was read.

        First its mate lies beside it unread; else it is another tile; then two are. A tile before a player may be any;
        one at the stock is one of those that lie there.
        """
        known = tuple(d for d in self._known if any(d.is_at(tile) for tile in sight.tiles))
        sight = _in_set(_without(sight, known))
        before = self._surplus if 0 < sight.at != self._at else self._before
        stay = [i for i in _unexplained(state, sight) if any(_same(sight.tiles[i], seen) for seen in before)]
        stacked = {tile for stack in state.stock.stacks for tile in stack} | set(sight.faces(Kind.STOCK))
        odd = [
            _as_tile(sight, index, tile, known)
            for index in _odd_stacked(state, sight)
            if any(_same(sight.tiles[index], seen) for seen in before)
            for tile in stacked
            if tile is not sight.tiles[index].tile
        ]
        if len(stay) <= _MOST:
            yield [Reading(_with_unread(state, sight, (index,)), known) for index in _one_of_each(sight, stay)]
            yield [_unread(state, sight, (index,), known) for index in stay] + odd[:_MOST]
            yield [_unread(state, sight, pair, known) for pair in combinations(stay, 2)]

    def explained(self, reading: Reading, *, alone: bool = True) -> None:
        """Note what explains a table: of several ways to read it none is known to be right."""
        if alone and reading.sight.believed:
            moved = [d for d in self._known if not any(_near(d, new) for new in reading.doubted)]
            self._known = [*moved, *reading.doubted]

    def unexplained(self, state: TiuUState, sight: Sight) -> None:
        """Note what lies on a table that nothing explains."""
        if not sight.believed:
            return
        if sight.at != self._at or sight.at == 0:
            self._before, self._at = self._surplus, sight.at
        self._surplus = tuple(sight.tiles[i] for i in (*_unexplained(state, sight), *_odd_stacked(state, sight)))


def guessed_otherwise(state: TiuUState, sight: Sight, budget: Budget) -> Swap | None:
    """Return the captured tile that is read otherwise than it was taken for, if that alone differs."""
    for index, now, player in _few_unexplained(state, sight):
        for known in dict.fromkeys(state.captured[player]):
            there = sight.faces(Kind.PILE, player).count(known)
            if there < state.captured[player].count(known) and known is not now:
                seen = sight.tiles[index]
                as_known = _without(sight, (Doubted(seen.at, now, known),))
                if explaining(state, as_known, budget, unread=False)[0]:
                    return Swap(-1, Capture(player, now, known), seen.confidence, "read_anew", index, known)
    return None


def turned_otherwise(state: TiuUState, sight: Sight, budget: Budget) -> Swap | None:
    """Return the captured tile that was read otherwise while it lay on the talon."""
    fishes = Fishes.of(sight, state)
    for index, now, _ in _few_unexplained(state, sight):
        for known in dict.fromkeys(state.talon):
            if fishes.talon[known] < state.talon.count(known) and known is not now:
                at = state.talon.index(known)
                right = replace(state, talon=(*state.talon[:at], now, *state.talon[at + 1 :]))
                if explaining(right, sight, budget, unread=False)[0]:
                    sure = sight.tiles[index].confidence
                    return Swap(-1, Turn("", now), sure, "read_anew", index, known, rule=MISREAD)
    return None


def _few_unexplained(state: TiuUState, sight: Sight) -> Iterator[tuple[int, Tile, str]]:
    """Yield a few of the tiles before players that nothing explains, what they are, and before whom they lie."""
    for index in _unexplained(state, sight)[:_MOST]:
        seen = sight.tiles[index]
        if seen.tile is not None and seen.place.seat is not None:
            yield index, seen.tile, seen.place.seat


def _unexplained(state: TiuUState, sight: Sight) -> list[int]:
    """Return the tiles before players of which more lie there than were captured."""
    fishes = Fishes.of(sight, state)
    wanted = {player: wanted_tiles(state, fishes, player) for player in state.players}
    piled = [(i, t) for i, t in enumerate(sight.tiles) if t.place.kind is Kind.PILE and t.tile is not None]
    return [i for i, t in piled if t.place.seat in wanted and t.tile is not None and wanted[t.place.seat][t.tile]]


def _odd_stacked(state: TiuUState, sight: Sight) -> list[int]:
    """Return the tiles face up at the stock of which fewer than three lie there, or more than four."""
    faces = sight.faces(Kind.STOCK)
    stacked = [tile for stack in state.stock.stacks for tile in stack]
    there = [(i, t.tile) for i, t in enumerate(sight.tiles) if t.place.kind is Kind.STOCK and t.tile is not None]
    return [i for i, tile in there if faces.count(tile) > stacked.count(tile) and faces.count(tile) not in {3, 4}]


def _lies_in_another(sight: Sight, index: int) -> bool:
    """Return whether a tile lies across or in another one of a pile."""
    others = (t for i, t in enumerate(sight.tiles) if i != index and t.place.kind is Kind.PILE)
    return any(_common(sight.tiles[index], other) > _INSIDE for other in others)


def _common(tile: SeenTile, other: SeenTile) -> float:
    """Return which share of a tile lies in another one; tiles are twice as long as wide."""
    way, along = _half_axis(tile), _half_axis(other)
    if dist(tile.at, other.at) > hypot(*way) + hypot(*along) or not hypot(*along):
        return 0.0
    points = [
        (
            tile.at[0] + u * way[0] - v * way[1] / 2 - other.at[0],
            tile.at[1] + u * way[1] + v * way[0] / 2 - other.at[1],
        )
        for u in _STEPS
        for v in _STEPS
    ]
    square = along[0] ** 2 + along[1] ** 2
    inside = [
        abs(x * along[0] + y * along[1]) <= square and abs(y * along[0] - x * along[1]) <= square / 2 for x, y in points
    ]
    return sum(inside) / len(inside)


def _half_axis(tile: SeenTile) -> Point:
    """Return the way from the middle of a tile to the middle of its short side."""
    return 2 * (tile.head[0] - tile.at[0]), 2 * (tile.head[1] - tile.at[1])


def _same(tile: SeenTile, before: SeenTile) -> bool:
    return tile.tile is before.tile and dist(tile.at, before.at) < _SAME_SPOT_MM


def _near(one: Doubted, other: Doubted) -> bool:
    return one.read is other.read and dist(one.at, other.at) < _SAME_SPOT_MM


def _dropped(sight: Sight, indices: tuple[int, ...], known: tuple[Doubted, ...]) -> Reading:
    """Return the sight without some tiles: they are none."""
    doubted = (*known, *_doubted(sight, indices))
    return Reading(_without(sight, doubted), doubted)


def _unread(state: TiuUState, sight: Sight, indices: tuple[int, ...], known: tuple[Doubted, ...]) -> Reading:
    """Return the sight with some tiles as good as unread; once their capture is known they count no more."""
    doubted = _doubted(sight, indices)
    return Reading(_without(_with_unread(state, sight, indices), doubted), (*known, *doubted))


def _one_of_each(sight: Sight, indices: list[int]) -> list[int]:
    """Return one of the tiles before each player."""
    return list({sight.tiles[index].place: index for index in reversed(indices)}.values())


def _with_unread(state: TiuUState, sight: Sight, indices: tuple[int, ...]) -> Sight:
    """Return the sight with a tile more that is not read beside each of some, whatever else was not found there."""
    for index in indices:
        tile, player = sight.tiles[index], sight.tiles[index].place.seat or ""
        lost = Counter(state.captured[player]) - Counter(sight.faces(Kind.PILE, player))
        there = sight.backs(Kind.PILE, player) + PAIR * sight.overlooked.count(tile.place)
        backs = 1 + max(0, lost.total() - there)
        sight = replace(sight, tiles=(*sight.tiles, *[replace(tile, halves=None)] * backs))
    return sight


def _as_tile(sight: Sight, index: int, meant: Tile, known: tuple[Doubted, ...]) -> Reading:
    """Return the sight with a tile that is another one."""
    doubted = tuple(replace(doubt, meant=meant) for doubt in _doubted(sight, (index,)))
    return Reading(_without(sight, doubted), (*known, *doubted))


def _doubted(sight: Sight, indices: tuple[int, ...]) -> tuple[Doubted, ...]:
    tiles = (sight.tiles[index] for index in indices)
    return tuple(Doubted(tile.at, tile.tile) for tile in tiles if tile.tile is not None)


def _in_set(sight: Sight) -> Sight:
    """Return the sight with tiles before players that are read as none of the set as unread."""
    odd = [t.place.kind is Kind.PILE and t.tile is not None and t.tile not in KINDS for t in sight.tiles]
    if not any(odd):
        return sight
    pairs = zip(sight.tiles, odd, strict=True)
    return replace(sight, tiles=tuple(replace(t, halves=None) if unread else t for t, unread in pairs))


def _without(sight: Sight, doubted: tuple[Doubted, ...]) -> Sight:
    """Return the sight with tiles that are others read as these, and without those that are none."""
    if not doubted:
        return sight
    tiles: list[SeenTile] = []
    for tile in sight.tiles:
        doubt = next((d for d in doubted if d.is_at(tile)), None)
        if doubt is None:
            tiles.append(tile)
        elif doubt.meant is not None:
            tiles.append(replace(tile, halves=(doubt.meant.high, doubt.meant.low)))
    return replace(sight, tiles=tuple(tiles))
