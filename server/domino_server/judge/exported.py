"""An exported file, opened but not believed: its members as they stand there."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, NoReturn, Self

from domino_rules.errors import DominoError
from domino_server.store.members import DAMAGED, EVENTS, EVIDENCE
from domino_server.store.rows import load

EXPORT: Final = "export"
"""The purpose for which a manifest is signed."""
_MOST_TEXT: Final = 1 << 30
"""Bytes that a text member may unpack to."""
_BLOCK: Final = 1 << 20


class ExportError(DominoError):
    """A file that is no export: `unreadable`; or a member that is damaged: `damaged`."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of events.jsonl: its number from 1, and the event; None if it is none."""

    number: int
    event: Mapping[str, Any] | None


class Exported:
    """An exported file. Close it, or use it in a `with`."""

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            ExportError: `unreadable` if it is no zip file with events.
            OSError: if it cannot be read.
        """
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except DAMAGED as error:
            raise ExportError("unreadable", f"{path} is no exported table: {error}", path=str(path)) from error
        self.names = tuple(self._zip.namelist())
        if EVENTS not in self.names:
            self._zip.close()
            raise ExportError("unreadable", f"{path} holds no {EVENTS}", path=str(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def bytes_of(self, name: str) -> bytes:
        """Return a member; raises ExportError `damaged`, also if it is missing or far too large."""
        try:
            if self._zip.getinfo(name).file_size > _MOST_TEXT:
                _damaged(name, "it is far too large")
            return self._zip.read(name)
        except KeyError:
            _damaged(name, "it is missing")
        except (*DAMAGED, OSError) as error:
            _damaged(name, str(error))

    def digest(self, name: str) -> str:
        """Return the SHA-256 of a member, hexadecimal; raises ExportError `damaged`."""
        hashed = hashlib.sha256()
        try:
            with self._zip.open(name) as member:
                while block := member.read(_BLOCK):
                    hashed.update(block)
        except KeyError:
            _damaged(name, "it is missing")
        except (*DAMAGED, OSError) as error:
            _damaged(name, str(error))
        return hashed.hexdigest()

    def json_of(self, name: str) -> dict[str, Any]:
        """Return a member that holds a JSON object; raises ExportError `damaged`."""
        found = _object(self.bytes_of(name))
        if found is None:
            _damaged(name, "it is no JSON object")
        return found

    def lines(self) -> Iterator[Line]:
        """Yield the events as they stand there; raises ExportError `damaged`."""
        raw = self.bytes_of(EVENTS)
        for number, line in enumerate(raw.removesuffix(b"\n").split(b"\n"), 1):
            yield Line(number, _object(line))

    def evidence(self) -> dict[str, str]:
        """Return the evidence files: by their bare name the name of the member."""
        found = (name for name in self.names if name.startswith(EVIDENCE) and not name.endswith("/"))
        return {PurePosixPath(name).name: name for name in found}


def _object(raw: bytes) -> dict[str, Any] | None:
    try:
        return load(raw.decode("utf-8"))
    except (ValueError, TypeError, RecursionError):
        return None


def _damaged(name: str, reason: str) -> NoReturn:
    raise ExportError("damaged", f"{name} cannot be read: {reason}", name=name, reason=reason)
