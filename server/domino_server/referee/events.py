"""What the referee says: moves with how they are known, scores, questions, pauses. Frozen values that become JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from domino_rules.notation import format_move
from domino_rules.record import MoveRecord
from domino_rules.score import ScoreEvent
from domino_rules.state import HandResult
from domino_rules.tile import Tile
from domino_server.referee.sight import Point


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question.

    Attributes:
        key: what to answer.
        text: what it says, in the words of the notation.
        odds: how likely it is, 0 to 1; None if nothing tells.
        changes: what it would change: by side the total, and other facts by name.
    """

    key: str
    text: str
    odds: float | None = None
    changes: Mapping[str, Any] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a person must settle, because the answer changes a score or a legality.

    Attributes:
        code: what is asked: `opener`, `order`, `which_tile`, `misread_or_illegal`, `seen_against_told`, `taken_back`,
            `missed_reply`, `missed_trick`, `taker_differs`, `piles_differ`, `hands_hidden`, `hand_differs`,
            `trump_unseen`, `next_player`.
        choices: the answers; none if the answer is told freely.
        tiles: the tiles in question.
        crops: their corners in the picture, pixels.
        params: further facts.
    """

    code: str
    choices: tuple[Choice, ...] = ()
    tiles: tuple[Tile, ...] = ()
    crops: tuple[tuple[Point, ...], ...] = ()
    params: Mapping[str, Any] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class Pause:
    """Why the game waits, and what it expects to see before it goes on.

    Attributes:
        code: `not_begun`, `unexplained`, `tiles_missing`, `table_cleared`, `illegal_play`, `too_many_orders`,
            `not_joined`, `hand_over`, `missed_reply`, `missed_trick`, `undecided`.
        expects: tiles that it expects to see, or to see no more, with `params`.
        params: further facts, such as `player`.
    """

    code: str
    expects: tuple[Tile, ...] = ()
    params: Mapping[str, Any] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class HandStarted:
    """A hand began."""

    hand: int


@dataclass(frozen=True, slots=True)
class MoveCommitted:
    """A move is believed and in the record; `number` counts from 1, `scores` are what it earned."""

    hand: int
    number: int
    record: MoveRecord
    scores: tuple[ScoreEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected:
    """A move that was committed is another one; `after` None if it was not made, `before` None if it was left out."""

    hand: int
    number: int
    before: MoveRecord | None
    after: MoveRecord | None


@dataclass(frozen=True, slots=True)
class HandShown:
    """A player's remaining tiles were seen or told."""

    hand: int
    player: str
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand is over; `pending` in the result says that its score waits for hands that nobody has shown."""

    hand: int
    result: HandResult
    totals: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is decided."""

    winner: str
    totals: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class IllegalPlay:
    """Something was done that the rules do not allow; the game waits until it is put right or told.

    Attributes:
        code: a reason of the rules, such as `no_match`, `arm_closed`, `not_your_turn`, `must_match`.
        odds: probability that it is no misreading, 0 to 1; None if nothing tells.
    """

    code: str
    player: str | None
    tile: Tile | None
    odds: float | None = None
    crops: tuple[tuple[Point, ...], ...] = ()
    params: Mapping[str, Any] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class Found:
    """The audit of a hand that is over found something that was not as the rules want it."""

    hand: int
    code: str
    player: str | None
    move: int | None
    certainty: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question is open."""

    question: Question


@dataclass(frozen=True, slots=True)
class Settled:
    """A question is settled: by an answer, or by what the table showed later (`answer` None)."""

    code: str
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Paused:
    """The game waits."""

    pause: Pause


@dataclass(frozen=True, slots=True)
class Resumed:
    """The table matches the game again."""

    code: str


Event = (
    HandStarted
    | MoveCommitted
    | Corrected
    | HandShown
    | HandEnded
    | MatchEnded
    | IllegalPlay
    | Found
    | Asked
    | Settled
    | Paused
    | Resumed
)


def as_illegal(question: Question) -> IllegalPlay:
    """Return the illegal play that a question `misread_or_illegal` asks about."""
    params = dict(question.params)
    code, player = str(params.pop("code", "no_match")), params.pop("player", None)
    odds = next((choice.odds for choice in question.choices if choice.key == "illegal"), None)
    tile = question.tiles[0] if question.tiles else None
    return IllegalPlay(code, player, tile, odds, question.crops, params)


_NAMES: Mapping[type, str] = MappingProxyType({
    HandStarted: "hand", MoveCommitted: "move", Corrected: "correction", HandShown: "shown", HandEnded: "hand_end",
    MatchEnded: "match_end", IllegalPlay: "illegal", Found: "finding", Asked: "question", Settled: "settled",
    Paused: "pause", Resumed: "resume",
})  # fmt: skip


def event_json(event: Event) -> dict[str, Any]:
    """Return an event as plain values, its kind under `event`."""
    values = {name: _plain(getattr(event, name)) for name in event.__dataclass_fields__}
    return {"event": _NAMES[type(event)], **values}


def _plain(value: Any) -> Any:
    if isinstance(value, MoveRecord):
        return {"move": format_move(value.move), "known": value.source.value, "rule": value.rule}
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
