"""From zones of a table to the places that the referee knows: whose pile and whose hand is where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import Final

import numpy as np

from domino_rules.ruleset import RuleSet
from domino_rules.tile import Tile
from domino_server.referee.boneyard import heap_whole
from domino_server.referee.chain_line import WAITING_MM, Line
from domino_server.referee.sight import LAYOUT, Kind, Place, Point, SeenTile, Sight, sight_of
from domino_vision.track import TableMemory
from domino_vision.types import HALF_CLASSES, F32Array, TableObservation, TileRole
from domino_vision.zones import Zone, Zones

_MARGIN_MM: Final = 10.0
_APART_MARGIN_MM: Final = 60.0
"""In games whose tiles lie in parts of the table a tile may lie this far outside of all: people are not that exact, and
the row of a talon grows by a tile beyond its part."""
_SAME_MM: Final = 12.0
_CLOSE_MM: Final = 25.0
"""A hand that is turned up before it is known that nobody can play lies out of its part by so much at most."""
_FAR_MM: Final = 75.0
"""Backs of a stock or a pile lie nearer to the next one."""


def seat_names(seats: Sequence[str], rules: RuleSet) -> tuple[str, ...]:
    """Return who sits at each seat, counted against the clock from the near side.

    Args:
        seats: the players in the order of play; the first sits at the near side.
        rules: their option `direction`, where the game has one.
    """
    direction = rules.values.get("direction", "counter_clockwise")
    first, *others = seats
    return (first, *(others if direction == "counter_clockwise" else reversed(others)))


@dataclass(frozen=True, slots=True)
class TablePlaces:
    """Says where a tile lies.

    Attributes:
        zones: the zones of the table; None if it has none.
        seats: who sits at each seat.
        chain: whether the game has a line of play, which may grow beyond its zone.
    """

    zones: Zones | None
    seats: tuple[str, ...]
    chain: bool

    def place(self, at: Point) -> Place:
        """Return the place of a point in table millimetres."""
        margin = _MARGIN_MM if self.chain else _APART_MARGIN_MM
        zone = None if self.zones is None else self.zones.at(at, margin)
        if zone is None:
            return LAYOUT if self.chain else Place(Kind.ASIDE)
        return self._place_of(zone)

    def _place_of(self, zone: Zone) -> Place:
        seat = None if zone.seat is None or zone.seat >= len(self.seats) else self.seats[zone.seat]
        return Place(Kind(zone.kind), seat)

    def sight(self, observation: TableObservation, half_logp: F32Array, *, at: float, believed: bool = True) -> Sight:
        """Return an observation in table coordinates as the referee takes it.

        Args:
            observation: what vision committed, or asks about.
            half_logp: shape (n, 2, 15), natural log, what is known of its tiles (`known_logp`), for other readings.
            at: its time, seconds.
            believed: whether it was committed.
        """
        known = {zone.kind for zone in self.zones.zones} if self.zones is not None else set()
        hidden = [kind for kind in Kind if kind is not Kind.LAYOUT and kind.value not in known]
        sight = sight_of(
            observation,
            place_of=self.place,
            half_logp=half_logp,
            hidden=hidden,
            at=at,
            believed=believed,
        )
        return heap_whole(_line_wherever(sight)) if self.chain else self._where_they_may(sight)

    def with_hands(self, sight: Sight, line: Collection[Tile], *, over: bool) -> Sight:
        """Return the sight in which loose faces that are none of the line's lie in the hand next to them.

        A hand that is turned up may take more room than its part of the table, and the parts themselves lie less
        exactly after the camera was moved.

        Args:
            sight: of a table with a line of play.
            line: the tiles of the line.
            over: whether the hand is over; else only what lies close to the part of a hand, and far from the line.
        """
        hands = [zone for zone in (() if self.zones is None else self.zones.zones) if zone.kind == Kind.HAND]
        joined = [tile for tile in sight.tiles if tile.role is TileRole.CHAIN]
        if not hands or not line or len(joined) * 2 < len(line):
            return sight
        tiles = list(sight.tiles)
        for index, tile in enumerate(sight.tiles):
            if tile.place != LAYOUT or tile.role is not TileRole.LOOSE or tile.tile in {None, *line}:
                continue
            near = max(hands, key=lambda zone, at=tile.at: zone.depth(at))  # type: ignore[misc]
            apart = all(dist(tile.at, other.at) > WAITING_MM for other in joined)
            if over or (apart and near.depth(tile.at) > -_CLOSE_MM):
                tiles[index] = replace(tile, place=self._place_of(near))
        return replace(sight, tiles=tuple(tiles))

    def _where_they_may(self, sight: Sight) -> Sight:
        """Return the sight in which a tile that cannot lie face down where it seems to lies in the next part.

        Tricks and talons lie face up, and so do the piles beside a talon. A tile face down in such a place is one of a
        stock or of a pile that reaches a little beyond its part; where none lies near it in a trick, it may be a
        double blank. Where piles lie open, a tile face up in the part of a hand is of the pile that has grown into it,
        and what looks like a back in a pile, far from all others, is one of its tiles that is not read.
        """
        zones = () if self.zones is None else self.zones.zones
        open_piles = any(zone.kind == Kind.TALON for zone in zones)
        up = {Kind.TRICK, Kind.TALON} | ({Kind.PILE} if open_piles else set()) | _with_face(sight, Kind.TRUMP)
        down = {Kind.STOCK, Kind.HAND} | (set() if open_piles else {Kind.PILE})
        free = [zone for zone in zones if zone.kind in down]
        if not free:
            return sight
        beside = [zone for zone in zones if zone.kind == Kind.PILE] if open_piles else []
        tiles = list(sight.tiles)
        for index, tile in enumerate(sight.tiles):
            alone = open_piles and tile.place.kind is Kind.PILE and _far_from_backs(tile, sight)
            if tile.halves is None and tile.place.kind in up and not (alone or self._alone_in_trick(tile, sight)):
                tiles[index] = self._moved(tile, free)
            elif tile.halves is not None and beside and tile.place.kind is Kind.HAND:
                tiles[index] = self._moved(tile, beside)
        return replace(sight, tiles=tuple(tiles))

    def _moved(self, tile: SeenTile, zones: Iterable[Zone]) -> SeenTile:
        """Return a tile in that of some parts of the table that is next to it."""
        return replace(tile, place=self._place_of(max(zones, key=lambda zone: zone.depth(tile.at))))

    def _alone_in_trick(self, tile: SeenTile, sight: Sight) -> bool:
        """Return whether a back lies well within the trick and far from all others."""
        zone = None if self.zones is None else self.zones.at(tile.at, 0.0)
        within = zone is not None and zone.kind == Kind.TRICK and zone.depth(tile.at) > _APART_MARGIN_MM
        return within and _far_from_backs(tile, sight)


def _far_from_backs(tile: SeenTile, sight: Sight) -> bool:
    others = (seen.at for seen in sight.tiles if seen.halves is None and seen is not tile)
    return all(dist(tile.at, at) > _FAR_MM for at in others)


def _with_face(sight: Sight, kind: Kind) -> set[Kind]:
    """Return the part of the table, if a tile lies face up in it."""
    return {kind} if sight.faces(kind) else set()


def _line_wherever(sight: Sight) -> Sight:
    """Return the sight in which the largest group of joined tiles is the line, though it has left its zone."""
    everywhere = tuple(replace(t, place=LAYOUT) if t.role is TileRole.CHAIN else t for t in sight.tiles)
    group = Line.of(replace(sight, tiles=everywhere)).largest()
    tiles = tuple(everywhere[i] if i in group else tile for i, tile in enumerate(sight.tiles))
    return replace(sight, tiles=tiles)


def known_logp(observation: TableObservation, memory: TableMemory) -> F32Array:
    """Return what all looks together say of each tile, shape (n, 2, 15); nothing else for a tile not remembered."""
    found = np.full((len(observation.tiles), 2, HALF_CLASSES), -30.0, np.float32)
    middles = memory.quads_mm.mean(axis=1) if len(memory) else np.zeros((0, 2))
    for index, tile in enumerate(observation.tiles):
        if tile.halves is None:
            continue
        found[index, (0, 1), tile.halves] = 0.0
        away = np.linalg.norm(middles - tile.quad_mm.mean(axis=0), axis=1) if len(middles) else np.array([np.inf])
        near = int(np.argmin(away))
        if away[near] > _SAME_MM:
            continue
        known = memory.tiles[near]
        if known.halves == tile.halves:
            found[index] = known.half_logp
        elif known.halves == tile.halves[::-1]:
            found[index] = known.half_logp[::-1]
    return found
