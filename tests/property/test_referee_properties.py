"""Whole random games as a camera sees them: the referee's record is the game, or says where it is not sure."""

from __future__ import annotations

from itertools import dropwhile

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domino_rules.record import Record, Source
from domino_server.referee import IllegalPlay
from tests.referee_games import Camera, Seen, follow, plain, random_game, referee_for, scores, totals

GAMES = [("pincset", "ABCD"), ("cincos", "AB"), ("cincos", "ABCD"), ("bingo", "AB"), ("tiu-u", "AB"), ("tiu-u", "ABC")]
SEEDS = st.integers(0, 10**6)


def silently_wrong(truth: Record, found: Record) -> list[tuple[str, str]]:
    """Return the moves that differ from the truth though the record says that they were seen or told."""
    wrong = []
    hands = found.corrected().hands
    for own, other, hand in zip(plain(truth), plain(found), hands, strict=False):
        sources = [move.source for move in hand.moves]
        wrong += [(a, b) for a, b, s in zip(own, other, sources, strict=False) if a != b and s is not Source.INFERRED]
    return wrong


def draws_after_the_last_tile(record: Record) -> bool:
    """Return whether a hand ends with a draw that no later tile shows: the table alone cannot tell that it was made."""
    ends = [list(dropwhile(lambda move: "draws" not in move, reversed(hand))) for hand in plain(record)]
    return any(
        end and all("draws" in move or "Pass" in move for move in hand[len(end) - 1 :])
        for end, hand in zip(ends, plain(record), strict=True)
    )


@pytest.mark.parametrize(("game", "seats"), GAMES)
@settings(max_examples=6, deadline=None)
@given(seed=SEEDS)
def test_whole_games_are_followed_exactly(game: str, seats: str, seed: int) -> None:
    """Without misreadings and missed tables the record is the game: every move, every score; nothing illegal."""
    record = random_game(game, seats, seed, 2)
    assume(game != "cincos" or not draws_after_the_last_tile(record))
    referee = referee_for(record)
    said = follow(referee, record, Camera(tuple(seats), Seen(racks=game == "cincos"), seed))
    assert plain(referee.record) == plain(record)
    assert scores(referee.record) == scores(record)
    assert not [event for event in said if isinstance(event, IllegalPlay)]


@pytest.mark.parametrize(("game", "seats"), GAMES)
@settings(max_examples=6, deadline=None)
@given(seed=SEEDS)
def test_missed_tables_never_make_a_silent_error(game: str, seats: str, seed: int) -> None:
    """With one table in twenty missed, moves are right or marked as inferred, and the scores are right."""
    record = random_game(game, seats, seed, 2)
    referee = referee_for(record)
    follow(referee, record, Camera(tuple(seats), Seen(racks=game == "cincos", drop=0.05), seed))
    if referee.settled:
        assert totals(referee.record) == totals(record)
    assert not silently_wrong(record, referee.record)


@pytest.mark.parametrize(("game", "seats"), GAMES)
@settings(max_examples=4, deadline=None)
@given(seed=SEEDS)
def test_misread_tiles_are_found_out(game: str, seats: str, seed: int) -> None:
    """A tile in thirty that is misread at first, and says so, ends in the right record or in something open."""
    record = random_game(game, seats, seed, 1)
    referee = referee_for(record)
    follow(referee, record, Camera(tuple(seats), Seen(racks=game == "cincos", misread=0.03), seed))
    if referee.settled:
        assert scores(referee.record) == scores(record)
