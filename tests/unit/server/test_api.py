"""The HTTP application: reading a posted picture, one error shape, the live table over a folder."""

import asyncio
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from domino_server.app import ServeOptions, create_app
from domino_server.live import LiveTable
from domino_server.schemas import Report, TableStatus
from domino_vision.pipeline import Pipeline, load_pipeline
from domino_vision.sources import Shot


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return load_pipeline()


@pytest.fixture
def client(pipeline: Pipeline) -> Iterator[TestClient]:
    app = create_app(ServeOptions(max_upload_bytes=1_000_000), pipeline)
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


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"game": "poker"}, "unknown_game"),
        ({"hand": "x-y"}, "tile_syntax"),
        ({"hand": "6-4,4-6"}, "hand_duplicate"),
        ({"set": "double-seven"}, "unknown_set"),
    ],
)
def test_wrong_question_is_a_problem(client: TestClient, demo: Path, form: dict[str, str], code: str) -> None:
    """An unknown game or set and an impossible hand are named by their code."""
    with (demo / "hand.jpg").open("rb") as picture:
        check_problem(client.post("/api/v1/read", files={"picture": picture}, data=form), 422, code)


def test_upload_that_is_no_picture_is_a_problem(client: TestClient, demo: Path) -> None:
    """Text, half a JPEG, nothing at all and too much are refused with their cause."""
    whole = (demo / "cincos.jpg").read_bytes()
    for data in (b"not a picture", whole[: len(whole) // 2]):
        response = client.post("/api/v1/read", files={"picture": ("note.jpg", data)})
        assert response.status_code == 422
        assert "note.jpg" in response.json()["detail"]
    check_problem(client.post("/api/v1/read"), 422, "invalid_request")
    big = client.post("/api/v1/read", files={"picture": ("big.jpg", b"x" * 1_000_001)})
    check_problem(big, 413, "upload_too_large")


def test_unknown_route_and_method_are_problems(client: TestClient) -> None:
    """Even what no handler sees is a problem+json."""
    check_problem(client.get("/api/v1/nowhere"), 404, "not_found")
    check_problem(client.delete("/api/v1/table"), 405, "method_not_allowed")


def test_crash_is_a_problem_without_its_inside(pipeline: Pipeline) -> None:
    """A mistake of ours tells that it happened, not how."""
    app: FastAPI = create_app(ServeOptions(), pipeline)

    @app.get("/crash")
    def crash() -> None:
        raise RuntimeError("secret")

    with TestClient(app, raise_server_exceptions=False) as client:
        body = check_problem(client.get("/crash"), 500, "internal_error")
    assert "secret" not in str(body)


def test_table_without_a_source_is_idle(client: TestClient) -> None:
    """Without a source there is no picture, and the status says so."""
    assert client.get("/api/v1/table").json()["state"] == "idle"
    check_problem(client.get("/api/v1/table/picture.jpg"), 404, "no_picture_yet")


def test_live_table_follows_a_folder(pipeline: Pipeline, demo: Path, tmp_path: Path) -> None:
    """Pictures that appear in the folder are read one after the other; a broken one is told and passed over."""
    shutil.copy(demo / "cincos.jpg", tmp_path / "1.jpg")
    app = create_app(ServeOptions(source=str(tmp_path), every_s=0.05), pipeline)
    with TestClient(app) as client:
        first = wait_for(client, "1.jpg")
        picture = client.get("/api/v1/table/picture.jpg")
        assert picture.headers["content-type"] == "image/jpeg"
        (tmp_path / "2.jpg").write_text("not a picture")
        assert wait_for_state(client, "failed")["code"]
        shutil.copy(demo / "pincset.jpg", tmp_path / "3.jpg")
        second = wait_for(client, "3.jpg")
    assert second["seq"] > first["seq"]
    assert second["report"]["count"] != first["report"]["count"]


def test_pages_allow_only_their_own_origin(client: TestClient) -> None:
    """Pages and their parts are served with a policy that keeps strangers' scripts out."""
    for path in ("/", "/overlay", "/static/console.js", "/static/style.css"):
        response = client.get(path)
        assert response.status_code == 200
        assert response.headers["content-security-policy"].startswith("default-src 'self'")


def test_openapi_names_each_operation(client: TestClient) -> None:
    """Operation ids are stable and unique, so that clients can be made from them."""
    paths = client.get("/openapi.json").json()["paths"]
    ids = [operation["operationId"] for path in paths.values() for operation in path.values()]
    assert len(ids) == len(set(ids))
    assert "read-picture" in ids
    assert "table-events" in ids
    errors = paths["/api/v1/read"]["post"]["responses"]
    assert list(errors["422"]["content"]) == ["application/problem+json"]


def wait_for(client: TestClient, source: str) -> dict[str, Any]:
    """Return the table's status once its report is of the picture called `source`."""
    return _poll(client, lambda status: (status["report"] or {}).get("source") == source)


def wait_for_state(client: TestClient, state: str) -> dict[str, Any]:
    """Return the table's status once it is in `state`."""
    return _poll(client, lambda status: status["state"] == state)


def _poll(client: TestClient, done: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        status: dict[str, Any] = client.get("/api/v1/table").json()
        if done(status):
            return status
        time.sleep(0.05)
    raise AssertionError(f"the table never got there: {status}")


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


def test_pages_answer_while_many_pictures_wait(pipeline: Pipeline, demo: Path) -> None:
    """Posted pictures that wait for their turn hold up neither the table's status nor the pages."""
    app = create_app(ServeOptions(), pipeline)
    answers: list[int] = []
    with TestClient(app) as client:

        def post() -> None:
            answers.append(client.post("/api/v1/read", files={"picture": ("x.jpg", small)}).status_code)

        small = cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1].tobytes()
        waiting = [threading.Thread(target=post) for _ in range(45)]
        with app.state.services.reading:
            for thread in waiting:
                thread.start()
            time.sleep(1)
            for path in ("/api/v1/health", "/api/v1/table", "/", "/static/table.js"):
                assert client.get(path).status_code == 200
            assert answers == []
        for thread in waiting:
            thread.join()
    assert answers == [200] * 45


def test_pages_have_a_head(client: TestClient) -> None:
    """HEAD tells of a page what GET would."""
    for path in ("/", "/overlay"):
        response = client.head(path)
        assert response.status_code == 200
        assert response.content == b""


def test_streams_end_when_the_table_says_goodbye(pipeline: Pipeline) -> None:
    """A server that stops does not wait for watchers: their streams end by themselves."""
    app = create_app(ServeOptions(), pipeline)
    with TestClient(app) as client:
        threading.Timer(0.5, app.state.services.table.say_goodbye).start()
        started = time.monotonic()
        lines = client.get("/api/v1/table/events").text.splitlines()
        assert time.monotonic() - started < 10
    assert "event: status" in lines


def test_password_of_a_stream_is_not_shown(pipeline: Pipeline) -> None:
    """The table names its stream without the password in its address."""
    table = LiveTable(lambda _: pytest.fail("nothing to see"), "rtsp://user:secret@127.0.0.1:9/table")
    assert table.snapshot.status.source == "rtsp://127.0.0.1:9/table"


def test_table_outlives_a_mistake_at_one_picture(demo: Path, tmp_path: Path) -> None:
    """Whatever goes wrong at a picture is told, and the next picture is looked at."""
    shutil.copy(demo / "hand.jpg", tmp_path / "1.jpg")
    shutil.copy(demo / "hand.jpg", tmp_path / "2.jpg")
    seen: list[str] = []

    def observe(shot: Shot) -> tuple[Report, bytes]:
        seen.append(shot.name)
        raise RuntimeError("secret")

    async def watch() -> TableStatus:
        table = LiveTable(observe, str(tmp_path), every_s=0.01)
        table.start()
        for _ in range(200):
            await asyncio.sleep(0.05)
            if len(seen) == 2:
                break
        await asyncio.sleep(0.2)
        table.stop()
        return table.snapshot.status

    with ThreadPoolExecutor(1) as pool:  # a loop of its own, whatever this thread runs
        status = pool.submit(asyncio.run, watch()).result()
    assert seen == ["1.jpg", "2.jpg"]
    assert (status.state, status.code) == ("failed", "internal_error")
    assert "secret" not in str(status.detail)
