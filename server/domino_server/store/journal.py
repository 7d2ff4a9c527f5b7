"""The referee's record, kept as events of a table.

Nothing is deleted: lines that are undone stay, and an event says that they hold no longer. Data of a `record` event:

    {"line": text}      a line
    {"undo": n}         the last n lines hold no longer
    {"redo": n}         the n lines that were undone last hold again; possible until another line comes
    {"match": true}     the lines before are a finished match, the record begins anew
    {"void": seq}       the `record` events after number seq never held
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from domino_rules.errors import SetupError
from domino_server.referee.journal import Journal
from domino_server.store.errors import StoreError
from domino_server.store.rows import NewEvent, StoredEvent
from domino_server.store.store import Store

RECORD: Final = "record"
"""Kind of the events that hold lines of the record."""


class RecordLines:
    """The lines that hold after some events, and the groups of lines that can be redone.

    Attributes:
        lines: the lines of the record.
        undone: groups of lines that hold no longer, the last one at the end.
        matches: the lines of the matches before, oldest first.
        seq: number of the last event that was taken.
    """

    def __init__(self, events: Iterable[StoredEvent] = ()) -> None:
        """Take the events of a table; those of other kinds are passed over."""
        self.lines: list[str] = []
        self.undone: list[tuple[str, ...]] = []
        self.matches: list[tuple[str, ...]] = []
        self.seq = 0
        self._said: list[tuple[int, Mapping[str, Any]]] = []
        for event in events:
            self.take(event)

    def take(self, event: StoredEvent) -> None:
        """Take the next event.

        Raises:
            StoreError: `bad_undo` if more is undone or redone than there is.
        """
        self.seq = event.seq
        if event.kind != RECORD:
            return
        if "void" in event.data:
            self._said = [(seq, data) for seq, data in self._said if seq <= event.data["void"]]
            for each in (self.lines, self.undone, self.matches):
                each.clear()
            for _, data in self._said:
                self._fold(data)
        else:
            self._fold(event.data)
            self._said.append((event.seq, event.data))

    def _fold(self, data: Mapping[str, Any]) -> None:
        if "line" in data:
            self.lines.append(str(data["line"]))
            self.undone.clear()
        elif "undo" in data:
            count = self.undoable(data["undo"])
            self.undone.append(tuple(self.lines[-count:]))
            del self.lines[-count:]
        elif "redo" in data:
            if not self.undone or len(self.undone[-1]) != data["redo"]:
                raise StoreError("bad_undo", "these lines cannot be redone", count=data["redo"])
            self.lines += self.undone.pop()
        elif "match" in data:
            self.matches.append(tuple(self.lines))
            self.lines.clear()
            self.undone.clear()

    @property
    def texts(self) -> tuple[str, ...]:
        """The records of all matches as text, the one in progress last."""
        return tuple(text_of(lines) for lines in (*self.matches, self.lines))

    def undoable(self, count: int) -> int:
        """Return how many lines are undone; raises StoreError `bad_undo` if there are not so many."""
        if not 0 < count <= len(self.lines):
            message = f"{count} lines of the record cannot be undone: it has {len(self.lines)}"
            raise StoreError("bad_undo", message, count=count, lines=len(self.lines))
        return count


def text_of(lines: Iterable[str]) -> str:
    """Return the text of a record."""
    return "\n".join((*lines, ""))


def records(store: Store, table: str) -> tuple[str, ...]:
    """Return the records of all matches of a table as text, the one in progress last; raises `unknown_table`."""
    return RecordLines(store.events(table, kinds=(RECORD,))).texts


class StoreJournal(Journal):
    """An append-only record in the store; each line is on the disk before the referee says it.

    After an error of the store nothing is known to be added. If the connection broke while lines were committed, they
    may have been: the next call finds out, and says that they do not hold before it adds others.
    """

    def __init__(self, store: Store, table: str) -> None:
        """Take up the record of a table.

        Raises:
            StoreError: `unknown_table`, `store_unreachable`.
        """
        super().__init__()
        self.store = store
        self.table = table
        self._held = RecordLines(store.events(table, kinds=(RECORD,)))
        self._lines = self._held.lines
        self._closed = False
        self._in_doubt = False

    @property
    def undone(self) -> tuple[tuple[str, ...], ...]:
        """Groups of lines that can be redone, the last one at the end."""
        return tuple(self._held.undone)

    @property
    def matches(self) -> tuple[tuple[str, ...], ...]:
        """The lines of the matches before, oldest first."""
        return tuple(self._held.matches)

    def add(self, lines: Iterable[str]) -> None:
        """Append lines in one transaction and wait until they are on the disk.

        Raises:
            SetupError: `journal_closed`.
            StoreError: if the store is full or gone; the journal is as it was before.
        """
        self._add([{"line": line} for line in lines])

    def undo(self, count: int) -> tuple[str, ...]:
        """Say that the last lines hold no longer, and return them; raises StoreError `bad_undo`."""
        taken = tuple(self._lines[-self._held.undoable(count) :])
        self._add([{"undo": count}])
        return taken

    def redo(self) -> tuple[str, ...]:
        """Say that the lines that were undone last hold again, and return them; raises StoreError `bad_undo`."""
        if not self._held.undone:
            raise StoreError("bad_undo", "nothing is to be redone", count=0)
        group = self._held.undone[-1]
        self._add([{"redo": len(group)}])
        return group

    def new_match(self) -> None:
        """Begin a new record; what there is becomes a finished match. Does nothing if nothing was written yet."""
        if not self.empty:
            self._add([{"match": True}])

    def close(self) -> None:
        """Take no more lines; further calls do nothing. The store stays open."""
        self._closed = True

    def _add(self, data: Sequence[Mapping[str, Any]]) -> None:
        if not data:
            return
        if self._closed:
            raise SetupError("journal_closed", f"the record of table {self.table} was closed", table=self.table)
        unknown = self._unknown()
        voided = [{"void": self._held.seq}] if unknown else []
        try:
            stored = self.store.append(self.table, [NewEvent(RECORD, each) for each in (*voided, *data)])
        except StoreError:
            self._in_doubt = True
            raise
        self._in_doubt = False
        for event in (*unknown, *stored):
            self._held.take(event)

    def _unknown(self) -> tuple[StoredEvent, ...]:
        """Return what was committed though the store said otherwise."""
        if not self._in_doubt:
            return ()
        return self.store.events(self.table, after=self._held.seq, kinds=(RECORD,))
