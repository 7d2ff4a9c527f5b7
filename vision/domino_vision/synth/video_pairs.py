"""Writers of the games whose tiles lie in parts of the table: tricks and piles, talon and stock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from domino_vision.synth.board import Piece
from domino_vision.synth.layouts import Values
from domino_vision.synth.paint import F64
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_script import Moving, Placing
from domino_vision.synth.video_table import TableWriter
from domino_vision.synth.video_writer import NONE, Mishaps, xy

_STACK: Final = 3


class TrickWriter(TableWriter):
    """Writes a game of tricks between two, with a stock and a tile turned up."""

    def __init__(
        self, rng: np.random.Generator, stage: Stage, trump: Values, stock: int, mishaps: Mishaps = NONE
    ) -> None:
        """Begin with the stock and the tile turned up.

        Args:
            rng: source of randomness.
            stage: camera and look of the tiles.
            trump: halves of the tile turned up.
            stock: face-down tiles beside it.
            mishaps: chances of bumps, light changes, hands that rest.
        """
        super().__init__(rng, stage, "bingo", 2, mishaps)
        self._stock = [self.key() for _ in range(stock)]
        self._row = self.spots["stock"].slots(self.length, gap=0.12)
        for key, at in zip(self._stock, self._row, strict=False):
            self.start(key, self.down(at))
        self._trump = self.key()
        spot = self.spots["trump"]
        self._trump_at = (spot.low + spot.high) / 2
        self.start(self._trump, self.up(self._trump_at, trump))
        self._trick: list[str] = []
        self._piles: tuple[list[str], list[str]] = ([], [])

    def lay(self, seat: int, tile: Values, **move: Any) -> str:
        """Let a player lead or reply; return the key of his tile."""
        spot, key = self.spots["trick"], self.key()
        side = xy((self.length / 2 + 0.3) * (1 if self._trick else -1), 0.0)
        placing = Placing(key, self.up((spot.low + spot.high) / 2 + side, tile, messy=0.1), self.side(seat))
        self._trick.append(key)
        self.act(placing, role="play", seat=seat, tile=tile, **move)
        return key

    def take_back(self, key: str, seat: int, **move: Any) -> None:
        """Let a player take back the tile that he laid."""
        self._trick.remove(key)
        self.take((key,), seat, role="take_back", **move)

    def carry(self, seat: int, **move: Any) -> tuple[str, ...]:
        """Let a player carry the trick off, face down, to his pile; return the keys of its tiles."""
        keys, self._trick = tuple(self._trick), []
        self._to_pile(keys, seat, self.side(seat), role="carry", **move)
        return keys

    def give_back(self, keys: Sequence[str], seat: int, taker: int, **move: Any) -> None:
        """Move a trick that was carried off to the pile of the one who took it."""
        for key in keys:
            self._piles[seat].remove(key)
        self._to_pile(keys, taker, self.side(seat), role="give_back", **move)

    def draw(self, seat: int, **move: Any) -> None:
        """Let a player draw from the stock, or the tile turned up."""
        key = self._stock.pop() if self._stock else self._trump
        if key in self.state.pieces:
            self.take((key,), seat, role="draw", **move)

    def put_back(self, seat: int, **move: Any) -> None:
        """Let a player put back the tile that he drew last from the stock."""
        key, at = self.key(), self._row[len(self._stock)]
        self._stock.append(key)
        self.act(Placing(key, self.down(at), self.side(seat)), role="put_back", seat=seat, **move)

    def close(self, seat: int, **move: Any) -> None:
        """Let a player turn the trump tile face down."""
        to = ((self._trump, self.down(self._trump_at)),)
        self.act(Moving(to, self.side(seat)), role="close", seat=seat, **move)

    def _to_pile(self, keys: Sequence[str], seat: int, side: int, **move: Any) -> None:
        slots = self.spots[f"pile-{seat}"].slots(self.length, gap=0.12)
        to = []
        for key in keys:
            self._piles[seat].append(key)
            at = slots[(len(self._piles[seat]) - 1) % len(slots)]
            to.append((key, self.down(at)))
        self.act(Moving(tuple(to), side), seat=seat, **move)


class CatchWriter(TableWriter):
    """Writes a game of captures: a talon, a stock that is bought from its right end, open piles."""

    def __init__(
        self,
        rng: np.random.Generator,
        stage: Stage,
        talon: Sequence[Values],
        stock: int,
        opening: Sequence[Sequence[Values]],
        mishaps: Mishaps = NONE,
    ) -> None:
        """Begin with the talon, the stock, and what lies before each player from the start.

        Args:
            rng: source of randomness.
            stage: camera and look of the tiles.
            talon: halves of the tiles that lie open.
            stock: face-down tiles.
            opening: by seat, tiles in his pile.
            mishaps: chances of bumps, light changes, hands that rest.
        """
        super().__init__(rng, stage, "tiu-u", len(opening), mishaps)
        self._slots = self.spots["talon"].slots(self.length, gap=0.3)
        self._talon: dict[int, tuple[str, Values]] = {}
        for tile in talon:
            self.start(*self._on_talon(tile))
        self._row = self.spots["stock"].slots(self.length, gap=0.06)
        self._stock = [self.key() for _ in range(stock)]
        places = self._row[-stock:] if len(self._row) >= stock else self._row
        for key, at in zip(self._stock, places, strict=False):
            self.start(key, self.down(at))
        self._stacks: list[tuple[str, Values]] = []
        self._left = 0
        self._piles: list[dict[str, Values]] = [{} for _ in opening]
        for seat, tiles in enumerate(opening):
            for tile in tiles:
                self.start(*self._in_pile(seat, self.key(), tile))

    @property
    def room(self) -> bool:
        """Whether three more tiles find room at the left end of the stock, beside what is left of it."""
        return len(self._row) - len(self._stock) >= self._left + _STACK

    def capture(self, seat: int, tile: Values, take: Values, **move: Any) -> tuple[str, str]:
        """Let a player lay a tile of his hand and one of the talon before him; return their keys."""
        taken = self._off_talon(take)
        laid = self._in_pile(seat, self.key(), tile)
        to = (laid, self._in_pile(seat, taken, take))
        self.act(Moving(to, self.side(seat)), role="capture", seat=seat, tile=tile, take=take, **move)
        return laid[0], taken

    def put_back(self, seat: int, keys: tuple[str, str], take: Values, **move: Any) -> None:
        """Let a player put a talon tile back that he had taken, and take up his own."""
        laid, taken = keys
        del self._piles[seat][laid], self._piles[seat][taken]
        back = self._on_talon(take, taken)
        self.act(Moving((back,), self.side(seat), (laid,)), role="put_back", seat=seat, **move)

    def turn(self, seat: int, tile: Values, take: Values | None, **move: Any) -> str:
        """Let a player turn the next tile of the stock, onto the talon or with its mate to his pile; return its key."""
        key = self._stock.pop() if self._stock else self._stacks.pop(0)[0]
        if take is None:
            to: tuple[tuple[str, Piece], ...] = (self._on_talon(tile, key),)
        else:
            to = (self._in_pile(seat, key, tile), self._in_pile(seat, self._off_talon(take), take))
        self.act(Moving(to, self.side(seat)), role="turn", seat=seat, tile=tile, take=take, **move)
        return key

    def collect(self, seat: int, tile: Values, take: Values, **move: Any) -> None:
        """Let a player take a pair off the talon that he had left lying."""
        to = tuple(self._in_pile(seat, self._off_talon(one), one) for one in (tile, take))
        self.act(Moving(to, self.side(seat)), role="collect", seat=seat, **move)

    def stack(self, seat: int, tile: Values, buys: int, *, third: bool, **move: Any) -> None:
        """Let a player triple (with two of the talon) or quadruple, and buy new tiles from the right."""
        keys = [*([self._off_talon(tile), self._off_talon(tile)] if third else []), self.key()]
        to = []
        for key in keys:
            to.append((key, self.up(self._row[self._left], tile, messy=0.02)))
            self._stacks.append((key, tile))
            self._left += 1
        bought = [self._stock.pop() if self._stock else self._stacks.pop(0)[0] for _ in range(buys)]
        act = Moving(tuple(to), self.side(seat), tuple(bought))
        self.act(act, role="triple" if third else "quadruple", seat=seat, tile=tile, **move)

    def _on_talon(self, tile: Values, key: str | None = None) -> tuple[str, Piece]:
        slot = min(set(range(len(self._slots))) - set(self._talon), default=0)
        name = key or self.key()
        self._talon[slot] = (name, tile)
        return name, self.up(self._slots[slot], tile)

    def _off_talon(self, tile: Values) -> str:
        slot = next(slot for slot, (_, other) in self._talon.items() if sorted(other) == sorted(tile))
        return self._talon.pop(slot)[0]

    def _in_pile(self, seat: int, key: str, tile: Values) -> tuple[str, Piece]:
        spot, upright = self.spots[f"pile-{seat}"], self.side(seat) in {0, 2}
        slots: list[F64] = spot.slots(self.length, lying=not upright, gap=0.08)
        at = slots[len(self._piles[seat]) % len(slots)]
        self._piles[seat][key] = tile
        return key, self.up(at, tile, np.pi / 2 if upright else 0.0, messy=0.02)
