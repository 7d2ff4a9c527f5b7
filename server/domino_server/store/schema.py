"""The database: three tables. Migrations make them; a test holds both together."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import BigInteger, Column, DateTime, ForeignKey, Index, MetaData, String, Table, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Moment(TypeDecorator[datetime]):
    """A moment in UTC with microseconds, in databases with and without time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn a moment into what the database keeps."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise TypeError("a moment needs a time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """Turn what the database keeps into a moment."""
        if value is None:
            return None
        moment: datetime = value
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


tables: Final = Table(
    "tables",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("name", Text, nullable=False),
    Column("config", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("archived_at", Moment),
    Column("origin", String(12), nullable=False),
)

events: Final = Table(
    "events",
    metadata,
    Column("table_id", String(12), ForeignKey("tables.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    Index(None, "table_id", "kind", "seq"),
)

tokens: Final = Table(
    "tokens",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("table_id", String(12), ForeignKey("tables.id"), index=True),
    Column("role", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Column("seat", Text),
    Column("created_at", Moment, nullable=False),
    Column("revoked_at", Moment),
)
