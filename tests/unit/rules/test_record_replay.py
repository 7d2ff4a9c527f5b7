"""Records through the real engine: totals, corrections, told hands, hidden hands, and errors that name the place."""

from dataclasses import replace
from random import Random

import pytest

from domino_rules.errors import DominoError, IllegalMoveError, SetupError
from domino_rules.games.chain import ChainState
from domino_rules.layout import Arm
from domino_rules.match import Match
from domino_rules.moves import Pass, Play
from domino_rules.record import Correction, MoveRecord, Record, parse_record
from domino_rules.record_replay import match_record, random_record, replay
from domino_rules.score import Ledger
from domino_rules.state import Deal, Hand, find_game
from domino_rules.tile import Tile

GAMES = [("pincset", "ABCD"), ("cincos", "ABC"), ("bingo", "AB"), ("tiu-u", "ABC")]
BLOCKED = """\
Game: pincset
Seats: A B C D
Sides: A C | B D

Hand 1
Deal A: 6-6 6-5 5-5 4-4 3-3 2-2 1-1
Deal B: 6-4 6-3 6-2 6-1 6-0 5-4 5-3
Deal C: 5-2 5-1 5-0 4-3 4-2 4-1 4-0
Deal D: 3-2 3-1 3-0 2-1 2-0 1-0 0-0
A 6-6 start
B 6-4 L
"""


def match_of(game: str, seats: str, seed: int = 5) -> Record:
    found = find_game(game)
    return random_record(found, found.rules(), list(seats), Random(seed))


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_whole_match_replays(game: str, seats: str) -> None:
    """A random match replays move by move to the totals that its record tells."""
    record = match_of(game, seats)
    played = replay(record)
    told = dict.fromkeys(played.match.sides, 0)
    for hand in record.hands:
        for score in hand.scores:
            told[score.side] += score.points
    assert played.totals() == told
    assert len(played.hands) == len(record.hands)
    assert [len(hand.steps) for hand in played.hands] == [len(hand.moves) for hand in record.hands]
    assert played.winner is not None
    for hand in played.hands:
        earned = (*hand.opening, *(event for step in hand.steps for event in step.events), *hand.closing)
        assert earned == hand.events


def test_the_same_seed_gives_the_same_record() -> None:
    """Random matches can be had again."""
    assert match_of("cincos", "ABC", 9) == match_of("cincos", "ABC", 9)
    assert match_of("cincos", "ABC", 9) != match_of("cincos", "ABC", 8)


def test_options_are_written_as_headers_and_read_back() -> None:
    """House options travel with the record."""
    game = find_game("pincset")
    rules = game.rules(target=200, premiums=(50, 25), force_66=False)
    record = random_record(game, rules, list("ABCD"), Random(1))
    assert record.options == {"target": "200", "premiums": "50,25", "force_66": "false"}
    assert replay(record).match.rules == rules


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_match_becomes_a_record_and_comes_back(game: str, seats: str) -> None:
    """A match that was played, or told by its results, can be written down and replayed."""
    match = replay(match_of(game, seats)).match
    assert replay(parse_record(str(match_record(match, {"Date": "2026-05-01"})))).match == match
    told = Match(match.game, match.seats, match.rules)
    for result in match.results:
        told = told.tell_hand(result)
    told = told.adjust(next(iter(told.sides)), -5, "late")
    again = replay(parse_record(str(match_record(told))))
    assert again.totals() == {
        **match_totals(match),
        next(iter(told.sides)): match_totals(match)[next(iter(told.sides))] - 5,
    }


def match_totals(match: Match) -> dict[str, int]:
    return Ledger(match.events).totals(match.sides, match.game.unit)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_corrected_record_equals_one_right_from_the_start(game: str, seats: str) -> None:
    """A move that was noted wrongly, then corrected, leaves no trace in the replay."""
    record = match_of(game, seats)
    hand = record.hands[0]
    right = hand.moves[3]
    wrong = replace(hand, moves=(*hand.moves[:3], MoveRecord(Pass(seats[0])), *hand.moves[4:]))
    fixed = replace(wrong, corrections=(Correction(4, "replace", right),))
    assert replay(replace(record, hands=(fixed, *record.hands[1:]))) == replay(record)
    extra = replace(hand, moves=(*hand.moves[:2], *hand.moves[1:]), corrections=(Correction(3, "remove"),))
    assert replay(replace(record, hands=(extra, *record.hands[1:]))) == replay(record)


def test_an_illegal_move_names_hand_and_move() -> None:
    """The engine's reason comes with the place in the record."""
    with pytest.raises(IllegalMoveError) as caught:
        replay(parse_record(BLOCKED + "C 4-3 L\nC passes"))
    assert caught.value.code == "not_your_turn"
    assert (caught.value.params["hand"], caught.value.params["move"]) == (1, 4)
    assert str(caught.value).startswith("hand 1, move 4: ")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Hand 1", "missing_header"),
        ("Game: chess\nSeats: A B", "unknown_game"),
        ("Game: cincos\nSeats: A", "players"),
        ("Game: cincos\nSeats: A B\nOption.target: many", "bad_option"),
        ("Game: cincos\nSeats: A B\nOption.colour: red", "unknown_option"),
        ("Game: cincos\nSeats: A B\nSides: A B", "sides"),
        ("Game: cincos\nSeats: A B\n\nHand 1\nDeal Z: ?x7", "unknown_player"),
        ("Game: cincos\nSeats: A B\n\nHand 1\nDeal A: 6-6 6-6 5-5 4-4 3-3 2-2 1-1", "inconsistent_state"),
        ("Game: cincos\nSeats: A B\n\nHand 1\nA 6-6 start\n\nHand 2", "hand_in_progress"),
        ("Game: bingo\nSeats: A B\n\nHand 1\nTable: 6-4\nOpener: Z", "opener"),
        ("Game: cincos\nSeats: A B\n\nHand 1\nCorrect 1: remove", "bad_correction"),
        ("Game: cincos\nSeats: A B\n\nHand 1\nResult: block A\nAdjust Z: 5", "players"),
        ("Game: cincos\nSeats: A 6-4", "notation_name"),
    ],
)
def test_a_record_that_makes_no_match_says_why(text: str, code: str) -> None:
    """Headers and deals that make no match are refused with a code."""
    with pytest.raises(DominoError) as caught:
        replay(parse_record(text))
    assert caught.value.code == code


def test_hands_after_the_match_are_refused() -> None:
    """A decided match takes no further hand."""
    record = match_of("cincos", "ABC")
    last = replace(record.hands[-1], number=len(record.hands) + 1)
    with pytest.raises(SetupError) as caught:
        replay(replace(record, hands=(*record.hands, last)))
    assert caught.value.code == "match_over"
    assert caught.value.params["hand"] == len(record.hands) + 1


def test_deals_may_be_left_out() -> None:
    """Hands, boneyard and opener that nobody knows are unseen; moves are then judged by what is possible."""
    played = replay(parse_record("Game: cincos\nSeats: Ana Bo\n\nHand 1\nAna 6-6 start\nBo draws ?\nBo 6-4 L"))
    state = played.match.state
    assert state is not None
    assert {player: hand.size for player, hand in state.hands.items()} == {"Ana": 6, "Bo": 7}
    assert state.to_move == "Ana"


def test_hands_shown_at_the_end_settle_the_score() -> None:
    """A hidden hand that ended waits for the tiles that players show."""
    record = match_of("cincos", "ABC", 3)
    hand = record.hands[0]
    before = replay(replace(record, hands=(hand,)))
    left = before.match.hands[0].state
    assert left is not None
    shown = {player: held.tiles or () for player, held in left.hands.items()}
    hidden = Deal({player: Hand.hidden(held.size) for player, held in hand.deal.hands.items()})
    after = replay(replace(record, hands=(replace(hand, deal=hidden, shown=shown),)))
    assert after.totals() == before.totals()


def test_a_hand_may_be_told_by_its_result_alone() -> None:
    """A score sheet is a record too: results and scores without moves."""
    text = "Game: pincset\nSeats: A B C D\n\nHand 1\nResult: domino AC by A\nScore AC: 145\n\nHand 2\nResult: tie\n"
    played = replay(parse_record(text))
    assert played.totals() == {"AC": 145, "BD": 0}
    assert played.hands[0].steps == ()
    assert parse_record(str(parse_record(text))) == parse_record(text)


def test_adjustments_count_for_the_totals() -> None:
    """A judge's decision is added to the hand that it belongs to."""
    played = replay(parse_record(BLOCKED + "Adjust AC: -10 ; played out of turn"))
    assert played.totals() == {"AC": -10, "BD": 0}
    assert played.hands[0].closing[0].reason == "correction"


def test_the_first_tile_may_tell_how_it_lies() -> None:
    """`4|6` says that the 4 lies towards the left end."""
    text = "Game: cincos\nSeats: A B\nOption.opening: lot\n\nHand 1\nA 4|6 start\nB 4-1 L"
    record = parse_record(text)
    assert record.hands[0].moves[0].move == Play("A", Tile(6, 4), Arm.START, 4)
    assert parse_record(str(record)) == record
    state = replay(record).match.state
    assert isinstance(state, ChainState)
    assert str(state.layout) == "4-6 L:4-1"


def test_names_with_odd_blanks_survive_the_record() -> None:
    """Seats keep leading, repeated and hard blanks, although headers hold single ones."""
    game = find_game("cincos")
    record = random_record(game, game.rules(), ["  Ana ", "Bo\u00a0B"], Random(2), hands=1)
    again = parse_record(str(record))
    assert again == record
    assert again.seats == ("  Ana ", "Bo\u00a0B")
    assert replay(again).match.seats == again.seats
