"""The HTTP application: reading a posted picture, one error shape, pages, health, counters, its description."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from domino_server.access import AccessOptions, Limits, Tokens
from domino_server.app import ServeOptions, create_app
from domino_server.store import Store, StoreError
from domino_vision.pipeline import Pipeline, load_pipeline

OPEN = AccessOptions(allow_hosts=("testserver",), limits=Limits.none())


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return load_pipeline()


@pytest.fixture
def client(pipeline: Pipeline) -> Iterator[TestClient]:
    app = create_app(ServeOptions(max_upload_bytes=1_000_000, access=OPEN), pipeline)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def check_problem(response: object, status: int, code: str) -> dict[str, object]:
    """Assert that a response is a problem+json with our code, and return it."""
    assert response.status_code == status, response.text  # type: ignore[attr-defined]
    assert response.headers["content-type"] == "application/problem+json"  # type: ignore[attr-defined]
    body: dict[str, object] = response.json()  # type: ignore[attr-defined]
    assert set(body) == {"type", "title", "status", "detail", "code", "params"}
    assert (body["status"], body["code"]) == (status, code)
    return body


def test_posted_picture_is_read(client: TestClient, demo: Path) -> None:
    """A posted picture comes back as the report that the command prints."""
    with (demo / "cincos.jpg").open("rb") as picture:
        response = client.post("/api/v1/read", files={"picture": ("cincos.jpg", picture)}, data={"game": "cincos"})
    assert response.status_code == 200, response.text
    report = response.json()
    label = json.loads((demo / "cincos.json").read_text())
    read = sorted(tuple(sorted(tile["halves"])) for tile in report["tiles"] if tile["halves"])
    assert read == sorted(tuple(sorted(tile["halves"])) for tile in label["tiles"])
    assert report["count"] is not None
    assert report["source"] == "cincos.jpg"


def test_tiles_are_counted_without_a_game(client: TestClient, demo: Path) -> None:
    """Photographs of tiles come back as tiles, boxes and pips, each for itself and all together."""
    with (demo / "hand.jpg").open("rb") as one, (demo / "cincos.jpg").open("rb") as two:
        response = client.post("/api/v1/count", files=[("picture", ("a.jpg", one)), ("picture", ("b.jpg", two))])
    assert response.status_code == 200, response.text
    counted = response.json()
    assert [hand["name"] for hand in counted["hands"]] == ["a.jpg", "b.jpg"]
    label = json.loads((demo / "cincos.json").read_text())
    pips = sum(sum(tile["halves"]) for tile in label["tiles"] if tile["halves"])
    assert counted["hands"][1]["pips"] == pips
    assert counted["pips"] == sum(hand["pips"] for hand in counted["hands"])
    assert all(len(box["quad"]) == 4 for hand in counted["hands"] for box in hand["boxes"])


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"game": "poker"}, "unknown_game"),
        ({"hand": "x-y"}, "tile_syntax"),
        ({"hand": "6-4,4-6"}, "hand_duplicate"),
        ({"set": "double-seven"}, "unknown_set"),
        ({"set": "double-nine", "game": "cincos"}, "set_not_of_game"),
    ],
)
def test_wrong_question_is_a_problem(client: TestClient, demo: Path, form: dict[str, str], code: str) -> None:
    """An unknown game or set and an impossible hand are named by their code."""
    with (demo / "hand.jpg").open("rb") as picture:
        check_problem(client.post("/api/v1/read", files={"picture": picture}, data=form), 422, code)


@pytest.mark.parametrize(
    ("form", "game", "named"),
    [
        ({}, "cincos", "double-six"),
        ({"set": "double-six"}, "cincos", "double-six"),
        ({"set": "double-nine"}, None, "double-nine"),
        ({"game": "tiu-u"}, "tiu-u", "two-chinese"),
    ],
)
def test_posted_picture_is_read_with_the_tiles_of_its_game(
    client: TestClient, demo: Path, form: dict[str, str], game: str | None, named: str
) -> None:
    """The default game is meant where its own set is, and a game is played with its own tiles."""
    with (demo / "hand.jpg").open("rb") as picture:
        report = client.post("/api/v1/read", files={"picture": picture}, data=form).json()
    assert (report["game"], report["set"]) == (game, named)


@pytest.mark.parametrize("route", ["/api/v1/read", "/api/v1/count"])
def test_upload_that_is_no_picture_is_a_problem(client: TestClient, demo: Path, route: str) -> None:
    """Text, half a JPEG, nothing at all and too much are refused with their cause."""
    whole = (demo / "cincos.jpg").read_bytes()
    for data in (b"not a picture", whole[: len(whole) // 2]):
        response = client.post(route, files={"picture": ("note.jpg", data)})
        assert response.status_code == 422
        assert "note.jpg" in response.json()["detail"]
    check_problem(client.post(route), 422, "invalid_request")
    big = client.post(route, files={"picture": ("big.jpg", b"x" * 1_000_001)})
    check_problem(big, 413, "upload_too_large")


def test_unknown_route_and_method_are_problems(client: TestClient) -> None:
    """Even what no handler sees is a problem+json."""
    check_problem(client.get("/api/v1/nowhere"), 404, "not_found")
    check_problem(client.delete("/api/v1/games"), 405, "method_not_allowed")
    check_problem(client.get("/api/v1/tables/abcdefghijkl/state"), 404, "unknown_table")
    check_problem(client.get("/api/v1/tables/%00/state"), 404, "unknown_table")


def test_crash_is_a_problem_without_its_inside(pipeline: Pipeline) -> None:
    """A mistake of ours tells that it happened, not how."""
    app: FastAPI = create_app(ServeOptions(access=OPEN), pipeline)

    @app.get("/crash")
    def crash() -> None:
        raise RuntimeError("secret")

    with TestClient(app, raise_server_exceptions=False) as client:
        body = check_problem(client.get("/crash"), 500, "internal_error")
    assert "secret" not in str(body)


def test_pages_are_served_with_their_policy(client: TestClient) -> None:
    """Every page is there, also by HEAD, with a policy that keeps strangers' scripts out."""
    for path in ("/", "/table/abc", "/camera/abc", "/overlay/abc", "/player/abc", "/count"):
        response = client.get(path)
        assert response.status_code == 200, path
        assert response.headers["content-type"].startswith("text/html")
        assert response.headers["content-security-policy"].startswith("default-src 'self'")
        head = client.head(path)
        assert (head.status_code, head.content) == (200, b"")
    assert client.get("/overlay", follow_redirects=False).headers["location"] == "/"


def test_overlay_of_the_live_table(pipeline: Pipeline) -> None:
    """The server's own table is started with it, and `/overlay` leads to it."""
    store = Store.open("sqlite://")
    row = store.create_table("live", {"game": "cincos", "seats": ["A", "B"], "source": "push"})
    app = create_app(ServeOptions(live_table=row.id, access=OPEN), pipeline, store)
    with TestClient(app) as client:
        assert client.get("/overlay", follow_redirects=False).headers["location"] == f"/overlay/{row.id}"
        assert client.get(f"/api/v1/tables/{row.id}/state").json()["phase"] == "running"


def test_health_and_counters(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up is up, ready means that the store answers; the counters are for the house and its machine."""
    store = Store.open("sqlite://")
    app = create_app(ServeOptions(access=OPEN), pipeline, store)
    admin = {"Authorization": f"Bearer {Tokens(store).create('admin', table=None).secret}"}
    with TestClient(app, raise_server_exceptions=False) as client:
        assert client.get("/api/health/live").json()["status"] == "ok"
        assert client.get("/api/health/ready").status_code == 200
        check_problem(client.get("/metrics"), 403, "not_allowed")
        counted = client.get("/metrics", headers=admin)
        assert 'dominotable_requests_total{method="GET",status="2xx"}' in counted.text
        assert "dominotable_tables_running 0.0" in counted.text

        def gone() -> None:
            raise StoreError("store_unreachable", "the database is gone")

        monkeypatch.setattr(store, "check", gone)
        check_problem(client.get("/api/health/ready"), 503, "store_unreachable")


def test_each_answer_has_the_id_of_its_request(client: TestClient) -> None:
    """An id that came along is kept if it is one, otherwise one is made."""
    assert client.get("/api/health/live", headers={"X-Request-Id": "abc-1"}).headers["x-request-id"] == "abc-1"
    made = client.get("/api/health/live", headers={"X-Request-Id": "a b\n"}).headers["x-request-id"]
    assert len(made) == 16


def test_games_tell_their_options_in_all_languages(client: TestClient) -> None:
    """Each game comes with its seats and options, and what they mean in five languages."""
    games = {game["name"]: game for game in client.get("/api/v1/games").json()}
    assert set(games) == {"pincset", "cincos", "bingo", "tiu-u"}
    target = next(option for option in games["pincset"]["options"] if option["name"] == "target")
    assert target["default"] == 500
    assert set(target["text"]) == {"en", "es", "pl", "sr-Latn", "sr-Cyrl"}
    assert games["bingo"]["seats"] == [2]


def test_openapi_is_as_agreed(client: TestClient, root: Path, update_golden: bool) -> None:
    """The description is the golden one: ids of operations, shapes and codes change on purpose only."""
    found = client.get("/openapi.json").json()
    found["info"]["version"] = "0"
    text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    golden = root / "tests" / "golden" / "openapi.json"
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == text, "pytest --update-golden writes it anew"


def test_openapi_names_each_operation(client: TestClient) -> None:
    """Operation ids are unique, and every error is a problem+json."""
    paths = client.get("/openapi.json").json()["paths"]
    operations = [operation for path in paths.values() for operation in path.values()]
    ids = [operation["operationId"] for operation in operations]
    assert len(ids) == len(set(ids))
    assert {"read-picture", "tables-create", "state-events", "control-command"} <= set(ids)
    for operation in operations:
        for status, response in operation["responses"].items():
            if status[0] in "45":
                assert list(response["content"]) == ["application/problem+json"], operation["operationId"]


def test_body_of_any_length_is_refused_in_words(client: TestClient) -> None:
    """A body far above the limit, with or without a length announced, is read to its end and then refused."""
    head = b'--X\r\nContent-Disposition: form-data; name="picture"; filename="big.jpg"\r\n\r\n'

    def body() -> Iterator[bytes]:
        yield head
        for _ in range(30):
            yield b"x" * 100_000
        yield b"\r\n--X--\r\n"

    headers = {"Content-Type": "multipart/form-data; boundary=X"}
    check_problem(client.post("/api/v1/read", content=body(), headers=headers), 413, "upload_too_large")
    check_problem(client.post("/api/v1/read", content=b"".join(body()), headers=headers), 413, "upload_too_large")


def test_pages_answer_while_many_pictures_wait(pipeline: Pipeline) -> None:
    """Posted pictures that wait for their turn hold up neither tables nor pages."""
    app = create_app(ServeOptions(access=OPEN), pipeline)
    answers: list[int] = []
    with TestClient(app) as client:

        def post() -> None:
            answers.append(client.post("/api/v1/read", files={"picture": ("x.jpg", small)}).status_code)

        small = cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1].tobytes()
        waiting = [threading.Thread(target=post) for _ in range(45)]
        with app.state.services.networks.lock.turn():
            for thread in waiting:
                thread.start()
            time.sleep(1)
            for path in ("/api/health/ready", "/api/v1/tables", "/", "/static/icon.svg"):
                assert client.get(path).status_code == 200
            assert answers == []
        for thread in waiting:
            thread.join()
    assert answers == [200] * 45
