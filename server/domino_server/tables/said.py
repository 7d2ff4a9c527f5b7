"""What the referee said, as it is kept, and the part of it that everybody may hear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domino_rules.errors import DominoError
from domino_rules.notation import parse_move
from domino_server.tables.public import EARNED, open_text

Line = Mapping[str, Any]
NOT_KEPT: Final = frozenset({"settle", "commit", "ask"})
"""News of vision: they pass, nothing is derived from them."""


def public_part(line: Line, unit: str) -> dict[str, Any] | None:
    """Return what everybody may hear of an event; None if it is nothing for everybody.

    Args:
        line: the event as plain values, its kind under `event`.
        unit: what the totals of the match count.
    """
    write = _PUBLIC.get(str(line["event"]))
    return None if write is None else {"event": line["event"], **write(line, unit)}


def open_line(text: str) -> str:
    """Return a move's text without the tile that was drawn; a text that is no move becomes empty."""
    try:
        return open_text(parse_move(text))
    except DominoError:
        return ""


def _move(line: Line, _: str) -> dict[str, Any]:
    record = line["record"]
    points = sum(int(score["points"]) for score in line["scores"] if score["reason"] in EARNED)
    text = open_line(record["move"])
    player = parse_move(text).player if text else None
    return {
        "hand": line["hand"], "number": line["number"], "player": player, "text": text, "known": record["known"],
        "points": points,
    }  # fmt: skip


def _correction(line: Line, _: str) -> dict[str, Any]:
    before, after = line["before"], line["after"]
    return {
        "hand": line["hand"], "number": line["number"],
        "before": None if before is None else open_line(before["move"]),
        "after": None if after is None else open_line(after["move"]),
    }  # fmt: skip


def _hand_end(line: Line, unit: str) -> dict[str, Any]:
    result = line["result"]
    points: dict[str, int] = {}
    for event in result["events"]:
        if event["unit"] == unit:
            points[event["side"]] = points.get(event["side"], 0) + int(event["points"])
    return {
        "hand": line["hand"], "winner": result["side"], "player": result["player"], "reason": result["kind"],
        "points": points, "totals": line["totals"], "pending": result["pending"],
    }  # fmt: skip


def _some(*names: str) -> Callable[[Line, str], dict[str, Any]]:
    return lambda line, _: {name: line.get(name) for name in names}


def _pause(line: Line, _: str) -> dict[str, Any]:
    return {"code": line["pause"]["code"]}  # which tiles it is about stands in the state, as far as they lie open


_PUBLIC: Final[Mapping[str, Callable[[Line, str], dict[str, Any]]]] = {
    "hand": _some("hand"),
    "move": _move,
    "correction": _correction,
    "hand_end": _hand_end,
    "match_end": _some("winner", "totals"),
    "illegal": _some("code", "player", "tile"),
    "pause": _pause,
    "resume": _some("code"),
    "undo": _some("hand", "moves"),
    "redo": _some("hand", "moves"),
    "match": _some("game", "seats"),
    "seats": _some("seats"),
}
