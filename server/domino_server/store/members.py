"""The members of an exported table, a zip file.

table.json          the table: id under which its chain began, name, configuration, times
events.jsonl        an event a line: seq, at, kind, data, hash
record.txt          the records of all matches, as text for people
evidence/           pictures and clips, each called by its own SHA-256
manifest.json       the hashes of all that, the number of events and the last hash
signature.json      not ours: who exports may sign the manifest
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from typing import Final

FORMAT: Final = "dominotable-export"
VERSION: Final = 1
TABLE: Final = "table.json"
EVENTS: Final = "events.jsonl"
RECORD: Final = "record.txt"
MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "signature.json"
EVIDENCE: Final = "evidence/"
EVIDENCE_FILE: Final = re.compile(r"[0-9a-f]{64}\.[a-z0-9]{1,8}")
"""Names of evidence files."""
EVENT_KEYS: Final = frozenset({"seq", "at", "kind", "data", "hash"})
TABLE_KEYS: Final = frozenset({"id", "name", "config", "created_at", "archived_at"})
DAMAGED: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What the zip module raises on a damaged member; `NotImplementedError` on a way of packing that it does not know."""
BATCH: Final = 500
"""How many events are held in memory at a time."""


def joined(texts: Sequence[str] | Iterable[str]) -> bytes:
    """Return record.txt: the records of matches with an empty line between."""
    return "\n".join(texts).encode()
