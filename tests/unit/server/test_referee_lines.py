"""The referee at lines of play: orders, passes, illegal plays, misreadings, tables that explain nothing."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from domino_rules.errors import DominoError
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Move, Pass, Play, Stood
from domino_rules.record import Source
from domino_rules.tile import Tile
from domino_server.referee import (
    Answer,
    Asked,
    Correct,
    Corrected,
    IllegalPlay,
    Kind,
    MoveCommitted,
    Moved,
    Paused,
    Place,
    Reading,
    Redeal,
    Referee,
    Resumed,
    SeenTile,
    Sight,
    TakeBack,
)
from domino_vision.types import TileRole
from tests.referee_games import Camera, Seen, Table, lay_line

SEATS = ("A", "B", "C", "D")


def sight(line: str, *actors: str, spinner: bool = False) -> Sight:
    """Return the sight of a line written as `Layout` prints it."""
    table = Table()
    lay_line(table, Layout.parse(line, with_spinner=spinner), Random(1))
    camera = Camera(SEATS, Seen(stock=False), 1)
    camera.waiting = list(actors)
    return camera.sight(table)


def started(*lines: tuple[str, ...], game: str = "pincset", seats: tuple[str, ...] = SEATS) -> Referee:
    """Return a referee that has seen lines, each with the players who acted."""
    referee = Referee.start(game, seats)
    for line, *actors in lines:
        referee.see(sight(line, *actors, spinner=game == "cincos"))
    return referee


def made(referee: Referee) -> list[str]:
    """Return the committed moves in short."""
    return [short(record.move) for record in referee.ledger.moves]


def short(move: Move) -> str:
    """Return a move in a few words."""
    if isinstance(move, Stood):
        return f"{short(move.move)} stood"
    return f"{move.player} {move.tile} {move.arm.value}" if isinstance(move, Play) else f"{move.player} passes"


def test_a_new_tile_is_a_move_of_the_player_to_move() -> None:
    """A tile that comes becomes a play by turn order, at the end that it touches, marked as seen."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",), ("6-6 R:6-3 L:6-2",))
    assert made(referee) == ["B 6-6 start", "C 6-3 R", "D 6-2 L"]
    assert all(record.source is Source.SEEN for record in referee.ledger.moves)


def test_geometry_tells_equal_ends_apart() -> None:
    """With the same number at both ends, the end is the one whose tile is touched."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",), ("6-6 R:6-3 L:6-4",), ("6-6 R:6-3 L:6-4 R:3-4",))
    referee.see(sight("6-6 R:6-3 L:6-4 R:3-4 R:4-4"))
    assert made(referee)[-1] == "B 4-4 R"


def test_unknown_opener_is_asked_because_it_changes_whose_turn_it_is() -> None:
    """Without anybody seen, the referee asks who opened, and the answer settles it."""
    referee = started(("6-6",))
    assert list(referee.questions) == ["opener"]
    referee.tell(Answer("opener", "C"))
    assert made(referee) == ["C 6-6 start"]
    assert referee.ledger.moves[0].source is Source.TOLD


def test_pass_is_inferred_from_a_later_seat() -> None:
    """A tile from a later seat makes the seats between have passed, marked as inferred with the rule."""
    referee = started(("6-6", "B"), ("6-6 R:6-3", "D"))
    assert made(referee) == ["B 6-6 start", "C passes", "D 6-3 R"]
    assert (referee.ledger.moves[1].source, referee.ledger.moves[1].rule) == (Source.INFERRED, "later_seat_moved")


def test_who_passed_on_a_number_is_not_taken_for_its_player() -> None:
    """A player who passed on a number cannot have laid a tile with it later: he passed again."""
    referee = started(("6-6", "A"), ("6-6 R:6-3", "C"), ("6-6 R:6-3 L:6-2", "D"), ("6-6 R:6-3 L:6-2 R:3-5", "A"))
    referee.see(sight("6-6 R:6-3 L:6-2 R:3-5 R:5-6"))
    assert made(referee)[-2:] == ["B passes", "C 6-5 R"]
    assert referee.ledger.moves[-2].rule == "passed_before"


def test_a_tile_whose_join_is_seen_late_is_that_of_the_arm_that_brought_it() -> None:
    """It lies loose beside the open end at first; the next look, with nobody's arm before it, joins it."""
    referee = started(("6-6", "A"))
    table = Table()
    lay_line(table, Layout.parse("6-6"), Random(1))
    table.add((55.0, 0.0), (1.0, 0.0), (6, 3), TileRole.LOOSE)
    camera = Camera(SEATS, Seen(stock=False), 1)
    camera.waiting = ["C"]
    referee.see(camera.sight(table))
    assert made(referee) == ["A 6-6 start"]
    referee.see(camera.sight(table))
    assert made(referee) == ["A 6-6 start", "B passes", "C 6-3 R"]


def test_told_pass_goes_before_what_is_seen() -> None:
    """A pass that is called is a move, told; the next tile is the next player's."""
    referee = started(("6-6", "B"))
    referee.tell(Moved(Pass("C")))
    referee.see(sight("6-6 R:6-3"))
    assert made(referee) == ["B 6-6 start", "C passes", "D 6-3 R"]
    assert referee.ledger.moves[1].source is Source.TOLD


def test_two_moves_at_once_are_ordered_by_legality() -> None:
    """Two tiles that came at once, one on the other, have only one order."""
    referee = started(("6-6", "B"), ("6-6 R:6-3 R:3-1",))
    assert made(referee) == ["B 6-6 start", "C 6-3 R", "D 3-1 R"]
    assert not referee.questions


def test_orders_that_change_nothing_are_not_asked() -> None:
    """Two tiles at two ends in Pincset may come in either order: no question; the moves are inferred."""
    referee = started(("6-6", "B"), ("6-6 R:6-3 L:6-1",))
    assert len(referee.branches) == 2
    assert not referee.questions
    lines = ["6-6 R:6-3 L:6-1 R:3-2", "6-6 R:6-3 L:6-1 R:3-2 L:1-1", "6-6 R:6-3 L:6-1 R:3-2 L:1-1 L:1-0"]
    for line in lines:
        referee.see(sight(line))
    assert len(referee.branches) == 1
    assert [record.rule for record in referee.ledger.moves[1:3]] == ["one_of_several_orders"] * 2


def test_orders_that_change_a_score_are_asked() -> None:
    """In Cincos the order decides who scores: the question says what each answer would change."""
    referee = started(("6-6", "A"), ("6-6 R:6-3 L:6-4",), game="cincos", seats=("A", "B", "C", "D"))
    question = referee.questions["order"]
    points = [choice.changes["points"] for choice in question.choices]
    assert len(points) == 2
    assert points[0] != points[1]
    referee.tell(Answer("order", question.choices[1].key))
    assert len(referee.ledger.moves) == 3
    assert not referee.questions


def test_illegal_join_is_reported_before_the_next_move_and_put_right() -> None:
    """A tile that does not match is reported with the player, the game waits, and goes on when it was taken back."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",))
    events = referee.see(sight("6-6 R:6-3 R:2-1"))
    illegal = next(event for event in events if isinstance(event, IllegalPlay))
    assert (illegal.code, illegal.player, illegal.tile) == ("no_match", "D", Tile(2, 1))
    assert any(isinstance(event, Paused) for event in events)
    assert not any(isinstance(event, IllegalPlay) for event in referee.see(sight("6-6 R:6-3 R:2-1")))
    back = referee.see(sight("6-6 R:6-3"))
    assert any(isinstance(event, Resumed) for event in back)
    referee.see(sight("6-6 R:6-3 R:3-1"))
    assert made(referee)[-1] == "D 3-1 R"


def test_unsure_tile_is_followed_both_ways() -> None:
    """A tile read unsurely that no legal move explains is taken for its other reading, which is legal."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",))
    seen = sight("6-6 R:6-3 R:2-1")
    at = next(i for i, t in enumerate(seen.tiles) if t.tile is Tile(2, 1))
    halves = seen.tiles[at].halves or (0, 0)
    right = (3, 1) if halves == (2, 1) else (1, 3)
    doubtful = replace(seen.tiles[at], confidence=0.7, others=(Reading(right, 0.25),))
    seen = replace(seen, tiles=(*seen.tiles[:at], doubtful, *seen.tiles[at + 1 :]))
    referee.see(seen)
    assert made(referee)[-1] == "D 3-1 R"


@pytest.mark.parametrize(("key", "last"), [("as:3-1", "D 3-1 R"), ("illegal", "C 6-3 R")])
def test_answer_to_misread_or_illegal(key: str, last: str) -> None:
    """Told that it was misread, the tile is what was said; told that it lies so, the play is reported."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",))
    seen = sight("6-6 R:6-3 R:2-1")
    at = next(i for i, t in enumerate(seen.tiles) if t.tile is Tile(2, 1))
    halves = seen.tiles[at].halves or (0, 0)
    right = (3, 1) if halves == (2, 1) else (1, 3)
    doubtful = replace(seen.tiles[at], confidence=0.93, others=(Reading(right, 0.06),))
    referee.see(replace(seen, tiles=(*seen.tiles[:at], doubtful, *seen.tiles[at + 1 :])))
    question = referee.questions["misread_or_illegal"]
    assert question.choices[-1].odds == pytest.approx(0.94, abs=0.01)
    events = referee.tell(Answer("misread_or_illegal", key))
    assert made(referee)[-1] == last
    assert any(isinstance(event, IllegalPlay) for event in events) is (key == "illegal")


def test_closed_arm_of_the_spinner_is_illegal() -> None:
    """A tile at the spinner's end while a side is free is reported as a closed arm."""
    referee = started(("5-5", "A"), ("5-5 R:5-2",), game="cincos", seats=("A", "B", "C", "D"))
    table = Table()
    lay_line(table, Layout.parse("5-5 R:5-2 U:5-1"), Random(1))
    events = referee.see(Camera(SEATS, Seen(stock=False), 1).sight(table))
    assert [event.code for event in events if isinstance(event, IllegalPlay)] == ["arm_closed"]


def test_misread_that_is_seen_twice_is_corrected_and_everything_behind_it() -> None:
    """A tile read otherwise in two tables in turn was misread: the move is corrected in the record."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",), ("6-6 R:6-3 R:3-1",))
    referee.see(sight("6-6 R:6-3 R:3-2"))
    assert made(referee)[-1] == "D 3-1 R"
    events = referee.see(sight("6-6 R:6-3 R:3-2"))
    assert any(isinstance(event, Corrected) for event in events)
    assert made(referee)[-1] == "D 3-2 R"
    assert referee.record.corrected().hands[0].moves[-1].move == Play("D", Tile(3, 2), Arm.RIGHT)


def test_seen_against_told_is_asked() -> None:
    """A move that a person corrected is never changed back by the camera alone."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",), ("6-6 R:6-3 R:3-1",))
    referee.tell(Correct(3, Play("D", Tile(3, 2), Arm.RIGHT)))
    for _ in range(2):
        referee.see(sight("6-6 R:6-3 R:3-1"))
    assert made(referee)[-1] == "D 3-2 R"
    assert "seen_against_told" in referee.questions
    referee.tell(Answer("seen_against_told", "seen"))
    assert made(referee)[-1] == "D 3-1 R"


def test_tiles_swept_away_pause_and_go_on_when_they_lie_there_again() -> None:
    """A table swept clean in the middle of a hand waits with the tiles it expects, and goes on by itself."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",))
    events = referee.see(Camera(SEATS, Seen(stock=False), 1).sight(Table()))
    pause = next(event.pause for event in events if isinstance(event, Paused))
    assert (pause.code, set(pause.expects)) == ("table_cleared", {Tile(6, 6), Tile(6, 3)})
    events = referee.see(sight("6-6 R:6-3 R:3-1"))
    assert any(isinstance(event, Resumed) for event in events)
    assert made(referee)[-1] == "D 3-1 R"


def test_redeal_is_a_way_on_after_a_sweep() -> None:
    """Told that the hand is dealt again, the same hand begins anew."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",))
    referee.see(Camera(SEATS, Seen(stock=False), 1).sight(Table()))
    referee.tell(Redeal())
    assert made(referee) == []
    referee.see(sight("6-6", "C"))
    assert made(referee) == ["C 6-6 start"]


def test_missing_tile_is_tolerated_and_a_missing_last_tile_is_asked() -> None:
    """A covered tile in the line stops nothing; a last tile that stays away may have been taken back."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",), ("6-6 R:6-3 L:6-1",), ("6-6 R:6-3 L:6-1 R:3-2",))
    for _ in range(2):
        referee.see(sight("6-6 R:6-3 L:6-1"))
    assert "taken_back" in referee.questions
    referee.tell(Answer("taken_back", "taken"))
    assert made(referee)[-1] == "D 6-1 L"


def test_block_is_proved_from_the_table() -> None:
    """When no tile that could fit is left, all pass by inference and the hand is over."""
    referee = Referee.start("pincset", SEATS)
    referee.see(sight("6-6", "A"))
    long = "6-6 R:6-0 L:6-1 R:0-1 L:1-2 R:1-3 L:2-6 R:3-6 L:6-4 R:6-5 L:4-1 R:5-1 L:1-1"
    parts = long.split()
    for count in range(2, len(parts) + 1):
        referee.see(sight(" ".join(parts[:count])))
    state = referee.ledger.state
    assert state is not None
    assert state.result is not None
    assert state.result.kind == "block"
    assert {record.rule for record in referee.ledger.moves[-4:]} == {"blocked"}


def test_last_move_is_taken_back_when_told() -> None:
    """Told that the last move is taken back, it was not made; the record keeps both."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",))
    referee.tell(TakeBack())
    assert made(referee) == ["B 6-6 start"]
    assert len(referee.record.hands[0].moves) == 2


def test_wrong_answers_change_nothing() -> None:
    """An answer to no question, or with no such choice, is refused with a code."""
    referee = started(("6-6",))
    with pytest.raises(DominoError) as error:
        referee.tell(Answer("order", "1"))
    assert error.value.code == "no_such_question"
    with pytest.raises(DominoError) as error:
        referee.tell(Answer("opener", "Zoe"))
    assert error.value.code == "no_such_choice"
    assert "opener" in referee.questions


def test_same_inputs_same_outputs() -> None:
    """Two referees that are told the same say the same."""
    lines = [("6-6", "B"), ("6-6 R:6-3 L:6-1",), ("6-6 R:6-3 L:6-1 R:3-2",)]
    said = []
    for _ in range(2):
        referee = Referee.start("pincset", SEATS)
        said.append([event for line, *actors in lines for event in referee.see(sight(line, *actors))])
    assert said[0] == said[1]
    assert any(isinstance(event, MoveCommitted) for event in said[0])
    assert not any(isinstance(event, Asked) for event in said[0])


def unjoined(line: str, *loose: str) -> Sight:
    """Return the sight of a line in which vision saw no join at some tiles."""
    seen = sight(line)
    apart = {i for i, tile in enumerate(seen.tiles) if str(tile.tile) in loose}
    joins = tuple(join for join in seen.joins if (join.a in apart) is (join.b in apart))
    return replace(seen, joins=joins)


def test_matching_tile_that_stays_beside_an_end_was_played_there() -> None:
    """A tile near an open end that vision does not join is no move at first; when it stays it was played."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",))
    referee.see(unjoined("6-6 R:6-3 R:3-1", "3-1"))
    assert made(referee)[-1] == "C 6-3 R"
    referee.see(unjoined("6-6 R:6-3 R:3-1", "3-1"))
    assert made(referee)[-1] == "D 3-1 R"


def test_joined_tiles_apart_from_the_line_are_never_ignored() -> None:
    """Tiles that are joined to each other beside an end were played there; far from any end the game waits."""
    near = started(("6-6", "B"), ("6-6 R:6-3",))
    near.see(unjoined("6-6 R:6-3 R:3-1 R:1-2", "3-1", "2-1"))
    assert made(near)[-2:] == ["D 3-1 R", "A 2-1 R"]
    far = started(("6-6", "B"), ("6-6 R:6-3",))
    seen = unjoined("6-6 R:6-3 R:3-1 R:1-2", "3-1", "2-1")
    tiles = tuple(
        replace(t, at=(t.at[0], t.at[1] + 300), head=(t.head[0], t.head[1] + 300))
        if str(t.tile) in {"3-1", "2-1"}
        else t
        for t in seen.tiles
    )
    events = far.see(replace(seen, tiles=tiles))
    assert [event.pause.code for event in events if isinstance(event, Paused)] == ["not_joined"]
    assert made(far)[-1] == "C 6-3 R"


def test_arm_that_changed_nothing_is_no_move() -> None:
    """Somebody reached over the table and nothing came: the next tile is not taken for his."""
    referee = started(("6-6", "B"), ("6-6", "D"), ("6-6 R:6-3",))
    assert made(referee) == ["B 6-6 start", "C 6-3 R"]


def with_stock(seen: Sight, backs: int, *actors: str, unclear: bool = False) -> Sight:
    """Return a sight with a boneyard of so many tiles."""
    heap = [
        SeenTile(None, (30.0 * k, 5000.0), (30.0 * k, 5010.0), Place(Kind.STOCK), TileRole.DOWN) for k in range(backs)
    ]
    kept = tuple(tile for tile in seen.tiles if tile.place.kind is Kind.LAYOUT)
    return replace(seen, tiles=(*kept, *heap), hidden=frozenset({Kind.HAND}), actors=actors, unclear=unclear)


def test_draws_seen_before_a_tile_are_its_players() -> None:
    """Two tiles left the boneyard while the line stayed as it was: who lays the next tile drew them."""
    referee = Referee.start("cincos", SEATS)
    referee.see(with_stock(sight("6-6", spinner=True), 8, "A"))
    for left in (7, 6):
        referee.see(with_stock(sight("6-6", spinner=True), left))
    referee.see(with_stock(sight("6-6 R:6-3", spinner=True), 6))
    moves = [record.move for record in referee.ledger.moves]
    assert [(type(move).__name__, move.player) for move in moves] == [
        ("Play", "A"),
        ("Draw", "B"),
        ("Draw", "B"),
        ("Play", "B"),
    ]
    assert referee.settled


@pytest.mark.parametrize(("unclear", "code"), [(False, "not_your_turn"), (True, None)])
def test_nobody_is_out_of_turn_where_others_may_have_reached_over_the_table(unclear: bool, code: str | None) -> None:
    """An arm that nobody could tell may have been that of the player to move."""
    referee = Referee.start("cincos", SEATS)
    referee.see(with_stock(sight("6-6", spinner=True), 8, "A"))
    referee.see(with_stock(sight("6-6 R:6-3", spinner=True), 8, "C", unclear=unclear))
    assert (referee.pause.params["code"] if referee.pause else None) == code
    assert [record.move.player for record in referee.ledger.moves] == (["A", "B"] if unclear else ["A"])


def test_play_that_was_let_stand_and_was_a_misreading_after_all() -> None:
    """A tile that stood as illegal and is read otherwise twice becomes the legal move that it was."""
    referee = started(("6-6", "B"), ("6-6 R:6-3", "C"), ("6-6 R:6-3 R:2-1", "D"))
    referee.see(sight("6-6 R:6-3 R:2-1 L:6-5", "A"))
    assert made(referee)[-2:] == ["D 2-1 R stood", "A 6-5 L"]
    for _ in range(2):
        referee.see(sight("6-6 R:6-3 R:3-1 L:6-5"))
    assert referee.pause is None
    assert made(referee)[-2:] == ["D 3-1 R", "A 6-5 L"]
