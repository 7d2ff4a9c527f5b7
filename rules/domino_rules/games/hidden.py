"""What a hand may hold or must hold, when the hand or the stock is hidden: counting over the tiles nobody has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from domino_rules.errors import SetupError
from domino_rules.state import Hand
from domino_rules.tile import Tile, TileSet


def unseen(tile_set: TileSet, *seen: Iterable[Tile | None]) -> Counter[Tile]:
    """Return how many copies of each tile are in none of the places `seen`."""
    left = Counter(dict(tile_set.multiplicity))
    for place in seen:
        left.subtract(tile for tile in place if tile is not None)
    return +left


def may_hold(hand: Hand, tile: Tile, rest: Callable[[], Counter[Tile]]) -> bool:
    """Return whether the hand can hold `tile`; `rest` counts the unseen tiles and is asked for hidden hands only."""
    if hand.tiles is not None or tile in hand.shown:
        return tile in hand.known
    return hand.unknown > 0 and rest()[tile] > 0


def candidates(hand: Hand, rest: Callable[[], Counter[Tile]]) -> Sequence[Tile]:
    """Return the different tiles that the hand can hold."""
    if hand.tiles is not None or not hand.unknown:
        return tuple(dict.fromkeys(hand.known))
    return sorted({*hand.shown, *rest()})


def must_hold(
    hand: Hand, wanted: Callable[[Tile], bool], rest: Callable[[], Counter[Tile]], spent: Tile | None = None
) -> bool:
    """Return whether the hand, `spent` included, certainly holds a tile that is `wanted`.

    A hidden hand may lack such tiles as long as enough others are unseen to fill it. `spent` is a tile that it is now
    known to hold.
    """
    if hand.tiles is not None:
        return any(wanted(tile) for tile in hand.tiles)
    if any(wanted(tile) for tile in hand.shown) or (spent is not None and wanted(spent)):
        return True
    return hand.unknown > sum(count for tile, count in rest().items() if not wanted(tile))


def most_doubles(hand: Hand, spent: Tile, rest: Callable[[], Counter[Tile]]) -> int:
    """Return the most doubles that the hand can hold, the double `spent` included."""
    if hand.tiles is not None:
        return sum(tile.is_double for tile in hand.tiles)
    shown = sum(tile.is_double for tile in hand.shown)
    if spent in hand.shown:
        return shown + min(hand.unknown, _doubles(rest()))
    return shown + 1 + min(hand.unknown - 1, _doubles(rest()) - 1)


def _doubles(tiles: Counter[Tile]) -> int:
    return sum(count for tile, count in tiles.items() if tile.is_double)


def revealed(player: str, hand: Hand, tiles: Iterable[Tile], rest: Callable[[], Counter[Tile]]) -> Hand:
    """Return the hand now that its tiles are known.

    Raises:
        SetupError: `inconsistent_state` if there are too many or too few, one is known to lie elsewhere, or the hand
            is known to be another.
    """
    known = tuple(tiles)
    left = Counter(known)
    left.subtract(hand.known)
    possible = len(known) == hand.size and min(left.values(), default=0) >= 0
    if hand.tiles is None and possible:
        possible = all(count <= rest()[tile] for tile, count in left.items() if count)
    if not possible:
        shown = " ".join(map(str, known)) or "nothing"
        message = f"{player} cannot hold {shown}: {hand.size} tiles, none of them seen elsewhere"
        raise SetupError("inconsistent_state", message, player=player, size=hand.size, tiles=[str(t) for t in known])
    return Hand.of(known)
