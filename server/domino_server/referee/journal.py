"""The record on disk: lines are only ever added, each one on the disk before the referee says it.

A process that is killed loses nothing that was committed; a line that was cut short is dropped when the file is opened.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from domino_rules.errors import RecordError, SetupError
from domino_rules.notation import format_move
from domino_rules.record import MoveRecord, Record, Source, parse_record

_BEGINS: Final = b"Game:"
"""How every record begins."""


def _no_record(path: Path) -> SetupError:
    return SetupError("no_record", f"{path} is something else than a record; it was left as it is", file=str(path))


def move_line(record: MoveRecord) -> str:
    """Return a move as a line of a record."""
    rule = f" {record.rule}" if record.rule else ""
    known = "" if record.source is Source.SEEN and not rule else f" ({record.source.value}{rule})"
    comment = record.comment.replace("\n", " ")
    return f"{format_move(record.move)}{known}{f' ; {comment}' if comment else ''}"


class Journal:
    """An append-only record, in a file or, without one, in memory."""

    def __init__(self, path: Path | None = None) -> None:
        """Open a record, and drop a last line that was cut short; what is no record is left as it is.

        Args:
            path: the file; it need not exist. None keeps the record in memory.

        Raises:
            SetupError: `no_record`, if there is something else.
            OSError: if the file cannot be read or written.
        """
        self.path = path
        self._lines: list[str] = []
        self._file: int | None = None
        if path is None:
            return
        if path.exists() and not path.is_file():
            raise _no_record(path)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            text = path.read_bytes()
            whole = text.rfind(b"\n") + 1
            self._lines = text[:whole].decode("utf-8").splitlines()
        except UnicodeDecodeError:
            self.close()
            raise _no_record(path) from None
        if whole < len(text) and not text.startswith(_BEGINS[: len(text)]) and not self._holds_record:
            self.close()
            raise _no_record(path)
        if whole < len(text):
            os.ftruncate(self._file, whole)

    def lock(self) -> None:
        """Keep every other process from writing the record, by whatever name it is opened, until this one closes it.

        Raises:
            SetupError: `record_in_use`, if another one keeps it.
        """
        if self._file is None:
            return
        try:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # no such module on Windows
            return
        except BlockingIOError:
            message = f"another watch writes the record {self.path}"
            raise SetupError("record_in_use", message, file=str(self.path)) from None
        except OSError:  # a file system without locks
            return

    @property
    def count(self) -> int:
        """How many lines hold."""
        return len(self._lines)

    @property
    def empty(self) -> bool:
        """Whether nothing was written yet."""
        return not any(line.strip() for line in self._lines)

    @property
    def text(self) -> str:
        """The record as it stands."""
        return "\n".join((*self._lines, ""))

    @property
    def record(self) -> Record:
        """The record as values; raises RecordError if it is no record."""
        return parse_record(self.text)

    @property
    def _holds_record(self) -> bool:
        try:
            parse_record(self.text)
        except RecordError:
            return False
        return not self.empty

    def add(self, lines: Iterable[str]) -> None:
        """Append lines in one write and wait until they are on the disk.

        Raises:
            SetupError: `journal_closed`.
            OSError: if the disk is full or gone.
        """
        fresh = list(lines)
        if not fresh:
            return
        if self.path is not None:
            if self._file is None:
                raise SetupError("journal_closed", f"the record {self.path} was closed", file=str(self.path))
            data = "".join(f"{line}\n" for line in fresh).encode()
            while data:
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)
        self._lines += fresh

    def close(self) -> None:
        """Close the file; further calls do nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
