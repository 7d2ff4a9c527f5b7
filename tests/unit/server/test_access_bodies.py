"""How large and how slow a body may be."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from domino_server.access import AccessOptions, Limits
from domino_server.limits import FORM_BYTES, MIB, BodyLimit, BodyLimits, BodyRefused
from tests.access_app import make_room

BODIES = BodyLimits(picture_bytes=2 * MIB, archive_bytes=4 * MIB, text_bytes=MIB, quiet_s=1.0, whole_s=2.0)


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(make_room(AccessOptions(limits=Limits.none(), bodies=BODIES)).app) as client:
        yield client


def test_pictures_may_be_larger_than_texts(client: TestClient) -> None:
    """A file may have the size of a picture, anything else a small one, whatever it says it is."""
    big = b"x" * (2 * MIB - 1000)
    assert client.post("/api/v1/read", files={"picture": ("a.jpg", big, "image/jpeg")}).json() == len(big)
    response = client.post("/api/v1/echo", content=big, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["code"]) == (413, "upload_too_large")
    assert response.json()["params"] == {"limit_mib": 1}
    assert client.post("/api/v1/echo", content=big, headers={"Content-Type": "image/jpeg"}).json() == len(big)


def test_too_large_a_picture_is_refused(client: TestClient) -> None:
    """One byte beyond what a form may hold beside its picture is too much."""
    body = b"x" * (2 * MIB + FORM_BYTES)
    assert client.post("/api/v1/echo", content=body, headers={"Content-Type": "image/jpeg"}).json() == len(body)
    response = client.post("/api/v1/echo", content=body + b"x", headers={"Content-Type": "image/jpeg"})
    assert response.status_code == 413


def test_archives_have_a_limit_of_their_own() -> None:
    """Only the import of a table takes as much as a table may be."""
    assert BODIES.of("/api/v1/tables/import", "multipart/form-data; boundary=x")[0] == 4 * MIB
    assert BODIES.of("/api/v1/tables/import/x", "multipart/form-data; boundary=x")[0] == 2 * MIB
    assert BODIES.of("/api/v1/tables", "application/json")[0] == MIB


def serve(messages: list[tuple[float, Message]], path: str = "/x") -> list[Message] | BodyRefused:
    """Let an application read a body whose parts come after the pauses in `messages`; return what it got."""

    async def application(_: Scope, receive: Receive, __: Send) -> None:
        while True:
            got.append(await receive())
            if not got[-1].get("more_body", False):
                got.append(await receive())
                return

    async def receive() -> Message:
        pause, message = messages.pop(0)
        await asyncio.sleep(pause)
        return message

    async def send(_: Message) -> None:
        raise AssertionError("nothing is sent")

    async def run() -> None:
        scope: Any = {"type": "http", "path": path, "headers": []}
        await BodyLimit(application, BODIES)(scope, receive, send)

    def work() -> None:
        try:
            asyncio.run(run())
        except BodyRefused as error:
            refused.append(error)

    got: list[Message] = []
    refused: list[BodyRefused] = []
    thread = threading.Thread(target=work)  # a loop of its own, whatever this thread runs
    thread.start()
    thread.join()
    return refused[0] if refused else got


def part(more: bool = True) -> Message:
    return {"type": "http.request", "body": b"x", "more_body": more}


def test_body_that_stops_coming_is_given_up() -> None:
    """A pause within the body that is too long ends the request with 408."""
    refused = serve([(0, part()), (5, part(False))])
    assert isinstance(refused, BodyRefused)
    assert (refused.status_code, refused.reason.code) == (408, "upload_too_slow")
    assert refused.reason.params == {"limit_s": 1.0}
    assert refused.reason.response().status_code == 408


def test_body_that_trickles_is_given_up() -> None:
    """A body that never pauses for long but takes for ever is ended too; an archive has more time."""
    refused = serve([(0.1, part()) for _ in range(50)])
    assert isinstance(refused, BodyRefused)
    assert refused.reason.params == {"limit_s": 2.0}
    slow = [(0.1, part()) for _ in range(22)]
    got = serve([*slow, (0.1, part(False)), (0, {"type": "http.disconnect"})], "/api/v1/tables/import")
    assert isinstance(got, list)
    assert len(got) == 24


def test_waiting_for_the_client_to_go_has_no_end() -> None:
    """Once the body is whole, a route may listen for as long as it likes whether its client is still there."""
    got = serve([(0, part(False)), (2.5, {"type": "http.disconnect"})])
    assert isinstance(got, list)
    assert got[-1]["type"] == "http.disconnect"
