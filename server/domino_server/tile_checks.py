"""Whether tiles that somebody names can be: of the set that is played with, and no more of them than it holds."""

from __future__ import annotations

from collections.abc import Sequence

from domino_rules.errors import SetupError
from domino_rules.tile import Tile, TileSet, single_set


def check_tile(tile: Tile, tile_set: TileSet) -> None:
    """Raise SetupError `not_in_set` if a tile is none of a set."""
    if tile not in tile_set:
        name = single_set(tile_set).name
        raise SetupError("not_in_set", f"{tile} is no tile of the {name} set", tile=str(tile), set=name)


def check_hand(hand: Sequence[Tile], tile_set: TileSet) -> None:
    """Raise SetupError `not_in_set` or `hand_duplicate` if a hand cannot come from a set."""
    for tile in hand:
        check_tile(tile, tile_set)
    surplus = tile_set.surplus(hand)
    if surplus:
        raise SetupError("hand_duplicate", f"{surplus[0]} is in the hand too often", tile=str(surplus[0]))
