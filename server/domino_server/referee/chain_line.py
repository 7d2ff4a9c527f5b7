"""The line of play as it is seen, matched with the line that the game knows: by value, neighbour and part, not place.

Where the camera stands, and which way round the line is seen, plays no part: a tile of the double-six set exists once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot
from typing import Final

from domino_rules.games.chain import ChainState
from domino_rules.layout import Arm, Layout, OpenEnd
from domino_rules.moves import Play
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_server.referee.sight import Kind, Point, SeenTile, Sight
from domino_vision.types import Part, TileRole

WAITING_MM: Final = 65.0
"""A matching tile that stays beside an open end was played there if their halves' middles are within this."""
SAME_PLACE_MM: Final = 20.0
"""A tile within this of where another one lay took its place, or is the same read otherwise."""
BRIDGE_MM: Final = 45.0
"""Joined tiles with a half whose middle is within this of an open end's hang together with it; touching ones are 25."""


@dataclass(frozen=True, slots=True)
class Line:
    """The tiles that lie in the line of play, by index into the sight, and what each one touches.

    Attributes:
        sight: what was seen.
        links: by index, the tiles touched, each with the own part and the other's part.
    """

    sight: Sight
    links: dict[int, dict[int, tuple[Part, Part]]]

    @classmethod
    def of(cls, sight: Sight) -> Line:
        """Return the line of a sight: joined tiles that lie in the layout, or a single one."""
        up = [i for i, t in enumerate(sight.tiles) if t.place.kind is Kind.LAYOUT and t.halves is not None]
        links: dict[int, dict[int, tuple[Part, Part]]] = {}
        for join in sight.joins:
            if join.a in up and join.b in up:
                links.setdefault(join.a, {})[join.b] = (join.a_part, join.b_part)
                links.setdefault(join.b, {})[join.a] = (join.b_part, join.a_part)
        if not links:
            chain = [i for i in up if sight.tiles[i].role is TileRole.CHAIN] or up
            links = {chain[0]: {}} if len(chain) == 1 else {}
        return cls(sight, links)

    def tile(self, index: int) -> Tile:
        """Return the tile at an index of the line."""
        a, b = self.halves(index)
        return Tile(a, b)

    def halves(self, index: int) -> tuple[int, int]:
        """Return the halves of a tile of the line, first half first."""
        return self.sight.tiles[index].halves or (0, 0)

    def seen(self, index: int) -> SeenTile:
        """Return what was seen at an index."""
        return self.sight.tiles[index]

    def reached(self, starts: set[int]) -> set[int]:
        """Return all tiles that hang together with one of `starts`."""
        found, stack = set(starts), list(starts)
        while stack:
            fresh = set(self.links.get(stack.pop(), ())) - found
            found |= fresh
            stack += fresh
        return found

    def largest(self) -> set[int]:
        """Return the largest group of tiles that hang together."""
        left, best = set(self.links), set[int]()
        while left:
            group = self.reached({min(left)})
            left -= group
            best = group if len(group) > len(best) else best
        return best


@dataclass(frozen=True, slots=True)
class Matched:
    """Which seen tile is which tile of the game.

    Attributes:
        at: by tile of the game, the index where it is seen.
        missing: tiles of the game that are not seen.
        new: indices that belong to the line and are no tile of the game.
        apart: joined tiles that hang together with nothing known.
        torn: tiles of the game that do not touch the tile that they were joined to, though both are seen.
    """

    at: dict[Tile, int]
    missing: tuple[Tile, ...]
    new: tuple[int, ...]
    apart: tuple[int, ...]
    torn: tuple[Tile, ...] = ()


def line_tiles(state: GameState) -> tuple[Tile, ...]:
    """Return the tiles that lie in a line of play, those that were let stand beside its ends included."""
    return (*state.layout.tiles, *state.beside) if isinstance(state, ChainState) else ()


def inner_neighbours(layout: Layout) -> dict[Tile, Tile | None]:
    """Return for each tile of a layout the tile that it was joined to; None for the first one."""
    tips: dict[Arm, Tile] = {}
    found: dict[Tile, Tile | None] = {}
    spinner: Tile | None = None
    first: Tile | None = None
    for placement in layout:
        if placement.arm is Arm.START:
            first = placement.tile
            found[placement.tile] = None
        else:
            base = spinner if placement.arm in {Arm.UP, Arm.DOWN} else first
            found[placement.tile] = tips.get(placement.arm, base)
            tips[placement.arm] = placement.tile
        if spinner is None and placement.tile.is_double:
            spinner = placement.tile
    return found


def match_line(layout: Layout, line: Line, where: Mapping[Tile, Point], beside: tuple[Tile, ...] = ()) -> Matched:
    """Return which seen tile is which tile of the layout, or of those let stand `beside` it.

    A tile counts as seen though vision sees no join at it, and as joined where it lies as it lay before (`where`).
    """
    inner: dict[Tile, Tile | None] = {**dict.fromkeys(beside), **inner_neighbours(layout)}
    laid = Counter((*layout.tiles, *beside))
    places: dict[Tile, list[int]] = {}
    for index, lying in enumerate(line.sight.tiles):
        if index in line.links or (lying.place.kind is Kind.LAYOUT and _lies(lying, where)):
            places.setdefault(line.tile(index), []).append(index)
    at: dict[Tile, int] = {}
    copies: set[int] = set()
    for tile, count in laid.items():
        found = sorted(places.get(tile, []), key=lambda i: _agrees(line, i, inner[tile]), reverse=True)
        if found:
            at[tile] = found[0]
            copies |= set(found[1:count])
    group = line.reached(set(at.values())) if layout else line.largest()
    known = set(at.values()) | copies
    missing = tuple(tile for tile in laid if tile not in at)
    new = tuple(sorted(group - known))
    apart = tuple(sorted(set(line.links) - group))
    moved = [tile for tile, index in at.items() if not _lies(line.seen(index), where)]
    torn = tuple(t for t in moved if (base := inner[t]) in at and at[base] not in line.links.get(at[t], {}))
    return Matched(at, missing, new, apart, torn)


def _lies(seen: SeenTile, where: Mapping[Tile, Point]) -> bool:
    """Return whether a tile lies where it lay when it was seen last."""
    there = None if seen.tile is None else where.get(seen.tile)
    return there is not None and hypot(seen.at[0] - there[0], seen.at[1] - there[1]) < SAME_PLACE_MM


def bridged(layout: Layout, line: Line, matched: Matched, where: Mapping[Tile, Point]) -> Line | None:
    """Return the line with a join that vision did not see: from an open end to tiles that lie close by.

    Tiles that are joined to each other beside an open end were played there, and so was a tile that matches it and
    lies where it lay in the table before; None if there are none. Halves that touch have their middles half a tile's
    length apart, in a line as round a corner.
    """
    known = set(matched.at.values())
    waiting = [
        index
        for index, seen in enumerate(line.sight.tiles)
        if seen.place.kind is Kind.LAYOUT and index not in known and index not in line.links and _lies(seen, where)
    ]
    gaps: list[tuple[float, int, Part, int, Part]] = []
    for end in layout.open_ends:
        tip = tip_tile(layout, end.arm)
        other = -1 if tip is None else matched.at.get(tip, -1)
        if other < 0:
            continue
        for own in matched.apart:
            gaps += [gap for gap in _gaps(line, own, other, end.pips) if gap[0] < BRIDGE_MM]
        for own in waiting:
            near = [gap for gap in _gaps(line, own, other, end.pips) if gap[0] < WAITING_MM]
            gaps += [gap for gap in near if _part(line, own, gap[2]) == end.pips]
    if not gaps:
        return None
    _, own, part, other, part_there = min(gaps)
    links = {index: dict(near) for index, near in line.links.items()}
    links.setdefault(own, {})[other] = (part, part_there)
    links.setdefault(other, {})[own] = (part_there, part)
    return Line(line.sight, links)


def _gaps(line: Line, own: int, other: int, pips: int) -> list[tuple[float, int, Part, int, Part]]:
    """Return how far each half of a tile is from the half of another that shows the pips of its open end."""
    halves = _halves(line.seen(other))
    ends: list[tuple[Part, Point]] = [half for half in halves if _part(line, other, half[0]) == pips]
    return [
        (hypot(x[0] - y[0], x[1] - y[1]), own, part, other, there)
        for part, x in _halves(line.seen(own))
        for there, y in ends
    ]


def _part(line: Line, index: int, part: Part) -> int:
    return _value(line.halves(index), part)


def _halves(seen: SeenTile) -> list[tuple[Part, Point]]:
    """Return the parts of a tile where another may be joined, with the middle of that half; of a double its middle."""
    (x, y), (hx, hy) = seen.at, seen.head
    if seen.tile is not None and seen.tile.is_double:
        return [("m", (x, y))]
    return [("a", (hx, hy)), ("b", (2 * x - hx, 2 * y - hy))]


def _agrees(line: Line, index: int, neighbour: Tile | None) -> tuple[bool, float]:
    touched = [line.tile(i) for i in line.links.get(index, {})]
    return neighbour is None or neighbour in touched, line.seen(index).confidence


@dataclass(frozen=True, slots=True)
class Attached:
    """Where a new tile touches the line: the end, the half inwards, and what speaks against it (None: it is fine).

    `beside` says that the tile touched has no open end at all.
    """

    arm: Arm
    inner: int
    problem: str | None = None
    neighbour: int | None = None
    beside: bool = False

    @property
    def is_legal(self) -> bool:
        """Whether nothing speaks against it."""
        return self.problem is None


def tip_tile(layout: Layout, arm: Arm) -> Tile | None:
    """Return the tile that the next one at `arm` would touch."""
    tip = layout.tip(arm)
    if tip is not None:
        return tip.tile
    return None if layout.spinner is None else layout.spinner.tile


def attach(layout: Layout, line: Line, at: dict[Tile, int], index: int) -> Attached | None:
    """Return where a new tile is joined to tiles that lie already; None if it touches none of them."""
    near = [other for other in line.links[index] if _is_laid(layout, line.tile(other), at, other)]
    if not near:
        return None
    options = [_attach_to(layout, line, line.tile(other), other, index) for other in near]
    return next((option for option in options if not option.is_legal), options[0])


def _is_laid(layout: Layout, tile: Tile, at: dict[Tile, int], index: int) -> bool:
    """Return whether a tile that is seen at an index lies already: not one like it, unless that was let stand too."""
    return tile in at and (at[tile] == index or tuple(layout.tiles).count(tile) > 1)


def _attach_to(layout: Layout, line: Line, tile: Tile, other: int, index: int) -> Attached:
    own, theirs = line.links[index][other]
    inner = _value(line.halves(index), own)
    ends = [end for end in layout.open_ends if tip_tile(layout, end.arm) is tile]
    if not ends:
        return Attached(Arm.RIGHT, inner, "arm_closed", other, beside=True)
    end = _end(layout, line, ends, other, index, theirs)
    if layout.spinner is not None and tile is layout.spinner.tile and not layout.arms_open and len(layout) > 1:
        used = _parts_used(line, other, index)
        if used and (theirs == "m") is not ("m" in used):
            arm = Arm.UP if _before(line.seen(index), line.seen(other)) else Arm.DOWN
            return Attached(arm, inner, "arm_closed", other)
    return Attached(end.arm, inner, None if end.pips == inner else "no_match", other)


def _parts_used(line: Line, other: int, index: int) -> set[Part]:
    return {parts[0] for place, parts in line.links[other].items() if place != index}


def _end(layout: Layout, line: Line, ends: list[OpenEnd], other: int, index: int, part: Part) -> OpenEnd:
    """Return which of the ends that one tile bears is meant."""
    if len(ends) == 1:
        return ends[0]
    if not layout.spinner and len(layout) == 1 and len({end.pips for end in ends}) > 1:
        value = _value(line.halves(other), part)
        return next((end for end in ends if end.pips == value), ends[0])
    if len(layout) == 1 and ends[0].pips != ends[1].pips:
        value = _value(line.halves(other), part)
        return next((end for end in ends if end.pips == value), ends[0])
    return ends[0] if _before(line.seen(index), line.seen(other)) else ends[-1]


def _before(tile: SeenTile, other: SeenTile) -> bool:
    """Return whether a tile lies left of another, or above it if they lie one above the other."""
    dx, dy = tile.at[0] - other.at[0], tile.at[1] - other.at[1]
    return dx < 0 if abs(dx) > abs(dy) else dy < 0


def _value(halves: tuple[int, int], part: Part) -> int:
    return halves[1] if part == "b" else halves[0]


def left_half(seen: SeenTile) -> int:
    """Return the half of a first tile that lies left in the picture, or upper if it lies upright."""
    a, b = seen.halves or (0, 0)
    dx, dy = seen.head[0] - seen.at[0], seen.head[1] - seen.at[1]
    first_left = dx < 0 if abs(dx) > abs(dy) else dy < 0
    return a if first_left else b


def first_play(player: str, seen: SeenTile) -> Play:
    """Return the play that opens the line."""
    tile = seen.tile
    assert tile is not None  # noqa: S101 - tiles of the line show their faces
    left = left_half(seen)
    return Play(player, tile, Arm.START, None if left == tile.high else left)
