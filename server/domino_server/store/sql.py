"""The statements that several parts of the store share, and what rows become."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, insert, literal, select

from domino_server.store import schema
from domino_server.store.errors import checked_id, unknown_table
from domino_server.store.rows import StoredEvent, TableRow, TokenRow, dump, load


def now() -> BindParameter[datetime]:
    """Return the present moment as a database keeps it."""
    return literal(datetime.now(UTC), schema.Moment())


def find_table(connection: Connection, id: str) -> TableRow:  # noqa: A002
    """Return a table; raises StoreError `unknown_table`."""
    query = select(schema.tables).where(schema.tables.c.id == checked_id(id))
    row = connection.execute(query).first()
    if row is None:
        raise unknown_table(id)
    return table(row)


def lock_table(connection: Connection, id: str) -> str:  # noqa: A002
    """Let nobody else add events to a table in this transaction, and return its origin; raises `unknown_table`."""
    columns = schema.tables.c
    origin = connection.scalar(select(columns.origin).where(columns.id == id).with_for_update(key_share=True))
    if origin is None:
        raise unknown_table(id)
    return str(origin)


def last(connection: Connection, id: str) -> tuple[int, str] | None:  # noqa: A002
    """Return number and hash of the last event of a table."""
    columns = schema.events.c
    query = select(columns.seq, columns.hash).where(columns.table_id == id).order_by(columns.seq.desc()).limit(1)
    row = connection.execute(query).first()
    return None if row is None else (int(row.seq), str(row.hash))


def insert_table(connection: Connection, row: TableRow) -> None:
    """Add a table."""
    values = {
        "id": row.id,
        "name": row.name,
        "config": dump(row.config),
        "created_at": row.created_at,
        "archived_at": row.archived_at,
        "origin": row.origin,
    }
    connection.execute(insert(schema.tables), [values])


def insert_events(connection: Connection, stored: Iterable[StoredEvent]) -> None:
    """Add events whose numbers and hashes are right."""
    values = [
        {
            "table_id": each.table,
            "seq": each.seq,
            "at": each.at,
            "kind": each.kind,
            "data": dump(each.data),
            "hash": each.hash,
        }
        for each in stored
    ]
    if values:
        connection.execute(insert(schema.events), values)


def insert_token(connection: Connection, row: TokenRow) -> None:
    """Add a token."""
    values = {
        "id": row.id,
        "table_id": row.table,
        "role": row.role,
        "label": row.label,
        "hash": row.hash,
        "seat": row.seat,
        "created_at": row.created_at,
        "revoked_at": row.revoked_at,
    }
    connection.execute(insert(schema.tokens), [values])


def table(row: Row[Any]) -> TableRow:
    """Return a row as a table."""
    return TableRow(row.id, row.name, load(row.config), row.created_at, row.archived_at, row.origin)


def event(row: Row[Any]) -> StoredEvent:
    """Return a row as an event."""
    return StoredEvent(row.table_id, int(row.seq), row.at, row.kind, load(row.data), row.hash)


def token(row: Row[Any]) -> TokenRow:
    """Return a row as a token."""
    return TokenRow(row.id, row.table_id, row.role, row.label, row.hash, row.created_at, row.revoked_at, row.seat)
