"""Keys and certificates in files: private ones readable by their owner alone, each file whole or not there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from domino_rules.errors import DominoError

PrivateKey = ec.EllipticCurvePrivateKey
PRIVATE: Final = 0o600


def new_key() -> PrivateKey:
    """Return a new key on P-256, which all phones know."""
    return ec.generate_private_key(ec.SECP256R1())


def private_folder(folder: Path) -> None:
    """Make a folder that its owner alone may look into; raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def read_key(path: Path) -> PrivateKey:
    """Return the key in a file.

    Raises:
        DominoError: `tls_broken`.
        OSError: if it cannot be read.
    """
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _broken(path, "key") from error
    if not isinstance(key, PrivateKey):
        raise _broken(path, "key")
    return key


def read_certificate(path: Path) -> x509.Certificate:
    """Return the first certificate in a file.

    Raises:
        DominoError: `tls_broken`.
        OSError: if it cannot be read.
    """
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except ValueError as error:
        raise _broken(path, "certificate") from error


def write_pair(key_path: Path, key: PrivateKey, path: Path, chain: Sequence[x509.Certificate]) -> None:
    """Write a key and its certificates; raises OSError."""
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_private(key_path, text)
    write_private(path, b"".join(each.public_bytes(serialization.Encoding.PEM) for each in chain))


def write_private(path: Path, data: bytes) -> None:
    """Write a file that its owner alone may read, whole or not at all; raises OSError."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE), "wb") as file:
            if hasattr(os, "fchmod"):  # a file of an earlier run may be there with other rights
                os.fchmod(file.fileno(), PRIVATE)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


def _broken(path: Path, what: str) -> DominoError:
    return DominoError("tls_broken", f"{path} is no {what} of ours: remove it, and a new one is made", path=str(path))
