"""From the moves of a hand to what is seen of it: hands that bring, take and show tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from domino_rules.errors import DominoError
from domino_rules.games.bingo_state import BingoState
from domino_rules.games.chain import ChainState
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.layout import Arm
from domino_rules.moves import (
    Capture,
    Close,
    Draw,
    Lead,
    Move,
    Pass,
    Play,
    Quadruple,
    Reply,
    Stood,
    Triple,
    Turn,
    plain,
)
from domino_rules.notation import format_move
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_server.films.plays import Step
from domino_server.films.wrong_lines import inside_double
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_line import LineWriter
from domino_vision.synth.video_pairs import CatchWriter, TrickWriter
from domino_vision.synth.video_script import Pause, Script
from domino_vision.synth.video_writer import Mishaps

_KNOCK_S: Final = 0.5
"""Nobody sees a pass: the table rests a little longer."""


class FilmError(DominoError):
    """A game that cannot be filmed: `film_room` (no room on the table), `film_option`."""


class Filming:
    """Writes the script of one hand.

    The acts that are moves say in `Script.moves` what they are: `role`, `seat`, `tile`, and `move`, the text of the
    move as the record has it; of plays against the rules `code`, and `undone` if they are put right.
    """

    def __init__(self, rng: np.random.Generator, stage: Stage, mishaps: Mishaps, places: Mapping[str, int]) -> None:
        """Prepare.

        Args:
            rng: source of randomness.
            stage: camera and look of the tiles.
            mishaps: chances of bumps, light changes, hands that rest.
            places: by player, his seat at the table, against the clock from the near side.
        """
        self._rng, self._stage, self._mishaps, self._places = rng, stage, mishaps, places

    def script(self, start: GameState, steps: Sequence[Step], *, last: bool = True) -> Script:
        """Return what is seen of a hand.

        Args:
            start: the hand as dealt, all tiles known.
            steps: what is done.
            last: whether the table stays as it is at the end; otherwise it is cleared.

        Raises:
            FilmError: `film_room`; another attempt with other randomness may succeed.
        """
        if isinstance(start, ChainState):
            writer: LineWriter | TrickWriter | CatchWriter = self._chain(start, steps)
        elif isinstance(start, BingoState):
            writer = self._tricks(start, steps)
        elif isinstance(start, TiuUState):
            writer = self._fishing(start, steps)
        else:
            raise FilmError("film_option", f"no film of {type(start).__name__}")
        if not last:
            writer.clear()
        return writer.script("chinese" if isinstance(start, TiuUState) else "double-six")

    # Lines of play

    def _chain(self, start: ChainState, steps: Sequence[Step]) -> LineWriter:
        game = "cincos" if start.layout.with_spinner else "pincset"
        stock = len(start.boneyard)
        writer = LineWriter(self._rng, self._stage, game, len(start.players), stock, self._mishaps)
        for step in steps:
            self._line_step(writer, step)
        after = steps[-1].after if steps else start
        for player, hand in after.hands.items():
            writer.show(self._places[player], [tile.halves for tile in hand.known])
        return writer

    def _line_step(self, writer: LineWriter, step: Step) -> None:
        move = plain(step.move)
        seat = self._places[move.player]
        if isinstance(move, Draw):
            writer.draw(seat, **_told(step))
        elif isinstance(move, Pass) and step.code is not None:
            writer.act(Pause(_KNOCK_S), role="pass", seat=seat, **_told(step))
        if not isinstance(move, Play):
            return
        assert isinstance(step.before, ChainState)  # noqa: S101 - the game of this script
        arm, inner = move.arm.value, self._inner(step.before, step.move, move)
        tile = move.tile.halves
        if move.arm is Arm.START:
            tile = (inner, move.tile.other(inner))
        elif isinstance(step.move, Stood) and step.move.inner is None:
            arm = "beside"
        undo = writer.lay(seat, tile, arm, inner, **_told(step))
        if undo is None:
            raise FilmError("film_room", f"no room for {move.tile}")
        if step.undone:
            writer.take_back(undo, seat)

    def _inner(self, before: ChainState, made: Move, move: Play) -> int:
        if move.arm is Arm.START:
            return move.tile.high if move.left is None else move.left
        if isinstance(made, Stood):
            half = made.inner if made.inner is not None else inside_double(before.layout, move.tile)
            return move.tile.high if half is None else half
        return next(end.pips for end in before.layout.open_ends if end.arm is move.arm)

    # Tricks

    def _tricks(self, start: BingoState, steps: Sequence[Step]) -> TrickWriter:
        trump = start.stock.stacks[-1][0].halves
        writer = TrickWriter(self._rng, self._stage, trump, len(start.stock.face_down), self._mishaps)
        wrong: dict[str, Any] = {}
        call: dict[str, Any] = {}
        for step in steps:
            move = plain(step.move)
            seat = self._places[move.player]
            if step.undone and step.code == "wrong_taker":
                wrong = {"code": step.code, "undone": True}
            elif isinstance(move, Lead | Reply) and step.code == "false_declaration":
                call = {"code": step.code, "undone": True, "called": move.declare}
            elif isinstance(move, Lead | Reply):
                told = _told(step) if step.code != "wrong_taker" else _said(step)
                key = writer.lay(seat, move.tile.halves, **{"called": move.declare, **told, **call})
                call = {}
                if step.undone:
                    writer.take_back(key, seat)
                elif isinstance(move, Reply):
                    self._carried(writer, step, wrong)
                    wrong = {}
            elif isinstance(move, Draw):
                writer.draw(seat, **_told(step))
                if step.undone:
                    writer.put_back(seat)
            elif isinstance(move, Close):
                writer.close(seat, **_said(step))
        return writer

    def _carried(self, writer: TrickWriter, step: Step, wrong: Mapping[str, Any]) -> None:
        after = step.after
        assert isinstance(after, BingoState)  # noqa: S101 - the game of this script
        taker = self._places[after.taker or ""]
        tile = plain(step.move)
        told = {"tile": tile.tile.halves} if isinstance(tile, Reply) else {}
        if wrong and after.result is None:
            keys = writer.carry(1 - taker, **wrong, **told)
            writer.give_back(keys, 1 - taker, taker)
        else:
            writer.carry(taker, **({"code": step.code, **told} if step.code == "wrong_taker" else {}))

    # Captures

    def _fishing(self, start: TiuUState, steps: Sequence[Step]) -> CatchWriter:
        places = sorted(start.players, key=lambda player: self._places[player])
        opening = [[tile.halves for tile in start.captured[player]] for player in places]
        talon = [tile.halves for tile in start.talon]
        writer = CatchWriter(self._rng, self._stage, talon, len(start.stock.face_down), opening, mishaps=self._mishaps)
        left: tuple[Tile, Tile] | None = None
        for step in steps:
            left = self._fished(writer, step, left)
        return writer

    def _fished(self, writer: CatchWriter, step: Step, left: tuple[Tile, Tile] | None) -> tuple[Tile, Tile] | None:
        """Write a move; return the turned tile and the mate that lie on the talon and are still to be taken."""
        move = plain(step.move)
        seat = self._places[move.player]
        match move:
            case Capture():
                keys = writer.capture(seat, move.tile.halves, move.take.halves, **_told(step))
                if step.undone:
                    writer.put_back(seat, keys, move.take.halves)
            case Turn() if step.undone:
                writer.turn(seat, move.tile.halves, None, **_told(step))
                return (move.tile, move.tile)
            case Turn() if left is not None and move.take is not None:
                writer.collect(seat, move.tile.halves, move.take.halves, **_said(step))
            case Turn():
                writer.turn(seat, move.tile.halves, None if move.take is None else move.take.halves, **_told(step))
            case Triple() | Quadruple():
                self._stacked(writer, step, move)
            case Pass():
                if step.code is not None:
                    writer.act(Pause(_KNOCK_S), role="pass", seat=seat, **_told(step))
                return left
        return None

    def _stacked(self, writer: CatchWriter, step: Step, move: Triple | Quadruple) -> None:
        if not writer.room:
            raise FilmError("film_room", "no room at the left end of the stock")
        third = isinstance(move, Triple)
        assert isinstance(step.before, TiuUState)  # noqa: S101 - the game of this script
        buys = 3 if third else int(step.before.rules["quad_buys"])
        writer.stack(self._places[move.player], move.tile.halves, buys, third=third, **_said(step))


def _said(step: Step) -> dict[str, Any]:
    return {"move": format_move(step.move)}


def _told(step: Step) -> dict[str, Any]:
    if step.code is None:
        return _said(step) if step.called is None else {**_said(step), "called": step.called}
    told: dict[str, Any] = {"code": step.code, "undone": step.undone}
    if step.shown_by:
        told["shown_by"] = [list(tile.halves) for tile in step.shown_by]
    if step.called is not None:
        told["called"] = step.called
    return told if step.undone else {**_said(step), **told}
