"""What a report is made from: an exported table, checked, or a plain record that nothing vouches for."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from domino_rules.errors import ParseError
from domino_server.judge.exported import Exported, ExportError
from domino_server.judge.verify import Verdict, verify
from domino_server.judge.verify_chain import follow
from domino_server.store import RecordLines, StoredEvent
from domino_server.store.members import TABLE


@dataclass(frozen=True, slots=True)
class Source:
    """The facts of one table.

    Attributes:
        name: of the table, for people.
        table: its id; empty for a plain record.
        records: the records of its matches as text, oldest first.
        events: its events, of which a plain record has none.
        verdict: what the file is worth; None for a plain record.
        file: the exported file, while it is open; None for a plain record.
    """

    name: str
    table: str
    records: tuple[str, ...]
    events: tuple[StoredEvent, ...] = ()
    verdict: Verdict | None = None
    file: Exported | None = field(default=None, repr=False)

    def evidence(self, name: str) -> bytes | None:
        """Return an evidence file; None if it is not there, or not what its name says."""
        if self.file is None:
            return None
        member = self.file.evidence().get(name)
        if member is None:
            return None
        try:
            return self.file.bytes_of(member)
        except ExportError:
            return None

    def facts(self, name: str) -> Mapping[str, Any]:
        """Return the facts that an evidence file holds; nothing if it is not there."""
        data = self.evidence(name)
        try:
            found = {} if data is None else json.loads(data)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


@contextmanager
def open_source(path: Path, public: str | None = None) -> Iterator[Source]:
    """Give the facts of an exported table, or of a record.

    Args:
        path: an exported file (.zip), or a record.
        public: the table's public key, if it is known from elsewhere.

    Raises:
        ExportError: `unreadable`.
        ParseError: `not_utf8` if it is no text either.
        OSError: if it cannot be read.
    """
    if not zipfile.is_zipfile(path):
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ParseError("not_utf8", f"{path}: neither an exported table nor a record", path=str(path)) from error
        yield Source(path.stem, "", (text,))
        return
    verdict = verify(path, public)
    with Exported(path) as file:
        events, _ = follow(verdict.table, list(file.lines()))
        record = RecordLines(events)
        texts = tuple(text for text in record.texts if text.strip())
        name = str(file.json_of(TABLE).get("name", path.stem))
        yield Source(name, verdict.table, texts, tuple(events), verdict, file)
