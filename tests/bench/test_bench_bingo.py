"""How fast random hands of Bingo are played. Run with `pytest tests/bench --benchmark-enable`."""

from __future__ import annotations

from random import Random
from typing import Any

from domino_rules.games.bingo import BINGO
from domino_rules.games.bingo_state import BingoState

RULES = BINGO.rules()
SEATS = ("A", "B")


def playout(random: Random) -> BingoState:
    """Return the last state of a hand in which both players choose among their legal moves by chance."""
    state = BINGO.start(BINGO.shuffled_deal(SEATS, RULES, random), RULES)
    while state.to_move is not None:
        state = state.apply(random.choice(list(state.legal_moves)))
    return state


def test_bench_bingo_random_playouts(benchmark: Any) -> None:
    """Random hands from the deal to the sets; operations per second are playouts per second."""
    random = Random(20)
    assert benchmark(playout, random).result is not None
