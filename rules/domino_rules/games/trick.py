"""The trick mechanism: duties of the player who replies, in their order, and what a finished trick was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from domino_rules.games.hidden import must_hold
from domino_rules.moves import Lead, Reply
from domino_rules.state import Hand
from domino_rules.tile import Tile


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that the reply must do if the hand allows it; `code` is the reason why another tile is refused."""

    code: str
    met_by: Callable[[Tile], bool]


def following(duties: Iterable[Duty], tiles: Sequence[Tile]) -> Sequence[Tile]:
    """Return the tiles of a known hand that may reply: those that meet the first duty any tile meets, else all."""
    for duty in duties:
        allowed = [tile for tile in tiles if duty.met_by(tile)]
        if allowed:
            return allowed
    return tiles


def broken_duty(duties: Sequence[Duty], hand: Hand, tile: Tile, rest: Callable[[], Counter[Tile]]) -> Duty | None:
    """Return the duty that a reply with `tile` breaks, None if it is allowed (possible, for a hidden hand)."""
    for rank, duty in enumerate(duties):
        if duty.met_by(tile):
            return None
        if must_hold(hand, _meets_any(duties[: rank + 1]), rest, tile):
            return duty
    return None


def _meets_any(duties: Sequence[Duty]) -> Callable[[Tile], bool]:
    return lambda tile: any(duty.met_by(tile) for duty in duties)


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick.

    Attributes:
        lead: the tile led.
        reply: the tile it was answered with.
        phase: 1 while replies were free, 2 when they had to match.
        taker: who took it, and leads next.
        points_to: who scores its tiles; not always the taker.
        points: what the tiles count.
        bonus: what the taker's declaration adds.
        unable: whether the reply could neither match nor trump where it had to.
    """

    lead: Lead
    reply: Reply
    phase: int
    taker: str
    points_to: str
    points: int
    bonus: int = 0
    unable: bool = False

    @property
    def tiles(self) -> tuple[Tile, Tile]:
        """Both tiles, the one that was led first."""
        return (self.lead.tile, self.reply.tile)
