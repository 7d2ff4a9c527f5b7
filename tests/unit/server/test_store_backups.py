"""Copies of the whole database while tables go on, and what is taken in from them."""

from __future__ import annotations

import hashlib
import sqlite3
import stat
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from domino_server.store import NewEvent, Store, StoreError, StoreJournal, backup, export_table, import_any
from tests import databases


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Store]:
    """A store in a file."""
    opened = Store.open(f"sqlite:///{tmp_path / 'dominotable.db'}")
    yield opened
    opened.close()


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[Store]:
    """A store in PostgreSQL."""
    with databases.fresh("postgresql", tmp_path) as address:
        opened = Store.open(address)
        yield opened
        opened.close()


def test_a_copy_of_sqlite_is_a_database_of_one_moment(sqlite: Store, tmp_path: Path) -> None:
    """While another thread keeps adding events the copy is one file, whole, with a chain that ends somewhere."""
    table = sqlite.create_table("A", {}).id
    sqlite.add_token(table=table, role="keeper", hash="a" * 64, label="")
    sqlite.append(table, [NewEvent("said", {"n": n, "text": "x" * 500}) for n in range(500)])
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            sqlite.append(table, [NewEvent("said", {"more": True})])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        before = sqlite.last_seq(table)
        backup(sqlite, tmp_path / "copy.db")
        after = sqlite.last_seq(table)
    finally:
        stop.set()
        writer.join()
    path = tmp_path / "copy.db"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    copy = Store.open(f"sqlite:///{path}")
    assert before <= copy.last_seq(table) <= after
    assert copy.events(table) == sqlite.events(table, limit=copy.last_seq(table))
    assert copy.tokens(table) == sqlite.tokens(table)
    copy.close()


def test_a_copy_of_postgresql_can_be_taken_in_anywhere(postgres: Store, sqlite: Store, tmp_path: Path) -> None:
    """All tables, archived ones too, come out as exported files in one, and go into SQLite."""
    for name in "AB":
        StoreJournal(postgres, postgres.create_table(name, {"n": name}).id).add(["Game: bingo", name])
    postgres.archive(postgres.tables()[0].id)
    out = tmp_path / "all.zip"
    backup(postgres, out)
    rows = import_any(sqlite, out, None)
    assert [(row.name, row.config) for row in rows] == [("A", {"n": "A"}), ("B", {"n": "B"})]
    origins = {row.origin: row for row in rows}
    for row in postgres.tables(archived=True):
        hashes = [event.hash for event in sqlite.events(origins[row.id].id)]
        assert hashes == [event.hash for event in postgres.events(row.id)]
    assert not list(tmp_path.glob(".*"))


def test_one_bad_table_in_a_backup_refuses_them_all(sqlite: Store, tmp_path: Path) -> None:
    """Everything is checked before anything is added."""
    table = sqlite.create_table("A", {}).id
    export_table(sqlite, table, None, tmp_path / f"{table}.zip")
    good = (tmp_path / f"{table}.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as file:
        file.writestr(f"{table}.zip", good)
        file.writestr("000000000000.zip", good[:-10])
    with pytest.raises(StoreError) as error:
        import_any(sqlite, tmp_path / "all.zip", None)
    assert error.value.code == "bad_export"
    assert len(sqlite.tables()) == 1


def test_a_file_is_replaced_only_by_a_whole_one(sqlite: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export that breaks off leaves the file of before and no half of a new one."""
    table = sqlite.create_table("A", {}).id
    out = tmp_path / "out.zip"
    out.write_bytes(b"before")
    evidence = tmp_path / "evidence" / table
    evidence.mkdir(parents=True)
    (evidence / f"{hashlib.sha256(b'x').hexdigest()}.jpg").write_bytes(b"x")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("domino_server.store.exporting._Writer.copy", full)
    with pytest.raises(StoreError) as error:
        export_table(sqlite, table, tmp_path / "evidence", out)
    assert error.value.code == "store_full"
    assert out.read_bytes() == b"before"
    assert not [*tmp_path.glob("*.part"), *tmp_path.glob(".*")]


def test_the_database_itself_is_never_written_over(sqlite: Store, tmp_path: Path) -> None:
    """Neither by a copy nor by an export, whatever way the path is written."""
    table = sqlite.create_table("A", {}).id
    (tmp_path / "link.db").symlink_to(tmp_path / "dominotable.db")
    for path in (tmp_path / "dominotable.db", tmp_path / "link.db"):
        for write in (lambda out: backup(sqlite, out), lambda out: export_table(sqlite, table, None, out)):
            with pytest.raises(StoreError) as error:
                write(path)
            assert error.value.code == "same_file"
    assert sqlite.last_seq(table) == 0


def test_an_export_can_end_at_an_event(sqlite: Store, tmp_path: Path) -> None:
    """Later events of a table that goes on stay out."""
    table = sqlite.create_table("A", {}).id
    sqlite.append(table, [NewEvent("said", {"n": n}) for n in range(5)])
    export_table(sqlite, table, None, tmp_path / "a.zip", last_seq=3)
    (row,) = import_any(sqlite, tmp_path / "a.zip", None)
    assert [event.data["n"] for event in sqlite.events(row.id)] == [0, 1, 2]
