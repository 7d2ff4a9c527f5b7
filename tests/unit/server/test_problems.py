"""Problems: what an error says of the server's own files and databases stays in the server's log."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from psycopg import errors as psycopg_errors
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from domino_server.problems import without_folders
from domino_server.store import Store, StoreError
from domino_server.store.errors import of_sqlite, translated
from tests.table_frames import Film
from tests.table_server import house


def test_a_full_disk_is_told_without_its_place(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A database that cannot grow is refused with 507; where it lies is in the log alone."""
    store = Store.open(f"sqlite:///{tmp_path / 'a.db'}")

    def no_room(connection: Any, _: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # SQLite takes the pages that there are as the least

    with house(Film(), store, data=tmp_path) as server:
        event.listen(store.engine, "connect", no_room)
        store.engine.dispose()
        config = {"name": "T", "seats": ["A", "B"]}
        answers = [server.client.post("/api/v1/tables", headers=server.admin, json=config) for _ in range(60)]
    full = next(each for each in answers if each.status_code != 201)
    assert (full.status_code, full.json()["code"]) == (507, "store_full")
    assert full.json()["detail"] == "the database: the disk is full, make room on it (docs/store.md says how)"
    assert str(tmp_path) not in full.text
    assert any(str(tmp_path) in each.getMessage() for each in caplog.records if each.levelno == logging.ERROR)


def test_no_error_of_a_store_tells_its_place(tmp_path: Path) -> None:
    """File, host and user are cut out of whatever happens, and so is what the database says of itself."""
    place = f"the database {tmp_path}/a.db"
    found: list[StoreError] = [of_sqlite(sqlite3.OperationalError(f"unable to open {tmp_path}/a.db"), place)]
    server = "the database postgresql+psycopg://ana@db.house/dominotable"
    for cause in (psycopg_errors.DiskFull, psycopg_errors.InsufficientPrivilege, psycopg_errors.ConnectionTimeout):
        with pytest.raises(StoreError) as caught, translated(server):
            raise OperationalError("SELECT 1", {}, cause("connection to db.house as ana failed"))
        found.append(caught.value)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError) as caught:
        Store.open(f"sqlite:///{tmp_path / 'file' / 'a.db'}")
    found.append(caught.value)
    assert [each.code for each in found].count("store_unreachable") == 4
    for error in found:
        shown = without_folders(error)
        for secret in (str(tmp_path), "db.house", "ana"):
            assert secret not in shown.message
            assert secret not in str(dict(shown.params))
        assert shown.message
