"""What a hand of Bingo earns: points of a trick, sets of a hand, each with its evidence. Knows no state.

Source: RULES 3.1 (sets) and section 8, decisions 4 to 6; seed 002 l.36-47.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from domino_rules.games.bingo_rules import DECLARATIONS, tile_values
from domino_rules.games.trick import Trick
from domino_rules.ruleset import RuleSet
from domino_rules.score import Addend, ScoreEvent

SETS = "sets"


@dataclass(frozen=True, slots=True)
class Closing:
    """Who closed, and how many points he had then."""

    player: str
    points: int = 0

    def kept(self, points: Mapping[str, int], rules: RuleSet) -> bool:
        """Return whether the closer has made what he undertook, with `points` of the hand so far."""
        since = self.points if rules["close_counts"] == "from_now" else 0
        return bool(points[self.player] - since >= rules["target"])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a hand is worth.

    Attributes:
        kind: `points`, `closing_failed`, `unable`, `seven_doubles`, or `tie` if nobody earns a set.
        winner: who earns the sets.
        reasons: codes with the sets that each is good for.
    """

    kind: str
    winner: str | None = None
    reasons: tuple[tuple[str, int], ...] = ()

    @property
    def sets(self) -> int:
        """How many sets the winner earns."""
        return sum(value for _, value in self.reasons)


def trick_events(trick: Trick, trump: int, rules: RuleSet) -> Iterator[ScoreEvent]:
    """Yield the scores of a finished trick: its tiles, and the taker's declaration. Nothing for 0 points."""
    values = tile_values(trump, rules)
    if trick.points:
        players = (trick.lead.player, trick.reply.player)
        addends = tuple(
            Addend(values[tile].code, values[tile].points, tile=tile, player=player)
            for tile, player in zip(trick.tiles, players, strict=True)
        )
        reason = "trick" if trick.points_to == trick.taker else "trump_double_under_bingo"
        yield ScoreEvent(trick.points_to, trick.points, reason, addends, trick.points_to)
    if trick.bonus:
        tile = trick.lead.tile if trick.lead.player == trick.taker else trick.reply.tile
        proof = (Addend("declared_doubles", trick.bonus, tile=tile, player=trick.taker),)
        yield ScoreEvent(trick.taker, trick.bonus, "declaration", proof, trick.taker)


def declared_all(tricks: tuple[Trick, ...]) -> str | None:
    """Return who took a trick with seven doubles declared."""
    return next((trick.taker for trick in tricks if trick.bonus == DECLARATIONS[7]), None)


def stops(points: Mapping[str, int], closing: Closing | None, rules: RuleSet) -> bool:
    """Return whether the hand is decided before its last trick, so that it stops. Source: B15 and decision 4."""
    if not rules["hand_ends_at_70"]:
        return False
    if closing is not None and rules["close_counts"] == "from_now":
        return closing.kept(points, rules)
    return any(total >= rules["target"] for total in points.values())


def hand_outcome(
    points: Mapping[str, int],
    rules: RuleSet,
    *,
    closing: Closing | None = None,
    seven_doubles: str | None = None,
    unable: str | None = None,
    taker: str | None = None,
) -> Outcome:
    """Return what a finished hand is worth.

    Args:
        points: each player's points of the hand.
        rules: the options.
        closing: who closed, if anybody did.
        seven_doubles: who took a trick with seven doubles declared.
        unable: who could neither match nor trump, where that loses the hand (`unable=lose_hand`).
        taker: who took the last trick; decides if both have reached the target with equal points.
    """
    if seven_doubles is not None:
        return Outcome("seven_doubles", seven_doubles, (("seven_doubles", 3),))
    others = {player: next(other for other in points if other != player) for player in points}
    if closing is not None and _broke_word(closing, points, unable, rules):
        return Outcome("closing_failed", others[closing.player], (("closing_failed", 2),))
    if unable is not None:
        return Outcome("unable", others[unable], _reasons("opponent_unable", points[unable], rules))
    winner = _leader(points, rules, taker)
    if winner is None:
        return Outcome("tie")
    return Outcome("points", winner, _reasons("reached_target", points[others[winner]], rules))


def _broke_word(closing: Closing, points: Mapping[str, int], unable: str | None, rules: RuleSet) -> bool:
    """Return whether the closer failed; a player who was unable makes the other one as good as at the target."""
    return unable == closing.player if unable is not None else not closing.kept(points, rules)


def _leader(points: Mapping[str, int], rules: RuleSet, taker: str | None) -> str | None:
    reached = [player for player, total in points.items() if total >= rules["target"]]
    most = max(points.values())
    best = [player for player in reached if points[player] == most]
    return best[0] if len(best) == 1 else (taker if best else None)


def _reasons(first: str, opponent: int, rules: RuleSet) -> tuple[tuple[str, int], ...]:
    reasons = [(first, 1)]
    if opponent <= rules["two_sets_max_opp"]:
        reasons.append(("opponent_few_points", 1))
    if opponent == 0:
        reasons = [(first, 1), ("opponent_few_points", 1), ("opponent_no_points", 1)]
    return tuple(reasons)


def set_events(outcome: Outcome) -> tuple[ScoreEvent, ...]:
    """Return the sets of a finished hand as score events (one, or none)."""
    if outcome.winner is None:
        return ()
    proof = tuple(Addend(code, value, player=outcome.winner) for code, value in outcome.reasons)
    return (ScoreEvent(outcome.winner, outcome.sets, outcome.kind, proof, outcome.winner, SETS),)
