"""Collects the acts of a scripted game, and throws mishaps in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from domino_vision.synth.board import Piece
from domino_vision.synth.paint import F64
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_script import (
    Act,
    CameraBump,
    Leaning,
    LightChange,
    Placing,
    Pushing,
    Resting,
    Script,
    TableState,
)


@dataclass(frozen=True, slots=True)
class Mishaps:
    """Chances, a move, of what is no move of the game, and of plays that break the rules.

    Attributes:
        camera_bump: the camera is pushed.
        table_bump: neighbouring tiles are pushed together, and put back.
        light: the light changes.
        leaning: somebody leans over the table.
        illegal: a tile that does not match is joined.
        resting: a hand lies still on the table.
        sliding: a tile stops short of its place before it is slid there.
    """

    camera_bump: float = 0.0
    table_bump: float = 0.0
    light: float = 0.0
    leaning: float = 0.0
    illegal: float = 0.0
    resting: float = 0.0
    sliding: float = 0.0


NONE = Mishaps()
SOME = Mishaps(camera_bump=0.06, table_bump=0.05, light=0.08, leaning=0.04, resting=0.04, sliding=0.1)


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
        if isinstance(act, Placing) and self._mishaps.sliding and self._rng.random() < self._mishaps.sliding:
            act = replace(act, hesitate_s=float(self._rng.uniform(0.2, 0.5)))
        self._moves[len(self._acts)] = move
        self.add(act)
        self._mishap()

    def script(self, set_name: str, zones: dict[str, F64] | None = None) -> Script:
        """Return what was collected."""
        return Script(tuple(self._acts), tuple(self._start), self._moves, zones or {}, set_name)

    def add(self, act: Act) -> None:
        """Add an act that is no move."""
        self._acts.append(act)
        self.state.apply(act)

    def _mishap(self) -> None:
        rng, chances = self._rng, self._mishaps
        if rng.random() < chances.camera_bump:
            dx, dy = rng.normal(0, 0.15, 2) * self._stage.tile_px
            self.add(CameraBump((float(dx), float(dy)), float(rng.normal(0, 0.4))))
        if rng.random() < chances.light:
            self.add(LightChange(float(rng.uniform(0.7, 1.25))))
        if rng.random() < chances.leaning:
            self.add(Leaning(3.0, int(rng.integers(4))))
        if chances.resting and rng.random() < chances.resting:
            low, high = self._stage.view
            x, y = rng.uniform(low + (high - low) * 0.2, high - (high - low) * 0.2)
            self.add(Resting(float(rng.uniform(0.8, 3.0)), (float(x), float(y)), int(rng.integers(4))))
        up = [key for key, piece in self.state.pieces.items() if piece.kind == "up"]
        if rng.random() < chances.table_bump and len(up) >= 6:
            middle = self.state.pieces[up[int(rng.integers(len(up)))]].centre
            near = sorted(up, key=lambda key: float(np.linalg.norm(self.state.pieces[key].centre - middle)))[:4]
            outward = middle - np.mean([self.state.pieces[key].centre for key in up], axis=0)
            outward = outward / max(float(np.linalg.norm(outward)), 1e-6) * 0.35
            shift, turn = (float(outward[0]), float(outward[1])), float(rng.normal(0, 0.02))
            self.add(Pushing(tuple(near), shift, turn))
            self.add(Pushing(tuple(near), (-shift[0], -shift[1]), -turn))  # put back, as people do
