"""Whole hands at a real server: whatever anybody may ask for or hear without a token names only what lies open.

The server knows more than that: players ask for advice with their hands, hands lie turned up at the end and are told.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from domino_rules.layout import Layout
from domino_rules.record import Record
from domino_rules.record_replay import replay
from domino_rules.tile import Tile
from tests.e2e.test_table_streams import Heard
from tests.laid_hands import Scene, scenes
from tests.property.test_public_state_properties import named
from tests.referee_games import random_game
from tests.table_frames import Film
from tests.table_server import House, TableOfTest, bearer, listening

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
GAMES = [("pincset", 4, 11), ("cincos", 3, 3), ("bingo", 2, 11), ("tiu-u", 2, 11)]
REFUSED = {401, 403}
STREAM = "/events"


@pytest.fixture
def server() -> Iterator[House]:
    with listening(Film()) as running:
        yield running


@pytest.mark.parametrize(("game", "seats", "seed"), GAMES)
def test_nothing_public_names_a_tile_of_a_hand(server: House, game: str, seats: int, seed: int) -> None:
    """State, events, layout, lists, counters and every other answer without a token, after every look of a hand."""
    record = random_game(game, [f"P{n}" for n in range(seats)], seed, 1)
    table = made(server, record)
    heard, seen, told = Heard(table), set[Tile](), 0
    players = {seat: bearer(table.post(f"players/{seat}/link").json()["token"]) for seat in record.seats}
    acts, before = list(scenes(record)), everything(table)
    for number, scene in enumerate(acts):
        turned_up = number == len(acts) - 1 and game in {"pincset", "cincos"}
        happen(table, scene)
        seen |= set() if turned_up else faces(scene)
        for seat, own in players.items():
            hidden = [str(tile) for tile in dealt(record, seat) if tile not in seen]
            told += server.client.post(f"{table.path}/advice", json={"hand": hidden}, headers=own).is_success
        check(table, heard, seen)
    assert table.state()["hands"], "the hand was not followed to its end"
    assert told > len(acts) / 2, "hardly any player was advised"
    if game in {"pincset", "cincos"}:
        left = {tile for tiles in table.state()["shown"].values() for tile in tiles}
        assert left, "no hand was turned up"
        assert not {Tile.parse(tile) for tile in left} & seen
    changed = {path: text for path, text in everything(table).items() if text != before[path]}
    assert changed.keys() >= {"/api/v1/tables/{table}/state", "/metrics"}
    changed.pop("/api/v1/tables/{table}/layout.svg", None)  # compared with the state
    for path, text in changed.items():
        assert not named(text) - seen, (path, text)
    heard.stop()


def made(server: House, record: Record) -> TableOfTest:
    options = {name: str(value).lower() for name, value in record.options.items()}
    opener = record.hands[0].moves[0].move.player
    return server.make(game=record.game, seats=list(record.seats), opener=opener, options=options, use_zones=True)


def happen(table: TableOfTest, scene: Scene) -> None:
    if scene.table is None:
        table.told("pass", player=scene.player)
        return
    table.photograph(scene.table)
    if scene.doubles is not None:
        table.told("declare", player=scene.player, doubles=scene.doubles)


def faces(scene: Scene) -> set[Tile]:
    """Return what lies face up on the table."""
    return {Tile(*pair) for _, _, pair, _ in (scene.table.tiles if scene.table else ()) if pair is not None}


def dealt(record: Record, seat: str) -> tuple[Tile, ...]:
    """Return the hand that a player began with."""
    deal = replay(record).match.hands[0].deal
    assert deal is not None
    return deal.hands[seat].known


def check(table: TableOfTest, heard: Heard, seen: set[Tile]) -> None:
    """Assert that state, stream and drawing name open tiles alone."""
    state = table.state(None)
    deadline = time.monotonic() + 20
    while not any(name == "snapshot" and data["seq"] >= state["seq"] for name, _, data in list(heard.items)):
        assert time.monotonic() < deadline, "the stream falls behind"
        time.sleep(0.01)
    for told in (state, *(data for _, _, data in list(heard.items))):
        assert not named(told) - seen, told
    text = (state["layout"] or {}).get("text")
    if text:
        drawn = table.get("layout.svg", None).text
        assert re.search(r"<title>(.*?)</title>", drawn).group(1) == text  # type: ignore[union-attr]
        assert drawn.count('class="pip') == sum(tile.pips for tile in Layout.parse(text).tiles)


def everything(table: TableOfTest) -> dict[str, str]:
    """Return every answer to whoever has no token, by its path: all there is to get, the pages too."""
    house = table.house
    pages = [f"/{name}/{table.id}" for name in ("table", "camera", "overlay", "player", "judge")]
    known = {"table": table.id, "seat": "P0", "token": "x", "hand": "1", "number": "1", "name": "x", "question": "x"}
    operations = house.app.openapi()["paths"].items()
    found = {}
    for path in ["/", "/count", "/metrics", *pages, *(path for path, methods in operations if "get" in methods)]:
        if path.endswith("/events"):
            continue
        answer = house.client.get(re.sub(r"\{(\w+)\}", lambda part: known[part[1]], path))
        assert answer.status_code < 500, path
        if re.search(r"/api/.*(picture|stream|crops|export|judge|tokens|tiles|cameras)", path):
            assert answer.status_code in REFUSED, path
        found[path] = answer.text
    assert len(found) > 20
    return found
