"""One process at a time: at a folder of data, at a record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from domino_rules.errors import DominoError


@contextmanager
def alone(lock: Path, refusal: DominoError) -> Iterator[None]:
    """Hold a lock; it goes when the process does, however it ends, and its file stays.

    Args:
        lock: file of the lock; made if it is not there.
        refusal: what is raised if another process holds it.

    Raises:
        DominoError: the refusal.
        OSError: if the file cannot be made.
    """
    held = FileLock(lock, mode=0o600)
    try:
        held.acquire(timeout=0)
    except Timeout:
        raise refusal from None
    try:
        yield
    finally:
        held.release()
