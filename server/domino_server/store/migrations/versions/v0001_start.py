"""Tables, their events and their tokens; events can only be added."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(12), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("archived_at", _MOMENT),
        sa.Column("origin", sa.String(12), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_events"),
        _to_tables("events"),
    )
    op.create_index("ix_events_table_id_kind_seq", "events", ["table_id", "kind", "seq"])
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(12), nullable=False),
        sa.Column("table_id", sa.String(12)),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("seat", sa.Text),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("revoked_at", _MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("hash", name="uq_tokens_hash"),
        _to_tables("tokens"),
    )
    op.create_index("ix_tokens_table_id", "tokens", ["table_id"])
    for statement in _GUARDS[op.get_bind().dialect.name]:
        op.execute(statement)


def _to_tables(name: str) -> Any:
    return sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=f"fk_{name}_table_id_tables")


_FUNCTION = """
CREATE FUNCTION events_only_added() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'events are only added'; END $$
"""
_TRIGGER = """
CREATE TRIGGER events_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION events_only_added()
"""
_SQLITE_TRIGGER = """
CREATE TRIGGER events_no_{name} BEFORE {name} ON events
BEGIN SELECT RAISE(ABORT, 'events are only added'); END
"""
_GUARDS = {
    "sqlite": [_SQLITE_TRIGGER.format(name=name) for name in ("update", "delete")],
    "postgresql": [_FUNCTION, _TRIGGER],
}
"""The database itself refuses to change what was said."""
