"""Prints a record as text. The reader is `record_reader`."""

from __future__ import annotations

from collections.abc import Iterator

from domino_rules.notation import format_move, format_name, format_unseen
from domino_rules.record import Correction, HandRecord, MoveRecord, Record, Source, ToldResult
from domino_rules.state import Hand


def write_record(record: Record) -> str:
    """Return the text of a record; it ends with a line break."""
    parts = ["\n".join((*_comment(record.comment), *(f"{name}: {text}" for name, text in record.headers.items())))]
    parts.extend("\n".join(_hand(hand)) for hand in record.hands)
    return "\n\n".join(parts) + "\n"


def _hand(hand: HandRecord) -> Iterator[str]:
    yield f"Hand {hand.number}"
    yield from _comment(hand.comment)
    for player, held in hand.deal.hands.items():
        yield _fact(hand, "Deal", _held(held), player)
    if hand.deal.stock:
        yield _fact(hand, "Stock", format_unseen(hand.deal.stock))
    if hand.deal.table:
        yield _fact(hand, "Table", format_unseen(hand.deal.table))
    if hand.opener is not None:
        yield _fact(hand, "Opener", format_name(hand.opener))
    width = len(str(len(hand.moves)))
    for number, move in enumerate(hand.moves, 1):
        yield from _with_comment(f"{number:>{width}}. {_move(move)}", move.comment)
    yield from _end(hand)


def _end(hand: HandRecord) -> Iterator[str]:
    for player, tiles in hand.shown.items():
        yield _fact(hand, "Shown", format_unseen(tiles) or "none", player)
    for correction in hand.corrections:
        yield from _with_comment(_correction(correction), correction.comment)
    if hand.result is not None:
        yield f"Result: {_result(hand.result)}"
    for score in hand.scores:
        unit = "" if score.unit is None else f" {score.unit}"
        yield from _with_comment(f"Score {format_name(score.side)}: {score.points}{unit}", score.comment)
    for adjustment in hand.adjustments:
        line = f"Adjust {format_name(adjustment.side)}: {adjustment.points:+}"
        yield from _with_comment(line, adjustment.comment)


def _fact(hand: HandRecord, keyword: str, text: str, player: str | None = None) -> str:
    name = "" if player is None else f" {format_name(player)}"
    key = keyword.lower() if player is None else f"{keyword.lower()} {player}"
    return f"{keyword}{name}: {text}{_source(hand.sources.get(key, Source.SEEN))}"


def _held(hand: Hand) -> str:
    return format_unseen((*hand.known, *(None,) * hand.unknown)) or "none"


def _source(source: Source, rule: str | None = None) -> str:
    if source is Source.SEEN and not rule:
        return ""
    return f" ({source.value} {rule})" if rule else f" ({source.value})"


def _move(record: MoveRecord) -> str:
    claim = "" if record.claim is None else f" {record.claim:+}"
    return f"{format_move(record.move)}{claim}{_source(record.source, record.rule)}"


def _result(result: ToldResult) -> str:
    side = "" if result.side is None else f" {format_name(result.side)}"
    player = "" if result.player is None else f" by {format_name(result.player)}"
    return f"{result.kind}{side}{player}"


def _correction(correction: Correction) -> str:
    action = "" if correction.action == "replace" else f" {correction.action}"
    move = "" if correction.move is None else f" {_move(correction.move)}"
    return f"Correct {correction.number}:{action}{move}"


def _comment(comment: str) -> tuple[str, ...]:
    return tuple(f"; {line}" for line in comment.split("\n") if line)


def _with_comment(line: str, comment: str) -> Iterator[str]:
    lines = _comment(comment)
    if not lines:
        yield line
        return
    yield f"{line} {lines[0]}"
    yield from (f"    {more}" for more in lines[1:])
