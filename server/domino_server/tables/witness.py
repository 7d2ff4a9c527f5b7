"""What is kept of a table beside its record: pictures at each commit, clips, alerts for the judge, signed heads."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from domino_rules.errors import DominoError
from domino_server.judge.evidence_facts import model_ids
from domino_server.judge.heads import Heads
from domino_server.judge.keeper import PURGE, Keeper
from domino_server.judge.retention import DAY_S, Retention
from domino_server.judge.signing import TableKey
from domino_server.referee.session import Line
from domino_server.store import NewEvent, Store, StoredEvent, StoreError, TableRow
from domino_server.tables.config import TableConfig
from domino_server.tables.desk import Desk
from domino_server.tables.states import KeptState
from domino_vision.types import Frame

_LOG = logging.getLogger(__name__)


class Witness(Protocol):
    """Keeps what a table shows and does. For the table's thread."""

    @property
    def alerts(self) -> tuple[Mapping[str, Any], ...]:
        """What may be against the rules in the hand in progress, as data of events `alert`."""
        ...

    @property
    def kept(self) -> KeptState | None:
        """How much evidence there is; None where nothing is kept but the record."""
        ...

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
        """Take note of events that were kept, remove what they give up, and return the head that was signed, if any."""
        ...

    def close(self) -> list[NewEvent]:
        """Wait until all is on the disk, and return what is still to be kept."""
        ...


class Witnesses(Protocol):
    """Where the witnesses of tables come from."""

    def of(self, store: Store, row: TableRow) -> Witness:
        """Return the witness of a table that is going to be watched."""
        ...

    def tidy(self, store: Store, row: TableRow) -> None:
        """Remove evidence that is too old or too much of a table that nobody watches."""
        ...


class JudgeWitness:
    """Keeps what a judge may want to see, in the table's own folder."""

    def __init__(self, store: Store, row: TableRow, folder: Path, retention: Retention) -> None:
        """Take up the evidence of a table.

        Args:
            store: where its events are.
            row: the table.
            folder: of all data of the server.
            retention: how much is kept, and how long.

        Raises:
            EvidenceError: `evidence_unwritable`.
            SigningError: if the table's key cannot be used.
        """
        self._table = row.id
        private = TableConfig.kept(row.config).private_evidence
        evidence = retention.open(folder, row.id, private=private) if retention.keeps else None
        self._keeper = Keeper(evidence, model_ids())
        self._evidence, self._retention = evidence, retention
        self._heads = Heads(store, row.id, TableKey.open(folder / "keys", row.origin))

    @property
    def alerts(self) -> tuple[Mapping[str, Any], ...]:
        """What may be against the rules in the hand in progress."""
        return self._keeper.alerts.open

    @property
    def kept(self) -> KeptState:
        """How much evidence there is, and how much may be."""
        retention = self._retention
        return KeptState(
            size=0 if self._evidence is None else self._evidence.bytes_kept,
            most=None if retention.most_bytes == math.inf else round(retention.most_bytes) if retention.keeps else 0,
            days=None if retention.most_age_s == math.inf else retention.most_age_s / DAY_S,
        )

    def frame(self, frame: Frame) -> None:
        """Remember a frame for clips."""
        self._keeper.frame(frame)

    def heard(self, desk: Desk, lines: Sequence[Line]) -> list[NewEvent]:
        """Keep the picture behind what was said, and alert the judge."""
        try:
            return self._keeper.heard(desk.session, lines)
        except (DominoError, OSError) as error:  # the game goes on without
            _LOG.error("table %s keeps no evidence: %s", self._table, error)
            return []

    def due(self) -> list[NewEvent]:
        """Keep the clips whose time has come, and now and then remove what is too old."""
        return self._keeper.ready()

    def stored(self, events: Sequence[StoredEvent]) -> StoredEvent | None:
        """Remove evidence that the events give up, and sign the head of the chain when it is time to."""
        if self._evidence is not None:
            self._evidence.remove(name for event in events if event.kind == PURGE for name in event.data["files"])
        try:
            return self._heads.note(events)
        except StoreError as error:
            _LOG.error("table %s cannot sign: %s", self._table, error.message)
            return None

    def close(self) -> list[NewEvent]:
        """Wait until all is on the disk, and return what is still to be kept."""
        return self._keeper.close()


class NoWitness:
    """Keeps nothing but the record."""

    alerts: tuple[Mapping[str, Any], ...] = ()
    kept: KeptState | None = None

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

    def close(self) -> list[NewEvent]:
        """There is nothing to wait for."""
        return []


class JudgeWitnesses:
    """Witnesses that keep evidence in a folder of data."""

    def __init__(self, folder: Path, retention: Retention) -> None:
        """Keep evidence in `folder`, as much and as long as `retention` says."""
        self._folder, self._retention = folder, retention

    def of(self, store: Store, row: TableRow) -> JudgeWitness:
        """Return the witness of a table, whose old evidence is looked after first; raises as `Retention.tidy`."""
        self.tidy(store, row)
        return JudgeWitness(store, row, self._folder, self._retention)

    def tidy(self, store: Store, row: TableRow) -> None:
        """Remove what is too old or too much; raises as `Retention.tidy`."""
        self._retention.tidy(store, self._folder, row)


class NoWitnesses:
    """Witnesses that keep nothing."""

    def of(self, store: Store, row: TableRow) -> NoWitness:
        """Return one that keeps nothing."""
        del store, row
        return NoWitness()

    def tidy(self, store: Store, row: TableRow) -> None:
        """There is nothing to remove."""


def witnesses_in(folder: Path | None, retention: Retention | None = None) -> Witnesses:
    """Return where the witnesses of tables come from; without a folder of data nothing is kept but the record."""
    return NoWitnesses() if folder is None else JudgeWitnesses(folder, retention or Retention())
