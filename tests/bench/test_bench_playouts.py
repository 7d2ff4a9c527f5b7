"""Random playouts per second: each game, and the line of play against `dominoes` 6.1.0 and OpenSpiel.

`pytest tests/bench/test_bench_playouts.py -s` prints the ratios; with `--benchmark-enable` it prints every game's
figures. Times are processor time, the best of several rounds that take turns, because the machine may be busy.
"""

from __future__ import annotations

import gc
import importlib
import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from domino_rules.games.chain_position import ChainMoves
from domino_rules.games.pincset import PINCSET
from domino_rules.state import HandContext, find_game

SEATS = {"pincset": tuple("ABCD"), "cincos": ("A", "B"), "bingo": ("A", "B"), "tiu-u": ("A", "B")}
ROUNDS = 12
BATCH = 250
PLAIN = PINCSET.rules(premiums=(), chuchazo=0, capicu=0, first_block=0)
FIRST = HandContext()


def deal_and_play(name: str, random: Random) -> int:
    """Deal a hand and play it move by move to its end; return how many moves that took."""
    game = find_game(name)
    seats, rules, made = SEATS[name], game.rules(), 0
    state = game.start(game.shuffled_deal(seats, rules, random), rules, game.next_context(seats, rules, []))
    while state.result is None:
        state = state.apply(random.choice(tuple(state.legal_moves)))
        made += 1
    return made


def ours(random: Random) -> None:
    """Play one hand of block dominoes for four by the engine's own playout."""
    PINCSET.start(PINCSET.shuffled_deal("ABCD", PLAIN, random), PLAIN, FIRST).playout(random)


def ours_stepwise(random: Random) -> None:
    """Play one hand of block dominoes for four, choosing each move from the legal ones."""
    state = PINCSET.start(PINCSET.shuffled_deal("ABCD", PLAIN, random), PLAIN, FIRST)
    while state.result is None:
        moves = state.legal_moves
        assert isinstance(moves, ChainMoves)
        state = state.apply(random.choice(moves))


def of_dominoes() -> Callable[[Random], None]:
    """Return a playout of PyPI dominoes, or skip."""
    dominoes: Any = pytest.importorskip("dominoes", reason="the optional group `oracle` (dominoes) is not installed")

    def play(random: Random) -> None:
        game = dominoes.Game.new(starting_domino=dominoes.Domino(6, 6))
        while game.result is None:
            game.make_move(*random.choice(game.valid_moves))

    return play


def of_open_spiel() -> Callable[[Random], None]:
    """Return a playout of OpenSpiel's block dominoes for two, or skip."""
    pyspiel: Any = pytest.importorskip("pyspiel", reason="the optional group `oracle` (open-spiel) is not installed")
    importlib.import_module("open_spiel.python.games.block_dominoes")
    game = pyspiel.load_game("python_block_dominoes")

    def play(random: Random) -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))

    return play


def per_second(*plays: Callable[[Random], None]) -> list[float]:
    """Return playouts per second of processor time of each, best of rounds that take turns, without collector pauses.

    The garbage collector is off, as in `timeit`: its pauses depend on what else the process keeps.
    """
    best = [float("inf")] * len(plays)
    gc.collect()
    gc.disable()
    try:
        return _timed(plays, best)
    finally:
        gc.enable()


def _timed(plays: tuple[Callable[[Random], None], ...], best: list[float]) -> list[float]:
    for seed in range(ROUNDS):  # the first ones warm up
        for number, play in enumerate(plays):
            random = Random(seed)
            began = time.process_time()
            for _ in range(BATCH):
                play(random)
            best[number] = min(best[number], (time.process_time() - began) / BATCH)
    return [1 / seconds for seconds in best]


@pytest.mark.parametrize("name", SEATS)
def test_playouts_of_each_game(benchmark: Any, name: str) -> None:
    """A random hand of each game is dealt and played to its end."""
    random = Random(1)
    assert benchmark(lambda: deal_and_play(name, random)) > 0


@pytest.mark.oracle
def test_playouts_against_dominoes() -> None:
    """The comparable game, block play for four, is played at least twice as fast as by PyPI dominoes."""
    fast, stepwise, theirs = per_second(ours, ours_stepwise, of_dominoes())
    print(f"\nplayouts/s: ours {fast:.0f}, move by move {stepwise:.0f}, dominoes {theirs:.0f}: {fast / theirs:.2f} x")
    assert fast >= 2 * theirs


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_playouts_against_open_spiel() -> None:
    """Block play for four is played at least twice as fast as OpenSpiel's block game for two."""
    fast, stepwise, theirs = per_second(ours, ours_stepwise, of_open_spiel())
    print(f"\nplayouts/s: ours {fast:.0f}, move by move {stepwise:.0f}, OpenSpiel {theirs:.0f}: {fast / theirs:.2f} x")
    assert fast >= 2 * theirs
