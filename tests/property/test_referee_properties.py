"""Whole random games as a camera sees them: the referee's record is the game, or says where it is not sure."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from domino_rules.match import Match
from domino_rules.record import Record, Source
from domino_rules.record_replay import match_record
from domino_rules.state import find_game
from domino_server.films.plays import Plants, play_hand
from domino_server.referee import IllegalPlay
from tests.referee_games import (
    Camera,
    Seen,
    follow,
    plain,
    random_game,
    referee_for,
    scores,
    totals,
    watch_steps,
)

GAMES = [("pincset", "ABCD"), ("cincos", "AB"), ("cincos", "ABCD"), ("bingo", "AB"), ("tiu-u", "AB"), ("tiu-u", "ABC")]
SEEDS = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def silently_wrong(truth: Record, found: Record) -> list[tuple[str, str]]:
    """Return the moves that differ from the truth though the record says that they were seen or told."""
    wrong = []
    hands = found.corrected().hands
    for own, other, hand in zip(plain(truth), plain(found), hands, strict=False):
        sources = [move.source for move in hand.moves]
        wrong += [(a, b) for a, b, s in zip(own, other, sources, strict=False) if a != b and s is not Source.INFERRED]
    return wrong


@FEW
@given(seed=SEEDS)
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_whole_games_are_followed_exactly(game: str, seats: str, seed: int) -> None:
    """Without misreadings and missed tables the record is the game: every move, every score; nothing illegal."""
    record = random_game(game, seats, seed, 2)
    referee = referee_for(record)
    said = follow(referee, record, Camera(tuple(seats), Seen(racks=game == "cincos"), seed))
    assert plain(referee.record) == plain(record)
    assert scores(referee.record) == scores(record)
    assert not [event for event in said if isinstance(event, IllegalPlay)]


@FEW
@given(seed=SEEDS)
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_missed_tables_never_make_a_silent_error(game: str, seats: str, seed: int) -> None:
    """With one table in twenty missed, moves are right or marked as inferred, and the scores are right."""
    record = random_game(game, seats, seed, 2)
    referee = referee_for(record)
    follow(referee, record, Camera(tuple(seats), Seen(racks=game == "cincos", drop=0.05), seed))
    if referee.settled:
        assert totals(referee.record) == totals(record)
    assert not silently_wrong(record, referee.record)


@FEW
@given(seed=SEEDS)
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_misread_tiles_are_found_out(game: str, seats: str, seed: int) -> None:
    """A tile in thirty that is misread at first, and says so, ends in the right record or in something open."""
    record = random_game(game, seats, seed, 1)
    referee = referee_for(record)
    follow(referee, record, Camera(tuple(seats), Seen(racks=game == "cincos", misread=0.03), seed))
    if referee.settled:
        assert scores(referee.record) == scores(record)


@pytest.mark.parametrize(
    ("game", "seats", "seed"), [("cincos", "ABCD", 5487), ("cincos", "AB", 1011), ("bingo", "AB", 979)]
)
def test_hands_that_were_not_followed_once(game: str, seats: str, seed: int) -> None:
    """A block that only the hands turned up show, and a trick of which nothing but the pile tells."""
    record = random_game(game, seats, seed, 2)
    referee = referee_for(record)
    drop = 0.05 if game == "bingo" else 0.0
    follow(referee, record, Camera(tuple(seats), Seen(racks=game == "cincos", drop=drop), seed))
    assert referee.settled
    assert totals(referee.record) == totals(record)
    assert not silently_wrong(record, referee.record)


@FEW
@given(seed=SEEDS, stands=st.booleans())
@example(seed=25, stands=False)  # in Bingo a trick that ends the hand if the wrong player keeps it
@example(seed=25, stands=True)
@example(seed=555021, stands=True)  # at Cincos a tile at an arm that is not open yet, on which others build
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_plays_against_the_rules_are_reported_and_followed(game: str, seats: str, seed: int, *, stands: bool) -> None:
    """A play against the rules is reported before the next move; let stand or put right, the record is the game."""
    random = Random(seed)
    found = find_game(game)
    match = Match(found, tuple(seats), found.rules())
    match = match.start_hand(found.shuffled_deal(match.seats, match.rules, random))
    match, steps = play_hand(match, random, Plants.drawn(1, random), stands=stands)
    record = match_record(match)
    referee = referee_for(record)
    reported, planted = watch_steps(referee, steps, Camera(tuple(seats), Seen(racks=False), seed))
    assert reported == planted
    assert plain(referee.record) == plain(record)
    assert scores(referee.record) == scores(record)
