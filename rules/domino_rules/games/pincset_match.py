"""What a match of Pińćset makes of its hands: totals, premium ladder, openers, games of a series.

Source: RULES 1.1 (seed 000 l.1-6, 17-21, 29), A2 to A4, A8, A9, A11, decision 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from domino_rules.games.pincset_options import DEFAULTS
from domino_rules.ruleset import RuleSet
from domino_rules.state import HandContext, HandResult

Sides = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands after some hands.

    Attributes:
        totals: each pair's points in the game that goes on; those of the last one, once the match is over.
        games: how many games of the series each pair has won.
        index: number of the next hand in its game, from 1.
        premium_step: step of the premium ladder for that hand, by `premium_by=hand_index`.
        dominoes: hands that each pair has won by domino in the game.
        first_blocks: the pairs that have earned the premium for the first win on points in the game.
        openers: who may open the next hand, the usual one first; empty if the holder of 6-6 opens.
        winner: the pair that has won the match.
    """

    totals: Mapping[str, int]
    games: Mapping[str, int]
    index: int = 1
    premium_step: int = 1
    dominoes: Mapping[str, int] = field(default_factory=dict)
    first_blocks: tuple[str, ...] = ()
    openers: tuple[str, ...] = ()
    winner: str | None = None

    def context(self, opener: str | None = None) -> HandContext:
        """Return what the next hand must know; `opener` is a told choice among the openers."""
        facts = {
            "premium_step": self.premium_step,
            "dominoes": self.dominoes,
            "first_block_used": self.first_blocks,
            "openers": self.openers,
            "lead_66": not self.openers,
            "game": 1 + sum(self.games.values()),
            "games": self.games,
        }
        return HandContext(self.index, opener, self.totals, MappingProxyType(facts))


def standing(sides: Sides, rules: RuleSet, results: Iterable[HandResult]) -> Standing:
    """Return where a match stands after `results`."""
    nothing = dict.fromkeys(sides, 0)
    now = Standing(totals=nothing, games=nothing)
    for result in results:
        now = _after(now, result, sides, rules)
    return now


def game_winner(totals: Mapping[str, int], rules: RuleSet = DEFAULTS) -> str | None:
    """Return the pair that has won a game with these totals; None if nobody is there, or both with as many.

    Source: seed 000 l.1-2 and l.29, RULES A8 and A9.
    """
    return _leader(totals, rules)


def openers(result: HandResult | None, sides: Sides) -> tuple[str, ...]:
    """Return who may open the hand after `result`, the usual one first; empty if the holder of 6-6 opens.

    After a win either member of the pair that won; usually the player who went out, after a block the one who laid the
    last tile, or else the next player of the pair. Source: seed 000 l.6, RULES A11.
    """
    if result is None or result.kind == "tie":
        return ()
    seats = seat_order(sides)
    if result.side is None:
        return seats
    pair = sides[result.side]
    if result.player is None:
        return pair
    at = seats.index(result.player)
    return tuple(player for player in (*seats[at:], *seats[:at]) if player in pair)


def seat_order(sides: Sides) -> tuple[str, ...]:
    """Return the players in the order of play: the pairs take turns."""
    return tuple(player for pair in zip(*sides.values(), strict=True) for player in pair)


def _leader(totals: Mapping[str, int], rules: RuleSet) -> str | None:
    target = rules["target"] + (0 if rules["target_inclusive"] else 1)
    best = max(totals.values())
    leaders = [side for side, total in totals.items() if total == best >= target]
    return leaders[0] if len(leaders) == 1 else None


def _after(now: Standing, result: HandResult, sides: Sides, rules: RuleSet) -> Standing:
    totals = dict(now.totals)
    for event in result.events:
        if event.unit == "points":
            totals[event.side] += event.points
    dominoes = dict(now.dominoes)
    if result.kind == "domino" and result.side is not None:
        dominoes[result.side] = dominoes.get(result.side, 0) + 1
    earned = tuple(event.side for event in result.events if event.reason == "first_block")
    advances = result.kind != "tie" or rules["tie_advances_index"]
    winner = _leader(totals, rules)
    after = replace(
        now,
        totals=totals,
        index=now.index + 1,
        premium_step=now.premium_step + (1 if advances else 0),
        dominoes=dominoes,
        first_blocks=(*now.first_blocks, *earned),
        openers=openers(result, sides),
    )
    return after if winner is None else _game_over(after, winner, rules)


def _game_over(now: Standing, winner: str, rules: RuleSet) -> Standing:
    games = dict(now.games)
    games[winner] += 1
    ordered = sorted(games.values(), reverse=True)
    left = rules["series_games"] - sum(ordered)
    decided = ordered[0] > ordered[1] + max(0, left)
    best = max(games, key=lambda side: games[side])
    if decided:
        return Standing(totals=now.totals, games=games, winner=best)
    return Standing(totals=dict.fromkeys(games, 0), games=games)
