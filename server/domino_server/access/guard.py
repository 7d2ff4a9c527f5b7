"""What is refused before any route sees it: foreign names and origins, tokens in addresses, and too many requests."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from domino_server.access.errors import host_refused, origin_refused, token_in_url, too_many
from domino_server.access.hosts import Host, OwnHosts, parse_host
from domino_server.access.rates import Buckets, Limits, client_key
from domino_server.limits import FILES
from domino_server.problems import RequestError

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_TOKEN_IN_QUERY: Final = re.compile(rb"dt(_|%5f)[A-Za-z0-9_%-]{20}", re.IGNORECASE)
_CREATING: Final = re.compile(r"/api/v\d+/tables(/import)?/?")


class Guard:
    """ASGI middleware that refuses what no route should see."""

    def __init__(self, app: ASGIApp, hosts: OwnHosts, limits: Limits) -> None:
        """Wrap an application that is called by the names in `hosts`."""
        self._app = app
        self._hosts = hosts
        self._address = Buckets(limits.address)
        self._upload = Buckets(limits.upload)
        self._create = Buckets(limits.create)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it in words."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope, Headers(scope=scope))
        except RequestError as error:
            await _refuse(error, scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        except (WebSocketDisconnect, ClientDisconnect):  # whoever has gone needs no answer
            return

    def _check(self, scope: Scope, headers: Headers) -> None:
        host = self._own_host(scope, headers)
        scope["dominotable.host"] = str(host)
        if _TOKEN_IN_QUERY.search(scope.get("query_string", b"")):
            raise token_in_url()
        if scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS:
            check_origin(host, headers)
        self._spend(scope, headers)

    def _own_host(self, scope: Scope, headers: Headers) -> Host:
        given = headers.getlist("host")
        host = parse_host(given[0]) if len(given) == 1 else None
        local = (scope.get("server") or (None,))[0]
        if host is None or not self._hosts.knows(host.name, local):
            raise host_refused(given[0] if given else "")
        return host

    def _spend(self, scope: Scope, headers: Headers) -> None:
        client = client_of(scope)
        wait = self._address.take(client)
        if not wait and scope["type"] == "http" and scope["method"] not in SAFE_METHODS:
            if headers.get("content-type", "").strip().lower().startswith(FILES):
                wait = self._upload.take(client)
            if not wait and scope["method"] == "POST" and _CREATING.fullmatch(scope["path"]):
                wait = self._create.take(client)
        if wait:
            raise too_many(wait)


def client_of(scope: Scope) -> str:
    """Return what the client of a request is counted by."""
    return client_key((scope.get("client") or (None,))[0])


def check_origin(host: Host, headers: Headers) -> None:
    """Refuse what a page of another origin sent; programs that are no browser say nothing of an origin.

    Raises:
        RequestError: `origin_refused`.
    """
    origins = headers.getlist("origin")
    if not origins:
        if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
            raise origin_refused()
        return
    if len(origins) != 1 or not same_origin(origins[0], host):
        raise origin_refused()


def same_origin(origin: str, host: Host) -> bool:
    """Whether an `Origin` header names the host that the request went to.

    The scheme is not compared: behind a proxy that speaks TLS the server does not see it, and one port has one scheme.
    """
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    default = _DEFAULT_PORTS.get(parts.scheme)
    found = parse_host(parts.netloc)
    if default is None or found is None or origin.lower() != f"{parts.scheme}://{parts.netloc}".lower():
        return False
    return found.name == host.name and (found.port or default) == (host.port or default)


async def _refuse(error: RequestError, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": error.code})
        return
    await error.response()(scope, receive, send)
