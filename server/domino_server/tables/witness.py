"""What is kept of a table beside its record: pictures at each commit, clips, alerts for the judge, signed heads."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from domino_rules.errors import DominoError
from domino_server.judge.evidence import Evidence
from domino_server.judge.evidence_facts import model_ids
from domino_server.judge.heads import Heads
from domino_server.judge.keeper import Keeper
from domino_server.judge.signing import TableKey
from domino_server.referee.session import Line
from domino_server.store import NewEvent, Store, StoredEvent, StoreError, TableRow
from domino_server.tables.config import TableConfig
from domino_server.tables.desk import Desk
from domino_vision.types import Frame

BUDGET_BYTES: Final = 2 * 1024**3
"""So much evidence is kept of a table; the oldest goes first."""
MOST_AGE_S: Final = 90 * 86_400.0
_LOG = logging.getLogger(__name__)


class Witness(Protocol):
    """Keeps what a table shows and does. For the table's thread."""

    @property
    def alerts(self) -> tuple[Mapping[str, Any], ...]:
        """What may be against the rules in the hand in progress, as data of events `alert`."""
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
        """Take note of events that were kept; returns the head that was signed for them, if one was."""
        ...

    def close(self) -> list[NewEvent]:
        """Wait until all is on the disk, and return what is still to be kept."""
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
        private = TableConfig.model_validate(row.config).private_evidence
        evidence = Evidence(folder / "evidence" / row.id, BUDGET_BYTES, MOST_AGE_S, private=private)
        self._keeper = Keeper(evidence, model_ids())
        self._heads = Heads(store, row.id, TableKey.open(folder / "keys", row.origin))

    @property
    def alerts(self) -> tuple[Mapping[str, Any], ...]:
        """What may be against the rules in the hand in progress."""
        return self._keeper.alerts.open

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
        """Keep the clips whose time has come."""
        return self._keeper.ready()

    def stored(self, events: Sequence[StoredEvent]) -> StoredEvent | None:
        """Sign the head of the chain when it is time to."""
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


def witness_in(folder: Path | None) -> WitnessFactory:
    """Return what makes the witness of a table; without a folder of data nothing is kept but the record."""

    def make(store: Store, row: TableRow) -> Witness:
        return NoWitness() if folder is None else JudgeWitness(store, row, folder)

    return make
