"""What the store keeps, as values."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from domino_server.judge.chain import canonical
from domino_server.store.errors import StoreError

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LENGTH: Final = 12
_MOST_EXACT: Final = 2**53 - 1


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table.

    Attributes:
        id: 12 lower-case letters and digits.
        name: how people call it.
        config: its configuration, JSON.
        created_at: when it was made here, UTC.
        archived_at: when it was put away.
        origin: the id under which its chain of hashes began: its own, or that of the table that it is a copy of.
    """

    id: str
    name: str
    config: Mapping[str, Any]
    created_at: datetime
    archived_at: datetime | None
    origin: str


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event that is to be kept.

    Attributes:
        kind: what it is: `record`, `said`, `told`, `zones`, `calibration`, `ruling`, `config`, `head`.
        data: JSON.
        at: when it happened; now by default.
    """

    kind: str
    data: Mapping[str, Any]
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it is kept for good.

    Attributes:
        table: id of the table.
        seq: its number in the table: 1, 2, 3 ...
        at: when it happened, UTC.
        kind: what it is.
        data: JSON.
        hash: SHA-256 of the chain up to here, hexadecimal; see `domino_server.judge.chain`.
    """

    table: str
    seq: int
    at: datetime
    kind: str
    data: Mapping[str, Any]
    hash: str


@dataclass(frozen=True, slots=True)
class TokenRow:
    """What is kept of a token: never the token itself.

    Attributes:
        id: 12 lower-case letters and digits.
        table: the table that it opens; None for the house.
        role: what it allows.
        label: whom it was given to.
        hash: SHA-256 of the token, hexadecimal.
        created_at: when it was made, UTC.
        revoked_at: when it ceased to hold.
        seat: the player's seat.
    """

    id: str
    table: str | None
    role: str
    label: str
    hash: str
    created_at: datetime
    revoked_at: datetime | None
    seat: str | None


def new_table(name: str, config: Mapping[str, Any], origin: str | None = None) -> TableRow:
    """Return a table with a random id that was made now.

    Args:
        name: how people call it.
        config: JSON.
        origin: the id under which its chain began; its own by default.

    Raises:
        StoreError: `bad_text`.
        ChainError: `not_canonical` if the configuration is no JSON.
    """
    table = new_id()
    return TableRow(table, checked_text(name, "name"), load(dump(config)), datetime.now(UTC), None, origin or table)


def new_id() -> str:
    """Return a random id: 12 lower-case letters and digits (62 bits)."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))


def dump(data: Mapping[str, Any]) -> str:
    """Return data as canonical JSON; raises ChainError `not_canonical` if it is no JSON."""
    return canonical(data).decode()


def load(text: str | bytes) -> dict[str, Any]:
    """Return the data of canonical JSON, such that it has the same canonical form again.

    Whole numbers past 2^53 are what is left of floats and become floats again.

    Raises:
        ValueError: if it is no JSON object.
    """
    data = json.loads(text, parse_int=_number)
    if not isinstance(data, dict):
        raise TypeError("not a JSON object")
    return data


def _number(text: str) -> int | float:
    if len(text) > 17 or abs(int(text)) > _MOST_EXACT:
        return float(text)
    return int(text)


def checked_text(text: Any, name: str) -> str:
    """Return a text that every database can hold.

    Raises:
        StoreError: `bad_text` for NUL, for lone surrogates, and for what is no text.
    """
    if not isinstance(text, str):
        raise StoreError("bad_text", f"the {name} is no text", field=name)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise StoreError("bad_text", f"the {name} holds half a character", field=name) from error
    if "\0" in text:
        raise StoreError("bad_text", f"the {name} holds a NUL character", field=name)
    return text
