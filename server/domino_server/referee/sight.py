"""What the referee sees: the committed table as plain values, each tile with the place on the table where it lies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import numpy as np

from domino_rules.tile import Tile
from domino_vision.types import PIP_CLASSES, F32Array, Join, ReadTile, TableObservation, TileRole

Point = tuple[float, float]
"""A place in the table frame, millimetres, x right and y down."""
_LEAST_P: Final = 0.02
"""Readings less likely than this are no alternatives."""
_MOST_ALTERNATIVES: Final = 3
_SAME_MM: Final = 20.0
"""A tile that a person named lies within this of where he named it."""


class Kind(StrEnum):
    """What a place on the table is for."""

    LAYOUT = "layout"
    STOCK = "stock"
    TRUMP = "trump"
    TRICK = "trick"
    TALON = "talon"
    PILE = "pile"
    HAND = "hand"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the table: what it is for and, for a pile or a hand, whose it is."""

    kind: Kind
    seat: str | None = None


LAYOUT: Final = Place(Kind.LAYOUT)
PlaceOf = Callable[[Point], Place]
"""Says to which part of the table a point in the table frame belongs."""


def everywhere_layout(at: Point) -> Place:
    """Return that a point belongs to the layout: a table of which no parts are known."""
    del at
    return LAYOUT


@dataclass(frozen=True, slots=True)
class Reading:
    """Another way to read a tile: its halves and how likely they are, 0 to 1."""

    halves: tuple[int, int]
    p: float


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile of a committed table.

    Attributes:
        halves: pips, first half first; None where no face is seen (face down or standing).
        at: its centre.
        head: the middle of its first half, in the same frame.
        place: where it lies.
        role: what vision says that it does: chain, loose, down or standing.
        confidence: probability that it is read right.
        others: other readings, the likeliest first.
        quad_px: its corners in the picture, for a crop; empty if there is no picture.
        undisturbed: whether nothing changed where it lies, and beside it, since the sight before.
    """

    halves: tuple[int, int] | None
    at: Point
    head: Point
    place: Place = LAYOUT
    role: TileRole = TileRole.LOOSE
    confidence: float = 1.0
    others: tuple[Reading, ...] = ()
    quad_px: tuple[Point, ...] = ()
    undisturbed: bool = False

    @property
    def tile(self) -> Tile | None:
        """The tile, where its face is seen."""
        return None if self.halves is None else Tile(*self.halves)


@dataclass(frozen=True, slots=True)
class Sight:
    """A committed table.

    Attributes:
        tiles: all tiles.
        joins: which of them touch and where, by index.
        match_p: by pair of indices (lower first), the probability that the halves of a join that looks illegal match.
        actors: who reached over the table since the sight before, in order; empty if nobody can tell.
        hidden: parts of the table that the picture does not show (then an empty one says nothing).
        racks: the players whose tiles were seen standing before them in this hand.
        at: its time, monotonic seconds.
        believed: whether vision stands by it; otherwise it is only looked at for what is in doubt.
        unclear: whether others than `actors` may have reached over the table.
        overlooked: the parts of the table in which something was laid in this hand that no look found, one for each.
    """

    tiles: tuple[SeenTile, ...]
    joins: tuple[Join, ...] = ()
    match_p: Mapping[tuple[int, int], float] = field(default_factory=lambda: MappingProxyType({}))
    actors: tuple[str, ...] = ()
    hidden: frozenset[Kind] = frozenset()
    racks: frozenset[str] = frozenset()
    at: float = 0.0
    believed: bool = True
    unclear: bool = False
    overlooked: tuple[Place, ...] = ()

    def within(self, kind: Kind, seat: str | None = None) -> tuple[SeenTile, ...]:
        """Return the tiles of a part of the table; of all seats if none is named."""
        return tuple(t for t in self.tiles if t.place.kind is kind and (seat is None or t.place.seat == seat))

    def faces(self, kind: Kind, seat: str | None = None) -> tuple[Tile, ...]:
        """Return the tiles that show their faces in a part of the table."""
        return tuple(tile for seen in self.within(kind, seat) if (tile := seen.tile) is not None)

    def backs(self, kind: Kind, seat: str | None = None) -> int:
        """Return how many tiles lie or stand without a face in a part of the table."""
        return sum(seen.halves is None for seen in self.within(kind, seat))

    def is_undisturbed(self, kind: Kind) -> bool:
        """Return whether nothing changed at the tiles of a part of the table since the sight before; no without any."""
        there = self.within(kind)
        return bool(there) and all(seen.undisturbed for seen in there)

    def noted(self, undisturbed: Sequence[bool]) -> Sight:
        """Return the sight with what is known of each of its tiles: whether it lies undisturbed."""
        pairs = zip(self.tiles, undisturbed, strict=True)
        return replace(self, tiles=tuple(replace(seen, undisturbed=still) for seen, still in pairs))

    def shows(self, kind: Kind) -> bool:
        """Return whether the picture shows that part of the table."""
        return kind not in self.hidden

    def is_look_of(self, other: Sight) -> bool:
        """Return whether it is the same look at the table as another one that vision stands by, perhaps read anew."""
        return other.believed and (self.tiles is other.tiles or self.at == other.at > 0)

    def after(self, before: Sight | None) -> Sight:
        """Return the sight with what is known since the hand began: what was overlooked, and whose tiles stood.

        Args:
            before: the sight before, with the same; another look at this one counts once.
        """
        racks = frozenset(t.place.seat for t in self.within(Kind.HAND) if t.place.seat is not None)
        if before is None:
            return replace(self, racks=racks)
        fresh = () if self.is_look_of(before) else self.overlooked
        return replace(self, overlooked=before.overlooked + fresh, racks=before.racks | racks if racks else racks)

    def with_named(self, named: Iterable[tuple[Point, tuple[int, int]]]) -> Sight:
        """Return the sight in which the tiles nearest to some places are those that a person named."""
        sight = self
        for at, halves in named:
            index = sight.lying_at(at)
            if index is not None:
                sight = sight.read_as(index, _as_it_lies(halves, sight.tiles[index].halves))
                sure = replace(sight.tiles[index], confidence=1.0, others=())
                sight = replace(sight, tiles=(*sight.tiles[:index], sure, *sight.tiles[index + 1 :]))
        return sight

    def lying_at(self, at: Point) -> int | None:
        """Return the tile that lies at a place where one was named; None if none does."""
        near = [(abs(t.at[0] - at[0]) + abs(t.at[1] - at[1]), i) for i, t in enumerate(self.tiles)]
        gap, index = min(near, default=(_SAME_MM, -1))
        return index if gap < _SAME_MM else None

    def read_as(self, index: int, halves: tuple[int, int]) -> Sight:
        """Return the sight in which one tile is read otherwise."""
        seen = replace(self.tiles[index], halves=halves)
        return replace(self, tiles=(*self.tiles[:index], seen, *self.tiles[index + 1 :]))


def sight_of(
    observation: TableObservation,
    *,
    place_of: PlaceOf = everywhere_layout,
    half_logp: F32Array | None = None,
    actors: Iterable[str] = (),
    hidden: Iterable[Kind] | None = None,
    at: float = 0.0,
    believed: bool = True,
) -> Sight:
    """Return an observation as the referee takes it.

    Args:
        observation: in table coordinates.
        place_of: the parts of the table.
        half_logp: shape (n, 2, 15), natural log, what its tiles were decoded from; it gives other readings.
        actors: who reached over the table since the sight before, in order.
        hidden: parts of the table that the picture does not show; default all but the layout if no parts are known.
        at: its time, seconds.
        believed: whether vision stands by it.
    """
    if hidden is None:
        hidden = (kind for kind in Kind if kind is not Kind.LAYOUT) if place_of is everywhere_layout else ()
    tiles = []
    for index, tile in enumerate(observation.tiles):
        logp = None if half_logp is None else half_logp[index]
        tiles.append(_seen(tile, place_of, logp))
    doubts = {
        (min(p.tiles), max(p.tiles)): float(p.params.get("match_p", 0.0))
        for p in observation.problems
        if p.code == "illegal_join" and len(p.tiles) == 2
    }
    joins, doubted = observation.joins, MappingProxyType(doubts)
    return Sight(tuple(tiles), joins, doubted, tuple(actors), frozenset(hidden), at=at, believed=believed)


def _as_it_lies(named: tuple[int, int], seen: tuple[int, int] | None) -> tuple[int, int]:
    """Return what a person named with the half first that is the first now: the next look may find a tile turned."""
    turned = (named[1], named[0])
    return turned if seen is not None and _alike(turned, seen) > _alike(named, seen) else named


def _alike(one: tuple[int, int], other: tuple[int, int]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))


def _seen(tile: ReadTile, place_of: PlaceOf, logp: F32Array | None) -> SeenTile:
    quad = tile.quad_mm.astype(np.float64)
    centre = _point(quad.mean(0))
    first = quad[:2].mean(0)
    others = () if logp is None or tile.halves is None else _others(np.exp(logp[:, :PIP_CLASSES]), tile.halves)
    return SeenTile(
        tile.halves,
        centre,
        _point((first + quad.mean(0)) / 2),
        place_of(centre),
        tile.role,
        tile.confidence,
        others,
        tuple(_point(corner) for corner in tile.quad_px),
    )


def _others(p: F32Array, halves: tuple[int, int]) -> tuple[Reading, ...]:
    """Return the likeliest other readings of a tile whose halves have the probabilities `p` of shape (2, 13)."""
    joint = np.outer(p[0], p[1])
    found: list[Reading] = []
    for flat in np.argsort(joint, axis=None)[::-1][: _MOST_ALTERNATIVES + 1]:
        a, b = divmod(int(flat), joint.shape[1])
        if joint[a, b] >= _LEAST_P and (a, b) != tuple(halves):
            found.append(Reading((a, b), float(joint[a, b])))
    return tuple(found[:_MOST_ALTERNATIVES])


def _point(xy: Sequence[float] | np.ndarray[tuple[int, ...], np.dtype[np.floating]]) -> Point:
    return float(xy[0]), float(xy[1])
