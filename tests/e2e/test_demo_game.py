"""What `make serve` shows: the shipped pictures of a game are followed, tile by tile, with the shipped networks."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from domino_rules.tile import Tile
from domino_server.networks import Networks
from domino_server.store import Store
from domino_server.tables.config import TableConfig
from domino_server.tables.manager import TableManager
from domino_server.tables.witness import witnesses_in
from domino_vision.synth.demo import demo_game

pytestmark = pytest.mark.slow
WAIT_S = 240.0


def test_the_demo_game_is_followed_to_its_last_picture(demo: Path, tmp_path: Path) -> None:
    """Every tile is a move of whoever laid it, nothing is asked, and the scores are those of the rules."""
    store, networks = Store.open("sqlite://"), Networks()
    manager = TableManager(store, networks.reader, witnesses_in(tmp_path), networks=networks.lock)
    config = {"game": "cincos", "seats": ["Ana", "Bo"], "opener": "Ana", "source": str(demo / "game"), "every_s": 0.05}
    row = manager.create("demo", TableConfig.model_validate(config))
    manager.start(row.id)
    truth = list(demo_game()[1].moves.values())
    deadline = time.monotonic() + WAIT_S
    while len(manager.snapshot(row.id).state.moves) < len(truth) and time.monotonic() < deadline:
        time.sleep(0.1)
    snapshot = manager.snapshot(row.id)
    manager.close()
    seen = [(move.player, Tile.parse(move.text.split()[1])) for move in snapshot.state.moves]
    assert seen == [(("Ana", "Bo")[move["seat"]], Tile(*move["tile"])) for move in truth]
    assert snapshot.private.questions == []
    assert snapshot.state.pause is None
    made = {name: sum(move.points for move in snapshot.state.moves if move.player == name) for name in ("Ana", "Bo")}
    assert snapshot.state.totals == made
    assert all(made.values())
