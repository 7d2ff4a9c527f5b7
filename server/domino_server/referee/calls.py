"""Doubles that players call in Bingo: noted with the double that they lay, reported if the table proves them false."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from domino_rules.errors import IllegalMoveError
from domino_rules.moves import Lead, Reply
from domino_rules.record import MoveRecord
from domino_server.referee.events import Event, IllegalPlay
from domino_server.referee.sight import Kind

if TYPE_CHECKING:
    from domino_server.referee.core import Referee

FALSE_CALL: Final = "false_declaration"


def declaring(referee: Referee, before: Sequence[MoveRecord], record: MoveRecord, out: list[Event]) -> MoveRecord:
    """Return a move with the number of doubles that its player called, if he did and if that can be.

    Args:
        referee: who was told.
        before: what is committed with it, before it.
        record: the move.
        out: takes the report of a false call.
    """
    move = record.move
    if not isinstance(move, Lead | Reply) or not move.tile.is_double or not referee.declared.get(move.player):
        return record
    called = replace(move, declare=referee.declared[move.player].pop(0))
    try:
        referee.ledger.with_moves((*before, replace(record, move=called)))
    except IllegalMoveError as error:
        if error.code == FALSE_CALL:
            report_false_call(referee, called, out)
        return record
    return replace(record, move=called)


def report_false_call(referee: Referee, move: Lead | Reply, out: list[Event]) -> None:
    """Report a call of more doubles than the player can hold; it counts nothing."""
    lying = () if referee.sight is None else referee.sight.within(Kind.TRICK)
    crops = tuple(seen.quad_px for seen in lying if seen.tile is move.tile)
    params = {"declared": move.declare}
    referee.illegal.report(IllegalPlay(FALSE_CALL, move.player, move.tile, None, crops, params), out)
