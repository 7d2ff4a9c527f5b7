"""What other threads want done in the thread of a table."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from domino_rules.errors import DominoError
from domino_server.problems import RequestError

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Job:
    """One thing to do, and who waits for it."""

    run: Callable[[], Any]
    done: Future[Any]

    def do(self) -> None:
        """Do it, and answer."""
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            self.done.set_result(self.run())
        except DominoError as error:
            self.done.set_exception(error)
        except Exception as error:  # noqa: BLE001 - whoever asked is told, and the table goes on
            _LOG.exception("a table failed at a command")
            self.done.set_exception(error)


class Jobs:
    """A queue of jobs under a condition that its thread waits for."""

    def __init__(self, news: threading.Condition) -> None:
        """Tell of jobs through `news`, whose lock guards the queue."""
        self._news = news
        self._jobs: list[Job] = []
        self._closed = False

    @property
    def waiting(self) -> bool:
        """Whether there is something to do; call with the lock held."""
        return bool(self._jobs) or self._closed

    def put(self, run: Callable[[], Any]) -> Future[Any]:
        """Queue a job; a queue that is closed refuses it."""
        job = Job(run, Future())
        with self._news:
            if not self._closed:
                self._jobs.append(job)
                self._news.notify_all()
                return job.done
        job.done.set_exception(RequestError(409, "table_stopped", "the table is not running: start it first"))
        return job.done

    def take(self) -> tuple[list[Job], bool]:
        """Return what is to be done now, and whether that is all; call with the lock held."""
        jobs, self._jobs = self._jobs, []
        return jobs, self._closed

    def close(self) -> None:
        """Take no more jobs; those that wait are still done."""
        with self._news:
            self._closed = True
            self._news.notify_all()
