"""What a table of Tiu-U showed since it was explained last: captures, the length of the stock, what was overlooked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Final

from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_server.referee.reader import Path
from domino_server.referee.sight import Kind, Place, SeenTile, Sight

if TYPE_CHECKING:
    from domino_server.referee.tiu_u_search import Fishes

_OFF: Final = 0.3
"""How much less likely a path is with each tile by which the stock is longer or shorter than it is seen."""
_MOST_OFF: Final = 3
"""A stock that is seen shorter or longer by more than this is hardly seen, and tells such paths apart no more."""
_MISSED: Final = 0.1
"""How much less likely a path is with each table in between that it does not lead over."""
_MOST_BETWEEN: Final = 8
_TRUSTED: Final = 2
"""Seen as long as it is so many times in turn, the stock is counted right again."""


@dataclass(frozen=True, slots=True)
class _Look:
    """A table that nothing explained, and when it was seen."""

    at: float
    fishes: Fishes


class Meanwhile:
    """Tables seen since one was explained, whether the stock was counted right until then, and what was overlooked."""

    def __init__(self) -> None:
        """Start with no table, and a stock that is counted right until it is not."""
        self._looks: list[_Look] = []
        self._at = 0.0
        self._explained = False
        self._counted = _TRUSTED
        self._backs: int | None = None
        self._backs_before: int | None = None
        self._overlooked: tuple[Place, ...] = ()
        self._before: tuple[Place, ...] = ()
        self._read = Counter[Place]()
        self._spent = Counter[Place]()
        self._missing: dict[str, Counter[Tile]] = {}
        self._lost: dict[str, Counter[Tile]] = {}
        self._fresh: set[str] = set()
        self._pending: dict[str, Counter[Tile]] = {}

    def look(self, sight: Sight) -> None:
        """Begin with a table that vision stands by: those before one that was explained tell nothing more."""
        if sight.believed and sight.at != self._at:
            if self._explained:
                self._looks, self._backs_before, self._spent = [], self._backs, self._read
            if sight.overlooked[: len(self._overlooked)] != self._overlooked:  # another hand
                self._overlooked, self._read, self._spent, self._missing = (), Counter(), Counter(), {}
            for place in sight.overlooked[len(self._overlooked) :]:
                if place.seat is not None:
                    self._lost[place.seat] = self._missing.get(place.seat, Counter())
                    self._fresh.add(place.seat)
            self._before, self._overlooked = self._overlooked, sight.overlooked
            self._at, self._explained = sight.at, False

    def still_overlooked(self, sight: Sight, state: TiuUState) -> Sight:
        """Return the sight without what was overlooked once and is read by now: nothing more lies there unread.

        Captured tiles that were not found before either are not what was overlooked: they lie there unread besides.
        """
        left, spent = list[Place](), self._spent.copy()
        for place in sight.overlooked:
            if spent[place]:
                spent[place] -= 1
            else:
                left.append(place)
        backs = [
            SeenTile(None, (0.0, 0.0), (0.0, 0.0), Place(Kind.PILE, player))
            for player in state.players
            if Place(Kind.PILE, player) in left
            for _ in (self._lost.get(player, Counter()) & _missing(sight, state, player)).elements()
        ]
        return replace(sight, overlooked=tuple(left), tiles=(*sight.tiles, *backs))

    def counts(self, sight: Sight) -> bool:
        """Return whether it is known how long the stock is: nothing changed there, or it was counted right of late."""
        return sight.is_undisturbed(Kind.STOCK) or self._counted >= _TRUSTED

    def short(self, state: TiuUState, sight: Sight) -> int:
        """Return by how many tiles the stock was seen too short when a table was explained up to a state.

        It is likely to be miscounted by as many now, unless it is known how long it is.
        """
        before = None if self.counts(sight) else self._backs_before
        return 0 if before is None else len(state.stock.face_down) - before

    def explained(self, sight: Sight, paths: Sequence[Path]) -> None:
        """Note what explains a table from the likeliest of the states before it."""
        if not sight.believed or self._explained:
            return
        state = max(paths, key=lambda path: path.weight).state
        right = stock_odds(state, sight.backs(Kind.STOCK)) == 1.0
        self._counted = self._counted + 1 if right else 0
        self._backs = sight.backs(Kind.STOCK)
        self._explained = True
        if isinstance(state, TiuUState):
            self._read = self._spent | self._all_read(sight, state, Counter(self._before))
            self._missing = {player: _missing(sight, state, player) for player in state.players}

    def _all_read(self, sight: Sight, state: TiuUState, overlooked: Counter[Place]) -> Counter[Place]:
        """Return of what was overlooked that which lies in piles whose tiles were all read since, if at several looks.

        Tiles that were not read before anything was overlooked do not count.
        """
        read = Counter[Place]()
        for player in state.players:
            missing = _missing(sight, state, player)
            self._pending[player] = self._pending.get(player, Counter()) & missing
            if player in self._fresh:
                self._pending[player] |= missing - self._lost.get(player, Counter())
                self._fresh.discard(player)
            if not self._pending[player]:
                read[Place(Kind.PILE, player)] = overlooked[Place(Kind.PILE, player)]
        return read

    def unexplained(self, sight: Sight, fishes: Fishes) -> None:
        """Note a table that nothing explains."""
        if sight.believed:
            before = [look for look in self._looks if look.at < sight.at][1 - _MOST_BETWEEN :]
            self._looks = [*before, _Look(sight.at, fishes)]

    def led_over(self, state: TiuUState, path: Path, short: int) -> Path:
        """Return a path of legal moves from a state, less likely for each table since then that it does not lead over.

        Tiles may have been missed there, and `short` ones of the stock.
        """
        looks, states = [look.fishes for look in self._looks if look.at < self._at], [state]
        for record in path.moves if looks else ():
            states.append(states[-1].apply(record.move))
        odds = [max(_shown(seen, at) * stock_odds(at, seen.stock, short) for at in states) for seen in looks]
        return replace(path, weight=path.weight * prod(odds))


def _missing(sight: Sight, state: TiuUState, player: str) -> Counter[Tile]:
    """Return the captured tiles of a player that are not read."""
    return Counter(state.captured[player]) - Counter(sight.faces(Kind.PILE, player))


def stock_odds(state: GameState, stock: int | None, short: int = 0) -> float:
    """Return how likely a stock is seen so long in a state, relative to one seen by `short` tiles too short: then 1."""
    if stock is None or not isinstance(state, TiuUState):
        return 1.0
    return _OFF ** min(abs(len(state.stock.face_down) - stock - short), _MOST_OFF)


def _shown(fishes: Fishes, state: TiuUState) -> float:
    """Return how likely a table is seen so in a state, relative to one that shows nothing that is not there."""
    stacked = Counter(tile for stack in state.stock.stacks for tile in stack)
    more = [fishes.talon - Counter(state.talon), fishes.stacks - stacked]
    more += [fishes.piles[player] - Counter(pile) for player, pile in state.captured.items()]
    return _MISSED if any(more) else 1.0
