"""Orders of play that are all still possible, and the question that tells them apart when it matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from domino_rules.games.chain import ChainState
from domino_rules.layout import Arm
from domino_rules.moves import Play
from domino_rules.notation import format_move
from domino_rules.record import MoveRecord, Source
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_server.referee.events import Choice, Question
from domino_server.referee.reader import Path
from domino_server.referee.sight import Point, Sight

_SHOWN: Final = 3
"""So many moves of an order are shown in a question."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One way in which the hand may have gone on since the last move that is committed.

    Attributes:
        moves: what was done.
        state: where that leads.
        weight: how likely it is, relative to the others.
    """

    moves: tuple[MoveRecord, ...]
    state: GameState
    weight: float = 1.0


def grown(branch: Branch, path: Path) -> Branch:
    """Return the branch with what was done since."""
    return Branch((*branch.moves, *path.moves), path.state, branch.weight * path.weight)


def matters(state: GameState) -> tuple[Any, ...]:
    """Return what a person cares about: scores, whose turn it is, how the hand ended."""
    points: dict[tuple[str, str], int] = {}
    for event in state.events:
        points[event.side, event.unit] = points.get((event.side, event.unit), 0) + event.points
    result = state.result
    ended = None if result is None else (result.kind, result.side, result.player)
    return tuple(sorted(points.items())), state.to_move, ended


def common(branches: Sequence[Branch]) -> tuple[MoveRecord, ...]:
    """Return the moves that all branches begin with."""
    first = branches[0].moves
    for at, record in enumerate(first):
        if any(len(b.moves) <= at or b.moves[at].move != record.move for b in branches[1:]):
            return first[:at]
    return first


def best(branches: Sequence[Branch]) -> Branch:
    """Return the likeliest branch."""
    return max(branches, key=lambda branch: branch.weight)


def lying(branches: Sequence[Branch]) -> ChainState | None:
    """Return a hand with the line of play as it lies, if all branches agree on that, whoever laid it; else None."""
    states = [branch.state for branch in branches if isinstance(branch.state, ChainState)]
    same = len({frozenset(map(str, state.layout)) for state in states}) == 1
    return states[0] if same and len(states) == len(branches) else None


def marked(branch: Branch, source: Source, rule: str | None) -> Branch:
    """Return the branch whose seen moves are marked as known otherwise."""
    moves = tuple(replace(m, source=source, rule=rule) if m.source is Source.SEEN else m for m in branch.moves)
    return replace(branch, moves=moves)


def question_of(branches: Sequence[Branch], sight: Sight | None) -> tuple[Question, dict[str, list[Branch]]] | None:
    """Return the question that tells branches apart, and the branches behind each answer; None if it changes nothing.

    Args:
        branches: more than one.
        sight: for the crops of the tiles in question.
    """
    if len({matters(branch.state) for branch in branches}) < 2:
        return None
    code, groups = _grouped(branches)
    if len(groups) < 2:
        return None
    total = sum(branch.weight for branch in branches)
    choices = []
    for key, members in groups.items():
        top = best(members)
        odds = sum(branch.weight for branch in members) / total
        text = key if code != "order" else _text(top, len(common(branches)))
        choices.append(Choice(key, text, round(odds, 3), _changes(top.state)))
    tiles = _tiles(branches)
    crops = () if sight is None else _crops(sight, tiles)
    return Question(code, tuple(choices), tiles, crops), groups


def _grouped(branches: Sequence[Branch]) -> tuple[str, dict[str, list[Branch]]]:
    at = len(common(branches))
    firsts = [branch.moves[at].move if at < len(branch.moves) else None for branch in branches]
    leads = [move for move in firsts if isinstance(move, Play) and move.arm is Arm.START]
    if len(leads) == len(firsts) and len({move.player for move in leads}) > 1:
        return "opener", _by(branches, [move.player for move in leads])
    laid = [frozenset(str(t) for t in _laid(branch)) for branch in branches]
    everywhere = frozenset.intersection(*laid)
    if len(set(laid)) > 1:
        return "which_tile", _by(branches, [" ".join(sorted(tiles - everywhere)) for tiles in laid])
    keys = [matters(branch.state) for branch in branches]
    order = list(dict.fromkeys(keys))
    return "order", _by(branches, [str(order.index(key) + 1) for key in keys])


def _by(branches: Sequence[Branch], keys: Sequence[str]) -> dict[str, list[Branch]]:
    groups: dict[str, list[Branch]] = {}
    for branch, key in zip(branches, keys, strict=True):
        groups.setdefault(key, []).append(branch)
    return groups


def _laid(branch: Branch) -> list[Tile]:
    found = [getattr(record.move, "tile", None) for record in branch.moves]
    return [tile for tile in found if tile is not None]


def _tiles(branches: Sequence[Branch]) -> tuple[Tile, ...]:
    start = len(common(branches))
    found = [tile for b in branches for tile in _laid(replace(b, moves=b.moves[start : start + _SHOWN]))]
    return tuple(dict.fromkeys(found))


def _text(branch: Branch, start: int) -> str:
    """Return the moves in which a branch differs, as far as they are needed to know it."""
    return ", ".join(format_move(record.move) for record in branch.moves[start : start + _SHOWN])


def _changes(state: GameState) -> dict[str, Any]:
    points: dict[str, int] = {}
    for event in state.events:
        points[event.side] = points.get(event.side, 0) + event.points
    return {"points": points, "to_move": state.to_move}


def _crops(sight: Sight, tiles: Sequence[Tile]) -> tuple[tuple[Point, ...], ...]:
    return tuple(seen.quad_px for seen in sight.tiles if seen.tile in tiles and seen.quad_px)
