"""Answers by somebody who knows what happened: for games followed without a person."""

from __future__ import annotations

from collections.abc import Sequence

from domino_rules.layout import Arm
from domino_rules.moves import Draw, Lead, Move, Pass, Play, Reply, Stood, plain
from domino_rules.notation import format_move
from domino_rules.record import Record
from domino_server.films.film import Calls
from domino_server.referee import Answer, Declared, Moved, Question, Referee, Told
from domino_server.referee.taken_over import NEXT_PLAYER

_MIRRORED = {Arm.LEFT: Arm.RIGHT, Arm.RIGHT: Arm.LEFT, Arm.UP: Arm.DOWN, Arm.DOWN: Arm.UP}


def move_text(move: Move, *, mirrored: bool = False) -> str:
    """Return a move as text; of a draw only who drew. `mirrored`: the line seen the other way round.

    Of a reply that broke a duty only what was done: that it was wrong does not show when it is made.
    """
    made = plain(move)
    if isinstance(made, Reply) and isinstance(move, Stood) and move.taker is None:
        return format_move(made)
    if isinstance(made, Draw):
        return f"{made.player} draws"
    if mirrored and isinstance(made, Play) and made.arm in _MIRRORED:
        made = Play(made.player, made.tile, _MIRRORED[made.arm])
        move = Stood(made, move.inner) if isinstance(move, Stood) else made
    return format_move(move)


def called(referee: Referee, calls: Calls) -> Declared | None:
    """Return the call that was heard with the double laid last; None if there was none, or it was told.

    Args:
        referee: who is told.
        calls: what was called.
    """
    last = referee.ledger.moves[-1].move if referee.ledger.moves else None
    laid = None if last is None else plain(last)
    if not isinstance(laid, Lead | Reply) or laid.declare is not None:
        return None
    doubles = calls.get((referee.ledger.hand - 1, laid.tile))
    return None if doubles is None else Declared(laid.player, doubles)


def hand_texts(record: Record, *, mirrored: bool = False) -> list[list[str]]:
    """Return the moves of a record hand by hand, without passes and draws."""
    return [
        [move_text(r.move, mirrored=mirrored) for r in hand.moves if not isinstance(r.move, Pass | Draw)]
        for hand in record.corrected().hands
    ]


def truthful(referee: Referee, question: Question, moves: Sequence[Move]) -> Told | None:
    """Return the true answer to a question; None if none of the answers is true, or nobody could know.

    Args:
        referee: who asks.
        question: what is asked.
        moves: the true moves of the hand in progress, from its beginning.
    """
    rest = moves[len(referee.ledger.moves) :]
    if question.code in {"order", "opener", "which_tile"} and referee.groups:
        for mirrored in (False, True):
            wanted = [move_text(move, mirrored=mirrored) for move in rest]
            for key, branches in referee.groups.items():
                for branch in branches:
                    made = [move_text(record.move) for record in branch.moves]
                    if made == wanted[: len(made)]:
                        return Answer(question.code, key)
    if question.code == NEXT_PLAYER:
        last = max((n for n, m in enumerate(moves) if getattr(plain(m), "tile", None) in question.tiles), default=-1)
        players = {move.player for move in moves[last + 1 :][:1]}
        return next((Answer(question.code, choice.key) for choice in question.choices if choice.key in players), None)
    if question.code in {"missed_reply", "missed_trick"} and rest:
        return Moved(rest[0])
    if question.code == "taken_back" and (number := referee.taken_back.number(question)) is not None:
        lies = number < len(moves) and getattr(plain(moves[number]), "tile", None) is question.tiles[0]
        return Answer(question.code, "hidden" if lies else "taken")
    if question.code == "misread_or_illegal":
        laid = {str(getattr(move, "tile", "")) for move in moves}
        wanted_keys = [choice.key for choice in question.choices if choice.key.removeprefix("as:") in laid]
        return Answer(question.code, wanted_keys[0] if wanted_keys else "illegal")
    return None
