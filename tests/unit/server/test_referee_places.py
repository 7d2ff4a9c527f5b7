"""The places of a table: which part of it a tile lies in."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from domino_rules.layout import Layout
from domino_rules.state import find_game
from domino_rules.tile import Tile
from domino_server.referee import (
    Kind,
    Place,
)
from domino_server.referee.places import TablePlaces, known_logp, seat_names
from domino_server.referee.sight import LAYOUT
from domino_vision.track import TableMemory
from domino_vision.types import TileRole
from domino_vision.zones import Zones
from domino_vision.zones_presets import preset
from tests.referee_games import Table, lay_line

TALON = "1-1 1-1 1-1 1-1 6-6 6-6 6-6 6-6 6-5 6-5 6-5 6-5 6-4 6-4 5-5 5-5"


def test_zones_become_places_of_players() -> None:
    """Seats are counted against the clock; in a clockwise game the second player sits at the last seat."""
    rules = find_game("cincos").rules()
    assert seat_names(("A", "B", "C", "D"), rules) == ("A", "D", "C", "B")
    zones = preset("pincset", 4, (0.0, 0.0, 1000.0, 800.0))
    places = TablePlaces(zones, ("A", "B", "C", "D"), chain=True)
    assert places.place((500.0, 780.0)) == Place(Kind.HAND, "A")
    assert places.place((980.0, 400.0)) == Place(Kind.HAND, "B")
    assert places.place((500.0, 400.0)) == Place(Kind.LAYOUT)
    assert TablePlaces(Zones(), ("A", "B"), chain=False).place((0.0, 0.0)) == Place(Kind.ASIDE)


@pytest.mark.parametrize(
    ("at", "over", "place"),
    [
        ((490.0, 742.0), True, Place(Kind.HAND, "A")),
        ((490.0, 660.0), True, Place(Kind.HAND, "A")),
        ((490.0, 860.0), True, Place(Kind.HAND, "A")),
        ((905.0, 410.0), True, Place(Kind.HAND, "B")),
        ((490.0, 700.0), False, Place(Kind.HAND, "A")),
        ((490.0, 600.0), False, Place(Kind.LAYOUT)),
    ],
)
def test_a_hand_that_is_turned_up_may_take_more_room(at: tuple[float, float], place: Place, *, over: bool) -> None:
    """Tiles in a second row, or in front of its part, are the next player's; those of the line are nobody's."""
    places = TablePlaces(preset("pincset", 4, (0.0, 0.0, 1000.0, 800.0)), ("A", "B", "C", "D"), chain=True)
    table = Table()
    lay_line(table, Layout.parse("6-6 L:6-5"), Random(1))
    for tile in table.tiles:
        tile[0][:] += (480.0, 380.0)
    table.add(at, (0.0, 1.0), (3, 1), TileRole.LOOSE)
    table.add((530.0, 410.0), (0.0, 1.0), (6, 1), TileRole.LOOSE)
    sight = places.sight(table.observation(), known_logp(table.observation(), TableMemory()), at=0.0)
    line = (Tile(6, 6), Tile(6, 5), Tile(6, 1))
    assert [tile.place for tile in places.with_hands(sight, line, over=over).tiles] == [*[LAYOUT] * 2, place, LAYOUT]
    assert places.with_hands(replace(sight, tiles=sight.tiles[2:]), line, over=over).tiles == sight.tiles[2:]


def test_tiles_a_little_out_of_their_part_belong_to_the_next() -> None:
    """People lay tiles roughly: what cannot lie face down in the trick lies in a pile, what lies aside in the next."""
    zones = preset("bingo", 2, (0.0, 0.0, 1000.0, 800.0))
    places = TablePlaces(zones, ("A", "B"), chain=False)
    assert places.place((260.0, 600.0)) == Place(Kind.STOCK)
    assert places.place((1000.0, 410.0)) == Place(Kind.PILE, "A")
    assert places.place((-50.0, 600.0)) == Place(Kind.STOCK)
    assert places.place((-70.0, 600.0)) == Place(Kind.ASIDE)

    def seen(*tiles: tuple[float, float, tuple[int, int] | None]) -> list[Place]:
        table = Table()
        for x, y, halves in tiles:
            table.add((x, y), (0.0, 1.0), halves, TileRole.DOWN if halves is None else TileRole.LOOSE)
        return [
            tile.place
            for tile in places.sight(table.observation(), known_logp(table.observation(), TableMemory()), at=0.0).tiles
        ]

    assert seen((670.0, 540.0, None), (640.0, 300.0, None)) == [Place(Kind.PILE, "A"), Place(Kind.PILE, "B")]
    assert seen((500.0, 400.0, (6, 1))) == [Place(Kind.TRICK)]
    assert seen((500.0, 400.0, None), (600.0, 400.0, (6, 1))) == [Place(Kind.TRICK)] * 2
    assert Place(Kind.TRICK) not in seen((500.0, 400.0, None), (530.0, 400.0, None))
    assert seen((120.0, 250.0, None)) == [Place(Kind.TRUMP)]
    assert seen((120.0, 250.0, (5, 2)), (120.0, 370.0, None)) == [Place(Kind.TRUMP), Place(Kind.STOCK)]


def test_a_back_on_the_talon_is_of_the_stock() -> None:
    """In Tiu-U nothing but the stock lies face down."""
    places = TablePlaces(preset("tiu-u", 2, (0.0, 0.0, 1000.0, 800.0)), ("A", "B"), chain=False)
    table = Table()
    table.add((500.0, 345.0), (0.0, 1.0), None, TileRole.DOWN)
    table.add((500.0, 345.0), (0.0, 1.0), (6, 5), TileRole.LOOSE)
    sight = places.sight(table.observation(), known_logp(table.observation(), TableMemory()), at=0.0)
    assert [tile.place.kind for tile in sight.tiles] == [Kind.STOCK, Kind.TALON]


def test_a_pile_that_grows_into_the_part_of_a_hand_is_a_pile() -> None:
    """In Tiu-U no hand lies face up; in a game of tricks, and for backs, the part of a hand stays one."""
    places = TablePlaces(preset("tiu-u", 2, (0.0, 0.0, 1000.0, 800.0)), ("A", "B"), chain=False)
    table = Table()
    table.add((500.0, 750.0), (0.0, 1.0), (6, 5), TileRole.LOOSE)
    table.add((560.0, 750.0), (0.0, 1.0), None, TileRole.STANDING)
    sight = places.sight(table.observation(), known_logp(table.observation(), TableMemory()), at=0.0)
    assert [tile.place for tile in sight.tiles] == [Place(Kind.PILE, "A"), Place(Kind.HAND, "A")]
