"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from domino_server.store.errors import StoreError
from domino_server.store.store import Store

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def whole_file(out: Path, store: Store) -> Iterator[Path]:
    """Give a path to write to; the file gets its name once it is complete and on the disk, and only then.

    Raises:
        StoreError: `same_file` if it is the database itself; `store_full`.
        OSError: if it cannot be written for another reason.
    """
    database = store.engine.url.database
    if store.engine.dialect.name == "sqlite" and database and out.resolve() == Path(database).resolve():
        raise StoreError("same_file", f"{out} is the database itself", path=str(out))
    part = out.with_name(f".{out.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with full_disk_told(out):
            _make_private(part, out)
            yield part
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            part.replace(out)
            _sync_folder(out.parent)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _make_private(part: Path, out: Path) -> None:
    """Make a file that nobody else reads: it holds hands and names."""
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(out)) from error


@contextmanager
def full_disk_told(path: Path) -> Iterator[None]:
    """Turn the error of a full disk into a StoreError `store_full`."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise StoreError("store_full", f"{path}: the disk is full", path=str(path)) from error


def _sync_folder(folder: Path) -> None:
    """Make a rename last; systems that cannot open a folder do so by themselves."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
