"""What routes depend on to know who asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import Request
from starlette.requests import HTTPConnection

from domino_server.access.errors import not_allowed, token_missing
from domino_server.access.guard import client_of
from domino_server.access.roles import ROLES, Principal
from domino_server.access.service import Access


def access_of(connection: HTTPConnection) -> Access:
    """Return the access of the app that serves this request or WebSocket."""
    found: Access = connection.app.state.access
    return found


def table_of(connection: HTTPConnection) -> str | None:
    """Return the table in the path of a request, the parameter `table`."""
    return connection.path_params.get("table")


def require(*roles: str) -> Callable[[Request], Awaitable[Principal]]:
    """Return a dependency that lets only `roles` pass, at the table of the path: `Depends(require("keeper"))`.

    An admin passes for a keeper and for a camera. Its errors: `token_missing`, `token_unknown` (401), `not_allowed`
    (403), `too_many_requests` (429).
    """
    _check(roles)

    async def principal(request: Request) -> Principal:
        who = await access_of(request).identify(client_of(request.scope), request.headers.get("authorization"))
        if who is None:
            raise token_missing()
        check(who, table_of(request), roles)
        return who

    return principal


def anywhere(*roles: str) -> Callable[[Request], Awaitable[Principal]]:
    """Return a dependency that lets `roles` pass whatever their table is, for routes that are of no table."""
    _check(roles)

    async def principal(request: Request) -> Principal:
        who = await maybe(request)
        if who is None:
            raise token_missing()
        if not who.may(*roles):
            raise not_allowed(who.role)
        return who

    return principal


async def reader(request: Request) -> Principal:
    """Let those pass who may look on at the table of the path: all, if it is public, else those with a token of it.

    Whoever has a token of this table or of the house keeps its role; anybody else is a viewer. A token that is unknown
    or was revoked is refused even at a public table, so that its page notices.
    """
    access, table = access_of(request), table_of(request)
    who = await access.identify(client_of(request.scope), request.headers.get("authorization"))
    if who is not None and who.reaches(table):
        return who
    if table is not None and await access.is_public(table):
        return Principal("viewer", table)
    raise token_missing() if who is None else not_allowed(who.role)


async def maybe(request: Request) -> Principal | None:
    """Return who asks, None if no token came along; for routes such as lists that show more to some."""
    return await access_of(request).identify(client_of(request.scope), request.headers.get("authorization"))


def check(who: Principal, table: str | None, roles: tuple[str, ...]) -> None:
    """Raise RequestError `not_allowed` unless somebody is one of `roles` at a table."""
    if not who.may(*roles) or not who.reaches(table):
        raise not_allowed(who.role)


def _check(roles: tuple[str, ...]) -> None:
    unknown = [role for role in roles if role not in ROLES]
    if unknown or not roles:
        raise ValueError(f"no such roles: {unknown}")
