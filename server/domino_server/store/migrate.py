"""Bringing a database to the present schema, also when two processes do so at once."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from domino_server.store.errors import StoreError

_LOCK: Final = Lock()
"""Alembic keeps what it works on in a module."""
_ADVISORY: Final = 0x646F6D696E6F
"""Key of PostgreSQL's lock: `domino`."""


def migrate(connection: Connection) -> None:
    """Run the migrations that a database lacks, within the transaction of the connection.

    Raises:
        StoreError: `schema_too_new` if it was written by a newer version; nothing is changed.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    known = {each.revision for each in script.walk_revisions()}
    current = MigrationContext.configure(connection).get_current_heads()
    newer = sorted(set(current) - known)
    if newer:
        raise StoreError(
            "schema_too_new",
            f"the database was written by a newer dominotable (schema {', '.join(newer)}): update this one",
            schema=newer,
        )
    if set(current) == set(script.get_heads()):
        return
    with _LOCK:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
