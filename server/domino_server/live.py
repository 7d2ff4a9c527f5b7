"""One live table: a thread that reads a source, and whoever watches it."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from domino_rules.errors import DominoError
from domino_server.folder_watch import FolderWatch
from domino_server.report import Question, build_report
from domino_server.schemas import Report, TableStatus, sendable
from domino_vision.pipeline import Pipeline
from domino_vision.sources import Shot, VideoFileSource, open_source
from domino_vision.sources.video import without_password

FOLDER_POLL_S = 0.3
"""How often a folder is looked at for new pictures."""
RETRY_S = (1.0, 2.0, 5.0, 10.0)
"""Waits before a source that failed is opened again; the last one repeats."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The newest state of the table, with the annotated picture as JPEG."""

    status: TableStatus
    picture: bytes | None


class LiveTable:
    """Follows one source in a thread of its own and keeps the newest snapshot.

    A folder is followed as if it were a camera: its pictures one after the other, `every_s` seconds each, then any
    picture that is added. A video or a camera is read until it ends; a camera that is unplugged is tried again.
    """

    def __init__(
        self,
        observe: Callable[[Shot], tuple[Report, bytes]],
        source: str | None,
        every_s: float = 1.0,
    ) -> None:
        self._observe = observe
        self._source = source
        self._every_s = every_s
        self._name = None if source is None else without_password(source) if "://" in source else source
        self._stop = threading.Event()
        self._closing = False
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._snapshot = Snapshot(TableStatus(seq=0, state="starting" if source else "idle", source=self._name), None)

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._snapshot

    def start(self) -> None:
        """Begin to follow the source; call from the event loop that serves the watchers."""
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        if self._source is not None:
            self._thread = threading.Thread(target=self._follow, args=(self._source,), name="table", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop following; returns once the thread has ended."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=10)

    def say_goodbye(self) -> None:
        """Let watchers go: their streams end, so that a server which stops need not cut them off."""
        self._closing = True
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._wake)

    @property
    def closing(self) -> bool:
        """Whether there will be no further snapshot."""
        return self._closing

    async def wait_changed(self, timeout_s: float) -> bool:
        """Wait until the snapshot changes; False if it did not within `timeout_s`."""
        changed = self._changed
        if changed is None:
            return False
        try:
            await asyncio.wait_for(changed.wait(), timeout_s)
        except TimeoutError:
            return False
        return True

    def _publish(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if self._changed is not None:
            self._changed.set()
            self._changed = asyncio.Event()

    def _follow(self, source: str) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                for frame in self._frames(source):
                    self._show(frame)
                    failures = 0
                    if self._stop.wait(self._every_s):
                        return
            except Exception as error:  # noqa: BLE001 - whatever happens, the table goes on and says what it was
                self._tell(error)
                self._stop.wait(RETRY_S[min(failures, len(RETRY_S) - 1)])
                failures += 1
            else:
                if not self._stop.is_set():
                    self._set_state("ended")
                return

    def _frames(self, source: str) -> Iterator[Shot]:
        if Path(source).is_dir():
            yield from self._folder_frames(Path(source))
            return
        with open_source(source) as frames:
            yield from _paced(frames, self._every_s) if isinstance(frames, VideoFileSource) else frames

    def _folder_frames(self, folder: Path) -> Iterator[Shot]:
        watch = FolderWatch(folder)
        while not self._stop.is_set():
            try:
                shot = watch.next()
            except DominoError as error:
                self._set_state("failed", error)
                self._stop.wait(FOLDER_POLL_S)
                continue
            if shot is not None:
                yield shot
                continue
            if self._snapshot.status.state != "failed" or self._snapshot.status.code == "source_missing":
                self._set_state("waiting")
            self._stop.wait(FOLDER_POLL_S)

    def _show(self, frame: Shot) -> None:
        try:
            report, picture = self._observe(frame)
        except Exception as error:  # noqa: BLE001 - one picture that cannot be understood does not end the table
            self._tell(error)
            return
        status = TableStatus(seq=self._snapshot.status.seq + 1, state="live", source=self._name, report=report)
        self._publish(Snapshot(status, picture))

    def _tell(self, error: Exception) -> None:
        if not isinstance(error, DominoError):
            _LOG.exception("the live table failed at a picture")
            error = DominoError("internal_error", "the server made a mistake with this picture; its log says more")
        self._set_state("failed", error)

    def _set_state(self, state: str, error: DominoError | None = None) -> None:
        status = self._snapshot.status
        code, detail = (None, None) if error is None else (error.code, sendable(error.message))
        if (status.state, status.code, status.detail) != (state, code, detail):
            status = status.model_copy(update={"state": state, "code": code, "detail": detail})
            self._publish(Snapshot(status, self._snapshot.picture))


class AsyncSnapshots:
    """An asynchronous iterator: a snapshot whenever there is a newer one, None after a quiet while.

    It ends when the table says goodbye.
    """

    def __init__(self, table: LiveTable, quiet_s: float = 15.0) -> None:
        self._table = table
        self._quiet_s = quiet_s
        self._last: Snapshot | None = None

    def __aiter__(self) -> AsyncSnapshots:
        return self

    async def __anext__(self) -> Snapshot | None:
        deadline = time.monotonic() + self._quiet_s
        while self._table.snapshot is self._last:
            if self._table.closing:
                raise StopAsyncIteration
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            await self._table.wait_changed(left)
        self._last = self._table.snapshot
        return self._last


def observer(pipeline: Pipeline, question: Question, reading: Lock) -> Callable[[Shot], tuple[Report, bytes]]:
    """Return what turns a frame into its report and its annotated picture (JPEG), one at a time under `reading`."""
    from domino_server.picture import annotated_jpeg

    pipeline = pipeline.with_set(question.tile_set)

    def observe(shot: Shot) -> tuple[Report, bytes]:
        with reading:
            observation = pipeline.observe(shot.frame)
        report = build_report(observation, question, shot.name)
        return report, annotated_jpeg(shot.frame, observation, report)

    return observe


def check_source(source: str) -> None:
    """Raise at once what would make the table fail at its first look.

    Raises:
        SourceError: as `open_source`; an empty folder is fine, its pictures may come later.
    """
    if not source.strip() or not Path(source).is_dir():
        open_source(source).close()


def _paced(shots: Iterable[Shot], every_s: float) -> Iterator[Shot]:
    """Yield the frames of a video that lie at least `every_s` seconds apart in it."""
    due = float("-inf")
    for shot in shots:
        if shot.frame.at >= due:
            due = shot.frame.at + every_s - 1e-6
            yield shot
