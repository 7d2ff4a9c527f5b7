"""Tiles and tile sets. Knows no game and no layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import total_ordering
from types import MappingProxyType
from typing import Any, Final, NoReturn

from domino_rules.errors import ParseError, SetupError

MAX_PIPS: Final = 18
"""The most pips on a half that any set on the market has (double-eighteen)."""

_TILE = re.compile(r"\s*(\d{1,2})\s*[-:|/]\s*(\d{1,2})\s*", re.ASCII)
_INTERNED: dict[tuple[int, int], Tile] = {}


@total_ordering
class Tile:
    """An unordered pair of pip counts, such as 6-4. Equal tiles are the same object.

    Example:
        >>> Tile(4, 6) is Tile.parse("6-4")
        True
        >>> Tile(6, 4).other(6), Tile(6, 4).pips, str(Tile(4, 6))
        (4, 10, '6-4')

    Raises:
        ParseError: `tile_pips` if a half is not an int from 0 to 18.
    """

    __slots__ = ("bit", "high", "is_double", "low", "pips")
    high: int
    low: int
    pips: int
    is_double: bool
    bit: int
    """A power of two of its own for each tile, so that a set of different tiles fits into one int."""

    def __new__(cls, a: int, b: int) -> Tile:  # noqa: PYI034 - the interned tile, no instance of a subclass
        """Return the one tile with halves `a` and `b`, in either order."""
        if type(a) is int and type(b) is int and (a, b) in _INTERNED:
            return _INTERNED[a, b]
        return _intern(cls, a, b)

    @classmethod
    def of(cls, a: int, b: int) -> Tile:
        """Return the tile with halves `a` and `b`, in either order."""
        return cls(a, b)

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Return the tile written `6-4` (also `6:4`, `6|4`, `6/4`), in either order.

        Raises:
            ParseError: `tile_syntax` if the text is no pair of numbers, `tile_pips` if a number is over 18.
        """
        match = _TILE.fullmatch(text)
        if match is None:
            raise ParseError("tile_syntax", f"not a tile: {text!r} (write it like 6-4)", text=text)
        return cls(int(match[1]), int(match[2]))

    @property
    def halves(self) -> tuple[int, int]:
        """The pips of both halves, the higher first."""
        return (self.high, self.low)

    def other(self, pips: int) -> int:
        """Return the pips of the half that is not `pips` (the same number for a double).

        Raises:
            ParseError: `half_not_on_tile` if no half shows `pips`.
        """
        if pips == self.high:
            return self.low
        if pips == self.low:
            return self.high
        raise ParseError("half_not_on_tile", f"tile {self} has no half with {pips} pips", tile=str(self), pips=pips)

    def __contains__(self, pips: object) -> bool:
        return pips == self.high or pips == self.low  # noqa: PLR1714 - twice as fast, on the path of every legal move

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Tile):
            return NotImplemented
        return self.halves < other.halves

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"

    def __repr__(self) -> str:
        return f"Tile({self.high}, {self.low})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Tile, (self.high, self.low))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a tile does not change: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a tile does not change: {name}")


def _intern(cls: type[Tile], a: int, b: int) -> Tile:
    for half in (a, b):
        if type(half) is not int or not 0 <= half <= MAX_PIPS:
            raise ParseError("tile_pips", f"a half has 0 to {MAX_PIPS} pips, not {half!r}", pips=repr(half))
    high, low = (a, b) if a >= b else (b, a)
    tile = object.__new__(cls)
    values = {
        "high": high,
        "low": low,
        "pips": high + low,
        "is_double": high == low,
        "bit": 1 << (high * (high + 1) // 2 + low),
    }
    for name, value in values.items():
        object.__setattr__(tile, name, value)
    tile = _INTERNED.setdefault((high, low), tile)
    _INTERNED[low, high] = tile
    return tile


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Return the tiles of a list such as `6-4,5-5` (commas or spaces).

    Raises:
        ParseError: as `Tile.parse`.
    """
    return tuple(Tile.parse(part) for part in re.split(r"[,\s]+", text.strip()) if part)


@dataclass(frozen=True, slots=True)
class TileSet:
    """A named set of tiles with the number of copies of each.

    Example:
        >>> len(DOUBLE_SIX), DOUBLE_SIX.pips, DOUBLE_SIX.copies(Tile(6, 6)), Tile(7, 0) in DOUBLE_SIX
        (28, 168, 1, False)
    """

    name: str
    multiplicity: Mapping[Tile, int] = field(repr=False)

    def copies(self, tile: Tile) -> int:
        """Return how often the tile occurs in the set, 0 if it does not belong to it."""
        return self.multiplicity.get(tile, 0)

    @property
    def pips(self) -> int:
        """The pips of all tiles together."""
        return sum(tile.pips * n for tile, n in self.multiplicity.items())

    @property
    def max_half(self) -> int:
        """The most pips on one half."""
        return max(tile.high for tile in self.multiplicity)

    @property
    def kinds(self) -> tuple[Tile, ...]:
        """The different tiles, ascending."""
        return tuple(sorted(self.multiplicity))

    def surplus(self, tiles: Iterable[Tile]) -> tuple[Tile, ...]:
        """Return the tiles that are there more often than the set has them, ascending, each once."""
        seen: dict[Tile, int] = {}
        for tile in tiles:
            seen[tile] = seen.get(tile, 0) + 1
        return tuple(sorted(tile for tile, n in seen.items() if n > self.copies(tile)))

    def without(self, tiles: Iterable[Tile]) -> tuple[Tile, ...]:
        """Return what remains of the set once `tiles` are taken out, ascending; surplus tiles are ignored."""
        left = dict(self.multiplicity)
        for tile in tiles:
            if left.get(tile, 0):
                left[tile] -= 1
        return tuple(tile for tile in sorted(left) for _ in range(left[tile]))

    def __iter__(self) -> Iterator[Tile]:
        for tile in self.kinds:
            for _ in range(self.multiplicity[tile]):
                yield tile

    def __len__(self) -> int:
        return sum(self.multiplicity.values())

    def __contains__(self, tile: object) -> bool:
        return tile in self.multiplicity

    def __hash__(self) -> int:
        return hash(self.name)


def _full(name: str, most: int) -> TileSet:
    tiles = {Tile(a, b): 1 for a in range(most + 1) for b in range(a + 1)}
    return TileSet(name, MappingProxyType(tiles))


CHINESE_CIVIL: Final = parse_tiles("6-6 1-1 4-4 3-1 5-5 3-3 2-2 6-5 6-4 6-1 5-1")
"""The 11 civil patterns, twice in a Chinese set. Source: RULES 2.1 (Culin; gamecabinet; h2g2)."""
CHINESE_MILITARY: Final = parse_tiles("6-3 5-4 6-2 5-3 5-2 4-3 4-2 4-1 3-2 2-1")
"""The 10 military patterns, once in a Chinese set. Source: RULES 2.1."""

DOUBLE_SIX: Final = _full("double-six", 6)
DOUBLE_NINE: Final = _full("double-nine", 9)
DOUBLE_TWELVE: Final = _full("double-twelve", 12)
CHINESE: Final = TileSet(
    "chinese", MappingProxyType({**dict.fromkeys(CHINESE_CIVIL, 2), **dict.fromkeys(CHINESE_MILITARY, 1)})
)
TILE_SETS: Final = (DOUBLE_SIX, DOUBLE_NINE, DOUBLE_TWELVE, CHINESE)


def doubled(tile_set: TileSet, times: int) -> TileSet:
    """Return a set of which several copies are mixed."""
    if times == 1:
        return tile_set
    copies = {tile: times * tile_set.copies(tile) for tile in tile_set.kinds}
    return TileSet(f"{tile_set.name} x{times}", MappingProxyType(copies))


def single_set(tile_set: TileSet) -> TileSet:
    """Return the set that `find_tile_set` knows with the same tiles, where several are shuffled together one of them.

    Example:
        >>> single_set(TileSet("two", {tile: 2 * CHINESE.copies(tile) for tile in CHINESE.kinds})).name
        'chinese'
    """
    return next((each for each in TILE_SETS if each.kinds == tile_set.kinds), tile_set)


def find_tile_set(name: str) -> TileSet:
    """Return the set called `name` (double-six, double-nine, double-twelve, chinese).

    Raises:
        SetupError: `unknown_set`, with the known names.
    """
    for tile_set in TILE_SETS:
        if tile_set.name == name.strip().lower():
            return tile_set
    known = ", ".join(tile_set.name for tile_set in TILE_SETS)
    raise SetupError("unknown_set", f"unknown set {name!r}; known: {known}", name=name, known=known)
