"""A last tile that is gone: looked for again, asked about, taken back by itself when its player lays another one."""

from __future__ import annotations

from random import Random

import pytest

from domino_rules.layout import Layout
from domino_rules.moves import Play
from domino_server.referee import Answer, Corrected, Referee, Settled, Sight, TakeBack
from tests.referee_games import Camera, Seen, Table, lay_line

SEATS = ("A", "B", "C", "D")


def sight(line: str, *actors: str) -> Sight:
    """Return the sight of a line written as `Layout` prints it."""
    table = Table()
    lay_line(table, Layout.parse(line, with_spinner=False), Random(1))
    camera = Camera(SEATS, Seen(stock=False), 1)
    camera.waiting = list(actors)
    return camera.sight(table)


def at_gone() -> Referee:
    """Return a referee that was shown a table with 6-1, laid last by D, and one without it."""
    referee = Referee.start("pincset", SEATS)
    for line, actor in (("6-6", "B"), ("6-6 R:6-3", "C"), ("6-6 R:6-3 L:6-1", "D"), ("6-6 R:6-3", "D")):
        referee.see(sight(line, actor))
    return referee


def plays(referee: Referee) -> list[str]:
    moves = [record.move for record in referee.ledger.moves]
    return [f"{move.player} {move.tile}" for move in moves if isinstance(move, Play)]


def test_one_table_without_the_last_tile_calls_for_another_look() -> None:
    """The first table without it leaves a doubt that a second one settles, by a question; then there is none."""
    referee = at_gone()
    assert referee.in_doubt
    assert not referee.questions
    referee.see(sight("6-6 R:6-3"))
    assert not referee.in_doubt
    assert set(referee.questions) == {"taken_back"}


@pytest.mark.parametrize("line", ["6-6 R:6-3 L:6-2", "6-6 R:6-3 R:3-4"])
def test_another_tile_of_the_same_player_says_that_the_first_was_taken_back(line: str) -> None:
    """The game goes on by itself: the tile that is gone was never laid, the next one is its player's."""
    referee = at_gone()
    referee.see(sight("6-6 R:6-3"))
    events = referee.see(sight(line, "D"))
    assert Settled("taken_back", "taken") in events
    assert [event.after for event in events if isinstance(event, Corrected)] == [None]
    assert plays(referee)[:2] == ["B 6-6", "C 6-3"]
    assert plays(referee)[2].startswith("D ")
    assert len(plays(referee)) == 3
    assert referee.settled


def test_another_players_tile_does_not_take_it_back() -> None:
    """Where the arm of the next player is seen, the tile is only hidden, and the next player plays."""
    referee = at_gone()
    referee.see(sight("6-6 R:6-3"))
    referee.see(sight("6-6 R:6-3 R:3-4", "A"))
    assert plays(referee) == ["B 6-6", "C 6-3", "D 6-1", "A 4-3"]


def test_tile_that_lies_there_again_was_only_hidden() -> None:
    """The question is withdrawn, and nothing was taken back."""
    referee = at_gone()
    referee.see(sight("6-6 R:6-3"))
    assert Settled("taken_back", None) in referee.see(sight("6-6 R:6-3 L:6-1"))
    assert plays(referee) == ["B 6-6", "C 6-3", "D 6-1"]


def test_person_who_takes_it_back_settles_the_question_so() -> None:
    """Told while it is asked, it counts as the answer."""
    referee = at_gone()
    referee.see(sight("6-6 R:6-3"))
    assert Settled("taken_back", "taken") in referee.tell(TakeBack())


def test_wrong_tile_laid_instead_is_reported_of_the_same_player() -> None:
    """After the tile was taken back, its player lays one that does not match."""
    referee = at_gone()
    referee.see(sight("6-6 R:6-3"))
    referee.see(sight("6-6 R:6-3 R:2-1", "D"))
    assert plays(referee) == ["B 6-6", "C 6-3"]
    assert referee.pause is not None
    assert referee.pause.params == {"code": "no_match", "player": "D"}


@pytest.mark.parametrize("actors", [(), ("D", "A"), ("A", "D")])
def test_hidden_tile_stays_laid_where_the_next_tile_may_be_the_next_players(actors: tuple[str, ...]) -> None:
    """Without the arm of its player alone, the question stays open, and the move stays; the tile settles it."""
    referee = at_gone()
    referee.see(sight("6-6 R:6-3"))
    referee.see(sight("6-6 R:6-3 R:3-4", *actors))
    assert "taken_back" in referee.questions
    assert plays(referee)[2] == "D 6-1"
    events = referee.see(sight("6-6 R:6-3 L:6-1 R:3-4"))
    assert Settled("taken_back", None) in events
    assert [f"{move.player} {move.tile}" for move in referee.match.hands[-1].moves if isinstance(move, Play)][:3] == [
        "B 6-6", "C 6-3", "D 6-1",
    ]  # fmt: skip
    assert plays(referee)[3:] == ([] if actors else ["A 4-3"])
    assert set(referee.questions) == ({"order"} if actors else set())


def test_tile_that_lies_there_after_all_is_put_back() -> None:
    """The arm of the next player was not seen: nobody else holds the tile that was taken for taken back."""
    referee = at_gone()
    referee.see(sight("6-6 R:6-3"))
    referee.see(sight("6-6 R:6-3 R:3-4", "D"))
    assert plays(referee) == ["B 6-6", "C 6-3", "D 4-3"]
    assert Settled("taken_back", "hidden") in referee.see(sight("6-6 R:6-3 L:6-1 R:3-4"))
    assert plays(referee) == ["B 6-6", "C 6-3", "D 6-1", "A 4-3"]
    assert referee.settled


def test_tile_that_was_taken_back_may_be_laid_again_by_its_player() -> None:
    """After the others have played, its player lays it at last."""
    referee = at_gone()
    referee.see(sight("6-6 R:6-3"))
    line, laid = "6-6 R:6-3 R:3-4", (("A", " R:4-4"), ("B", " R:4-5"), ("C", " R:5-5"), ("D", " L:6-1"))
    referee.see(sight(line, "D"))
    for player, tile in laid:
        line += tile
        referee.see(sight(line, player))
    assert plays(referee) == ["B 6-6", "C 6-3", "D 4-3", "A 4-4", "B 5-4", "C 5-5", "D 6-1"]


def test_answer_that_it_was_taken_back_holds_for_what_was_laid_since() -> None:
    """What was taken for the next player's tile is its player's then; another answer leaves both."""
    referee = at_gone()
    referee.see(sight("6-6 R:6-3"))
    referee.see(sight("6-6 R:6-3 R:3-4"))
    referee.tell(Answer("taken_back", "taken"))
    assert plays(referee) == ["B 6-6", "C 6-3", "D 4-3"]
    assert referee.settled


def test_another_tile_that_is_taken_back_is_no_answer() -> None:
    """The move after it is undone by a person: whether the tile itself was taken back stays unsaid."""
    referee = at_gone()
    referee.see(sight("6-6 R:6-3"))
    referee.see(sight("6-6 R:6-3 R:3-4"))
    assert Settled("taken_back", None) in referee.tell(TakeBack())
    assert plays(referee) == ["B 6-6", "C 6-3", "D 6-1"]
