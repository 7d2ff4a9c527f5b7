"""What a judge decides: let stand, correct, replay the hand, penalty, award. Scores follow from the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from domino_rules.errors import DominoError
from domino_rules.notation import parse_move
from domino_server.referee.core import Referee
from domino_server.referee.events import event_json
from domino_server.referee.session import Line
from domino_server.referee.told import Adjust, Correct, LetStand, Redeal, Told

RULING: Final = "ruling"
"""The kind of an event that holds a ruling."""
KINDS: Final = ("let_stand", "correct", "replay", "penalty", "award")
_LONGEST: Final = 300


class RulingError(DominoError):
    """A ruling that cannot be given.

    `unknown_ruling`, `ruling_needs_reason`, `ruling_needs_judge`, `ruling_needs_move`, `ruling_needs_points`,
    `ruling_needs_side`, `no_such_hand`, `no_such_move`, `ruling_too_late` (the hand is no longer the last one).
    """


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision of a judge.

    Attributes:
        kind: `let_stand` (what happened counts as it lies), `correct` (a move was another one, or none), `replay` (the
            hand is dealt again), `penalty` (points taken from a side), `award` (points given to a side).
        reason: why, in the judge's words.
        by: the judge's name.
        hand: number of the hand; None is the last one.
        move: number of the move that is meant, from 1.
        text: of a correction, the move as it counts; None: it was not made.
        side: of a penalty or award.
        points: how many, more than 0.
        alert: key of the alert that it answers.
    """

    kind: str
    reason: str
    by: str
    hand: int | None = None
    move: int | None = None
    text: str | None = None
    side: str | None = None
    points: int = 0
    alert: str | None = None


def rule(referee: Referee, ruling: Ruling) -> tuple[dict[str, Any], list[Line]]:
    """Carry a ruling out, and return the data of an event `ruling` and what the referee says.

    Raises:
        RulingError: see there; nothing is changed.
        DominoError: why the rules refuse it, such as a corrected move that is illegal; nothing is changed.
    """
    _check(referee, ruling)
    before = dict(referee.ledger.match.totals)
    told = _told(referee, ruling)
    lines = [] if told is None else [event_json(event) for event in referee.tell(told)]
    data = {
        "kind": ruling.kind,
        "reason": _clean(ruling.reason),
        "by": _clean(ruling.by),
        "hand": ruling.hand or referee.ledger.hand,
        "move": ruling.move,
        "text": ruling.text,
        "side": ruling.side,
        "points": ruling.points,
        "alert": ruling.alert,
        "before": before,
        "after": dict(referee.ledger.match.totals),
    }
    return data, lines


def _check(referee: Referee, ruling: Ruling) -> None:
    if ruling.kind not in KINDS:
        raise RulingError("unknown_ruling", f"a ruling is one of {', '.join(KINDS)}; not {ruling.kind!r}")
    if not _clean(ruling.reason):
        raise RulingError("ruling_needs_reason", "a ruling has a reason")
    if not _clean(ruling.by):
        raise RulingError("ruling_needs_judge", "a ruling bears the name of the judge")
    _check_place(referee, ruling)
    if ruling.kind == "correct" and ruling.move is None:
        raise RulingError("ruling_needs_move", "a correction names the number of the move")
    if ruling.kind in {"penalty", "award"}:
        if ruling.points <= 0:
            raise RulingError("ruling_needs_points", "a penalty or award is more than 0 points")
        if ruling.side is None:
            raise RulingError("ruling_needs_side", "a penalty or award names a side")


def _check_place(referee: Referee, ruling: Ruling) -> None:
    """Refuse a hand or a move that is not there, or that can no longer be ruled on so."""
    last = referee.ledger.hand
    if ruling.hand is not None and not 0 < ruling.hand <= last:
        raise RulingError("no_such_hand", f"there is no hand {ruling.hand}: {last} so far", hand=ruling.hand)
    if ruling.kind in {"let_stand", "correct", "replay"} and ruling.hand not in {None, last}:
        message = f"hand {ruling.hand} is no longer the last one; give or take points instead"
        raise RulingError("ruling_too_late", message, hand=ruling.hand, last=last)
    made = 0 if not last else len(referee.match.hands[(ruling.hand or last) - 1].moves)
    if ruling.move is not None and not 1 <= ruling.move <= made + 1:  # the play in question may not be in the record
        raise RulingError("no_such_move", f"the hand has no move {ruling.move}: {made} moves", move=ruling.move)


def _told(referee: Referee, ruling: Ruling) -> Told | None:
    """Return what the referee is told; None if nothing changes."""
    match ruling.kind:
        case "let_stand":
            return None if referee.illegal.standing is None else LetStand()
        case "correct":
            move = None if ruling.text is None else parse_move(ruling.text)
            return Correct(ruling.move or 0, move)
        case "replay":
            return Redeal()
        case _:
            sign = -1 if ruling.kind == "penalty" else 1
            note = f"ruling of {_clean(ruling.by)}: {_clean(ruling.reason)}"
            return Adjust(ruling.side or "", sign * ruling.points, note)


def _clean(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]
