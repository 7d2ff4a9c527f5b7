"""How much evidence a table keeps and how long, and what goes of a table at which nobody plays."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from domino_rules.errors import SetupError
from domino_server.judge.evidence import Evidence
from domino_server.judge.heads import sign_head
from domino_server.judge.keeper import EVIDENCE, PURGE
from domino_server.judge.signing import TableKey
from domino_server.judge.verify import named_files
from domino_server.store import NewEvent, Store, TableRow

GIB: Final = 1024**3
DAY_S: Final = 86_400.0
UNLIMITED: Final = "unlimited"


@dataclass(frozen=True, slots=True)
class Retention:
    """How much evidence each table keeps, and how long; the oldest goes first.

    Attributes:
        most_bytes: so much of a table; infinite without a limit.
        most_age_s: so long, seconds; infinite without a limit.
    """

    most_bytes: float = 2 * GIB
    most_age_s: float = 90 * DAY_S

    @classmethod
    def asked(cls, gib: str, days: str) -> Self:
        """Return what a command line asks for: numbers from 0, or `unlimited`; raises SetupError `bad_option`."""
        return cls(_number("--evidence-gib", gib) * GIB, _number("--evidence-days", days) * DAY_S)

    @property
    def keeps(self) -> bool:
        """Whether any picture is kept at all."""
        return self.most_bytes > 0 and self.most_age_s > 0

    def open(self, folder: Path, table: str, *, private: bool = True) -> Evidence:
        """Return the evidence of a table; raises EvidenceError `evidence_unwritable`.

        Args:
            folder: of all data of the server.
            table: id of the table.
            private: whether the room outside the table is made unrecognisable.
        """
        return Evidence(folder / "evidence" / table, self.most_bytes, self.most_age_s, private=private)

    def tidy(self, store: Store, folder: Path, row: TableRow) -> None:
        """Remove what is too old or too much of a table that nobody watches, and say so in its chain.

        Args:
            store: where its events are.
            folder: of all data of the server.
            row: the table.

        Raises:
            EvidenceError, SigningError, StoreError: if folder, key or store cannot be used.
        """
        if not (folder / "evidence" / row.id).is_dir():
            return
        evidence = self.open(folder, row.id)
        purged = evidence.retain()
        evidence.close()
        if purged is None:
            return
        fresh = set(purged["files"]) - _given_up(store, row.id)  # the rest was told when it could not be removed
        if fresh:
            store.append(row.id, [NewEvent(PURGE, purged)])
        evidence.remove(purged["files"])
        if fresh:
            sign_head(store, row.id, TableKey.open(folder / "keys", row.origin))


def _given_up(store: Store, table: str) -> set[str]:
    """Return the files that the chain of a table says are gone, and that were not kept again since."""
    gone: set[str] = set()
    for event in store.events(table, kinds=(EVIDENCE, PURGE)):
        if event.kind == PURGE:
            gone.update(event.data["files"])
        else:
            gone.difference_update(named_files(event.data))
    return gone


def _number(option: str, text: str) -> float:
    if text.strip().lower() == UNLIMITED:
        return math.inf
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        message = f"{option} {text}: say a number from 0 (0 keeps no evidence), or unlimited"
        raise SetupError("bad_option", message, option=option)
    return number
