"""What is kept of a table beside its record: pictures at each commit, clips, alerts for the judge, signed heads."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from domino_rules.errors import DominoError
from domino_server.judge.alerts import Alerts
from domino_server.judge.evidence import Evidence
from domino_server.judge.evidence_facts import about, facts_of, is_telling, model_ids, quads_of, shot_of
from domino_server.judge.heads import Heads
from domino_server.judge.signing import TableKey
from domino_server.referee.session import Line
from domino_server.store import NewEvent, Store, StoredEvent, StoreError, TableRow
from domino_server.tables.desk import Desk
from domino_vision.types import Frame

BUDGET_BYTES: Final = 2 * 1024**3
"""So much evidence is kept of a table; the oldest goes first."""
MOST_AGE_S: Final = 90 * 86_400.0
CLIP_AFTER_S: Final = 2.0
"""A clip reaches so far behind its moment."""
_FILMED: Final = frozenset({"illegal", "correction"})
"""Events of which a short clip is kept."""

_LOG = logging.getLogger(__name__)


class Witness(Protocol):
    """Keeps what a table shows and does. For the table's thread."""

    def frame(self, frame: Frame) -> None:
        """Take every frame."""
        ...

    def heard(self, desk: Desk, lines: Sequence[Line]) -> list[NewEvent]:
        """Return what is kept of what was just said."""
        ...

    def due(self) -> list[NewEvent]:
        """Return what is kept now that time has passed."""
        ...

    def stored(self, events: Sequence[StoredEvent]) -> StoredEvent | None:
        """Take note of events that were kept; returns the head that was signed for them, if one was."""
        ...

    def close(self) -> None:
        """Wait until all is on the disk."""
        ...


WitnessFactory = Callable[[Store, TableRow], Witness]
"""Returns the witness of a table."""


class JudgeWitness:
    """Keeps what a judge may want to see, in the table's own folder."""

    def __init__(self, store: Store, row: TableRow, folder: Path) -> None:
        """Take up the evidence of a table.

        Args:
            store: where its events are.
            row: the table.
            folder: of all data of the server.

        Raises:
            EvidenceError: `evidence_unwritable`.
            SigningError: if the table's key cannot be used.
        """
        self._table = row.id
        self._evidence = Evidence(folder / "evidence" / row.id, BUDGET_BYTES, MOST_AGE_S)
        self._alerts = Alerts()
        self._heads = Heads(store, row.id, TableKey.open(folder / "keys", row.id))
        self._models = model_ids()
        self._clips: list[tuple[float, float, dict[str, Any]]] = []

    def frame(self, frame: Frame) -> None:
        """Remember a frame for clips."""
        self._evidence.frame(frame.bgr, frame.at)

    def heard(self, desk: Desk, lines: Sequence[Line]) -> list[NewEvent]:
        """Keep the picture behind what was said, and alert the judge."""
        events = [NewEvent("alert", data) for data in self._alerted(desk, lines)]
        session = desk.session
        shot = shot_of(session)
        if shot is None or not is_telling(lines):
            return events
        try:
            quads = quads_of(session, lines)
            data = self._evidence.keep(shot.frame.bgr, quads, facts_of(session, lines, self._models))
            events.append(NewEvent("evidence", data))
            if any(line["event"] == "hand_end" for line in lines) and (purged := self._evidence.retain()) is not None:
                events.append(NewEvent("purge", purged))
        except (DominoError, OSError) as error:
            _LOG.error("table %s keeps no evidence: %s", self._table, error)
        if any(line["event"] in _FILMED for line in lines):
            self._clips.append((time.monotonic() + CLIP_AFTER_S, shot.at, about(lines)))
        return events

    def _alerted(self, desk: Desk, lines: Sequence[Line]) -> list[dict[str, object]]:
        try:
            return self._alerts.take(desk.session.referee, lines)
        except DominoError as error:  # a record that cannot be audited alerts nobody; the game goes on
            _LOG.error("table %s cannot be audited: %s", self._table, error.message)
            return []

    def due(self) -> list[NewEvent]:
        """Keep the clips whose time has come."""
        now = time.monotonic()
        ready = [clip for clip in self._clips if clip[0] <= now]
        self._clips = [clip for clip in self._clips if clip[0] > now]
        events = []
        for _, at, told in ready:
            try:
                data = self._evidence.clip(at, after_s=CLIP_AFTER_S, **told)
            except (DominoError, OSError) as error:
                _LOG.error("table %s keeps no clip: %s", self._table, error)
                continue
            if data is not None:
                events.append(NewEvent("evidence", data))
        return events

    def stored(self, events: Sequence[StoredEvent]) -> StoredEvent | None:
        """Sign the head of the chain when it is time to."""
        try:
            return self._heads.note(events)
        except StoreError as error:
            _LOG.error("table %s cannot sign: %s", self._table, error.message)
            return None

    def close(self) -> None:
        """Wait until all is on the disk."""
        self._evidence.close()


class NoWitness:
    """Keeps nothing but the record."""

    def frame(self, frame: Frame) -> None:
        """Forget a frame."""

    def heard(self, desk: Desk, lines: Sequence[Line]) -> list[NewEvent]:
        """Keep nothing."""
        del desk, lines
        return []

    def due(self) -> list[NewEvent]:
        """Keep nothing."""
        return []

    def stored(self, events: Sequence[StoredEvent]) -> StoredEvent | None:
        """Sign nothing."""
        del events
        return None

    def close(self) -> None:
        """There is nothing to wait for."""


def witness_in(folder: Path | None) -> WitnessFactory:
    """Return what makes the witness of a table; without a folder of data nothing is kept but the record."""

    def make(store: Store, row: TableRow) -> Witness:
        return NoWitness() if folder is None else JudgeWitness(store, row, folder)

    return make
