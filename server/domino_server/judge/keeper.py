"""What a table's thread calls for the judge: evidence of what was committed, clips of what is disputed, alerts."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_server.judge.alerts import ALERT, Alerts
from domino_server.judge.evidence import Evidence, EvidenceError
from domino_server.judge.evidence_facts import about, facts_of, is_telling, quads_of, shot_of
from domino_server.judge.pictures import region_around
from domino_server.referee.session import Line, TableSession
from domino_server.store import NewEvent
from domino_vision.types import Frame

EVIDENCE: Final = "evidence"
PURGE: Final = "purge"
_DISPUTED: Final = frozenset({"illegal", "question", "finding", "correction"})
_BEFORE_S: Final = 5.0
_AFTER_S: Final = 2.0
_PATIENCE_S: Final = 5.0
"""So long after a moment its clip waits for frames; photographs have none behind it."""
TIDY_S: Final = 3600.0
"""So often evidence is looked after where nothing new is kept."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Due:
    """A moment of which a clip is wanted: on the clock of the frames, and on ours; and what it is about."""

    at: float
    told: float
    about: Mapping[str, Any]


class Keeper:
    """Keeps what one table's session sees and says. For the thread of the table."""

    def __init__(
        self,
        evidence: Evidence | None,
        models: Mapping[str, str],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep evidence for a table.

        Args:
            evidence: where pictures go; None keeps none, and only alerts are made.
            models: what reads the pictures (see `model_ids`).
            clock: monotonic seconds.
        """
        self.alerts = Alerts()
        self._evidence, self._models = evidence, dict(models)
        self._clock, self._tidied = clock, clock()
        self._due: deque[_Due] = deque(maxlen=32)
        self._filming: list[Future[list[NewEvent]]] = []
        self._films = ThreadPoolExecutor(1, "clips")

    def frame(self, frame: Frame) -> None:
        """Take every frame."""
        if self._evidence is None:
            return
        self._evidence.frame(frame.bgr, frame.at)
        while self._due and frame.at >= self._due[0].at + _AFTER_S:
            self._film_next(self._evidence)

    def _film_next(self, evidence: Evidence) -> None:
        self._filming.append(self._films.submit(_film, evidence, self._due.popleft()))

    def heard(self, session: TableSession, lines: Sequence[Line]) -> list[NewEvent]:
        """Return what is to be kept of something that was said, after a frame or after a person told something."""
        events = [NewEvent(ALERT, alert) for alert in self.alerts.take(session.referee, lines)]
        if self._evidence is not None and is_telling(lines):
            events += self._kept(self._evidence, session, lines)
        return events + self.ready()

    def ready(self) -> list[NewEvent]:
        """Return what became ready meanwhile: clips, and now and then what was too old."""
        while self._evidence is not None and self._due and self._clock() >= self._due[0].told + _PATIENCE_S:
            self._film_next(self._evidence)
        done = [film for film in self._filming if film.done()]
        self._filming = [film for film in self._filming if not film.done()]
        return [event for film in done for event in film.result()] + self._tidied_up()

    def close(self) -> list[NewEvent]:
        """Wait for what is not ready yet and return it; nothing may be called after that."""
        while self._evidence is not None and self._due:  # what would have come behind is not filmed any more
            self._film_next(self._evidence)
        self._films.shutdown()
        events = self.ready()
        if self._evidence is not None:
            self._evidence.close()
        return events

    def _kept(self, evidence: Evidence, session: TableSession, lines: Sequence[Line]) -> list[NewEvent]:
        shot = shot_of(session)
        if shot is None:  # nothing was ever seen: all was told
            return []
        evidence.region = table_region(session)
        try:
            facts = facts_of(session, lines, self._models)
            kept = NewEvent(EVIDENCE, evidence.keep(shot.frame.bgr, quads_of(session, lines), facts))
        except EvidenceError as error:
            _LOG.warning("%s", error.message)
            return []
        if any(line.get("event") in _DISPUTED for line in lines):
            self._due.append(_Due(shot.at, self._clock(), about(lines)))
        return [kept, *_within(evidence)]

    def _tidied_up(self) -> list[NewEvent]:
        if self._evidence is None or self._clock() - self._tidied < TIDY_S:
            return []
        self._tidied = self._clock()
        return _within(self._evidence)


def table_region(session: TableSession) -> NDArray[np.float64] | None:
    """Return the table in the picture, a polygon of pixels: the hull of its zones, else that of its tiles."""
    shot = shot_of(session)
    if shot is None:
        return None
    observation = shot.observation
    tiles = region_around([tile.quad_px for tile in observation.tiles])
    if session.zones is None or not session.zones.zones:
        return tiles
    corners = np.concatenate([*session.zones.in_px(observation.px_to_mm).values(), *([] if tiles is None else [tiles])])
    return _hull(corners)


def _hull(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), np.float64)


def _film(evidence: Evidence, due: _Due) -> list[NewEvent]:
    """Keep the clip around a moment, within what may be kept; without one the game goes on."""
    try:
        clip = evidence.clip(due.at, _BEFORE_S, _AFTER_S, **due.about)
    except Exception as error:  # noqa: BLE001 - whatever a disk or an encoder does, the game goes on
        _LOG.warning("a clip is not kept: %s", error)
        return []
    return [] if clip is None else [NewEvent(EVIDENCE, clip), *_within(evidence)]


def _within(evidence: Evidence) -> list[NewEvent]:
    """Remove what is too old or too much, and return what tells of it."""
    purged = evidence.retain()
    return [] if purged is None else [NewEvent(PURGE, purged)]
