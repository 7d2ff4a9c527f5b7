"""Reading from pipes without waiting for ever: nobody may write at the other end."""

import os
import select
import time
from pathlib import Path
from typing import Final

_STEP_BYTES: Final = 1 << 20


def read_pipe(path: Path, most_bytes: int, wait_s: float) -> bytes:
    """Read a pipe until its writers are done.

    Args:
        path: a named pipe, or what a shell makes of `<(command)`.
        most_bytes: no more than this is read.
        wait_s: how long the pipe may be silent.

    Raises:
        OSError: the pipe cannot be opened, or stayed silent (`TimeoutError`).
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return _read(descriptor, most_bytes, wait_s)
    finally:
        os.close(descriptor)


def _read(descriptor: int, most_bytes: int, wait_s: float) -> bytes:
    parts: list[bytes] = []
    left = most_bytes
    deadline = time.monotonic() + wait_s
    while left > 0:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError(None, "the pipe sends nothing")
        part = os.read(descriptor, min(left, _STEP_BYTES))
        if not part:
            break
        parts.append(part)
        left -= len(part)
        deadline = time.monotonic() + wait_s
    return b"".join(parts)
