"""What a table tells: keeps what was said, and gives states and events to whoever looks on."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from domino_server.referee.branches import lying
from domino_server.store import NewEvent, Store, StoredEvent, TableRow
from domino_server.tables.desk import Desk
from domino_server.tables.hub import Hub, Item, News, as_json
from domino_server.tables.private import Crops, crops_of, private_of
from domino_server.tables.public import Played, in_play
from domino_server.tables.said import public_part
from domino_server.tables.states import KeptState, PrivateState, TableState
from domino_server.tables.view import SAID, History, Standing, table_state
from domino_vision.types import Frame, TableObservation

FOR_STAFF: Final = frozenset({"alert", "ruling"})
"""Kinds of events beside what was said that those hear who keep the table, or judge there."""
_PASSING: Final = ("camera", "settle", "picture")
STATUS_S: Final = 0.4
"""News of camera and picture come no oftener than this, unless a state changes."""


@dataclass(frozen=True, slots=True)
class Look:
    """The newest picture and what vision made of the table.

    Attributes:
        number: of the picture.
        frame: the picture.
        shown: the table shown to people; it may be older than the picture.
        asked_in: the picture that the open questions are about.
        crops: what of it they show.
    """

    number: int
    frame: Frame
    shown: TableObservation | None = None
    asked_in: Frame | None = None
    crops: Crops = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How a table stands: a value that any thread may read."""

    state: TableState
    private: PrivateState
    look: Look | None = None


class Publisher:
    """Keeps and tells what happens at one table. For the table's thread; `snapshot` may be read by all.

    Attributes:
        snapshot: how the table stands.
        standing: what only the thread knows: camera, settling, picture.
        look: the newest picture.
        alerts: what may be against the rules in the hand in progress.
        kept: how much evidence there is; None where nothing is kept but the record.
    """

    def __init__(self, row: TableRow, store: Store, hub: Hub, desk: Desk, standing: Standing) -> None:
        """Begin with what is kept; raises StoreError."""
        self.row = row
        self.standing = standing
        self.look: Look | None = None
        self.alerts: Sequence[Mapping[str, Any]] = ()
        self.kept: KeptState | None = None
        self._store = store
        self._hub = hub
        self._desk = desk
        self._history = History(store.events(row.id, kinds=(SAID,)))
        self._seq = store.last_seq(row.id)
        self._unsaved: list[NewEvent] = []
        self._told_at = 0.0
        self._told_private = ""
        self.snapshot = self._snapshot()

    @property
    def unsaved(self) -> bool:
        """Whether something was said that could not be kept yet."""
        return bool(self._unsaved)

    @property
    def seq(self) -> int:
        """Number of the newest event."""
        return self._seq

    def save(self, events: Sequence[NewEvent]) -> tuple[StoredEvent, ...]:
        """Keep events behind those that could not be kept before.

        Raises:
            StoreError: if they cannot be kept now; they are at the next call.
        """
        self._unsaved += events
        if not self._unsaved:
            return ()
        stored = self._store.append(self.row.id, self._unsaved)
        self._unsaved = []
        self._seq = max(self._seq, stored[-1].seq)
        return stored

    def save_now(self, event: NewEvent) -> StoredEvent:
        """Keep one event at once or not at all, behind those that could not be kept before; raises StoreError."""
        if self._unsaved:
            self.tell(self.save(()))
        (stored,) = self._store.append(self.row.id, [event])
        self._seq = max(self._seq, stored.seq)
        return stored

    def signed(self, head: StoredEvent | None) -> None:
        """Note a head that was signed: it has a number too."""
        if head is not None:
            self._seq = max(self._seq, head.seq)

    def tell(self, stored: Sequence[StoredEvent] = (), *, anew: bool = False) -> None:
        """Tell everybody what happened, and how the table stands if that is news; `anew` tells it in any case."""
        unit = self._desk.session.referee.ledger.match.game.unit
        events = []
        for event in stored:
            if event.kind == SAID:
                self._history.take(event.data, event.at.isoformat(), self._desk.config.language)
                events.append(_items(event, unit))
            elif event.kind in FOR_STAFF:
                events.append((None, _staff_item(event)))
        if events:
            self._hub.publish(News(tuple(events)))
        if self.look is not None:
            shown, asked_in, crops = shown_by(self._desk)
            self.look = replace(self.look, shown=shown, asked_in=asked_in, crops=crops)
        before, self.snapshot = self.snapshot, self._snapshot()
        snapshot = self.snapshot
        private = snapshot.private.model_dump_json()
        news = None if private == self._told_private else Item("private", private)
        self._told_private = private
        self._told_at = time.monotonic()
        if not anew and not events and _same(before.state, snapshot.state):
            self._hub.publish(News(private=news, status=self._status()))
            return
        state = Item("snapshot", snapshot.state.model_dump_json(), snapshot.state.seq)
        self._hub.publish(News(snapshot=state, private=news))

    def tell_status(self, *, now: bool = False) -> None:
        """Tell how camera and picture are, nothing else; not too often, unless `now`."""
        if not now and time.monotonic() - self._told_at < STATUS_S:
            return
        before, standing = self.snapshot, self.standing
        changes = {"camera": standing.camera, "settle": standing.settle, "picture": standing.picture}
        if before.look is self.look and all(getattr(before.state, name) == new for name, new in changes.items()):
            return
        self._told_at = time.monotonic()
        self.snapshot = replace(before, state=before.state.model_copy(update=changes), look=self.look)
        self._hub.publish(News(status=self._status()))

    def _status(self) -> Item:
        state = self.snapshot.state
        return Item("status", state.model_dump_json(include={*_PASSING, "phase"}))

    def _snapshot(self) -> Snapshot:
        referee = self._desk.session.referee
        ledger, history = referee.ledger, self._history
        played = Played(
            ledger.match,
            tuple(ledger.moves),
            referee.pause,
            history.times,
            tuple(history.alerts),
            in_play(referee.sight),
            lying(referee.branches),
        )
        state = table_state(self.row, self._desk.config, self._seq, played, self.standing)
        return Snapshot(state, private_of(self._desk, history.shown, self.alerts, self.kept), self.look)


def _same(before: TableState, after: TableState) -> bool:
    """Return whether nothing but camera and picture has changed."""
    return before.model_copy(update={name: getattr(after, name) for name in (*_PASSING, "seq")}) == after


def shown_by(desk: Desk) -> tuple[TableObservation | None, Frame | None, Crops]:
    """Return the table shown to people, the picture that open questions are about, and what of it they show."""
    session = desk.session
    committed = session.settler.committed
    asked_in = session.ask.frame if session.ask is not None else None if committed is None else committed.frame
    return session.shown, asked_in, crops_of(session)


def _items(event: StoredEvent, unit: str) -> tuple[Item | None, Item]:
    """Return a kept event for everybody, if it is, and for those who keep the table."""
    numbered = {"seq": event.seq, "at": event.at.isoformat()}
    name = str(event.data["event"])
    part = public_part(event.data, unit)
    full = Item(name, as_json({**event.data, **(part or {}), **numbered}), event.seq)
    return (None if part is None else Item(name, as_json({**part, **numbered}), event.seq)), full


def _staff_item(event: StoredEvent) -> Item:
    return Item(event.kind, as_json({**event.data, "seq": event.seq, "at": event.at.isoformat()}), event.seq)
