"""What is true of a film: its record, and each act with the time at which it is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domino_rules.errors import DominoError
from domino_rules.record import Record, parse_record
from domino_rules.tile import Tile
from domino_server.films.film import Calls, Film

VERSION: Final = 2
_UNDOING: Final = frozenset({"take_back", "give_back", "put_back", "show", "draw"})
"""Roles of acts that are no answer to a play against the rules."""


@dataclass(frozen=True, slots=True)
class ActTruth:
    """An act that is a move of a game, or belongs to one.

    Attributes:
        hand: number of the hand, from 0.
        role: `play`, `capture`, `turn`, `draw`, `take_back` and the like.
        over_at: seconds at which the hand has left the picture.
        move: the move as the record has it; None if the act is none.
        tile: the tile in question.
        code: why the rules refuse it; None for what they allow.
        undone: whether it is put right.
        seat: who did it, by his place at the table.
        shown_by: tiles of which he must lay one before the table shows that it broke the rules; none: it shows at once.
        called: what he called with it: in Bingo how many doubles, in Cincos how many points.
    """

    hand: int
    role: str
    over_at: float
    move: str | None = None
    tile: tuple[int, int] | None = None
    code: str | None = None
    undone: bool = False
    seat: int | None = None
    shown_by: tuple[tuple[int, int], ...] = ()
    called: int | None = None

    @property
    def answers(self) -> bool:
        """Whether somebody plays on with it."""
        return self.role not in _UNDOING

    @property
    def about(self) -> tuple[Tile, ...]:
        """The tiles by which a report of it is known: the one laid, and those that show it later."""
        laid = () if self.tile is None or self.role == "draw" else (self.tile,)
        return tuple(Tile(*tile) for tile in (*laid, *self.shown_by))


@dataclass(frozen=True, slots=True)
class FilmTruth:
    """The truth of a film.

    Attributes:
        record: the game.
        opener: who leads the first hand, where people must tell.
        acts: in order.
        facts: seed, picture size and the like.
    """

    record: Record
    opener: str | None
    acts: tuple[ActTruth, ...]
    facts: Mapping[str, Any]

    @property
    def calls(self) -> Calls:
        """What was called."""
        tiles = ((act.hand, act.tile, act.called) for act in self.acts)
        return {(hand, Tile(*tile)): called for hand, tile, called in tiles if tile is not None and called is not None}

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        acts = [{name: getattr(act, name) for name in ActTruth.__slots__} for act in self.acts]
        return {
            "format": VERSION, "record": str(self.record), "opener": self.opener, "acts": acts, **self.facts,
        }  # fmt: skip

    @classmethod
    def from_json(cls, raw: Any) -> FilmTruth:
        """Return the truth from plain values.

        Raises:
            DominoError: `film_format`, or as `parse_record`.
        """
        try:
            if raw["format"] != VERSION:
                raise DominoError("film_format", f"a film of format {raw['format']}, not {VERSION}")
            acts = tuple(_act(row) for row in raw["acts"])
            facts = {name: value for name, value in raw.items() if name not in _OWN}
            return cls(parse_record(raw["record"]), raw["opener"], acts, facts)
        except (KeyError, TypeError) as error:
            raise DominoError("film_format", f"this is no truth of a film: {error}") from error


_OWN: Final = frozenset({"format", "record", "opener", "acts"})


def _act(row: Mapping[str, Any]) -> ActTruth:
    values = {name: row[name] for name in ActTruth.__slots__}
    tile = values["tile"]
    values["tile"] = None if tile is None else (int(tile[0]), int(tile[1]))
    values["shown_by"] = tuple((int(low), int(high)) for low, high in values["shown_by"])
    return ActTruth(**values)


class Clock:
    """Notes when the acts of a film are over, while its frames go by."""

    def __init__(self, film: Film) -> None:
        """Begin before the first frame."""
        self._film = film
        self._over: dict[tuple[int, int], float] = {}
        self._last = (0, 0.0)

    def see(self, hand: int, done: int, at: float) -> None:
        """Note a frame: its hand, how many acts are over, its time in seconds."""
        if hand != self._last[0]:
            before, then = self._last
            for act in range(len(self._film.scripts[before].acts)):
                self._over.setdefault((before, act), then)
        for act in range(done):
            self._over.setdefault((hand, act), at)
        self._last = (hand, at)

    def truth(self) -> FilmTruth:
        """Return the truth, once the last frame has gone by."""
        options = self._film.options
        facts = {
            "game": options.game, "seed": options.seed, "seats": len(self._film.record.seats), "hands": options.hands,
            "illegal": options.illegal, "size": list(options.size_wh), "fps": options.video.fps,
        }  # fmt: skip
        return FilmTruth(self._film.record, self._film.opener, tuple(self._acts()), facts)

    def _acts(self) -> Iterator[ActTruth]:
        for hand, script in enumerate(self._film.scripts):
            for number, told in sorted(script.moves.items()):
                tile = told.get("tile")
                yield ActTruth(
                    hand,
                    str(told.get("role", "")),
                    self._over.get((hand, number), self._last[1]),
                    told.get("move"),
                    None if tile is None else (tile[0], tile[1]),
                    told.get("code"),
                    bool(told.get("undone", False)),
                    told.get("seat"),
                    tuple((tile[0], tile[1]) for tile in told.get("shown_by", ())),
                    told.get("called"),
                )


def planted(acts: Sequence[ActTruth]) -> tuple[tuple[ActTruth, float], ...]:
    """Return the plays against the rules, each with the time at which the next move was over.

    Where only a tile that is laid later shows it, that is the move after that tile; what the table never shows is left
    out: nobody who sees only the table can know of it.
    """
    found = []
    for number, act in enumerate(acts):
        if act.code is None:
            continue
        shown = number
        if act.shown_by:
            shown = next((n for n, other in enumerate(acts[number + 1 :], number + 1) if _shows(act, other)), len(acts))
        if shown < len(acts):
            later = (other.over_at for other in acts[shown + 1 :] if other.answers)
            found.append((act, next(later, float("inf"))))
    return tuple(found)


def _shows(act: ActTruth, other: ActTruth) -> bool:
    """Return whether a tile that is laid, or a hand that is turned up, shows what an act before it was."""
    if (act.hand, act.seat) != (other.hand, other.seat):
        return False
    if other.role not in {"play", "capture"} or other.tile is None:
        return other.role == "show"
    return sorted(other.tile) in map(sorted, act.shown_by)
