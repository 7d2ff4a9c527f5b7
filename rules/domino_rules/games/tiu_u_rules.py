"""Tiu-U's rules of tiles: the two mixed Chinese sets, what pairs with what, what a caught tile counts. Knows no state.

Source: RULES 2.1; seed 001.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from domino_rules.ruleset import RuleSet
from domino_rules.score import Addend
from domino_rules.tile import CHINESE, Tile, TileSet

TWO_CHINESE: Final = TileSet(
    "two-chinese", MappingProxyType({tile: 2 * copies for tile, copies in CHINESE.multiplicity.items()})
)
"""Both sets mixed: 64 tiles, the civil patterns four times, the military ones twice. Source: seed 001 l.5."""
OPENING_TILE: Final = Tile(6, 6)
"""Pairs of it are laid down before play. Source: seed 001 l.22."""
SUPREME: Final = frozenset({Tile(4, 2), Tile(2, 1)})
"""The supreme pair. Source: seed 001 l.15."""
BIG_FISH_FROM: Final = 8
"""The pips from which a tile is a big fish. Source: seed 001 l.34."""
RED: Final = frozenset({1, 4})
"""The halves whose pips are red. Source: RULES 2.1 (Culin, gamecabinet, h2g2)."""


def pairs(a: Tile, b: Tile, rules: RuleSet) -> bool:
    """Return whether two tiles make a pair: equal pips; 4-2 and 2-1 with each other. Source: l.12-15; T1.

    With `supreme=also` those two keep their ordinary mates beside each other.
    """
    return b in _mates_of(rules["supreme"])[a]


def mates(tile: Tile, tiles: Iterable[Tile], rules: RuleSet) -> tuple[Tile, ...]:
    """Return the different tiles among `tiles` that pair with `tile`, in their order."""
    wanted = _mates_of(rules["supreme"])[tile]
    return tuple(dict.fromkeys([other for other in tiles if other in wanted]))


@cache
def _mates_of(supreme: str) -> Mapping[Tile, frozenset[Tile]]:
    kinds = TWO_CHINESE.kinds
    return {tile: frozenset(other for other in kinds if _make_pair(tile, other, supreme)) for tile in kinds}


def _make_pair(a: Tile, b: Tile, supreme: str) -> bool:
    if a is not b and a in SUPREME and b in SUPREME:
        return True
    if supreme == "exclusive" and (a in SUPREME or b in SUPREME):
        return False
    return a.pips == b.pips


def red_pips(tile: Tile) -> int:
    """Return how many red pips the tile has: every one and every four is red."""
    return sum(half for half in tile.halves if half in RED)


def is_big_fish(tile: Tile) -> bool:
    """Return whether the tile is a big fish (8 pips or more)."""
    return tile.pips >= BIG_FISH_FROM


def tile_score(tile: Tile) -> int:
    """Return what a caught tile counts: 2 a pip of a big fish, 1 a red pip of a small one. Source: l.33-36."""
    return 2 * tile.pips if is_big_fish(tile) else red_pips(tile)


def tile_addend(tile: Tile) -> Addend:
    """Return what a caught tile counts, as evidence."""
    return Addend("big_fish" if is_big_fish(tile) else "small_fish", tile_score(tile), tile=tile)
