"""What a client may send: a body that is too large is read to its end and thrown away, then refused in words.

To hang up in the middle would be cheaper, but most clients then report a broken connection instead of the reason.
A body that trickles in is not waited for: it would hold a place that others need.
"""

import asyncio
import re
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from domino_server.problems import RequestError

MIB: Final = 1024 * 1024
FORM_BYTES: Final = 64 * 1024
"""What a form may hold beside its picture."""
PATIENCE: Final = 32
"""A body of more than this many times the limit is not read to its end."""
FILES: Final = ("multipart/", "image/", "application/octet-stream", "application/zip")
"""Types of bodies that hold files."""
_ARCHIVES: Final = re.compile(r"/api/v\d+/tables/import/?")


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """How large and how slow a request may be.

    Attributes:
        picture_bytes: the largest picture.
        archive_bytes: the largest table that may be imported.
        text_bytes: the largest body that holds no file.
        quiet_s: the longest pause within a body, seconds.
        whole_s: the longest that a body may take, seconds; an archive ten times that.
    """

    picture_bytes: int = 32 * MIB
    archive_bytes: int = 1024 * MIB
    text_bytes: int = MIB
    quiet_s: float = 15.0
    whole_s: float = 120.0

    def of(self, path: str, content_type: str) -> tuple[int, float]:
        """Return the bytes and the seconds that a request may have."""
        if _ARCHIVES.fullmatch(path):
            return self.archive_bytes, self.whole_s * 10
        is_file = content_type.strip().lower().startswith(FILES)
        return self.picture_bytes if is_file else self.text_bytes, self.whole_s


def too_large(most_bytes: int) -> RequestError:
    """Return the error for a picture, or another body, of more than `most_bytes`."""
    limit = most_bytes // MIB
    return RequestError(413, "upload_too_large", f"what was sent is larger than {limit} MiB", limit_mib=limit)


def too_slow(seconds: float) -> RequestError:
    """Return the error for a body that did not come within `seconds`."""
    return RequestError(408, "upload_too_slow", f"what was sent did not arrive within {seconds:g} s", limit_s=seconds)


class BodyRefused(HTTPException):
    """A body that was cut off; `reason` says why. FastAPI passes on this kind of error alone while it reads a form."""

    def __init__(self, reason: RequestError) -> None:
        super().__init__(HTTPStatus(reason.status))
        self.reason = reason


class BodyLimit:
    """ASGI middleware that bounds size and time of the body of each request, whatever length it announces."""

    def __init__(self, app: ASGIApp, limits: BodyLimits) -> None:
        """Wrap an application."""
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(receive, self._limits, *self._limits.of(scope["path"], _content_type(scope)))
        await self._app(scope, body.receive, send)


class _Body:
    """The body of one request as it comes in."""

    def __init__(self, receive: Receive, limits: BodyLimits, most_bytes: int, whole_s: float) -> None:
        self._receive = receive
        self._quiet_s = limits.quiet_s
        self._most_bytes = most_bytes
        self._whole_s = whole_s
        self._deadline = time.monotonic() + whole_s
        self._got = 0
        self._more = True

    async def receive(self) -> Message:
        message = await self._next()
        if self._got <= self._most_bytes + FORM_BYTES:
            return message
        while self._more and self._got <= self._most_bytes * PATIENCE:
            await self._next()
        raise BodyRefused(too_large(self._most_bytes))

    async def _next(self) -> Message:
        if not self._more:  # the body is whole; what comes now is that the client goes, whenever that is
            return await self._receive()
        left = self._deadline - time.monotonic()
        try:
            async with asyncio.timeout(min(self._quiet_s, left)):
                message = await self._receive()
        except TimeoutError:
            raise BodyRefused(too_slow(self._quiet_s if self._quiet_s < left else self._whole_s)) from None
        self._got += len(message.get("body", b""))
        self._more = bool(message.get("more_body", False))
        return message


def _content_type(scope: Scope) -> str:
    return Headers(scope=scope).get("content-type", "")
