"""What a hand of Tiu-U earns: points of the catch, rounding, payments, each with its evidence. Knows no state.

Source: RULES 2.1 (score, settlement), T6, T7, T13 and section 8, decision 3; seed 001 l.33-39.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from domino_rules.games.tiu_u_rules import is_big_fish, tile_addend, tile_score
from domino_rules.ruleset import RuleSet
from domino_rules.score import Addend, ScoreEvent
from domino_rules.tile import Tile

PAYMENT = "payment"


@dataclass(frozen=True, slots=True)
class Catch:
    """The points of a captured pile: those of the big fish and those of the small."""

    big: int = 0
    small: int = 0

    @classmethod
    def of(cls, tiles: Iterable[Tile]) -> Catch:
        """Return the points of captured tiles."""
        big = small = 0
        for tile in tiles:
            if is_big_fish(tile):
                big += tile_score(tile)
            else:
                small += tile_score(tile)
        return cls(big, small)

    @property
    def raw(self) -> int:
        """The points before rounding."""
        return self.big + self.small

    def final(self, rules: RuleSet) -> int:
        """Return the points after rounding the total, or the small fish alone. Source: T6."""
        if rules["round_what"] == "small_only":
            return self.big + rounded(self.small, rules)
        return rounded(self.raw, rules)


def rounded(points: int, rules: RuleSet) -> int:
    """Return `points` rounded up to tens; an exact ten stays, or with `round_exact=next_ten` becomes the next."""
    if rules["round_exact"] == "next_ten":
        return points // 10 * 10 + 10
    return -(-points // 10) * 10


def winners(finals: Mapping[str, int]) -> tuple[str, ...]:
    """Return who has the highest rounded score, in the order of play."""
    most = max(finals.values())
    return tuple(player for player, points in finals.items() if points == most)


def settlement(finals: Mapping[str, int], rules: RuleSet) -> Iterator[ScoreEvent]:
    """Yield what each player earns or pays, with the difference to each other player as evidence.

    Every loser pays the winner the difference of their rounded scores. Where two of three tie on top, the third pays
    it once, shared between them (`tie_top=split`), or to each of them (`pay_each`). Payments sum to zero.
    """
    best = winners(finals)
    share = len(best) if rules["tie_top"] == "split" else 1
    dues: dict[str, list[Addend]] = {player: [] for player in finals}
    for loser in finals:
        for winner in best:
            due = (finals[winner] - finals[loser]) // share
            if due:
                dues[winner].append(Addend("difference", due, player=loser))
                dues[loser].append(Addend("difference", -due, player=winner))
    for player, addends in dues.items():
        if addends:
            net = sum(addend.value for addend in addends)
            yield ScoreEvent(player, net, "settlement", tuple(addends), player, PAYMENT)


def payments(finals: Mapping[str, int], rules: RuleSet) -> dict[str, int]:
    """Return what each player earns (or pays, if negative)."""
    net = dict.fromkeys(finals, 0)
    for event in settlement(finals, rules):
        net[event.side] += event.points
    return net


def capture_event(player: str, tiles: tuple[Tile, Tile], reason: str) -> Iterator[ScoreEvent]:
    """Yield the points of a captured pair, before rounding; nothing for 0 points."""
    addends = tuple(map(tile_addend, tiles))
    points = sum(addend.value for addend in addends)
    if points:
        yield ScoreEvent(player, points, reason, addends, player)


def rounding_events(catches: Mapping[str, Catch], rules: RuleSet) -> Iterator[ScoreEvent]:
    """Yield what rounding adds to each player's points at the end of the hand."""
    for player, catch in catches.items():
        gain = catch.final(rules) - catch.raw
        if gain:
            yield ScoreEvent(player, gain, "rounding", (Addend("rounding", gain, player=player),), player)
