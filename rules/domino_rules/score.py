"""Scores with evidence: append-only events from which every total is derived. Knows no game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from domino_rules.layout import Arm
from domino_rules.tile import Tile


@dataclass(frozen=True, slots=True)
class Addend:
    """One summand of a score: what was counted (`code`), its value, and the tile, end or player that proves it.

    `number` is a number that belongs to the code, such as the step of the ladder that a premium was paid by.
    """

    code: str
    value: int
    tile: Tile | None = None
    arm: Arm | None = None
    player: str | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreEvent:
    """Points that a side earned (or paid, if negative) for `reason`, a stable code, with the addends that prove it.

    Attributes:
        side: the player or pair that scores.
        points: what is added to the side's total; it may differ from the sum of the addends by rounding, and then an
            addend with the code `rounding` makes up the difference.
        reason: a code of the explain catalogues, such as `count`, `premium`, `capicu`.
        evidence: the addends; their values sum to `points`.
        player: who made the move that earned the points, if one player did.
        unit: what is counted: `points`, `sets` (Bingo), `games` (a series) or `payment` (Tiu-U).
        note: what a person said about it, for a told correction.
    """

    side: str
    points: int
    reason: str
    evidence: tuple[Addend, ...] = ()
    player: str | None = None
    unit: str = "points"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """An append-only list of score events."""

    events: tuple[ScoreEvent, ...] = ()

    def add(self, *events: ScoreEvent) -> Ledger:
        """Return the ledger with `events` appended."""
        return Ledger((*self.events, *events))

    def totals(self, sides: Iterable[str], unit: str = "points") -> dict[str, int]:
        """Return each side's total in one unit; a side without an event has 0."""
        totals = dict.fromkeys(sides, 0)
        for event in self.events:
            if event.unit == unit:
                totals[event.side] = totals.get(event.side, 0) + event.points
        return totals
