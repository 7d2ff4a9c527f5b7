"""What a hand was worth as it was played, wrong moves included: what the told scores are compared with."""

from __future__ import annotations

from collections.abc import Mapping

from domino_rules.audit.case import Case
from domino_rules.audit.line import LineAudit
from domino_rules.audit.tricks import TrickAudit
from domino_rules.errors import SetupError
from domino_rules.games.bingo_score import hand_outcome, set_events
from domino_rules.games.cincos_score import hand_end
from domino_rules.games.pincset_score import LastTile, score_hand
from domino_rules.score import ScoreEvent
from domino_rules.state import HandResult
from domino_rules.tile import Tile


def remaining(case: Case) -> Mapping[str, tuple[Tile, ...]] | None:
    """Return the tiles left in each hand; None if a hand is not known to its last tile."""
    left: dict[str, tuple[Tile, ...]] = {}
    number = case.number
    case.number = len(case.moves) + 1
    for seat in case.seating.seats:
        reckoned = case.reckoned(seat)
        if seat in case.final:
            left[seat] = case.final[seat]
        elif reckoned is not None:
            left[seat] = tuple(sorted(reckoned.elements()))
        else:
            break
    case.number = number
    return left if len(left) == len(case.seating.seats) else None


def line_result(case: Case, line: LineAudit) -> HandResult | None:
    """Return how a hand of Pińćset or Cincos ended; None while it goes on, or if the tiles left are not known."""
    if line.kind is None:
        return None
    if line.kind == "target":
        side = case.side_of(line.last)
        return HandResult("target", side, line.last, tuple(line.events), opener=line.opener)
    left = remaining(case)
    if left is None:
        return None
    out = line.last if line.kind == "domino" else None
    sides, rules = case.seating.sides, case.seating.rules
    winner: str | None
    try:
        if line.scoring:
            end = hand_end(line.kind, left, sides, rules, out)
            kind = "tie" if end.side is None and not end.events else line.kind
            winner, events = end.side, (*line.events, *end.events)
        else:
            last = None if out is None or line.last_tile is None else LastTile(out, line.last_tile, line.ends_before)
            score = score_hand(line.kind, left, sides, rules, case.context, last)
            kind, winner, events = score.kind, score.side, score.events
    except SetupError:
        return None
    return HandResult(kind, winner, line.last, events, opener=line.opener)


def trick_result(case: Case, tricks: TrickAudit) -> HandResult | None:
    """Return how a hand of Bingo ended; None while it goes on."""
    if not tricks.over:
        return None
    outcome = hand_outcome(
        tricks.points,
        tricks.rules,
        closing=tricks.closing,
        seven_doubles=tricks.seven_doubles,
        unable=tricks.unable,
        taker=tricks.taker,
    )
    points = tuple(ScoreEvent(player, won, "trick") for player, won in tricks.points.items() if won)
    events = (*points, *set_events(outcome))
    return HandResult(outcome.kind, outcome.winner, tricks.taker, events, opener=tricks.opener)
