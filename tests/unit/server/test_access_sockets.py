"""WebSockets and streams: who they are, and that they end when a token is revoked."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from domino_server.access import AccessOptions, Limits, Principal, Rate
from domino_server.store import StoreError
from tests.access_app import Room, bearer, make_room

SOON_S = 5.0


@pytest.fixture
def room() -> Room:
    return make_room(AccessOptions(limits=Limits(wrong=Rate(5, 0.01))))


@pytest.fixture
def client(room: Room) -> Iterator[TestClient]:
    with TestClient(room.app) as client:
        yield client


def refused(socket: WebSocketTestSession) -> tuple[str, int]:
    """Return the code of the problem that a socket is told, and the code that it is closed with."""
    problem = socket.receive_json()["problem"]
    assert set(problem) == {"type", "title", "status", "detail", "code", "params"}
    with pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_json()
    assert closed.value.reason == problem["code"]
    return problem["code"], closed.value.code


def test_first_message_is_the_token(room: Room, client: TestClient) -> None:
    """A keeper and a judge come in by their first message; what follows reaches the route."""
    for role in ("keeper", "judge", "admin"):
        with client.websocket_connect(f"/api/v1/tables/{room.table}/control") as socket:
            socket.send_json({"token": room.token(role)})
            assert socket.receive_json() == {"hello": role}
            socket.send_text("abc")
            assert socket.receive_json() == {"said": "abc"}


@pytest.mark.parametrize(
    ("say", "code", "closed"),
    [
        (lambda socket: socket.send_text("hello"), "token_missing", 4401),
        (lambda socket: socket.send_text("[" * 900), "token_missing", 4401),
        (lambda socket: socket.send_text('{"token": 5}'), "token_missing", 4401),
        (lambda socket: socket.send_text('{"token": "' + "x" * 2000 + '"}'), "token_missing", 4401),
        (lambda socket: socket.send_bytes(b"\xff\xd8"), "token_missing", 4401),
        (lambda socket: socket.send_json({"token": "dt_" + "x" * 43}), "token_unknown", 4401),
        (lambda socket: socket.send_json({"token": "\ud800"}), "token_unknown", 4401),
        (lambda _: None, "token_late", 4408),
    ],
)
def test_anything_else_is_refused_in_words(
    room: Room, client: TestClient, say: Callable[[WebSocketTestSession], Any], code: str, closed: int
) -> None:
    """Silence, noise and wrong tokens are told apart by a problem and a close code."""
    with client.websocket_connect(f"/api/v1/tables/{room.table}/control") as socket:
        say(socket)
        assert refused(socket) == (code, closed)


def test_roles_hold_for_sockets_too(room: Room, client: TestClient) -> None:
    """A viewer, and a keeper of another table, are not let in to control a table."""
    for secret in (room.token("viewer"), room.token("camera"), room.token("keeper", room.private)):
        with client.websocket_connect(f"/api/v1/tables/{room.table}/control") as socket:
            socket.send_json({"token": secret})
            assert refused(socket) == ("not_allowed", 4403)


def test_guessing_over_sockets_is_stopped(room: Room, client: TestClient) -> None:
    """Wrong tokens count alike over HTTP and over WebSockets."""
    seen = []
    for _ in range(7):
        with client.websocket_connect(f"/api/v1/tables/{room.table}/control") as socket:
            socket.send_json({"token": "dt_" + "z" * 43})
            seen.append(refused(socket)[1])
    assert seen == [4401] * 5 + [4429] * 2
    response = client.get(f"/api/v1/tables/{room.table}/state", headers=bearer("dt_" + "z" * 43))
    assert response.status_code == 429


def test_client_that_goes_before_its_token_leaves_no_trace(room: Room, client: TestClient) -> None:
    """Whoever hangs up at once costs no error."""
    with client.websocket_connect(f"/api/v1/tables/{room.table}/control"):
        pass
    assert client.get(f"/api/v1/tables/{room.table}/state").status_code == 200


def test_open_socket_is_closed_when_its_token_is_revoked(room: Room, client: TestClient) -> None:
    """A WebSocket that waits for nothing in particular is closed within seconds of the revocation, others stay."""
    tokens = room.app.state.access.tokens
    new, other = (tokens.create("keeper", table=room.table) for _ in range(2))
    path = f"/api/v1/tables/{room.table}/control"
    with client.websocket_connect(path) as socket, client.websocket_connect(path) as bystander:
        for each, token in ((socket, new), (bystander, other)):
            each.send_json({"token": token.secret})
            assert each.receive_json() == {"hello": "keeper"}
        started = time.monotonic()
        tokens.revoke(new.row.id)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert (closed.value.code, closed.value.reason) == (4401, "token_unknown")
        assert time.monotonic() - started < SOON_S
        bystander.send_text("still here")
        assert bystander.receive_json() == {"said": "still here"}


def read_until_end(
    client: TestClient, path: str, secret: str | None, act: Callable[[], Any]
) -> tuple[list[str], float]:
    """Read a stream that would go on for ever; `act` after half a second; return its lines and how long it took."""
    timer = threading.Timer(0.5, act)
    timer.start()
    started = time.monotonic()
    lines = client.get(path, headers={} if secret is None else bearer(secret)).text.split()
    timer.join()
    return lines, time.monotonic() - started


def test_open_stream_ends_when_its_token_is_revoked(room: Room, client: TestClient) -> None:
    """A stream of events in a quiet moment ends within seconds of the revocation, and nothing was lost before."""
    tokens = room.app.state.access.tokens
    new = tokens.create("viewer", table=room.private)
    path = f"/api/v1/tables/{room.private}/events"
    lines, took = read_until_end(client, path, new.secret, lambda: tokens.revoke(new.row.id))
    assert lines == ["data:", "0", "data:", "1", "data:", "2"]
    assert 0.4 < took < SOON_S


def test_open_stream_ends_when_its_table_is_made_private(room: Room, client: TestClient) -> None:
    """Viewers without a token are shown out when the table is no longer public."""
    path = f"/api/v1/tables/{room.table}/events"
    lines, took = read_until_end(client, path, None, lambda: room.store.configure(room.table, config={"public": False}))
    assert len(lines) == 6
    assert took < SOON_S


def test_many_streams_share_one_look_at_the_database(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask whether a token still holds, the database is asked once a second."""
    access = room.app.state.access
    who = Principal("viewer", room.table)
    looks: list[str] = []
    is_public = access.tokens.is_public
    monkeypatch.setattr(access.tokens, "is_public", lambda table: looks.append(table) or is_public(table))

    async def ask() -> list[bool]:
        return [await access.still_valid(who) for _ in range(500)]

    def run() -> None:
        assert asyncio.run(ask()) == [True] * 500

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert len(looks) <= 2


def test_database_that_is_away_ends_no_stream(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the database cannot be asked, whoever was in stays; a table that is gone lets nobody stay."""
    access = room.app.state.access
    gone = StoreError("store_unreachable", "gone")
    monkeypatch.setattr(access.tokens, "lookup", lambda _: (_ for _ in ()).throw(gone))
    assert access._verdict(Principal("keeper", room.table, None, "id", "0" * 64))
    assert not access._verdict(Principal("viewer", "nosuchtable0"))
