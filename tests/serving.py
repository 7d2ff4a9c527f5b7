"""A `dominotable serve` process for tests, with its output shown when it fails."""

from __future__ import annotations

import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

START_S = 60.0
_TOKEN = re.compile(r"#token=(dt_[A-Za-z0-9_-]{43})")


class Served(str):
    """The base URL of a server that runs, such as `http://127.0.0.1:8420`, with what it printed."""

    __slots__ = ("data", "process", "stderr", "stdout")

    process: subprocess.Popen[str]
    data: Path
    stdout: list[str]
    stderr: list[str]

    @property
    def token(self) -> str:
        """The admin's token, from the house's link."""
        return self.printed_token("house")

    def printed_token(self, name: str) -> str:
        """Return the token in the link that was printed under a name, such as `camera`."""
        line = self.line(name)
        found = _TOKEN.search(line)
        assert found, f"no token in {line!r}"
        return found[1]

    def line(self, name: str) -> str:
        """Return what was printed under a name."""
        lines = [line for line in list(self.stdout) if line.startswith(f"{name} ")]
        assert lines, f"nothing was printed as {name}: {self.stdout}"
        return lines[0].removeprefix(name).strip()


def free_port() -> int:
    """Return a port on loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(*options: str, cwd: Path | None = None, data: Path | None = None) -> Iterator[Served]:
    """Run `dominotable serve` with `options` and yield its base URL; the process ends with the block.

    What it keeps lies in `data`, or in a folder that is thrown away.
    """
    with tempfile.TemporaryDirectory(prefix="dominotable-") as scratch:
        folder = data or Path(scratch)
        port = free_port()
        command = [sys.executable, "-m", "domino_server", "serve", "--port", str(port), *options]
        environment = {**os.environ, "DOMINOTABLE_DATA": str(folder)}
        process = subprocess.Popen(
            command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        served = Served(f"{'https' if '--https' in options else 'http'}://127.0.0.1:{port}")
        served.process, served.data, served.stdout, served.stderr = process, folder, [], []
        readers = [_read(process.stdout, served.stdout), _read(process.stderr, served.stderr)]
        try:
            _wait_until_up(served)
            yield served
        finally:
            process.terminate()
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for reader in readers:
                reader.join(timeout=5)


def _read(stream: object, lines: list[str]) -> threading.Thread:
    def read() -> None:
        with stream:  # type: ignore[attr-defined]
            for line in iter(stream.readline, ""):  # type: ignore[attr-defined]
                lines.append(line)  # noqa: PERF402 - others look on meanwhile

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread


def _wait_until_up(served: Served) -> None:
    deadline = time.monotonic() + START_S
    unverified = ssl._create_unverified_context()  # noqa: S323 - whether it is up is all that is asked
    while time.monotonic() < deadline:
        if served.process.poll() is not None:
            time.sleep(0.2)
            raise AssertionError(f"the server ended with {served.process.returncode}:\n{''.join(served.stderr)}")
        try:
            with urllib.request.urlopen(f"{served}/api/health/live", timeout=2, context=unverified) as answer:
                if answer.status == 200 and served.stdout:
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.1)
    raise AssertionError(f"the server at {served} did not come up in {START_S:.0f} s: {''.join(served.stderr)}")
