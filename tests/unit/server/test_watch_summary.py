"""What `watch` says at its end of what nobody answered, and what it shows meanwhile."""

from random import Random
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from rich.console import Console

from domino_rules.explain import explain
from domino_rules.layout import Layout
from domino_rules.tile import DOUBLE_SIX, parse_tiles
from domino_server.commands.watch_summary import summary, unanswered
from domino_server.commands.watch_view import View, news, seen
from domino_server.commands.watch_words import in_words
from domino_server.referee import Answer, Journal, Opener, Referee, Sight
from domino_server.referee.session import TableSession
from domino_vision.settle import Settler, SettleState
from domino_vision.types import ReadTile, TableObservation, TileRole
from tests.referee_games import Camera, Seen, Table, backs, faces, lay_line

LINES = ("5-5", "5-5 R:5-2", "5-5 R:5-2 L:5-3")
CORNERS = np.zeros((4, 2), np.float32)


def sight(line: str) -> Sight:
    """Return the sight of a line of play, laid by nobody who was seen."""
    table = Table()
    lay_line(table, Layout.parse(line), Random(1))
    return Camera(("A", "B"), Seen(stock=False), 1).sight(table)


def watched(*told: Opener, journal: Journal | None = None) -> Referee:
    """Return a referee of Cincos that has seen three tiles, and whom nobody was seen to lay."""
    referee = Referee.start("cincos", ("A", "B"), journal=journal)
    for opener in told:
        referee.tell(opener)
    for line in LINES:
        referee.see(sight(line))
    return referee


def end_of(referee: Referee) -> dict[str, object]:
    return summary(cast("TableSession", SimpleNamespace(referee=referee)))


def test_moves_without_an_answer_are_told_apart_from_those_that_count() -> None:
    """Totals are those of the record; what waits is told beside them, with what is to be answered."""
    referee = watched()
    end = end_of(referee)
    assert (end["moves"], end["totals"], end["questions"]) == (0, {"A": 0, "B": 0}, ["opener"])
    assert end["open"] == {"moves": 3, "totals": dict(referee.match.totals)}
    assert sum(referee.match.totals.values()) > 0
    assert end["detail"] == "hand 1 was not begun: who leads it was not answered; --opener NAME tells it"
    referee.tell(Answer("opener", "B"))
    assert end_of(referee)["moves"] == 3
    assert unanswered(referee) is None
    assert {"open", "detail"}.isdisjoint(end_of(referee))


def test_a_hand_that_needs_its_opener_is_not_begun_without() -> None:
    """In Bingo nothing is played before it is told who leads."""
    referee = Referee.start("bingo", ("A", "B"))
    assert unanswered(referee) is None
    table = Table()
    backs(table, 13, 1, 0)
    faces(table, parse_tiles("5-2"), 1, 1)
    referee.see(Camera(("A", "B"), Seen(actors=False), 1).sight(table))
    end = end_of(referee)
    assert (end["hands"], end["questions"], "open" in end) == (0, ["opener"], False)
    assert end["detail"] == "hand 1 was not begun: who leads it was not answered; --opener NAME tells it"


def test_who_leads_may_be_told_before_it_is_asked() -> None:
    """A hand that was begun in a record and has no move yet is led by whom one names when it is taken up again."""
    journal = Journal()
    assert unanswered(watched(journal=journal)) is not None
    again = watched(Opener("B"), journal=journal)
    assert [record.move.player for record in again.ledger.moves] == ["B", "A", "B"]
    assert again.ledger.hand == 1
    assert again.opener is None


def test_the_view_shows_what_lies_there_while_a_question_is_open() -> None:
    """The line of play of a hand in question is drawn; before a hand is begun the tiles are listed."""
    session = TableSession(watched(), Settler(cast("object", None), DOUBLE_SIX))  # type: ignore[arg-type]
    console = Console(record=True, width=100)
    console.print(View(session, console).picture())
    text = console.export_text()
    assert "[3|5][5|5][5|2]" in text
    assert "? Who leads?" in text
    tiles = tuple(ReadTile(CORNERS, CORNERS, pair, 0.9, TileRole.LOOSE) for pair in ((2, 5), (4, 4)))
    table = TableObservation((640, 480), tiles, (), (), None, 1.0, (), (), np.eye(3), 80.0, {})
    assert seen(table) == "on the table: 5-2 4-4"
    assert seen(None) == "waiting for the first tiles"


def test_news_are_words_not_codes() -> None:
    """Why a play is against the rules and how a hand ended are said as the rules and the pages say them."""
    at = {"pips": 5, "arm": "R"}
    illegal = {"event": "illegal", "code": "no_match", "player": "A", "tile": "2-1", "params": at}
    assert news(illegal) == f"illegal: A 2-1: {explain('reason.no_match', {'tile': '2-1', **at})}"
    assert "_" not in str(news(illegal))
    out_of_turn = {**illegal, "code": "not_your_turn", "params": {"take": "4-2"}}
    assert news(out_of_turn) == "illegal: A 2-1: not your turn"
    assert news({**illegal, "code": "not_in_hand"}) == "illegal: A 2-1: 2-1 is not in the hand."
    ended = {"event": "hand_end", "hand": 2, "result": {"kind": "seven_doubles", "side": None}}
    assert news(ended) == "hand 2: seven doubles"


@pytest.mark.parametrize("state", list(SettleState))
def test_the_state_of_the_eyes_is_said_in_words(state: SettleState) -> None:
    """What the pages say of it."""
    assert len(in_words("settle", state.value)) > len(state.value) or state is SettleState.COMMIT
