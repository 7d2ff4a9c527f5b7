"""Checks the chain of an exported file: the first event that is altered, missing or out of its place, and the heads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from domino_server.judge.chain import ChainError, genesis, next_hash, timestamp
from domino_server.judge.exported import Line
from domino_server.judge.signing import HEAD, SigningError, is_head
from domino_server.store import StoredEvent


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it was exported.

    Attributes:
        code: what it is.
        text: it in one English line.
        seq: number of the event; None if no single one is meant.
        params: further facts.
    """

    code: str
    text: str
    seq: int | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


def follow(table: str, lines: Sequence[Line]) -> tuple[list[StoredEvent], Problem | None]:
    """Return the events up to the first one that breaks the chain, and what is wrong with that one."""
    previous, events = genesis(table), list[StoredEvent]()
    for line in lines:
        found = _link(table, previous, len(events) + 1, line, lines)
        if isinstance(found, Problem):
            return events, found
        events.append(found)
        previous = found.hash
    return events, None


def _link(table: str, previous: str, expected: int, line: Line, lines: Sequence[Line]) -> StoredEvent | Problem:
    event = line.event
    if event is None:
        return Problem("event_altered", f"event {expected} is altered: line {line.number} is no event", expected)
    seq = event.get("seq")
    if seq != expected:
        return _misplaced(expected, seq, lines)
    try:
        at = datetime.fromisoformat(str(event["at"]))
        data = event["data"]
        kind = event["kind"]
        right = isinstance(kind, str) and isinstance(data, Mapping) and timestamp(at) == event["at"]
        if not right or next_hash(previous, table, expected, at, kind, data) != event["hash"]:
            return _altered(expected)
    except (KeyError, ValueError, ChainError):
        return _altered(expected)
    return StoredEvent(table, expected, at, kind, data, event["hash"])


def _altered(seq: int) -> Problem:
    text = f"event {seq} is altered: its hash does not follow from event {seq - 1} and what it says"
    return Problem("event_altered", text, seq)


def _misplaced(expected: int, found: object, lines: Sequence[Line]) -> Problem:
    there = {line.event.get("seq") for line in lines if line.event is not None}
    facts = {"found": found}
    if expected in there:
        text = f"event {expected} is not in its place: event {found} stands there"
        return Problem("event_reordered", text, expected, facts)
    if isinstance(found, int) and not isinstance(found, bool) and found > expected:
        return Problem("event_missing", f"event {expected} is missing: event {found} follows", expected, facts)
    return Problem("event_altered", f"event {expected} is altered: it is numbered {found}", expected, facts)


def check_heads(table: str, events: Sequence[StoredEvent], public: str | None) -> Iterator[Problem]:
    """Yield what is wrong with the signed heads.

    Args:
        table: the id under which the chain began.
        events: its events.
        public: the key that signed the file and with it the end of the chain; None if nobody did: then the last event
            must be a head that signs the one before it.
    """
    since = 0
    for event in events:
        if event.kind != HEAD:
            continue
        if not _is_genuine(event):
            yield Problem("head_forged", f"the head in event {event.seq} has no genuine signature", event.seq)
            continue
        at = event.data["seq"]
        right = isinstance(at, int) and 0 <= at < event.seq and event.data["table"] == table
        if not right or (events[at - 1].hash if at else genesis(table)) != event.data["hash"]:
            text = f"something between event {since + 1} and event {at} was altered after event {event.seq} signed it"
            yield Problem("altered_before_head", text, event.seq, {"since": since + 1, "to": at})
        since = event.seq
    last = events[-1] if events else None
    signed = last is not None and last.kind == HEAD and last.data.get("seq") == last.seq - 1
    if public is None and not signed:
        yield Problem("head_missing", "the last event is no signed head: events are missing at the end")
    elif last is not None and signed and public is not None and last.data.get("public_key") != public:
        yield Problem("other_key", f"event {last.seq} was signed with another key than the file", last.seq)


def _is_genuine(event: StoredEvent) -> bool:
    try:
        return is_head(event.data, str(event.data.get("public_key")))
    except SigningError:
        return False
