"""What stays the same during a hand of a line-of-play game, and sets of double-six tiles as bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from domino_rules.errors import SetupError
from domino_rules.layout import Arm
from domino_rules.moves import Pass, Play
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
_BIT: Final = attrgetter("bit")


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

    __slots__ = ("play_of",)

    def __init__(self, player: str, arm: Arm) -> None:
        super().__init__()
        self.play_of = {tile.bit: Play(player, tile, arm) for tile in _TILES}

    def __missing__(self, mask: int) -> tuple[Play, ...]:
        found, left = [], mask
        while left:
            bit = left & -left
            found.append(self.play_of[bit])
            left ^= bit
        plays = self[mask] = tuple(found)
        return plays


PlayTables = tuple[PlayTable, PlayTable, PlayTable, PlayTable, PlayTable]


@lru_cache(maxsize=256)
def play_tables(player: str) -> PlayTables:
    """Return the player's table for each arm in the order of `SLOT`."""
    left, right, up, down, start = (PlayTable(player, arm) for arm in ARMS)
    return left, right, up, down, start


class Lead(NamedTuple):
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
class Seating:
    """The players in the order of play with their sides, and the moves that they may come to make."""

    players: tuple[str, ...]
    sides: Mapping[str, tuple[str, ...]]
    seat_of: Mapping[str, int]
    side_of: tuple[str, ...]
    plays: tuple[PlayTables, ...]
    passes: tuple[Pass, ...]

    @classmethod
    def of(cls, players: Sequence[str], sides: Mapping[str, tuple[str, ...]]) -> Seating:
        """Return the seating of `players` in the order of play."""
        side_of = {player: side for side, members in sides.items() for player in members}
        return cls(
            players=tuple(players),
            sides=sides,
            seat_of={player: seat for seat, player in enumerate(players)},
            side_of=tuple(side_of[player] for player in players),
            plays=tuple(play_tables(player) for player in players),
            passes=tuple(Pass(player) for player in players),
        )


class Table:
    """What does not change during a hand: the seating, the rules, the match so far and who leads."""

    __slots__ = ("context", "lead", "passes", "players", "plays", "rules", "seat_of", "side_of", "sides")

    def __init__(self, seating: Seating, rules: RuleSet, context: HandContext, lead: Lead) -> None:
        self.players = seating.players
        self.sides = seating.sides
        self.seat_of = seating.seat_of
        self.side_of = seating.side_of
        self.plays = seating.plays
        self.passes = seating.passes
        self.rules = rules
        self.context = context
        self.lead = lead

    def key(self) -> tuple[object, ...]:
        """Return what makes two tables equal."""
        return (self.players, self.rules, self.context, self.lead)


class Dealt:
    """A deal as masks.

    Attributes:
        names: the players in the order of play.
        hands: by seat, the tiles that he is known to hold.
        unknown: by seat, how many tiles he holds besides.
        stock: the boneyard, the next tile first.
        unseen: the tiles whose place nobody knows.
        possible: by seat, the tiles that he holds or may hold.

    Raises:
        SetupError: `inconsistent_state` if a tile is there twice, or does not belong to the double-six set.
    """

    __slots__ = ("hands", "names", "possible", "stock", "unknown", "unseen")

    def __init__(self, deal: Deal) -> None:
        masks: list[int] = []
        unknown: list[int] = []
        known = count = 0
        for hand in deal.hands.values():
            tiles = hand.shown if hand.tiles is None else hand.tiles
            mask = sum(map(_BIT, tiles))
            masks.append(mask)
            unknown.append(hand.size - len(tiles))
            known += mask
            count += len(tiles)
        self.names = tuple(deal.hands)
        self.hands = tuple(masks)
        self.unknown = tuple(unknown)
        self.stock = deal.stock
        if deal.stock:
            drawable = [tile for tile in deal.stock if tile is not None]
            known += sum(map(_BIT, drawable))
            count += len(drawable)
        # A sum of powers of two has as many bits as summands only if they all differ.
        if known & ~ALL or known.bit_count() != count:
            dealt = [tile for hand in deal.hands.values() for tile in hand.known]
            surplus = DOUBLE_SIX.surplus([*dealt, *(tile for tile in deal.stock if tile is not None)])
            twice = [str(tile) for tile in surplus]
            raise SetupError("inconsistent_state", f"twice, or not in the set: {', '.join(twice)}", tiles=twice)
        self.unseen = ALL & ~known
        self.possible = self.hands
        if any(unknown):
            more = [self.unseen if number else 0 for number in unknown]
            self.possible = tuple([mask | unseen for mask, unseen in zip(masks, more, strict=True)])

    def check_sizes(self, size: int) -> None:
        """Check that each hand has `size` tiles and that the boneyard has the rest.

        Raises:
            SetupError: `inconsistent_state`.
        """
        sizes = [self.hands[seat].bit_count() + unknown for seat, unknown in enumerate(self.unknown)]
        rest = len(_TILES) - size * len(self.names)
        if sizes != [size] * len(sizes) or len(self.stock) != rest:
            message = f"each hand has {size} tiles and the boneyard {rest}, not {sizes} and {len(self.stock)}"
            raise SetupError("inconsistent_state", message, sizes=sizes, boneyard=len(self.stock))

    def lead_of(self, player: str) -> Lead:
        """Return that `player` leads any tile that he holds."""
        seat = self.names.index(player) if player in self.names else None
        return Lead(tuple(mask if at == seat else 0 for at, mask in enumerate(self.possible)), seat, forced=False)
