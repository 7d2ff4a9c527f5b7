"""How fast random hands of Tiu-U are played. Run with `pytest tests/bench --benchmark-enable`."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domino_rules.games.tiu_u import TIU_U
from domino_rules.games.tiu_u_state import TiuUState

RULES = TIU_U.rules()


def playout(seats: tuple[str, ...], random: Random) -> TiuUState:
    """Return the last state of a hand in which the players choose among their legal moves by chance."""
    state = TIU_U.start(TIU_U.shuffled_deal(seats, RULES, random), RULES)
    while state.to_move is not None:
        state = state.apply(random.choice(list(state.legal_moves)))
    return state


@pytest.mark.parametrize("seats", [("A", "B"), ("A", "B", "C")], ids=["two", "three"])
def test_bench_tiu_u_random_playouts(benchmark: Any, seats: tuple[str, ...]) -> None:
    """Random hands from the deal to the payments; operations per second are playouts per second."""
    random = Random(20)
    assert benchmark(playout, seats, random).result is not None
