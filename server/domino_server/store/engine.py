"""How the databases are reached: SQLite with durable writes, PostgreSQL with short waits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import QueuePool

from domino_server.store.errors import StoreError

BUSY_S: Final = 10
"""How long a write waits for another one."""
CONNECT_S: Final = 5
WRITING: Final = "store_writing"
"""Execution option of connections whose transactions write."""


def engine_for(url: str) -> Engine:
    """Return an engine that is not connected yet.

    Args:
        url: `sqlite:////path/to/file`, `sqlite://` (in memory, for tests) or `postgresql://user@host/database`. A
            query sets waits: `?timeout=2` for SQLite, `?connect_timeout=2` for PostgreSQL, seconds.

    Raises:
        StoreError: `bad_database`; `store_unreachable` if the folder of the file cannot be made.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError("bad_database", "the address of the database cannot be read") from error
    backend = parsed.get_backend_name()
    try:
        if backend == "sqlite":
            return _sqlite(parsed)
        if backend in {"postgresql", "postgres"}:
            return _postgresql(parsed.set(drivername="postgresql+psycopg"))
    except ModuleNotFoundError as error:
        message = "PostgreSQL needs a driver: pip install 'dominotable[postgresql]'"
        raise StoreError("bad_database", message) from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreError("bad_database", f"the address of the database cannot be used: {error}") from error
    raise StoreError("bad_database", f"{backend!r} is no database of ours: sqlite or postgresql", backend=backend)


def shown(url: URL) -> str:
    """Return a database as it may be shown: the file, or the address without its password."""
    if url.get_backend_name() == "sqlite":
        return f"the database {url.database or '(in memory)'}"
    return f"the database {url.set(query={}).render_as_string(hide_password=True)}"


def _sqlite(url: URL) -> Engine:
    path = url.database
    options: dict[str, Any] = {}
    if path and path.startswith("file:"):
        raise StoreError("bad_database", "write sqlite:////path/to/file, not a `file:` address")
    if path and path != ":memory:":
        _make_private(Path(path))
    else:  # one connection, that all threads take turns on: each connection would be a database of its own
        options = {"pool_size": 1, "max_overflow": 0}
    engine = create_engine(
        url.set(drivername="sqlite"),
        poolclass=QueuePool,
        pool_timeout=BUSY_S,
        connect_args={"check_same_thread": False} | ({} if "timeout" in url.query else {"timeout": BUSY_S}),
        **options,
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_private(path: Path) -> None:
    """Make the file so that nobody else reads it: the record holds hands."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"the database {path} cannot be opened: {reason}"
        raise StoreError("store_unreachable", message, path=str(path)) from error


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin when we say so, not when the driver thinks
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get(WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _postgresql(url: URL) -> Engine:
    given = {name.lower() for name in url.query}
    waits = {"connect_timeout": CONNECT_S, "tcp_user_timeout": BUSY_S * 1000, "application_name": "dominotable"}
    return create_engine(
        url,
        connect_args={name: value for name, value in waits.items() if name not in given},
        pool_pre_ping=True,
        pool_timeout=BUSY_S,
    )
