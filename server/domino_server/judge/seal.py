"""The seal of an exported file: the SHA-256 of all its bytes in the comment at its end.

Hashes of the members say nothing of the bytes between them; the seal shows any change of the file, be it in transit or
by hand. It proves no origin: that is what signatures are for.
"""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from typing import BinaryIO, Final

_MARK: Final = b"sha256:"
SEAL_BYTES: Final = len(_MARK) + 64
"""How many bytes at the end of the file are the seal."""


def seal(path: Path) -> str:
    """Seal a zip file, anew if it has a seal; return the hash that it now carries, hexadecimal.

    Raises:
        zipfile.BadZipFile, OSError: if it is no zip file or cannot be written.
    """
    with zipfile.ZipFile(path, "a") as file:
        file.comment = _MARK + b"0" * 64
    with path.open("r+b") as data:
        digest = _digest(data)
        data.seek(-64, 2)
        data.write(digest.encode())
    return digest


def is_sealed(path: Path) -> bool:
    """Return whether the file ends with the hash of all bytes before it; raises OSError."""
    with path.open("rb") as data:
        data.seek(0, 2)
        if data.tell() <= SEAL_BYTES:
            return False
        data.seek(-SEAL_BYTES, 2)
        written = data.read()
        return written == _MARK + _digest(data).encode()


def _digest(data: BinaryIO) -> str:
    left = data.seek(0, 2) - SEAL_BYTES
    data.seek(0)
    hashed = hashlib.sha256()
    while left > 0:
        block = data.read(min(left, 1 << 20))
        hashed.update(block)
        left -= len(block)
    return hashed.hexdigest()
