"""What the events of a table say besides its record, match by match and hand by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from domino_server.store import RECORD, StoredEvent


@dataclass
class HandNotes:
    """Of one hand: evidence, alerts as they stood at last, rulings."""

    evidence: list[StoredEvent] = field(default_factory=list)
    alerts: list[Mapping[str, Any]] = field(default_factory=list)
    rulings: list[Mapping[str, Any]] = field(default_factory=list)


@dataclass
class Notes:
    """Of one match: when it was played, when each move was made (by hand and number), and its hands."""

    begun: datetime | None = None
    ended: datetime | None = None
    times: dict[tuple[int, int], datetime] = field(default_factory=dict)
    hands: dict[int, HandNotes] = field(default_factory=dict)

    def hand(self, number: int) -> HandNotes:
        """Return the notes of a hand."""
        return self.hands.setdefault(number, HandNotes())


def notes_of(events: Iterable[StoredEvent]) -> dict[int, Notes]:
    """Return the notes of a table's matches by their number, from 1."""
    match, notes, hand = 1, {1: Notes()}, 0
    for event in events:
        if event.kind == RECORD and "match" in event.data:
            match, hand = match + 1, 0
            notes[match] = Notes()
            continue
        now = notes[match]
        if event.kind == RECORD:
            now.begun, now.ended = now.begun or event.at, event.at
        elif event.kind == "said":
            hand = _said(now, event, hand)
        elif event.kind in {"evidence", "alert", "ruling"}:
            _note(now.hand(_hand_of(event, hand)), event)
    return notes


def _said(notes: Notes, event: StoredEvent, hand: int) -> int:
    data = event.data
    if data.get("event") == "hand" and isinstance(data.get("hand"), int):
        return int(data["hand"])
    if data.get("event") == "move":
        notes.times[data.get("hand", hand), data.get("number", 0)] = event.at
    return hand


def _hand_of(event: StoredEvent, hand: int) -> int:
    told = event.data.get("hand")
    return told if isinstance(told, int) and told > 0 else hand


def _note(hand: HandNotes, event: StoredEvent) -> None:
    if event.kind == "evidence":
        hand.evidence.append(event)
    elif event.kind == "ruling":
        hand.rulings.append({**event.data, "seq": event.seq, "at": event.at})
    else:
        hand.alerts = [old for old in hand.alerts if old.get("key") != event.data.get("key")]
        hand.alerts.append({**event.data, "seq": event.seq, "at": event.at})
