"""The thread of one table: pictures and commands go in one after the other, news come out."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from domino_rules.errors import DominoError
from domino_server.problems import without_folders
from domino_server.referee.session import Line
from domino_server.store import NewEvent, StoreError, TableRow
from domino_server.tables import commands as c
from domino_server.tables.capture import Capture, Hear
from domino_server.tables.carrying import carry_out
from domino_server.tables.config import TableConfig
from domino_server.tables.desk import Desk
from domino_server.tables.eyes import Eyes, WorkerParts
from domino_server.tables.frames import Pushed, Slot
from domino_server.tables.gauge import CameraGauge
from domino_server.tables.jobs import Jobs
from domino_server.tables.publisher import Publisher, Snapshot
from domino_server.tables.said import NOT_KEPT
from domino_server.tables.shown import Shown, ShownFile, place_event, shown_event, shown_files
from domino_server.tables.view import SAID, Standing

TICK_S: Final = 0.5
RETRY_S: Final = 1.0
"""So long after the store failed it is tried again."""
MOST_CRASHES: Final = 5
"""A table that fails so often within a minute stops."""
_CRASH_WINDOW_S: Final = 60.0
_STOP_S: Final = 15.0

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Teller:
    """Who tells something: a role, and the id of the token, for the record."""

    role: str
    token: str | None = None


class Worker:
    """Watches one table until it is stopped."""

    def __init__(self, row: TableRow, parts: WorkerParts) -> None:
        """Take up the table's match; raises DominoError if its record cannot be played, or the store be reached."""
        self.row = row
        self._parts = parts
        self._desk = Desk(row, parts.store, parts.reader)
        self._news = threading.Condition()
        self._jobs = Jobs(self._news)
        self._look_again = False
        self._crashes: deque[float] = deque(maxlen=MOST_CRASHES)
        self.slot = Slot(self._news)
        self._capture = self._make_capture()
        gauge = CameraGauge(self._desk.config)
        standing = Standing("running", gauge.state)
        self._publisher = Publisher(row, parts.store, parts.hub, self._desk, standing)
        self._publisher.kept = parts.witness.kept
        self._eyes = Eyes(parts, self._desk, self._publisher, gauge, self._heard)
        self._thread = threading.Thread(target=self._run, name=f"table {row.id}", daemon=True)

    def _make_capture(self) -> Capture | None:
        config = self._desk.config
        if config.source is None or config.pushed:
            return None
        hear = Hear(self._hear_camera, self._hear_shown)
        played = any(hand.moves for hand in self._desk.session.referee.ledger.match.hands)
        shown = shown_files(self._parts.store, self.row.id) if played else Shown()  # what told nothing is shown again
        return Capture(config.source, self.slot, hear, config.every_s, self._parts.open_source, shown)

    # From any thread

    @property
    def snapshot(self) -> Snapshot:
        """How the table stands."""
        return self._publisher.snapshot

    @property
    def takes_pictures(self) -> bool:
        """Whether pictures are sent to the table."""
        return self._desk.config.pushed

    @property
    def alive(self) -> bool:
        """Whether the thread goes on."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()
        if self._capture is not None:
            self._capture.start()

    def stop_soon(self) -> None:
        """Ask the thread to end."""
        self._jobs.close()
        if self._capture is not None:
            self._capture.stop()

    def stop(self) -> None:
        """Stop watching; returns once the thread has ended."""
        self.stop_soon()
        if self._capture is not None:
            self._capture.join(_STOP_S)
        if self._thread.ident is not None:
            self._thread.join(_STOP_S)

    def submit(self, command: c.Command, teller: Teller) -> Future[int]:
        """Queue a command; the future holds the number of the newest event, or why it was refused."""
        return self._jobs.put(lambda: self._told(command, teller))

    def ask(self, question: Callable[[Desk], Any]) -> Future[Any]:
        """Queue a question about the match, answered in the table's thread."""
        return self._jobs.put(lambda: question(self._desk))

    def set_up(self, row: TableRow, config: TableConfig) -> None:
        """Take a name and what of a configuration needs no new beginning."""
        self._jobs.put(lambda: self._set_up(row, config))

    def _set_up(self, row: TableRow, config: TableConfig) -> None:
        self.row = self._publisher.row = row
        self._desk.config = config
        self._publisher.tell(anew=True)

    def _hear_camera(self, state: str, error: DominoError | None) -> None:
        code, detail = (None, None) if error is None else (error.code, error.message)
        known = self._eyes.gauge.state
        if (known.state, known.code, known.detail) != (state, code, detail):
            self._jobs.put(lambda: self._eyes.camera(state=state, code=code, detail=detail))

    def _hear_shown(self, files: Sequence[ShownFile]) -> None:
        self._jobs.put(lambda: self._keep([shown_event(files)]))

    # The thread

    def _run(self) -> None:
        try:
            self._work()
        except Exception:  # noqa: BLE001 - the log says what; the table is stopped then
            _LOG.exception("the thread of table %s broke down", self.row.id)
            self.stop_soon()
        self._end()

    def _work(self) -> None:
        self._publisher.tell(anew=True)
        while True:
            with self._news:
                ready = self._jobs.waiting or (self.slot.full and not self._held_up)
                if not ready:
                    self._news.wait(TICK_S)
                jobs, closed = self._jobs.take()
                picture = None if closed or self._held_up else self.slot.take()
            for job in jobs:
                job.do()
            if closed:
                return
            self._watch(picture)

    @property
    def _held_up(self) -> bool:
        """Whether nothing more is taken in before the store has what was committed."""
        return self._publisher.unsaved or self._look_again

    def _watch(self, picture: Pushed | None) -> None:
        """Take in a picture, or what time brings; whatever goes wrong, the table goes on."""
        try:
            if picture is not None:
                self._eyes.take(picture, live=self._capture is not None and self._capture.live)
            self._tick()
        except StoreError as error:
            self._without_store(error)
        except Exception:  # noqa: BLE001 - the log says what, and the table begins anew
            _LOG.exception("table %s failed at a picture", self.row.id)
            self._parts.metrics.crashes.labels(self.row.id).inc()
            self._after_crash()

    def _heard(self, lines: Sequence[Line]) -> None:
        self._desk.heard(lines)
        kept = [NewEvent(SAID, line) for line in lines if line["event"] not in NOT_KEPT]
        place = None if self._capture is None or not kept else self._capture.place
        self._keep([*kept, *self._desk.take_notes(), *([] if place is None else [place_event(place)])])
        witnessed = self._parts.witness.heard(self._desk, lines)  # takes a while: whoever looks on need not wait for it
        alerts = self._parts.witness.alerts
        if witnessed or alerts != self._publisher.alerts:
            self._publisher.alerts = alerts
            self._keep(witnessed)

    def _keep(self, events: Sequence[NewEvent]) -> None:
        """Keep events, and tell of them."""
        stored = self._publisher.save(events)
        self._publisher.signed(self._parts.witness.stored(stored))
        self._publisher.kept = self._parts.witness.kept
        self._eyes.stand()
        self._publisher.tell(stored)

    def _tick(self) -> None:
        if self._publisher.unsaved:
            time.sleep(RETRY_S)
            self._keep(())
        if self._look_again:
            self._look_again = False
            self._heard(self._desk.session.seen_anew())
            self._eyes.camera(code=None, detail=None)
        if due := self._parts.witness.due():
            self._keep(due)
        self._parts.metrics.dropped.labels(self.row.id).set(self.slot.dropped)
        self._eyes.look_out()

    def _without_store(self, error: StoreError) -> None:
        """The disk is full or the database gone: nothing more is taken in until it is back."""
        _LOG.error("table %s waits for its store: %s", self.row.id, error.message)
        self._look_again = True
        self._eyes.camera(code=error.code, detail=without_folders(error).message)
        time.sleep(RETRY_S)

    def _after_crash(self) -> None:
        """Begin anew with what is committed; a table that fails again and again stops."""
        now = time.monotonic()
        often = len(self._crashes) == MOST_CRASHES and now - self._crashes[0] < _CRASH_WINDOW_S
        self._crashes.append(now)
        self._eyes.camera(code="internal_error", detail="the table failed; the log of the server says more")
        if often:
            self.stop_soon()
            return
        try:
            self._desk.take_up_again()
        except Exception:  # noqa: BLE001 - the log says what
            _LOG.exception("table %s cannot be taken up again", self.row.id)
            self.stop_soon()

    def _end(self) -> None:
        """Let those go who wait, and tell that nobody watches any more."""
        with self._news:
            picture = self.slot.take()
        if picture is not None:
            picture.done(taken=False)
        self._desk.journal.close()
        try:
            self._parts.witness.stored(self._publisher.save(self._parts.witness.close()))
        except StoreError as error:
            _LOG.error("table %s ends without its store: %s", self.row.id, error.message)
        self._eyes.shut()
        self._publisher.tell()

    # Commands

    def _told(self, command: c.Command, teller: Teller) -> int:
        """Keep what somebody tells, and carry it out; what is refused is kept too, with the reason."""
        data = {"command": command.model_dump(mode="json"), "role": teller.role, "token": teller.token}
        told = self._publisher.save_now(NewEvent("told", data))
        try:
            lines = carry_out(self._desk, command)
        except DominoError as error:
            self._parts.metrics.commands.labels(command.op, "refused").inc()
            self._publisher.save([NewEvent(SAID, {"event": "refused", "told": told.seq, "code": error.code})])
            raise
        except Exception:
            self._parts.metrics.commands.labels(command.op, "failed").inc()
            self._after_crash()
            raise
        self._parts.metrics.commands.labels(command.op, "done").inc()
        self._heard(lines)
        return self._publisher.seq
