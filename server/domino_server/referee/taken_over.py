"""A line that nobody saw being laid is taken over as it lies, once a person says who plays next.

Whoever sets a camera up while a hand is under way, or comes back to a table at which was played on, finds more tiles
than can be put in order. What matters from then on is what lies there, whose turn it is and how many tiles each player
holds. So any lawful order stands for the one that was played, every move of it inferred; what it would have scored
does not count. Who passed or drew meanwhile nobody can know: hands count as if all had played in turn, and as many
tiles as are gone from the boneyard were drawn evenly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from domino_rules.errors import IllegalMoveError
from domino_rules.games.chain import ChainState
from domino_rules.moves import Draw, Move, Pass, Play
from domino_rules.record import GUESSED_ORDER, Source
from domino_rules.tile import Tile
from domino_server.referee.branches import best, marked
from domino_server.referee.chain_line import Line, attach, first_play
from domino_server.referee.events import Choice, Event, Question
from domino_server.referee.reader import Path, inferred

if TYPE_CHECKING:
    from domino_server.referee.core import Referee

NEXT_PLAYER: Final = "next_player"
"""Code of the question who plays next."""
TAKEN_OVER: Final = "taken_over"
"""The rule of the moves that stand for those that nobody saw, and the note of the points that these do not count."""


def orders(
    state: ChainState, line: Line, at: Mapping[Tile, int], new: tuple[int, ...], gone: int
) -> Mapping[str, Path]:
    """Return a lawful order in which tiles may have come to lie, for each player who may be to move after it.

    Args:
        state: the hand as it was seen last.
        line: what is seen.
        at: by tile of the game, the index where it is seen.
        new: indices of the tiles that nobody saw coming.
        gone: how many tiles have left the boneyard since.
    """
    found: dict[str, Path] = {}
    if state.layout:
        starts = [_passed(Path((), state), count) for count in range(len(state.players))]
        ways = [_laid(path, line, dict(at), new, gone) for path in starts if path is not None]
    else:
        ways = [way for first in _firsts(line, new) for way in _begun(state, line, first, new, gone)]
    for way in ways:
        if way is not None and way.state.result is None and way.state.to_move is not None:
            found.setdefault(way.state.to_move, way)
    return MappingProxyType({player: found[player] for player in state.players if player in found})


def asked(by_player: Mapping[str, Path], tiles: tuple[Tile, ...]) -> Question | None:
    """Return the question who plays next; None if no lawful order leads to what lies there."""
    choices = tuple(Choice(player, player) for player in by_player)
    return Question(NEXT_PLAYER, choices, tiles) if choices else None


def take_over(referee: Referee, path: Path) -> list[Event]:
    """Commit an order for the one that nobody saw, and take back what it scores.

    Raises:
        IllegalMoveError: if what it scores would end the match; nothing is changed.
    """
    out: list[Event] = []
    before = dict(referee.ledger.match.totals)
    branch = best(referee.branches)
    if len(referee.branches) > 1:
        branch = marked(branch, Source.INFERRED, GUESSED_ORDER)
    referee.commit((*branch.moves, *path.moves), out)
    for side, total in referee.ledger.match.totals.items():
        if points := total - before.get(side, 0):
            out += referee.ledger.adjust(side, -points, TAKEN_OVER)
    referee.reset_branches()
    return out


def forget(referee: Referee) -> list[Event]:
    """Give and take what was taken back in this hand: its moves are no longer made."""
    out: list[Event] = []
    hands = referee.ledger.record.hands
    taken: Counter[str] = Counter()
    for adjusted in hands[-1].adjustments if hands else ():
        taken[adjusted.side] += adjusted.points if adjusted.comment == TAKEN_OVER else 0
    for side, points in taken.items():
        out += referee.ledger.adjust(side, -points, TAKEN_OVER) if points else []
    return out


def _firsts(line: Line, new: tuple[int, ...]) -> list[int]:
    """Return which may have been the first tile, likeliest ahead: one with arms, the highest double, a middle one."""

    def likely(index: int) -> tuple[int, int, int, int]:
        tile = line.tile(index)
        far = max(_steps(line, index).values())
        return -(len(line.links[index]) > 2), -tile.is_double, -tile.pips * tile.is_double, far

    return sorted(new, key=likely)


def _begun(state: ChainState, line: Line, first: int, new: tuple[int, ...], gone: int) -> list[Path | None]:
    """Return the orders that begin with a tile, by whoever may have laid it."""
    left, found = tuple(i for i in new if i != first), list[Path | None]()
    for player in state.openers:
        path = _with(Path((), state), first_play(player, line.seen(first)))
        found.append(None if path is None else _laid(path, line, {line.tile(first): first}, left, gone))
    return found


def _laid(path: Path, line: Line, at: dict[Tile, int], left: tuple[int, ...], gone: int) -> Path | None:
    """Return the path after tiles were laid outwards from those that lie already, with the draws they need."""
    away = _steps(line, *at.values())
    rest = sorted(left, key=lambda index: away.get(index, len(line.links)))
    while rest:
        if path.state.to_move is None:  # such an order would have ended the hand, by its points perhaps
            return None
        path, gone = _drawn(path, gone, len(rest))
        laid = next((way for index in rest if (way := _joined(path, line, at, index)) is not None), None)
        if laid is None:
            return None
        path, index = laid
        at[line.tile(index)] = index
        rest.remove(index)
    return path


def _joined(path: Path, line: Line, at: dict[Tile, int], index: int) -> tuple[Path, int] | None:
    state = path.state
    assert isinstance(state, ChainState)  # noqa: S101 - lines of play only
    joined = attach(state.layout, line, at, index)
    if joined is None or not joined.is_legal:
        return None
    after = _with(path, Play(state.to_move or "", line.tile(index), joined.arm))
    return None if after is None else (after, index)


def _drawn(path: Path, gone: int, plays: int) -> tuple[Path, int]:
    """Return the path after the draws before a play: an even share of those that are gone, and one for a last tile."""
    state = path.state
    assert isinstance(state, ChainState)  # noqa: S101 - lines of play only
    last = bool(state.boneyard) and state.hands[state.to_move or ""].size == 1
    for _ in range(max(-(-gone // plays), int(last))):
        after = _with(path, Draw(path.state.to_move or ""))
        if after is None:
            break
        path, gone = after, max(0, gone - 1)
    return path, gone


def _passed(path: Path, count: int) -> Path | None:
    """Return the path after so many passes; None if the rules allow none."""
    for _ in range(count):
        after = _with(path, Pass(path.state.to_move or ""))
        if after is None or after.state.result is not None:
            return None
        path = after
    return path


def _with(path: Path, move: Move) -> Path | None:
    try:
        state = path.state.apply(move)
    except IllegalMoveError:
        return None
    return Path((*path.moves, inferred(move, TAKEN_OVER)), state)


def _steps(line: Line, *starts: int) -> dict[int, int]:
    """Return how many joins tiles are away from the nearest of `starts`."""
    found = dict.fromkeys(starts, 0)
    ahead = list(starts)
    while ahead:
        index = ahead.pop(0)
        fresh = [other for other in line.links.get(index, ()) if other not in found]
        found |= dict.fromkeys(fresh, found[index] + 1)
        ahead += fresh
    return found
