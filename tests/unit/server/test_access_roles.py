"""Who may do what: roles at one table, in the house, and without a token."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from domino_server.access import ROLES, AccessError, Principal, Tokens, require
from domino_server.store import StoreError
from tests.access_app import Room, bearer, make_room


@pytest.fixture(scope="module")
def room() -> Room:
    return make_room()


@pytest.fixture
def client(room: Room) -> Iterator[TestClient]:
    with TestClient(room.app) as client:
        yield client


def code_of(client: TestClient, method: str, path: str, secret: str | None) -> tuple[int, str]:
    response = client.request(method, path, headers={} if secret is None else bearer(secret))
    return response.status_code, response.json()["code"] if response.status_code >= 400 else "ok"


@pytest.mark.parametrize(
    ("role", "start", "rule", "picture", "create"),
    [
        (None, 401, 401, 401, 401),
        ("viewer", 403, 403, 403, 403),
        ("player", 403, 403, 403, 403),
        ("camera", 403, 403, 403, 403),
        ("keeper", 200, 403, 200, 403),
        ("judge", 403, 200, 200, 403),
        ("admin", 200, 403, 200, 200),
    ],
)
def test_each_role_may_do_its_own(
    room: Room, client: TestClient, role: str | None, start: int, rule: int, picture: int, create: int
) -> None:
    """A viewer cannot write, a keeper cannot rule, a judge cannot keep, an admin keeps but does not rule."""
    secret = None if role is None else room.token(role, seat="Ana" if role == "player" else None)
    here = f"/api/v1/tables/{room.table}"
    assert code_of(client, "POST", f"{here}/start", secret)[0] == start
    assert code_of(client, "POST", f"{here}/rulings", secret)[0] == rule
    assert code_of(client, "GET", f"{here}/picture", secret)[0] == picture
    assert code_of(client, "POST", "/api/v1/tables", secret)[0] == create


def test_keeper_reaches_no_other_table(room: Room, client: TestClient) -> None:
    """A keeper's and a judge's token do nothing at another table, and do not tell whether that exists."""
    for role, path in (("keeper", "start"), ("judge", "rulings")):
        secret = room.token(role)
        for other in (room.private, "nosuchtable0"):
            assert code_of(client, "POST", f"/api/v1/tables/{other}/{path}", secret) == (403, "not_allowed")


def test_anybody_looks_on_at_a_public_table_only(room: Room, client: TestClient) -> None:
    """Without a token a public table is seen as a viewer; a private one needs a token of its own or of the house."""
    public, private = (f"/api/v1/tables/{each}/state" for each in (room.table, room.private))
    assert client.get(public).json() == {"role": "viewer", "token": None, "seat": None}
    assert code_of(client, "GET", private, None) == (401, "token_missing")
    assert code_of(client, "GET", private, room.token("keeper")) == (403, "not_allowed")
    assert client.get(public, headers=bearer(room.token("keeper", room.private))).json()["role"] == "viewer"
    for role in ROLES:
        seat = "Ana" if role == "player" else None
        seen = client.get(private, headers=bearer(room.token(role, room.private, seat))).json()
        assert (seen["role"], seen["seat"]) == (role, seat)
        assert len(seen["token"]) == 12


def test_revoked_token_is_refused_at_once(room: Room, client: TestClient) -> None:
    """The request after a revocation is refused, also at a public table, and after it was used before."""
    tokens: Tokens = room.app.state.access.tokens
    new = tokens.create("keeper", table=room.table)
    here = f"/api/v1/tables/{room.table}"
    assert code_of(client, "POST", f"{here}/start", new.secret) == (200, "ok")
    tokens.revoke(new.row.id)
    assert code_of(client, "POST", f"{here}/start", new.secret) == (401, "token_unknown")
    assert code_of(client, "GET", f"{here}/state", new.secret) == (401, "token_unknown")
    assert code_of(client, "GET", "/api/v1/tables", new.secret) == (401, "token_unknown")


def test_lists_may_know_who_asks(room: Room, client: TestClient) -> None:
    """A route for all can tell an admin from somebody without a token."""
    assert client.get("/api/v1/tables").json() is None
    assert client.get("/api/v1/tables", headers=bearer(room.token("admin"))).json() == "admin"


def test_refusals_say_how_to_come_in(room: Room, client: TestClient) -> None:
    """A 401 names the scheme, and no refusal repeats the token."""
    response = client.post(f"/api/v1/tables/{room.table}/start")
    assert response.headers["www-authenticate"] == "Bearer"
    assert response.headers["content-type"] == "application/problem+json"
    secret = room.token("viewer")
    assert secret not in client.post(f"/api/v1/tables/{room.table}/start", headers=bearer(secret)).text


def test_unknown_table_is_said_by_its_own_code(room: Room, client: TestClient) -> None:
    """Looking on at a table that is not there is an error of the store, not of access."""
    assert code_of(client, "GET", "/api/v1/tables/nosuchtable0/state", None)[1] == "unknown_table"


@pytest.mark.parametrize(
    ("role", "table", "seat", "label", "code"),
    [
        ("king", True, None, "", "bad_role"),
        ("admin", True, None, "", "bad_role"),
        ("keeper", False, None, "", "bad_role"),
        ("player", True, None, "", "bad_role"),
        ("viewer", True, "Ana", "", "bad_role"),
        ("viewer", True, None, "x" * 101, "bad_label"),
        ("viewer", True, None, "a\x1b[2J", "bad_label"),
    ],
)
def test_tokens_that_cannot_be_are_not_made(
    room: Room, role: str, table: bool, seat: str | None, label: str, code: str
) -> None:
    """Role, table, seat and label of a token must fit each other."""
    tokens: Tokens = room.app.state.access.tokens
    with pytest.raises(AccessError) as caught:
        tokens.create(role, table=room.table if table else None, label=label, seat=seat)
    assert caught.value.code == code


def test_tokens_of_another_table_are_not_revoked(room: Room) -> None:
    """A keeper who revokes at its own table cannot name a token of another."""
    tokens: Tokens = room.app.state.access.tokens
    other = tokens.create("keeper", table=room.private)
    with pytest.raises(StoreError, match="no token"):
        tokens.revoke(other.row.id, table=room.table)
    assert tokens.find(other.secret) is not None
    assert tokens.revoke(other.row.id, table=room.private).revoked_at is not None
    assert tokens.find(other.secret) is None


def test_routes_name_roles_that_exist() -> None:
    """A route that requires a role which nobody has is a mistake of the program, found when it starts."""
    with pytest.raises(ValueError, match="king"):
        require("king")
    with pytest.raises(ValueError, match="roles"):
        require()


def test_principal_does_not_show_its_digest() -> None:
    """What finds a token in the store is not part of how a principal is printed."""
    assert "abcdef" not in repr(Principal("keeper", "t", None, "id", "abcdef"))
