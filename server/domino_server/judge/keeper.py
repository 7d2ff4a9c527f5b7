"""What a table's thread calls for the judge: evidence of what was committed, clips of what is disputed, alerts."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_server.judge.alerts import Alerts
from domino_server.judge.evidence import Evidence, EvidenceError
from domino_server.judge.evidence_facts import about, facts_of, is_telling, quads_of, shot_of
from domino_server.judge.pictures import region_around
from domino_server.referee.session import Line, TableSession
from domino_server.store import NewEvent
from domino_vision.types import Frame

EVIDENCE: Final = "evidence"
PURGE: Final = "purge"
ALERT: Final = "alert"
_DISPUTED: Final = frozenset({"illegal", "question", "finding", "correction"})
_BEFORE_S: Final = 5.0
_AFTER_S: Final = 2.0

_LOG = logging.getLogger(__name__)


class Keeper:
    """Keeps what one table's session sees and says. For the thread of the table."""

    def __init__(self, evidence: Evidence | None, models: Mapping[str, str], *, all_clips: bool = False) -> None:
        """Keep evidence for a table.

        Args:
            evidence: where pictures go; None keeps none, and only alerts are made.
            models: what reads the pictures (see `model_ids`).
            all_clips: whether every move gets a clip, not only what is disputed.
        """
        self.alerts = Alerts()
        self._evidence, self._models = evidence, dict(models)
        self._all_clips = all_clips
        self._due: deque[tuple[float, dict[str, Any]]] = deque(maxlen=32)
        self._filming: list[Future[dict[str, Any] | None]] = []
        self._films = ThreadPoolExecutor(1, "clips")

    def frame(self, frame: Frame) -> None:
        """Take every frame."""
        if self._evidence is None:
            return
        self._evidence.frame(frame.bgr, frame.at)
        while self._due and frame.at >= self._due[0][0] + _AFTER_S:
            at, facts = self._due.popleft()
            self._filming.append(self._films.submit(self._evidence.clip, at, _BEFORE_S, _AFTER_S, **facts))

    def heard(self, session: TableSession, lines: Sequence[Line]) -> list[NewEvent]:
        """Return what is to be kept of something that was said, after a frame or after a person told something."""
        events = [NewEvent(ALERT, alert) for alert in self.alerts.take(session.referee, lines)]
        if self._evidence is not None and is_telling(lines):
            events += self._kept(self._evidence, session, lines)
        return events + self.ready()

    def ready(self) -> list[NewEvent]:
        """Return what became ready meanwhile: clips."""
        done = [film for film in self._filming if film.done()]
        self._filming = [film for film in self._filming if not film.done()]
        return [NewEvent(EVIDENCE, data) for film in done if (data := _result(film)) is not None]

    def close(self) -> list[NewEvent]:
        """Wait for what is not ready yet and return it; nothing may be called after that."""
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
            kept = [NewEvent(EVIDENCE, evidence.keep(shot.frame.bgr, quads_of(session, lines), facts))]
            purged = evidence.retain()
        except EvidenceError as error:
            _LOG.warning("%s", error.message)
            return []
        if self._all_clips or any(line.get("event") in _DISPUTED for line in lines):
            self._due.append((shot.at, about(lines)))
        return kept if purged is None else [*kept, NewEvent(PURGE, purged)]


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


def _result(film: Future[dict[str, Any] | None]) -> dict[str, Any] | None:
    try:
        return film.result()
    except EvidenceError as error:
        _LOG.warning("%s", error.message)
        return None
