"""What a table of Tiu-U showed since it was explained last: captures, the length of the stock, what was overlooked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Final

from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.state import GameState
from domino_server.referee.reader import Path
from domino_server.referee.sight import Kind, Place, Sight

if TYPE_CHECKING:
    from domino_server.referee.tiu_u import Fishes

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

    def look(self, sight: Sight) -> None:
        """Begin with a table that vision stands by: those before one that was explained tell nothing more."""
        if sight.believed and sight.at != self._at:
            if self._explained:
                self._looks, self._backs_before, self._spent = [], self._backs, self._read
            if sight.overlooked[: len(self._overlooked)] != self._overlooked:  # another hand
                self._overlooked, self._read, self._spent = (), Counter(), Counter()
            self._before, self._overlooked = self._overlooked, sight.overlooked
            self._at, self._explained = sight.at, False

    def still_overlooked(self, sight: Sight) -> Sight:
        """Return the sight without what was overlooked once and is read by now: nothing more lies there unread."""
        left, spent = list[Place](), self._spent.copy()
        for place in sight.overlooked:
            if spent[place]:
                spent[place] -= 1
            else:
                left.append(place)
        return replace(sight, overlooked=tuple(left))

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
            self._read = self._spent | _all_read(sight, state, Counter(self._before))

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


def _all_read(sight: Sight, state: TiuUState, overlooked: Counter[Place]) -> Counter[Place]:
    """Return of what was overlooked that which lies in piles all of whose captured tiles are read."""
    read = Counter[Place]()
    for player, pile in state.captured.items():
        if not Counter(pile) - Counter(sight.faces(Kind.PILE, player)) and not sight.backs(Kind.PILE, player):
            read[Place(Kind.PILE, player)] = overlooked[Place(Kind.PILE, player)]
    return read


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
