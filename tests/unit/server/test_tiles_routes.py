"""Enrolling over HTTP: what is seen and missing, what is refused, and who may add to which tiles."""

import base64
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import cv2
import httpx2 as httpx
import numpy as np
import pytest

from domino_rules.tile import Tile, find_tile_set
from domino_vision.enrol import TileStore
from domino_vision.enrol.store import EnrolledTiles
from domino_vision.enrol.vary import CUT_SIZE_WH
from domino_vision.errors import EnrolError
from domino_vision.pipeline import Pipeline, load_pipeline
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
    assert listed == [{**wanted, "yours": False, "problem": None}]
    assert code_of(post(rooms, other.headers["keeper"], picture, add="true")) == (403, "tiles_shared")
    assert other.patch({"config": {"tiles": "abuelo"}}).status_code == 200  # whoever plays with them does not own them
    assert code_of(post(rooms, table.headers["keeper"], picture)) == (422, "tiles_known")
    assert table.patch({"config": {"tiles": "abuelo"}}).json()["config"]["tiles"] == "abuelo"
    assert code_of(post(rooms, other.headers["keeper"], picture, add="true")) == (403, "tiles_shared")
    added = post(rooms, table.headers["keeper"], picture, add="true")
    assert len(added.json()["tiles"]) == 2 * len(truth)
    mine, others, house_of = table.headers["keeper"], other.headers["keeper"], rooms.admin
    assert code_of(forget(rooms, others)) == (403, "tiles_shared")
    assert code_of(forget(rooms, mine)) == code_of(forget(rooms, house_of)) == (409, "tiles_in_use")
    for each in (table, other):
        assert each.patch({"config": {"tiles": None}}).status_code == 200
    assert code_of(forget(rooms, others)) == (403, "tiles_shared")
    assert forget(rooms, mine).status_code == 204
    assert rooms.client.get("/api/v1/tiles", headers=mine).json() == []
    assert code_of(forget(rooms, mine)) == (422, "tiles_unknown")


@pytest.mark.slow
def test_the_tiles_of_the_house_are_added_to_by_the_house_alone(rooms: House, demo: Path) -> None:
    """Whoever plays with them, be it alone, changes them no more than one who does not; the list says the same."""
    table, picture = rooms.make(start=False), (demo / "cincos.jpg").read_bytes()
    keeper = table.headers["keeper"]
    assert post(rooms, rooms.admin, picture).status_code == 201
    for config in (None, "abuelo"):
        assert table.patch({"config": {"tiles": config}}).status_code == 200
        assert code_of(post(rooms, keeper, picture, add="true")) == (403, "tiles_shared")
        assert [row["yours"] for row in rooms.client.get("/api/v1/tiles", headers=keeper).json()] == [False]
    assert post(rooms, rooms.admin, picture, add="true").status_code == 201


def forget(rooms: House, who: dict[str, str], name: str = "abuelo") -> httpx.Response:
    """Ask for tiles to be removed."""
    return rooms.client.delete(f"/api/v1/tiles/{name}", headers=who)


class Unsure:
    """A network that does not tell one of its tiles."""

    def __init__(self, pipeline: Pipeline, index: int) -> None:
        self._pipeline, self._index = pipeline, index

    def with_set(self, tile_set: Any) -> "Unsure":
        return Unsure(self._pipeline.with_set(tile_set), self._index)

    def readings(self, frame: Any, near: Any = None) -> Any:
        read = self._pipeline.readings(frame, near)
        logp = read.half_logp.copy()
        logp[self._index] = np.log(1 / logp.shape[2])
        return replace(read, half_logp=logp)


@pytest.mark.slow
def test_tiles_in_doubt_are_shown_and_told(tmp_path: Path, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be told apart comes back with its picture and choices; told which it is, all is enrolled."""
    monkeypatch.setattr("domino_vision.enrol.enrolment._look_again", lambda pictures, *_: pictures)
    picture = (demo / "cincos.jpg").read_bytes()
    with house(Unsure(load_pipeline(), 2), data=tmp_path) as rooms:  # type: ignore[arg-type]
        rooms.app.state.services.networks._pipeline = Unsure(load_pipeline(), 2)
        refused = post(rooms, rooms.admin, picture)
        assert code_of(refused) == (422, "tiles_doubtful")
        (doubt,) = refused.json()["params"]["doubts"]
        crop = cv2.imdecode(np.frombuffer(base64.b64decode(doubt["crop"]), np.uint8), cv2.IMREAD_COLOR)
        assert np.asarray(crop).shape == (CUT_SIZE_WH[1], CUT_SIZE_WH[0], 3)
        assert (doubt["picture"], doubt["name"], len(doubt["choices"])) == (1, "0.jpg", 3)
        told = f"1:{doubt['index']}={doubt['choices'][0]}"
        made = post(rooms, rooms.admin, picture, told=told)
        assert made.status_code == 201, made.text
        assert str(Tile.parse(made.json()["tiles"][doubt["index"]])) == doubt["choices"][0]
        wrong = [("2:0=1-0", "no_such_picture"), ("1:99=1-0", "no_such_tile"), ("1:0", "invalid_request")]
        for text, code in wrong:
            assert code_of(post(rooms, rooms.admin, picture, name="more", told=text)) == (422, code)


def test_a_folder_that_cannot_be_written_is_told_without_its_place(
    rooms: House, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is to blame, not what was sent; where it keeps its files is not told."""

    def full(_: Any, tiles: Any) -> None:
        place = tmp_path / "tiles" / f"{tiles.name}.npz"
        raise EnrolError("tiles_unwritable", f"cannot keep tiles in {place}: No space left", path=str(place))

    monkeypatch.setattr(TileStore, "save", full)
    answer = post(rooms, rooms.admin, (demo / "cincos.jpg").read_bytes())
    assert code_of(answer) == (503, "tiles_unwritable")
    assert answer.json()["detail"] == "cannot keep tiles in abuelo.npz: No space left"
    assert str(tmp_path) not in answer.text
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "old.npz").write_bytes(b"damaged")
    broken = rooms.make(start=False).patch({"config": {"tiles": "old"}})
    assert str(tmp_path) not in broken.text
    assert code_of(post(rooms, rooms.admin, b"x", name="old", add="true")) == (422, "tiles_broken")
    assert forget(rooms, rooms.make(start=False).headers["keeper"], "old").status_code == 422
    assert forget(rooms, rooms.admin, "old").status_code in {204, 409}


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


def keep(folder: Path, name: str) -> None:
    """Lay down enrolled tiles of the house."""
    crops = np.zeros((1, CUT_SIZE_WH[1], CUT_SIZE_WH[0], 3), np.uint8)
    TileStore(folder / "tiles").save(EnrolledTiles(name, "double-six", crops, np.zeros((1, 2), np.int64), None, "x"))


def test_no_table_is_set_up_for_tiles_that_there_are_not(rooms: House, tmp_path: Path) -> None:
    """A change to tiles that are gone is refused, also where nobody watches; what was set up before may be changed."""
    table = rooms.make(start=False)
    keep(tmp_path, "abuelo")
    assert code_of(table.patch({"config": {"tiles": "abuela"}})) == (422, "tiles_unknown")
    new = {"name": "T", "seats": ["A", "B"], "tiles": "abuela"}
    assert code_of(rooms.client.post("/api/v1/tables", headers=rooms.admin, json=new)) == (422, "tiles_unknown")
    assert table.patch({"config": {"tiles": "abuelo"}}).status_code == 200
    (tmp_path / "tiles" / "abuelo.npz").unlink()  # as by hand
    assert table.patch({"config": {"every_s": 2.0}}).json()["config"]["tiles"] == "abuelo"
    assert table.patch({"config": {"tiles": None}}).status_code == 200


def test_tiles_do_not_go_while_a_table_is_set_up_for_them(
    rooms: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever removes tiles waits for a change that has found them; the table then plays with them, and they stay."""
    table = rooms.make(start=False)
    keep(tmp_path, "abuelo")
    looked, go_on = Event(), Event()
    configure = rooms.manager.configure

    def slowly(*arguments: Any) -> Any:
        looked.set()
        assert go_on.wait(20)
        return configure(*arguments)

    monkeypatch.setattr(rooms.manager, "configure", slowly)
    with ThreadPoolExecutor(2) as threads:
        used = threads.submit(table.patch, {"config": {"tiles": "abuelo"}})
        assert looked.wait(20)
        removed = threads.submit(forget, rooms, rooms.admin)
        assert wait([removed], timeout=0.5).not_done
        go_on.set()
        assert used.result().status_code == 200
        assert code_of(removed.result()) == (409, "tiles_in_use")
    assert TileStore(tmp_path / "tiles").names() == ("abuelo",)


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
