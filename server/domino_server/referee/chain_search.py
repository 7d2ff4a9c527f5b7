"""Orders of play that lead from a state to a line as it is seen, with the passes and draws that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from domino_rules.errors import IllegalMoveError
from domino_rules.games.chain import ChainState
from domino_rules.moves import Draw, Pass, Play, Stood
from domino_rules.record import BY_TURN_ALONE
from domino_rules.tile import Tile
from domino_server.referee.chain_held import Lacks
from domino_server.referee.chain_line import Attached, Line, attach, first_play
from domino_server.referee.reader import MOST_PATHS, Path, inferred, seen

_MOST_NODES = 3000
"""A search that would look at more positions is given up."""
_PASSED = 0.2
"""How much less likely it is that a player passed than that he played."""
_LATER_DRAW = 0.3
"""How much less likely it is that the next player drew, unseen on his own, than that the one who played did."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a table tells besides the line.

    Attributes:
        actors: who reached over it, in order; empty if nobody can tell.
        unclear: whether others may have, too.
        draws: how many tiles left the boneyard; None if it is not seen.
        before: how many of these were gone before a tile was laid.
        sizes: how many tiles stand before each player, as far as they are seen.
    """

    actors: tuple[str, ...] = ()
    unclear: bool = False
    draws: int | None = None
    before: int = 0
    sizes: Mapping[str, int] = field(default_factory=dict)

    def may_have_acted(self, player: str | None) -> bool:
        """Return whether a player may have reached over the table."""
        return not self.actors or self.unclear or player in self.actors


@dataclass(slots=True)
class Search:
    """All legal orders in which `new` tiles may have come to lie. `run` fills `paths`; without any, `stuck` says where.

    Attributes:
        line: what is seen.
        evidence: what else is seen.
        came: by index when the tile was seen first, seconds, if only orders that agree with that are looked for.
        paths: what was found.
        stuck: the furthest position from which no tile could be laid, with the tiles that were left.
        overflow: whether there were too many orders to look at.
    """

    line: Line
    evidence: Evidence
    came: Mapping[int, float] | None = None
    paths: list[Path] = field(default_factory=list)
    stuck: tuple[Path, dict[Tile, int], tuple[int, ...]] | None = None
    overflow: bool = False
    _nodes: int = 0

    def run(self, state: ChainState, at: dict[Tile, int], new: tuple[int, ...]) -> None:
        """Look for orders from a state; `at` says where its tiles are seen."""
        self._step(Path((), state), at, new, self.evidence.draws or 0)
        self.paths = _acted(_agreeing(self.paths, self.evidence.sizes), self.evidence.actors)
        if len(self.paths) > MOST_PATHS:
            self.overflow = True
            self.paths = sorted(self.paths, key=lambda path: -path.weight)[:MOST_PATHS]

    def _step(self, path: Path, at: dict[Tile, int], left: tuple[int, ...], draws: int) -> None:
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            self.overflow = True
            return
        state = path.state
        assert isinstance(state, ChainState)  # noqa: S101 - the search is for lines of play
        if not left:
            self._finish(path, state, draws)
            return
        laid = False
        first = None if self.came is None else min(self.came[index] for index in left)
        for index in left:
            if self.came is not None and self.came[index] != first:
                continue
            rest = tuple(i for i in left if i != index)
            for found in self._lay(path, state, at, index, draws):
                laid = True
                drawn = sum(isinstance(record.move, Draw) for record in found.moves[len(path.moves) :])
                self._step(found, {**at, self.line.tile(index): index}, rest, draws - drawn)
        if not laid and (self.stuck is None or len(left) < len(self.stuck[2])):
            self.stuck = (path, at, left)

    def _finish(self, path: Path, state: ChainState, draws: int) -> None:
        """Let the next player draw what is left to draw."""
        moves, weight = list(path.moves), path.weight
        for _ in range(draws):
            move = Draw(state.to_move or "")
            try:
                state = state.apply(move)
            except IllegalMoveError:
                return
            moves.append(seen(move))
        if draws and path.moves:
            weight *= _LATER_DRAW
        self.paths.append(Path(tuple(moves), state, weight))

    def _lay(self, path: Path, state: ChainState, at: dict[Tile, int], index: int, draws: int) -> Iterator[Path]:
        if not state.layout:
            for player in self._openers(state):
                yield from _played(path, state, first_play(player, self.line.seen(index)))
            return
        joined = attach(state.layout, self.line, at, index)
        if joined is None or not joined.is_legal:
            return
        yield from self._by_whom(path, state, self.line.tile(index), joined, draws)

    def _openers(self, state: ChainState) -> tuple[str, ...]:
        openers = state.openers
        acting = tuple(player for player in openers if player in self.evidence.actors)
        return acting or openers

    def _by_whom(self, path: Path, state: ChainState, tile: Tile, joined: Attached, draws: int) -> Iterator[Path]:
        """Yield the plays of the tile by the player to move and, where something speaks for them, by later seats.

        Nobody is taken for the player who could hold the tile only if he passed or drew against the rules, unless
        that goes for all.
        """
        play = Play(state.to_move or "", tile, joined.arm)
        lacks = Lacks.of(state) if may_pass(state, draws) else Lacks(())
        lawful = list(self._by_seats(path, state, play, draws, lacks.excludes))
        yield from lawful or self._by_seats(path, state, play, draws, lacks.passed_on)

    def _by_seats(
        self, path: Path, state: ChainState, play: Play, draws: int, excludes: Callable[[str, Tile], bool]
    ) -> Iterator[Path]:
        sized = len(self.evidence.sizes) == len(state.players)
        for _ in state.players:
            player = state.to_move
            if player is None:
                return
            could = player in self.evidence.actors or not excludes(player, play.tile)
            passed = _passed(path, state, player, draws, "later_seat_moved" if could else "passed_before")
            if could and self.evidence.may_have_acted(player):
                told = sized or player in self.evidence.actors or not may_pass(state, draws)
                yield from self._with_draws(path, state, replace(play, player=player), draws, known=told)
                if not (self.evidence.actors or sized):
                    return
            if passed is None:
                return
            path, state, draws = passed

    def _with_draws(self, path: Path, state: ChainState, play: Play, draws: int, *, known: bool) -> Iterator[Path]:
        """Yield the play after each number of draws that the shrunken boneyard allows, most of them first.

        Args:
            path: what was done before.
            state: where that leads.
            play: the play.
            draws: how many tiles may have been drawn.
            known: whether more than the turn tells that it was this player.
        """
        drawn = [(path, state)]
        for _ in range(draws):
            before, at = drawn[-1]
            move = Draw(play.player)
            try:
                after = at.apply(move)
            except IllegalMoveError:
                break
            drawn.append((Path((*before.moves, seen(move)), after, before.weight), after))
        first = not any(isinstance(record.move, Play | Stood) for record in path.moves)
        least = min(self.evidence.before, draws) if first else 0
        for ready, at in reversed(drawn[least:]):
            yield from _played(ready, at, play, known=known)


def _passed(path: Path, state: ChainState, player: str, draws: int, rule: str) -> tuple[Path, ChainState, int] | None:
    """Return what follows if the player passes, after he has drawn what is left; None if he may not pass."""
    moves, left = list(path.moves), draws
    while left and state.boneyard:
        try:
            state = state.apply(Draw(player))
        except IllegalMoveError:
            break
        moves.append(seen(Draw(player)))
        left -= 1
    try:
        state = state.apply(Pass(player))
    except IllegalMoveError:
        return None
    moves.append(inferred(Pass(player), rule))
    return Path(tuple(moves), state, path.weight * _PASSED), state, left


def may_pass(state: ChainState, draws: int) -> bool:
    """Return whether somebody may have passed unseen: after so many draws nothing is left to draw."""
    return len(state.boneyard) - draws <= int(state.rules.values.get("boneyard_keeps", 0))


def _played(path: Path, state: ChainState, play: Play, *, known: bool = True) -> Iterator[Path]:
    try:
        after = state.apply(play)
    except IllegalMoveError:
        return
    yield Path((*path.moves, seen(play, None if known else BY_TURN_ALONE)), after, path.weight)


def _agreeing(paths: list[Path], sizes: Mapping[str, int]) -> list[Path]:
    """Return the paths whose hands are as large as the hands that are seen, or all if none agrees."""
    if not sizes:
        return paths
    off = [sum(path.state.hands[seat].size != size for seat, size in sizes.items()) for path in paths]
    best = min(off, default=0)
    return [path for path, wrong in zip(paths, off, strict=True) if wrong == best]


def _acted(paths: list[Path], actors: tuple[str, ...]) -> list[Path]:
    """Return the paths in which the players acted in the order that was seen, or all if there are none.

    If fewer hands were seen than tiles came, the order only has to hold the one that was seen.
    """
    wanted = _without_repeats(actors)
    made = [_without_repeats(r.move.player for r in path.moves if not isinstance(r.move, Pass)) for path in paths]
    laid = max((sum(isinstance(r.move, Play) for r in path.moves) for path in paths), default=0)
    exact = [path for path, order in zip(paths, made, strict=True) if order == wanted]
    if exact and len(wanted) >= laid:
        return exact
    return [path for path, order in zip(paths, made, strict=True) if _holds(order, wanted)] or paths


def _holds(order: list[str], wanted: list[str]) -> bool:
    names = iter(order)
    return all(name in names for name in wanted)


def _without_repeats(names: Iterable[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        if not found or found[-1] != name:
            found.append(name)
    return found
