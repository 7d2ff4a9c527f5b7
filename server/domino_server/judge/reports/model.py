"""A report as values: what stands in it, in the language of the reader, before it becomes HTML, PDF, CSV or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from domino_rules.errors import DominoError, SetupError
from domino_rules.explain import explain, explain_score
from domino_rules.record import Record, parse_record
from domino_rules.record_replay import HandReplay, Replay, Step, replay
from domino_rules.score import ScoreEvent
from domino_rules.svg_record import record_svg
from domino_server.judge.renames import with_new_names
from domino_server.judge.reports.hindsight import audited, findings_in_words, otherwise_in_words
from domino_server.judge.reports.moves import move_text
from domino_server.judge.reports.notes import Notes, notes_of
from domino_server.judge.reports.pictures import Picture, pictures_of
from domino_server.judge.reports.source import Source
from domino_server.judge.words import alert_text

_MOST_COUNTERFACTUALS: Final = 5


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A move in words: what it scored, how it is known, when it was made."""

    number: int
    player: str
    text: str
    points: int
    scores: tuple[str, ...]
    known: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class HandReport:
    """One hand.

    Attributes:
        number: from 1.
        layout: the table at its end, an SVG document.
        moves: its moves.
        result: how it ended, in words; None while it goes on.
        winner: the side that won it.
        closing: scores behind the last move, in words.
        points: by side what it brought.
        totals: by side the totals after it.
        shown: by player the tiles that were left.
        findings: what the audit found: move, text, certainty and rule.
        counterfactuals: what would change the result.
        alerts: what was alerted, in words.
        rulings: data of the rulings.
        pictures: evidence.
        purged: how many evidence files were removed on purpose.
    """

    number: int
    layout: str
    moves: tuple[MoveRow, ...]
    result: str | None
    winner: str | None
    closing: tuple[str, ...]
    points: Mapping[str, int]
    totals: Mapping[str, int]
    shown: Mapping[str, str]
    findings: tuple[Mapping[str, Any], ...]
    counterfactuals: tuple[Mapping[str, Any], ...]
    alerts: tuple[Mapping[str, Any], ...]
    rulings: tuple[Mapping[str, Any], ...]
    pictures: tuple[Picture, ...]
    purged: int


@dataclass(frozen=True, slots=True)
class MatchReport:
    """One match."""

    number: int
    game: str
    title: str
    seats: tuple[str, ...]
    sides: Mapping[str, tuple[str, ...]]
    options: tuple[tuple[str, str], ...]
    begun: datetime | None
    ended: datetime | None
    hands: tuple[HandReport, ...]
    totals: Mapping[str, int]
    winner: str | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class TableReport:
    """All matches of one table, and what vouches for them."""

    name: str
    table: str
    matches: tuple[MatchReport, ...]
    verification: Mapping[str, Any] | None
    problems: tuple[str, ...] = field(default=())


def build(source: Source, lang: str, *, hand: int | None = None, pictures: int = 4) -> TableReport:
    """Return the report of one table.

    Args:
        source: the facts.
        lang: language of all texts.
        hand: only this hand, of the last match; None takes all.
        pictures: at most so many pictures of evidence a hand.

    Raises:
        SetupError: `unknown_language`; `no_such_hand`.
        RecordError, SetupError, IllegalMoveError: of a plain record that cannot be played.
    """
    notes = notes_of(with_new_names(source.events))
    matches: list[MatchReport] = []
    last = len(source.records)
    for number, text in enumerate(source.records, 1):
        if hand is None or number == last:
            about = notes.get(number, Notes())
            matches.append(_match(source, number, text, about, _Want(lang, hand, pictures)))
    if source.verdict is None:
        return TableReport(source.name, source.table, tuple(matches), None)
    verdict = source.verdict
    facts = {
        "genuine": verdict.genuine, "events": verdict.events, "hash": verdict.hash, "public_key": verdict.public_key,
        "trusted": verdict.trusted,
    }  # fmt: skip
    problems = tuple(problem.text for problem in verdict.problems)
    return TableReport(source.name, source.table, tuple(matches), facts, problems)


@dataclass(frozen=True, slots=True)
class _Want:
    lang: str
    hand: int | None
    pictures: int


def _match(source: Source, number: int, text: str, notes: Notes, want: _Want) -> MatchReport:
    record = parse_record(text).corrected()
    played, problem = _played(record, strict=source.verdict is None)
    game = played.match.game
    options = tuple(
        (explain(f"option.{game.name}.{name}", {}, want.lang), _plain(value))
        for name, value in played.match.rules.changed().items()
    )
    _check_hand(record, want)
    hands = tuple(
        _hand(source, record, played, each, notes, want)
        for each in played.hands
        if want.hand is None or each.number == want.hand
    )
    winner = None if problem is not None else played.winner
    return MatchReport(
        number, game.name, explain(f"game.{game.name}", {}, want.lang), played.match.seats, played.match.sides, options,
        notes.begun, notes.ended, hands, dict(played.match.totals), winner, problem,
    )  # fmt: skip


def _check_hand(record: Record, want: _Want) -> None:
    numbers = [hand.number for hand in record.hands]
    if want.hand is not None and want.hand not in numbers:
        there = ", ".join(map(str, numbers)) or "none"
        message = f"the match has no hand {want.hand}; it has {there}"
        raise SetupError("no_such_hand", message, hand=want.hand)


def _played(record: Record, *, strict: bool) -> tuple[Replay, str | None]:
    """Return the record as the engine plays it; of an exported one as far as it can be played, and why no further."""
    try:
        return replay(record), None
    except DominoError as error:
        if strict:
            raise
        problem = error.message
    hands = record.hands
    while True:
        hands = hands[:-1]
        try:
            return replay(replace(record, hands=hands)), problem
        except DominoError:
            if not hands:
                raise


def _hand(source: Source, record: Record, played: Replay, hand: HandReplay, notes: Notes, want: _Want) -> HandReport:
    lang, at = want.lang, hand.number - 1
    until = replace(played.match, hands=played.match.hands[: at + 1])
    unit = played.match.game.unit
    points = dict.fromkeys(played.match.sides, 0)
    for event in hand.events:
        if event.unit == unit:
            points[event.side] = points.get(event.side, 0) + event.points
    about = notes.hand(hand.number)
    again = audited(record, hand.number, about.evidence, source.facts)
    result = hand.result
    ended = None
    if result is not None:
        ended = explain(f"result.{result.kind}", {"side": result.side, "player": result.player}, lang)
    rows = tuple(_row(number, step, notes, hand.number, lang) for number, step in enumerate(hand.steps, 1))
    shown = {player: " ".join(map(str, tiles)) for player, tiles in record.hands[at].shown.items()}
    pictures, purged = pictures_of(source, about.evidence, want.pictures)
    return HandReport(
        number=hand.number,
        layout=record_svg(record, hand.number, lang=lang),
        moves=rows,
        result=ended,
        winner=None if result is None else result.side,
        closing=tuple(explain_score(event, lang) + _note(event) for event in hand.closing),
        points=points,
        totals=dict(until.totals),
        shown=shown,
        findings=() if again is None else tuple(findings_in_words(again, lang)),
        counterfactuals=() if again is None else tuple(otherwise_in_words(again, lang))[:_MOST_COUNTERFACTUALS],
        alerts=tuple({**alert, "words": alert_text(alert, lang)} for alert in about.alerts),
        rulings=tuple(about.rulings),
        pictures=pictures,
        purged=purged,
    )


def _row(number: int, step: Step, notes: Notes, hand: int, lang: str) -> MoveRow:
    move = step.record.move
    points = sum(event.points for event in step.events if event.unit == "points")
    scores = tuple(explain_score(event, lang) for event in step.events)
    known = explain(f"source.{step.record.source.value}", {}, lang)
    return MoveRow(
        number, move.player, move_text(move, lang), points, scores, known, notes.times.get((hand, number))
    )  # fmt: skip


def _note(event: ScoreEvent) -> str:
    return f" ({event.note})" if event.note else ""


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()
