"""Plays against the rules that a table let stand: the hand goes on from the table as it lies, play stays strict."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domino_rules.audit import audit
from domino_rules.errors import IllegalMoveError
from domino_rules.explain import explain
from domino_rules.layout import GROWING_ARMS, Arm
from domino_rules.match import Match
from domino_rules.moves import Capture, Draw, Lead, Move, Play, Reply, Stood, Turn
from domino_rules.notation import format_move, parse_move
from domino_rules.record import parse_record
from domino_rules.record_replay import match_record, replay
from domino_rules.state import Deal, Hand, find_game
from domino_rules.tile import DOUBLE_SIX, Tile


def t(text: str) -> Tile:
    return Tile.parse(text)


def now(match: Match) -> Any:
    """Return the hand in progress, of whichever game."""
    return match.state


def match_of(name: str, seats: str, *table: str, opener: str | None = None) -> Match:
    """Return a match whose first hand has begun with hidden hands."""
    game = find_game(name)
    match = Match(game, tuple(seats), game.rules())
    usual = game.shuffled_deal(match.seats, match.rules, Random(0))
    hands = {seat: Hand.hidden(hand.size) for seat, hand in usual.hands.items()}
    return match.start_hand(Deal(hands, (None,) * len(usual.stock), tuple(map(t, table))), opener)


def made(match: Match, *moves: Move) -> Match:
    for move in moves:
        match = match.let_stand(move) if isinstance(move, Stood) else match.play(move)
    return match


STOOD = [
    Stood(Play("A", t("2-1"), Arm.RIGHT), 2),
    Stood(Play("A", t("2-1"), Arm.RIGHT)),
    Stood(Play("A", t("2-1"), Arm.START, 1)),
    Stood(Play("A", t("2-1"), Arm.START)),
    Stood(Play("stood", t("2-1"), Arm.UP), 1),
    Stood(Reply("B", t("5-2"))),
    Stood(Reply("B", t("5-2"), 3), taker="stood"),
    Stood(Lead("B", t("5-2"))),
    Stood(Capture("A", t("4-4"), t("5-2"))),
    Stood(Turn("A", t("4-4"), t("5-2"))),
]


@pytest.mark.parametrize("move", STOOD, ids=format_move)
def test_notation_reads_what_it_writes(move: Stood) -> None:
    """What stood is written behind the move and read back."""
    assert parse_move(format_move(move)) == move


@pytest.mark.parametrize("game", ["pincset", "cincos", "bingo", "tiu-u"])
def test_apply_stays_strict(game: str) -> None:
    """No state offers a move that stood, and `apply` refuses it even if the move itself would be legal."""
    found = find_game(game)
    seats = ("A", "B") if game in {"bingo", "tiu-u"} else ("A", "B", "C", "D")
    match = Match(found, seats, found.rules())
    match = match.start_hand(found.shuffled_deal(seats, match.rules, Random(1)), "A" if len(seats) == 2 else None)
    move = next(iter(now(match).legal_moves))
    for stood in (Stood(move), *STOOD):
        with pytest.raises(IllegalMoveError):
            now(match).apply(stood)
        assert stood not in now(match).legal_moves


def test_tile_that_does_not_match_lies_there() -> None:
    """The end shows its outer half, the turn goes on, the record keeps it, and the audit finds it."""
    match = made(match_of("pincset", "ABCD"), Play("A", t("6-6"), Arm.START), Play("B", t("6-3"), Arm.RIGHT))
    wrong = Stood(Play("C", t("2-1"), Arm.RIGHT), 2)
    with pytest.raises(IllegalMoveError):
        match.play(wrong.move)
    match = made(match, wrong, Play("D", t("4-1"), Arm.RIGHT))
    assert str(now(match).layout) == "6-6 R:6-3 R:2-1 R:1-4"
    assert now(match).ends == (6, 4)
    assert now(match).to_move == "A"
    record = parse_record(str(match_record(match)))
    assert "C 2|1 R stood" in str(record)
    assert now(replay(record).match) == now(match)
    assert [(found.code, found.move) for found in audit(record)] == [("no_match", 3)]


def test_corrections_go_round_what_stood() -> None:
    """A move before one that stood can be corrected, and one that stood can become another one."""
    match = made(match_of("pincset", "ABCD"), Play("A", t("6-6"), Arm.START), Play("B", t("6-3"), Arm.RIGHT))
    match = made(match, Stood(Play("C", t("2-1"), Arm.RIGHT), 2))
    assert now(match.correct(0, 1, Play("B", t("6-4"), Arm.RIGHT))).ends == (6, 1)
    assert now(match.correct(0, 2, Play("C", t("3-1"), Arm.RIGHT))).ends == (6, 1)


@pytest.mark.parametrize("arm", [Arm.UP, Arm.DOWN])
def test_moves_at_an_arm_that_was_closed_are_offered(arm: Arm) -> None:
    """What the rules allow and what is listed as allowed is the same, whichever arm a tile was let stand at."""
    stood = Stood(Play("B", t("5-1"), arm), 5)
    state = now(made(match_of("cincos", "AB"), Play("A", t("5-5"), Arm.START), stood))
    plays = [Play("A", tile, at) for tile in DOUBLE_SIX for at in GROWING_ARMS]
    assert {move for move in plays if move in state.legal_moves} == set(state.legal_moves) - {Draw("A", None)}
    assert Play("A", t("4-1"), arm) in list(state.legal_moves)


def test_arm_of_the_spinner_that_was_closed() -> None:
    """A tile at the spinner's end while a side is free is a tip and an end; the other arm opens as ever."""
    match = made(match_of("cincos", "AB"), Play("A", t("5-5"), Arm.START), Stood(Play("B", t("5-1"), Arm.UP), 5))
    state = now(match)
    assert (state.count, state.layout.count) == (11, 11)
    assert [(end.arm, end.pips) for end in state.layout.open_ends] == [(Arm.LEFT, 5), (Arm.RIGHT, 5), (Arm.UP, 1)]
    match = made(match, Play("A", t("4-1"), Arm.UP))
    assert now(match).count == 14
    match = made(match, Play("B", t("5-2"), Arm.LEFT), Play("A", t("5-0"), Arm.RIGHT))
    assert now(match).ends == (2, 0, 4, 5)
    assert now(match).count == now(match).layout.count == 6


def test_score_of_a_play_that_stood() -> None:
    """A tile that was let stand counts as it lies, and scores."""
    match = made(match_of("cincos", "AB"), Play("A", t("6-4"), Arm.START), Stood(Play("B", t("1-0"), Arm.RIGHT), 1))
    assert now(match).count == 6
    match = made(match, Stood(Play("A", t("4-4"), Arm.LEFT), 4), Stood(Play("B", t("5-2"), Arm.RIGHT), 5))
    assert now(match).count == 10
    assert match.totals == {"A": 10, "B": 10}


def test_tile_beside_the_line() -> None:
    """A tile that touches no open end changes no end; it has left the hand and may come no second time."""
    match = made(match_of("pincset", "ABCD"), Play("A", t("6-6"), Arm.START), Stood(Play("B", t("6-1"), Arm.RIGHT)))
    state = now(match)
    assert (state.ends, state.beside, state.hands["B"].size, state.to_move) == ((6, 6), (t("6-1"),), 6, "C")
    with pytest.raises(IllegalMoveError):
        match.play(Play("C", t("6-1"), Arm.RIGHT))
    found = audit(match_record(match))
    assert [(f.code, f.move) for f in found] == [("arm_closed", 2)]
    words = explain("finding.arm_closed", found[0].params)
    assert words == "Laid beside the line: that place is not open."
    assert explain("finding.arm_closed", {"arm": "U"}) == "End U is not open."


def test_out_of_turn() -> None:
    """After a tile out of turn the turn goes on from the one who laid it."""
    match = made(match_of("pincset", "ABCD"), Play("A", t("6-6"), Arm.START), Stood(Play("D", t("6-1"), Arm.RIGHT), 6))
    assert now(match).to_move == "A"
    assert [f.code for f in audit(match_record(match))] == ["not_your_turn"]


def test_same_tile_twice() -> None:
    """A tile that lies there already may be let stand: two sets were mixed."""
    match = made(match_of("pincset", "ABCD"), Play("A", t("6-6"), Arm.START), Play("B", t("6-1"), Arm.RIGHT))
    match = made(match, Stood(Play("C", t("6-1"), Arm.LEFT), 6))
    assert now(match).ends == (1, 1)


def test_first_tile_that_had_to_be_another() -> None:
    """A hand of Pińćset that began without 6-6 goes on from the tile that lies there."""
    match = made(match_of("pincset", "ABCD"), Stood(Play("C", t("6-1"), Arm.START)))
    assert (now(match).ends, now(match).to_move) == ((6, 1), "D")
    assert {f.code for f in audit(match_record(match))} == {"must_lead"}


def test_what_cannot_even_lie_there() -> None:
    """An arm without a spinner, a tile that a known hand lacks, or a move of another game is refused."""
    match = match_of("pincset", "ABCD")
    for stood in (
        Stood(Play("A", t("6-1"), Arm.RIGHT), 6),
        Stood(Lead("A", t("6-1"))),
        Stood(Play("X", t("6-1"), Arm.START)),
    ):
        with pytest.raises(IllegalMoveError):
            match.let_stand(stood)
    match = made(match, Play("A", t("6-6"), Arm.START))
    with pytest.raises(IllegalMoveError):
        match.let_stand(Stood(Play("B", t("6-1"), Arm.UP), 6))


def test_trick_that_the_wrong_player_carried_off() -> None:
    """His are the points and the lead; the audit says whose it was."""
    match = match_of("bingo", "AB", "4-2", opener="A")
    rightful = now(made(match, Lead("A", t("6-5")), Reply("B", t("3-1"))))
    assert rightful.taker == "A"
    match = made(match, Lead("A", t("6-5")), Stood(Reply("B", t("3-1")), taker="B"))
    assert now(match).taker == "B"
    assert now(match).points == {"A": 0, "B": 15}
    assert [f.code for f in audit(match_record(match))] == ["wrong_taker"]


def test_pair_that_is_none() -> None:
    """Two tiles of unequal weight that were let stand lie in the pile and count."""
    talon = "6-6 1-1 4-4 3-1 5-5 3-3 2-2 6-5 6-4 6-1 5-1 6-3 5-4 6-2 5-3 5-2"
    match = match_of("tiu-u", "AB", *talon.split(), opener="A")
    wrong = Capture("A", t("4-3"), t("6-6"))
    with pytest.raises(IllegalMoveError):
        match.play(wrong)
    match = made(match, Stood(wrong), Turn("A", t("2-1")))
    assert now(match).captured["A"] == (t("4-3"), t("6-6"))
    assert now(match).to_move == "B"
    assert "no_pair" in [f.code for f in audit(match_record(match))]
