"""A server that is killed in the middle of a game: whatever it had acknowledged is there when it starts again."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from domino_rules.moves import Play
from domino_rules.notation import format_move
from domino_rules.record_replay import replay
from domino_server.store import Store
from tests.referee_games import random_game
from tests.serving import serving

pytestmark = pytest.mark.slow
OPTIONS = ("--no-limits", "--game", "pincset", "--seats", "A,B,C,D", "--source", "push", "--option", "force_66=false")


def told_moves(seed: int) -> list[str]:
    """Return the moves of a whole hand as they are told."""
    hand = replay(random_game("pincset", "ABCD", seed, 1, force_66=False)).match.hands[0]
    assert isinstance(hand.moves[0], Play)
    return [format_move(move) for move in hand.moves]


def state_of(base: str) -> dict[str, Any]:
    table = httpx.get(f"{base}/api/v1/tables", timeout=20).json()[0]["id"]
    state: dict[str, Any] = httpx.get(f"{base}/api/v1/tables/{table}/state", timeout=20).json()
    return state


def test_killed_server_has_lost_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    """Killed while moves are told, the server takes the table up again by itself with every acknowledged move."""
    moves = told_moves(5)
    acknowledged: list[str] = []
    with serving(*OPTIONS, data=tmp_path) as base:
        table = state_of(base)["id"]
        headers = {"Authorization": f"Bearer {base.token}"}

        def tell() -> None:
            with httpx.Client(base_url=str(base), headers=headers, timeout=20) as client:
                for text in moves:
                    try:
                        path = f"/api/v1/tables/{table}/commands"
                        answer = client.post(path, json={"op": "move", "text": text})
                    except httpx.HTTPError:
                        return
                    if answer.status_code == 200:
                        acknowledged.append(text)

        teller = threading.Thread(target=tell)
        teller.start()
        deadline = time.monotonic() + 30
        while len(acknowledged) < 8 and time.monotonic() < deadline:
            time.sleep(0.002)
        base.process.kill()
        base.process.wait(20)
        teller.join()
    assert 8 <= len(acknowledged) < len(moves)
    with serving(*OPTIONS, data=tmp_path) as base:
        state = state_of(base)
        assert (state["id"], state["phase"]) == (table, "running")
        texts = [move["text"] for move in state["moves"]]
        assert texts[: len(acknowledged)] == acknowledged
        assert len(texts) <= len(acknowledged) + 1, "at most the one that was being told"
        answer = httpx.post(
            f"{base}/api/v1/tables/{table}/commands",
            json={"op": "move", "text": moves[len(texts)]},
            headers={"Authorization": f"Bearer {base.token}"},
            timeout=20,
        )
        assert answer.status_code == 200, answer.text
    store = Store.open(f"sqlite:///{tmp_path / 'dominotable.db'}")
    events = store.events(table)
    store.close()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
