"""Copies of the whole database while it is in use."""

from __future__ import annotations

import re
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from domino_server.store.errors import of_sqlite
from domino_server.store.exported import Exported, refused
from domino_server.store.exporting import export_table
from domino_server.store.files import whole_file
from domino_server.store.importing import import_table
from domino_server.store.rows import TableRow
from domino_server.store.store import Store

_TABLE_FILE: Final = re.compile(r"[a-z0-9]{12}\.zip")
"""Members of a backup of PostgreSQL."""


def backup(store: Store, out: Path) -> None:
    """Write everything that is kept to one file; tables may go on meanwhile.

    SQLite gives a database, to be put in the place of the other. PostgreSQL gives a zip file with every table as an
    exported file, without evidence and tokens; `import_any` takes it in.

    Args:
        store: what is to be copied.
        out: the file; one that is there is replaced at the end.

    Raises:
        StoreError: `same_file`, `store_full`, `store_unreachable`.
        OSError: if the file cannot be written.
    """
    with whole_file(out, store) as part:
        if store.engine.dialect.name == "sqlite":
            _copy_sqlite(store, part)
        else:
            _export_all(store, part)


def _copy_sqlite(store: Store, part: Path) -> None:
    try:
        with closing(store.engine.raw_connection()) as source, closing(sqlite3.connect(part)) as target:
            driver: Any = source.driver_connection
            driver.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    except sqlite3.Error as error:
        raise of_sqlite(error, f"the copy of {store.where}") from error


def import_any(store: Store, file: Path, evidence_dir: Path | None) -> tuple[TableRow, ...]:
    """Add an exported table, or all tables of a backup of PostgreSQL; all are checked before the first is added.

    Args:
        store: where they go.
        file: the exported file or the backup.
        evidence_dir: the folder that holds a folder of evidence for each table; None leaves the evidence out.

    Raises:
        StoreError: `bad_export`, `store_full`, `store_unreachable`.
        OSError: if the file cannot be read.
    """
    if not _is_backup(file):
        return (import_table(store, file, evidence_dir),)
    with tempfile.TemporaryDirectory(prefix="dominotable-") as folder:
        with refused(file), zipfile.ZipFile(file) as backed_up:
            inside = [Path(backed_up.extract(info, folder)) for info in backed_up.infolist()]
        for each in inside:
            with refused(each), Exported(each) as exported:
                exported.verify()
        return tuple(import_table(store, each, evidence_dir) for each in inside)


def _is_backup(file: Path) -> bool:
    with refused(file), zipfile.ZipFile(file) as opened:
        infos = opened.infolist()
    stored = all(_TABLE_FILE.fullmatch(info.filename) and info.compress_type == zipfile.ZIP_STORED for info in infos)
    names = {info.filename for info in infos}
    return stored and len(names) == len(infos) and sum(info.file_size for info in infos) <= file.stat().st_size


def _export_all(store: Store, part: Path) -> None:
    with tempfile.TemporaryDirectory(dir=part.parent, prefix=".backup-") as folder, zipfile.ZipFile(part, "w") as file:
        for row in store.tables(archived=True):
            one = Path(folder) / f"{row.id}.zip"
            export_table(store, row.id, None, one)
            file.write(one, one.name)
            one.unlink()
