"""Works out every score of an exported table anew, from its moves alone, and compares it with what was said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from domino_rules.errors import DominoError
from domino_rules.notation import format_move
from domino_rules.record import parse_record
from domino_rules.record_replay import HandReplay, Replay, replay
from domino_rules.score import ScoreEvent
from domino_server.judge.verify_chain import Problem
from domino_server.store import RecordLines, StoredEvent

_ENDS: Final = frozenset({"hand_end", "match_end"})


@dataclass
class Derived:
    """What follows from the moves.

    Attributes:
        matches: the matches as the engine plays them.
        lines: the lines that hold, of all matches.
        problems: where the table had said otherwise.
    """

    matches: list[Replay] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def derive(events: Sequence[StoredEvent]) -> Derived:
    """Return the scores that follow from the moves of a table, match by match, and where it had said otherwise."""
    derived, held, moves = Derived(), RecordLines(), list[StoredEvent]()
    for event in events:
        try:
            held.take(event)
        except (DominoError, TypeError) as error:
            derived.problems.append(Problem("record_unplayable", f"event {event.seq}: {error}", event.seq))
            return derived
        if event.kind != "said":
            continue
        if event.data.get("event") == "move":
            moves.append(event)
        elif event.data.get("event") in _ENDS:
            derived.problems += _compared(held.lines, moves, event)
            moves.clear()
    matches = [*held.matches, tuple(held.lines)]
    derived.lines = [line for lines in matches for line in lines]
    for lines in matches:
        if not any(line.strip() for line in lines):
            continue
        try:
            derived.matches.append(replay(parse_record("\n".join(lines))))
        except DominoError as error:
            derived.problems.append(Problem("record_unplayable", f"the record cannot be played: {error.message}"))
    if derived.matches:
        derived.problems += _moves(moves, derived.matches[-1])
    return derived


def _compared(lines: Sequence[str], moves: Sequence[StoredEvent], event: StoredEvent) -> Iterator[Problem]:
    """Yield what was said otherwise at the end of a hand or a match, and in the moves before it."""
    data = event.data
    try:
        played = replay(parse_record("\n".join(lines)))
        if data["event"] == "match_end":
            yield from _totals(event, data["totals"], played.match.totals)
            yield from _winner(event, played.winner)
        elif not data["result"]["pending"]:
            hand = played.hands[data["hand"] - 1]
            until = replace(played.match, hands=played.match.hands[: data["hand"]])
            yield from _result(event, hand)
            yield from _totals(event, data["totals"], until.totals)
        yield from _moves(moves, played)
    except DominoError as error:
        text = f"event {event.seq}: the record up to there cannot be played: {error.message}"
        yield Problem("record_unplayable", text, event.seq)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        yield Problem("score_differs", f"event {event.seq}: no such end follows from the record", event.seq)


def _winner(event: StoredEvent, right: str | None) -> Iterator[Problem]:
    if event.data["winner"] != right:
        text = f"event {event.seq}: {event.data['winner']} was said to win, the moves say {right}"
        yield Problem("score_differs", text, event.seq)


def _totals(event: StoredEvent, said: Mapping[str, Any], right: Mapping[str, int]) -> Iterator[Problem]:
    for side in sorted({*said, *right}):
        told, derived = said.get(side, 0), right.get(side, 0)
        if told != derived:
            text = f"event {event.seq}: {side} was said to have {told}, the moves give {derived}"
            yield Problem("score_differs", text, event.seq, {"side": side, "said": told, "derived": derived})


def _result(event: StoredEvent, hand: HandReplay) -> Iterator[Problem]:
    said, result = event.data["result"], hand.result
    if result is None:
        yield Problem("score_differs", f"event {event.seq}: hand {hand.number} was said to be over", event.seq)
        return
    same = said["kind"] == result.kind and said["side"] == result.side
    if not same or _plain(said["events"]) != _scores(result.events):
        text = f"event {event.seq}: the scores of hand {hand.number} are not those of its moves"
        yield Problem("score_differs", text, event.seq, {"hand": hand.number})


def _moves(moves: Sequence[StoredEvent], played: Replay) -> Iterator[Problem]:
    """Yield the moves whose scores were said otherwise; those that were corrected later count as they stand now."""
    for event in moves:
        try:
            hand = played.hands[event.data["hand"] - 1]
            step = hand.steps[event.data["number"] - 1]
            if event.data["record"]["move"] != format_move(step.record.move):
                continue
            said = _plain(event.data["scores"])
        except (KeyError, IndexError, TypeError):
            continue
        if said != _scores(step.events) and _is_first(event, moves):
            text = f"event {event.seq}: what move {event.data['number']} was said to score does not follow from it"
            yield Problem("score_differs", text, event.seq, {"hand": hand.number})


def _is_first(event: StoredEvent, moves: Sequence[StoredEvent]) -> bool:
    """Return whether no other move has the same place: then nothing was taken back there."""
    place = (event.data["hand"], event.data["number"])
    return sum((other.data.get("hand"), other.data.get("number")) == place for other in moves) == 1


def _scores(events: Sequence[ScoreEvent]) -> list[tuple[Any, ...]]:
    return [(event.side, event.points, event.reason, event.unit) for event in events]


def _plain(events: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    return [(event["side"], event["points"], event["reason"], event["unit"]) for event in events]
