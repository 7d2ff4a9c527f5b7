"""Enrolling over HTTP: what is seen and missing, what is refused, and who may add to which tiles."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np
import pytest

from domino_rules.tile import Tile, find_tile_set
from domino_vision.enrol.vary import CUT_SIZE_WH
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


@pytest.mark.parametrize(("name", "value"), [("set_name", "double-ninety"), ("halves", -1), ("halves", 99)])
def test_tiles_that_no_set_has_are_damaged(rooms: House, tmp_path: Path, name: str, value: Any) -> None:
    """A whole file with a set or pips that there are not spoils neither the list nor what is added to it."""
    crops = np.zeros((1, CUT_SIZE_WH[1], CUT_SIZE_WH[0], 3), np.uint8)
    tiles: dict[str, Any] = {"version": 1, "set_name": "double-six", "crops": crops}
    tiles |= {"halves": np.zeros((1, 2), np.int64), "weights": np.zeros((0, 0)), "bias": np.zeros(0), "reader_sha": "x"}
    (tmp_path / "tiles").mkdir()
    np.savez(tmp_path / "tiles" / "even.npz", **tiles)
    tiles[name] = value if name == "set_name" else np.full((1, 2), value)
    np.savez(tmp_path / "tiles" / "odd.npz", **tiles)
    listed = rooms.client.get("/api/v1/tiles", headers=rooms.admin)
    assert [(each["name"], each["problem"]) for each in listed.json()] == [("even", None), ("odd", "tiles_broken")]
    assert code_of(post(rooms, rooms.admin, b"x", name="odd", add="true")) == (422, "tiles_broken")


@pytest.mark.parametrize("where", ["read", "tiles"])
def test_a_name_that_is_no_text_is_answered(rooms: House, where: str) -> None:
    """A picture's name may hold half a character: the answer is about the picture."""
    part = b'Content-Disposition: form-data; name="picture"; filename="+2AA-.jpg"\r\n\r\nzzz\r\n'
    name = b'Content-Disposition: form-data; name="name"\r\n\r\nabuelo\r\n'
    seen = b'Content-Disposition: form-data; name="seen"\r\n\r\n+2AA-\r\n'
    kind = {"content-type": "multipart/form-data; boundary=XX; charset=utf-7", **rooms.admin}
    parts = [part, name] if where == "read" else [part, name, seen]
    for sent in (parts, parts[:2]):
        body = b"".join(b"--XX\r\n" + each for each in sent) + b"--XX--\r\n"
        answer = rooms.client.post(f"/api/v1/{where}", content=body, headers=kind)
        assert code_of(answer)[0] in {400, 415, 422}


def test_only_keepers_and_the_house_enrol(rooms: House) -> None:
    """A judge, a camera and a stranger are refused before a picture is looked at."""
    table = rooms.make(start=False)
    for who in (table.headers["judge"], table.headers["camera"], bearer("dt_unknown"), {}):
        assert post(rooms, who, b"x").status_code in {401, 403}
