"""Who reached over the table: told by the edge of the picture that an arm comes over."""

from __future__ import annotations

import numpy as np
import pytest

from domino_server.referee.arms import Arms

SEATS = ("A", "B", "C", "D")


def test_arm_over_a_dark_table_changes_no_other_edge() -> None:
    """A table in the dark shows a few levels; an arm that shifts their median does not lighten what is bright there."""
    table = np.full((240, 360, 3), 18, np.uint8)
    table[:, 174:] = 22
    table[225:, 60:300] = 200
    arm = table.copy()
    arm[80:160, 200:] = 90
    arm[90:150, 210:] = 3
    assert crossed(table, arm) == (("B",), False)


@pytest.mark.parametrize(("side", "who"), [(0, "A"), (1, "B"), (2, "C"), (3, "D")])
def test_arm_is_known_by_the_edge_that_it_crosses(side: int, who: str) -> None:
    """Something dark that reaches in over one edge belongs to the player who sits there."""
    table = np.full((240, 360, 3), 150, np.uint8)
    arm = table.copy()
    reach = {0: np.s_[120:, 150:200], 1: np.s_[100:140, 200:], 2: np.s_[:120, 150:200], 3: np.s_[100:140, :160]}
    arm[reach[side]] = 40
    arms = Arms(SEATS)
    arms.table(table)
    for _ in range(3):
        arms.over(arm)
    arms.away()
    assert arms.taken() == ((who,), False)
    assert arms.taken() == ((), False)


def test_arm_that_swings_over_a_corner_is_known_by_where_it_came_and_went() -> None:
    """In between it crosses the edge of another player, and for longer."""
    table = np.full((240, 360, 3), 150, np.uint8)
    low, high = table.copy(), table.copy()
    low[100:140, :160] = 40
    high[:100, :140] = 40
    high[:, :60] = 150
    arms = Arms(SEATS)
    arms.table(table)
    for arm in (low, high, high, high, high, low):
        arms.over(arm)
    arms.away()
    assert arms.taken() == (("D",), False)


def test_arms_of_opposite_sides_are_told_by_who_was_there_longer() -> None:
    """No arm swings over to the other side: that is another one, and most pictures show it."""
    table = np.full((240, 360, 3), 150, np.uint8)
    near, far = table.copy(), table.copy()
    near[120:, 150:200] = 40
    far[:120, 150:200] = 40
    arms = Arms(SEATS)
    arms.table(table)
    for arm in (near, near, far, far, far, far, far, far, near, near):
        arms.over(arm)
    arms.away()
    assert arms.taken()[0] == ("C",)


def test_arm_that_comes_before_it_is_noticed_is_no_part_of_the_table() -> None:
    """What is watched is small when few tiles lie there: an arm is in the picture for a while before it is noticed."""
    table = np.full((240, 360, 3), 150, np.uint8)
    arm, lamp = table.copy(), table.copy()
    arm[:120, 150:200] = 40
    lamp[200:, :40] = 90
    arms = Arms(SEATS)
    arms.table(table)
    for at in range(5):
        arms.at_rest(lamp, 0.5 * at)
    arm[200:, :40] = 90
    for at in (2.5, 3.0):
        arms.at_rest(arm, at)
    for _ in range(3):
        arms.over(arm)
    arms.away()
    assert arms.taken() == (("C",), False)


def crossed(table: np.ndarray, arm: np.ndarray) -> tuple[tuple[str, ...], bool]:
    """Return who reached over a table, and whether others may have."""
    arms = Arms(SEATS)
    arms.table(table)
    for _ in range(3):
        arms.over(arm)
    arms.away()
    return arms.taken()


def test_dark_sleeve_over_a_dark_cloth_is_seen() -> None:
    """In the dark colours differ by less."""
    table = np.full((240, 360, 3), 24, np.uint8)
    arm = table.copy()
    arm[:120, 150:200] = (34, 16, 34)
    assert crossed(table, arm) == (("C",), False)


def test_tile_drawn_near_the_edge_is_nobodys_arm() -> None:
    """A tile of the boneyard that is gone changes the table near an edge, not across it: it tells nothing."""
    table = np.full((240, 360, 3), 90, np.uint8)
    table[214:229, 150:200] = 230
    assert crossed(table, np.full((240, 360, 3), 90, np.uint8)) == ((), True)
