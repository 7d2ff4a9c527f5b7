"""The store keeps tables, events and tokens alike in SQLite and in PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from domino_server.judge.chain import ChainError, genesis, next_hash
from domino_server.store import NewEvent, Store, StoreError
from tests import databases


@pytest.fixture(params=databases.KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    with databases.fresh(request.param, tmp_path) as address:
        yield address


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An open store."""
    opened = Store.open(url)
    yield opened
    opened.close()


def test_a_table_is_kept_as_it_was_made(store: Store) -> None:
    """Name and configuration come back, in a store that was opened anew too."""
    config = {"game": "bingo", "seats": ["Đorđe", "Zoë 😀"], "deep": {"a": [1, None, True, 0.5]}}
    row = store.create_table("Stół „Pod Dębem”", config)
    assert row.config == config
    assert row.origin == row.id
    assert len(row.id) == 12
    assert store.tables() == (row,)
    assert store.table(row.id) == row


def test_what_is_kept_outlives_the_store(url: str) -> None:
    """A store that is opened again holds the same tables, events and tokens."""
    first = Store.open(url)
    row = first.create_table("A", {})
    events = first.append(row.id, [NewEvent("record", {"line": "Game: bingo"})])
    token = first.add_token(table=row.id, role="keeper", hash="00" * 32, label="Ana")
    first.close()
    again = Store.open(url)
    assert (again.table(row.id), again.events(row.id), again.tokens(row.id)) == (row, events, (token,))
    again.close()


def test_a_table_can_be_renamed_configured_and_put_away(store: Store) -> None:
    """Changes show at once; a table that was put away is listed only on request and keeps its moment."""
    row, other = store.create_table("A", {"a": 1}), store.create_table("B", {})
    assert store.configure(row.id, name="Ź").name == "Ź"
    assert store.configure(row.id, config={"a": 2}).config == {"a": 2}
    assert store.configure(row.id) == store.table(row.id)
    away = store.archive(row.id)
    assert away.archived_at is not None
    assert away.archived_at.tzinfo is UTC
    assert store.archive(row.id) == away
    assert store.tables() == (other,)
    assert store.tables(archived=True) == (away, other)


@pytest.mark.parametrize("unknown", ["000000000000", "", "x", "../../../etc", "a" * 13, "\0" * 12, "\ud800" * 12, "É"])
def test_an_unknown_table_is_said_to_be_so(store: Store, unknown: str) -> None:
    """Every call that names a table refuses one that does not exist, whatever the text."""
    calls = (
        lambda: store.table(unknown),
        lambda: store.configure(unknown, name="A"),
        lambda: store.archive(unknown),
        lambda: store.append(unknown, [NewEvent("said", {})]),
        lambda: store.events(unknown),
        lambda: store.last_seq(unknown),
        lambda: store.add_token(table=unknown, role="judge", hash="00", label=""),
    )
    for call in calls:
        with pytest.raises(StoreError) as error:
            call()
        assert error.value.code == "unknown_table"


def test_events_are_numbered_and_chained(store: Store) -> None:
    """Numbers run 1, 2, 3 in each table; each hash follows from the one before it."""
    one, two = store.create_table("A", {}), store.create_table("B", {})
    first = store.append(one.id, [NewEvent("said", {"n": 1}), NewEvent("told", {"n": 2})])
    other = store.append(two.id, [NewEvent("said", {"n": 1})])
    last = store.append(one.id, [NewEvent("said", {"n": 3})])
    assert [event.seq for event in (*first, *last)] == [1, 2, 3]
    assert [event.seq for event in other] == [1]
    head = genesis(one.id)
    for event in store.events(one.id):
        head = next_hash(head, one.id, event.seq, event.at, event.kind, event.data)
        assert event.hash == head
    assert (store.last_seq(one.id), store.last_seq(two.id)) == (3, 1)
    assert store.append(one.id, []) == ()


def test_events_are_found_by_number_and_kind(store: Store) -> None:
    """`after`, `kinds` and `limit` go together; the order is that of the numbers."""
    table = store.create_table("A", {}).id
    kinds = ["record", "said", "said", "told", "record", "said"]
    stored = store.append(table, [NewEvent(kind, {"n": n}) for n, kind in enumerate(kinds)])
    assert store.events(table) == stored
    assert [event.seq for event in store.events(table, after=4)] == [5, 6]
    assert [event.seq for event in store.events(table, kinds=["said"])] == [2, 3, 6]
    assert [event.seq for event in store.events(table, after=2, kinds={"said", "record"}, limit=2)] == [3, 5]
    assert store.events(table, kinds=()) == ()
    assert store.events(table, after=6) == ()


def test_the_moment_of_an_event_is_kept_to_the_microsecond(store: Store) -> None:
    """A moment of any time zone comes back in UTC; without one it is now."""
    table = store.create_table("A", {}).id
    at = datetime(2026, 11, 30, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    before = datetime.now(UTC)
    store.append(table, [NewEvent("said", {}, at), NewEvent("said", {})])
    given, now = store.events(table)
    assert given.at == at
    assert given.at.isoformat() == "2026-11-29T19:32:03.000004+00:00"
    assert before <= now.at <= datetime.now(UTC)


def test_what_has_no_json_is_refused_and_nothing_is_kept(store: Store) -> None:
    """One bad event among good ones: none of them is kept."""
    table = store.create_table("A", {}).id
    for bad in ({"a": float("nan")}, {"a": "\ud800"}, {"a": object()}, {"a": 2**60}):
        with pytest.raises(ChainError):
            store.append(table, [NewEvent("said", {}), NewEvent("said", bad)])
    with pytest.raises(ChainError, match="no time zone"):
        store.append(table, [NewEvent("said", {}), NewEvent("said", {}, datetime(2026, 1, 1))])  # noqa: DTZ001
    with pytest.raises(StoreError, match="NUL"):
        store.append(table, [NewEvent("sa\0id", {})])
    with pytest.raises(StoreError, match="half a character"):
        store.create_table("\udc00", {})
    assert store.last_seq(table) == 0


@pytest.mark.parametrize("statement", ["UPDATE events SET data = '{}'", "DELETE FROM events"])
def test_the_database_itself_refuses_to_change_an_event(store: Store, statement: str) -> None:
    """Whoever reaches the database with our rights by mistake changes nothing that was said."""
    table = store.create_table("A", {}).id
    stored = store.append(table, [NewEvent("said", {"n": 1})])
    with pytest.raises(DBAPIError, match="events are only added"), store.write() as connection:
        connection.execute(text(statement))
    assert store.events(table) == stored


def test_threads_that_append_at_once_leave_no_gap(store: Store) -> None:
    """Eight threads, two tables: every number is there once, batches stay together, the chain holds."""
    tables = [store.create_table(name, {}) for name in "AB"]
    start = threading.Barrier(8)

    def work(worker: int) -> list[tuple[int, ...]]:
        start.wait()
        table = tables[worker % 2].id
        batches = []
        for n in range(12):
            events = [NewEvent("said", {"worker": worker, "n": n, "part": part}) for part in range(3)]
            batches.append(tuple(event.seq for event in store.append(table, events)))
        return batches

    with ThreadPoolExecutor(8) as pool:
        batches = [batch for found in pool.map(work, range(8)) for batch in found]
    assert all(batch == tuple(range(batch[0], batch[0] + 3)) for batch in batches)
    for row in tables:
        events = store.events(row.id)
        assert [event.seq for event in events] == list(range(1, 4 * 12 * 3 + 1))
        head = genesis(row.id)
        for event in events:
            head = next_hash(head, row.id, event.seq, event.at, event.kind, event.data)
            assert event.hash == head


def test_tokens_are_found_by_their_hash_until_they_are_revoked(store: Store) -> None:
    """A revoked token is listed, but found no longer; the house's tokens are apart from those of tables."""
    table = store.create_table("A", {}).id
    house = store.add_token(table=None, role="admin", hash="a" * 64, label="house")
    player = store.add_token(table=table, role="player", hash="b" * 64, label="Zoë", seat="Zoë")
    assert store.find_token("b" * 64) == player
    assert (store.tokens(None), store.tokens(table)) == ((house,), (player,))
    revoked = store.revoke_token(player.id)
    assert revoked.revoked_at is not None
    assert store.revoke_token(player.id) == revoked
    assert store.find_token("b" * 64) is None
    assert store.tokens(table) == (revoked,)
    assert store.find_token("\0") is None


def test_a_token_is_kept_once_and_only_a_known_one_is_revoked(store: Store) -> None:
    """The same hash twice and an unknown id are told apart."""
    store.add_token(table=None, role="admin", hash="a" * 64, label="house")
    with pytest.raises(StoreError) as twice:
        store.add_token(table=None, role="admin", hash="a" * 64, label="again")
    for unknown in ("000000000000", "\0", "x"):
        with pytest.raises(StoreError) as error:
            store.revoke_token(unknown)
        assert error.value.code == "unknown_token"
    assert twice.value.code == "token_exists"
    assert len(store.tokens(None)) == 1


def test_a_store_in_memory_serves_several_threads() -> None:
    """`sqlite://` is one database for all threads."""
    store = Store.open("sqlite://")
    table = store.create_table("A", {}).id
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: store.append(table, [NewEvent("said", {"n": n})]), range(40)))
    assert store.last_seq(table) == 40
    store.check()
    store.close()
