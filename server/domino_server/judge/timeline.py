"""A hand as a judge looks at it: what happened, in its order, with the pictures behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from domino_rules.errors import SetupError
from domino_rules.explain import explain, explain_score
from domino_rules.notation import format_move, parse_move
from domino_rules.record import Record
from domino_rules.record_replay import HandReplay, Replay, replay
from domino_server.judge.reports.moves import move_text
from domino_server.judge.timeline_entries import Entry, entries_of
from domino_server.store import RECORD, StoredEvent

KINDS: Final = (RECORD, "said", "evidence", "alert", "ruling", "purge")
"""Kinds of events that a timeline is made from."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MoveInfo(_Value):
    """A move as it holds now."""

    number: int
    player: str
    text: str = Field(description="in the notation")
    words: str = Field(description="without the player, in the language asked for")
    points: int
    scores: list[str]
    known: str
    entry: int | None = Field(description="number of the event that said it")


class HandTimeline(_Value):
    """One hand of the match in progress."""

    hand: int
    hands: list[int] = Field(description="the hands that there are")
    game: str
    sides: dict[str, list[str]]
    totals: dict[str, int] = Field(description="of the match, up to this hand")
    result: str | None = Field(description="how it ended, in words")
    winner: str | None
    closing: list[str] = Field(description="scores behind the last move, in words")
    shown: dict[str, list[str]]
    moves: list[MoveInfo]
    entries: list[Entry]


def timeline(record: Record, events: Iterable[StoredEvent], number: int, lang: str) -> HandTimeline:
    """Return the timeline of a hand.

    Args:
        record: of the match in progress.
        events: of the table, of the kinds `KINDS`.
        number: of the hand, from 1.
        lang: language of all words.

    Raises:
        SetupError: `no_such_hand`, `unknown_language`.
        DominoError: if the record cannot be played.
    """
    record = record.corrected()
    played = replay(record)
    hand = hand_of(played, number)
    entries = entries_of(of_hand(events, number), [format_move(step.record.move) for step in hand.steps], lang)
    said = {entry.moves[0]: entry.seq for entry in entries if entry.holds and entry.moves}
    result = hand.result
    at = played.hands.index(hand) + 1
    until = replace(played.match, hands=played.match.hands[:at])
    ended = None
    if result is not None:
        ended = explain(f"result.{result.kind}", {"side": result.side, "player": result.player}, lang)
    return HandTimeline(
        hand=number,
        hands=[each.number for each in played.hands],
        game=played.match.game.name,
        sides={side: list(players) for side, players in played.match.sides.items()},
        totals=dict(until.totals),
        result=ended,
        winner=None if result is None else result.side,
        closing=[explain_score(event, lang) for event in hand.closing],
        shown={player: list(map(str, tiles)) for player, tiles in record.hands[at - 1].shown.items()},
        moves=[_info(n, hand, said.get(n), lang) for n in range(1, len(hand.steps) + 1)],
        entries=entries,
    )


def hand_of(played: Replay, number: int) -> HandReplay:
    """Return a hand; raises SetupError `no_such_hand`."""
    for hand in played.hands:
        if hand.number == number:
            return hand
    there = ", ".join(str(hand.number) for hand in played.hands) or "none"
    raise SetupError("no_such_hand", f"the match has no hand {number}; it has {there}", hand=number)


def of_hand(events: Iterable[StoredEvent], number: int) -> list[StoredEvent]:
    """Return the events of a hand of the match in progress, and all that purged evidence."""
    found: list[StoredEvent] = []
    hand = 0
    for event in events:
        if event.kind == RECORD:
            if "match" in event.data:
                found, hand = [each for each in found if each.kind == "purge"], 0
            continue
        if event.kind == "said" and event.data.get("event") == "hand":
            hand = int(event.data["hand"])
        if event.kind == "purge" or _hand_in(event.data, hand) == number:
            found.append(event)
    return found


def _hand_in(data: Mapping[str, Any], hand: int) -> int:
    told = data.get("hand")
    return told if isinstance(told, int) and told > 0 else hand


def evidence_of(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Return the events that name evidence."""
    return [event for event in events if event.kind == "evidence"]


def _info(number: int, hand: HandReplay, entry: int | None, lang: str) -> MoveInfo:
    step = hand.steps[number - 1]
    text = format_move(step.record.move)
    return MoveInfo(
        number=number,
        player=step.record.move.player,
        text=text,
        words=move_text(parse_move(text), lang),
        points=sum(event.points for event in step.events if event.unit == "points"),
        scores=[explain_score(event, lang) for event in step.events],
        known=step.record.source.value,
        entry=entry,
    )
