"""The chain of hashes over the events of a table: whoever alters, drops or reorders one breaks every hash behind it.

An event is hashed as canonical JSON together with the hash of the event before it, so that two parties who hold the
same last hash hold the same history.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import rfc8785

from domino_rules.errors import DominoError


class ChainError(DominoError):
    """Data that cannot be written down in one way only: `not_canonical`, `naive_time`."""


def genesis(table_id: str) -> str:
    """Return the hash before a table's first event: the SHA-256 of its id, hexadecimal."""
    return hashlib.sha256(table_id.encode()).hexdigest()


def canonical(data: Any) -> bytes:
    """Return JSON data in its only form: sorted keys, no spaces, UTF-8, numbers as ECMAScript writes them.

    Texts are kept as they are, whatever their Unicode normal form. 1 and 1.0 are the same number.

    Raises:
        ChainError: `not_canonical` for NaN, infinities, whole numbers beyond 2^53, keys that are no texts, lone
            surrogates, and everything that is not JSON.

    Source: RFC 8785, JSON Canonicalization Scheme.

    Example:
        >>> canonical({"b": [1.0, 1e-7], "a": "Đorđe"}).decode()
        '{"a":"Đorđe","b":[1,1e-7]}'
    """
    try:
        return rfc8785.dumps(_plain(data))
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as error:
        raise ChainError("not_canonical", f"the data has no canonical JSON: {error}", cause=str(error)) from error


def timestamp(at: datetime) -> str:
    """Return a moment as ISO 8601 in UTC with microseconds: `2026-11-30T01:02:03.000000Z`.

    Raises:
        ChainError: `naive_time` if it has no time zone.
    """
    if at.tzinfo is None:
        raise ChainError("naive_time", f"the time {at.isoformat()} has no time zone", at=at.isoformat())
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def next_hash(previous: str, table: str, seq: int, at: datetime, kind: str, data: Mapping[str, Any]) -> str:
    """Return the hash of an event, hexadecimal.

    Args:
        previous: the hash of the event before it, or `genesis(table)`.
        table: the table's id.
        seq: the number of the event, from 1.
        at: when it happened; any time zone.
        kind: what it is.
        data: JSON data.

    Raises:
        ChainError: `not_canonical` or `naive_time`.
    """
    event = {"previous": previous, "table": table, "seq": seq, "at": timestamp(at), "kind": kind, "data": data}
    return hashlib.sha256(canonical(event)).hexdigest()


def _plain(data: Any) -> Any:
    """Return data whose mappings are dicts."""
    if isinstance(data, Mapping):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data
