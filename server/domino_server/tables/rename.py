"""Players get other names: the lines of a record are written anew, each name where the notation has one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from domino_rules.notation import format_name

_NAME: Final = r'"(?:[^"\\\n]|\\.)*"|[^\s"();:|]+'
_HEADERS: Final = re.compile(r"(?P<head>(?:Seats|Sides):\s*)(?P<rest>.*)", re.IGNORECASE)
_NAMED: Final = re.compile(
    rf"(?P<head>(?:Deal|Shown|Adjust|Score)\s+|Opener:\s*|Correct\s+\d+:\s*(?:insert\s+)?)(?P<name>{_NAME})(?P<rest>.*)",
    re.IGNORECASE,
)
_TAKER: Final = re.compile(rf"(?P<head>\bstood taker\s+)(?P<name>{_NAME})")
_PLAIN: Final = re.compile(rf"(?P<head>)(?P<name>{_NAME})(?P<rest>.*)")


def renamed(lines: Iterable[str], names: Mapping[str, str]) -> list[str]:
    """Return the lines of a record with players and sides called otherwise.

    Args:
        lines: the record.
        names: new names by old ones, of players and sides.
    """
    written = {format_name(old): format_name(new) for old, new in names.items()}
    return [_renamed(line, written) for line in lines]


def _renamed(line: str, written: Mapping[str, str]) -> str:
    headers = _HEADERS.fullmatch(line)
    if headers is not None:
        return headers["head"] + re.sub(_NAME, lambda name: written.get(name[0], name[0]), headers["rest"])
    found = _NAMED.fullmatch(line) or _PLAIN.fullmatch(line)
    if found is None:
        return line
    rest = _TAKER.sub(lambda at: f"{at['head']}{written.get(at['name'], at['name'])}", found["rest"])
    return f"{found['head']}{written.get(found['name'], found['name'])}{rest}"
