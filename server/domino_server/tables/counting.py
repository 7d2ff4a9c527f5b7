"""Tiles on photographs without a game, and hands turned up at the end: pips, and whether they can be right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from domino_rules.match import Match
from domino_rules.tile import Tile, TileSet
from domino_server.tables.open_tiles import open_tiles
from domino_vision.types import TableObservation


class Box(BaseModel):
    """A tile on a photograph; corners in pixels."""

    quad: list[tuple[float, float]]
    tile: str
    confidence: float


class CountedPicture(BaseModel):
    """The tiles of one photograph."""

    name: str
    set: str
    tiles: list[str]
    pips: int
    size: tuple[int, int]
    boxes: list[Box]


class Counted(BaseModel):
    """The tiles of all photographs."""

    hands: list[CountedPicture]
    pips: int


class CountedHand(BaseModel):
    """A player's hand as it lies turned up."""

    player: str
    tiles: list[str]
    pips: int
    expected: int | None


class Checksum(BaseModel):
    """Whether hands and table can be right together."""

    ok: bool
    text: str
    twice: list[str]
    on_table: list[str]
    sizes: dict[str, tuple[int, int]]


class CountedHands(BaseModel):
    """The hands at the end of a hand."""

    hands: list[CountedHand]
    checksum: Checksum
    applied: bool = False


def counted_picture(name: str, observation: TableObservation, tile_set: TileSet) -> CountedPicture:
    """Return the tiles whose faces a photograph shows."""
    boxes = [
        Box(
            quad=[(round(float(x), 1), round(float(y), 1)) for x, y in tile.quad_px],
            tile=str(tile.tile),
            confidence=round(tile.confidence, 3),
        )
        for tile in observation.tiles
        if tile.tile is not None
    ]
    tiles = [Tile.parse(box.tile) for box in boxes]
    return CountedPicture(
        name=name,
        set=tile_set.name,
        tiles=[box.tile for box in boxes],
        pips=sum(tile.pips for tile in tiles),
        size=observation.size_wh,
        boxes=boxes,
    )


def counted_hands(match: Match, found: Mapping[str, Sequence[Tile]], tile_set: TileSet) -> CountedHands:
    """Return hands with what speaks for or against them.

    Args:
        match: as committed.
        found: what lies turned up, by player.
        tile_set: the set in use.
    """
    state = match.state
    expected = {} if state is None else {player: hand.size for player, hand in state.hands.items()}
    hands = [
        CountedHand(
            player=player,
            tiles=[str(tile) for tile in tiles],
            pips=sum(tile.pips for tile in tiles),
            expected=expected.get(player),
        )
        for player, tiles in found.items()
    ]
    return CountedHands(hands=hands, checksum=_checked(found, expected, open_tiles(state), tile_set))


def _checked(
    found: Mapping[str, Sequence[Tile]], expected: Mapping[str, int], on_table: Sequence[Tile], tile_set: TileSet
) -> Checksum:
    held = [tile for tiles in found.values() for tile in tiles]
    twice = tile_set.surplus(held)
    both = [tile for tile in tile_set.surplus([*held, *on_table]) if tile not in twice and tile in held]
    sizes = {p: (len(tiles), expected[p]) for p, tiles in found.items() if p in expected and len(tiles) != expected[p]}
    said = [f"{tile} is there too often" for tile in twice] + [f"{tile} lies on the table" for tile in both]
    said += [f"{player}: {seen} tiles instead of {size}" for player, (seen, size) in sizes.items()]
    return Checksum(
        ok=not said,
        text="; ".join(said) or "hands and table fit together",
        twice=[str(tile) for tile in twice],
        on_table=[str(tile) for tile in both],
        sizes=sizes,
    )
