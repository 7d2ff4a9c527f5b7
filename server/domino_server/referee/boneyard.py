"""What the boneyard tells of draws: nothing as long as none of its tiles was seen."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Final

from domino_rules.games.chain import ChainState
from domino_rules.moves import Draw
from domino_server.referee.sight import Kind, Place, SeenTile, Sight
from domino_vision.types import TileRole

_BESIDE_MM: Final = 60.0
"""Backs whose middles are within this of each other lie in one heap."""
_HEAP: Final = Place(Kind.STOCK)


class Boneyard:
    """Counts the tiles that are gone from a boneyard which the camera sees.

    A camera may look at the boneyard's part of the table and see none of its tiles, or not all: backs that look like
    the cloth, a closed heap, tiles out of the picture. Such tiles were not drawn, so a boneyard tells something only
    once a back was seen there in this hand, and what was missing before the first tile was laid does not count.
    """

    def __init__(self) -> None:
        """Begin without having seen it."""
        self._ready = 0
        self._most = 0
        self._waiting: dict[ChainState, int] = {}

    def laid_out(self, sight: Sight) -> None:
        """Look at a table on which no tile was laid yet."""
        self._ready = sight.backs(Kind.STOCK)

    def see(self, state: ChainState, sight: Sight) -> None:
        """Look at it during a hand; a new hand has a new boneyard."""
        backs, dealt = sight.backs(Kind.STOCK), _dealt(state)
        if not state.layout.tiles:
            self._most = self._ready if backs <= self._ready < dealt else dealt if backs else 0
            self._waiting.clear()
        elif not self._most:
            self._most = dealt if backs else 0
        else:
            self._most = min(max(self._most, backs), dealt)

    def drawn(self, state: ChainState, sight: Sight) -> int | None:
        """Return how many tiles are gone since `state`; None if the boneyard tells nothing."""
        size = self.size(state, sight)
        return None if size is None or not state.boneyard else max(0, len(state.boneyard) - size)

    def size(self, state: ChainState, sight: Sight) -> int | None:
        """Return how many tiles lie there, with those that were never seen; None if the boneyard tells nothing."""
        if not self._most or not sight.shows(Kind.STOCK):
            return None
        return _dealt(state) - self._most + sight.backs(Kind.STOCK)

    def wait(self, state: ChainState, sight: Sight) -> None:
        """Note what is gone while no tile was laid: whoever is to move has drawn it."""
        self._waiting[state] = self.drawn(state, sight) or 0

    def before(self, state: ChainState) -> int:
        """Return how many tiles were gone before anybody laid one in this state."""
        return self._waiting.get(state, 0)


def _dealt(state: ChainState) -> int:
    """Return how many tiles the boneyard had when the hand began."""
    return len(state.boneyard) + sum(isinstance(move, Draw) for move in state.moves)


def heap_whole(sight: Sight) -> Sight:
    """Return the sight in which backs that lie beside those of the boneyard belong to it, though out of its zone."""
    heap = [tile for tile in sight.within(Kind.STOCK) if tile.halves is None]
    left = {index for index, tile in enumerate(sight.tiles) if tile.role is TileRole.DOWN and tile.place != _HEAP}
    while near := {index for index in left if any(_beside(sight.tiles[index], tile) for tile in heap)}:
        left -= near
        heap = [sight.tiles[index] for index in near]
        tiles = [replace(tile, place=_HEAP) if index in near else tile for index, tile in enumerate(sight.tiles)]
        sight = replace(sight, tiles=tuple(tiles))
    return sight


def _beside(tile: SeenTile, other: SeenTile) -> bool:
    return hypot(tile.at[0] - other.at[0], tile.at[1] - other.at[1]) < _BESIDE_MM
