"""What `dominotable read` prints for people: reasons to look, arms of a spinner, tiles of another set."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_rules.layout import Layout
from domino_server.commands import read
from domino_vision.errors import VisionError
from domino_vision.types import Frame, Join, ReadTile, TableObservation, TableProblem, TileRole

SIZE = (900, 600)


class Seeing:
    """A pipeline that sees what it is told, and remembers whether it was asked for a line of play."""

    def __init__(self, observation: TableObservation) -> None:
        self.observation = observation
        self.line = True

    def with_set(self, tile_set: object) -> "Seeing":
        return self

    def without_line(self) -> "Seeing":
        self.line = False
        return self

    def observe(self, frame: Frame) -> TableObservation:
        return self.observation


def tile(halves: tuple[int, int] | None, x: float, y: float, role: TileRole = TileRole.CHAIN) -> ReadTile:
    quad = np.array([[x - 40, y - 20], [x - 40, y + 20], [x + 40, y + 20], [x + 40, y - 20]], np.float32)
    return ReadTile(quad, quad, halves, 0.9, role)


def seen(
    tiles: Sequence[ReadTile],
    layouts: Sequence[str] = (),
    questions: tuple[TableProblem, ...] = (),
    problems: tuple[TableProblem, ...] = (),
) -> TableObservation:
    made = tuple(map(Layout.parse, layouts))
    count = made[0].count if made else None
    joins = (Join(0, "b", 1, "a"),) if len(tiles) > 1 else ()
    return TableObservation(SIZE, tuple(tiles), joins, made, count, 0.8, questions, problems, np.eye(3), 80.0, {})


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Return what is printed for an observation, of a grey picture or one that is given."""

    def show(observation: TableObservation, game: str | None = None, grey: int = 128, **options) -> str:
        picture = tmp_path / "table.png"
        cv2.imwrite(str(picture), np.full((SIZE[1], SIZE[0], 3), grey, np.uint8))
        monkeypatch.setattr(read, "load_pipeline", lambda **_: Seeing(observation))
        read.run(picture, read.ReadOptions(game=game, **options))
        return capsys.readouterr().out

    return show


def test_each_reason_to_look_is_named_with_its_tiles_and_place(printed) -> None:
    """A person is told what to look at, where, and why; what is in question is not noted a second time."""
    tiles = [tile((6, 4), 100, 100), tile((4, 1), 450, 300), tile((1, 3), 800, 500)]
    cut = TableProblem("part_of_tile", (2,))
    questions = (
        TableProblem("tile_unsure", (0,), {"confidence": 0.4}),
        TableProblem("count_unsure", (1,), {"count": 9, "others": [10, 8]}),
        TableProblem("join_unsure", (1, 2)),
        cut,
    )
    text = printed(seen(tiles, ["6-4 R:4-1 R:1-3"], questions, (cut,)))
    assert "look       6-4 (top left): This tile is hard to read." in text
    assert "look       4-1 (middle): The count may be another: 10, 8." in text
    assert "look       4-1 (middle), 3-1: Are these two tiles joined" in text
    assert text.count("Only a part of this tile is in view.") == 1
    assert "look       3-1 (bottom right): Only a part" in text


def test_a_branch_says_where_it_is(printed) -> None:
    """The tile at which the chain branches comes first, with its place."""
    tiles = [tile((6, 4), 100, 500), tile((4, 1), 200, 500), tile((4, 3), 150, 400)]
    text = printed(seen(tiles, ["6-4 R:4-1"], (), (TableProblem("branch", (0, 1, 2)),)))
    assert "note       6-4 (bottom left), 4-1, 4-3: The chain branches" in text
    assert "look" not in text


@pytest.mark.parametrize(("grey", "advice"), [(255, "glare"), (20, "too dark")])
def test_an_overexposed_tile_says_what_is_wrong_with_the_light(printed, grey: int, advice: str) -> None:
    """Where a tile is hard to read, the picture of it is judged; where nothing is asked, it is not."""
    tiles = [tile((6, 4), 100, 100), tile((4, 1), 450, 300)]
    asked = (TableProblem("tile_unsure", (1,)),)
    assert f"picture    {advice}: " in printed(seen(tiles, ["6-4 R:4-1"], asked), grey=grey)
    assert "picture" not in printed(seen(tiles, ["6-4 R:4-1"]), grey=grey)


@pytest.mark.parametrize(("side", "told"), [(16, True), (100, False)])
def test_tiles_that_are_too_far_away_are_told_without_a_question(printed, side: int, told: bool) -> None:
    """What is read there may be wrong however sure it seems."""
    tiles = [tile((6, 4), 100, 100), tile((4, 1), 450, 300)]
    middles = [each.quad_px.mean(0) for each in tiles]
    quads = [middle + (each.quad_px - middle) * side / 100 for each, middle in zip(tiles, middles, strict=True)]
    small = [replace(each, quad_px=quad.astype(np.float32)) for each, quad in zip(tiles, quads, strict=True)]
    assert ("picture    too far: " in printed(seen(small, ["6-4 R:4-1"]), grey=128)) is told


def test_arms_that_hang_on_the_spinner_are_listed_for_each(printed) -> None:
    """At Cincos either of two doubles may be the spinner: its arms are printed with the condition."""
    layouts = ["5-5 L:5-6 R:5-2 R:2-2 R:2-4", "2-2 L:2-5 L:5-5 L:5-6 R:2-4"]
    tiles = [tile(pair, 100 + 90 * k, 300) for k, pair in enumerate([(6, 5), (5, 5), (5, 2), (2, 2), (2, 4)])]
    text = printed(seen(tiles, layouts), "cincos")
    assert "open ends  L:6  R:4\n" in text
    assert "           U:5 (counts 0)  D:5 (counts 0)  if 5-5 is the spinner\n" in text
    assert "           U:2 (counts 0)  D:2 (counts 0)  if 2-2 is the spinner\n" in text


@pytest.mark.parametrize(
    ("layouts", "game", "hand", "told"),
    [
        (["5-5 R:5-2"], "cincos", "6-4,3-3", "no tile of the hand fits: draw, or pass where nothing may be drawn"),
        (["5-5 R:5-2"], None, "", "the hand holds no tile"),
        ([], "cincos", "6-4", "no line of play is seen that the hand could be laid to"),
        ([], "bingo", "6-4", "bingo has no line of play that tiles could fit"),
    ],
)
def test_a_hand_without_plays_is_told_why(printed, layouts: list[str], game: str | None, hand: str, told: str) -> None:
    """Whoever names a hand hears of it, also where nothing can be laid."""
    role = TileRole.CHAIN if layouts else TileRole.LOOSE
    tiles = [tile((5, 5), 100, 100, role), tile((5, 2), 300, 100, role)]
    assert f"plays      {told}\n" in printed(seen(tiles, layouts), game, hand=hand)


@pytest.mark.parametrize(("game", "line"), [("bingo", False), ("tiu-u", False), ("cincos", True), (None, True)])
def test_games_without_a_line_are_read_without_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str | None, line: bool
) -> None:
    """Where tiles only touch by chance nothing is joined."""
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), np.full((SIZE[1], SIZE[0], 3), 90, np.uint8))
    eye = Seeing(seen([tile((6, 4), 100, 100, TileRole.LOOSE)]))
    monkeypatch.setattr(read, "load_pipeline", lambda **_: eye)
    read.run(picture, read.ReadOptions(game=game))
    assert eye.line is line


@pytest.mark.parametrize(
    ("halves", "named"),
    [((9, 5), "--set double-nine or --set double-twelve"), ((12, 0), "it is one with --set double-twelve")],
)
def test_a_tile_of_another_set_names_the_sets_that_hold_it(printed, halves: tuple[int, int], named: str) -> None:
    """Without `--set` the set is double-six: the message says which sets have the tile."""
    foreign = (TableProblem("not_in_set", (0,), {"set": "double-six"}),)
    with pytest.raises(VisionError, match="is no tile of the double-six set") as caught:
        printed(seen([tile(halves, 100, 100), tile((4, 1), 300, 100)], [], (), foreign))
    assert named in caught.value.message


def test_a_tile_that_the_game_has_not_names_the_set_by_the_word_of_the_option(printed) -> None:
    """Tiu-U takes two Chinese sets; the option knows them as `chinese`. The tile is named high half first."""
    foreign = (TableProblem("not_in_set", (0,), {"set": "two-chinese"}),)
    with pytest.raises(VisionError, match="4-0 is no tile of the chinese set; tiu-u is played with that set alone"):
        printed(seen([tile((0, 4), 100, 100, TileRole.LOOSE)], [], (), foreign), "tiu-u")
