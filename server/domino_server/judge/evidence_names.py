"""Which evidence files a table's events name: only these are given out."""

from __future__ import annotations

from threading import Lock

from domino_server.store import Store


class EvidenceNames:
    """Remembers the names of evidence, and reads of each table only what is new. Safe for several threads."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._known: dict[str, tuple[int, set[str]]] = {}
        self._lock = Lock()

    def holds(self, store: Store, table: str, name: str) -> bool:
        """Return whether an event of a table names a file; raises StoreError."""
        with self._lock:
            after, names = self._known.setdefault(table, (0, set()))
            if name in names:
                return True
            for event in store.events(table, after=after, kinds=("evidence",)):
                after = event.seq
                names |= {str(event.data[each]) for each in ("frame", "clip", "facts") if event.data.get(each)}
                names |= set(map(str, event.data.get("crops", ())))
            self._known[table] = after, names
            return name in names
