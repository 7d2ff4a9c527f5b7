"""What a table's thread does with pictures: decodes them, shows them to the session, and notes how the camera does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from domino_rules.errors import DominoError
from domino_server.pacing import STILL_STEP_S
from domino_server.referee.session import Line
from domino_server.store import Store
from domino_server.tables.desk import Desk
from domino_server.tables.frames import Pushed, SharedReader, decode_frame
from domino_server.tables.gauge import CameraGauge
from domino_server.tables.hub import Hub
from domino_server.tables.metrics import Metrics
from domino_server.tables.public import text_of
from domino_server.tables.publisher import Look, Publisher, shown_by
from domino_server.tables.states import SettleInfo
from domino_server.tables.witness import Witness
from domino_vision.sources import Source
from domino_vision.types import Frame

SILENT_S: Final = 5.0
"""A phone that sends nothing for so long is lost."""
PHOTO_TIMES: Final = 14
"""So often a photograph is shown at most, as if the camera stood still, until it was understood."""
_STEP_S: Final = 0.001


@dataclass(frozen=True, slots=True)
class WorkerParts:
    """What the thread of a table is given.

    Attributes:
        store: where everything is kept.
        reader: the networks.
        hub: who looks on.
        metrics: what is counted.
        open_source: opens a camera or file.
        witness: keeps pictures and alerts.
    """

    store: Store
    reader: SharedReader
    hub: Hub
    metrics: Metrics
    open_source: Callable[[str], Source]
    witness: Witness


class Eyes:
    """For the thread of a table.

    Attributes:
        gauge: how the camera does.
    """

    def __init__(
        self,
        parts: WorkerParts,
        desk: Desk,
        publisher: Publisher,
        gauge: CameraGauge,
        heard: Callable[[list[Line]], None],
    ) -> None:
        """Look for a table; `heard` takes what the session says."""
        self.gauge = gauge
        self._parts = parts
        self._desk = desk
        self._publisher = publisher
        self._heard = heard
        self._at = 0.0

    def take(self, picture: Pushed, *, live: bool) -> None:
        """Take in a picture; one that is none is told of.

        Args:
            picture: as it was sent.
            live: whether the frames of the source come in real time.
        """
        picture.done(taken=True)
        if isinstance(picture.data, Frame):
            self._see(Frame(picture.data.bgr, max(picture.data.at, self._at + _STEP_S)), live=live)
            return
        try:
            bgr = decode_frame(picture.data)
        except DominoError as error:
            self.camera(code=error.code, detail=error.message)
            return
        if picture.still:
            self._look_at_photo(Frame(bgr))
        else:
            self._see(Frame(bgr, max(picture.at, self._at + _STEP_S)), live=True)
        self.gauge.live()
        self._publisher.tell_status(now=self.stand())

    def _look_at_photo(self, photo: Frame) -> None:
        """Show a photograph until it was understood; it is read even where nothing seems to have changed."""
        if lines := self._desk.session.look_again():
            self._heard(lines)
        for _ in range(PHOTO_TIMES):
            lines = self._see(Frame(photo.bgr, self._at + STILL_STEP_S), live=False)
            if any(line["event"] in {"commit", "ask"} for line in lines):
                return

    def _see(self, frame: Frame, *, live: bool) -> list[Line]:
        self._at = frame.at
        self.gauge.frame()
        table, metrics, standing = self._desk.table, self._parts.metrics, self._publisher.standing
        metrics.frames.labels(table).inc()
        self._parts.witness.frame(frame)
        self._publisher.look = Look(standing.picture + 1, frame, *shown_by(self._desk))
        self._publisher.standing = replace(standing, picture=standing.picture + 1)
        with metrics.looking.labels(table).time():
            lines = self._desk.session.push(frame, time.monotonic() if live else None)
        if lines:
            self._heard(lines)
        return lines

    def camera(self, **changes: Any) -> None:
        """Note something about the camera, and tell it."""
        self.gauge.set(**changes)
        self._publisher.tell_status(now=self.stand())

    def look_out(self) -> None:
        """Note what time brings: a phone that is silent, frames that came."""
        silent = self.gauge.silent_s > SILENT_S
        if self._desk.config.pushed and self.gauge.state.state == "live" and silent:
            self.camera(state="lost", code="camera_silent", detail="the phone sends no more pictures")
        self._publisher.tell_status(now=self.stand())

    def stand(self) -> bool:
        """Note how camera and vision are; return whether that is worth telling at once."""
        settler, before = self._desk.session.settler, self._publisher.standing
        code = settler.reason.code
        text = text_of("settle", code, self._desk.config.language)
        settle = SettleInfo(state=settler.state.value, code=code, text=text)
        frame = None if self._publisher.look is None else self._publisher.look.frame
        camera = self.gauge.now(None if frame is None else frame.size_wh, code)
        self._publisher.standing = replace(before, camera=camera, settle=settle)
        return settle != before.settle or (camera.state, camera.code) != (before.camera.state, before.camera.code)

    def shut(self) -> None:
        """Note that nobody looks any more."""
        self.gauge.off()
        self._publisher.standing = replace(self._publisher.standing, phase="stopped", camera=self.gauge.state)
