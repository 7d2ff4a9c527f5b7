"""Writes a table as one file; see `members` for what is in it."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from domino_server.judge.chain import canonical, genesis, timestamp
from domino_server.store import members
from domino_server.store.files import whole_file
from domino_server.store.journal import RecordLines
from domino_server.store.rows import StoredEvent, TableRow
from domino_server.store.store import Store

_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every member, so that the same table gives the same file."""
_BLOCK: Final = 1 << 20


def export_table(
    store: Store, table: str, evidence_dir: Path | None, out: Path, *, last_seq: int | None = None
) -> None:
    """Write a table to one file, as it is when this is called; the table may go on meanwhile.

    Args:
        store: where the table is.
        table: its id.
        evidence_dir: the folder that holds a folder of evidence for each table; None leaves the evidence out.
        out: the file; one that is there is replaced at the end.
        last_seq: number of the last event that goes in; the last one that there is by default.

    Raises:
        StoreError: `unknown_table`, `same_file`, `store_full`, `store_unreachable`.
        OSError: if the file cannot be written.
    """
    row = store.table(table)
    evidence = None if evidence_dir is None else evidence_dir / table
    with whole_file(out, store) as part, zipfile.ZipFile(part, "w") as file:
        writer = _Writer(file)
        writer.add(members.TABLE, canonical(plain_table(row)))
        record, last = writer.add_events(_events(store, table, last_seq))
        writer.add(members.RECORD, members.joined(record.texts))
        for path in _evidence_files(evidence):
            writer.copy(path)
        manifest = {
            "format": members.FORMAT,
            "version": members.VERSION,
            "table": row.origin,
            "events": last.seq if last else 0,
            "hash": last.hash if last else genesis(row.origin),
            "files": dict(writer.hashes),
        }
        writer.add(members.MANIFEST, json.dumps(manifest, indent=1, sort_keys=True).encode() + b"\n")


def plain_table(row: TableRow) -> dict[str, Any]:
    """Return a table as table.json says it."""
    archived = None if row.archived_at is None else timestamp(row.archived_at)
    return {
        "id": row.origin,
        "name": row.name,
        "config": row.config,
        "created_at": timestamp(row.created_at),
        "archived_at": archived,
    }


def plain_event(event: StoredEvent) -> dict[str, Any]:
    """Return an event as a line of events.jsonl says it."""
    at = timestamp(event.at)
    return {"seq": event.seq, "at": at, "kind": event.kind, "data": event.data, "hash": event.hash}


def _events(store: Store, table: str, last_seq: int | None) -> Iterator[StoredEvent]:
    """Yield the events that there are now, some at a time."""
    last, after = store.last_seq(table), 0
    if last_seq is not None:
        last = min(last, last_seq)
    while after < last:
        batch = store.events(table, after=after, limit=min(members.BATCH, last - after))
        yield from batch
        after = batch[-1].seq


def _evidence_files(folder: Path | None) -> list[Path]:
    if folder is None or not folder.is_dir():
        return []
    found = (path for path in folder.iterdir() if members.EVIDENCE_FILE.fullmatch(path.name))
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


class _Writer:
    """Writes members and notes their hashes."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self.hashes: dict[str, str] = {}

    def add(self, name: str, data: bytes) -> None:
        """Add a member."""
        with self._member(name, zipfile.ZIP_DEFLATED, len(data)) as write:
            write(data)

    def add_events(self, events: Iterator[StoredEvent]) -> tuple[RecordLines, StoredEvent | None]:
        """Add the events, and return the record that they make and the last one."""
        record, last = RecordLines(), None
        with self._member(members.EVENTS, zipfile.ZIP_DEFLATED, None) as write:
            for event in events:
                write(canonical(plain_event(event)) + b"\n")
                record.take(event)
                last = event
        return record, last

    def copy(self, path: Path) -> None:
        """Add a file of evidence, which is compressed already."""
        with (
            path.open("rb") as source,
            self._member(members.EVIDENCE + path.name, zipfile.ZIP_STORED, path.stat().st_size) as write,
        ):
            while block := source.read(_BLOCK):
                write(block)

    @contextmanager
    def _member(self, name: str, method: int, size: int | None) -> Iterator[Callable[[bytes], None]]:
        info = zipfile.ZipInfo(name, _DATE)
        info.compress_type, info.external_attr, info.file_size = method, 0o644 << 16, size or 0
        hashed = hashlib.sha256()
        with self._file.open(info, "w", force_zip64=size is None) as member:

            def write(data: bytes) -> None:
                member.write(data)
                hashed.update(data)

            yield write
        self.hashes[name] = hashed.hexdigest()
