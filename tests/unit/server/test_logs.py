"""Logs as lines of JSON: whole, with the id of the request, never with a token."""

import json
import logging
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.types import Message, Receive, Scope, Send

from domino_server.logs import JsonFormatter, RequestLog

TOKEN = "dt_" + "a" * 43


def record_of(message: str, **more: object) -> logging.LogRecord:
    record = logging.LogRecord("domino_server.x", logging.INFO, __file__, 1, message, (), None)
    record.__dict__.update(more)
    return record


def test_a_record_is_a_line_of_json() -> None:
    """Time, level, logger and words stand in one line, and the facts of a request beside them."""
    line = JsonFormatter().format(record_of("two\nlines", method="GET", path="/x", status=200, ms=1.5, client="::1"))
    assert "\n" not in line
    found = json.loads(line)
    assert found["at"].endswith("+00:00")
    assert {
        "level": "info",
        "logger": "domino_server.x",
        "message": "two\nlines",
        "status": 200,
    }.items() <= found.items()


def test_no_line_has_a_token() -> None:
    """A token is cut out wherever it stands: in the words, in a path, in a traceback."""

    def fail() -> None:
        raise ValueError(TOKEN)

    try:
        fail()
    except ValueError:
        caught = sys.exc_info()
    record = record_of(f"said {TOKEN}", path=f"/x?token={TOKEN}")
    record.exc_info = caught
    line = JsonFormatter().format(record)
    assert TOKEN not in line
    assert "ValueError" in json.loads(line)["traceback"]


def test_each_request_is_counted_and_logged_with_its_id(caplog: pytest.LogCaptureFixture) -> None:
    """The id in the answer is the id in the line, also of what is logged while the request is served."""
    import asyncio

    counted: list[tuple[str, int]] = []
    sent: list[Message] = []
    lines: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        lines.append(JsonFormatter().format(record_of("inside")))
        await send({"type": "http.response.start", "status": 404, "headers": []})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    log = RequestLog(app, lambda method, status: counted.append((method, status)))
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/nowhere",
        "headers": [(b"x-request-id", b"mine")],
        "client": None,
    }
    # in a thread of its own: the browser tests leave a loop running in this one
    with caplog.at_level(logging.INFO, "domino_server.requests"), ThreadPoolExecutor(1) as aside:
        aside.submit(lambda: asyncio.run(log(scope, receive, send))).result()
    assert counted == [("GET", 404)]
    assert (b"x-request-id", b"mine") in sent[0]["headers"]
    assert json.loads(lines[0])["request"] == "mine"
    assert "request" not in json.loads(JsonFormatter().format(record_of("outside")))
    assert caplog.records[-1].getMessage() == "GET /nowhere 404"
