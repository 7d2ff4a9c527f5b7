"""The audit of rarer moves: tripling, quadrupling, closings, told results, and moves of players who are not there."""

from dataclasses import replace
from random import Random

import pytest

from domino_rules.audit import audit, audit_results
from domino_rules.record import ToldResult, parse_record
from domino_rules.record_replay import random_record
from domino_rules.state import find_game
from domino_rules.tile import Tile

TIU_U = """\
Game: tiu-u
Seats: A B

Hand 1
Deal A: 6-5 6-5 4-4 4-4 3-3 2-2 2-2 6-4 6-3 2-1 1-1 5-1
Deal B: 6-6 5-5 5-5 5-5 6-1 6-1 6-1 5-1 5-1 6-2 5-2 4-1
Stock: 5-4 4-3 3-2 6-4 3-1 6-2 5-3 5-2 4-1 4-2 2-1 3-3 3-3 6-6 6-3 5-3 5-4 4-3 1-1 3-1 6-4 6-1 6-6 6-6
Table: 6-5 6-5 4-4 4-4 3-1 3-1 1-1 1-1 5-5 3-3 2-2 2-2 6-4 5-1 4-2 3-2
"""
HANDS = "Game: pincset\nSeats: A B C D\n\nHand 1\n"


def codes(text: str) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.move) for finding in audit(parse_record(text))]


def test_a_legal_tripling_and_quadrupling_have_no_finding() -> None:
    """Three alike go to the stock, the fourth on top of them, and three tiles are bought each time."""
    moves = "A triples 6-5\nA turns 6-4 takes 6-4\nA turns 3-1 takes 3-1\nA turns 6-2 takes 5-3\n"
    assert codes(TIU_U + "A triples 6-5\nA turns 6-4 takes 6-4\nA turns 3-1 takes 3-1\nA turns 6-2 takes 4-4\n") == []
    assert ("not_on_talon", 4) in codes(TIU_U + moves)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("A triples 4-4\nB quadruples 4-4", ("not_your_turn", 2)),
        ("A triples 6-3", ("need_two_on_talon", 1)),
        ("A captures 6-5 with 6-5\nA turns 5-4\nB triples 6-5", ("fourth_already_played", 3)),
        ("A captures 6-5 with 6-5\nA turns 4-3", ("not_next_tile", 2)),
        ("A captures 6-5 with 6-5\nA closes", ("wrong_move", 2)),
        ("A captures 6-5 with 6-5\nA passes", ("move_not_due", 2)),
        ("Z passes", ("unknown_player", 1)),
    ],
)
def test_wrong_stacking_is_found(moves: str, expected: tuple[str, int]) -> None:
    """Each rule of tripling and turning has its finding."""
    assert expected in codes(TIU_U + moves)


def test_a_told_result_is_compared_with_the_moves() -> None:
    """What was noted as the end must be how the hand ended; of a hand without moves it is all that is known."""
    told = "Game: tiu-u\nSeats: A B\n\nHand 1\nResult: points B\nScore B: 30\nScore A: -30\n"
    assert codes(told) == []
    game = find_game("cincos")
    record = random_record(game, game.rules(), ["A", "B"], Random(3), hands=1)
    right = audit_results(record)[0].result
    assert right is not None
    noted = replace(record.hands[0], result=ToldResult(right.kind, right.side))
    assert audit(replace(record, hands=(noted,))) == ()
    wrong = replace(record.hands[0], result=ToldResult("tie"))
    findings = audit(replace(record, hands=(wrong,)))
    assert [finding.code for finding in findings] == ["result_differs"]
    assert findings[0].params["told"] == "tie"


def test_a_hand_after_the_match_is_found() -> None:
    """Who has won plays no further hand."""
    text = "Game: pincset\nSeats: A B C D\n\nHand 1\nResult: domino AC by A\nScore AC: 500\n\nHand 2\n"
    assert ("match_over", None) in codes(text)


def test_who_is_not_at_the_table_is_found() -> None:
    """A hand shown by nobody, or a player without a seat, is named."""
    assert ("unknown_player", None) in codes(HANDS + "A 6-6 start\nShown Z: 5-5\n")
    assert ("unknown_player", 1) in codes("Game: bingo\nSeats: A B\n\nHand 1\nTable: 6-4\nZ leads 6-6\n")


def test_bingo_without_a_trump_tile_cannot_be_judged() -> None:
    """The tile turned up is what everything depends on."""
    assert ("no_trump_tile", None) in codes("Game: bingo\nSeats: A B\n\nHand 1\nA leads 5-5\n")


def test_bingo_moves_out_of_place_are_found() -> None:
    """A lead instead of a reply, a move after the end, a declaration by the replier in the classic game."""
    head = "Game: bingo\nSeats: A B\nOption.preset: classic\n\nHand 1\nTable: 6-4\nOpener: A\n"
    assert ("move_not_due", 2) in codes(head + "A leads 5-4\nB leads 5-5\n")
    assert ("declare_lead_only", 2) in codes(head + "A leads 5-4\nB replies 5-5 declares 2\n")
    over = head.replace("preset: classic", "target: 20") + "A leads 6-6\nB replies 6-5\nB leads 1-1\n"
    assert ("hand_over", 3) in codes(over)


def test_a_wrong_play_lies_as_the_next_tile_tells() -> None:
    """Which half of a tile that does not match faces out follows from what was joined to it."""
    findings = audit(parse_record(HANDS + "A 6-6 start\nB 5-4 L\nC 5-1 L\nD 1-0 L\n"))
    assert [(finding.code, finding.move) for finding in findings] == [("no_match", 2)]


def test_tiles_that_must_have_been_there_are_counted() -> None:
    """Two unseen draws cannot hide three tiles that fitted: at least one was there."""
    head = "Game: cincos\nSeats: Ana Bo\n\nHand 1\nOpener: Ana\n"
    moves = "Ana 6-6 start\nBo draws ?\nBo 6-5 L\nAna 5-4 L\nBo 6-4 R\n"
    findings = audit(parse_record(head + moves))
    assert findings[0].code == "illegal_draw"
    assert findings[0].certainty == "proved"
    assert findings[0].tiles == (Tile(6, 4), Tile(6, 5))
