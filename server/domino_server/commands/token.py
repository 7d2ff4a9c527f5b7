"""`dominotable token`: make, list and revoke tokens, also while a server runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from domino_server.access import Tokens
from domino_server.store import Place, Store, TokenRow


def new(role: str, table: str | None, label: str, seat: str | None, data: Path | None, database: str | None) -> None:
    """Make a token and print it; it cannot be shown again.

    Raises:
        AccessError: `bad_role`, `bad_label`.
        StoreError: as `Store.open`, `unknown_table`.
    """
    with _tokens(data, database) as tokens:
        print(tokens.create(role, table=table, label=label, seat=seat).secret)


def show(table: str | None, data: Path | None, database: str | None, *, as_json: bool) -> None:
    """Print the tokens of a table, or without one those of the house and of all tables; never a secret.

    Raises:
        StoreError: as `Store.open`.
    """
    with _tokens(data, database) as tokens:
        tables = [None, *(row.id for row in tokens.store.tables(archived=True))] if table is None else [table]
        rows = [row for each in tables for row in tokens.list(each)]
    if as_json:
        print(json.dumps([_entry(row) for row in rows], ensure_ascii=False, indent=2))
        return
    for row in rows:
        entry = _entry(row)
        state = f"revoked {entry['revoked_at']}" if row.revoked_at else "holds"
        seat = f" seat {row.seat}" if row.seat else ""
        print(f"{row.id}  {row.role:<7} {row.table or 'house':<12} {entry['created_at']}  {state}{seat}  {row.label}")


def revoke(id: str, data: Path | None, database: str | None) -> None:  # noqa: A002 - the field's own word
    """Let a token hold no longer; a running server notices within seconds.

    Raises:
        StoreError: as `Store.open`, `unknown_token`.
    """
    with _tokens(data, database) as tokens:
        row = tokens.revoke(id)
    print(f"{row.id} ({row.role}) holds no longer")


@contextmanager
def _tokens(data: Path | None, database: str | None) -> Iterator[Tokens]:
    store = Store.open(Place.of(data, database).url)
    try:
        yield Tokens(store)
    finally:
        store.close()


def _entry(row: TokenRow) -> dict[str, str | None]:
    return {
        "id": row.id,
        "role": row.role,
        "table": row.table,
        "seat": row.seat,
        "label": row.label,
        "created_at": row.created_at.isoformat(timespec="seconds"),
        "revoked_at": row.revoked_at.isoformat(timespec="seconds") if row.revoked_at else None,
    }
