"""The layout: what lies in the line of play, and what may be joined to it. Knows no player and no score.

A layout grows from its first tile along the main line (arms L and R). Where a game has a spinner (the first double
played), its two sides belong to the main line; once both are covered, the arms U and D open.
Source: RULES 4.1 (spinner, count) and 1.1 (a plain line of play).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Flag, StrEnum, auto
from typing import Final, cast

from domino_rules.errors import IllegalMoveError, ParseError
from domino_rules.tile import Tile, TileSet


class Arm(StrEnum):
    """Where a tile joins the layout: the first tile, the main line's two ends, the spinner's two ends."""

    START = "start"
    LEFT = "L"
    RIGHT = "R"
    UP = "U"
    DOWN = "D"


MAIN_LINE: Final = (Arm.LEFT, Arm.RIGHT)
SPINNER_ARMS: Final = (Arm.UP, Arm.DOWN)
GROWING_ARMS: Final = (*MAIN_LINE, *SPINNER_ARMS)
_SLOT: Final = {Arm.LEFT: 0, Arm.RIGHT: 1, Arm.UP: 2, Arm.DOWN: 3}


@dataclass(frozen=True, slots=True)
class Placement:
    """A tile as it lies: its arm, the half that touches the layout (`inner`) and the half that faces out (`outer`).

    Of the first tile `inner` is the left half and `outer` the right one. A double lies crosswise.
    """

    tile: Tile
    arm: Arm
    inner: int
    outer: int

    @property
    def crosswise(self) -> bool:
        """Whether the tile lies across the line, as every double does."""
        return self.tile.is_double

    def __str__(self) -> str:
        text = f"{self.inner}-{self.outer}"
        return text if self.arm is Arm.START else f"{self.arm.value}:{text}"


_Tips = tuple[Placement | None, Placement | None, Placement | None, Placement | None]
"""The outermost tile of each arm, in the order of `_SLOT`."""


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A place where the layout may grow: `pips` must be matched, `count` is what a scoring game adds for this tip.

    A double at a tip counts both halves; an open spinner arm that carries no tile counts 0.
    """

    arm: Arm
    pips: int
    count: int


class LayoutProblem(Flag):
    """What is wrong with a layout; all problems of a layout at once."""

    NONE = 0
    UNMATCHED_JOIN = auto()
    """Two halves that touch show different pips."""
    DUPLICATE_TILE = auto()
    """A tile lies there more often than the set has it."""
    NOT_IN_SET = auto()
    """A tile does not belong to the set."""
    ARM_CLOSED = auto()
    """A spinner arm carries a tile though there is no spinner, or one of its sides is free."""


@dataclass(frozen=True, slots=True)
class Layout:
    """An immutable layout. `place` returns the next one; the layout itself never changes.

    Attributes:
        with_spinner: whether the first double opens two further arms.
        placements: the tiles in the order in which they were laid.

    Example:
        >>> layout = Layout().place(Tile(5, 5), Arm.START).place(Tile(5, 2), Arm.RIGHT)
        >>> layout.count, [(end.arm.value, end.pips, end.count) for end in layout.open_ends]
        (12, [('L', 5, 10), ('R', 2, 2)])
    """

    with_spinner: bool = True
    placements: tuple[Placement, ...] = ()
    _tips: _Tips = field(default=(None, None, None, None), repr=False)
    _bits: int = field(default=0, repr=False)
    spinner: Placement | None = field(default=None, repr=False)
    """The first double laid, where the game has a spinner."""

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles in the order in which they were laid."""
        return tuple(placement.tile for placement in self.placements)

    @property
    def first(self) -> Placement | None:
        """The tile that was laid first."""
        return self.placements[0] if self.placements else None

    def line(self, arm: Arm) -> tuple[Placement, ...]:
        """Return the tiles laid at `arm`, from the inside out (the first tile is on the line START only)."""
        return tuple(placement for placement in self.placements if placement.arm is arm)

    def tip(self, arm: Arm) -> Placement | None:
        """Return the outermost tile in the direction of `arm`; on the main line this may be the first tile."""
        return self._tips[_SLOT[arm]] or (self.first if arm in MAIN_LINE else None)

    @property
    def arms_open(self) -> bool:
        """Whether the spinner's own ends may be built on: both its sides are covered."""
        spinner = self.spinner
        if spinner is None:
            return False
        left, right, _, _ = self._tips
        if spinner.arm is Arm.START:
            return left is not None and right is not None
        return spinner is not (left if spinner.arm is Arm.LEFT else right)

    @property
    def open_ends(self) -> tuple[OpenEnd, ...]:
        """Where the next tile may go, in the order L, R, U, D; none while the layout is empty.

        An arm that carries a tile too early is an end all the same.
        """
        first = self.first
        if first is None:
            return ()
        left, right, up, down = self._tips
        if left is None and right is None:
            ends = [OpenEnd(Arm.LEFT, first.inner, first.inner), OpenEnd(Arm.RIGHT, first.outer, first.outer)]
        else:
            ends = [_main_end(Arm.LEFT, left, first, first.inner), _main_end(Arm.RIGHT, right, first, first.outer)]
        opened = self.arms_open
        if (opened or up or down) and self.spinner is not None:
            for arm, tip in zip(SPINNER_ARMS, (up, down), strict=True):
                if tip is not None:
                    ends.append(OpenEnd(arm, tip.outer, _tip_count(tip)))
                elif opened:
                    ends.append(OpenEnd(arm, self.spinner.outer, 0))
        return tuple(ends)

    @property
    def count(self) -> int:
        """The sum of all tips: a double at a tip adds both halves, a lone double its pips once. Source: RULES 4.1."""
        return sum(end.count for end in self.open_ends)

    def fits(self, tile: Tile) -> tuple[Arm, ...]:
        """Return every arm where the tile matches; START alone while the layout is empty."""
        if not self.placements:
            return (Arm.START,)
        return tuple(end.arm for end in self.open_ends if end.pips in tile)

    def place(self, tile: Tile, arm: Arm) -> Layout:
        """Return the layout with `tile` joined at `arm`, the matching half inwards.

        At START the higher half lies left; use `put` to say otherwise.

        Raises:
            IllegalMoveError: `duplicate_tile`, `arm_closed` (no such end now) or `no_match`.
        """
        if self._bits & tile.bit:
            raise IllegalMoveError("duplicate_tile", f"{tile} already lies in the layout", tile=str(tile))
        if arm is Arm.START:
            if self.placements:
                raise IllegalMoveError("arm_closed", "the first tile already lies there", tile=str(tile), arm=arm.value)
            return self.put(tile, arm, tile.high)
        end = next((end for end in self.open_ends if end.arm is arm), None)
        if end is None:
            raise IllegalMoveError("arm_closed", f"end {arm.value} is not open", tile=str(tile), arm=arm.value)
        if end.pips not in tile:
            message = f"{tile} does not match {end.pips} at end {arm.value}"
            raise IllegalMoveError("no_match", message, tile=str(tile), arm=arm.value, pips=end.pips)
        return self.put(tile, arm, end.pips)

    def put(self, tile: Tile, arm: Arm, inner: int) -> Layout:
        """Return the layout with `tile` at `arm` as it was seen, legal or not; `problems` reports what is wrong.

        Raises:
            ParseError: `half_not_on_tile` if `inner` is no half of the tile.
            IllegalMoveError: `arm_closed` if the first tile is missing, or there already.
        """
        if (arm is Arm.START) is bool(self.placements):
            there = f"the first tile already lies there: name the arm of {tile}, such as R:{tile}"
            message = there if self.placements else "there is no first tile yet"
            raise IllegalMoveError("arm_closed", message, tile=str(tile), arm=arm.value)
        placement = Placement(tile, arm, inner, tile.other(inner))
        tips = self._tips
        if arm is not Arm.START:
            slot = _SLOT[arm]
            tips = cast("_Tips", (*tips[:slot], placement, *tips[slot + 1 :]))
        spinner = self.spinner
        if spinner is None and self.with_spinner and tile.is_double:
            spinner = placement
        return Layout(self.with_spinner, (*self.placements, placement), tips, self._bits | tile.bit, spinner)

    def unmatched(self) -> tuple[Placement, ...]:
        """Return the tiles whose inner half differs from the half that it touches."""
        found: list[Placement] = []
        layout = replace(self, placements=(), _tips=(None, None, None, None), _bits=0, spinner=None)
        for placement in self.placements:
            if placement.arm is not Arm.START and layout._touched(placement.arm) != placement.inner:  # noqa: SLF001
                found.append(placement)
            layout = layout.put(placement.tile, placement.arm, placement.inner)
        return tuple(found)

    def exhausts(self, tile_set: TileSet) -> bool:
        """Return whether every tile of a set that fits an open end lies here: nobody can play, whatever he holds."""
        left = tile_set.without(self.tiles)
        return bool(self.placements) and not any(end.pips in tile for end in self.open_ends for tile in left)

    def problems(self, tile_set: TileSet | None = None) -> LayoutProblem:
        """Return all that is wrong at once; without a set each tile may occur once."""
        problems = LayoutProblem.NONE
        if self.unmatched():
            problems |= LayoutProblem.UNMATCHED_JOIN
        tiles = self.tiles
        if tile_set is None:
            duplicated = len(set(tiles)) < len(tiles)
        else:
            duplicated = any(tile in tile_set for tile in tile_set.surplus(tiles))
            if any(tile not in tile_set for tile in tiles):
                problems |= LayoutProblem.NOT_IN_SET
        if duplicated:
            problems |= LayoutProblem.DUPLICATE_TILE
        if any(placement.arm in SPINNER_ARMS for placement in self.placements) and not self.arms_open:
            problems |= LayoutProblem.ARM_CLOSED
        return problems

    def _touched(self, arm: Arm) -> int | None:
        """Return the pips that a tile at `arm` touches, open or not; None where nothing is there to touch."""
        tip = self.tip(arm)
        if tip is None:
            return None if self.spinner is None else self.spinner.outer
        return tip.inner if tip.arm is Arm.START and arm is Arm.LEFT else tip.outer

    @classmethod
    def parse(cls, text: str, *, with_spinner: bool = True) -> Layout:
        """Return the layout written as `str` prints it: `1-4 L:1-1 R:4-4`, inner half first, left half of the first.

        Raises:
            ParseError: `layout_syntax` or `tile_syntax`.
            IllegalMoveError: `arm_closed` if a second tile claims to be the first.
        """
        layout = cls(with_spinner)
        for word in text.split():
            name, _, tile_text = word.rpartition(":")
            if name not in {"", *(arm.value for arm in GROWING_ARMS)}:
                raise ParseError("layout_syntax", f"not an arm: {name!r} in {word!r} (L, R, U or D)", text=word)
            tile = Tile.parse(tile_text)
            arm = Arm(name or "start")
            layout = layout.put(tile, arm, int(re.findall(r"\d+", tile_text)[0]))
        return layout

    def __iter__(self) -> Iterator[Placement]:
        return iter(self.placements)

    def __len__(self) -> int:
        return len(self.placements)

    def __contains__(self, tile: object) -> bool:
        return isinstance(tile, Tile) and bool(self._bits & tile.bit)

    def __str__(self) -> str:
        return " ".join(map(str, self.placements))


def _tip_count(tip: Placement) -> int:
    return tip.tile.pips if tip.tile.is_double else tip.outer


def _main_end(arm: Arm, tip: Placement | None, first: Placement, first_half: int) -> OpenEnd:
    if tip is not None:
        return OpenEnd(arm, tip.outer, _tip_count(tip))
    return OpenEnd(arm, first_half, first.tile.pips if first.tile.is_double else first_half)
