"""Databases are brought to the present schema when they are opened, and newer ones are left alone."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from domino_server.store import Place, Store, StoreError
from domino_server.store.engine import engine_for
from domino_server.store.schema import metadata
from tests import databases

_OPEN = """
import sys
from domino_server.store import Store
store = Store.open(sys.argv[1])
store.create_table(sys.argv[2], {})
"""


@pytest.fixture(params=databases.KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    with databases.fresh(request.param, tmp_path) as address:
        yield address


def test_the_migrations_make_what_the_statements_expect(url: str) -> None:
    """Alembic finds no difference between a migrated database and the schema."""
    store = Store.open(url)
    with store.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": _type_differs})
        assert compare_metadata(context, metadata) == []
    store.close()


def _type_differs(
    _: object, inspected: object, declared: object, inspected_type: object, declared_type: object
) -> bool:
    affinity = inspected_type._type_affinity  # type: ignore[attr-defined]
    return affinity is not declared_type._type_affinity  # type: ignore[attr-defined]


def test_processes_that_open_a_new_database_at_once_all_succeed(url: str) -> None:
    """Three processes find an empty database together: it is migrated once, and each adds its table."""
    command = [sys.executable, "-c", _OPEN, url]
    processes = [subprocess.Popen([*command, name], stderr=subprocess.PIPE, text=True) for name in "ABC"]
    errors = [process.communicate(timeout=280)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 3, errors
    store = Store.open(url)
    assert sorted(row.name for row in store.tables()) == list("ABC")
    store.close()


def test_a_newer_schema_is_left_alone(url: str) -> None:
    """A database of a later version is refused with its schema, and keeps it."""
    store = Store.open(url)
    with store.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError) as error:
        Store.open(url)
    assert error.value.code == "schema_too_new"
    assert error.value.params["schema"] == ["9999"]
    with store.read() as connection:
        assert _revision(connection) == "9999"
    store.close()


def _revision(connection: Connection) -> str:
    return str(connection.scalar(text("SELECT version_num FROM alembic_version")))


def test_a_migration_that_fails_leaves_an_empty_database(url: str) -> None:
    """A name that is taken stops the migration in its middle: all of it is undone."""
    engine = engine_for(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE tokens (id INTEGER)"))
    with pytest.raises(Exception, match="tokens"):
        Store.open(url)
    with engine.begin() as connection:
        assert not engine.dialect.has_table(connection, "events")
        connection.execute(text("DROP TABLE tokens"))
    Store.open(url).close()
    engine.dispose()


def test_sqlite_is_durable_and_private(tmp_path: Path) -> None:
    """WAL, full synchronisation, foreign keys; the folder and the file are for their owner alone."""
    path = tmp_path / "new" / "Świat ?#%20.db"
    store = Store.open(Place.of(path.parent).url.replace("dominotable.db", "Świat%20%3F%23%2520.db"))
    with store.read() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10000}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    store.close()


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("", "bad_database"),
        ("nonsense", "bad_database"),
        ("mysql://a@b/c", "bad_database"),
        ("postgresql://a:secret@b:port/c", "bad_database"),
        ("postgresql://a:secret@127.0.0.1:1/c", "store_unreachable"),
        ("sqlite:////proc/no/such.db", "store_unreachable"),
        ("sqlite:////", "store_unreachable"),
        ("sqlite:///file:a.db?mode=ro&uri=true", "bad_database"),
    ],
)
def test_an_address_that_leads_nowhere_is_said_in_one_line(address: str, code: str) -> None:
    """No traceback, no password."""
    with pytest.raises(StoreError) as error:
        Store.open(address)
    assert error.value.code == code
    assert "secret" not in error.value.message
    assert "\n" not in error.value.message


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg", "postgresql+psycopg2"])
def test_an_address_of_postgresql_may_be_written_as_others_write_it(scheme: str) -> None:
    """Whatever driver it names, ours is taken; waits that it sets are kept."""
    engine = engine_for(f"{scheme}://ana@db.example/games?connect_timeout=2")
    assert engine.url.render_as_string() == "postgresql+psycopg://ana@db.example/games?connect_timeout=2"


def test_without_the_driver_of_postgresql_its_name_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message tells what to install."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"dominotable\[postgresql\]") as error:
        Store.open("postgresql://ana@db.example/games")
    assert error.value.code == "bad_database"


def test_a_user_without_rights_is_told_so(tmp_path: Path) -> None:
    """PostgreSQL lets him in but lets him make no table; and a server that only reads takes nothing."""
    with databases.fresh("postgresql", tmp_path) as address:
        server = databases.postgres()
        server.sql("CREATE ROLE guest LOGIN")
        for url in (address.replace("postgres@", "guest@"), f"{address}&options=-cdefault_transaction_read_only=on"):
            with pytest.raises(StoreError) as error:
                Store.open(url)
            assert error.value.code == "store_unreachable"
            assert "may not be used" in error.value.message
        server.sql("DROP ROLE guest")


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    """A text file is refused and not written to."""
    path = tmp_path / "notes.db"
    path.write_text("shopping list\n" * 100, encoding="utf-8")
    with pytest.raises(StoreError) as error:
        Store.open(f"sqlite:///{path}")
    assert error.value.code == "store_unreachable"
    assert path.read_text(encoding="utf-8") == "shopping list\n" * 100


def test_the_usual_place_can_be_given_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Options come before the environment, and that before the user's folder of data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("DOMINOTABLE_DATA", raising=False)
    monkeypatch.delenv("DOMINOTABLE_DATABASE", raising=False)
    assert Place.of().folder == tmp_path / "xdg" / "dominotable"
    monkeypatch.setenv("DOMINOTABLE_DATA", str(tmp_path / "env"))
    monkeypatch.setenv("DOMINOTABLE_DATABASE", "postgresql://a@b/c")
    place = Place.of()
    assert (place.folder, place.url) == (tmp_path / "env", "postgresql://a@b/c")
    assert (place.evidence, place.keys) == (tmp_path / "env" / "evidence", tmp_path / "env" / "keys")
    assert Place.of(tmp_path, "sqlite://") == Place(tmp_path, "sqlite://")
