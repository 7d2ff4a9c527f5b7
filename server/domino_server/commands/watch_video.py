"""The annotated video of a watched table."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Final, Self

import cv2
import numpy as np

from domino_server.console import written
from domino_server.picture import WORDS
from domino_server.referee.session import TableSession
from domino_vision.annotate import annotate
from domino_vision.errors import VisionError
from domino_vision.types import Frame, U8Array

_CODECS: Final = {".mp4": "mp4v", ".avi": "MJPG"}
_FPS: Final = 15.0


class VideoSink:
    """Writes each frame with what was last understood, the scores and the last move beside it."""

    def __init__(self, path: Path) -> None:
        """Check that a video can be written there.

        Args:
            path: the file (.mp4 or .avi).

        Raises:
            VisionError: `video_suffix` or `folder_missing`.
        """
        if path.suffix.lower() not in _CODECS:
            raise VisionError("video_suffix", f"cannot write {path}: a video ends in .mp4 or .avi", name=str(path))
        if not path.parent.is_dir():
            raise VisionError("folder_missing", f"cannot write {path}: no folder {path.parent}", name=str(path))
        self._path = path
        self._writer: cv2.VideoWriter | None = None
        self._size = (0, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            self._writer.release()
            written(self._path)

    def write(self, frame: Frame, session: TableSession) -> None:
        """Add a frame.

        Raises:
            VisionError: `cannot_write`.
        """
        picture = frame.bgr
        if session.observation is not None:
            picture = annotate(frame.bgr, session.observation, caption(session), WORDS)
        self._add(picture)

    def _add(self, picture: U8Array) -> None:
        """Add a picture (h, w, 3) uint8 BGR as it is; all get the size of the first."""
        if self._writer is None:
            self._open(picture.shape[1] // 2 * 2, picture.shape[0] // 2 * 2)
        if (picture.shape[1], picture.shape[0]) != self._size:
            picture = np.asarray(cv2.resize(picture, self._size), np.uint8)
        assert self._writer is not None  # noqa: S101 - opened above
        self._writer.write(picture)

    def _open(self, width: int, height: int) -> None:
        self._size = (width, height)
        codec = cv2.VideoWriter.fourcc(*_CODECS[self._path.suffix.lower()])
        self._writer = cv2.VideoWriter(str(self._path), codec, _FPS, self._size)
        if not self._writer.isOpened():
            raise VisionError("cannot_write", f"cannot write {self._path}", name=str(self._path))


def caption(session: TableSession) -> list[str]:
    """Return the scores, the last move, and what is open, as lines."""
    from domino_rules.notation import format_move

    referee = session.referee
    lines = [f"{side} {points}" for side, points in referee.match.totals.items()]
    if referee.ledger.moves:
        lines.append(format_move(referee.ledger.moves[-1].move))
    lines += [f"? {code}" for code in referee.questions]
    return lines if referee.pause is None else [*lines, f"waits: {referee.pause.code}"]
