"""How far one step of undo goes back in a record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from domino_rules.games import LINE_GAMES
from domino_rules.record import ONE_LOOK
from domino_server.referee.ledger import RECOUNTED

_HEAD: Final = re.compile(r"\s*$|(Hand|Deal|Stock|Table|Opener)\b", re.IGNORECASE)
_RECOUNT: Final = re.compile(rf"Adjust\s+(?P<side>.+): [+-]\d+ ; {RECOUNTED}", re.IGNORECASE)
_MARK: Final = re.compile(rf"Correct\s+\d+: (?!insert ).+ draws \?( \(seen {ONE_LOOK}\))?", re.IGNORECASE)
"""How a draw is known is noted behind what showed it."""
_BEGINS: Final = re.compile(r"Hand\s+\d+", re.IGNORECASE)


def last_step(lines: Sequence[str], game: str) -> int:
    """Return how many lines the last step wrote: one for a move, all of its head for a hand that just began.

    A recount of the piles is one step, though it writes a line for each player, and so is a move with what is noted of
    draws behind it. In games with a line of play a hand begins with its first tile: both are one step.

    Args:
        lines: the record.
        game: its game.
    """
    if not any(_BEGINS.match(line) for line in lines):
        return 0
    marks = next((count for count, line in enumerate(reversed(lines)) if not _MARK.fullmatch(line)), 0)
    if marks:
        return marks + last_step(lines[:-marks], game)
    head = _head_lines(lines)
    if head:
        return head
    recount = _recounted(lines)
    if recount:
        return recount
    return 1 + (_head_lines(lines[:-1]) if game in LINE_GAMES else 0)


def _recounted(lines: Sequence[str]) -> int:
    """Return how many lines at the end are one recount of the piles: a line for each player; 0 if there is none."""
    sides: set[str] = set()
    for line in reversed(lines):
        found = _RECOUNT.fullmatch(line)
        if found is None or found["side"] in sides:
            break
        sides.add(found["side"])
    return len(sides)


def _head_lines(lines: Sequence[str]) -> int:
    """Return how many lines at the end are the head of a hand without a move; 0 if there is a move."""
    for count, line in enumerate(reversed(lines), 1):
        if not _HEAD.match(line):
            return 0
        if _BEGINS.match(line):
            blank = count < len(lines) and not lines[-count - 1].strip()
            return count + blank
    return 0
