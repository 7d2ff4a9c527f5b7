"""Killed writers, killed databases, full disks: nothing that was committed is lost, and the store goes on later."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from domino_server.judge.chain import genesis, next_hash
from domino_server.store import NewEvent, Store, StoreError, StoreJournal, backup
from tests import databases

_WRITER = """
import sys
from domino_server.store import NewEvent, Store
store, table = Store.open(sys.argv[1]), sys.argv[2]
while True:
    stored = store.append(table, [NewEvent("said", {"text": "x" * 300, "part": part}) for part in range(3)])
    print(stored[-1].seq, stored[-1].hash, flush=True)
"""


@pytest.fixture(params=databases.KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    with databases.fresh(request.param, tmp_path) as address:
        yield address


def assert_whole(store: Store, table: str, acknowledged: dict[int, str]) -> None:
    """Every event that was acknowledged is there, none is missing between, batches are whole, the chain holds."""
    events = store.events(table)
    assert [each.seq for each in events] == list(range(1, len(events) + 1))
    head = genesis(table)
    for each in events:
        head = next_hash(head, table, each.seq, each.at, each.kind, each.data)
        assert each.hash == head
    assert acknowledged.items() <= {each.seq: each.hash for each in events}.items()


def test_a_killed_writer_loses_nothing_that_append_returned(url: str) -> None:
    """Killed three times in the middle of writing, at another moment each time; batches are whole or not there."""
    store = Store.open(url)
    table = store.create_table("A", {}).id
    acknowledged: dict[int, str] = {}
    for lines in (1, 7, 40):
        command = [sys.executable, "-c", _WRITER, url, table]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(lines):
                _acknowledge(acknowledged, writer.stdout.readline())
            writer.kill()
            for line in writer.stdout:
                if line.endswith("\n"):
                    _acknowledge(acknowledged, line)
        assert_whole(store, table, acknowledged)
        assert store.last_seq(table) % 3 == 0
    assert len(acknowledged) >= 48
    store.append(table, [NewEvent("said", {})])
    store.close()


def _acknowledge(acknowledged: dict[int, str], line: str) -> None:
    seq, digest = line.split()
    acknowledged[int(seq)] = digest


def test_a_killed_server_is_said_to_be_unreachable_and_comes_back(tmp_path: Path) -> None:
    """PostgreSQL is killed while threads write; once it runs again the same store and journal go on."""
    with databases.fresh("postgresql", tmp_path) as address:
        server, store = databases.postgres(), Store.open(address)
        table, game = store.create_table("A", {}).id, store.create_table("B", {}).id
        journal = StoreJournal(store, game)
        journal.add(["Game: bingo"])
        acknowledged: dict[int, str] = {}
        codes: list[str] = []

        def write() -> None:
            while True:
                try:
                    for each in store.append(table, [NewEvent("said", {"n": 1}), NewEvent("said", {"n": 2})]):
                        acknowledged[each.seq] = each.hash
                except StoreError as error:
                    codes.append(error.code)
                    return

        writers = [threading.Thread(target=write) for _ in range(3)]
        for writer in writers:
            writer.start()
        while len(acknowledged) < 30:
            time.sleep(0.01)
        server.kill()
        try:
            for writer in writers:
                writer.join(60)
            assert codes == ["store_unreachable"] * 3
            for call in (store.check, store.tables, lambda: journal.add(["lost"])):
                with pytest.raises(StoreError) as error:
                    call()
                assert error.value.code == "store_unreachable"
            assert journal.text == "Game: bingo\n"
        finally:
            server.start()
        store.check()
        assert_whole(store, table, acknowledged)
        journal.add(["Seats: Ana, Bo"])
        assert StoreJournal(store, game).text == "Game: bingo\nSeats: Ana, Bo\n"
        store.close()


def test_a_database_that_another_process_holds_is_said_to_be_unreachable(tmp_path: Path) -> None:
    """SQLite waits, then says so, and goes on once the other one has let go."""
    store = Store.open(f"sqlite:///{tmp_path / 'a.db'}?timeout=0.2")
    table = store.create_table("A", {}).id
    other = Store.open(f"sqlite:///{tmp_path / 'a.db'}")
    with other.write():
        with pytest.raises(StoreError) as error:
            store.append(table, [NewEvent("said", {})])
        assert error.value.code == "store_unreachable"
        assert store.last_seq(table) == 0
    store.append(table, [NewEvent("said", {})])
    assert store.last_seq(table) == 1
    store.close()
    other.close()


def test_a_database_whose_file_is_gone_or_broken_is_said_to_be_unreachable(tmp_path: Path) -> None:
    """A folder that vanished (an unplugged disk), then rubbish in the place of the file, then the file again."""
    folder = tmp_path / "disk"
    store = Store.open(f"sqlite:///{folder / 'a.db'}")
    table = store.create_table("A", {}).id
    store.engine.dispose()
    folder.rename(tmp_path / "unplugged")
    with pytest.raises(StoreError) as gone:
        store.append(table, [NewEvent("said", {})])
    folder.mkdir()
    (folder / "a.db").write_text("no database at all\n" * 300, encoding="utf-8")
    with pytest.raises(StoreError) as broken:
        store.check()
    assert (gone.value.code, broken.value.code) == ("store_unreachable", "store_unreachable")
    (folder / "a.db").unlink()
    folder.rmdir()
    (tmp_path / "unplugged").rename(folder)
    store.append(table, [NewEvent("said", {})])
    assert store.last_seq(table) == 1
    store.close()


def fill(store: Store, table: str) -> dict[int, str]:
    """Append until the store is full; return what was acknowledged."""
    acknowledged: dict[int, str] = {}
    for n in range(2000):
        try:
            for each in store.append(table, [NewEvent("said", {"n": n, "text": "x" * 5000, "part": p}) for p in "ab"]):
                acknowledged[each.seq] = each.hash
        except StoreError as error:
            if error.code != "store_full":
                raise
            return acknowledged
    raise AssertionError("the disk is still not full")


def test_a_database_that_may_not_grow_is_full_and_keeps_what_it_has(tmp_path: Path) -> None:
    """SQLite at its limit of pages refuses events whole; with room again it goes on."""
    store = Store.open(f"sqlite:///{tmp_path / 'a.db'}")
    table = store.create_table("A", {}).id
    limit = {"pages": 60}

    @event.listens_for(store.engine, "connect")
    def _limit(connection: object, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {limit['pages']}")  # type: ignore[attr-defined]

    store.engine.dispose()
    acknowledged = fill(store, table)
    assert len(acknowledged) >= 10
    assert_whole(store, table, acknowledged)
    assert store.last_seq(table) == max(acknowledged)
    limit["pages"] = 1000
    store.engine.dispose()
    store.append(table, [NewEvent("said", {})])
    assert_whole(store, table, acknowledged)
    store.close()


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Give a file system of a few bytes; skips the test where it cannot be mounted."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=777", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    if done.returncode != 0:
        pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def resize(folder: Path, size: str) -> None:
    """Give a small disk another size."""
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True)


def test_a_full_disk_under_sqlite(tmp_path: Path) -> None:
    """A real disk without room: events are refused whole, a copy too, and both work once there is room."""
    with small_disk(tmp_path / "disk", "1m") as disk:
        store = Store.open(f"sqlite:///{disk / 'a.db'}")
        table = store.create_table("A", {}).id
        acknowledged = fill(store, table)
        assert len(acknowledged) >= 10
        assert_whole(store, table, acknowledged)
        with pytest.raises(StoreError) as error:
            backup(store, disk / "copy.db")
        assert error.value.code == "store_full"
        assert not [*disk.glob("copy*"), *disk.glob(".copy*")]
        store.close()
        store = Store.open(f"sqlite:///{disk / 'a.db'}")
        assert_whole(store, table, acknowledged)
        resize(disk, "20m")
        store.append(table, [NewEvent("said", {})])
        backup(store, disk / "copy.db")
        assert_whole(store, table, acknowledged)
        store.close()


def test_a_disk_without_any_room_is_said_to_be_full_at_once(tmp_path: Path) -> None:
    """Opening a new database on it fails with one line."""
    with small_disk(tmp_path / "disk", "16k") as disk:
        (disk / "filler").write_bytes(b"x" * 8192)
        with pytest.raises(StoreError) as error:
            Store.open(f"sqlite:///{disk / 'a.db'}")
        assert error.value.code == "store_full"


def test_a_full_disk_under_postgresql(tmp_path: Path) -> None:
    """The server's table space runs full: the same."""
    server = databases.postgres()
    with small_disk(server.folder / "disk", "24m") as disk:
        space = disk / "space"
        space.mkdir()
        databases.give_to_server(space)
        server.sql(f"CREATE TABLESPACE small LOCATION '{space}'")
        server.sql("CREATE DATABASE full_disk TABLESPACE small")
        try:
            store = Store.open(server.url("full_disk"))
            table = store.create_table("A", {}).id
            resize(disk, f"{int(_used(disk) * 1.05)}")
            acknowledged = fill(store, table)
            assert_whole(store, table, acknowledged)
            resize(disk, "64m")
            store.append(table, [NewEvent("said", {})])
            assert_whole(store, table, acknowledged)
            store.close()
        finally:
            server.sql("DROP DATABASE full_disk WITH (FORCE)")
            server.sql("DROP TABLESPACE small")


def _used(folder: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*"))
