"""Keep the libraries below OpenCV from writing to the terminal: what they say is caught and judged instead."""

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import cv2

_STDERR: Final = 2
_LOCK: Final = threading.RLock()


class Caught:
    """What was written to standard error inside `caught_stderr`; empty until that has ended."""

    text: str = ""


@contextmanager
def caught_stderr() -> Iterator[Caught]:
    """Catch what compiled code writes to standard error, for the whole process; one caller at a time."""
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
    """Silence OpenCV's own log and the libraries below it while a camera or file is tried."""
    with caught_stderr():
        logging = cv2.utils.logging
        before = logging.getLogLevel()
        with suppress(cv2.error):
            logging.setLogLevel(logging.LOG_LEVEL_SILENT)
        try:
            yield
        finally:
            logging.setLogLevel(before)
