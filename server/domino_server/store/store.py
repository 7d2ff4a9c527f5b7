"""Tables, their events and their tokens in one database."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Self

from sqlalchemy import Connection, Engine, Select, func, select, update
from sqlalchemy.exc import IntegrityError

from domino_server.judge.chain import genesis, next_hash
from domino_server.store import schema, sql
from domino_server.store.engine import WRITING, engine_for, shown
from domino_server.store.errors import StoreError, checked_id, is_id, translated
from domino_server.store.migrate import migrate
from domino_server.store.rows import (
    NewEvent,
    StoredEvent,
    TableRow,
    TokenRow,
    checked_text,
    dump,
    load,
    new_id,
    new_table,
)

_EVENTS = schema.events.c
_TABLES = schema.tables.c
_TOKENS = schema.tokens.c


class Store:
    """All that is kept, in SQLite or PostgreSQL. Safe for several threads and processes; each write is a transaction.

    Every method raises StoreError: `store_unreachable` or `store_full`. A write that fails with `store_full` was not
    done; one that fails with `store_unreachable` may have been if the connection broke while it was committed.
    """

    def __init__(self, engine: Engine) -> None:
        """Take an engine whose database has the present schema; `open` is what callers want."""
        self.engine = engine
        self.where = shown(engine.url)
        self._writing = engine.execution_options(**{WRITING: True})

    @classmethod
    def open(cls, url: str) -> Self:
        """Connect to a database, make it if it is an SQLite file that does not exist, and bring it to our schema.

        Args:
            url: `sqlite:////path/dominotable.db`, `sqlite://` (in memory) or `postgresql://user@host/database`.

        Raises:
            StoreError: `bad_database`, `store_unreachable`, `store_full`, `schema_too_new`.
        """
        store = cls(engine_for(url))
        try:
            with store.write() as connection:
                migrate(connection)
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def check(self) -> None:
        """Ask the database whether it is there; raises StoreError `store_unreachable`."""
        with self.read() as connection:
            connection.execute(select(_TABLES.id).limit(1))

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection in a transaction that reads one state of the database."""
        with translated(self.where), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection in a transaction that writes; all is done or nothing."""
        with translated(self.where), self._writing.begin() as connection:
            yield connection

    # Tables

    def create_table(self, name: str, config: Mapping[str, Any]) -> TableRow:
        """Make a table; raises `bad_text`, or ChainError `not_canonical` if the configuration is no JSON."""
        row = new_table(name, config)
        with self.write() as connection:
            sql.insert_table(connection, row)
        return row

    def tables(self, *, archived: bool = False) -> tuple[TableRow, ...]:
        """Return the tables in the order in which they were made, with the archived ones if asked."""
        query = select(schema.tables).order_by(_TABLES.created_at, _TABLES.id)
        if not archived:
            query = query.where(_TABLES.archived_at.is_(None))
        with self.read() as connection:
            return tuple(sql.table(row) for row in connection.execute(query))

    def table(self, id: str) -> TableRow:  # noqa: A002
        """Return a table; raises StoreError `unknown_table`."""
        with self.read() as connection:
            return sql.find_table(connection, id)

    def configure(
        self,
        id: str,  # noqa: A002
        *,
        name: str | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> TableRow:
        """Give a table another name or configuration; raises StoreError `unknown_table`, `bad_text`."""
        values: dict[str, Any] = {}
        if name is not None:
            values["name"] = checked_text(name, "name")
        if config is not None:
            values["config"] = dump(config)
        return self._change(id, values)

    def archive(self, id: str) -> TableRow:  # noqa: A002
        """Put a table away; one that was put away before keeps its moment. Raises StoreError `unknown_table`."""
        return self._change(id, {"archived_at": func.coalesce(_TABLES.archived_at, sql.now())})

    def _change(self, id: str, values: Mapping[str, Any]) -> TableRow:  # noqa: A002
        checked_id(id)
        with self.write() as connection:
            if values:
                connection.execute(update(schema.tables).where(_TABLES.id == id).values(**values))
            return sql.find_table(connection, id)

    # Events

    def append(self, table: str, events: Sequence[NewEvent]) -> tuple[StoredEvent, ...]:
        """Keep events, all or none; they are on the disk when this returns.

        Raises:
            StoreError: `unknown_table`, `bad_text`, `store_full`, `store_unreachable`.
            ChainError: `not_canonical` if the data is no JSON, `naive_time`.
        """
        if not events:
            return ()
        checked_id(table)
        ready = [(checked_text(each.kind, "kind"), dump(each.data), each.at) for each in events]
        with self.write() as connection:
            origin = sql.lock_table(connection, table)
            seq, head = sql.last(connection, table) or (0, genesis(origin))
            now, stored = datetime.now(UTC), list[StoredEvent]()
            for kind, text, at in ready:
                seq, data = seq + 1, load(text)
                moment = at or now
                head = next_hash(head, origin, seq, moment, kind, data)
                stored.append(StoredEvent(table, seq, moment.astimezone(UTC), kind, data, head))
            sql.insert_events(connection, stored)
        return tuple(stored)

    def events(
        self, table: str, *, after: int = 0, kinds: Collection[str] | None = None, limit: int | None = None
    ) -> tuple[StoredEvent, ...]:
        """Return events in their order.

        Args:
            table: id of the table.
            after: only events with a greater number.
            kinds: only events of these kinds.
            limit: at most so many.

        Raises:
            StoreError: `unknown_table`.
        """
        checked_id(table)
        query = select(schema.events).where(_EVENTS.table_id == table, _EVENTS.seq > after).order_by(_EVENTS.seq)
        if kinds is not None:
            query = query.where(_EVENTS.kind.in_(tuple(kinds)))
        with self.read() as connection:
            found = tuple(sql.event(row) for row in connection.execute(query.limit(limit)))
            if not found:
                sql.find_table(connection, table)
        return found

    def last_seq(self, table: str) -> int:
        """Return the number of the last event, 0 if there is none; raises StoreError `unknown_table`."""
        checked_id(table)
        with self.read() as connection:
            found = sql.last(connection, table)
            if found is None:
                sql.find_table(connection, table)
        return found[0] if found else 0

    # Tokens

    def add_token(
        self,
        *,
        table: str | None,
        role: str,
        hash: str,  # noqa: A002
        label: str,
        seat: str | None = None,
    ) -> TokenRow:
        """Keep the hash of a token; raises StoreError `unknown_table`, `token_exists`, `bad_text`."""
        seat = None if seat is None else checked_text(seat, "seat")
        texts = (checked_text(role, "role"), checked_text(label, "label"), checked_text(hash, "hash"))
        row = TokenRow(new_id(), table, *texts, datetime.now(UTC), None, seat)
        with self.write() as connection:
            if table is not None:
                sql.find_table(connection, table)
            try:
                sql.insert_token(connection, row)
            except IntegrityError as error:
                raise StoreError("token_exists", "such a token is kept already") from error
        return row

    def tokens(self, table: str | None) -> tuple[TokenRow, ...]:
        """Return the tokens of a table, or of the house, revoked ones too, in the order in which they were made."""
        query = select(schema.tokens).where(_TOKENS.table_id.is_not_distinct_from(table))
        return self._tokens(query.order_by(_TOKENS.created_at, _TOKENS.id))

    def find_token(self, hash: str) -> TokenRow | None:  # noqa: A002
        """Return the token with a hash; None if there is none or it was revoked."""
        if "\0" in hash or not hash.isascii():
            return None
        found = self._tokens(select(schema.tokens).where(_TOKENS.hash == hash, _TOKENS.revoked_at.is_(None)))
        return found[0] if found else None

    def revoke_token(self, id: str) -> TokenRow:  # noqa: A002
        """Let a token hold no longer; once revoked it keeps its moment. Raises StoreError `unknown_token`."""
        row = None
        if is_id(id):
            moment = func.coalesce(_TOKENS.revoked_at, sql.now())
            with self.write() as connection:
                connection.execute(update(schema.tokens).where(_TOKENS.id == id).values(revoked_at=moment))
                row = connection.execute(select(schema.tokens).where(_TOKENS.id == id)).first()
        if row is None:
            raise StoreError("unknown_token", f"there is no token {id!r}", token=id)
        return sql.token(row)

    def _tokens(self, query: Select[Any]) -> tuple[TokenRow, ...]:
        with self.read() as connection:
            return tuple(sql.token(row) for row in connection.execute(query))
