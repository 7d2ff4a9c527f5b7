"""Exports a table so that anybody can check it: with a signed head, a signed list of contents, and a seal."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from domino_server.judge.exported import EXPORT
from domino_server.judge.heads import sign_head
from domino_server.judge.seal import seal
from domino_server.judge.signing import TableKey
from domino_server.store import Store, export_table
from domino_server.store.members import MANIFEST, SIGNATURE


def export_signed(store: Store, table: str, evidence: Path | None, out: Path, key: TableKey) -> None:
    """Write a table with all its events, and its evidence files if their folder is given.

    Args:
        store: where the events are.
        table: id of the table.
        evidence: the folder that holds a folder of evidence for each table; None leaves the evidence out.
        out: the file, a zip.
        key: the table's key.

    Raises:
        StoreError: `unknown_table`, `store_unreachable`, `store_full`.
        OSError: if the file cannot be written.
    """
    sign_head(store, table, key)
    export_table(store, table, evidence, out)
    sign_file(out, key)


def sign_file(path: Path, key: TableKey) -> None:
    """Sign the manifest of an exported file and seal the file."""
    with zipfile.ZipFile(path, "a") as file:
        manifest = json.loads(file.read(MANIFEST))
        signature = {"public_key": key.public, "signature": key.sign(EXPORT, manifest)}
        file.writestr(SIGNATURE, json.dumps(signature, indent=1))
    seal(path)
