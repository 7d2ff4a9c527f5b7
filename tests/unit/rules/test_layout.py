"""The layout: ends, spinner, count, problems, text."""

import pytest

from domino_rules.errors import IllegalMoveError, ParseError
from domino_rules.layout import Arm, Layout, LayoutProblem
from domino_rules.tile import DOUBLE_SIX, Tile


def ends(text: str, *, with_spinner: bool = True) -> dict[str, tuple[int, int]]:
    """Return pips and count of each open end of a layout."""
    return {end.arm.value: (end.pips, end.count) for end in Layout.parse(text, with_spinner=with_spinner).open_ends}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("6-4", {"L": (6, 6), "R": (4, 4)}),
        ("5-5", {"L": (5, 5), "R": (5, 5)}),
        ("5-5 R:5-2", {"L": (5, 10), "R": (2, 2)}),
        ("5-5 R:5-2 L:5-3", {"L": (3, 3), "R": (2, 2), "U": (5, 0), "D": (5, 0)}),
        ("5-5 R:5-2 L:5-3 U:5-0", {"L": (3, 3), "R": (2, 2), "U": (0, 0), "D": (5, 0)}),
        ("6-5 R:5-5", {"L": (6, 6), "R": (5, 10)}),
        ("6-5 R:5-5 R:5-1", {"L": (6, 6), "R": (1, 1), "U": (5, 0), "D": (5, 0)}),
        ("6-5 L:6-6 R:5-5", {"L": (6, 12), "R": (5, 10)}),
    ],
)
def test_open_ends_and_what_they_count(text: str, expected: dict[str, tuple[int, int]]) -> None:
    """Doubles at a tip count twice; the spinner's arms open once both sides are covered, and count when used."""
    assert ends(text) == expected


def test_without_a_spinner_no_arm_opens() -> None:
    """A game without a spinner has two ends, whatever doubles lie there."""
    assert set(ends("5-5 R:5-2 L:5-3", with_spinner=False)) == {"L", "R"}


@pytest.mark.parametrize(
    ("text", "tile", "arm", "code"),
    [
        ("6-5", Tile(4, 3), Arm.RIGHT, "no_match"),
        ("6-5", Tile(6, 5), Arm.RIGHT, "duplicate_tile"),
        ("6-5", Tile(5, 3), Arm.UP, "arm_closed"),
        ("5-5 R:5-2", Tile(5, 1), Arm.DOWN, "arm_closed"),
        ("6-5", Tile(5, 3), Arm.START, "arm_closed"),
        ("", Tile(5, 3), Arm.LEFT, "arm_closed"),
    ],
)
def test_a_tile_that_cannot_lie_there_is_refused(text: str, tile: Tile, arm: Arm, code: str) -> None:
    """A refused placement says why and leaves the layout as it was."""
    layout = Layout.parse(text)
    with pytest.raises(IllegalMoveError) as caught:
        layout.place(tile, arm)
    assert (caught.value.code, str(layout)) == (code, text)


def test_a_layout_reads_what_it_writes() -> None:
    """Text and layout agree both ways."""
    text = "1-4 L:1-1 R:4-4 R:4-3 L:1-2 U:1-5"
    assert str(Layout.parse(text)) == text


@pytest.mark.parametrize("text", ["X:5-5", "6-5 5-5", "R:5-5", "6-x", "6-5 R:"])
def test_text_that_is_no_layout_is_refused(text: str) -> None:
    """Broken text raises an error of the documented tree."""
    with pytest.raises((ParseError, IllegalMoveError)):
        Layout.parse(text)


def test_all_problems_are_found_at_once() -> None:
    """An unmatched join, a tile that lies there twice and an arm that is not open are all reported."""
    layout = Layout.parse("6-4 R:3-2 R:2-6 R:6-4 U:6-1")
    assert layout.problems(DOUBLE_SIX) == (
        LayoutProblem.UNMATCHED_JOIN | LayoutProblem.DUPLICATE_TILE | LayoutProblem.ARM_CLOSED
    )
    assert [str(placement) for placement in layout.unmatched()] == ["R:3-2", "U:6-1"]
    assert Layout.parse("9-9").problems(DOUBLE_SIX) == LayoutProblem.NOT_IN_SET
    assert Layout.parse("6-6 R:6-1").problems() == LayoutProblem.NONE


def test_where_a_tile_fits() -> None:
    """A tile fits at START of an empty layout, and at every end that shows one of its halves."""
    assert Layout().fits(Tile(5, 1)) == (Arm.START,)
    assert Layout.parse("5-5 R:5-2 L:5-3").fits(Tile(5, 3)) == (Arm.LEFT, Arm.UP, Arm.DOWN)


def test_lines_tips_and_members() -> None:
    """The tiles of an arm are found from the inside out, the tip is the outermost."""
    layout = Layout.parse("5-5 R:5-2 R:2-2 L:5-3")
    assert [str(placement.tile) for placement in layout.line(Arm.RIGHT)] == ["5-2", "2-2"]
    assert layout.tip(Arm.RIGHT) is layout.placements[2]
    assert layout.tip(Arm.UP) is None
    assert Tile(5, 3) in layout
    assert Tile(6, 6) not in layout
    assert layout.placements[2].crosswise
    assert len(layout) == 4


@pytest.mark.parametrize(
    ("text", "shut"),
    [
        ("", False),
        ("6-4 R:4-4 R:4-5 R:5-0 R:0-4 R:4-1 R:1-2 R:2-4 R:4-3 R:3-6 R:6-6", False),
        ("6-1 L:6-6 R:1-4 R:4-6 R:6-5 R:5-2 R:2-6 R:6-3 R:3-0 R:0-6", True),
    ],
)
def test_a_line_that_leaves_nothing_to_play_is_known_from_the_table(text: str, shut: bool) -> None:
    """A line proves the block once every tile that could fit one of its ends lies in it."""
    assert Layout.parse(text, with_spinner=False).exhausts(DOUBLE_SIX) is shut
