"""How often somebody may ask: buckets, and who shares one."""

import re
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from domino_server.access import Access, AccessOptions, Limits, Rate, Tokens
from domino_server.access.rates import Buckets, client_key
from domino_server.problems import RequestError
from domino_server.store import Store
from tests.access_app import Room, bearer, make_room


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@given(
    st.floats(1, 50),
    st.floats(0.1, 20),
    st.lists(st.floats(0, 3), min_size=1, max_size=120),
)
def test_bucket_gives_no_more_than_its_rate(burst: float, per_s: float, pauses: list[float]) -> None:
    """In any stretch of time a key gets at most its burst and what flowed in, and the wait that is told suffices."""
    clock = Clock()
    buckets = Buckets(Rate(burst, per_s), clock)
    taken, started = 0, clock.now
    for pause in pauses:
        clock.now += pause
        wait = buckets.take("a")
        taken += wait == 0
        assert taken <= burst + (clock.now - started) * per_s + 1e-6
        if wait:
            clock.now += wait + 1e-9
            assert buckets.take("a") == 0
            taken += 1


def test_buckets_are_kept_apart_and_few() -> None:
    """One key's requests are not another's, what is given back can be taken again, and old keys are forgotten."""
    buckets = Buckets(Rate(1, 0.001), Clock())
    assert buckets.take("a") == 0
    assert buckets.take("a") > 0
    assert buckets.take("b") == 0
    buckets.give_back("a")
    assert buckets.take("a") == 0
    for number in range(20_001):
        buckets.take(str(number))
    assert len(buckets._levels) == 20_000


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        (None, "unknown", True),
    ],
)
def test_clients_are_told_apart_by_network(one: str | None, other: str | None, same: bool) -> None:
    """An IPv4 address is a client, and so is a whole household's network of IPv6."""
    assert (client_key(one) == client_key(other)) == same


@pytest.fixture
def room() -> Room:
    return make_room(AccessOptions(limits=Limits(wrong=Rate(5, 0.01), upload=Rate(3, 0.01), create=Rate(2, 0.01))))


@pytest.fixture
def client(room: Room) -> Iterator[TestClient]:
    with TestClient(room.app) as client:
        yield client


def statuses(client: TestClient, times: int, path: str, **more: object) -> list[int]:
    return [client.post(path, **more).status_code for _ in range(times)]  # type: ignore[arg-type]


def test_guessing_tokens_is_stopped(room: Room, client: TestClient) -> None:
    """After a few wrong tokens further ones are refused unseen with 429 and a time to wait, even a right one."""
    path = f"/api/v1/tables/{room.table}/start"
    wrong = bearer("dt_" + "x" * 43)
    assert statuses(client, 8, path, headers=wrong) == [401] * 5 + [429] * 3
    assert client.post(path, headers={"Authorization": "Basic abc"}).status_code == 429
    response = client.post(path, headers=bearer(room.token("keeper")))
    assert response.status_code == 429
    assert response.json()["code"] == "too_many_requests"
    assert 0 < int(response.headers["retry-after"]) <= 100


def test_guesses_lock_nobody_out_who_was_in(room: Room, client: TestClient) -> None:
    """A token that was right before is served while somebody at the same address guesses."""
    path = f"/api/v1/tables/{room.table}/start"
    known = bearer(room.token("keeper"))
    assert client.post(path, headers=known).status_code == 200
    assert statuses(client, 9, path, headers=bearer("dt_" + "y" * 43))[-1] == 429
    assert client.post(path, headers=known).status_code == 200


def test_right_tokens_cost_no_guesses(room: Room, client: TestClient) -> None:
    """Many people who come with right tokens from one address are all let in."""
    path = f"/api/v1/tables/{room.table}/start"
    for _ in range(20):
        assert client.post(path, headers=bearer(room.token("keeper"))).status_code == 200


def test_uploads_are_fewer(client: TestClient) -> None:
    """Pictures have a stricter limit than other requests."""
    picture = {"picture": ("a.jpg", b"x", "image/jpeg")}
    assert statuses(client, 5, "/api/v1/read", files=picture) == [200, 200, 200, 429, 429]
    assert client.post("/api/v1/echo", content=b"text").status_code == 200


def test_tables_are_made_seldom(room: Room, client: TestClient) -> None:
    """Even an admin makes a few tables at a time only; looking at them goes on."""
    admin = bearer(room.token("admin"))
    assert statuses(client, 4, "/api/v1/tables", headers=admin) == [200, 200, 429, 429]
    assert client.get("/api/v1/tables", headers=admin).status_code == 200


def test_requests_of_one_address_are_limited() -> None:
    """Anything at all is refused once a client has asked too often."""
    room = make_room(AccessOptions(limits=Limits(address=Rate(10, 0.01))))
    with TestClient(room.app) as client:
        codes = [client.get(f"/api/v1/tables/{room.table}/state").status_code for _ in range(12)]
    assert codes == [200] * 10 + [429] * 2


def test_commands_of_one_token_are_limited() -> None:
    """Requests and commands with one token share a bucket; another token has its own."""
    store, clock = Store.open("sqlite://"), Clock()
    access = Access(Tokens(store), Limits(token=Rate(3, 1)), clock)
    first, second = (access.tokens.create("admin", table=None).secret for _ in range(2))
    who = access.resolve_secret("c", first)
    access.spend(who)
    access.spend(who)
    with pytest.raises(RequestError, match="too many"):
        access.spend(who)
    with pytest.raises(RequestError) as caught:
        access.resolve("c", f"Bearer {first}")
    assert caught.value.status == 429
    assert access.resolve("c", f"Bearer {second}") is not None
    clock.now += 1.01
    access.spend(who)


def test_default_limits_let_a_full_room_in() -> None:
    """Two hundred viewers may come from one address at once."""
    limits = Limits()
    assert limits.address is not None
    buckets = Buckets(limits.address, Clock())
    assert [buckets.take("room") for _ in range(400)] == [0.0] * 400


def test_problem_names_the_time_in_words() -> None:
    """The refusal says how long to wait, in whole seconds and never none."""
    access = Access(Tokens(Store.open("sqlite://")), Limits(wrong=Rate(1, 10)), Clock())
    for _ in range(2):
        with pytest.raises(RequestError) as caught:
            access.resolve("c", "Bearer nonsense")
    assert re.fullmatch(r"too many requests: wait 1 s", caught.value.message)
