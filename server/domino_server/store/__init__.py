"""What is kept of tables: events that are only added, in SQLite or PostgreSQL; everything else is derived from them."""

from domino_server.store.backups import backup, import_any
from domino_server.store.errors import StoreError
from domino_server.store.exporting import export_table
from domino_server.store.importing import import_table
from domino_server.store.journal import RECORD, RecordLines, StoreJournal, records
from domino_server.store.place import Place
from domino_server.store.rows import NewEvent, StoredEvent, TableRow, TokenRow
from domino_server.store.store import Store

__all__ = [
    "RECORD",
    "NewEvent",
    "Place",
    "RecordLines",
    "Store",
    "StoreError",
    "StoreJournal",
    "StoredEvent",
    "TableRow",
    "TokenRow",
    "backup",
    "export_table",
    "import_any",
    "import_table",
    "records",
]
