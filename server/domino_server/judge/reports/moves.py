"""Moves in words of five languages."""

from __future__ import annotations

from domino_rules.explain import explain
from domino_rules.layout import Arm
from domino_rules.moves import Capture, Close, Draw, Lead, Move, Pass, Play, Quadruple, Reply, Stood, Triple, Turn
from domino_server.judge.words import word


def move_text(move: Move, lang: str) -> str:  # noqa: C901, PLR0911 - one line for each kind of move
    """Return what a player did, without his name."""
    match move:
        case Stood():
            return f"{_stood(move, lang)} ({word('move.stood', lang)})"
        case Play(_, tile, Arm.START):
            return word("move.start", lang, tile=tile)
        case Play(_, tile, arm):
            return word("move.play", lang, tile=tile, arm=explain(f"arm.{arm.value}", {}, lang))
        case Pass():
            return word("move.pass", lang)
        case Draw(_, tile):
            return word("move.draw", lang) if tile is None else word("move.draw_tile", lang, tile=tile)
        case Lead(_, tile, declare) | Reply(_, tile, declare):
            text = word("move.lead" if isinstance(move, Lead) else "move.reply", lang, tile=tile)
            return text if declare is None else f"{text}, {word('move.declare', lang, number=declare)}"
        case Close():
            return word("move.close", lang)
        case Capture(_, tile, take):
            return word("move.capture", lang, tile=tile, take=take)
        case Turn(_, tile, taken):
            key = "move.turn" if taken is None else "move.turn_take"
            return word(key, lang, tile=tile, take=taken)
        case Triple(_, tile) | Quadruple(_, tile):
            return word("move.triple" if isinstance(move, Triple) else "move.quadruple", lang, tile=tile)


def _stood(stood: Stood, lang: str) -> str:
    move = stood.move
    if isinstance(move, Play) and move.arm is not Arm.START and stood.inner is None:
        return word("move.beside", lang, tile=move.tile)
    return move_text(move, lang)
