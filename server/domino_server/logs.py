"""Logs as lines of JSON, each request with an id that its answer carries too; never a token."""

from __future__ import annotations

import contextvars
import json
import logging
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from domino_server.access import redact
from domino_server.access.redact import RedactingFilter

LEVELS: Final = ("critical", "error", "warning", "info", "debug")
REQUEST_ID: Final = "X-Request-Id"
_GIVEN: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_FIELDS: Final = ("method", "path", "status", "ms", "client")
_current: contextvars.ContextVar[str | None] = contextvars.ContextVar("request", default=None)

_LOG = logging.getLogger("domino_server.requests")

Count = Callable[[str, int], None]
"""Counts a request by method and status."""


@dataclass(frozen=True, slots=True)
class LogOptions:
    """How a server writes its logs, always on stderr and never with a token in them.

    Attributes:
        level: one of `LEVELS`.
        as_json: whether each record is a line of JSON; else it is a line for people.
    """

    level: str = "warning"
    as_json: bool = False

    def config(self) -> dict[str, Any]:
        """Return the settings for `logging.config.dictConfig`."""
        level = self.level.upper()
        return {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "json": {"()": JsonFormatter},
                "text": {"format": "%(asctime)s %(levelname)-7s %(name)s: %(message)s"},
            },
            "filters": {"redact": {"()": RedactingFilter}},
            "handlers": {
                "stderr": {
                    "class": "logging.StreamHandler",
                    "stream": "ext://sys.stderr",
                    "formatter": "json" if self.as_json else "text",
                    "filters": ["redact"],
                }
            },
            "root": {"level": "WARNING", "handlers": ["stderr"]},
            "loggers": {name: {"level": level} for name in ("domino_server", "domino_vision", "uvicorn", "websockets")},
        }


class JsonFormatter(logging.Formatter):
    """One line of JSON for each record: time, level, logger, message, request id, traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        request = _current.get()
        if request is not None:
            line["request"] = request
        line |= {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}
        if record.exc_info or record.exc_text:
            line["traceback"] = record.exc_text or self.formatException(record.exc_info or (None, None, None))
        return redact(json.dumps(line, ensure_ascii=False, default=str))


class RequestLog:
    """ASGI middleware that gives each request an id, counts it, and writes a line when it is answered."""

    def __init__(self, app: ASGIApp, count: Count) -> None:
        """Wrap an application."""
        self._app = app
        self._count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID.lower(), "")
        request = given if _GIVEN.fullmatch(given) else secrets.token_hex(8)
        token, start, status = _current.set(request), time.monotonic(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = request
            elif message["type"] == "websocket.accept":
                status = 101
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            method = scope.get("method", "WEBSOCKET")
            self._count(method, status)
            self._write(scope, method, status, time.monotonic() - start)
            _current.reset(token)

    @staticmethod
    def _write(scope: Scope, method: str, status: int, seconds: float) -> None:
        level = logging.WARNING if status >= 500 else logging.INFO
        client = (scope.get("client") or ("",))[0]
        facts = {"method": method, "path": scope["path"], "status": status, "ms": round(seconds * 1000, 1)}
        _LOG.log(level, "%s %s %s", method, scope["path"], status, extra={**facts, "client": client})
