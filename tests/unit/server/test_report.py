"""The report: open ends, count, points and legal plays out of an observation."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from domino_rules.errors import SetupError
from domino_rules.layout import Arm, Layout
from domino_rules.tile import DOUBLE_SIX, Tile, parse_tiles
from domino_server import picture
from domino_server.report import Question, build_report
from domino_vision.annotate import Words
from domino_vision.types import Frame, Join, ReadTile, TableObservation, TableProblem, TileRole

QUAD = np.zeros((4, 2), np.float32)


def observe(layouts: list[Layout], loose: str = "", down: int = 0) -> TableObservation:
    """Return an observation of the layouts (all of the same tiles), some loose tiles and some face down."""
    placements = layouts[0].placements if layouts else ()
    tiles = [ReadTile(QUAD, QUAD, (p.inner, p.outer), 0.99, TileRole.CHAIN) for p in placements]
    tiles += [ReadTile(QUAD, QUAD, tile.halves, 0.99, TileRole.LOOSE) for tile in parse_tiles(loose)]
    tiles += [ReadTile(QUAD, QUAD, None, 0.9, TileRole.DOWN)] * down
    count = layouts[0].count if layouts else None
    joins = (Join(0, "b", 1, "a"),) if len(placements) > 1 else ()
    return TableObservation(
        (640, 480), tuple(tiles), joins, tuple(layouts), count, 0.98, (), (), np.eye(3), 80.0, {"whole": 1.0}
    )


def test_cincos_report_has_count_points_and_scored_plays() -> None:
    """Two open ends of 5-5 and 2 count 12; 2-3 at the right makes 13, 5-0 at the left makes 2, and so on."""
    layout = Layout.parse("5-5 R:5-2")
    report = build_report(observe([layout]), Question.of(DOUBLE_SIX, "cincos"), "x.jpg")
    assert (report.count, report.points) == (12, 0)
    assert [(end.arm, end.pips, end.count) for end in report.open_ends] == [("L", 5, 10), ("R", 2, 2)]
    plays = {(play.tile, play.arm): (play.count, play.points) for play in report.legal_plays}
    assert plays["5-3", "L"] == (5, 5)
    assert plays["2-0", "R"] == (10, 10)
    assert plays["4-2", "R"] == (14, 0)
    assert ("5-2", "R") not in plays
    assert report.legal_plays[0].points == max(play.points or 0 for play in report.legal_plays)


def test_last_play_earns_the_count_when_it_is_a_multiple_of_five() -> None:
    """A count of 10 after the lead of 5-5 is worth 10 points."""
    report = build_report(observe([Layout.parse("5-5")]), Question.of(DOUBLE_SIX, "cincos"), "x.jpg")
    assert (report.count, report.points) == (10, 10)


def test_hand_that_fits_nowhere_must_draw() -> None:
    """A hand without a fitting tile has no plays and is told to draw."""
    question = Question.of(DOUBLE_SIX, "cincos", parse_tiles("6-4 3-3"))
    report = build_report(observe([Layout.parse("5-5 R:5-2")]), question, "x.jpg")
    assert report.legal_plays == []
    assert report.must_draw


def test_unseen_tiles_leave_out_what_lies_on_the_table() -> None:
    """Without a hand the plays are those of loose tiles first, then of tiles not seen anywhere."""
    report = build_report(observe([Layout.parse("5-5 R:5-2")], loose="2-1"), Question.of(DOUBLE_SIX, "cincos"), "x")
    assert report.legal_plays[0].source == "loose"
    assert report.legal_plays[0].tile == "2-1"
    assert {play.source for play in report.legal_plays} == {"loose", "unseen"}
    assert "2-1" not in {play.tile for play in report.legal_plays if play.source == "unseen"}


def test_open_spinner_is_told_with_what_each_candidate_allows() -> None:
    """Where either of two covered doubles may be the spinner, plays on its arms say so; others are listed once."""
    layouts = [Layout.parse("5-5 L:5-6 R:5-2 R:2-2 R:2-4"), Layout.parse("2-2 L:2-5 L:5-5 L:5-6 R:2-4")]
    report = build_report(observe(layouts), Question.of(DOUBLE_SIX, "cincos"), "x.jpg")
    assert report.spinner is None
    assert report.spinner_candidates == ["5-5", "2-2"]
    conditional = {(play.tile, play.arm, play.if_spinner) for play in report.legal_plays if play.if_spinner}
    assert ("5-1", "U", "5-5") in conditional
    assert ("2-1", "D", "2-2") in conditional
    assert {(end.arm, end.pips, end.if_spinner) for end in report.open_ends if end.if_spinner} == {
        ("U", 5, "5-5"),
        ("D", 5, "5-5"),
        ("U", 2, "2-2"),
        ("D", 2, "2-2"),
    }
    ends = [(play.tile, play.arm) for play in report.legal_plays if play.arm in {"L", "R"}]
    assert len(ends) == len(set(ends))


def test_pincset_has_no_spinner_and_no_points() -> None:
    """The same table read as Pincset opens its two ends only and scores no play."""
    layout = Layout.parse("5-5 L:5-6 R:5-2")
    report = build_report(observe([layout]), Question.of(DOUBLE_SIX, "500"), "x.jpg")
    assert {play.arm for play in report.legal_plays} == {"L", "R"}
    assert all(play.points is None for play in report.legal_plays)
    assert report.points is None
    assert report.spinner is None


@pytest.mark.parametrize(("hand", "code"), [("6-4 4-6", "hand_duplicate"), ("7-0", "not_in_set")])
def test_impossible_hand_is_refused_before_the_picture(hand: str, code: str) -> None:
    """A hand with a tile twice, or with a tile of another set, is refused."""
    with pytest.raises(SetupError) as caught:
        Question.of(DOUBLE_SIX, "cincos", parse_tiles(hand))
    assert caught.value.code == code


def test_hand_tile_on_the_chain_is_refused() -> None:
    """A tile that lies in the line of play cannot be in the hand; a loose one may be the hand itself."""
    observation = observe([Layout.parse("5-5 R:5-2")], loose="6-4")
    with pytest.raises(SetupError) as caught:
        build_report(observation, Question.of(DOUBLE_SIX, "cincos", (Tile(5, 2),)), "x.jpg")
    assert caught.value.code == "hand_on_table"
    report = build_report(observation, Question.of(DOUBLE_SIX, "cincos", (Tile(6, 4),)), "x.jpg")
    assert report.must_draw


def test_games_without_a_line_report_tiles_only() -> None:
    """A still of Bingo lists tiles; it claims no plays."""
    report = build_report(observe([], loose="6-4 3-3", down=2), Question.of(DOUBLE_SIX, "bingo"), "x.jpg")
    assert [tile.tile for tile in report.tiles] == ["6-4", "3-3", None, None]
    assert report.legal_plays == []
    assert report.count is None


def test_the_saved_picture_says_all_that_the_text_says_of_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays that hang on the spinner carry the condition; how many more there are is said."""
    made = [Layout.parse("5-5 L:5-6 R:5-2 R:2-2 R:2-4"), Layout.parse("2-2 L:2-5 L:5-5 L:5-6 R:2-4")]
    seen = observe(made)
    report = build_report(seen, Question.of(DOUBLE_SIX, "cincos", parse_tiles("5-0 2-0")), "x.jpg")
    drawn: list[tuple[Sequence[str], Words]] = []
    monkeypatch.setattr(picture, "annotate", lambda _bgr, _seen, lines, words: drawn.append((lines, words)))
    frame = Frame(np.zeros((480, 640, 3), np.uint8))
    picture.annotated(frame, seen, report)
    monkeypatch.setattr(picture, "SHOWN_PLAYS", 1)
    picture.annotated(frame, seen, report)
    assert any(line.startswith("5-0 at U if 5-5 is the spinner") for line in drawn[0][0])
    assert not any("more" in line for line in drawn[0][0])
    at_chain = TableProblem("face_down_at_chain", (0, 1))
    assert drawn[0][1].problem(at_chain) == "A tile that shows no face lies at the chain."
    assert drawn[1][0][-1] == f"and {len(report.legal_plays) - 1} more"


def test_a_branch_that_no_layout_holds_leaves_one_layout_for_all_that_is_told() -> None:
    """Two spinners that each leave out another tile: count, points, ends and plays are those of one layout."""
    made = [
        Layout.parse("5-5 L:5-3 L:3-6 R:5-2 D:5-4 D:4-4 D:4-0 D:0-1"),
        Layout.parse("4-4 L:4-5 L:5-5 L:5-3 L:3-6 R:4-0 R:0-1 U:4-1"),
    ]
    branch = TableProblem("branch", (5, 4, 6))
    seen = replace(observe(made), open_end_count=10, problems=(branch,))
    report = build_report(seen, Question.of(DOUBLE_SIX, "cincos"), "x.jpg")
    assert report.layout == str(made[0])
    assert (report.count, report.points) == (made[0].count, 0)
    assert sum(end.count for end in report.open_ends) == report.count
    assert not report.spinner_candidates
    assert report.ask
    assert [question.code for question in report.questions] == ["branch"]
    assert report.count_confidence < 0.5
    held = build_report(replace(seen, open_end_count=made[0].count), Question.of(DOUBLE_SIX, "cincos"), "x.jpg")
    assert (held.ask, held.count_confidence) == (False, 0.98)
    assert {end.if_spinner for end in report.open_ends} == {play.if_spinner for play in report.legal_plays} == {None}
    for play in report.legal_plays:
        assert play.count == made[0].put(*placed(play.tile, play.arm, made[0])).count


def placed(tile: str, arm: str, layout: Layout) -> tuple[Tile, Arm, int]:
    """Return a play as a layout takes it."""
    return Tile.parse(tile), Arm(arm), next(end.pips for end in layout.open_ends if end.arm == arm)
