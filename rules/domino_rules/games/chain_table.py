"""What stays the same during a hand of a line-of-play game, and sets of double-six tiles as bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from domino_rules.errors import SetupError
from domino_rules.layout import Arm
from domino_rules.moves import Play
from domino_rules.ruleset import RuleSet
from domino_rules.state import Deal, HandContext
from domino_rules.tile import DOUBLE_SIX, Tile

CLOSED: Final = 7
"""Stands for the pips of an end where nothing may be joined."""
SLOT: Final = {Arm.LEFT: 0, Arm.RIGHT: 1, Arm.UP: 2, Arm.DOWN: 3, Arm.START: 4}
ARMS: Final = tuple(SLOT)
START: Final = 4
NOBODY: Final = -1
"""The seat to move while nobody can tell who leads."""

_TILES: Final = tuple(DOUBLE_SIX)
_BY_BIT: Final = {tile.bit: tile for tile in _TILES}


def mask_of(tiles: Iterable[Tile]) -> int:
    """Return the mask of a set of tiles."""
    mask = 0
    for tile in tiles:
        mask |= tile.bit
    return mask


def tiles_of(mask: int) -> tuple[Tile, ...]:
    """Return the tiles of a mask, ascending."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(_BY_BIT[bit])
        mask ^= bit
    return tuple(found)


ALL: Final = mask_of(_TILES)
DOUBLES: Final = mask_of(tile for tile in _TILES if tile.is_double)
FIT: Final = (*(mask_of(tile for tile in _TILES if pips in tile) for pips in range(CLOSED)), 0)
"""For each number of pips the mask of the tiles that show it; empty for a closed end."""


class PlayTable(dict[int, tuple[Play, ...]]):
    """All plays of one player at one arm, by the mask of the tiles that fit there; filled as needed."""

    __slots__ = ("arm", "player")

    def __init__(self, player: str, arm: Arm) -> None:
        super().__init__()
        self.player = player
        self.arm = arm

    def __missing__(self, mask: int) -> tuple[Play, ...]:
        plays = tuple(Play(self.player, tile, self.arm) for tile in tiles_of(mask))
        self[mask] = plays
        return plays


@lru_cache(maxsize=256)
def play_tables(player: str) -> tuple[PlayTable, PlayTable, PlayTable, PlayTable]:
    """Return the player's table for each arm in the order of `SLOT`."""
    left, right, up, down = (PlayTable(player, arm) for arm in ARMS[:START])
    return left, right, up, down


@dataclass(frozen=True, slots=True)
class Lead:
    """Who may lead which tiles.

    Attributes:
        masks: by seat, the tiles that he may lead; 0 if he may not lead.
        seat: whose turn it is to lead; None if that is not known.
        forced: whether the rules prescribe the tile (then another one is refused with `must_lead`).
    """

    masks: tuple[int, ...]
    seat: int | None
    forced: bool


@dataclass(frozen=True, slots=True)
class Table:
    """What does not change during a hand: players in the order of play, sides, rules and the match so far."""

    players: tuple[str, ...]
    sides: Mapping[str, tuple[str, ...]]
    rules: RuleSet
    context: HandContext
    lead: Lead
    seat_of: Mapping[str, int]
    side_of: tuple[str, ...]
    plays: tuple[tuple[PlayTable, PlayTable, PlayTable, PlayTable], ...]

    @classmethod
    def of(cls, sides: Mapping[str, tuple[str, ...]], players: Sequence[str], context: HandContext, *,
           rules: RuleSet, lead: Lead) -> Table:  # fmt: skip
        """Return the table of a hand."""
        side_of = {player: side for side, members in sides.items() for player in members}
        return cls(
            players=tuple(players),
            sides=sides,
            rules=rules,
            context=context,
            lead=lead,
            seat_of={player: seat for seat, player in enumerate(players)},
            side_of=tuple(side_of[player] for player in players),
            plays=tuple(play_tables(player) for player in players),
        )

    def key(self) -> tuple[object, ...]:
        """Return what makes two tables equal."""
        return (self.players, self.rules, self.context, self.lead)


def check_deal(deal: Deal) -> None:
    """Check that the tiles of a deal are double-six tiles and that none occurs twice.

    Raises:
        SetupError: `inconsistent_state`.
    """
    seen = [tile for hand in deal.hands.values() for tile in hand.known]
    seen += [tile for tile in deal.stock if tile is not None]
    foreign = [str(tile) for tile in seen if tile not in DOUBLE_SIX]
    if foreign:
        raise SetupError("inconsistent_state", f"no double-six tile: {', '.join(foreign)}", tiles=foreign)
    twice = [str(tile) for tile in DOUBLE_SIX.surplus(seen)]
    if twice:
        raise SetupError("inconsistent_state", f"dealt twice: {', '.join(twice)}", tiles=twice)
    total = sum(hand.size for hand in deal.hands.values()) + len(deal.stock)
    if total != len(DOUBLE_SIX):
        message = f"hands and boneyard hold {total} tiles, not {len(DOUBLE_SIX)}"
        raise SetupError("inconsistent_state", message, tiles=total)


def unseen_mask(deal: Deal) -> int:
    """Return the tiles of the set that are neither in a known hand nor a known tile of the boneyard."""
    known = mask_of(tile for hand in deal.hands.values() for tile in hand.known)
    return ALL & ~known & ~mask_of(tile for tile in deal.stock if tile is not None)


def possible_masks(deal: Deal) -> list[int]:
    """Return by seat the tiles that the player holds or, as far as the deal tells, may hold."""
    unseen = unseen_mask(deal)
    return [mask_of(hand.known) | (unseen if hand.unknown else 0) for hand in deal.hands.values()]


def lead_of(deal: Deal, player: str) -> Lead:
    """Return that `player` leads any tile that he holds."""
    seats = enumerate(deal.hands)
    masks = tuple(mask if name == player else 0 for name, mask in zip(deal.hands, possible_masks(deal), strict=True))
    return Lead(masks, next((seat for seat, name in seats if name == player), None), forced=False)
