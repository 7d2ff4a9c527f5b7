"""Whether tiles that somebody names can be: of the set that is played with, and no more of them than it holds."""

from __future__ import annotations

from collections.abc import Sequence

from domino_rules.errors import SetupError
from domino_rules.state import Game
from domino_rules.tile import DOUBLE_SIX, Tile, TileSet, find_tile_set, single_set


def set_played(game: Game | None, named: str | None, otherwise: TileSet = DOUBLE_SIX) -> TileSet:
    """Return the tiles that are played with: those of the game, without a game those of the set that is named.

    Args:
        game: the game played; None for none.
        named: name of a set, if somebody named one.
        otherwise: the set if there is neither.

    Raises:
        SetupError: `unknown_set`; `set_not_of_game` if a set is named that the game is not played with.
    """
    tile_set = None if named is None else find_tile_set(named)
    if game is None:
        return tile_set or otherwise
    if tile_set is not None and tile_set.kinds != game.tile_set.kinds:
        own = single_set(game.tile_set).name
        message = f"{game.name} is played with the {own} set, not with {tile_set.name}"
        raise SetupError("set_not_of_game", message, game=game.name, set=tile_set.name, own=own)
    return game.tile_set


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
