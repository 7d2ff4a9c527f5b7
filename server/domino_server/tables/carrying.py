"""Carries out what people tell a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domino_rules.errors import ParseError, SetupError
from domino_rules.moves import Draw, Move, Pass
from domino_rules.notation import parse_move
from domino_rules.tile import Tile
from domino_server.judge.alert_outcomes import last_called
from domino_server.judge.alerts import CLAIM
from domino_server.judge.rulings import RULING, Ruling, rule
from domino_server.referee import Adjust, Answer, Correct, Declared, Moved, Opener, Redeal, Shown, TakeBack
from domino_server.referee.session import Line
from domino_server.referee.unsure import TILE_QUESTION
from domino_server.store import NewEvent
from domino_server.tables import commands as c
from domino_server.tables import correcting
from domino_server.tables.desk import Desk
from domino_server.tables.private import LOOK_QUESTION


def carry_out(desk: Desk, command: c.Command) -> list[Line]:
    """Carry out a command and return what is said; raises DominoError and changes nothing if it cannot be."""
    return _CARRIERS[command.op](desk, command)


def as_move(text: str) -> Move:
    """Return a move as a person types it, also `Ana 6-4@L`; raises ParseError."""
    try:
        return parse_move(text)
    except ParseError:
        if "@" not in text:
            raise
        return parse_move(text.replace("@", " "))


def _answer(desk: Desk, command: c.AnswerCommand) -> list[Line]:
    code = TILE_QUESTION if command.code == LOOK_QUESTION else command.code
    return desk.session.tell(Answer(code, command.key))


def _move(desk: Desk, command: c.MoveCommand) -> list[Line]:
    move = as_move(command.text)
    return [*desk.begin_hand(move), *desk.session.tell(Moved(move))]


def _correct(desk: Desk, command: c.CorrectCommand) -> list[Line]:
    move = None if command.text is None else as_move(command.text)
    return desk.session.tell(Correct(command.number, move, insert=command.insert and move is not None))


def _redeal(desk: Desk, _: c.RedealCommand) -> list[Line]:
    return desk.session.tell(Redeal()) + desk.laid_anew()


def _shown(desk: Desk, command: c.ShownCommand) -> list[Line]:
    if not desk.session.referee.ledger.hand:
        raise SetupError("no_hand", "no hand was played yet")
    return desk.session.tell(Shown(command.player, tuple(Tile.parse(tile) for tile in command.tiles)))


def _ruling(desk: Desk, command: c.RulingCommand) -> list[Line]:
    ruling = Ruling(**command.model_dump(exclude={"op"}))
    data, lines = rule(desk.session.referee, ruling)
    desk.note(NewEvent(RULING, data))
    return [*lines, *(desk.laid_anew() if ruling.kind == "replay" else [])]


def _claim(desk: Desk, command: c.ClaimCommand) -> list[Line]:
    ledger = desk.session.referee.ledger
    if not ledger.moves:
        raise SetupError("no_hand", "no move was made yet for which points could be called")
    player, seats = command.player or ledger.moves[-1].move.player, ledger.seating.seats
    if player not in seats:
        raise SetupError("players", f"{player} is not among {', '.join(seats)}", player=player)
    about = {"hand": ledger.hand, "move": len(ledger.moves), "player": player}
    return [{"event": CLAIM, **about, "points": command.count, "right": last_called(ledger.match)}]


_CARRIERS: Final[Mapping[str, Callable[[Desk, Any], list[Line]]]] = {
    "answer": _answer,
    "move": _move,
    "pass": lambda desk, told: desk.session.tell(Moved(Pass(told.player))),
    "draw": lambda desk, told: desk.session.tell(Moved(Draw(told.player))),
    "declare": lambda desk, told: desk.session.tell(Declared(told.player, told.doubles)),
    "opener": lambda desk, told: desk.session.tell(Opener(told.player)),
    "correct": _correct,
    "take_back": lambda desk, _: desk.session.tell(TakeBack()),
    "undo": lambda desk, _: desk.undo(),
    "redo": lambda desk, _: desk.redo(),
    "half": correcting.half,
    "phantom": correcting.phantom,
    "missed": correcting.missed,
    "join": correcting.join,
    "zones": correcting.zones,
    "shown": _shown,
    "adjust": lambda desk, told: desk.session.tell(Adjust(told.side, told.points, told.note)),
    "redeal": _redeal,
    "ruling": _ruling,
    "claim": _claim,
    "next_hand": lambda desk, _: desk.next_hand(),
    "new_match": lambda desk, _: desk.new_match(),
    "seats": lambda desk, told: desk.rename(told.names),
    "options": lambda desk, told: desk.set_options(told.options),
}
