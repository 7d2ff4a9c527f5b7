"""A `dominotable serve` process for tests, with its output shown when it fails."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

START_S = 60.0


def free_port() -> int:
    """Return a port on loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(*options: str, cwd: Path | None = None) -> Iterator[str]:
    """Run `dominotable serve` with `options` and yield its base URL; the process ends with the block."""
    port = free_port()
    command = [sys.executable, "-m", "domino_server", "serve", "--port", str(port), *options]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    base = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(process, base)
        yield base
    finally:
        process.terminate()
        try:
            process.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _wait_until_up(process: subprocess.Popen[str], base: str) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            output = process.stdout.read() if process.stdout else ""
            raise AssertionError(f"the server ended with {process.returncode}:\n{output}")
        try:
            with urllib.request.urlopen(f"{base}/api/v1/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"the server at {base} did not come up in {START_S:.0f} s")
