"""How a watched match stands when the watching ends, and what nobody answered."""

from __future__ import annotations

from typing import Any

from domino_server.referee import Referee
from domino_server.referee.branches import best
from domino_server.referee.session import Line, TableSession


def summary(session: TableSession) -> Line:
    """Return how the match stands as it is committed; with `open` the moves that wait for an answer, and `detail`."""
    referee = session.referee
    match = referee.ledger.match
    pause = None if referee.pause is None else referee.pause.code
    facts: dict[str, Any] = {
        "event": "end",
        "hands": len(match.hands),
        "moves": len(referee.ledger.moves),
        "totals": dict(match.totals),
        "winner": match.winner,
        "pause": pause,
        "questions": list(referee.questions),
    }
    waiting = _waiting(referee)
    if waiting:
        facts["open"] = {"moves": waiting, "totals": dict(referee.match.totals)}
    left = unanswered(referee)
    return facts if left is None else {**facts, "detail": left}


def unanswered(referee: Referee) -> str | None:
    """Return what is not in the record because nobody answered; None if there is nothing."""
    waiting = _waiting(referee)
    if "opener" in referee.questions:
        number = referee.ledger.hand + (not waiting)
        hint = "; --opener NAME tells it" if number == 1 else ""
        return f"hand {number} was not begun: who leads it was not answered{hint}"
    if not waiting:
        return None
    asked = ", ".join(referee.questions) or "in which order they were made"
    return f"{waiting} moves are not counted; not answered: {asked}"


def _waiting(referee: Referee) -> int:
    """Return how many moves were seen that are not committed."""
    return len(best(referee.branches).moves) if referee.branches else 0
