"""What happens at a rendered table: acts of hands, of the camera and of the light, one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from domino_vision.synth.board import Join, Piece
from domino_vision.synth.paint import F64


@dataclass(frozen=True, slots=True, eq=False)
class Placing:
    """A hand brings a tile, slides it the last bit, and leaves.

    Attributes:
        key: a name for the tile by which later acts speak of it.
        piece: where it comes to lie.
        seat: which side of the table the hand comes from: 0 near, 1 right, 2 far, 3 left.
        joins: what it is joined to: (own part, other key, other's part).
        hesitate_s: seconds for which the tile lies short of its place, still in the hand, before it is slid there.
    """

    key: str
    piece: Piece
    seat: int = 0
    joins: tuple[tuple[str, str, str], ...] = ()
    hesitate_s: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Laying:
    """A hand brings tiles one after the other, joined to nothing, as when a player shows what he has left."""

    to: tuple[tuple[str, Piece], ...]
    seat: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Taking:
    """A hand takes tiles off the table."""

    keys: tuple[str, ...]
    seat: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Moving:
    """A hand moves tiles one by one to other places; a tile may be turned over on the way.

    Attributes:
        to: key and where the tile comes to lie; one that did not lie on the table is brought.
        seat: where the hand comes from.
        away: keys of tiles that it takes off the table afterwards.
    """

    to: tuple[tuple[str, Piece], ...]
    seat: int = 0
    away: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Pushing:
    """An elbow pushes tiles together: turned about their middle by ``turn`` radians, shifted by ``shift`` (2,)."""

    keys: tuple[str, ...]
    shift: tuple[float, float]
    turn: float = 0.0
    seat: int = 0


@dataclass(frozen=True, slots=True)
class CameraBump:
    """The camera is pushed: the picture shifts by pixels and rolls by degrees, with a shake."""

    shift_px: tuple[float, float]
    roll_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class LightChange:
    """The light changes to ``gain`` times that of the start, over ``seconds``."""

    gain: float
    seconds: float = 0.4


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing happens."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Leaning:
    """Somebody leans over the table and sways."""

    seconds: float
    seat: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Resting:
    """A hand comes in, lies still on the table at a point (2,), in tile widths, and leaves without doing anything."""

    seconds: float
    at: tuple[float, float]
    seat: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Sweeping:
    """Somebody leans over the table; behind him all tiles are cleared away, and others may be laid."""

    seconds: float
    seat: int = 0
    to: tuple[tuple[str, Piece], ...] = ()


@dataclass(frozen=True, slots=True)
class Blackout:
    """The camera sends black frames."""

    seconds: float


Act = (
    Placing
    | Laying
    | Taking
    | Moving
    | Pushing
    | CameraBump
    | LightChange
    | Pause
    | Leaning
    | Resting
    | Sweeping
    | Blackout
)


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """A game as it is to be seen.

    Attributes:
        acts: what happens, in order.
        start: key and piece of what lies there at the beginning.
        moves: for acts that are moves of the game: act number and what the move was, in plain values.
        zones: named quads (4, 2) on the table in tile widths.
        set_name: the set.
    """

    acts: tuple[Act, ...]
    start: tuple[tuple[str, Piece], ...] = ()
    moves: dict[int, dict[str, Any]] = field(default_factory=dict)
    zones: dict[str, F64] = field(default_factory=dict)
    set_name: str = "double-six"


@dataclass(slots=True, eq=False)
class TableState:
    """What lies on the table, by key, and how it is joined; joins as (key, part, key, part)."""

    pieces: dict[str, Piece] = field(default_factory=dict)
    joins: list[tuple[str, str, str, str]] = field(default_factory=list)

    def apply(self, act: Act) -> None:
        """Let an act that is over have its effect."""
        match act:
            case Placing():
                self.pieces[act.key] = act.piece
                self.joins += [(act.key, own, other, part) for own, other, part in act.joins]
            case Taking():
                for key in act.keys:
                    del self.pieces[key]
                self._unjoin(act.keys)
            case Laying():
                self.pieces.update(act.to)
            case Sweeping():
                self.pieces.clear()
                self.joins.clear()
                self.pieces.update(act.to)
            case Moving():
                for key, piece in act.to:
                    self.pieces[key] = piece
                for key in act.away:
                    del self.pieces[key]
                self._unjoin((*(key for key, _ in act.to), *act.away))
            case Pushing():
                self.pieces.update(pushed(self.pieces, act))
            case _:
                return

    def indexed_joins(self) -> tuple[Join, ...]:
        """Return joins by index into the order of the pieces."""
        place = {key: i for i, key in enumerate(self.pieces)}
        return tuple((place[a], p, place[b], q) for a, p, b, q in self.joins)

    def _unjoin(self, keys: tuple[str, ...]) -> None:
        self.joins = [join for join in self.joins if join[0] not in keys and join[2] not in keys]


def pushed(pieces: dict[str, Piece], act: Pushing) -> dict[str, Piece]:
    """Return the pushed pieces where they come to lie."""
    middle = np.mean([pieces[key].centre for key in act.keys], axis=0)
    c, s = np.cos(act.turn), np.sin(act.turn)
    turn = np.array([[c, -s], [s, c]])
    found = {}
    for key in act.keys:
        piece = pieces[key]
        centre = turn @ (piece.centre - middle) + middle + np.array(act.shift)
        found[key] = moved(piece, centre, piece.angle + act.turn)
    return found


def moved(piece: Piece, centre: F64, angle: float) -> Piece:
    """Return a piece at another place."""
    return Piece(piece.kind, centre, angle, piece.length, piece.width, piece.halves)
