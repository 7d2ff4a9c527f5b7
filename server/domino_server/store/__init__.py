"""What is kept of tables: events that are only added, in SQLite or PostgreSQL; everything else is derived from them."""

from domino_server.store.errors import StoreError
from domino_server.store.journal import RECORD, RecordLines, StoreJournal, records
from domino_server.store.rows import NewEvent, StoredEvent, TableRow, TokenRow
from domino_server.store.store import Store

__all__ = [
    "RECORD",
    "NewEvent",
    "RecordLines",
    "Store",
    "StoreError",
    "StoreJournal",
    "StoredEvent",
    "TableRow",
    "TokenRow",
    "records",
]
