"""When a table signs the head of its chain: now and then, when a hand ends, and before an export."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from domino_server.judge.chain import genesis
from domino_server.judge.signing import HEAD, TableKey
from domino_server.store import NewEvent, Store, StoredEvent

_ENDS: Final = frozenset({"hand_end", "match_end"})
_TRIES: Final = 8
"""So often the head is signed again where others keep adding events."""


class Heads:
    """Appends signed heads to the events of a table. Not for several threads at once."""

    def __init__(
        self,
        store: Store,
        table: str,
        key: TableKey,
        *,
        every: int = 200,
        seconds: float = 600.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Sign for a table.

        Args:
            store: where its events are.
            table: its id.
            key: its key.
            every: so many events after the last head the next one is due.
            seconds: so long after it.
            clock: seconds, monotonic.
        """
        self._store, self._table, self._key = store, table, key
        self._every, self._seconds, self._clock = every, seconds, clock
        self._since, self._signed = 0, clock()

    def note(self, events: Sequence[StoredEvent]) -> StoredEvent | None:
        """Take note of events that were appended, and sign the head if one is due; raises StoreError."""
        fresh = [event for event in events if event.kind != HEAD]
        self._since += len(fresh)
        ended = any(event.kind == "said" and event.data.get("event") in _ENDS for event in fresh)
        late = self._since > 0 and self._clock() - self._signed >= self._seconds
        return self.sign() if ended or late or self._since >= self._every else None

    def sign(self) -> StoredEvent:
        """Sign the head as it is now; raises StoreError."""
        head = sign_head(self._store, self._table, self._key)
        self._since, self._signed = 0, self._clock()
        return head


def sign_head(store: Store, table: str, key: TableKey) -> StoredEvent:
    """Append a head that signs the event just before it; raises StoreError."""
    origin = store.table(table).origin
    for _ in range(_TRIES):
        seq = store.last_seq(table)
        last = store.events(table, after=seq - 1, limit=1)[0].hash if seq else genesis(origin)
        (event,) = store.append(table, [NewEvent(HEAD, key.head(origin, seq, last, datetime.now(UTC)))])
        if event.seq == seq + 1:
            break
    return event
