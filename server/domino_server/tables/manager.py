"""All tables of a server: which of them are watched, and by whom they are looked at."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Final

from pydantic import ValidationError

from domino_rules.errors import DominoError
from domino_server.problems import RequestError, refusal_of
from domino_server.store import NewEvent, Store, StoreJournal, TableRow
from domino_server.tables.config import TableConfig, clean_name
from domino_server.tables.desk import begun
from domino_server.tables.eyes import WorkerParts
from domino_server.tables.frames import FairLock, Reads, SharedReader
from domino_server.tables.hub import Hub, Item, News
from domino_server.tables.metrics import Metrics
from domino_server.tables.publisher import Snapshot
from domino_server.tables.shown import RUN
from domino_server.tables.states import PrivateState
from domino_server.tables.view import kept_state
from domino_server.tables.witness import Witnesses
from domino_server.tables.worker import Worker
from domino_vision.sources import Source, open_source

MOST_RUNNING: Final = 16
"""More tables than this are not watched at once."""
_ANEW: Final = ("game", "seats", "options", "tiles", "source", "opener", "zones", "use_zones", "every_s",
         "private_evidence")  # fmt: skip
"""What a running table takes only when it begins anew."""

_LOG = logging.getLogger(__name__)

PipelineFactory = Callable[[TableConfig], Reads]
"""Returns what reads the pictures of a table."""


class TableManager:
    """Makes, starts and stops tables. Its methods wait for the store and for threads: call them off the event loop."""

    def __init__(
        self,
        store: Store,
        pipeline_factory: PipelineFactory,
        witnesses: Witnesses,
        *,
        metrics: Metrics | None = None,
        networks: FairLock | None = None,
        open_source: Callable[[str], Source] = open_source,
    ) -> None:
        """Manage the tables of a store.

        Args:
            store: what is kept.
            pipeline_factory: what reads pictures.
            witnesses: what keeps pictures and alerts.
            metrics: what is counted.
            networks: the turn at the networks, shared with whatever else uses them.
            open_source: opens cameras and files.
        """
        self.store = store
        self.metrics = metrics or Metrics()
        self._pipeline_factory = pipeline_factory
        self._witnesses = witnesses
        self._networks = networks or FairLock()
        self._open_source = open_source
        self._lock = threading.RLock()
        self._tidying = threading.Lock()
        self._workers: dict[str, Worker] = {}
        self._hubs: dict[str, Hub] = {}
        self._kept: dict[str, tuple[tuple[TableRow, int], Snapshot]] = {}
        self.loop: asyncio.AbstractEventLoop | None = None
        self._closing = False
        self._goodbye = False
        self.metrics.running.set_function(lambda: sum(worker.alive for worker in list(self._workers.values())))
        self.metrics.watching.set_function(lambda: sum(map(len, list(self._hubs.values()))))

    # Life

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Say in which event loop those live who look on."""
        self.loop = loop
        for hub in self._hubs.values():
            hub.bind(loop)

    def resume(self) -> None:
        """Start the tables that were watched when the server ended, however it ended."""
        for row in self.store.tables():
            last = self.store.events(row.id, kinds=(RUN,))[-1:]
            if last and last[0].data.get("running"):
                self.try_start(row.id)

    def try_start(self, table: str) -> None:
        """Start a table, or say in the log why not."""
        try:
            self.start(table)
        except DominoError as error:
            _LOG.error("table %s cannot be started: %s", table, error.message)

    def tidy(self) -> None:
        """Remove what is too old or too much of tables that nobody watches; the others see to it themselves."""
        for row in self.store.tables(archived=True):
            with self._tidying:
                if self._closing or self.is_running(row.id):
                    continue
                try:
                    self._witnesses.tidy(self.store, row)
                except (DominoError, OSError) as error:
                    _LOG.error("evidence of table %s cannot be looked after: %s", row.id, error)

    def close(self) -> None:
        """Stop all threads; the tables are watched again when a server starts."""
        self.say_goodbye()
        with self._lock:
            self._closing = True
            workers = list(self._workers.values())
        for worker in workers:
            worker.stop_soon()
        for worker in workers:
            worker.stop()

    def say_goodbye(self) -> None:
        """Let all go who look on, so that a server that stops need not cut them off."""
        self._goodbye = True
        for hub in list(self._hubs.values()):
            hub.close()

    @property
    def closing(self) -> bool:
        """Whether the server stops: there will be no more news."""
        return self._goodbye

    # Tables

    def create(self, name: str, config: TableConfig) -> TableRow:
        """Make a table; raises RequestError `bad_name`, and StoreError."""
        return self.store.create_table(_named(name), config.model_dump(mode="json"))

    def configure(self, table: str, name: str | None, config: TableConfig | None) -> TableRow:
        """Set a table up otherwise; a running one begins anew with its record where it must look otherwise.

        Raises:
            RequestError: `table_archived`, `bad_name`; `match_begun` if it is to be another game in mid-match.
            DominoError: if it cannot go on so; it then goes on as before.
        """
        row = self._open(table)
        before = TableConfig.kept(row.config)
        if (
            config is not None
            and config.game != before.game
            and begun(StoreJournal(self.store, table).text.splitlines())
        ):
            message = f"a match of {before.game} is in progress: begin a new match (`new_match`) before another game"
            raise RequestError(409, "match_begun", message, game=before.game)
        changed = self._keep(table, name, config)
        worker = self.worker(table)
        if worker is None:
            return changed
        after = TableConfig.kept(changed.config)
        if not any(getattr(before, each) != getattr(after, each) for each in _ANEW):
            worker.set_up(changed, after)
            return changed
        self._stop(table)
        try:
            self._start(changed)
        except DominoError:
            self._start(self._keep(table, row.name, before))
            raise
        return changed

    def _keep(self, table: str, name: str | None, config: TableConfig | None) -> TableRow:
        plain = None if config is None else config.model_dump(mode="json")
        row = self.store.configure(table, name=None if name is None else _named(name), config=plain)
        if plain is not None:
            self.store.append(table, [NewEvent("config", plain)])
        return row

    def start(self, table: str) -> TableRow:
        """Watch a table; one that is watched already goes on.

        Raises:
            RequestError: `table_archived`, `too_many_tables`.
            DominoError: if its record cannot be played or its zones are none.
        """
        row = self._open(table)
        with self._lock:
            if self.is_running(table):
                return row
            if self._closing:
                raise RequestError(503, "server_stopping", "the server stops")
            if sum(worker.alive for worker in self._workers.values()) >= MOST_RUNNING:
                message = f"{MOST_RUNNING} tables run already: stop one first"
                raise RequestError(409, "too_many_tables", message, most=MOST_RUNNING)
            self._start(row)
        self.store.append(table, [NewEvent(RUN, {"running": True})])
        return row

    def _start(self, row: TableRow) -> None:
        try:
            self._begin(row)
        except ValidationError as error:
            raise refusal_of(error) from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise RequestError(503, "data_unwritable", f"the data of the table cannot be written: {reason}") from error

    def _begin(self, row: TableRow) -> None:
        with self._lock, self._tidying:
            config = TableConfig.kept(row.config)
            reader = SharedReader(self._pipeline_factory(config), self._networks)
            witness = self._witnesses.of(self.store, row)
            parts = WorkerParts(self.store, reader, self.hub(row.id), self.metrics, self._open_source, witness)
            worker = self._workers[row.id] = Worker(row, parts)
            worker.start()

    def stop(self, table: str) -> TableRow:
        """Stop to watch a table; raises StoreError `unknown_table`."""
        row = self.store.table(table)
        if self._stop(table):
            self.store.append(table, [NewEvent(RUN, {"running": False})])
        return row

    def _stop(self, table: str) -> bool:
        with self._lock:
            worker = self._workers.pop(table, None)
        if worker is not None:
            worker.stop()
        return worker is not None

    def archive(self, table: str) -> TableRow:
        """Stop a table and put it away."""
        self.stop(table)
        row = self.store.archive(table)
        state = kept_state(self.store, row)
        self.hub(table).publish(News(snapshot=Item("snapshot", state.model_dump_json(), state.seq)))
        return row

    def _open(self, table: str) -> TableRow:
        row = self.store.table(table)
        if row.archived_at is not None:
            raise RequestError(409, "table_archived", "the table was archived", table=table)
        return row

    # How tables stand

    def is_running(self, table: str) -> bool:
        """Whether a table is watched."""
        worker = self._workers.get(table)
        return worker is not None and worker.alive

    def worker(self, table: str) -> Worker | None:
        """Return what watches a table, if anything does."""
        worker = self._workers.get(table)
        return worker if worker is not None and worker.alive else None

    def running(self, table: str) -> Worker:
        """Return what watches a table; raises `unknown_table`, or RequestError `table_stopped`."""
        worker = self.worker(table)
        if worker is None:
            self.store.table(table)
            raise RequestError(409, "table_stopped", "the table is not running: start it first", table=table)
        return worker

    def snapshot(self, table: str) -> Snapshot:
        """Return how a table stands; raises StoreError `unknown_table`."""
        worker = self._workers.get(table)
        if worker is not None:
            return worker.snapshot
        row = self.store.table(table)
        now = (row, self.store.last_seq(table))
        known = self._kept.get(table)
        if known is None or known[0] != now:
            config = TableConfig.kept(row.config).model_dump(mode="json", exclude={"zones"})
            known = self._kept[table] = (now, Snapshot(kept_state(self.store, row), PrivateState(config=config)))
        return known[1]

    def hub(self, table: str) -> Hub:
        """Return where news of a table go, whether it is watched or not."""
        with self._lock:
            hub = self._hubs.get(table)
            if hub is None:
                hub = self._hubs[table] = Hub()
                if self.loop is not None:
                    hub.bind(self.loop)
            return hub

    def unit(self, table: str) -> str:
        """Return what the totals of a table's match count."""
        return TableConfig.kept(self.store.table(table).config).found.unit


def _named(name: str) -> str:
    try:
        return clean_name(name)
    except ValueError as error:
        raise RequestError(422, "bad_name", str(error)) from error
