"""Databases for tests: SQLite files, and a real PostgreSQL server of its own in a temporary folder."""

from __future__ import annotations

import atexit
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

KINDS = ("sqlite", "postgresql")
_NUMBERS = itertools.count(1)


class Postgres:
    """A PostgreSQL server that listens on a socket in its own folder alone."""

    def __init__(self, binaries: Path) -> None:
        """Make a cluster and start it; as root both are done as a user without rights, as PostgreSQL demands."""
        self._binaries = binaries
        self.folder = Path(tempfile.mkdtemp(prefix="dominotable-pg-"))
        self._as: dict[str, object] = {}
        if os.geteuid() == 0:
            user = _unprivileged()
            give_to_server(self.folder)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        options = ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "--no-sync"]
        self._run("initdb", "-D", str(self._data), *options)
        self.start()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def kill(self) -> None:
        """End the server at once, as a crash does."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "stop")

    def remove(self) -> None:
        """Stop the server and remove its folder."""
        if (self._data / "postmaster.pid").exists():
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql+psycopg://postgres@/{database}?host={self.folder}"

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Run a statement and return what it prints."""
        options = ["-h", str(self.folder), "-U", "postgres", "-d", database, "-qAt", "-v", "ON_ERROR_STOP=1"]
        return self._run("psql", *options, "-c", statement)

    def _run(self, name: str, *options: str) -> str:
        command = [str(self._binaries / name), *options]
        done = subprocess.run(
            command,
            check=False,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if name != "pg_ctl" else subprocess.DEVNULL,  # the server would keep a pipe open
            stderr=subprocess.STDOUT if name != "pg_ctl" else subprocess.DEVNULL,
            text=True,
            timeout=120,
            **self._as,  # type: ignore[call-overload]
        )
        assert done.returncode == 0, f"{name}: {done.stdout}"
        return done.stdout or ""


def give_to_server(folder: Path) -> None:
    """Make a folder one of the server's own, if that runs as another user."""
    if os.geteuid() == 0:
        user = _unprivileged()
        os.chown(folder, user.pw_uid, user.pw_gid)


def _unprivileged() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise AssertionError("there is no user `postgres` or `nobody`")


def _binaries() -> Path | None:
    """Return the folder of PostgreSQL's programs; Debian keeps them off the path."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = str(versions[-1]) if versions else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


@cache
def postgres() -> Postgres:
    """Return the server of this test run, started when first asked for; skips the test where there is none."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt-get install postgresql)")
    server = Postgres(binaries)
    atexit.register(server.remove)
    return server


@contextmanager
def fresh(kind: str, folder: Path) -> Iterator[str]:
    """Give the address of an empty database of one of `KINDS`; it goes away with the block."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'dominotable.db'}"
        return
    server, name = postgres(), f"test_{os.getpid()}_{next(_NUMBERS)}"
    server.sql(f"CREATE DATABASE {name}")
    try:
        yield server.url(name)
    finally:
        server.sql(f"DROP DATABASE {name} WITH (FORCE)")
