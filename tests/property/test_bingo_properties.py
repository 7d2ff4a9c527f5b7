"""Invariants of Bingo over random hands, options and hidden tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domino_rules.errors import IllegalMoveError
from domino_rules.games.bingo import BINGO
from domino_rules.games.bingo_rules import tile_values
from domino_rules.games.bingo_state import BingoState
from domino_rules.moves import Capture, Close, Draw, Lead, Move, Pass, Reply, Turn
from domino_rules.state import Deal, Hand, HandContext, HandResult
from domino_rules.tile import DOUBLE_SIX, Tile

SEATS = ("A", "B")
SEEDS = st.integers(0, 2**32)
OPTIONS = st.fixed_dictionaries({
    option.name: st.sampled_from(option.choices) for option in BINGO.options if option.choices
})  # fmt: skip
UNIVERSE: tuple[Move, ...] = (
    *(
        kind(player, tile, declared)
        for kind in (Lead, Reply)
        for player in SEATS
        for tile in DOUBLE_SIX
        for declared in ((None, *range(9)) if tile.is_double else (None, 2))
    ),
    *(Draw(player, tile) for player in SEATS for tile in (None, *DOUBLE_SIX)),
    *(kind(player) for kind in (Close, Pass) for player in (*SEATS, "C")),
    Capture("A", Tile(6, 6), Tile(6, 6)),
    Turn("A", Tile(6, 6)),
)


def states(seed: int, options: dict[str, Any], *, hidden: bool = False) -> Iterator[BingoState]:
    """Yield the states of a random hand, the first to the last."""
    random = Random(seed)
    rules = BINGO.rules(**options)
    deal = BINGO.shuffled_deal(SEATS, rules, random)
    if hidden:
        deal = Deal({"A": deal.hands["A"], "B": Hand.hidden(7)}, (), deal.table)
    state = BINGO.start(deal, rules, HandContext(opener=random.choice(SEATS)))
    yield state
    while state.to_move is not None:
        state = state.apply(random.choice(list(state.legal_moves)))
        yield state


def everywhere(state: BingoState) -> list[Tile]:
    """Return every tile that a state accounts for."""
    tiles = [tile for trick in state.tricks for tile in trick.tiles]
    tiles += [tile for hand in state.held for tile in hand.known]
    tiles += [tile for tile in state.stock if tile is not None]
    return tiles if state.lead is None else [*tiles, state.lead.tile]


@settings(max_examples=40, deadline=None)
@given(SEEDS, OPTIONS)
def test_tiles_are_conserved(seed: int, options: dict[str, Any]) -> None:
    """Hands, stock and tricks always make up the 28 tiles."""
    for state in states(seed, options):
        assert sorted(everywhere(state)) == list(DOUBLE_SIX)


@pytest.mark.parametrize("hidden", [False, True])
@settings(max_examples=6, deadline=None)
@given(seed=SEEDS, options=OPTIONS)
def test_exactly_the_legal_moves_apply(seed: int, options: dict[str, Any], hidden: bool) -> None:
    """Every legal move applies, every other raises and leaves the state equal; listing and asking agree."""
    for state in states(seed, options, hidden=hidden):
        before = replace(state)
        listed = list(state.legal_moves)
        assert len(set(listed)) == len(listed) == state.legal_moves.count()
        for move in UNIVERSE:
            if move in state.legal_moves:
                assert state.apply(move) != state
                assert move in listed or (isinstance(move, Draw) and move.tile is None)
            else:
                assert move not in listed
                with pytest.raises(IllegalMoveError):
                    state.apply(move)
        assert set(listed) <= set(UNIVERSE)
        assert state == before


@settings(max_examples=40, deadline=None)
@given(SEEDS, OPTIONS)
def test_an_unclosed_hand_played_out_is_the_whole_pack(seed: int, options: dict[str, Any]) -> None:
    """Without closing and stopping, the points of the tricks sum to the points in the pack."""
    random = Random(seed)
    rules = BINGO.rules(**{**options, "hand_ends_at_70": False, "unable": "lose_trick"})
    state = BINGO.start(BINGO.shuffled_deal(SEATS, rules, random), rules, HandContext())
    while state.to_move is not None:
        state = state.apply(random.choice([move for move in state.legal_moves if not isinstance(move, Close)]))
    pack = sum(value.points for value in tile_values(state.trump, rules).values())
    bonus = sum(trick.bonus for trick in state.tricks)
    assert (len(state.tricks), sum(state.points.values()) - bonus) == (14, pack)


@settings(max_examples=40, deadline=None)
@given(SEEDS, OPTIONS)
def test_evidence_sums_to_the_points(seed: int, options: dict[str, Any]) -> None:
    """The addends of every score sum to it; a finished hand earns 0 to 3 sets for its winner alone."""
    *_, last = states(seed, options)
    assert last.result is not None
    for event in last.result.events:
        assert sum(addend.value for addend in event.evidence) == event.points != 0
    sets = [event for event in last.result.events if event.unit == "sets"]
    assert [event.side for event in sets] == ([] if last.result.side is None else [last.result.side])
    assert sum(event.points for event in sets) <= 3


@settings(max_examples=40, deadline=None)
@given(SEEDS, OPTIONS)
def test_a_hidden_hand_allows_what_the_true_hand_allows(seed: int, options: dict[str, Any]) -> None:
    """Whatever is legal with all hands known is possible with a hand or the stock hidden, and leads to equal scores."""
    known: BingoState | None = None
    blind: BingoState | None = None
    random = Random(seed)
    rules = BINGO.rules(**options)
    deal = BINGO.shuffled_deal(SEATS, rules, random)
    known = BINGO.start(deal, rules)
    blind = BINGO.start(Deal({seat: Hand.hidden(7) for seat in SEATS}, (), deal.table), rules)
    while known.to_move is not None:
        move = random.choice(list(known.legal_moves))
        told = Draw(move.player) if isinstance(move, Draw) else move
        known, blind = known.apply(move), blind.apply(told)
    assert blind.result == known.result
    for seat in SEATS:
        assert blind.reveal(seat, known.hand(seat).known).hand(seat).size == known.hand(seat).size


@settings(max_examples=10, deadline=None)
@given(SEEDS, OPTIONS)
def test_random_matches_end(seed: int, options: dict[str, Any]) -> None:
    """A match of random hands ends with a winner of at least seven sets; the other has fewer."""
    random = Random(seed)
    rules = BINGO.rules(**{**options, "target": 40})
    results: list[HandResult] = []
    while BINGO.winner(SEATS, rules, results) is None:
        context = BINGO.next_context(SEATS, rules, results)
        state = BINGO.start(BINGO.shuffled_deal(SEATS, rules, random), rules, context)
        while state.to_move is not None:
            state = state.apply(random.choice(list(state.legal_moves)))
        assert state.result is not None
        results.append(state.result)
        assert len(results) < 500
    totals = BINGO.totals(SEATS, results)
    assert max(totals.values()) >= 7 > min(totals.values())
    openers = [result.opener for result in results]
    assert all(first != second for first, second in pairwise(openers))
