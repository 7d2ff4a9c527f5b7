"""Pińćset's base points against PyPI `dominoes` 6.1.0, an independent engine (optional group `oracle`)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domino_rules.games.pincset import PINCSET
from domino_rules.layout import Arm
from domino_rules.moves import Pass, Play
from domino_rules.state import Deal, Hand, HandContext
from domino_rules.tile import Tile

pytestmark = pytest.mark.oracle
HANDS = 200


def oracle() -> Any:
    """Return the package, or skip."""
    return pytest.importorskip("dominoes", reason="the optional group `oracle` (dominoes 6.1.0) is not installed")


def tile(domino: Any) -> Tile:
    """Return our tile of theirs."""
    return Tile(domino.first, domino.second)


def test_base_points_and_winners_agree_on_200_random_hands() -> None:
    """Same hands, same moves: same line, same end, same winner, same pips, as played by both engines side by side."""
    dominoes = oracle()
    random = Random(500)
    rules = PINCSET.rules(premiums=(), chuchazo=0, capicu=0, first_block=0)
    blocks = 0
    for _ in range(HANDS):
        game = dominoes.Game.new(starting_domino=dominoes.Domino(6, 6))
        opener = game.starting_player
        hands = [[tile(domino) for domino in hand] for hand in game.hands]
        hands[opener].append(Tile(6, 6))
        deal = Deal({"ABCD"[seat]: Hand.of(tiles) for seat, tiles in enumerate(hands)})
        state = PINCSET.start(deal, rules, HandContext()).apply(Play("ABCD"[opener], Tile(6, 6), Arm.START))
        while game.result is None:
            while list(state.legal_moves) == [Pass(str(state.to_move))]:
                state = state.apply(Pass(str(state.to_move)))
            assert state.to_move == "ABCD"[game.turn]
            ours = {(move.tile, move.arm) for move in state.legal_moves if isinstance(move, Play)}
            theirs = {(tile(domino), Arm.LEFT if left else Arm.RIGHT) for domino, left in game.valid_moves}
            assert theirs <= ours
            assert {played for played, _ in ours} == {played for played, _ in theirs}
            domino, left = random.choice(game.valid_moves)
            state = state.apply(Play("ABCD"[game.turn], tile(domino), Arm.LEFT if left else Arm.RIGHT))
            game.make_move(domino, left)
            assert state.ends == (game.board.left_end(), game.board.right_end())
        while state.result is None:
            state = state.apply(Pass(str(state.to_move)))
        base = sum(event.points for event in state.result.events)
        assert base == abs(game.result.points)
        winner = None if game.result.points == 0 else "AC" if game.result.points > 0 else "BD"
        assert state.result.side == winner
        assert (state.result.kind == "domino") is game.result.won
        blocks += state.result.kind != "domino"
    assert blocks > 10
