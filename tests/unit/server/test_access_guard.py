"""What is refused before any route: foreign names, foreign pages, tokens in addresses; and headers on every answer."""

import ipaddress
import json
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse

from domino_server.access import AccessError, AccessOptions, Limits
from domino_server.access.hosts import OwnHosts
from domino_server.machine import Machine
from tests.access_app import Room, bearer, make_room

OWN = "http://testserver"


@pytest.fixture(scope="module")
def room() -> Room:
    return make_room(AccessOptions(allow_hosts=("table.example.org",), limits=Limits.none()))


@pytest.fixture
def client(room: Room) -> Iterator[TestClient]:
    with TestClient(room.app) as client:
        yield client


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example", "http://testserver.evil.example", "http://testserver:81", "http://evil.example:80",
        "null", "", "testserver", "file://", "http://testserver/", "http://user@testserver", "http://[::1",
    ],
)  # fmt: skip
def test_pages_of_others_cannot_write(room: Room, client: TestClient, origin: str) -> None:
    """A request that changes something is refused if a page of another origin sent it, even with a good token."""
    headers = {**bearer(room.token("keeper")), "Origin": origin}
    response = client.post(f"/api/v1/tables/{room.table}/start", headers=headers)
    assert (response.status_code, response.json()["code"]) == (403, "origin_refused")


@pytest.mark.parametrize("origin", [OWN, "http://testserver:80", "HTTP://TESTSERVER", None])
def test_own_pages_and_programs_write(room: Room, client: TestClient, origin: str | None) -> None:
    """The server's own pages may write, and so may programs, which name no origin."""
    headers = {**bearer(room.token("keeper")), **({} if origin is None else {"Origin": origin})}
    assert client.post(f"/api/v1/tables/{room.table}/start", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)]
)
def test_browsers_that_say_where_from_are_believed(room: Room, client: TestClient, site: str, status: int) -> None:
    """A browser that sends no origin but says that the request crosses sites is refused."""
    headers = {**bearer(room.token("keeper")), "Sec-Fetch-Site": site}
    assert client.post(f"/api/v1/tables/{room.table}/start", headers=headers).status_code == status


def test_reading_answers_give_other_origins_nothing(room: Room, client: TestClient) -> None:
    """A page of another origin may ask, but no header allows it to read, and none to embed the answer."""
    response = client.get(f"/api/v1/tables/{room.table}/state", headers={"Origin": "https://evil.example"})
    assert not [name for name in response.headers if name.startswith("access-control-")]
    assert response.headers["cross-origin-resource-policy"] == "same-origin"


def test_cross_origin_websocket_is_refused(room: Room, client: TestClient) -> None:
    """A WebSocket that a page of another origin opens is refused before it is one, whatever token would follow."""
    for origin in ("https://evil.example", "null"):
        path = f"/api/v1/tables/{room.table}/control"
        with (
            pytest.raises(WebSocketDenialResponse) as refused,
            client.websocket_connect(path, headers={"Origin": origin}),
        ):
            pass
        assert refused.value.status_code == 403
        assert refused.value.json()["code"] == "origin_refused"
    with client.websocket_connect(f"/api/v1/tables/{room.table}/control", headers={"Origin": OWN}) as socket:
        socket.send_json({"token": room.token("keeper")})
        assert socket.receive_json() == {"hello": "keeper"}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("testserver", 200), ("TestServer:80", 200), ("localhost:8420", 200), ("127.0.0.1", 200), ("[::1]:8420", 200),
        ("table.example.org", 200), ("TABLE.example.org.:443", 200),
        ("evil.example", 403), ("127.0.0.1.evil.example", 403), ("table.example.org.evil.example", 403),
        ("", 403), ("localhost@evil.example", 403), ("localhost:0", 403), ("localhost:99999", 403), ("[::1", 403),
        ("localhost evil.example", 403), ("2130706433", 403), ("0x7f.1", 403), ("8.8.8.8", 403),
    ],
)  # fmt: skip
def test_only_own_names_are_answered(room: Room, client: TestClient, host: str, status: int) -> None:
    """A request for a name that is not the server's, as after DNS rebinding, is refused, also a harmless one."""
    response = client.get(f"/api/v1/tables/{room.table}/state", headers={"Host": host})
    assert response.status_code == status, response.text
    if status == 403:
        assert response.json()["code"] == "host_refused"


def test_address_of_a_network_that_came_later_is_known() -> None:
    """The machine's addresses are looked up again for a name that is not known, at most every few seconds."""
    looks: list[int] = []

    def machine() -> Machine:
        looks.append(1)
        return Machine(("localhost",), (ipaddress.ip_address("192.168.7.7"), ipaddress.ip_address("fe80::1%eth0")))

    hosts = OwnHosts((), machine)
    assert hosts.knows("192.168.7.7")
    assert hosts.knows("fe80::1")
    assert not hosts.knows("192.168.7.8")
    assert not hosts.knows("192.168.7.9")
    assert len(looks) == 1
    assert hosts.knows("10.1.2.3", "10.1.2.3")


@pytest.mark.parametrize("name", ["", "a b", "http://a", "a:80", "a/b", "*", "ä.example"])
def test_names_that_cannot_be_allowed(name: str) -> None:
    """`--allow-host` takes a name or an address and nothing else."""
    with pytest.raises(AccessError) as caught:
        OwnHosts([name])
    assert caught.value.code == "bad_host"


def test_tokens_in_addresses_are_refused(room: Room, client: TestClient) -> None:
    """A token in a query string is refused, whether it holds or not, so that nobody gets used to it."""
    secret = room.token("viewer")
    for query in (f"token={secret}", f"x=1&t={secret.replace('_', '%5F')}", f"{secret}"):
        response = client.get(f"/api/v1/tables/{room.table}/state?{query}")
        assert (response.status_code, response.json()["code"]) == (400, "token_in_url")
        assert secret not in response.text


def test_every_answer_has_the_headers(room: Room, client: TestClient) -> None:
    """Policy, no sniffing, no referrer, no microphone, camera for own pages: on pages, errors and refusals alike."""
    for path in (
        f"/overlay/{room.table}",
        "/nothing",
        f"/api/v1/tables/{room.private}/state",
        "/api/v1/tables?dt_" + "a" * 43,
    ):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "microphone=()" in headers["permissions-policy"]
        assert "camera=(self)" in headers["permissions-policy"]
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self'; ")
        assert "unsafe" not in policy


def test_only_the_overlay_is_framed(room: Room, client: TestClient) -> None:
    """Streamers frame the overlay; nobody frames a page with buttons, nor one that only begins like the overlay."""
    overlay = client.get(f"/overlay/{room.table}").headers
    assert "frame-ancestors *" in overlay["content-security-policy"]
    assert "x-frame-options" not in overlay
    for path in ("/", "/table/x", "/overlays", "/overlay-settings"):
        page = client.get(path).headers
        assert "frame-ancestors 'none'" in page["content-security-policy"]
        assert page["x-frame-options"] == "DENY"


def test_policy_names_only_the_checked_host(room: Room, client: TestClient) -> None:
    """WebSockets go to the host of the request, and a refused host does not get into the policy."""
    assert "ws://testserver wss://testserver;" in client.get("/").headers["content-security-policy"]
    refused = client.get("/", headers={"Host": "evil.example; script-src *"}).headers["content-security-policy"]
    assert "evil" not in refused


def test_problem_of_a_refusal_is_like_all_others(room: Room, client: TestClient) -> None:
    """What the guard refuses has the one shape of errors."""
    body = json.loads(client.get("/", headers={"Host": "evil.example"}).content)
    assert set(body) == {"type", "title", "status", "detail", "code", "params"}
