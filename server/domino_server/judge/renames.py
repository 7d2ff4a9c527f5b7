"""What was said before players got other names, told in the names that they have now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from domino_server.store import RECORD, StoredEvent
from domino_server.tables.rename import renamed

_NAMES: Final = frozenset({"player", "side", "winner", "taker", "opener", "expected"})
"""Fields that hold a player or a side."""
_BY_NAME: Final = frozenset({"totals", "points", "before", "after"})
"""Fields that hold something for each player or side."""
_MOVE: Final = "move"
"""Field that holds a move in the notation, which begins with its player."""


def with_new_names(events: Iterable[StoredEvent]) -> list[StoredEvent]:
    """Return the events of a table, in which those before a change of names have the new ones, match by match.

    The record of a match is written anew when names change; what was said stays in the chain as it was said.
    """
    found: list[StoredEvent] = []
    begun = 0
    for event in events:
        if event.kind == RECORD and "match" in event.data:
            begun = len(found)
        elif event.kind == "said" and event.data.get("event") == "seats":
            names = dict(zip(event.data["before"], event.data["seats"], strict=True))
            found[begun:] = [replace(each, data=in_new_names(each.data, names)) for each in found[begun:]]
        found.append(event)
    return found


def in_new_names(data: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return what was said with players and their sides called otherwise: `names` has the new ones by the old."""
    renamed_data: dict[str, Any] = _renamed(data, names, "")
    return renamed_data


def _renamed(value: Any, names: Mapping[str, str], field: str) -> Any:
    if isinstance(value, Mapping):
        by_name = field in _BY_NAME
        return {_named(key, names) if by_name else key: _renamed(each, names, key) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(each, names, field) for each in value]
    if not isinstance(value, str):
        return value
    if field == _MOVE:
        return renamed([value], names)[0]
    return _named(value, names) if field in _NAMES else value


def _named(name: str, names: Mapping[str, str]) -> str:
    """Return a player's or a side's new name: a side of several is called by its players, joined by +."""
    parts = [names.get(part) for part in name.split("+")]
    known = [part for part in parts if part is not None]
    return names.get(name) or ("+".join(known) if len(known) == len(parts) else name)
