"""Where each tile of a layout lies on a table: arms that bend at the edge and never overlap. Knows no SVG.

Lengths are in half tiles: a tile is 2 long and 1 wide. x grows to the right, y downwards; the first tile's middle is
the origin. L runs to the left, R to the right, U up and D down; each arm turns the same way at the table's edge and
comes back beside itself, as people lay a long line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from domino_rules.layout import MAIN_LINE, SPINNER_ARMS, Arm, Layout, OpenEnd, Placement

GAP: Final = 0.2
"""The least distance between two tiles that do not touch by rule."""
_OVERHANG: Final = 3.0
"""How far a tile may reach over the edge before the line must bend."""
_STEP_ASIDE: Final = 2
"""Tiles laid across, the corner included, before the line runs back."""
_ENLARGED: Final = 12
"""How often a table is tried larger before tiles are laid over one another."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point, or a direction of length 1."""

    x: float
    y: float

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y)

    def __mul__(self, factor: float) -> Point:
        return Point(self.x * factor, self.y * factor)


_RUN: Final = {Arm.LEFT: Point(-1, 0), Arm.RIGHT: Point(1, 0), Arm.UP: Point(0, -1), Arm.DOWN: Point(0, 1)}
_DRIFT: Final = {Arm.LEFT: Point(0, -1), Arm.RIGHT: Point(0, 1), Arm.UP: Point(1, 0), Arm.DOWN: Point(-1, 0)}


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle: its middle, half its width and half its height."""

    middle: Point
    half_width: float
    half_height: float

    def near(self, other: Box, gap: float = GAP) -> bool:
        """Return whether less than `gap` lies between the two."""
        return (
            abs(self.middle.x - other.middle.x) < self.half_width + other.half_width + gap - 1e-9
            and abs(self.middle.y - other.middle.y) < self.half_height + other.half_height + gap - 1e-9
        )


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile on the table: `facing` points from its inner half to its outer half (for a double: along the tile)."""

    placement: Placement
    middle: Point
    facing: Point

    @property
    def box(self) -> Box:
        """The ground that the tile covers."""
        wide = abs(self.facing.x) > 0.5
        return Box(self.middle, 1.0 if wide else 0.5, 0.5 if wide else 1.0)


@dataclass(frozen=True, slots=True)
class Mark:
    """The place just outside an open end, where its number is written."""

    end: OpenEnd
    middle: Point

    @property
    def box(self) -> Box:
        """The ground that the mark covers."""
        return Box(self.middle, 0.4, 0.4)


@dataclass(frozen=True, slots=True)
class Placed:
    """All tiles and marks of a layout on the table."""

    tiles: tuple[Lying, ...]
    marks: tuple[Mark, ...]

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All the ground that is covered."""
        return (*(tile.box for tile in self.tiles), *(mark.box for mark in self.marks))


def place_layout(layout: Layout, width: float = 22.0, height: float = 16.0) -> Placed:
    """Return where the tiles lie on a table of `width` by `height` half tiles, or a larger one if they need it.

    A layout that no game allows, as it may have been misread, is shown too; then tiles may overlap.
    """
    for _ in range(_ENLARGED):
        placed = _Table(layout, width / 2, height / 2).placed()
        if placed is not None:
            return placed
        width, height = width * 1.25, height * 1.25
    return _Table(layout, width / 2, height / 2, crowded=True).placed() or Placed((), ())


@dataclass(slots=True)
class _Walk:
    """The tip of an arm while it is laid: the middle of the edge to build on, and where it is heading."""

    at: Point
    heading: Point
    run: Point
    drift: Point
    aside: int = 0
    """Tiles laid across since the last corner; 0 while the line runs along."""
    after_double: bool = False


class _Table:
    def __init__(self, layout: Layout, half_width: float, half_height: float, *, crowded: bool = False) -> None:
        self.layout = layout
        self.crowded = crowded
        self.half = Point(half_width, half_height)
        self.tiles: list[Lying] = []
        self.spinner: Lying | None = None

    def placed(self) -> Placed | None:
        """Return everything in its place; None if something would overlap on this table."""
        if not self.layout.placements:
            return Placed((), ())
        first = self.layout.placements[0]
        facing = Point(0, 1) if first.crosswise else Point(1, 0)
        self._put(Lying(first, Point(0, 0), facing))
        reach = 0.5 if first.crosswise else 1.0
        walks = {arm: self._walk(arm, _RUN[arm] * reach, first.crosswise) for arm in MAIN_LINE}
        if not all(self._lay(arm, walks[arm]) for arm in MAIN_LINE):
            return None
        self.spinner = self.spinner or self.tiles[0]  # arms without a spinner cannot be, but may have been seen
        for arm in SPINNER_ARMS:
            walks[arm] = self._spinner_walk(arm, self.spinner)
            if not self._lay(arm, walks[arm]):
                return None
        marks = tuple(Mark(end, walks[end.arm].at + walks[end.arm].heading * 0.6) for end in self.layout.open_ends)
        covered = [tile.box for tile in self.tiles]
        for mark in marks:
            if not self.crowded and any(mark.box.near(box, 0.0) for box in covered):
                return None
            covered.append(mark.box)
        return Placed(tuple(self.tiles), marks)

    def _walk(self, arm: Arm, at: Point, after_double: bool) -> _Walk:
        return _Walk(at, _RUN[arm], _RUN[arm], _DRIFT[arm], after_double=after_double)

    def _spinner_walk(self, arm: Arm, spinner: Lying) -> _Walk:
        if not spinner.placement.crosswise:
            return self._walk(arm, spinner.middle + _RUN[arm] * 0.5, False)
        along = spinner.facing if spinner.facing.x + spinner.facing.y > 0 else spinner.facing * -1
        heading = along if arm is Arm.DOWN else along * -1
        drift = Point(-heading.y, heading.x)
        return _Walk(spinner.middle + heading, heading, heading, drift)

    def _put(self, lying: Lying) -> None:
        self.tiles.append(lying)
        if lying.placement is self.layout.spinner and lying.placement.arm not in SPINNER_ARMS:
            self.spinner = lying

    def _lay(self, arm: Arm, walk: _Walk) -> bool:
        line = self.layout.line(arm)
        for at, placement in enumerate(line):
            double_next = at + 1 < len(line) and line[at + 1].crosswise
            touching = self.tiles[-1] if at else None
            for step in self._choices(walk, placement, double_next):
                lying, after = _lay_one(placement, walk, step)
                if self._free(lying, touching, at == 0):
                    self._put(lying)
                    walk.at, walk.heading, walk.run = after.at, after.heading, after.run
                    walk.aside, walk.after_double = after.aside, after.after_double
                    break
            else:
                return False
        return True

    def _choices(self, walk: _Walk, placement: Placement, double_next: bool) -> Iterator[Point]:
        """Yield the directions to try for the next tile, the best first."""
        ahead = walk.heading
        if placement.crosswise:
            yield ahead
            return
        turn = walk.run * -1 if walk.aside else walk.drift
        wants_turn = walk.aside >= _STEP_ASIDE if walk.aside else self._over(walk, 3.0 if double_next else 2.0) > 0
        if walk.after_double and walk.aside <= _STEP_ASIDE and self._over(walk, 2.0) <= _OVERHANG:
            wants_turn = False  # people do not bend beside a double
        yield from (turn, ahead) if wants_turn else (ahead, turn)

    def _over(self, walk: _Walk, reach: float) -> float:
        """Return how far `reach` more half tiles straight on would go over the table's edge."""
        point = walk.at + walk.heading * reach
        along = abs(walk.heading.x) > 0.5
        return point.x * walk.heading.x - self.half.x if along else point.y * walk.heading.y - self.half.y

    def _free(self, lying: Lying, touching: Lying | None, first: bool) -> bool:
        if self.crowded:
            return True
        joined = touching or (self.tiles[0] if lying.placement.arm in MAIN_LINE else self.spinner)
        gap_free = all(not lying.box.near(tile.box) for tile in self.tiles if tile is not joined)
        return gap_free or (first and joined is None)


def _lay_one(placement: Placement, walk: _Walk, step: Point) -> tuple[Lying, _Walk]:
    """Return the tile laid from the tip in direction `step`, and the tip behind it."""
    ahead = walk.heading
    if placement.crosswise:
        across = Point(abs(ahead.y), abs(ahead.x))
        middle = walk.at + ahead * 0.5
        aside = walk.aside + 1 if walk.aside else 0
        return Lying(placement, middle, across), replace(walk, at=middle + ahead * 0.5, aside=aside, after_double=True)
    inner = walk.at + ahead * 0.5
    lying = Lying(placement, inner + step * 0.5, step)
    after = replace(walk, at=inner + step * 1.5, heading=step, after_double=False)
    if step == ahead:
        after.aside = walk.aside + 1 if walk.aside else 0
    elif walk.aside:
        after.aside, after.run = 0, step
    else:
        after.aside = 1
    return lying, after
