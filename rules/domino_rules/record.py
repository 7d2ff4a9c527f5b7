"""A whole match as frozen values, and as a plain text that people can read and write. `rules/README.md` documents it.

A `Record` has headers and `HandRecord`s; a hand has its deal, `MoveRecord`s (the move, how it is known, the claim,
a comment), `ToldScore`s, `Adjustment`s and `Correction`s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from domino_rules.errors import SetupError
from domino_rules.moves import Move
from domino_rules.notation import parse_name, tokens
from domino_rules.state import Deal
from domino_rules.tile import Tile

OPTION: Final = "Option."
"""Headers that begin like this name a house option."""
GUESSED_ORDER: Final = "one_of_several_orders"
"""The rule of inferred moves that were taken in one order though others are possible: who made them is a guess."""
BY_TURN_ALONE: Final = "by_turn_alone"
"""The rule of moves that were seen, but of whose players only the turn tells, though one may have passed unseen."""
ONE_LOOK: Final = "one_look"
"""The rule of draws that a boneyard showed at one look only, and that nothing confirmed."""


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


class Source(StrEnum):
    """How a fact is known: seen by a camera or at the table, told by a person, inferred by a rule."""

    SEEN = "seen"
    TOLD = "told"
    INFERRED = "inferred"


def clean(comment: str) -> str:
    """Return a comment as a record keeps it: no blank lines, single spaces."""
    lines = (" ".join(line.split()) for line in comment.split("\n"))
    return "\n".join(line for line in lines if line)


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move and how it is known.

    Attributes:
        rule: the rule by which an inferred move is known, a code such as `later_seat_moved`; of a move that was seen,
            what of it is not: `by_turn_alone`, `one_look`.
        comment: any text; several lines are kept.
        claim: the points called when the move was made (in Bingo those of the trick that it completes, whoever takes
            it); None if nobody called any.
    """

    move: Move
    source: Source = Source.SEEN
    rule: str | None = None
    comment: str = ""
    claim: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", clean(self.comment))


@dataclass(frozen=True, slots=True)
class ToldScore:
    """What the table wrote down for one side for the whole hand; `unit` None is the unit that decides the match."""

    side: str
    points: int
    unit: str | None = None
    comment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", clean(self.comment))


@dataclass(frozen=True, slots=True)
class ToldResult:
    """How a hand ended, as told: `kind` (domino, block, tie ...), the side that won, who laid the last tile.

    A hand without moves that has a told result counts with its told scores.
    """

    kind: str
    side: str | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points given to or taken from a side by a person after the hand (a judge's decision, say)."""

    side: str
    points: int
    comment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", clean(self.comment))


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction after the fact of move `number` (from 1, counted after the corrections before this one).

    `action` is `replace`, `insert` (before that move; one past the last appends) or `remove`.
    """

    number: int
    action: str
    move: MoveRecord | None = None
    comment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", clean(self.comment))


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand: the deal as far as it is known, the moves, and what people said.

    Attributes:
        deal: hands that are left out are hidden; an empty stock stands for as many unseen tiles as the game leaves.
        opener: who leads, where that was told; None where the rules find the opener.
        shown: tiles that players showed at the end.
        sources: how the facts of the deal are known, by `deal Ana`, `stock`, `table`, `opener`, `shown Ana`; seen
            where nothing is said.
    """

    number: int
    deal: Deal = field(default_factory=lambda: Deal({}))
    opener: str | None = None
    moves: tuple[MoveRecord, ...] = ()
    shown: Mapping[str, tuple[Tile, ...]] = field(default_factory=_nothing)
    result: ToldResult | None = None
    scores: tuple[ToldScore, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    corrections: tuple[Correction, ...] = ()
    sources: Mapping[str, Source] = field(default_factory=_nothing)
    comment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", clean(self.comment))

    def corrected(self) -> HandRecord:
        """Return the hand with its corrections carried out.

        Raises:
            SetupError: `bad_correction` if a correction names a move that is not there.
        """
        moves = list(self.moves)
        for correction in self.corrections:
            _correct(moves, correction, self.number)
        return replace(self, moves=tuple(moves), corrections=())


def _correct(moves: list[MoveRecord], correction: Correction, hand: int) -> None:
    at = correction.number - 1
    if not 0 <= at < len(moves) + (correction.action == "insert"):
        message = f"hand {hand} has no move {correction.number} to correct"
        raise SetupError("bad_correction", message, hand=hand, move=correction.number)
    after = at if correction.action == "insert" else at + 1
    moves[at:after] = [] if correction.move is None else [correction.move]


@dataclass(frozen=True, slots=True)
class Record:
    """A match. `str(record)` is its text; `parse_record` reads it back.

    Attributes:
        headers: in their order; `Game`, `Seats`, `Option.x`, `Direction`, `Sides`, `Date` have a meaning, all others
            are kept.
        comment: lines above the first hand.
    """

    headers: Mapping[str, str]
    hands: tuple[HandRecord, ...] = ()
    comment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "headers", {name: " ".join(text.split()) for name, text in self.headers.items()})
        object.__setattr__(self, "comment", clean(self.comment))

    @property
    def game(self) -> str:
        """The name of the game; raises SetupError `missing_header` if no header gives it."""
        return self._header("Game")

    @property
    def seats(self) -> tuple[str, ...]:
        """The players in the order of play.

        Raises:
            SetupError: `missing_header`.
            ParseError: `notation_name` if a name is not written as the notation wants it.
        """
        return tuple(parse_name(word) for word in tokens(self._header("Seats"))[0])

    @property
    def options(self) -> dict[str, str]:
        """The house options that headers name, as text."""
        return {name[len(OPTION) :]: text for name, text in self.headers.items() if name.startswith(OPTION)}

    def corrected(self) -> Record:
        """Return the record with all corrections carried out; raises SetupError `bad_correction`."""
        return replace(self, hands=tuple(hand.corrected() for hand in self.hands))

    def _header(self, name: str) -> str:
        try:
            return self.headers[name]
        except KeyError:
            message = f"the record has no header {name}"
            raise SetupError("missing_header", message, header=name) from None

    def __str__(self) -> str:
        from domino_rules.record_writer import write_record

        return write_record(self)


def parse_record(text: str) -> Record:
    """Return the record that the text holds.

    Raises:
        RecordError: with the `line` and what was `expected` there.
    """
    from domino_rules.record_reader import read_record

    return read_record(text)
