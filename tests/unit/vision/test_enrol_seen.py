"""Which tile of the set is which in a picture."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domino_rules.tile import CHINESE, DOUBLE_SIX, Tile, parse_tiles
from domino_vision.enrol.seen import TilesInPicture, identify
from domino_vision.errors import EnrolError
from domino_vision.types import HALF_CLASSES


def seen(halves: list[tuple[int, int]], sure: float = 0.97) -> TilesInPicture:
    """Tiles whose halves are read with a probability, the rest spread over the other classes."""
    p = np.full((len(halves), 2, HALF_CLASSES), (1 - sure) / (HALF_CLASSES - 1))
    for tile, pair in zip(p, halves, strict=True):
        tile[0, pair[0]], tile[1, pair[1]] = sure, sure
    crops = np.zeros((len(halves), 96, 192, 3), np.uint8)
    centres = np.arange(2 * len(halves), dtype=np.float32).reshape(-1, 2)
    return TilesInPicture("set.jpg", crops, centres, np.log(p).astype(np.float32))


def blur(tiles: TilesInPicture, index: int, half: int, chances: dict[int, float]) -> TilesInPicture:
    """The same tiles with a half that is read as one of several."""
    logp = tiles.half_logp.copy()
    p = np.full(HALF_CLASSES, 1e-4)
    for pips, chance in chances.items():
        p[pips] = chance
    logp[index, half] = np.log(p / p.sum())
    return TilesInPicture(tiles.name, tiles.crops, tiles.centres_px, logp)


@settings(max_examples=25, deadline=None)
@given(st.permutations(list(DOUBLE_SIX.kinds)), st.integers(5, 28), st.randoms(use_true_random=False))
def test_tiles_are_named_as_they_lie(order: list[Tile], count: int, random: object) -> None:
    """Any part of the set in any order and direction is named half by half, without a doubt."""
    halves = [t.halves if random.random() < 0.5 else (t.low, t.high) for t in order[:count]]  # type: ignore[attr-defined]
    named = identify(seen(halves), DOUBLE_SIX)
    assert [tuple(row) for row in named.halves.tolist()] == halves
    assert named.doubts == ()


def test_the_rest_of_the_set_tells_a_tile_that_reads_wrong() -> None:
    """A half that reads as another value goes to the tile that is left over, if all others lie there."""
    halves = [tile.halves for tile in DOUBLE_SIX.kinds]
    at = halves.index((6, 5))
    named = identify(blur(seen(halves), at, 1, {4: 0.8, 5: 0.2}), DOUBLE_SIX)
    assert tuple(named.halves[at]) == (6, 5)
    assert named.doubts == ()


def test_a_tile_that_may_be_another_is_in_doubt() -> None:
    """With only a part of the set in view an unclear half is a doubt that names both tiles and the place."""
    tiles = blur(seen([(6, 5), (1, 0), (3, 3)]), 0, 1, {4: 0.45, 5: 0.55})
    (doubt,) = identify(tiles, DOUBLE_SIX).doubts
    assert doubt.index == 0
    assert set(doubt.choices[:2]) == {Tile(6, 5), Tile(6, 4)}
    assert str(doubt) == "the tile at (0, 1) in set.jpg: 6-5 or 6-4"


def test_given_tiles_settle_a_doubt() -> None:
    """When it is known which tiles lie there, in any order, the reader only has to tell them apart."""
    tiles = blur(seen([(6, 5), (1, 0), (3, 3)]), 0, 1, {4: 0.6, 5: 0.4})
    named = identify(tiles, DOUBLE_SIX, given=parse_tiles("3-3,5-6,0-1"))
    assert tuple(named.halves[0]) == (6, 5)
    assert named.doubts == ()


def test_what_a_person_said_settles_a_doubt_and_others() -> None:
    """A tile that a person named is that one, and no other tile may be."""
    tiles = blur(blur(seen([(6, 5), (6, 4), (3, 3)]), 0, 1, {4: 0.5, 5: 0.5}), 1, 1, {4: 0.5, 5: 0.5})
    named = identify(tiles, DOUBLE_SIX, told={0: Tile(6, 4)})
    assert named.halves[:2].tolist() == [[6, 4], [6, 5]]
    assert named.doubts == ()


@pytest.mark.parametrize(
    ("halves", "given_tiles", "code"),
    [
        ([(6, 5), (5, 6), (3, 3)], None, "tile_twice"),
        ([(6, 5), (3, 3)], "6-5", "tiles_given"),
        ([(6, 5), (3, 3)], "6-5,6-5", "tile_twice"),
        ([(6, 5), (3, 3)], "6-5,9-9", "not_in_set"),
        ([(6, 5)] * 29, None, "too_many_tiles"),
    ],
)
def test_what_cannot_be_is_refused(halves: list[tuple[int, int]], given_tiles: str | None, code: str) -> None:
    """A tile twice, another number of tiles than named, and tiles of another set are errors with a code."""
    tiles = None if given_tiles is None else parse_tiles(given_tiles)
    with pytest.raises(EnrolError) as caught:
        identify(seen(halves, 0.999), DOUBLE_SIX, given=tiles)
    assert caught.value.code == code


def test_a_person_cannot_name_a_tile_twice() -> None:
    """Two tiles that a person gives the same name are refused where the set holds one."""
    with pytest.raises(EnrolError, match="6-4") as caught:
        identify(seen([(6, 5), (6, 4)]), DOUBLE_SIX, told={0: Tile(6, 4), 1: Tile(6, 4)})
    assert caught.value.code == "tile_twice"
    with pytest.raises(EnrolError, match="9-9"):
        identify(seen([(6, 5)]), DOUBLE_SIX, told={0: Tile(9, 9)})


def test_civil_patterns_lie_twice_in_a_chinese_set() -> None:
    """Two of a civil pattern are fine, two of a military one are not; tiles of one weight are told apart by pattern."""
    named = identify(seen([(6, 6), (6, 6), (4, 2), (3, 3), (5, 1)]), CHINESE)
    assert [tuple(row) for row in named.halves.tolist()] == [(6, 6), (6, 6), (4, 2), (3, 3), (5, 1)]
    with pytest.raises(EnrolError):
        identify(seen([(4, 2), (2, 4)], 0.999), CHINESE)
