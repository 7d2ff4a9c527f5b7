"""The open-end count from bare joins."""

import pytest

from domino_vision.assemble.count import open_end_count
from domino_vision.types import Join


@pytest.mark.parametrize(
    ("halves", "joins", "count"),
    [
        pytest.param([(6, 4), (4, 1)], [Join(0, "b", 1, "a")], 7, id="both free halves"),
        pytest.param([(6, 4)], [], 10, id="a lone tile counts both halves"),
        pytest.param([(5, 5)], [], 10, id="a lone double counts twice its pips"),
        pytest.param([(6, 4), (4, 4)], [Join(0, "b", 1, "m")], 14, id="a crosswise double at a tip counts both halves"),
        pytest.param([(6, 4), (4, 4)], [Join(0, "b", 1, "a")], 14, id="so does one that lies lengthwise"),
        pytest.param(
            [(6, 4), (4, 4), (4, 1)], [Join(0, "b", 1, "m"), Join(1, "m", 2, "a")], 7, id="a covered double is 0"
        ),
        pytest.param(
            [(6, 4), (4, 4), (4, 1)], [Join(0, "b", 1, "m"), Join(1, "a", 2, "a")], 7, id="side and end covered: 0"
        ),
        pytest.param(
            [(4, 4), (4, 1), (4, 2), (4, 3)],
            [Join(0, "m", 1, "a"), Join(0, "m", 2, "a"), Join(0, "a", 3, "a")],
            6,
            id="three arms of a spinner",
        ),
        pytest.param([(6, 4), (1, 2), (0, 5)], [Join(0, "b", 1, "a")], 8, id="a loose tile does not count"),
        pytest.param([(6, 4), (1, 2)], [], None, id="no chain among loose tiles"),
        pytest.param([], [], None, id="empty table"),
        pytest.param([None, (3, 2)], [], 5, id="a face-down tile is not there"),
        pytest.param(
            [(6, 4), (4, 1), (4, 2)], [Join(0, "b", 1, "a"), Join(0, "b", 2, "a")], 9, id="a branch no game allows"
        ),
        pytest.param([(6, 4), (3, 1)], [Join(0, "b", 1, "m")], 10, id="another tile crosswise has both ends free"),
    ],
)
def test_open_end_count(halves: list[tuple[int, int] | None], joins: list[Join], count: int | None) -> None:
    """Each tip that carries a tile adds its free half, a double both halves; all else adds nothing."""
    assert open_end_count(halves, joins) == count
