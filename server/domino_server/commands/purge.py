"""`dominotable purge`: removes evidence for good, and says so in the chain, which stays checkable."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from domino_rules.errors import SetupError
from domino_server.console import note, printable
from domino_server.judge.evidence import Evidence
from domino_server.judge.heads import sign_head
from domino_server.judge.keeper import PURGE
from domino_server.judge.signing import TableKey
from domino_server.store import NewEvent, Place, Store, StoreError, TableRow

_DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class PurgeOptions:
    """What is removed.

    Attributes:
        reason: why; it stands in the chain.
        by: who asks for it.
        days: only what is older than so many days.
        files: only these files.
        everything: all evidence of the table.
        data: folder of the data.
        database: address of the database.
    """

    reason: str
    by: str | None = None
    days: float | None = None
    files: tuple[str, ...] = ()
    everything: bool = False
    data: Path | None = None
    database: str | None = None


def run(table: str, options: PurgeOptions) -> None:
    """Remove evidence files of a table.

    Raises:
        SetupError: `purge_what` unless it is said what is removed.
        StoreError: `unknown_table`, `store_unreachable`.
        EvidenceError, SigningError: if the folder or the key cannot be used.
    """
    if (options.days is not None) + bool(options.files) + options.everything != 1:
        raise SetupError("purge_what", "say what is removed: --older-than DAYS, --file NAME or --all")
    place = Place.of(options.data, options.database)
    if place.file is not None and not place.file.exists():
        raise StoreError("store_unreachable", f"there is no database {place.file}: name the folder with --data")
    store = Store.open(place.url)
    try:
        row = _find(store, table)
        evidence = Evidence(place.evidence / row.id, 1, math.inf)
        before = None if options.days is None else time.time() - options.days * _DAY_S
        names = options.files or evidence.names(before=before)
        data = evidence.purge(names, options.reason, options.by)
        evidence.close()
        if data["files"]:
            store.append(row.id, [NewEvent(PURGE, data)])
            evidence.remove(data["files"])
            sign_head(store, row.id, TableKey.open(place.keys, row.origin))
        note(f"{printable(row.name)}: {len(data['files'])} files removed, {data['bytes_left']} bytes left")
    finally:
        store.close()


def _find(store: Store, text: str) -> TableRow:
    found = [row for row in store.tables(archived=True) if text in {row.id, row.name}]
    return found[0] if len(found) == 1 else store.table(text)
