"""The pool mechanism: a stock that is bought from one end in strict order, with face-up tiles laid at its far end.

Bingo's stock ends with the turned-up tile; Tiu-U's ends with the stacks of three that players laid there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from operator import is_

from domino_rules.tile import Tile


@dataclass(frozen=True, slots=True)
class Stock:
    """Tiles to be bought in order. Iterating gives them all, the next one first.

    Attributes:
        face_down: the tiles that lie face down, the next one first; None for a tile that nobody has seen.
        stacks: the face-up tiles behind them, in the order in which they will be bought.
    """

    face_down: tuple[Tile | None, ...] = ()
    stacks: tuple[tuple[Tile, ...], ...] = ()

    @classmethod
    def with_stacks(cls, tiles: Iterable[Tile | None], stacked: Iterable[Tile]) -> Stock:
        """Return the stock of `tiles`, the next one first, whose far end holds a stack of each tile of `stacked`."""
        left = list(tiles)
        stacks: list[tuple[Tile, ...]] = []
        kinds = set(stacked)
        while left and (tile := left[-1]) is not None and tile in kinds:
            height = sum(1 for _ in takewhile(partial(is_, tile), reversed(left)))
            stacks.insert(0, (tile,) * height)
            del left[-height:]
        return cls(tuple(left), tuple(stacks))

    @property
    def next(self) -> Tile | None:
        """The tile that is bought next, None if it was not seen."""
        return self.face_down[0] if self.face_down else self.stacks[0][0]

    def take(self) -> tuple[Tile | None, Stock]:
        """Return the next tile (None if it was not seen) and the stock without it."""
        if self.face_down:
            return self.face_down[0], Stock(self.face_down[1:], self.stacks)
        first, *others = self.stacks
        rest = (first[1:],) if first[1:] else ()
        return first[0], Stock((), (*rest, *others))

    def buy(self, count: int) -> tuple[tuple[Tile | None, ...], Stock]:
        """Return the next `count` tiles and the stock without them."""
        bought: list[Tile | None] = []
        stock = self
        for _ in range(count):
            tile, stock = stock.take()
            bought.append(tile)
        return tuple(bought), stock

    def stacked(self, tiles: Iterable[Tile]) -> Stock:
        """Return the stock with a new stack at its far end, to be bought last."""
        return Stock(self.face_down, (*self.stacks, tuple(tiles)))

    def laid_on(self, tile: Tile) -> Stock:
        """Return the stock with one more `tile` on the stack of its kind."""
        return Stock(self.face_down, tuple((*s, tile) if s[0] is tile else s for s in self.stacks))

    def height(self, tile: Tile) -> int:
        """Return how many tiles lie in the stack of this kind, 0 if there is none."""
        return next((len(stack) for stack in self.stacks if stack[0] is tile), 0)

    @property
    def kinds(self) -> tuple[Tile, ...]:
        """The kind of each stack, in the order in which they will be bought."""
        return tuple(stack[0] for stack in self.stacks)

    def __iter__(self) -> Iterator[Tile | None]:
        yield from self.face_down
        for stack in self.stacks:
            yield from stack

    def __bool__(self) -> bool:
        return bool(self.face_down or self.stacks)

    def __len__(self) -> int:
        return len(self.face_down) + sum(map(len, self.stacks))


def less(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    """Return `tiles` without one copy of `tile`, which must be among them."""
    at = tiles.index(tile)
    return (*tiles[:at], *tiles[at + 1 :])
