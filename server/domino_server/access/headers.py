"""Headers that every response carries: what a page may load and do, and who may frame it."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PAGE: Final = (
    "default-src 'self'; img-src 'self' blob:; media-src 'self' blob:; connect-src 'self'{sockets}; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors {ancestors}"
)
_DRAWING: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
"""An SVG that is opened by itself is a document, and ours have styles inside."""
_PERMISSIONS: Final = "camera=(self), microphone=(), geolocation=(), display-capture=(), payment=(), usb=()"
_ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": _PERMISSIONS,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_CONTENT_POLICY: Final = "Content-Security-Policy"


class SecurityHeaders:
    """ASGI middleware that adds the headers; one that a route has set stays."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                _add(MutableHeaders(scope=message), scope)
            await send(message)

        await self._app(scope, receive, sending)


def _add(headers: MutableHeaders, scope: Scope) -> None:
    framed = is_overlay(scope["path"])
    for name, value in _ALWAYS.items():
        headers.setdefault(name, value)
    if not framed:
        headers.setdefault("X-Frame-Options", "DENY")
    if headers.get("content-type", "").startswith("image/svg+xml"):
        headers.setdefault(_CONTENT_POLICY, _DRAWING)
    else:
        headers.setdefault(_CONTENT_POLICY, page_policy(scope.get("dominotable.host"), framed=framed))
    if scope["path"].startswith("/api/"):
        headers.setdefault("Cache-Control", "no-store")


def page_policy(host: str | None, *, framed: bool) -> str:
    """Return the content security policy of a page.

    Args:
        host: the checked host of the request: older browsers do not count WebSockets as the page's own origin.
        framed: whether others may frame the page, as streamers do with the overlay.
    """
    sockets = f" ws://{host} wss://{host}" if host else ""
    return _PAGE.format(sockets=sockets, ancestors="*" if framed else "'none'")


def is_overlay(path: str) -> bool:
    """Whether a path is a page for streams, which is public and has nothing to press."""
    return path == "/overlay" or path.startswith("/overlay/")
