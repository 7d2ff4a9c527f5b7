"""Keep the libraries below OpenCV from writing to the terminal: what they say is caught and judged instead."""

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import cv2

_STDERR: Final = 2
_LOCK: Final = threading.RLock()


class Caught:
    """What was written to standard error inside `caught_stderr`; empty until that has ended."""

    text: str = ""


@contextmanager
def caught_stderr() -> Iterator[Caught]:
    """Catch what compiled code writes to standard error, for the whole process; one caller at a time.

    Only for what takes milliseconds: others wait.
    """
    caught = Caught()
    with _LOCK:
        try:
            saved = os.dup(_STDERR)
        except OSError:  # the process has no standard error
            yield caught
            return
        try:
            with tempfile.TemporaryFile() as file:
                os.dup2(file.fileno(), _STDERR)
                try:
                    yield caught
                finally:
                    os.dup2(saved, _STDERR)
                file.seek(0)
                caught.text = file.read().decode(errors="replace")
        finally:
            os.close(saved)


@contextmanager
def silent_opencv() -> Iterator[None]:
    """Silence the log of OpenCV and ffmpeg while a camera, file or stream is tried, which may take seconds.

    Several threads may be inside at once; the last one to leave puts the log back as it was.
    """
    _silence.enter()
    try:
        yield
    finally:
        _silence.leave()


class _Silence:
    """Counts who wants silence."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before = 0

    def enter(self) -> None:
        logging = cv2.utils.logging
        with self._lock:
            if self._inside == 0:
                self._before = logging.getLogLevel()
                logging.setLogLevel(logging.LOG_LEVEL_SILENT)
            self._inside += 1

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                cv2.utils.logging.setLogLevel(self._before)


_silence: Final = _Silence()
