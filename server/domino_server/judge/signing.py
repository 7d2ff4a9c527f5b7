"""The key of a table, and the signed heads of its chain: who holds the key vouches for all events up to there."""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from domino_rules.errors import DominoError
from domino_server.judge.chain import canonical, timestamp

HEAD: Final = "head"
"""The kind of an event that holds a signed head."""
_HEAD_FACTS: Final = ("table", "seq", "hash", "count", "at")
_OTHERS_MAY: Final = 0o077
_TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class SigningError(DominoError):
    """A key that cannot be used: `key_exposed`, `key_unreadable`, `bad_public_key`, `bad_table_id`."""


class TableKey:
    """The private key of a table. Its public half says whether a file comes from that table."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        """Hold a private key."""
        self._private = private

    @classmethod
    def open(cls, folder: Path, table: str) -> TableKey:
        """Return the key of a table; it is made on first use, in a file that only its owner may read.

        Args:
            folder: the folder of keys, made if need be.
            table: the table's id.

        Raises:
            SigningError: `key_exposed` if others may read the file, `key_unreadable`, `bad_table_id`.
            OSError: if the file cannot be read or written.
        """
        if not _TABLE_ID.fullmatch(table):
            raise SigningError("bad_table_id", f"no id of a table: {table!r}", table=table)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / f"{table}.pem"
        with suppress(FileExistsError):
            return cls._made(path)
        if os.name == "posix" and path.stat().st_mode & _OTHERS_MAY:
            raise SigningError("key_exposed", f"{path}: others may read this key (chmod 600 it)", path=str(path))
        try:
            private = load_pem_private_key(path.read_bytes(), None)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise SigningError("key_unreadable", f"{path} holds no private key", path=str(path)) from error
        if not isinstance(private, Ed25519PrivateKey):
            raise SigningError("key_unreadable", f"{path} holds no Ed25519 key", path=str(path))
        return cls(private)

    @classmethod
    def _made(cls, path: Path) -> TableKey:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        private = Ed25519PrivateKey.generate()
        with os.fdopen(file, "wb") as out:
            out.write(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            out.flush()
            os.fsync(out.fileno())
        return cls(private)

    @property
    def public(self) -> str:
        """The public key: 43 characters of base64url."""
        return _text(self._private.public_key().public_bytes_raw())

    def sign(self, purpose: str, data: Any) -> str:
        """Return the signature of canonical JSON for one purpose, base64url; raises ChainError."""
        return _text(self._private.sign(_message(purpose, data)))

    def head(self, table: str, seq: int, last_hash: str, at: datetime) -> dict[str, Any]:
        """Return the signed head of a chain that ends with the event `seq`, as the data of an event."""
        facts = {"table": table, "seq": seq, "hash": last_hash, "count": seq, "at": timestamp(at)}
        return {**facts, "public_key": self.public, "signature": self.sign(HEAD, facts)}


def is_signed(public: str, purpose: str, data: Any, signature: str) -> bool:
    """Return whether a signature of canonical JSON for a purpose is genuine.

    Raises:
        SigningError: `bad_public_key`.
    """
    try:
        _public(public).verify(_bytes(signature), _message(purpose, data))
    except (InvalidSignature, ValueError):
        return False
    return True


def is_head(data: Mapping[str, Any], public: str) -> bool:
    """Return whether the data of an event is a head that was signed with the key; raises SigningError."""
    facts = {name: data.get(name) for name in _HEAD_FACTS}
    if data.get("count") != data.get("seq") or data.get("public_key") != public:
        return False
    return is_signed(public, HEAD, facts, str(data.get("signature", "")))


def check_public(text: str) -> str:
    """Return a public key as written; raises SigningError `bad_public_key` if it is none."""
    _public(text)
    return text


def _public(text: str) -> Ed25519PublicKey:
    try:
        return Ed25519PublicKey.from_public_bytes(_bytes(text))
    except ValueError as error:
        raise SigningError("bad_public_key", f"no public key of a table: {text[:60]!r}", key=text) from error


def _message(purpose: str, data: Any) -> bytes:
    return b"dominotable " + purpose.encode() + b"\n" + canonical(data)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    """Return what base64url holds, written in its only form; raises ValueError."""
    try:
        data = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
    if _text(data) != text:
        raise ValueError("not the only form")
    return data
