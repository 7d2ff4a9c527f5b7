"""Every route of the application against every role: a new route that nobody has thought about fails here."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from domino_server.access import ROLES, Tokens
from domino_server.tables.config import TableConfig
from tests.table_server import House, bearer, house

KEEPERS = frozenset({"keeper", "admin"})
STAFF = KEEPERS | {"judge"}
READERS = frozenset(ROLES)
OPEN = READERS | {"nobody"}
ALLOWED = {
    "read-picture": OPEN, "hands-count": OPEN, "catalogue-games": OPEN, "health-live": OPEN, "health-ready": OPEN,
    "tables-listed": OPEN, "state-state": READERS, "state-layout": READERS, "state-events": READERS,
    "catalogue-cameras": KEEPERS, "catalogue-preview": KEEPERS, "transfer-take_in": {"admin"},
    "tables-create": {"admin"}, "health-metrics": {"admin"},
    "tables-show": STAFF, "tables-change": KEEPERS, "tables-start": KEEPERS, "tables-stop": KEEPERS,
    "tables-archive": KEEPERS, "transfer-export": STAFF, "tokens-listed": KEEPERS, "tokens-create": KEEPERS,
    "tokens-revoke": KEEPERS, "hands-link": KEEPERS, "pictures-picture": STAFF, "pictures-stream": STAFF,
    "control-command": STAFF, "pictures-crop": STAFF, "hands-hands": STAFF, "camera-photo": KEEPERS | {"camera"},
    "hands-advice": {"player"}, "links-qr": STAFF, "judge-hand": STAFF, "judge-layout": STAFF, "judge-audit": STAFF,
    "judge-evidence": STAFF, "judge-report": STAFF,
    "tiles-listed": KEEPERS, "tiles-enrol": KEEPERS, "tiles-remove": KEEPERS,
}  # fmt: skip
"""Who may do what at a table that is not public, by operation id."""
TOKENLESS = {"read-picture", "hands-count", "catalogue-games", "health-live", "health-ready"}
"""Operations that look at no token."""
ENDLESS = {"state-events", "pictures-stream"}
"""Operations whose answer does not end, so that only refusals are tried."""
REFUSALS = {"token_missing", "token_unknown", "not_allowed"}


@dataclass(frozen=True)
class Visitor:
    """Somebody with a token, or without one, and whether it should be let in."""

    name: str
    headers: dict[str, str]
    allowed: bool


@pytest.fixture(scope="module")
def rooms() -> Iterator[House]:
    with house() as made:
        yield made


def new_table(rooms: House) -> str:
    """Return the id of a new table that is not public."""
    config = TableConfig(game="pincset", seats=list("ABCD"), source="push", public=False)
    return rooms.store.create_table("T", config.model_dump(mode="json")).id


def operations(rooms: House) -> dict[str, tuple[str, str]]:
    """Return method and path of all that the application describes, by operation id."""
    paths = rooms.app.openapi()["paths"]
    return {each["operationId"]: (method, path) for path, ops in paths.items() for method, each in ops.items()}


def visitors(rooms: House, table: str, operation: str, *, of_table: bool) -> list[Visitor]:
    """Return one visitor of each role, one with its revoked token, and one of another table; refused ones first."""
    tokens, allowed, other = Tokens(rooms.store), ALLOWED[operation], new_table(rooms)
    found = [Visitor("nobody", {}, "nobody" in allowed)]
    for role in ROLES:
        seat = "A" if role == "player" else None
        home = None if role == "admin" else table
        found.append(Visitor(role, bearer(tokens.create(role, table=home, seat=seat).secret), role in allowed))
        gone = tokens.create(role, table=home, seat=seat)
        tokens.revoke(gone.row.id)
        found.append(Visitor(f"{role}, revoked", bearer(gone.secret), operation in TOKENLESS))
        if of_table and role != "admin":
            stranger = tokens.create(role, table=other, seat=seat)
            found.append(Visitor(f"{role} of another table", bearer(stranger.secret), allowed=False))
    return sorted(found, key=lambda each: each.allowed)


def code_of(answer: Any) -> str | None:
    """Return the code of a problem, None for any other answer."""
    is_problem = answer.headers.get("content-type") == "application/problem+json"
    return str(json.loads(answer.content)["code"]) if is_problem else None


def test_every_route_is_thought_about(rooms: House) -> None:
    """The table of this file names exactly the routes that there are."""
    assert set(operations(rooms)) == set(ALLOWED)


@pytest.mark.parametrize("operation", sorted(ALLOWED))
def test_each_role_does_its_own_and_nothing_else(rooms: House, operation: str) -> None:
    """Whom a route is not for is refused before anything else is looked at; whom it is for is not refused."""
    method, path = operations(rooms)[operation]
    table = new_table(rooms)
    filled = re.sub(r"\{[a-z]+\}", "1", path.replace("{table}", table).replace("{seat}", "A"))
    for visitor in visitors(rooms, table, operation, of_table="{table}" in path):
        if visitor.allowed and operation in ENDLESS:
            continue
        answer = rooms.client.request(method, filled, headers=visitor.headers)
        told = f"{visitor.name} at {operation}: {answer.status_code} {answer.text[:200]}"
        assert (code_of(answer) in REFUSALS) != visitor.allowed, told
        assert (answer.status_code in {401, 403}) != visitor.allowed, told


@pytest.mark.parametrize(("socket", "allowed"), [("control", STAFF), ("camera", KEEPERS | {"camera"})])
def test_sockets_let_in_their_own_and_nobody_else(rooms: House, socket: str, allowed: frozenset[str]) -> None:
    """The two WebSockets of a table close on whom they are not for, before anything was said."""
    assert isinstance(rooms.client, TestClient)
    table, other = new_table(rooms), new_table(rooms)
    tokens = Tokens(rooms.store)
    for role in ROLES:
        for home in (table, other):
            seat = "A" if role == "player" else None
            secret = tokens.create(role, table=None if role == "admin" else home, seat=seat).secret
            with rooms.client.websocket_connect(f"/api/v1/tables/{table}/{socket}") as opened:
                opened.send_json({"token": secret})
                if role in allowed and (home == table or role == "admin"):
                    continue
                assert opened.receive_json()["problem"]["code"] == "not_allowed"
                with pytest.raises(WebSocketDisconnect) as closed:
                    opened.receive_json()
                assert closed.value.code == 4403


def test_public_table_is_seen_without_a_token(rooms: House) -> None:
    """State and layout of a public table are for all, its pictures and set-up are not."""
    table = rooms.store.create_table("T", TableConfig(game="pincset", seats=list("ABCD")).model_dump(mode="json")).id
    here = f"/api/v1/tables/{table}"
    assert rooms.client.get(f"{here}/state").status_code == 200
    for private in ("", "/picture.jpg", "/tokens", "/export", "/crops/1/1.jpg"):
        assert code_of(rooms.client.get(f"{here}{private}")) == "token_missing"
