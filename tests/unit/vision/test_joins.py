"""Which tiles are joined, in table millimetres."""

import numpy as np
import pytest

from domino_vision.assemble.decode import half_probabilities
from domino_vision.assemble.joins import JoinChoice, TileRects, find_joins
from tests.laid_tables import as_pairs, sharp

EAST, SOUTH = (1.0, 0.0), (0.0, 1.0)
Placed = tuple[tuple[float, float], tuple[float, float], tuple[int, int]]


def joined(*tiles: Placed, sure: float = 0.98) -> JoinChoice:
    centre = np.array([tile[0] for tile in tiles], float)
    axis = np.array([tile[1] for tile in tiles], float)
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    half_p = half_probabilities(sharp([tile[2] for tile in tiles], sure), 6)
    return find_joins(TileRects(centre, axis, (50.0, 25.0)), half_p)


def words(choice: JoinChoice) -> list[str]:
    return sorted(map(str, choice.joins))


@pytest.mark.parametrize("gap", [0, 3, 9, 15])
def test_ends_in_line_are_joined_over_a_gap(gap: float) -> None:
    """Two matching tiles in line are joined up to a gap of a third of a tile."""
    assert words(joined(((0, 0), EAST, (1, 2)), ((50 + gap, 0), EAST, (2, 3)))) == ["0b~1a"]


def test_a_wide_gap_is_no_join() -> None:
    """Half a tile apart without a doubt is apart when nothing matches."""
    assert words(joined(((0, 0), EAST, (1, 2)), ((75, 0), EAST, (3, 4)))) == []


@pytest.mark.parametrize("degrees", [-15, 8, 15])
def test_crooked_tiles_are_joined(degrees: float) -> None:
    """A join may be crooked by 15 degrees and shifted by some millimetres."""
    turn = np.radians(degrees)
    choice = joined(((0, 0), EAST, (1, 2)), ((52, 4), (float(np.cos(turn)), float(np.sin(turn))), (2, 3)))
    assert words(choice) == ["0b~1a"]


def test_a_corner_joins_the_half_that_is_touched() -> None:
    """A short end against the side of a half is a join of that half: the line turns."""
    assert words(joined(((0, 0), EAST, (1, 2)), ((38.5, 12.5), SOUTH, (2, 3)))) == ["0b~1a"]
    assert words(joined(((0, 0), EAST, (1, 2)), ((12.5, 38.5), SOUTH, (2, 3)))) == ["0b~1a"]


def test_a_crosswise_double_is_joined_on_both_long_sides() -> None:
    """A double across the line has two joins at its middle."""
    choice = joined(((0, 0), EAST, (1, 2)), ((39, 0), SOUTH, (2, 2)), ((78, 0), EAST, (2, 3)))
    assert words(choice) == ["0b~1m", "1m~2a"]


def test_a_spinner_carries_four() -> None:
    """Sides and ends of a double can all be covered."""
    choice = joined(
        ((0, 0), SOUTH, (2, 2)),
        ((-39, 0), EAST, (1, 2)),
        ((39, 0), EAST, (2, 3)),
        ((0, -51), SOUTH, (4, 2)),
        ((0, 51), SOUTH, (2, 5)),
    )
    assert words(choice) == ["0a~3b", "0b~4a", "0m~1b", "0m~2a"]


def test_tiles_side_by_side_are_not_joined() -> None:
    """A row of a hand, long side along long side, is no chain, whatever the values."""
    row: list[Placed] = [((0, 26 * k), EAST, (2, 2)) for k in range(4)]
    assert words(joined(*row)) == []


def test_two_rows_of_a_hand_are_not_joined_end_to_end() -> None:
    """Tiles laid out in a grid touch end to end without being joined."""
    pips = iter([(0, 1), (2, 3), (4, 5), (6, 0), (5, 1), (2, 4), (3, 6), (0, 5)])
    grid: list[Placed] = [((51 * col, 26 * row), EAST, next(pips)) for row in range(4) for col in range(2)]
    assert words(joined(*grid)) == []


def test_an_illegal_join_is_kept() -> None:
    """Tiles that touch exactly in a chain are joined though their halves differ."""
    choice = joined(((0, 0), EAST, (1, 2)), ((51, 0), EAST, (2, 3)), ((102, 0), EAST, (5, 4)))
    assert words(choice) == ["0b~1a", "1b~2a"]


def test_matching_halves_decide_between_two_places() -> None:
    """A tile between two ends joins the one that it matches."""
    one = joined(((0, 0), EAST, (1, 2)), ((64, 0), EAST, (2, 3)), ((128, 0), EAST, (6, 4)))
    assert as_pairs(one.joins) == {frozenset(((0, "b"), (1, "a")))}


def test_a_loop_is_refused_and_told() -> None:
    """A ring of four tiles keeps three joins; the fourth is reported as a loop."""
    choice = joined(
        ((0, 0), EAST, (1, 2)),
        ((38.5, 12.5), SOUTH, (2, 3)),
        ((26, 51), (-1.0, 0.0), (3, 4)),
        ((-12.5, 38.5), (0.0, -1.0), (4, 1)),
    )
    assert len(choice.joins) == 3
    assert len(choice.loops) == 1


def test_a_pair_beside_a_longer_chain_is_loose() -> None:
    """Two tiles that touch away from the line of play do not belong to it."""
    choice = joined(
        ((0, 0), EAST, (1, 2)),
        ((51, 0), EAST, (2, 3)),
        ((102, 0), EAST, (3, 4)),
        ((0, 200), EAST, (5, 6)),
        ((51, 200), EAST, (6, 0)),
    )
    assert words(choice) == ["0b~1a", "1b~2a"]


def test_fewer_than_two_tiles_have_no_joins() -> None:
    """Nothing is joined on an empty table or to a single tile."""
    assert words(joined(((0, 0), EAST, (1, 2)))) == []
    none = find_joins(TileRects(np.zeros((0, 2)), np.zeros((0, 2)), (50.0, 25.0)), np.zeros((0, 2, 7)))
    assert none.joins == ()
