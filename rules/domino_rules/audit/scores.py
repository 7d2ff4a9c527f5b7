"""Audit of the told scores of a hand against those that follow from the moves."""

from __future__ import annotations

from domino_rules.audit.case import Case
from domino_rules.score import Ledger
from domino_rules.state import HandResult


def audit_scores(case: Case, result: HandResult) -> None:
    """File every told score that differs from what the side earned in the hand, in the unit that was told."""
    case.number = None
    sides = case.seating.sides
    for told in case.hand.scores:
        unit = told.unit or case.seating.game.unit
        if told.side not in sides:
            case.find("unknown_side", told.side)
            continue
        earned = Ledger(result.events).totals(sides, unit)[told.side]
        if earned != told.points:
            case.find("score_differs", told.side, told=told.points, points=earned, unit=unit)
    told_end = case.hand.result
    if told_end is not None and (told_end.kind, told_end.side) != (result.kind, result.side):
        case.find("result_differs", None, told=_end(told_end.kind, told_end.side), ended=_end(result.kind, result.side))
    written = {told.side for told in case.hand.scores if told.unit in {None, case.seating.game.unit}}
    if case.hand.scores:
        earned_by = Ledger(result.events).totals(sides, case.seating.game.unit)
        for side in (side for side in sides if side not in written and earned_by[side]):
            case.find("score_differs", side, told=0, points=earned_by[side], unit=case.seating.game.unit)


def _end(kind: str, side: str | None) -> str:
    return kind if side is None else f"{kind} {side}"
