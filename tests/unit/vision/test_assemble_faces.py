"""Tiles of the chain that the detector calls standing or face down."""

from dataclasses import replace

import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble import assemble
from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS, Face, TableObservation, TileReadings, TileRole
from tests.laid_tables import Camera, LaidTable, read_table

EAST = np.array([1.0, 0.0])
CAMERA = Camera()


def readings(table: LaidTable, standing: tuple[int, ...]) -> TileReadings:
    """Return sure readings of a table with some tiles called standing."""
    found = read_table(table, CAMERA, np.random.default_rng(0), 0, 0.995)
    face = found.face.copy()
    face[list(standing)] = Face.STANDING
    return replace(found, face=face)


def observe(found: TileReadings) -> TableObservation:
    return assemble(found, CAMERA.size_wh, DOUBLE_SIX)


def row(*tiles: tuple[int, int], y: float = 0.0) -> LaidTable:
    table = LaidTable()
    for index, halves in enumerate(tiles):
        table.add(np.array([25.0 + 51 * index, y]), EAST, halves)
    return table


def test_standing_tiles_that_continue_the_chain_lie() -> None:
    """Tile after tile, each matching the one before, lies up to one that lies for sure."""
    seen = observe(readings(row((6, 4), (4, 1), (1, 3), (3, 2)), standing=(2, 3)))
    assert [tile.role for tile in seen.tiles] == [TileRole.CHAIN] * 4
    assert seen.open_end_count == 8


def test_a_rack_beside_the_chain_keeps_standing() -> None:
    """Standing tiles that touch each other but no tile of the chain stay what they are."""
    table = row((6, 4), (4, 1))
    for index, halves in enumerate(((2, 5), (5, 3))):
        table.add(np.array([25.0 + 51 * index, 150.0]), EAST, halves)
    seen = observe(readings(table, standing=(2, 3)))
    assert [tile.role for tile in seen.tiles[2:]] == [TileRole.STANDING] * 2
    assert seen.open_end_count == 7


def test_a_standing_tile_that_does_not_match_keeps_standing() -> None:
    """Company alone is not enough: the touching halves must show the same pips."""
    seen = observe(readings(row((6, 4), (4, 1), (5, 3)), standing=(2,)))
    assert seen.tiles[2].role is TileRole.STANDING


def test_a_standing_tile_without_pips_keeps_standing() -> None:
    """The back of a standing tile at the chain's end is no tile of the chain."""
    found = readings(row((6, 4), (4, 1), (1, 3)), standing=(2,))
    logp = found.half_logp.copy()
    logp[2] = np.log(0.01 / 14)
    logp[2, :, UNREADABLE_CLASS] = np.log(0.99)
    assert observe(replace(found, half_logp=logp)).tiles[2].role is TileRole.STANDING


def test_a_tile_called_face_down_whose_pips_are_read_lies_face_up() -> None:
    """Dark tiles with faint pips look like backs from afar; pips that are read clearly show that they are none."""
    found = readings(row((6, 4), (4, 1), (1, 3)), standing=())
    face = found.face.copy()
    face[2] = Face.DOWN
    assert observe(replace(found, face=face)).tiles[2].role is TileRole.CHAIN


def test_a_tile_called_face_down_that_reads_as_two_blanks_keeps_lying_face_down() -> None:
    """A plain back and a double blank differ in nothing but the divider: here the detector is heard."""
    found = readings(row((6, 4), (4, 1), (0, 0)), standing=())
    face = found.face.copy()
    face[2] = Face.DOWN
    assert observe(replace(found, face=face)).tiles[2].role is TileRole.DOWN


def face_down(found: TileReadings, *tiles: int) -> TileReadings:
    """Return readings in which some tiles show a plain back."""
    face, logp = found.face.copy(), found.half_logp.copy()
    face[list(tiles)] = Face.DOWN
    logp[list(tiles)] = np.log(0.001 / 14)
    logp[list(tiles), :, BACK_CLASS] = np.log(0.999)
    return replace(found, face=face, half_logp=logp)


def line_with(*, crosswise: bool) -> LaidTable:
    """Return a line that ends in a blank, and the double blank at it."""
    table = row((6, 4), (4, 0))
    direction, middle = (np.array([0.0, 1.0]), 115.0) if crosswise else (EAST, 127.0)
    table.add(np.array([middle, 0.0]), direction, (0, 0))
    return table


@pytest.mark.parametrize("crosswise", [True, False])
def test_a_back_that_continues_a_blank_end_is_the_double_blank(*, crosswise: bool) -> None:
    """Tiles without a divider: the double blank looks like a back, but nobody lays a back there."""
    seen = observe(face_down(readings(line_with(crosswise=crosswise), standing=()), 2))
    assert seen.tiles[2].halves == (0, 0)
    assert [tile.role for tile in seen.tiles] == [TileRole.CHAIN] * 3
    assert (seen.open_end_count, seen.ask) == (6, False)


def test_the_double_blank_is_known_when_the_line_goes_on_from_it() -> None:
    """The next tile covers its other side."""
    table = line_with(crosswise=True)
    table.add(np.array([153.0, 0.0]), EAST, (0, 5))
    seen = observe(face_down(readings(table, standing=()), 2))
    assert seen.tiles[2].halves == (0, 0)
    assert seen.open_end_count == 11


def test_a_back_at_a_blank_end_stays_one_where_the_double_blank_lies_elsewhere() -> None:
    """There is one of it: the tile at the line lies face down, and a person should look."""
    table = line_with(crosswise=True)
    table.add(np.array([60.0, 180.0]), EAST, (0, 0))
    seen = observe(face_down(readings(table, standing=()), 2))
    assert seen.tiles[2].role is TileRole.DOWN
    assert [question.code for question in seen.questions] == ["face_down_at_chain"]


def test_backs_that_lie_together_at_a_blank_end_stay_face_down() -> None:
    """A boneyard that touches the line by chance."""
    table = line_with(crosswise=True)
    table.add(np.array([142.0, 2.0]), np.array([0.0, 1.0]), (3, 3))
    seen = observe(face_down(readings(table, standing=()), 2, 3))
    assert [tile.role for tile in seen.tiles[2:]] == [TileRole.DOWN] * 2
