"""Collects the acts of a scripted game, and throws mishaps in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from domino_vision.synth.board import Piece
from domino_vision.synth.paint import F64
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_script import Act, CameraBump, Leaning, LightChange, Pushing, Script, TableState


@dataclass(frozen=True, slots=True)
class Mishaps:
    """Chances, a move, of what is no move of the game, and of plays that break the rules.

    Attributes:
        camera_bump: the camera is pushed.
        table_bump: neighbouring tiles are pushed together, and put back.
        light: the light changes.
        leaning: somebody leans over the table.
        illegal: a tile that does not match is joined.
    """

    camera_bump: float = 0.0
    table_bump: float = 0.0
    light: float = 0.0
    leaning: float = 0.0
    illegal: float = 0.0


NONE = Mishaps()
SOME = Mishaps(camera_bump=0.06, table_bump=0.05, light=0.08, leaning=0.04)


def xy(x: float, y: float) -> F64:
    """A point or a shift (2,) on the table."""
    return np.array([x, y])


class ScriptWriter:
    """Collects acts and moves, and throws mishaps in."""

    def __init__(self, rng: np.random.Generator, stage: Stage, mishaps: Mishaps) -> None:
        """Begin with an empty table."""
        self._rng, self._stage, self._mishaps = rng, stage, mishaps
        self._acts: list[Act] = []
        self._moves: dict[int, dict[str, Any]] = {}
        self._start: list[tuple[str, Piece]] = []
        self.state = TableState()

    def start(self, key: str, piece: Piece) -> None:
        """Let a piece lie there from the beginning."""
        self._start.append((key, piece))
        self.state.pieces[key] = piece

    def act(self, act: Act, **move: Any) -> None:
        """Add an act that is a move, then perhaps a mishap."""
        self._moves[len(self._acts)] = move
        self._add(act)
        self._mishap()

    def script(self, set_name: str, zones: dict[str, F64] | None = None) -> Script:
        """Return what was collected."""
        return Script(tuple(self._acts), tuple(self._start), self._moves, zones or {}, set_name)

    def _add(self, act: Act) -> None:
        self._acts.append(act)
        self.state.apply(act)

    def _mishap(self) -> None:
        rng, chances = self._rng, self._mishaps
        if rng.random() < chances.camera_bump:
            dx, dy = rng.normal(0, 0.15, 2) * self._stage.tile_px
            self._add(CameraBump((float(dx), float(dy)), float(rng.normal(0, 0.4))))
        if rng.random() < chances.light:
            self._add(LightChange(float(rng.uniform(0.7, 1.25))))
        if rng.random() < chances.leaning:
            self._add(Leaning(3.0, int(rng.integers(4))))
        up = [key for key, piece in self.state.pieces.items() if piece.kind == "up"]
        if rng.random() < chances.table_bump and len(up) >= 6:
            middle = self.state.pieces[up[int(rng.integers(len(up)))]].centre
            near = sorted(up, key=lambda key: float(np.linalg.norm(self.state.pieces[key].centre - middle)))[:4]
            outward = middle - np.mean([self.state.pieces[key].centre for key in up], axis=0)
            outward = outward / max(float(np.linalg.norm(outward)), 1e-6) * 0.35
            shift, turn = (float(outward[0]), float(outward[1])), float(rng.normal(0, 0.02))
            self._add(Pushing(tuple(near), shift, turn))
            self._add(Pushing(tuple(near), (-shift[0], -shift[1]), -turn))  # put back, as people do
