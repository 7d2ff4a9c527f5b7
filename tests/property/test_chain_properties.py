"""Invariants of the line-of-play games over random hands and matches."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domino_rules.errors import IllegalMoveError
from domino_rules.games.chain import ChainState
from domino_rules.games.cincos import CINCOS, CincosState, count, count_addends
from domino_rules.games.pincset import PINCSET
from domino_rules.layout import Arm, Layout
from domino_rules.match import Match
from domino_rules.moves import Play
from domino_rules.state import Game, Hand, HandContext
from domino_rules.tile import DOUBLE_SIX
from tests.chain_hands import playout, universe

SEEDS = st.integers(0, 2**32)
HAND_COUNT = settings(max_examples=40, deadline=None)
FEW = settings(max_examples=8, deadline=None)
TABLES: list[tuple[Game, str, dict[str, Any]]] = [
    (PINCSET, "ABCD", {}),
    (PINCSET, "ABCD", {"force_66": False, "count_remaining": "opponents"}),
    (CINCOS, "AB", {}),
    (CINCOS, "ABC", {"finish": "end_of_hand"}),
    (CINCOS, "ABCD", {"sides": "pairs", "boneyard_keeps": 2, "round_scope": "each"}),
]
GAMES = st.sampled_from(TABLES)


def begin(table: tuple[Game, str, dict[str, Any]], random: Random) -> ChainState:
    """Return a random deal as the first hand of a match."""
    game, seats, options = table
    rules = game.rules(**options)
    state = game.start(game.shuffled_deal(seats, rules, random), rules, HandContext())
    assert isinstance(state, ChainState)
    return state


@HAND_COUNT
@given(GAMES, SEEDS)
def test_tiles_are_conserved(table: tuple[Game, str, dict[str, Any]], seed: int) -> None:
    """Layout, hands and boneyard always make the whole set, each tile once."""
    random = Random(seed)
    for state in playout(table[0], begin(table, random), random):
        tiles = [*state.layout.tiles, *state.boneyard]
        tiles += [tile for hand in state.hands.values() for tile in hand.known]
        assert sorted(tiles, key=str) == sorted(DOUBLE_SIX, key=str)
        assert state.layout.unmatched() == ()


@HAND_COUNT
@given(GAMES, SEEDS)
def test_fast_ends_agree_with_the_layout(table: tuple[Game, str, dict[str, Any]], seed: int) -> None:
    """The ends, and in Cincos the count, that a state keeps are those of its layout."""
    random = Random(seed)
    for state in playout(table[0], begin(table, random), random):
        assert state.ends == tuple(end.pips for end in state.layout.open_ends)
        if isinstance(state, CincosState):
            assert state.count == count(state.layout, state.rules)


@FEW
@given(GAMES, SEEDS)
def test_legal_moves_are_exactly_those_that_apply(table: tuple[Game, str, dict[str, Any]], seed: int) -> None:
    """Every legal move applies; every other raises and leaves the state equal."""
    random = Random(seed)
    everything = universe(table[1])
    states = list(playout(table[0], begin(table, random), random))
    for state in random.sample(states, min(4, len(states))):
        legal = set(state.legal_moves)
        before = hash(state), state.hands, state.layout, state.events
        assert all(state.apply(move) != state for move in legal)
        for move in everything:
            allowed = move in state.legal_moves
            if move in legal:
                assert allowed
            if not allowed:
                with pytest.raises(IllegalMoveError):
                    state.apply(move)
            else:
                assert state.apply(move) in [state.apply(other) for other in legal]
        assert (hash(state), state.hands, state.layout, state.events) == before


@HAND_COUNT
@given(GAMES, SEEDS, st.integers(0, 30))
def test_a_playout_is_a_hand_like_any_other(table: tuple[Game, str, dict[str, Any]], seed: int, after: int) -> None:
    """The moves of a playout, made one by one, lead to the same state; a hand that is over stays as it is."""
    random = Random(seed)
    states = list(playout(table[0], begin(table, random), random))
    middle = states[min(after, len(states) - 1)]
    last = middle.playout(random)
    assert last.result is not None
    state = states[0]
    for move in last.moves:
        assert move in state.legal_moves
        state = state.apply(move)
    assert state == last
    assert last.playout(random) is last


def recount(layout: Layout) -> int:
    """Count the tips of a layout from its tiles alone: each tile that has a free side."""
    first = layout.placements[0]
    lines = {arm: [first, *layout.line(arm)] for arm in (Arm.LEFT, Arm.RIGHT)}
    total = 0
    if len(layout) == 1:
        return first.tile.pips
    for arm, line in lines.items():
        tip = line[-1]
        outer = tip.outer if tip is not first or arm is Arm.RIGHT else tip.inner
        total += tip.tile.pips if tip.tile.is_double else outer
    for arm in (Arm.UP, Arm.DOWN):
        line = layout.line(arm)
        if line:
            total += line[-1].tile.pips if line[-1].tile.is_double else line[-1].outer
    return total


@HAND_COUNT
@given(st.sampled_from(TABLES[2:]), SEEDS)
def test_counts_equal_a_recount(table: tuple[Game, str, dict[str, Any]], seed: int) -> None:
    """Every count equals the recount from the tiles, and scores exactly when it is a positive multiple of five."""
    random = Random(seed)
    points = 0
    for state in playout(table[0], begin(table, random), random):
        if not state.layout.placements or not isinstance(state.moves[-1], Play):
            continue
        assert isinstance(state, CincosState)
        total = recount(state.layout)
        assert state.count == total
        points += total if total % 5 == 0 else 0
        assert sum(event.points for event in state.events if event.reason == "count") == points
        if state.events and total and total % 5 == 0:
            event = [event for event in state.events if event.reason == "count"][-1]
            assert event.evidence == count_addends(state.layout, state.rules)
        for event in state.events:
            assert event.points == sum(addend.value for addend in event.evidence) > 0


@FEW
@given(GAMES, SEEDS, st.data())
def test_a_corrected_match_equals_one_played_right(
    table: tuple[Game, str, dict[str, Any]], seed: int, data: st.DataObject
) -> None:
    """Taking a move out and putting it back, or correcting it to itself, changes nothing."""
    random = Random(seed)
    game, seats, options = table
    rules = game.rules(**options)
    match = Match(game, tuple(seats), rules).start_hand(game.shuffled_deal(seats, rules, random))
    made = []
    while not match.hand_over:
        assert match.state is not None
        made.append(random.choice(tuple(match.state.legal_moves)))
        match = match.play(made[-1])
    at = data.draw(st.integers(0, len(made) - 1))
    assert match.correct(0, at, made[at]) == match
    assert match.remove(0, at, len(made) - at).insert(0, at, *made[at:]) == match
    assert match.correct(0, at, *made[at:], count=len(made)) == match


@FEW
@given(GAMES, SEEDS)
def test_random_matches_end_and_balance(table: tuple[Game, str, dict[str, Any]], seed: int) -> None:
    """A match of random hands ends; its totals are the sum of its events, and only the winner is at the target."""
    random = Random(seed)
    game, seats, options = table
    rules = game.rules(**options, target=120)
    match = Match(game, tuple(seats), rules)
    for _ in range(60):
        match = match.start_hand(game.shuffled_deal(seats, rules, random))
        while not match.hand_over:
            assert match.state is not None
            match = match.play(random.choice(tuple(match.state.legal_moves)))
        assert sum(match.totals.values()) == sum(event.points for event in match.events)
        if match.over:
            break
    assert match.winner is not None
    assert match.totals[match.winner] >= 120


@HAND_COUNT
@given(GAMES, SEEDS)
def test_hidden_hands_allow_whatever_happened(table: tuple[Game, str, dict[str, Any]], seed: int) -> None:
    """A hand played with open hands is possible with hidden ones, and gives the same scores once they are shown."""
    random = Random(seed)
    game, seats, options = table
    rules = game.rules(**options)
    deal = game.shuffled_deal(seats, rules, random)
    start = game.start(deal, rules, HandContext())
    assert isinstance(start, ChainState)
    last = list(playout(game, start, random))[-1]
    veiled = type(deal)({seat: Hand.hidden(hand.size) for seat, hand in deal.hands.items()}, (None,) * len(deal.stock))
    hidden = game.start(veiled, rules, HandContext())
    for move in last.moves:
        assert move in hidden.legal_moves
        hidden = hidden.apply(move)
    for seat, hand in last.hands.items():
        hidden = hidden.reveal(seat, hand.known)
    assert hidden.result == last.result
    assert hidden.events == last.events
