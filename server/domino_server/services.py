"""What the request handlers of one application share."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final

from anyio import CapacityLimiter

from domino_server.access import AccessOptions
from domino_server.judge.evidence_names import EvidenceNames
from domino_server.judge.retention import Retention
from domino_server.networks import Networks
from domino_server.store import Store
from domino_server.tables.manager import TableManager

STATIC: Final = Path(__file__).parent / "static"
"""The pages and what they are made of."""
_WAITERS: Final = 40
_LOOKERS: Final = 4


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What `dominotable serve` was told.

    Attributes:
        game: the default game of posted pictures.
        set_name: the default tile set of posted pictures.
        max_upload_bytes: the largest picture that may be posted.
        data: folder for what is kept beside the database; None for nothing.
        retention: how much evidence a table keeps, and how long.
        live_table: id of the table to follow from the start, which `/overlay` shows; None for none.
        access: who may do what, and how often.
    """

    game: str | None = "cincos"
    set_name: str = "double-six"
    max_upload_bytes: int = 32 * 1024 * 1024
    data: Path | None = None
    retention: Retention = field(default_factory=Retention)
    live_table: str | None = None
    access: AccessOptions = field(default_factory=AccessOptions)


@dataclass(frozen=True, slots=True)
class Services:
    """What the request handlers share.

    Attributes:
        options: what the server was told.
        store: what is kept.
        manager: the tables.
        networks: what reads posted pictures.
        readers: threads for posted pictures: one decodes while one reads; pages and events never wait behind them.
        drawers: threads that draw pictures of tables.
        waiters: threads that wait for the store or for a table.
        lookers: those who look through a camera before a table is made for it.
        enrolling: the thread that enrols tiles, one set after another.
        evidence: which evidence files the events of tables name.
        setting_up: held while a table is set up, and while tiles go that none may be set up for.
    """

    options: ServeOptions
    store: Store
    manager: TableManager
    networks: Networks
    readers: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(2))
    drawers: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(2))
    waiters: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(_WAITERS))
    lookers: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(_LOOKERS))
    enrolling: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))
    evidence: EvidenceNames = field(default_factory=EvidenceNames)
    setting_up: Lock = field(default_factory=Lock)
