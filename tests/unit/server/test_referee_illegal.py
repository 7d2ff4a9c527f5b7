"""Illegal plays: reported at once, followed, let stand when the table plays on, forgotten when they are taken back."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from domino_rules.errors import DominoError
from domino_rules.games.chain import ChainState
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Play, Stood
from domino_rules.record import Source
from domino_rules.record_replay import replay
from domino_rules.tile import Tile
from domino_server.referee import IllegalPlay, LetStand, Moved, Referee, Resumed, Sight
from domino_server.referee.events import event_json
from domino_server.tables.view import History
from domino_vision.types import Join, TileRole
from tests.referee_games import Camera, Seen, Table, lay_line

SEATS = ("A", "B", "C", "D")


def sight(line: str, *actors: str, spinner: bool = False, stock: int | None = None, up: str | None = None) -> Sight:
    """Return the sight of a line; `up` lies at the upper end of its first tile, whatever the rules say."""
    table = Table()
    lay_line(table, Layout.parse(line, with_spinner=spinner), Random(1))
    if up is not None:
        halves = Tile.parse(up).halves
        index = table.add((0.0, -51.0), (0.0, -1.0), halves, TileRole.CHAIN)
        table.joins.append(Join(0, "a" if table.tiles[0][1][1] < 0.5 else "b", index, "a"))
    camera = Camera(SEATS, Seen(stock=stock is not None), 1)
    for number in range(stock or 0):
        table.add((60.0 * number, 5000.0), (0, 1), None, TileRole.DOWN)
    camera.waiting = list(actors)
    return camera.sight(table)


def started(game: str, seats: tuple[str, ...], *lines: tuple[str, str]) -> Referee:
    referee = Referee.start(game, seats)
    for line, actor in lines:
        referee.see(sight(line, actor, spinner=game == "cincos"))
    return referee


def codes(events: tuple[object, ...]) -> list[tuple[str, str | None]]:
    return [(event.code, event.player) for event in events if isinstance(event, IllegalPlay)]


def last(referee: Referee) -> object:
    return referee.ledger.moves[-1].move


def test_wrong_tile_is_let_stand_when_the_next_one_is_laid_on_it() -> None:
    """Reported with its player before the next move; then ends, turn and record go on from the table as it lies."""
    referee = started("pincset", SEATS, ("6-6", "B"), ("6-6 R:6-3", "C"))
    assert codes(referee.see(sight("6-6 R:6-3 R:2-1", "D"))) == [("no_match", "D")]
    assert len(referee.ledger.moves) == 2
    events = referee.see(sight("6-6 R:6-3 R:2-1 R:1-5", "A"))
    assert not codes(events)
    assert any(isinstance(event, Resumed) for event in events)
    moves = [record.move for record in referee.ledger.moves[2:]]
    assert moves == [Stood(Play("D", Tile(2, 1), Arm.RIGHT), 2), Play("A", Tile(5, 1), Arm.RIGHT)]
    assert isinstance(referee.state, ChainState)
    assert (referee.state.ends, referee.state.to_move) == ((6, 5), "B")
    assert referee.settled
    assert replay(referee.record).match.state == referee.state


def test_wrong_tile_that_is_taken_back_never_stood() -> None:
    """Once the tile is gone the game goes on as if nothing had been laid; the same player lays another one."""
    referee = started("pincset", SEATS, ("6-6", "B"), ("6-6 R:6-3", "C"), ("6-6 R:6-3 R:2-1", "D"))
    referee.see(sight("6-6 R:6-3"))
    assert referee.illegal.standing is None
    referee.see(sight("6-6 R:6-3 R:3-5", "D"))
    assert last(referee) == Play("D", Tile(5, 3), Arm.RIGHT)


def test_two_wrong_tiles_one_after_the_other() -> None:
    """The second wrong tile lets the first one stand, and is reported in its turn."""
    referee = started("pincset", SEATS, ("6-6", "B"), ("6-6 R:6-3", "C"), ("6-6 R:6-3 R:2-1", "D"))
    assert codes(referee.see(sight("6-6 R:6-3 R:2-1 R:4-4", "A"))) == [("no_match", "A")]
    assert last(referee) == Stood(Play("D", Tile(2, 1), Arm.RIGHT), 2)
    referee.see(sight("6-6 R:6-3 R:2-1 R:4-4 L:6-0", "B"))
    assert last(referee) == Play("B", Tile(6, 0), Arm.LEFT)
    assert referee.settled


def test_closed_arm_of_the_spinner_and_what_follows_there() -> None:
    """A tile on an arm that was closed is let stand; it counts, and the next tile may lie on it."""
    referee = started("cincos", SEATS, ("5-5", "A"), ("5-5 R:5-2", "B"))
    assert codes(referee.see(sight("5-5 R:5-2 U:5-1", "C", spinner=True))) == [("arm_closed", "C")]
    referee.see(sight("5-5 R:5-2 U:5-1 U:1-4", "D", spinner=True))
    assert last(referee) == Play("D", Tile(4, 1), Arm.UP)
    state = referee.state
    assert isinstance(state, ChainState)
    assert state.layout.count == 16
    assert referee.settled


def test_tile_at_the_side_of_a_line_without_a_spinner() -> None:
    """A tile that touches no open end is let stand beside the line; what is laid on it then lies beside it too."""
    referee = started("pincset", SEATS, ("6-6", "A"), ("6-6 R:6-3", "B"), ("6-6 R:6-3 L:6-2", "C"))
    said = referee.see(sight("6-6 R:6-3 L:6-2", "D", up="6-1"))
    assert codes(said) == [("arm_closed", "D")]
    history = History()
    for event in said:
        history.take(event_json(event), "", "en")
    assert [alert.text for alert in history.alerts] == ["Laid beside the line: that place is not open."]
    referee.see(sight("6-6 R:6-3 L:6-2 R:3-5", "A", up="6-1"))
    moves = [record.move for record in referee.ledger.moves[-2:]]
    assert moves == [Stood(Play("D", Tile(6, 1), Arm.RIGHT)), Play("A", Tile(5, 3), Arm.RIGHT)]
    assert isinstance(referee.state, ChainState)
    assert referee.state.ends == (2, 5)
    assert referee.settled


def test_out_of_turn_while_there_is_something_to_draw() -> None:
    """Who lays a tile while the player to move has neither laid nor drawn plays out of turn, and it may stand."""
    referee = Referee.start("cincos", SEATS)
    referee.see(sight("6-6", "A", spinner=True, stock=8))
    assert codes(referee.see(sight("6-6 R:6-3", "C", spinner=True, stock=8))) == [("not_your_turn", "C")]
    referee.see(sight("6-6 R:6-3 R:3-1", "D", spinner=True, stock=8))
    moves = [record.move for record in referee.ledger.moves[-2:]]
    assert moves == [Stood(Play("C", Tile(6, 3), Arm.LEFT), 6), Play("D", Tile(3, 1), Arm.LEFT)] or moves == [
        Stood(Play("C", Tile(6, 3), Arm.RIGHT), 6),
        Play("D", Tile(3, 1), Arm.RIGHT),
    ]


def test_first_tile_that_had_to_be_another() -> None:
    """A hand that begins without 6-6 is reported, and goes on when the next tile is laid."""
    referee = Referee.start("pincset", SEATS)
    events = referee.see(sight("5-5", "B"))
    assert codes(events) == [("must_lead", "B")]
    assert [event.params for event in events if isinstance(event, IllegalPlay)] == [{"tiles": ["6-6"]}]
    referee.see(sight("5-5 R:5-3", "C"))
    assert [record.move.player for record in referee.ledger.moves] == ["B", "C"]
    assert isinstance(referee.ledger.moves[0].move, Stood)
    assert referee.settled


def test_same_tile_twice() -> None:
    """A second tile of the same kind is reported, and stands when the table plays on: two sets were mixed."""
    referee = started("pincset", SEATS, ("6-6", "B"), ("6-6 R:6-3", "C"))
    assert codes(referee.see(sight("6-6 R:6-3 L:6-3", "D"))) == [("duplicate_tile", "D")]
    referee.see(sight("6-6 R:6-3 L:6-3 L:3-1", "A"))
    assert isinstance(referee.state, ChainState)
    assert sorted(referee.state.ends) == [1, 3]
    assert referee.settled


def test_tile_is_not_judged_by_a_copy_that_was_laid_beside_it() -> None:
    """Two tiles come at once, the second one of another set: the first fits, whatever its copy's twin touches."""
    laid = "6-6 R:6-1 R:1-0 L:6-3"
    referee = started("pincset", SEATS, ("6-6", "B"), ("6-6 R:6-1", "C"), ("6-6 R:6-1 R:1-0", "D"), (laid, "A"))
    told = codes(referee.see(sight(f"{laid} L:3-1 L:1-6", "B", "C")))
    assert told == [("duplicate_tile", "C")]
    assert last(referee) == Play("B", Tile(3, 1), Arm.LEFT)


def test_tile_twice_after_another_wrong_tile_is_reported_though_vision_doubts_it() -> None:
    """A tile was laid, whatever it is: the one before it stands, and the doubtful one is the next player's."""
    referee = started("pincset", SEATS, ("6-6", "B"), ("6-6 R:6-3", "C"))
    assert codes(referee.see(sight("6-6 R:6-3 R:2-1", "D"))) == [("no_match", "D")]
    doubted = replace(sight("6-6 R:6-3 R:2-1 L:6-3", "A"), believed=False)
    assert codes(referee.see(doubted)) == [("duplicate_tile", "A")]
    assert last(referee) == Stood(Play("D", Tile(2, 1), Arm.RIGHT), 2)
    assert any(isinstance(event, Resumed) for event in referee.see(sight("6-6 R:6-3 R:2-1")))


def test_hand_that_ends_with_a_wrong_tile() -> None:
    """A player goes out with a tile that does not match, and the hands are turned up: it stood."""
    referee = Referee.start("pincset", SEATS)
    line = ["6-6", "R:6-3", "R:3-3", "R:3-1", "R:1-1", "R:1-4", "R:4-4", "R:4-0", "R:0-0", "R:0-2", "R:2-2", "R:2-5"]
    line += ["R:5-5", "L:6-1", "L:1-2", "L:2-3", "L:3-5", "L:5-6", "L:6-4", "L:4-2", "L:2-6", "L:6-0", "L:0-1", "L:1-5"]
    for count in range(1, 25):
        referee.see(sight(" ".join(line[:count]), SEATS[(count - 1) % 4]))
    assert len(referee.ledger.moves) == 24
    ending = " ".join([*line, "R:4-3"])
    assert codes(referee.see(sight(ending, "A"))) == [("no_match", "A")]
    table = Table()
    lay_line(table, Layout.parse(ending, with_spinner=False), Random(1))
    for column, tile in enumerate(("5-0", "4-5", "3-0")):
        table.add(((column + 1) * 5000.0, 10000.0), (0, 1), Tile.parse(tile).halves, TileRole.LOOSE)
    camera = Camera(SEATS, Seen(stock=False), 1)
    referee.see(camera.sight(table))
    state = referee.ledger.state
    assert state is not None
    result = state.result
    assert result is not None
    assert (result.kind, result.player) == ("domino", "A")


def test_judge_lets_it_stand_or_tells_it_himself() -> None:
    """Told that it stands, it stands at once; without an illegal play there is nothing to let stand."""
    referee = started("pincset", SEATS, ("6-6", "B"), ("6-6 R:6-3", "C"), ("6-6 R:6-3 R:2-1", "D"))
    referee.tell(LetStand())
    assert referee.ledger.moves[-1].source is Source.TOLD
    assert referee.settled
    referee.see(sight("6-6 R:6-3 R:2-1 R:1-5", "A"))
    assert last(referee) == Play("A", Tile(5, 1), Arm.RIGHT)
    with pytest.raises(DominoError) as error:
        referee.tell(LetStand())
    assert error.value.code == "nothing_stands"
    referee.tell(Moved(Stood(Play("B", Tile(4, 2), Arm.RIGHT), 4)))
    assert isinstance(last(referee), Stood)


def test_hand_that_goes_on_though_somebody_laid_his_last_tile() -> None:
    """He had one more than was seen: the draw that nobody saw is put in, inferred, and the game goes on."""
    referee = Referee.start("cincos", ("A", "B"))
    parts = [
        "6-6",
        "R:6-3",
        "R:3-1",
        "R:1-1",
        "R:1-2",
        "R:2-2",
        "R:2-5",
        "R:5-5",
        "R:5-4",
        "R:4-4",
        "R:4-0",
        "R:0-0",
        "R:0-1",
        "L:6-5",
    ]
    for count in range(1, len(parts)):
        referee.see(sight(" ".join(parts[:count]), "AB"[(count - 1) % 2], spinner=True, stock=14))
    state = referee.ledger.state
    assert state is not None
    assert state.result is not None
    referee.see(sight(" ".join(parts), "B", spinner=True, stock=13))
    state = referee.ledger.state
    assert state is not None
    assert state.result is None or state.result.player == "B"
    rules = [record.rule for record in referee.ledger.moves]
    assert rules.count("played_on") == 1
    assert referee.settled
