"""Invariants of Tiu-U over random hands, options and hidden tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domino_rules.errors import IllegalMoveError
from domino_rules.games.tiu_u import TIU_U
from domino_rules.games.tiu_u_rules import TWO_CHINESE
from domino_rules.games.tiu_u_score import Catch, payments, winners
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.moves import Capture, Close, Draw, Move, Pass, Quadruple, Triple, Turn
from domino_rules.state import Deal, Hand, HandContext, HandResult
from domino_rules.tile import Tile

SEEDS = st.integers(0, 2**32)
PLAYERS = st.integers(2, 3)
OPTIONS = st.fixed_dictionaries({
    "min_stock_for_triple": st.integers(0, 6),
    **{option.name: st.sampled_from(option.choices) for option in TIU_U.options if option.choices},
})  # fmt: skip
KINDS = TWO_CHINESE.kinds
UNIVERSE: tuple[Move, ...] = (
    *(
        move
        for player in ("A", "B")
        for tile in KINDS
        for move in (
            Triple(player, tile),
            Quadruple(player, tile),
            Turn(player, tile),
            *(kind(player, tile, take) for kind in (Capture, Turn) for take in KINDS),
        )
    ),
    *(Pass(player) for player in ("A", "B", "C", "D")),
    Turn("A", Tile(6, 0)),
    Capture("A", Tile(6, 0), Tile(6, 0)),
    Draw("A"),
    Close("B"),
)


def begin(random: Random, players: int, options: dict[str, Any], *, hidden: bool = False) -> TiuUState:
    """Return the first state of a random hand; `hidden` tells only the first player's tiles and the talon."""
    seats = ("A", "B", "C")[:players]
    rules = TIU_U.rules(**options)
    deal = TIU_U.shuffled_deal(seats, rules, random)
    if hidden:
        hands = {seat: hand if seat == "A" else Hand.hidden(hand.size) for seat, hand in deal.hands.items()}
        deal = Deal(hands, (), deal.table)
    return TIU_U.start(deal, rules, HandContext(opener=random.choice(seats)))


def states(seed: int, players: int, options: dict[str, Any], *, hidden: bool = False) -> Iterator[TiuUState]:
    """Yield the states of a random hand that stacks wherever it can."""
    random = Random(seed)
    state = begin(random, players, options, hidden=hidden)
    yield state
    while state.to_move is not None:
        moves = list(state.legal_moves)
        stacking = [move for move in moves if isinstance(move, (Triple, Quadruple))]
        state = state.apply(random.choice(stacking or moves))
        yield state


def everywhere(state: TiuUState) -> list[Tile]:
    """Return every tile that a state accounts for."""
    places = (*state.piles, *(hand.known for hand in state.held), state.talon)
    return [*(tile for place in places for tile in place), *(tile for tile in state.stock if tile is not None)]


@settings(max_examples=40, deadline=None)
@given(SEEDS, PLAYERS, OPTIONS)
def test_tiles_are_conserved(seed: int, players: int, options: dict[str, Any]) -> None:
    """Hands, stock, talon and captured piles always make up the 64 tiles; captured tiles lie in pairs."""
    for state in states(seed, players, options):
        assert sorted(everywhere(state)) == list(TWO_CHINESE)
        assert all(len(pile) % 2 == 0 for pile in state.piles)


@pytest.mark.parametrize("hidden", [False, True])
@settings(max_examples=4, deadline=None)
@given(seed=SEEDS, players=PLAYERS, options=OPTIONS)
def test_exactly_the_legal_moves_apply(seed: int, players: int, options: dict[str, Any], hidden: bool) -> None:
    """Every legal move applies, every other raises and leaves the state equal; listing and asking agree."""
    for state in states(seed, players, options, hidden=hidden):
        before = replace(state)
        listed = list(state.legal_moves)
        legal = set(listed)
        assert len(legal) == len(listed) == state.legal_moves.count()
        for move in UNIVERSE:
            if move.player in {state.to_move, "D"}:
                assert (move in state.legal_moves) is (move in legal)
            if move in legal:
                assert state.apply(move) != state
            elif move.player == state.to_move:
                with pytest.raises(IllegalMoveError):
                    state.apply(move)
        assert bool(listed) is (state.to_move is not None)
        assert state == before


@settings(max_examples=40, deadline=None)
@given(SEEDS, PLAYERS, OPTIONS)
def test_payments_balance(seed: int, players: int, options: dict[str, Any]) -> None:
    """Points are those of the captured tiles, rounded; payments sum to zero; evidence sums to each score."""
    *_, last = states(seed, players, options)
    assert last.result is not None
    points, paid = dict.fromkeys(last.players, 0), dict.fromkeys(last.players, 0)
    for event in last.result.events:
        assert sum(addend.value for addend in event.evidence) == event.points != 0
        (paid if event.unit == "payment" else points)[event.side] += event.points
    assert points == {player: Catch.of(pile).final(last.rules) for player, pile in last.captured.items()}
    assert paid == payments(last.finals, last.rules)
    assert sum(paid.values()) == 0
    assert (last.result.side,) == winners(points) or last.result.kind == "tie"


@given(st.lists(st.integers(0, 592), min_size=2, max_size=3), st.sampled_from(["split", "pay_each"]))
def test_any_settlement_balances(raw: list[int], tie_top: str) -> None:
    """Whatever the scores, payments sum to zero, no winner pays and no loser earns."""
    rules = TIU_U.rules(tie_top=tie_top)
    finals = {player: 2 * points for player, points in zip("ABC", raw, strict=False)}
    net = payments(finals, rules)
    assert sum(net.values()) == 0
    assert all((amount >= 0) is (player in winners(finals)) or amount == 0 for player, amount in net.items())


@settings(max_examples=40, deadline=None)
@given(SEEDS, PLAYERS, OPTIONS)
def test_a_hidden_hand_allows_what_the_true_hand_allows(seed: int, players: int, options: dict[str, Any]) -> None:
    """Whatever is legal with everything known is possible with hands and stock hidden, and scores the same."""
    random = Random(seed)
    seats = ("A", "B", "C")[:players]
    rules = TIU_U.rules(**options)
    deal = TIU_U.shuffled_deal(seats, rules, random)
    known = TIU_U.start(deal, rules)
    sixes = {seat: (Tile(6, 6),) * len(known.captured[seat]) for seat in seats}
    unseen = {seat: Hand.hidden(hand.size, sixes[seat]) for seat, hand in deal.hands.items()}
    blind = TIU_U.start(Deal(unseen, (), deal.table), rules)
    while known.to_move is not None:
        move = random.choice(list(known.legal_moves))
        known, blind = known.apply(move), blind.apply(move)
    assert blind.result == known.result
    for seat in seats:
        assert blind.reveal(seat, known.hand(seat).known).hand(seat).size == known.hand(seat).size


@settings(max_examples=20, deadline=None)
@given(SEEDS, PLAYERS, OPTIONS, st.integers(1, 4))
def test_random_matches_end(seed: int, players: int, options: dict[str, Any], hands: int) -> None:
    """A match ends with one player paid most, after its hands or the first one that settles a draw."""
    random = Random(seed)
    seats = ("A", "B", "C")[:players]
    rules = TIU_U.rules(**{**options, "match_hands": hands})
    results: list[HandResult] = []
    while TIU_U.winner(seats, rules, results) is None:
        context = TIU_U.next_context(seats, rules, results)
        state = TIU_U.start(TIU_U.shuffled_deal(seats, rules, random), rules, context)
        while state.to_move is not None:
            state = state.apply(random.choice(list(state.legal_moves)))
        assert state.result is not None
        results.append(state.result)
        assert len(results) < hands + 50
    totals = TIU_U.totals(seats, results)
    assert sum(totals.values()) == 0
    assert totals[TIU_U.winner(seats, rules, results) or ""] == max(totals.values())
    assert len(results) >= hands
