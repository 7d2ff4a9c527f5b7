"""Takes in an exported table, whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from domino_server.store import members, sql
from domino_server.store.exported import Contents, Exported, refused
from domino_server.store.files import full_disk_told
from domino_server.store.rows import StoredEvent, TableRow, new_table
from domino_server.store.store import Store


def import_table(store: Store, file: Path, evidence_dir: Path | None) -> TableRow:
    """Add an exported table under a new id; its events, their times and their hashes stay as they are.

    Args:
        store: where it goes.
        file: the exported file.
        evidence_dir: the folder that holds a folder of evidence for each table; None leaves the evidence out.

    Returns:
        The new table. Its `origin` is that of the exported one.

    Raises:
        StoreError: `bad_export` if anything in the file is damaged, missing, added or does not fit together; nothing
            is left behind then. `store_full`, `store_unreachable`.
        OSError: if the file cannot be read.
    """
    with refused(file), Exported(file) as exported:
        contents = exported.verify()
        row = new_table(contents.name, contents.config, contents.origin)
        folder = None if evidence_dir is None or not contents.evidence else evidence_dir / row.id
        try:
            if folder is not None:
                _unpack(exported, contents, folder)
            with store.write() as connection:
                sql.insert_table(connection, row)
                for batch in _batches(exported.events(row.origin, row.id)):
                    sql.insert_events(connection, batch)
        except BaseException:
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)
            raise
    return row


def _unpack(exported: Exported, contents: Contents, folder: Path) -> None:
    with full_disk_told(folder):
        folder.mkdir(mode=0o700, parents=True)
        for name in contents.evidence:
            exported.copy_evidence(name, folder / name)


def _batches(events: Iterable[StoredEvent]) -> Iterator[list[StoredEvent]]:
    rest = iter(events)
    while batch := list(islice(rest, members.BATCH)):
        yield batch
