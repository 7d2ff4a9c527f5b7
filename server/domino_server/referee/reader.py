"""What every reader of observations gives the referee: how a table may have come about, or what speaks against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Protocol

from domino_rules.match import Match
from domino_rules.moves import Move
from domino_rules.record import MoveRecord, Source
from domino_rules.state import Deal, GameState
from domino_rules.tile import Tile
from domino_server.referee.events import IllegalPlay, Pause, Question
from domino_server.referee.sight import Point, Sight

MOST_PATHS = 24
"""So many explanations of a table are kept at most."""
PAIR_UNREAD: Final = "pair_unread"
"""The rule of captures of which not all tiles were read: what left the talon, and where something was laid, tells."""
MISREAD: Final = "misread"
"""The rule of tiles that were read wrongly when they were turned: only what they were captured with tells."""


@dataclass(frozen=True, slots=True)
class Path:
    """One way in which a table may have come about.

    Attributes:
        moves: what was done, with how it is known.
        state: where that leads.
        weight: how likely it is, relative to the other paths.
    """

    moves: tuple[MoveRecord, ...]
    state: GameState
    weight: float = 1.0


def _nothing() -> Mapping[str, Path]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Swap:
    """A move already made whose tile, or its place, is seen otherwise now.

    Attributes:
        number: of the move in its hand, from 0; negative: the last move that turned the tile `known`, or that
            captured with it unread; if there is none, the tile is taken for `known` without a word.
        move: what it was, if this sight is right.
        sure: how surely the tile is read now.
        code: `read_anew` (another tile in the same place) or `laid_elsewhere`.
        index: the tile in the sight.
        known: the tile that it was taken for; None if only its place differs.
        rule: what tells so, if it is not seen.
    """

    number: int
    move: Move
    sure: float
    code: str = "read_anew"
    index: int = -1
    known: Tile | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Explained:
    """What a reader makes of a table.

    Attributes:
        paths: all ways in which it may have come about; the empty path if nothing was done.
        swaps: moves that must be corrected before anything can be explained.
        pause: why nothing explains it, and what is expected.
        illegal: what was done against the rules after the moves of the paths.
        question: what a person must settle first.
        missing: tiles that are not seen for the moment; the paths hold all the same.
        stands: the illegal play as it goes into the record if the table lets it stand: after the moves of the first
            path, or instead of the last move of the hand (`retold`).
        retold: whether it stands in place of the last move.
        missed: a move that must have been made, with the number (from 0) of the move before which it was.
        overs: where nobody saw how the tiles came to lie there, an order for each player who may be to move next.
    """

    paths: tuple[Path, ...] = ()
    swaps: tuple[Swap, ...] = ()
    pause: Pause | None = None
    illegal: IllegalPlay | None = None
    question: Question | None = None
    missing: tuple[Tile, ...] = ()
    stands: MoveRecord | None = None
    retold: bool = False
    missed: tuple[int, MoveRecord] | None = None
    overs: Mapping[str, Path] = field(default_factory=_nothing)

    @property
    def is_clean(self) -> bool:
        """Whether nothing stands against it."""
        return not self.swaps and self.pause is None and self.illegal is None and self.question is None


class Reader(Protocol):
    """Reads the tables of one kind of game."""

    needs_opener: bool
    """Whether a hand cannot begin before it is known who leads."""

    def begins(self, match: Match, sight: Sight, *, cleared: bool) -> Deal | None:
        """Return how the next hand begins if the table shows that it does; `cleared`: the table was seen empty.

        Tables on which nothing lies face up are looked at, too: no hand begins there.
        """
        ...

    def note(self, sight: Sight) -> None:
        """Take in a look in doubt at a table on which a hand may be about to begin: what is read of it may suffice."""
        ...

    def asks(self, sight: Sight) -> Question | None:
        """Return what a person must tell of the deal if the table shows a hand that goes on, but not how it began."""
        ...

    def explain(self, state: GameState, sight: Sight, where: Mapping[Tile, Point]) -> Explained:
        """Return how the table may have come about from a state; `where` says where tiles were seen last."""
        ...

    def shown(self, state: GameState, sight: Sight) -> dict[str, tuple[Tile, ...]]:
        """Return the hands that lie turned up at the end, by player."""
        ...


def seen(move: Move, rule: str | None = None) -> MoveRecord:
    """Return a move that was seen, but for what the rule says."""
    return MoveRecord(move, rule=rule)


def inferred(move: Move, rule: str) -> MoveRecord:
    """Return a move that a rule makes known."""
    return MoveRecord(move, Source.INFERRED, rule)


def told(move: Move) -> MoveRecord:
    """Return a move that a person told."""
    return MoveRecord(move, Source.TOLD)
