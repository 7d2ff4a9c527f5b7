"""What a client may send: a body that is too large is read to its end and thrown away, then refused in words.

To hang up in the middle would be cheaper, but most clients then report a broken connection instead of the reason.
"""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from domino_server.problems import RequestError

FORM_BYTES = 64 * 1024
"""What a form may hold beside its picture."""
PATIENCE = 32
"""A body of more than this many times the limit is not read to its end."""


def too_large(most_bytes: int) -> RequestError:
    """Return the error for a picture of more than `most_bytes`."""
    limit = most_bytes // (1024 * 1024)
    return RequestError(413, "upload_too_large", f"the picture is larger than {limit} MiB", limit_mib=limit)


class BodyTooLarge(HTTPException):
    """A body that was cut off; `reason` says why. FastAPI passes on this kind of error alone while it reads a form."""

    def __init__(self, reason: RequestError) -> None:
        super().__init__(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        self.reason = reason


class BodyLimit:
    """ASGI middleware that bounds the body of each request, whatever length it announces."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        """Wrap an application; `most_bytes` is the largest picture."""
        self._app = app
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        got = 0

        async def limited() -> Message:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got <= self._most_bytes + FORM_BYTES:
                return message
            while message.get("more_body", False) and got <= self._most_bytes * PATIENCE:
                message = await receive()
                got += len(message.get("body", b""))
            raise BodyTooLarge(too_large(self._most_bytes))

        await self._app(scope, limited, send)
