"""The engine's own word on a hand: the first move that it refuses, if the lenient audit has nothing on that move."""

from __future__ import annotations

from contextlib import suppress

from domino_rules.audit.case import Case
from domino_rules.errors import DominoError, SetupError
from domino_rules.moves import Stood
from domino_rules.state import GameState
from domino_rules.tile import Tile

DUE_TO_KNOWLEDGE = frozenset({"inconsistent_state"})
"""Reasons that only say that the told facts contradict each other; the audit of the deal names the tiles."""


def audit_strictly(case: Case) -> None:
    """File the first move that the engine refuses, unless that move or the deal is reported already.

    Behind a move that the table let stand it looks on.
    """
    case.number = None
    try:
        state = case.seating.game.start(case.deal, case.seating.rules, case.context)
    except SetupError as error:
        if not any(found.move is None for found in case.findings):
            case.find(error.code, None, **error.params)
        return
    for number, record in enumerate(case.moves, 1):
        stood, after = case.stood.get(number), None
        try:
            after = state.apply(record.move)
            state = after if stood is None else state.let_stand(stood)
        except DominoError as error:
            if after is None:
                _report(case, number, record.move.player, error)
            follows = None if stood is None or after is not None else _let_stand(state, stood)
            if follows is None:
                return
            state = follows


def _let_stand(state: GameState, stood: Stood) -> GameState | None:
    with suppress(DominoError):
        return state.let_stand(stood)
    return None


def _report(case: Case, number: int, player: str, error: DominoError) -> None:
    reported = any(found.move == number for found in case.findings)
    if not reported and not _due_to_facts(case, error):
        case.number = number
        case.find(error.code, player, _tiles(error), **error.params)
        case.number = None


def _due_to_facts(case: Case, error: DominoError) -> bool:
    return error.code in DUE_TO_KNOWLEDGE and any(found.move is None for found in case.findings)


def _tiles(error: DominoError) -> tuple[Tile, ...]:
    told = error.params.get("tiles", error.params.get("tile", ()))
    return tuple(Tile.parse(text) for text in ([told] if isinstance(told, str) else told))
