"""Enrolling over HTTP: what is seen and missing, what is refused, and who may add to which tiles."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from domino_rules.tile import Tile, find_tile_set
from domino_vision.pipeline import load_pipeline
from tests.table_server import House, bearer, house


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[House]:
    """A house whose data lie in a folder of their own, with the shipped networks."""
    with house(load_pipeline(), data=tmp_path) as made:  # type: ignore[arg-type]
        yield made


def post(rooms: House, who: dict[str, str], *pictures: bytes, **fields: Any) -> httpx.Response:
    """Send pictures to be enrolled."""
    files = [("picture", (f"{n}.jpg", data)) for n, data in enumerate(pictures)]
    return rooms.client.post("/api/v1/tiles", headers=who, files=files, data={"name": "abuelo", **fields})


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """Return status and code of a problem."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    return answer.status_code, answer.json()["code"]


@pytest.mark.slow
def test_tiles_are_enrolled_listed_used_and_added_to(rooms: House, demo: Path) -> None:
    """A keeper enrols the tiles of a picture and plays with them; a keeper of another table may not add to them."""
    label = json.loads((demo / "cincos.json").read_text())
    truth = sorted(str(Tile(*tile["halves"])) for tile in label["tiles"])
    table, other = rooms.make(start=False), rooms.make(start=False)
    picture = (demo / "cincos.jpg").read_bytes()
    made = post(rooms, table.headers["keeper"], picture)
    assert made.status_code == 201, made.text
    body = made.json()
    assert sorted(str(Tile.parse(tile)) for tile in body["tiles"]) == truth
    kinds = find_tile_set("double-six").kinds
    assert len(set(truth)) + len(body["missing"]) == len(kinds)
    assert set(body["missing"]).isdisjoint(truth)
    listed = rooms.client.get("/api/v1/tiles", headers=other.headers["keeper"]).json()
    wanted = {"name": "abuelo", "set": "double-six", "tiles": len(truth), "kinds": len(set(truth)), "of": len(kinds)}
    assert listed == [{**wanted, "problem": None}]
    assert code_of(post(rooms, table.headers["keeper"], picture)) == (422, "tiles_known")
    assert table.patch({"config": {"tiles": "abuelo"}}).json()["config"]["tiles"] == "abuelo"
    assert code_of(post(rooms, other.headers["keeper"], picture, add="true")) == (403, "tiles_shared")
    added = post(rooms, table.headers["keeper"], picture, add="true")
    assert len(added.json()["tiles"]) == 2 * len(truth)


def test_what_cannot_be_enrolled_is_refused_with_its_code(rooms: House, demo: Path, tmp_path: Path) -> None:
    """Names, sets, pictures and tiles that are wrong are refused as by the command; nothing is kept."""
    picture = (demo / "cincos.jpg").read_bytes()
    refused = [
        (code_of(post(rooms, rooms.admin, picture, name="../etc")), "tiles_name"),
        (code_of(post(rooms, rooms.admin, picture, set="double-seven")), "unknown_set"),
        (code_of(post(rooms, rooms.admin, picture, add="true")), "tiles_unknown"),
        (code_of(post(rooms, rooms.admin, b"no picture")), "not_a_picture"),
        (code_of(post(rooms, rooms.admin, picture, seen=["6-6", "5-5"])), "tiles_given"),
        (code_of(post(rooms, rooms.admin)), "invalid_request"),
        (code_of(post(rooms, rooms.admin, *[b"x"] * 13)), "invalid_request"),
    ]
    assert [each for each, _ in refused] == [(422, code) for _, code in refused]
    assert rooms.client.get("/api/v1/tiles", headers=rooms.admin).json() == []
    assert not (tmp_path / "tiles").exists()


def test_damaged_tiles_are_listed_with_their_problem(rooms: House, tmp_path: Path) -> None:
    """A file that holds no tiles is named, so that it can be enrolled anew."""
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "old.npz").write_bytes(b"damaged")
    listed = rooms.client.get("/api/v1/tiles", headers=rooms.admin).json()
    assert [(each["name"], each["set"], each["problem"]) for each in listed] == [("old", None, "tiles_broken")]


def test_only_keepers_and_the_house_enrol(rooms: House) -> None:
    """A judge, a camera and a stranger are refused before a picture is looked at."""
    table = rooms.make(start=False)
    for who in (table.headers["judge"], table.headers["camera"], bearer("dt_unknown"), {}):
        assert post(rooms, who, b"x").status_code in {401, 403}
