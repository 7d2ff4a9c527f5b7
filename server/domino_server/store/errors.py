"""What can go wrong with the store, told apart by what a person can do about it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from domino_rules.errors import DominoError

_ID: Final = re.compile("[a-z0-9]{12}")
_PG_FULL: Final = "53100"
_PG_FORBIDDEN: Final = frozenset({"42501", "25006"})
"""States of PostgreSQL: the user lacks a right; the server only reads."""
_SHORT: Final = 300
"""Most characters of a database's own words in a message."""


class StoreError(DominoError):
    """The store cannot do what was asked.

    `store_unreachable` (busy, gone, broken, or not a database), `store_full`, `unknown_table`, `unknown_token`,
    `token_exists`, `bad_export`, `schema_too_new`, `bad_database` (an address that names no database of ours),
    `bad_text` (a text that not every database can hold), `bad_undo`.
    """


def unknown_table(id: str) -> StoreError:  # noqa: A002 - the field's own word
    """Return the error for an id that no table has."""
    return StoreError("unknown_table", f"there is no table {id!r}", table=id)


def is_id(id: str) -> bool:  # noqa: A002
    """Return whether a text may be an id at all; others are never shown to a database."""
    return _ID.fullmatch(id) is not None


def checked_id(id: str) -> str:  # noqa: A002
    """Return the id of a table; raises StoreError `unknown_table` if no table can have it."""
    if not is_id(id):
        raise unknown_table(id)
    return id


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Turn what a database says about its state into a `StoreError`; mistakes of the program pass as they are.

    Args:
        where: the database as it may be shown, without a password.

    Raises:
        StoreError: `store_full` or `store_unreachable`.
    """
    try:
        yield
    except PoolTimeoutError as error:
        message = f"{where} is busy: no connection was free in time"
        raise StoreError("store_unreachable", message, database=where) from error
    except DBAPIError as error:
        found = _of(error, where)
        if found is None:
            raise
        raise found from error


def _of(error: DBAPIError, where: str) -> StoreError | None:
    cause = error.orig
    words = _words(cause)
    if isinstance(cause, sqlite3.Error):
        return _of_sqlite(cause, where)
    state = getattr(cause, "sqlstate", None)
    if state == _PG_FULL:
        return _full(where, words)
    if state in _PG_FORBIDDEN:
        return _unreachable(where, "may not be used", words)
    if isinstance(error, OperationalError | InterfaceError) or error.connection_invalidated:
        return _unreachable(where, "cannot be reached", words)
    return None


_SQLITE_STATES: Final = {
    sqlite3.SQLITE_BUSY: "is busy: another process holds it",
    sqlite3.SQLITE_LOCKED: "is busy: another process holds it",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_READONLY: "may not be written",
    sqlite3.SQLITE_PERM: "may not be opened",
    sqlite3.SQLITE_NOTADB: "is no database",
    sqlite3.SQLITE_CORRUPT: "is damaged",
    sqlite3.SQLITE_IOERR: "cannot be read or written",
}


def of_sqlite(cause: sqlite3.Error, where: str) -> StoreError:
    """Return what an error of SQLite itself means."""
    words = _words(cause)
    return _of_sqlite(cause, where) or _unreachable(where, "cannot be used", words)


def _of_sqlite(cause: sqlite3.Error, where: str) -> StoreError | None:
    whole, words = getattr(cause, "sqlite_errorcode", 0), _words(cause)
    code = whole & 0xFF
    if code == sqlite3.SQLITE_FULL or whole == sqlite3.SQLITE_IOERR_SHMSIZE:  # no room for the file of its locks
        return _full(where, words)
    state = _SQLITE_STATES.get(code)
    if state is None and not isinstance(cause, sqlite3.OperationalError):
        return None
    return _unreachable(where, state or "cannot be used", words)


def _full(where: str, words: str) -> StoreError:
    message = f"{where}: the disk is full, make room on it (docs/store.md says how): {words}"
    return StoreError("store_full", message, database=where, cause=words)


def _unreachable(where: str, state: str, words: str) -> StoreError:
    return StoreError("store_unreachable", f"{where} {state}: {words}", database=where, cause=words)


def _words(cause: object) -> str:
    return " ".join(str(cause).split())[:_SHORT]
