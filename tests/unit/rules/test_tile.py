"""Tiles and tile sets."""

import pickle

import pytest

from domino_rules.errors import DominoError, ParseError, SetupError
from domino_rules.tile import CHINESE, DOUBLE_SIX, DOUBLE_TWELVE, Tile, find_tile_set, parse_tiles


def test_a_tile_is_the_same_object_in_either_order() -> None:
    """6-4 and 4-6 are one tile, also after a round trip through pickle."""
    assert Tile(4, 6) is Tile.parse("6|4") is pickle.loads(pickle.dumps(Tile(6, 4)))  # noqa: S301


@pytest.mark.parametrize("text", ["", "6", "6-", "a-b", "6--4", "19-1", "6-4-2", "-1-2"])
def test_text_that_is_no_tile_is_refused(text: str) -> None:
    """Whatever is no tile raises a ParseError with a stable code."""
    with pytest.raises(ParseError) as caught:
        Tile.parse(text)
    assert caught.value.code in {"tile_syntax", "tile_pips"}


@pytest.mark.parametrize("half", [True, 1.0, None, -1, 19, "3"])
def test_a_half_is_a_small_int(half: object) -> None:
    """Booleans, floats and numbers out of range are no halves."""
    with pytest.raises(ParseError, match="a half has 0 to 18 pips"):
        Tile(half, 1)  # type: ignore[arg-type]


def test_a_tile_does_not_change() -> None:
    """Nothing of a tile can be set or deleted."""
    with pytest.raises(AttributeError):
        Tile(6, 4).high = 5
    with pytest.raises(AttributeError):
        del Tile(6, 4).low


def test_the_other_half() -> None:
    """The other half is known for both halves, and for no other number."""
    tile = Tile(6, 4)
    assert (tile.other(6), tile.other(4), Tile(5, 5).other(5)) == (4, 6, 5)
    with pytest.raises(ParseError) as caught:
        tile.other(5)
    assert (caught.value.code, dict(caught.value.params)) == ("half_not_on_tile", {"tile": "6-4", "pips": 5})


def test_tiles_sort_by_their_higher_half() -> None:
    """Tiles sort by the higher half, then by the lower; other things do not compare."""
    assert sorted(parse_tiles("6-0,5-5 1-0")) == list(parse_tiles("1-0 5-5 6-0"))
    with pytest.raises(TypeError):
        assert Tile(1, 0) < 3


def test_sets_have_their_tiles() -> None:
    """Double-six, double-twelve and a Chinese set have 28, 91 and 32 tiles; only the last has two of a kind."""
    assert (len(DOUBLE_SIX), DOUBLE_SIX.pips, len(DOUBLE_TWELVE), len(CHINESE)) == (28, 168, 91, 32)
    assert (CHINESE.copies(Tile(6, 6)), CHINESE.copies(Tile(2, 1)), CHINESE.copies(Tile(0, 0))) == (2, 1, 0)
    assert DOUBLE_SIX.max_half == 6


def test_surplus_and_rest() -> None:
    """A tile that is there too often is found, and the rest of the set is what nobody took."""
    tiles = parse_tiles("6-6 6-6 5-4")
    assert DOUBLE_SIX.surplus(tiles) == (Tile(6, 6),)
    assert len(DOUBLE_SIX.without(tiles)) == 26


def test_an_unknown_set_names_the_known_ones() -> None:
    """The error of an unknown set lists what there is, and survives pickling."""
    with pytest.raises(SetupError, match="double-six") as caught:
        find_tile_set("triominoes")
    again: DominoError = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (again.code, again.params["name"]) == ("unknown_set", "triominoes")
