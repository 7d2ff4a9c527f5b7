"""Rulings are carried out through the record, so that scores follow and a replay says the same."""

from __future__ import annotations

from random import Random

import pytest

from domino_rules.errors import DominoError
from domino_rules.layout import Layout
from domino_rules.record_replay import replay
from domino_server.judge.rulings import Ruling, RulingError, rule
from domino_server.referee import Referee, Sight
from tests.judge_tables import SEATS, a_record
from tests.referee_games import Camera, Seen, Table, lay_line


def sight(line: str, actor: str) -> Sight:
    """Return the sight of a line written as `Layout` prints it."""
    table = Table()
    lay_line(table, Layout.parse(line, with_spinner=False), Random(1))
    camera = Camera(("A", "B", "C", "D"), Seen(stock=False), 1)
    camera.waiting = [actor]
    return camera.sight(table)


def played(game: str = "cincos", moves: int = 6) -> Referee:
    """Return a referee in the middle of a hand."""
    referee = Referee.start(game, SEATS[game])
    hand = a_record(game, 3, 1).hands[0]
    referee.ledger.start_hand(hand.deal, hand.opener, was_told=False)
    referee.ledger.commit(hand.moves[:moves])
    referee.reset_branches()
    return referee


def test_a_penalty_and_an_award_change_the_totals() -> None:
    """Points taken and given are adjustments of the record, with the reason and the judge's name."""
    referee = played()
    before = dict(referee.match.totals)
    data, _ = rule(referee, Ruling("penalty", "talked\nto his partner", "Ruth", side="Ana", points=25))
    assert data["before"] == before
    assert data["after"] == {**before, "Ana": before["Ana"] - 25}
    rule(referee, Ruling("award", "disturbed", "Ruth", side="Bo", points=10))
    assert replay(referee.record).totals() == dict(referee.match.totals)
    notes = [given.comment for given in referee.record.hands[-1].adjustments]
    assert notes == ["ruling of Ruth: talked to his partner", "ruling of Ruth: disturbed"]


def test_a_correction_changes_the_record() -> None:
    """The last move is taken off; everything behind it follows."""
    referee = played()
    number = len(referee.ledger.moves)
    data, lines = rule(referee, Ruling("correct", "laid by mistake", "Ruth", move=number))
    assert (data["move"], len(referee.ledger.moves), lines[0]["event"]) == (number, number - 1, "correction")


def test_a_hand_is_replayed() -> None:
    """Its moves were not made, its points are gone."""
    referee = played()
    data, _ = rule(referee, Ruling("replay", "a tile was shown", "Ruth"))
    assert referee.ledger.moves == []
    assert data["after"] == {"Ana": 0, "Bo": 0}


def test_let_stand_changes_nothing_where_nothing_lies() -> None:
    """A finding after the fact that is let stand is only written down."""
    referee = played()
    text = referee.ledger.journal.text
    data, lines = rule(referee, Ruling("let_stand", "nobody objected in time", "Ruth", move=2))
    assert (lines, referee.ledger.journal.text, data["kind"]) == ([], text, "let_stand")


@pytest.mark.parametrize(
    ("ruling", "code"),
    [
        (Ruling("hang", "x", "y"), "unknown_ruling"),
        (Ruling("penalty", " ", "y", side="Ana", points=5), "ruling_needs_reason"),
        (Ruling("penalty", "x", "", side="Ana", points=5), "ruling_needs_judge"),
        (Ruling("penalty", "x", "y", side="Ana"), "ruling_needs_points"),
        (Ruling("penalty", "x", "y", points=5), "ruling_needs_side"),
        (Ruling("penalty", "x", "y", side="Nobody", points=5), "players"),
        (Ruling("correct", "x", "y"), "ruling_needs_move"),
        (Ruling("correct", "x", "y", move=99), "no_such_move"),
        (Ruling("let_stand", "x", "y", move=99), "no_such_move"),
        (Ruling("penalty", "x", "y", side="Ana", points=5, move=77), "no_such_move"),
        (Ruling("correct", "x", "y", move=1, hand=7), "no_such_hand"),
        (Ruling("correct", "x", "y", move=1, text="nonsense"), "notation_move"),
    ],
)
def test_rulings_that_cannot_be_given_change_nothing(ruling: Ruling, code: str) -> None:
    """Each is refused with its code, and the record is as it was."""
    referee = played()
    text = referee.ledger.journal.text
    with pytest.raises(DominoError) as caught:
        rule(referee, ruling)
    assert (caught.value.code, referee.ledger.journal.text) == (code, text)


def test_a_hand_before_the_last_can_only_be_adjusted() -> None:
    """A correction comes too late once the next hand began; points may still be given."""
    referee = Referee.start("cincos", SEATS["cincos"])
    for hand in a_record("cincos", 3, 2).hands:
        referee.ledger.start_hand(hand.deal, hand.opener, was_told=False)
        referee.ledger.commit(hand.moves)
    for kind in ("correct", "let_stand", "replay"):
        with pytest.raises(RulingError) as caught:
            rule(referee, Ruling(kind, "x", "y", hand=1, move=2))
        assert caught.value.code == "ruling_too_late"
    data, _ = rule(referee, Ruling("penalty", "x", "y", hand=1, side="Bo", points=5))
    assert (data["hand"], data["after"]["Bo"]) == (1, data["before"]["Bo"] - 5)


def test_an_illegal_play_that_lies_there_is_let_stand() -> None:
    """The game goes on from the table as it lies, and the record says so."""
    referee = Referee.start("pincset", ("A", "B", "C", "D"))
    for line, actor in (("6-6", "B"), ("6-6 R:6-3", "C")):
        referee.see(sight(line, actor))
    lying = sight("6-6 R:6-3 L:6-4", "D")
    referee.see(lying.read_as(2, (5, 4)))
    _, lines = rule(referee, Ruling("let_stand", "everybody agreed", "Ruth"))
    assert any(line["event"] == "move" and "stood" in line["record"]["move"] for line in lines)
    assert replay(referee.record).hands[0].steps[-1].record.move == referee.ledger.moves[-1].move
