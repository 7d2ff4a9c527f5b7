"""What the score would be either way: for each reading of an alert, the totals that follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domino_rules.errors import DominoError
from domino_rules.layout import Arm
from domino_rules.match import Match
from domino_rules.moves import Lead, Move, Play, Reply
from domino_rules.record_replay import CALLED
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_server.referee.core import Referee


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way to take what happened.

    Attributes:
        key: `as:6-4` (the tile was misread), `stands`, `taken_back`, `claimed`, `right`, or the key of an answer.
        odds: how likely it is that it was so, 0 to 1; None if nothing tells.
        totals: by side; None where the rules cannot tell.
    """

    key: str
    odds: float | None
    totals: Mapping[str, int] | None


def totals_with(match: Match, state: GameState) -> dict[str, int]:
    """Return the totals of a match whose hand in progress stands as `state`."""
    totals = {side: match.totals.get(side, 0) for side in match.sides}
    unit = match.game.unit
    for event in match.hands[-1].events if match.hands else ():
        if event.unit == unit:
            totals[event.side] -= event.points
    for event in (*state.events, *(match.hands[-1].adjustments if match.hands else ())):
        if event.unit == unit:
            totals[event.side] = totals.get(event.side, 0) + event.points
    return totals


def of_illegal(
    referee: Referee, player: str | None, params: Mapping[str, Any], choices: Sequence[Mapping[str, Any]]
) -> tuple[Outcome, ...]:
    """Return the outcomes of a play that may be illegal: misread as each legal tile, taken back, or let stand.

    Args:
        referee: as it is after it reported the play.
        player: who made it.
        params: of the event: where it was laid.
        choices: of the question `misread_or_illegal`, as plain values; none if nothing was asked.
    """
    state, match = referee.state, referee.ledger.match
    found = list[Outcome]()
    for choice in choices:
        key = str(choice["key"])
        if key.startswith("as:") and state is not None:
            totals = _totals_if(match, state, _as_read(state, player, key.removeprefix("as:"), params))
            found.append(Outcome(key, choice["odds"], totals))
    illegal = next((choice["odds"] for choice in choices if choice["key"] == "illegal"), None)
    found.append(Outcome("taken_back", illegal, None if state is None else totals_with(match, state)))
    standing = referee.illegal.standing
    if standing is not None:
        found.append(Outcome("stands", illegal, totals_with(match, standing.state)))
    return tuple(found)


def of_last_move(referee: Referee, choices: Sequence[Mapping[str, Any]]) -> tuple[Outcome, ...]:
    """Return the outcomes of a last tile that may have been taken back."""
    match = referee.ledger.match
    odds = {choice["key"]: choice["odds"] for choice in choices}
    stays = Outcome("hidden", odds.get("hidden"), dict(match.totals))
    try:
        return stays, Outcome("taken", odds.get("taken"), dict(match.undo().totals))
    except DominoError:
        return (stays,)


def of_claim(match: Match, side: str | None, claimed: int, points: int) -> tuple[Outcome, ...]:
    """Return the outcomes of a claim: the totals with what was claimed, and with what is right (as they are)."""
    totals = dict(match.totals)
    if side is None:
        return ()
    claim = {**totals, side: totals.get(side, 0) - points + claimed}
    return Outcome("claimed", None, claim), Outcome("right", None, totals)


def last_called(match: Match) -> int:
    """Return the points that are called with the last move, whoever gets them."""
    try:
        before = match.undo()
    except DominoError:
        return 0
    known = len(before.hands[-1].events) if len(before.hands) == len(match.hands) else 0
    return sum(event.points for event in match.hands[-1].events[known:] if event.reason in CALLED)


def _totals_if(match: Match, state: GameState, moves: Iterator[Move]) -> dict[str, int] | None:
    for move in moves:
        try:
            return totals_with(match, state.apply(move))
        except DominoError:
            continue
    return None


def _as_read(state: GameState, player: str | None, text: str, params: Mapping[str, Any]) -> Iterator[Move]:
    """Yield the moves that a tile may be if it is read otherwise, the likeliest first."""
    tile, who = Tile.parse(text), player or state.to_move or ""
    arms = [arm for arm in Arm if arm.value == params.get("arm")]
    for arm in [*arms, *(arm for arm in Arm if arm not in arms)]:
        yield Play(who, tile, arm)
    yield Reply(who, tile)
    yield Lead(who, tile)
