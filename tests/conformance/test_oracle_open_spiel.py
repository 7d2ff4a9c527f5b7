"""Block play against OpenSpiel's `python_block_dominoes`, an independent engine (optional group `oracle`)."""

from __future__ import annotations

import importlib
from random import Random
from typing import Any

import pytest

from domino_rules.games.pincset import PINCSET
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Pass, Play
from domino_rules.state import Hand, HandContext
from domino_rules.tile import Tile

pytestmark = pytest.mark.oracle
HANDS = 60
SEATS = ("0", "absent one", "1", "absent other")
"""Two players of the four hold tiles; the others pass."""


def block_game() -> Any:
    """Return the game, or skip."""
    pyspiel = pytest.importorskip("pyspiel", reason="the optional group `oracle` (open-spiel) is not installed")
    importlib.import_module("open_spiel.python.games.block_dominoes")
    return pyspiel.load_game("python_block_dominoes")


def tile(pair: tuple[float, float]) -> Tile:
    """Return our tile of theirs."""
    return Tile(int(pair[0]), int(pair[1]))


@pytest.mark.filterwarnings("ignore")
def test_block_play_agrees_on_random_hands() -> None:
    """Same hands, same moves: the same player to move, the same tiles at the same pips, the same tiles left."""
    game, random = block_game(), Random(7)
    actions = importlib.import_module("open_spiel.python.games.block_dominoes")._ACTIONS
    blocks = 0
    for _ in range(HANDS):
        theirs = game.new_initial_state()
        while theirs.is_chance_node():
            theirs.apply_action(random.choice(theirs.legal_actions()))
        hands = {seat: Hand.of(()) for seat in SEATS}
        hands |= {str(player): Hand.of([tile(pair) for pair in theirs.hands[player]]) for player in (0, 1)}
        ours = PINCSET.resume(Layout(with_spinner=False), hands, "0", PINCSET.rules(), HandContext(index=9))
        while not theirs.is_terminal():
            while ours.layout.placements and list(ours.legal_moves) == [Pass(str(ours.to_move))]:
                ours = ours.apply(Pass(str(ours.to_move)))
            assert ours.to_move == str(theirs.current_player())
            plays = [move for move in ours.legal_moves if isinstance(move, Play)]
            pips: dict[Arm, int] = dict(zip((Arm.LEFT, Arm.RIGHT), ours.ends, strict=False))
            options = {(move.tile, pips.get(move.arm)): move for move in plays}
            legal = [actions[action] for action in theirs.legal_actions()]
            assert set(options) == {(tile(a.tile), None if a.edge is None else int(a.edge)) for a in legal}
            action = random.choice(theirs.legal_actions())
            edge = actions[action].edge
            ours = ours.apply(options[tile(actions[action].tile), None if edge is None else int(edge)])
            theirs.apply_action(action)
        went_out = not theirs.hands[0] or not theirs.hands[1]
        assert (ours.result is not None and ours.result.kind == "domino") is went_out
        assert ours.blocked or went_out
        for player in (0, 1):
            assert set(ours.hands[str(player)].known) == {tile(pair) for pair in theirs.hands[player]}
        blocks += not went_out
    assert blocks > 5
