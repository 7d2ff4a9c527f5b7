"""The record on disk: lines are only ever added, each one on the disk before the referee says it.

A process that is killed loses nothing that was committed; a line that was cut short is dropped when the file is opened.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from domino_rules.errors import SetupError
from domino_rules.notation import format_move
from domino_rules.record import MoveRecord, Record, Source, parse_record


def move_line(record: MoveRecord) -> str:
    """Return a move as a line of a record."""
    rule = f" {record.rule}" if record.rule else ""
    known = "" if record.source is Source.SEEN and not rule else f" ({record.source.value}{rule})"
    comment = record.comment.replace("\n", " ")
    return f"{format_move(record.move)}{known}{f' ; {comment}' if comment else ''}"


class Journal:
    """An append-only record, in a file or, without one, in memory."""

    def __init__(self, path: Path | None = None) -> None:
        """Open a record, and drop a last line that was cut short.

        Args:
            path: the file; it need not exist. None keeps the record in memory.

        Raises:
            OSError: if the file cannot be read or written.
        """
        self.path = path
        self._lines: list[str] = []
        self._file: int | None = None
        if path is None:
            return
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        text = path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            os.ftruncate(self._file, whole)
        self._lines = text[:whole].decode("utf-8").splitlines()

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
