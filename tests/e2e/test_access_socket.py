"""Access control behind the real HTTP server: real WebSockets, real logs, clients that are slow on purpose."""

import io
import json
import logging
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from domino_server import listening
from domino_server.access import AccessOptions, Limits
from domino_server.limits import BodyLimits
from domino_server.listening import Server, http_config, listen
from domino_server.logs import LogOptions
from tests.access_app import Room, bearer, make_room

SOON_S = 8.0


@contextmanager
def running(room: Room, log_level: str = "warning") -> Iterator[int]:
    """Serve a room on a free port of loopback."""
    with listen("127.0.0.1", 0) as listener:
        server = Server(http_config(room.app, LogOptions(log_level, as_json=True), lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield int(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(timeout=10)


@pytest.fixture(scope="module")
def room() -> Room:
    bodies = BodyLimits(quiet_s=0.5)
    return make_room(AccessOptions(limits=Limits.none(), bodies=bodies))


@pytest.fixture(scope="module")
def port(room: Room) -> Iterator[int]:
    with running(room) as port:
        yield port


def test_browser_of_another_site_opens_no_socket(room: Room, port: int) -> None:
    """The handshake of a WebSocket from another origin is answered with 403, that of an own page is not."""
    address = f"ws://127.0.0.1:{port}/api/v1/tables/{room.table}/control"
    with pytest.raises(InvalidStatus) as refused, connect(address, origin=Origin("https://evil.example")):
        pass
    assert refused.value.response.status_code == 403
    assert json.loads(refused.value.response.body or b"{}")["code"] == "origin_refused"
    with connect(address, origin=Origin(f"http://127.0.0.1:{port}")) as own:
        own.send(json.dumps({"token": room.token("judge")}))
        assert json.loads(own.recv(timeout=10)) == {"hello": "judge"}


def test_rebound_name_is_refused(room: Room, port: int) -> None:
    """A page whose name was pointed at this machine reads nothing."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/tables/{room.table}/state", headers={"Host": f"evil.example:{port}"}
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    with refused.value as answer:
        assert json.load(answer)["code"] == "host_refused"


def test_revocation_reaches_open_sockets_and_streams(room: Room, port: int) -> None:
    """Within seconds of a revocation its open WebSocket is closed and its open stream of events ends."""
    tokens = room.app.state.access.tokens
    new = tokens.create("keeper", table=room.private)
    stream = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/tables/{room.private}/events", headers=bearer(new.secret)
    )
    with (
        connect(f"ws://127.0.0.1:{port}/api/v1/tables/{room.private}/control") as control,
        urllib.request.urlopen(stream, timeout=SOON_S) as events,
    ):
        control.send(json.dumps({"token": new.secret}))
        assert json.loads(control.recv(timeout=10)) == {"hello": "keeper"}
        assert events.readline() == b"data: 0\n"
        started = time.monotonic()
        tokens.revoke(new.row.id)
        with pytest.raises(ConnectionClosed):
            control.recv(timeout=SOON_S)
        assert control.close_code == 4401
        assert events.read().count(b"data") < 3
        assert time.monotonic() - started < SOON_S


def test_logs_hold_no_token() -> None:
    """Whatever is asked, with the most talkative logs, no line of any logger has a token in it."""
    room = make_room()
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    with running(room, "debug") as port:
        logging.getLogger().addHandler(handler)
        loggers = [logging.getLogger(name) for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets")]
        levels = [each.level for each in loggers]
        for each in loggers:
            each.setLevel(logging.DEBUG)
        secrets = [room.token("keeper"), room.token("viewer", room.private)]
        base = f"http://127.0.0.1:{port}"
        for secret in secrets:
            for path in (
                f"/?token={secret}",
                f"/api/v1/tables/{room.table}/state?{secret}",
                f"/{secret}",
                f"/%64t_{secret[3:]}",
            ):
                with pytest.raises(urllib.error.HTTPError) as refused:
                    urllib.request.urlopen(f"{base}{path}", timeout=10)
                refused.value.close()
            request = urllib.request.Request(f"{base}/api/v1/tables", headers=bearer(secret))
            urllib.request.urlopen(request, timeout=10).close()
            with connect(f"ws://127.0.0.1:{port}/api/v1/tables/{room.table}/control?x=1") as control:
                control.send(json.dumps({"token": secret}))
                control.recv(timeout=10)
            logging.getLogger("uvicorn.error").error("%s", {"headers": bearer(secret)})
        time.sleep(0.3)
        logging.getLogger().removeHandler(handler)
        for each, level in zip(loggers, levels, strict=True):
            each.setLevel(level)
    text = out.getvalue()
    assert "/control" in text
    assert "dt_…" in text
    for secret in secrets:
        assert secret[3:] not in text


def talk(port: int, *parts: bytes, pause: float = 0.0, patience: float = 10.0) -> bytes:
    """Send bytes with pauses between, and return all that comes back until the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=patience) as client:
        for part in parts:
            client.sendall(part)
            time.sleep(pause)
        answer = b""
        try:
            while block := client.recv(65536):
                answer += block
        except ConnectionResetError:
            pass
        return answer


def test_slow_body_is_refused_in_words(room: Room, port: int) -> None:
    """A client that begins an upload and says no more gets 408, and its place is free again."""
    head = (
        f"POST /api/v1/echo HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: image/jpeg\r\n"
        "Content-Length: 100000\r\nConnection: close\r\n\r\n"
    )
    started = time.monotonic()
    answer = talk(port, head.encode(), b"abc")
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"upload_too_slow" in answer
    assert time.monotonic() - started < SOON_S


def test_head_that_never_ends_is_given_up(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that sends half a head, or nothing at all, loses its connection, also after a first request."""
    monkeypatch.setattr(listening, "HEAD_S", 0.5)
    with running(room) as port:
        whole = f"GET /overlay/x HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        assert talk(port, b"GET / HTTP/1.1\r\nHost: 127") == b""
        assert talk(port) == b""
        twice = talk(port, whole, b"GET / HTTP/1.1\r\nX-Slow: ", pause=0.3)
        assert twice.count(b"HTTP/1.1 200") == 1
        with connect(f"ws://127.0.0.1:{port}/api/v1/tables/{room.table}/control") as control:
            control.send(json.dumps({"token": room.token("keeper")}))
            assert control.recv(timeout=10)
            time.sleep(1.2)
            control.send("a socket may be quiet for longer")
            assert json.loads(control.recv(timeout=10)) == {"said": "a socket may be quiet for longer"}


def test_server_does_not_name_its_software(port: int) -> None:
    """Whoever asks is not told what to look for."""
    answer = talk(port, f"GET /overlay/x HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"uvicorn" not in answer.lower()
