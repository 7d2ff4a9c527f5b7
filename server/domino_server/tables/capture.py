"""A source that is followed in a thread of its own: its frames go into a slot, and it is opened again when it fails."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from domino_rules.errors import DominoError
from domino_server.folder_watch import FolderWatch
from domino_server.pacing import RETRY_S, STILL_STEP_S, stills
from domino_server.tables.frames import Pushed, Slot
from domino_server.tables.shown import FilmPlace, Shown, ShownFile, shown_file
from domino_vision.errors import SourceError
from domino_vision.sources import PictureSource, Shot, Source, VideoFileSource, open_source, readable
from domino_vision.sources.video import without_password
from domino_vision.types import Frame

FOLDER_POLL_S: Final = 0.3
"""How often a folder is looked at for new pictures."""
STANDING_S: Final = 1.0
"""So often a single picture is shown again once it was looked at: it stands there like a table before a camera."""


@dataclass(frozen=True, slots=True)
class Hear:
    """Who hears how a source is doing, from the thread of its capture.

    Attributes:
        camera: takes the state of the camera (`waiting`, `live`, `lost`, `ended`) and why.
        shown: takes files that were shown to the end.
    """

    camera: Callable[[str, DominoError | None], None]
    shown: Callable[[Sequence[ShownFile]], None]


_LOG = logging.getLogger(__name__)


def label_of(source: str) -> str:
    """Return a source as it may be shown: without name and password."""
    return without_password(source) if "://" in source else source


class Capture:
    """Follows one source until it ends or is stopped.

    Attributes:
        live: whether its frames come in real time, so that late ones may be left out.
        place: how far it is in a film; None while it shows none.
    """

    def __init__(
        self,
        source: str,
        slot: Slot,
        hear: Hear,
        every_s: float,
        open_: Callable[[str], Source],
        shown: Shown = Shown(),  # noqa: B008 - a frozen value
    ) -> None:
        """Prepare; nothing is opened yet.

        Args:
            source: what `open_source` takes.
            slot: where frames go; those of a camera replace each other, those of a file wait to be taken.
            hear: hears how the source is doing.
            every_s: pause between the pictures of a folder.
            open_: opens a source.
            shown: what was shown before: files that are not shown again, a film that is gone on with.
        """
        self._source = source
        self._slot = slot
        self._tell = hear.camera
        self._tell_shown = hear.shown
        self._shown = dict.fromkeys(shown.files)  # in order; a folder may hold many
        self.place = shown.place
        self._every_s = every_s
        self._open = open_
        self._stop = threading.Event()
        self._at = 0.0
        self.live = False
        self._thread = threading.Thread(target=self._follow, name=f"capture {label_of(source)}", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end; it does so once its source answers."""
        self._stop.set()

    def join(self, timeout_s: float) -> None:
        """Wait until the thread has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _follow(self) -> None:
        failures = 0
        self._tell("waiting", None)
        while not self._stop.is_set():
            try:
                for frame, live in self._frames():
                    self._tell("live", None)
                    failures = 0
                    self._give(frame, live=live)
                    if self._stop.is_set():
                        return
            except Exception as error:  # noqa: BLE001 - whatever a driver does, the source is tried again
                self._tell("lost", _typed(error))
                self._stop.wait(RETRY_S[min(failures, len(RETRY_S) - 1)])
                failures += 1
            else:
                if not self._stop.is_set():
                    self._tell("ended", None)
                return

    def _give(self, frame: Frame, *, live: bool) -> None:
        picture = Pushed(frame, time.monotonic())
        self.live = live
        if live:
            self._slot.put(picture)
        else:
            self._slot.put_when_free(picture, self._stop.is_set)

    def _frames(self) -> Iterator[tuple[Frame, bool]]:
        """Yield frames, and whether only the newest one matters."""
        if Path(self._source).is_dir():
            yield from ((frame, False) for shot in self._folder(Path(self._source)) for frame in self._filmed(shot))
            return
        with self._open(self._source) as source:
            if isinstance(source, PictureSource):
                yield from ((frame, False) for frame in self._standing(source))
            elif isinstance(source, VideoFileSource):
                yield from ((frame, False) for frame in self._film(source))
            else:
                yield from ((shot.frame, True) for shot in source)

    def _filmed(self, shot: Shot) -> Iterator[Frame]:
        """Show a still picture for a while."""
        for frame in stills(shot.frame, self._at):
            self._at = frame.at
            yield frame

    def _standing(self, source: PictureSource) -> Iterator[Frame]:
        """Show pictures for a while each, and the last one for as long as the table is watched."""
        last: Shot | None = None
        for path, last in zip(source.paths, source, strict=True):
            if path == source.paths[-1] or shown_file(path) not in self._shown:
                yield from self._filmed(last)
                self._note([shown_file(path)])
        while last is not None and not self._stop.wait(STANDING_S):
            self._at += STANDING_S
            yield Frame(last.frame.bgr, self._at)

    def _film(self, source: VideoFileSource) -> Iterator[Frame]:
        """Show a film from where it was broken off, unless it was shown to its end before."""
        path = Path(self._source)
        file = shown_file(path)
        if file in self._shown:
            return
        if self.place is not None and self.place.file == file:
            source.skip_to(self.place.at)
        for shot in self._in_real_time(source):
            self.place = None if file is None else FilmPlace(file, shot.frame.at)
            yield Frame(shot.frame.bgr, self._at)
        if not self._stop.is_set():
            self._note([shown_file(path)])

    def _note(self, files: Iterable[ShownFile | None]) -> None:
        """Note files that were shown to the end, those that are gone left out."""
        fresh = [file for file in files if file is not None and file not in self._shown]
        if fresh:
            self._shown.update(dict.fromkeys(fresh))
            self._tell_shown(fresh)

    def _in_real_time(self, source: Source) -> Iterator[Shot]:
        """Yield the frames of a video not before their time; the last one stands, so that its table is read too."""
        began, base = time.monotonic(), self._at
        first: float | None = None
        last: Shot | None = None
        for last in source:
            first = last.frame.at if first is None else first
            self._stop.wait(max(0.0, began + last.frame.at - first - time.monotonic()))
            if self._stop.is_set():
                return
            self._at = base + last.frame.at - first + STILL_STEP_S
            yield last
        if last is not None:
            for _ in self._filmed(last):
                yield last

    def _folder(self, folder: Path) -> Iterator[Shot]:
        """Yield the pictures of a folder one after the other, and then those that are added.

        Once all are shown it has ended, as a film has, until one is added.
        """
        watch = FolderWatch(folder, done=dict(self._shown.keys()))
        broken = False
        while not self._stop.is_set():
            try:
                shot = watch.next()
            except DominoError as error:
                self._tell("lost", error)
                broken = error.code != "source_missing"
                self._stop.wait(FOLDER_POLL_S)
                continue
            if shot is not None:
                broken = False
                yield shot
                if not self._stop.wait(self._every_s):
                    self._note([(shot.name, watch.done[shot.name])])
                continue
            self._note(watch.done.items())
            if not broken:
                self._tell("ended" if watch.shown else "waiting", None)
            self._stop.wait(FOLDER_POLL_S)


def _typed(error: Exception) -> DominoError:
    if isinstance(error, DominoError):
        return error
    _LOG.exception("a source failed")
    return SourceError("source_failed", "the camera made a mistake; the log says more")


def check_source(source: str) -> None:
    """Raise at once what would make a table fail at its first look.

    Raises:
        SourceError: as `open_source`, and if a file holds no picture that can be read; an empty folder is fine, its
            pictures may come later.
    """
    if source.strip() and Path(source).is_dir():
        return
    with open_source(source) as opened:
        if not opened.live:
            next(readable(opened))
