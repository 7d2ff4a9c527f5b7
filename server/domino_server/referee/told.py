"""What people tell the referee. Told beats inferred; seen against told is asked."""

from __future__ import annotations

from dataclasses import dataclass

from domino_rules.moves import Move
from domino_rules.tile import Tile


@dataclass(frozen=True, slots=True)
class Opener:
    """Who leads the hand that is about to begin, or that has begun without anybody knowing who leads."""

    player: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A move that a player made: a pass that was called, a play that the camera missed."""

    move: Move


@dataclass(frozen=True, slots=True)
class Declared:
    """In Bingo: the number of doubles that a player called with the double he lays."""

    player: str
    doubles: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the open question `code`: the key of a choice."""

    code: str
    key: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Move `number` (from 1) of the hand was really `move`; None: it was not made."""

    number: int
    move: Move | None
    insert: bool = False


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last move is taken back."""


@dataclass(frozen=True, slots=True)
class LetStand:
    """The illegal play that lies there stands: the game goes on from the table as it lies."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The tiles that a player has left."""

    player: str
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Adjust:
    """Points given to or taken from a side by a person."""

    side: str
    points: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Redeal:
    """The hand is dealt again: its moves were not made."""


Told = Opener | Moved | Declared | Answer | Correct | TakeBack | LetStand | Shown | Adjust | Redeal
