"""Routes of tables: made, listed, changed, archived; tokens, players' advice, hands, export and import."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from domino_rules.moves import Play
from domino_rules.notation import format_move
from domino_rules.record_replay import replay
from domino_rules.tile import Tile
from domino_server.judge.verify import verify
from domino_server.tables.config import TableConfig
from domino_vision.assemble import assemble
from domino_vision.types import Frame, TableObservation
from tests.referee_games import Seen, Table, faces, random_game, table_of
from tests.table_frames import Film, number_in, pincset_tables
from tests.table_server import House, TableOfTest, bearer, house


class Counting(Film):
    """A film that posted pictures may be read from too."""

    def observe(self, frame: Frame) -> TableObservation:
        from domino_rules.tile import DOUBLE_SIX

        self.tables[number_in(frame.bgr)]
        return assemble(self.readings(frame), frame.size_wh, DOUBLE_SIX)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(Counting(), data=tmp_path_factory.mktemp("data")) as running:
        yield running


def begun(server: House) -> tuple[TableOfTest, list[Tile]]:
    """Return a table whose first move was made, and the hand of the player who comes next."""
    record, tables = pincset_tables(3, 1)
    first = record.hands[0].moves[0].move.player
    table = server.make(opener=first)
    table.photograph(tables[0])
    state = table.state()
    deal = record.hands[0].deal
    hand = deal.hands[state["to_move"]].tiles
    assert hand is not None
    return table, list(hand)


def test_table_is_made_shown_changed_and_put_away(server: House) -> None:
    """A table goes through its whole life; archived it is in no list, and nothing starts it again."""
    table = server.make(start=False)
    listed = server.client.get("/api/v1/tables").json()
    assert {
        "id": table.id,
        "name": "T",
        "game": "pincset",
        "seats": list("ABCD"),
        "phase": "stopped",
        "public": True,
    } in listed
    shown = server.client.get(table.path, headers=table.headers["keeper"]).json()
    assert (shown["name"], shown["config"]["source"]) == ("T", "push")
    changed = server.client.patch(
        table.path, json={"name": "Stół 2", "config": {"language": "pl", "delay_s": 5}}, headers=table.headers["keeper"]
    )
    assert changed.status_code == 200, changed.text
    assert (changed.json()["name"], changed.json()["config"]["language"]) == ("Stół 2", "pl")
    state = table.state(None)
    assert (state["name"], state["language"], state["delay_s"]) == ("Stół 2", "pl", 5)
    assert table.post("start").json()["phase"] == "running"
    assert table.post("archive").json()["phase"] == "archived"
    assert table.id not in [each["id"] for each in server.client.get("/api/v1/tables").json()]
    house_list = server.client.get("/api/v1/tables?archived=true", headers=server.admin).json()
    assert table.id in [each["id"] for each in house_list]
    assert table.post("start").json()["code"] == "table_archived"
    assert table.state(None)["phase"] == "archived"


def test_running_table_is_set_up_otherwise(server: House) -> None:
    """Language and delay change without a new look; another camera begins anew; what cannot be changes nothing."""
    table, _ = begun(server)

    def patch(config: dict[str, object]) -> Any:
        return server.client.patch(table.path, json={"config": config}, headers=table.headers["keeper"])

    assert patch({"language": "es", "delay_s": 3}).status_code == 200
    table.idle()
    state = table.state()
    assert (state["language"], state["delay_s"], len(state["observation"]["tiles"])) == ("es", 3, 1)
    refused = patch({"tiles": "nobodys"})
    assert (refused.status_code, refused.json()["code"]) == (422, "tiles_unknown")
    after = table.state()
    assert (after["phase"], after["config"]["tiles"], len(after["moves"])) == ("running", None, 1)
    assert patch({"source": None}).status_code == 200
    assert table.state()["camera"]["state"] == "none"
    assert len(table.texts()) == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "poker"}, "unknown_game"),
        ({"seats": ["A", "A", "B", "C"]}, "players"),
        ({"seats": ["A"]}, "invalid_request"),
        ({"options": {"target": "x"}}, "bad_option"),
        ({"options": {"nothing": "1"}}, "unknown_option"),
        ({"set": "double-nine"}, "invalid_request"),
        ({"language": "xx"}, "unknown_language"),
        ({"opener": "Z"}, "players"),
        ({"name": "\n"}, "bad_name"),
        ({"what": 1}, "invalid_request"),
    ],
)
def test_what_makes_no_table_is_named(server: House, change: dict[str, object], code: str) -> None:
    """A table that could not be played at is refused with the reason."""
    asked = {"name": "T", "game": "pincset", "seats": list("ABCD"), **change}
    answer = server.client.post("/api/v1/tables", json=asked, headers=server.admin)
    assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_only_the_house_makes_tables(server: House) -> None:
    """A keeper makes no tables; his files and folders are not looked into either."""
    table = server.make(start=False)
    asked = {"name": "T", "game": "pincset", "seats": list("ABCD")}
    assert server.client.post("/api/v1/tables", json=asked).status_code == 401
    refused = server.client.post("/api/v1/tables", json=asked, headers=table.headers["keeper"])
    assert refused.json()["code"] == "not_allowed"
    path = server.client.patch(table.path, json={"config": {"source": "/etc"}}, headers=table.headers["keeper"])
    assert path.json()["code"] == "path_refused"
    other = server.make(start=False)
    assert server.client.get(other.path, headers=table.headers["keeper"]).json()["code"] == "not_allowed"


def test_private_table_is_for_its_tokens(server: House) -> None:
    """A table that is not public shows itself to its own tokens alone."""
    table = server.make(public=False)
    for what in ("state", "layout.svg", "events"):
        assert table.get(what, None).json()["code"] == "token_missing"
    assert table.id not in [each["id"] for each in server.client.get("/api/v1/tables").json()]
    made = table.post("tokens", json={"role": "viewer", "label": "hall"}).json()
    viewer = bearer(made["token"])
    state = server.client.get(f"{table.path}/state", headers=viewer)
    assert state.status_code == 200
    assert "questions" not in state.json()
    assert table.id in [each["id"] for each in server.client.get("/api/v1/tables", headers=viewer).json()]


def test_tokens_are_made_listed_and_revoked(server: House) -> None:
    """A keeper gives out tokens and takes them back; a judge's are the house's alone."""
    table = server.make(start=False)
    made = table.post("tokens", json={"role": "camera", "label": "phone"})
    assert made.status_code == 201
    assert made.json()["link"].startswith(f"/camera/{table.id}#token=dt_")
    listed = table.get("tokens").json()
    assert {"keeper", "judge", "camera"} == {token["role"] for token in listed}
    assert all(made.json()["token"] not in str(token) for token in listed)
    assert table.post("tokens", json={"role": "judge"}).json()["code"] == "not_allowed"
    judge = next(token["id"] for token in listed if token["role"] == "judge")
    revoke = server.client.delete
    assert revoke(f"{table.path}/tokens/{judge}", headers=table.headers["keeper"]).json()["code"] == "not_allowed"
    assert revoke(f"{table.path}/tokens/{judge}", headers=server.admin).json()["revoked_at"]
    assert revoke(f"{table.path}/tokens/nothere", headers=server.admin).status_code == 404


def test_advice_is_a_players_own(server: House) -> None:
    """By his link a player learns what he may play and what it scores; nobody else hears of it."""
    table, hand = begun(server)
    player = table.state()["to_move"]
    made = table.post(f"players/{player}/link")
    assert made.status_code == 201
    assert made.json()["link"] == f"/player/{table.id}#token={made.json()['token']}"
    own = bearer(made.json()["token"])
    before = table.state()["seq"]
    asked = server.client.post(f"{table.path}/advice", json={"hand": list(map(str, hand))}, headers=own)
    assert asked.status_code == 200, asked.text
    advice = asked.json()
    ends = {end["pips"] for end in table.state()["layout"]["ends"]}
    fitting = {str(tile) for tile in hand if ends & {tile.high, tile.low}}
    assert {play["tile"] for play in advice["plays"]} == fitting
    assert advice["turn"] is True
    assert advice["pass"] is (not fitting)
    assert table.state()["seq"] == before, "advice leaves no trace"
    for body, code in (
        ({"hand": ["9-9"]}, "not_in_set"),
        ({"hand": ["6-6", "6-6"]}, "hand_duplicate"),
        ({}, "invalid_request"),
    ):
        assert server.client.post(f"{table.path}/advice", json=body, headers=own).json()["code"] == code
    assert table.post("advice", json={"hand": []}).json()["code"] == "not_allowed"
    assert table.post("players/Zoe/link").json()["code"] == "players"


def test_advice_counts_points(server: House) -> None:
    """In Cincos each play comes with the count it leaves and the points it scores, also before one's turn."""
    record = random_game("cincos", "AB", 1, 1)
    hand = replay(record).match.hands[0]
    assert hand.deal is not None
    table = server.make(game="cincos", seats=["A", "B"], options={}, source=None)
    worker = server.manager.worker(table.id)
    assert worker is not None

    def start(desk: object) -> None:
        desk.session.referee.ledger.start_hand(hand.deal, hand.opener, was_told=True)  # type: ignore[attr-defined]
        desk.session.referee.reset_branches()  # type: ignore[attr-defined]

    worker.ask(start).result(10)
    first = next(move for move in hand.moves if isinstance(move, Play))
    table.told("move", text=format_move(first))
    for player in "AB":
        own = bearer(table.post(f"players/{player}/link").json()["token"])
        tiles = hand.deal.hands[player].tiles
        assert tiles is not None
        left = [str(tile) for tile in tiles if tile is not first.tile]
        advice = server.client.post(f"{table.path}/advice", json={"hand": left}, headers=own).json()
        assert advice["turn"] is (player != first.player)
        assert all(play["count"] is not None for play in advice["plays"])
        assert all(play["points"] in {0, play["count"]} for play in advice["plays"])


def test_tournament_gives_no_advice(server: House) -> None:
    """A table in tournament mode makes no links and answers none that were made before."""
    table, hand = begun(server)
    own = bearer(table.post("players/A/link").json()["token"])
    server.client.patch(table.path, json={"config": {"tournament": True}}, headers=table.headers["keeper"])
    assert table.state(None)["tournament"] is True
    forbidden = table.post("players/A/link")
    assert (forbidden.status_code, forbidden.json()["code"]) == (403, "advice_forbidden")
    asked = server.client.post(f"{table.path}/advice", json={"hand": [str(hand[0])]}, headers=own)
    assert asked.json()["code"] == "advice_forbidden"


def picture_of(server: House, tiles: list[Tile]) -> bytes:
    table = Table()
    faces(table, tuple(tiles), 0, 0)
    for row in table.tiles:
        row[0][:] = row[0] - np.array([300.0, 0.0])
    return server.film.show(table)


def test_hands_are_counted_checked_and_told(server: House) -> None:
    """Photographs of turned-up hands give tiles and pips; what cannot be is said, what can be is told on request."""
    table, hand = begun(server)
    seat = table.state()["to_move"]
    laid = Tile.parse("6-3")
    counted = table.post("hands", files={seat: ("a.jpg", picture_of(server, hand))})
    assert counted.status_code == 200, counted.text
    found = counted.json()["hands"][0]
    assert (found["player"], found["pips"], found["expected"]) == (seat, sum(tile.pips for tile in hand), 7)
    assert set(found["tiles"]) == set(map(str, hand))
    assert counted.json()["checksum"]["ok"] is True
    wrong = table.post("hands", files={seat: ("a.jpg", picture_of(server, [*hand[:5], laid]))}).json()
    assert wrong["checksum"]["on_table"] == ["6-3"]
    assert wrong["checksum"]["sizes"] == {seat: [6, 7]}
    assert table.post("hands", files={"Zoe": ("a.jpg", b"x")}).json()["code"] == "players"
    judged = table.post("hands?apply=true", "judge", files={seat: ("a.jpg", picture_of(server, hand))})
    assert judged.json()["code"] == "not_allowed"


def test_exported_table_is_taken_in_again(server: House, tmp_path: Path) -> None:
    """A table goes out as one signed file and comes in under another id, with everything that was played."""
    table, _ = begun(server)
    out = table.get("export")
    assert out.status_code == 200
    assert out.headers["content-type"] == "application/zip"
    names = zipfile.ZipFile(io.BytesIO(out.content)).namelist()
    assert {"events.jsonl", "record.txt", "manifest.json", "signature.json"} <= set(names)
    assert any(name.startswith("evidence/") for name in names)
    file = tmp_path / "table.zip"
    file.write_bytes(out.content)
    verdict = verify(file)
    assert not verdict.problems, verdict.problems
    taken = server.client.post("/api/v1/tables/import", files={"file": ("t.zip", out.content)}, headers=server.admin)
    assert taken.status_code == 201, taken.text
    state = server.client.get(f"/api/v1/tables/{taken.json()['id']}/state").json()
    assert [move["text"] for move in state["moves"]] == table.texts()
    bad = server.client.post(
        "/api/v1/tables/import", files={"file": ("t.zip", out.content[:500])}, headers=server.admin
    )
    assert (bad.status_code, bad.json()["code"]) == (422, "bad_export")
    assert table.get("export", "judge").status_code == 200
    assert table.get("export", "camera").json()["code"] == "not_allowed"


def test_pictures_are_for_those_who_keep_the_table(server: House) -> None:
    """Plain and annotated pictures are JPEG for the staff; others are refused; without a picture it says so."""
    table, _ = begun(server)
    for kind in ("plain", "annotated"):
        picture = table.get(f"picture.jpg?kind={kind}")
        assert picture.headers["content-type"] == "image/jpeg"
        assert cv2.imdecode(np.frombuffer(picture.content, np.uint8), cv2.IMREAD_COLOR) is not None
    assert table.get("picture.jpg", None).status_code == 401
    assert table.get("picture.jpg", "camera").status_code == 403
    fresh = server.make()
    assert fresh.get("picture.jpg").json()["code"] == "no_picture_yet"
    assert fresh.get("crops/opener/0.jpg").json()["code"] == "no_such_crop"


def test_crops_show_what_is_asked(server: House) -> None:
    """Who leads is asked with the tile in question as a picture of its own."""
    _, tables = pincset_tables(3, 1)
    table = server.make()
    table.photograph(tables[0])
    question = table.state()["questions"][0]
    assert (question["code"], question["crops"]) == ("opener", 1)
    crop = cv2.imdecode(np.frombuffer(table.get("crops/opener/0.jpg").content, np.uint8), cv2.IMREAD_COLOR)
    assert crop is not None
    assert crop[crop.shape[0] // 2, crop.shape[1] // 2].mean() > 150, "the tile is in the middle"
    state = table.told("answer", code="opener", key="B")
    assert state["moves"][0]["player"] == "B"
    assert state["questions"] == []


def test_layouts_of_all_games_are_drawn(server: House) -> None:
    """The line of play, tricks and talons are drawn as SVG, also before anything lies there."""
    for game, seats in (("pincset", "ABCD"), ("cincos", "AB"), ("bingo", "AB"), ("tiu-u", "ABC")):
        table = server.make(game=game, seats=list(seats), options={}, start=False)
        drawn = table.get("layout.svg", None)
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        assert drawn.text.startswith("<svg")


def test_configuration_is_kept_whole() -> None:
    """A configuration goes to JSON and back without a loss, names cleaned of what no screen shows."""
    config = TableConfig(game="500", seats=[" Ana\n", "Bo", "Ćira", "D"], options={"target": "200"}, language="sr")
    assert (config.game, config.seats[0], config.language) == ("pincset", "Ana", "sr-Latn")
    assert TableConfig.model_validate(config.model_dump(mode="json")) == config


def test_a_set_that_was_kept_with_a_table_is_passed_over_aloud(caplog: pytest.LogCaptureFixture) -> None:
    """Tables that were set up with a tile set are played with their game's own; that is logged, once."""
    kept = {"game": "cincos", "seats": ["A", "B"], "set": "double-twelve"}
    for _ in range(2):
        assert TableConfig.kept(kept).tile_set.name == "double-six"
    assert [record.getMessage() for record in caplog.records if "double-twelve" in record.getMessage()] == [
        "a table was set up with the tile set double-twelve: that is passed over, a game is played with its own"
    ]
    assert TableConfig.kept({**kept, "set": None}).game == "cincos"


def test_a_table_that_was_kept_with_a_set_goes_on(server: House) -> None:
    """It is listed, shown, started and changed as any other, and the set is gone once it is changed."""
    config = {**TableConfig(game="pincset", seats=list("ABCD")).model_dump(mode="json"), "set": "double-nine"}
    row = server.store.create_table("old", config)
    path = f"/api/v1/tables/{row.id}"
    shown = server.client.get(path, headers=server.admin)
    assert (shown.status_code, "set" in shown.json()["config"]) == (200, False)
    assert server.client.post(f"{path}/start", headers=server.admin).status_code == 200
    assert server.client.get(f"{path}/state", headers=server.admin).json()["set"] == "double-six"
    changed = server.client.patch(path, json={"config": {"language": "es"}}, headers=server.admin)
    assert changed.status_code == 200
    assert "set" not in server.store.table(row.id).config
    refused = server.client.patch(path, json={"config": {"set": "double-nine"}}, headers=server.admin)
    assert (refused.status_code, refused.json()["detail"]) == (422, "set: Extra inputs are not permitted")


def test_fake_tables_read_as_laid() -> None:
    """The pictures of these tests carry the tables that they show."""
    record, tables = pincset_tables(3, 2)
    film = Counting()
    for table in tables:
        picture = cv2.imdecode(np.frombuffer(film.show(table), np.uint8), cv2.IMREAD_COLOR)
        seen = film.observe(Frame(np.asarray(picture, np.uint8)))
        assert sorted(tile.halves or () for tile in seen.tiles) == sorted(row[2] or () for row in table.tiles)
    assert table_of(next(iter(replay(record).hands[0].steps)).state, Seen(stock=False), Random(0)).tiles
