"""From joins to layouts: the line of play as the rules see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from domino_rules.layout import Arm, Layout
from domino_rules.tile import Tile
from domino_vision.assemble.count import parts_joined
from domino_vision.assemble.tree import part_value
from domino_vision.types import F64Array, Join, Part, TableProblem

Link = tuple[int, Part, Part]
"""The other tile, one's own part, the other's part."""


@dataclass(slots=True)
class _Walk:
    """A layout in the making, from one tile outwards."""

    halves: Sequence[tuple[int, int] | None]
    links: dict[int, list[Link]]
    layout: Layout = field(default_factory=Layout)
    branches: set[int] = field(default_factory=set)

    def tile(self, index: int) -> tuple[int, int]:
        return self.halves[index] or (0, 0)

    def start(self, index: int, left_part: Part | None) -> None:
        a, b = self.tile(index)
        inner = b if left_part == "b" else a
        self.layout = self.layout.put(Tile(a, b), Arm.START, inner)

    def arm(self, arm: Arm, source: int, link: Link) -> None:
        """Lay the tiles that hang on `source` by `link` along an arm; at a branch the longer side goes on."""
        while True:
            index, _, part = link
            pair = self.tile(index)
            self.layout = self.layout.put(Tile(*pair), arm, part_value(pair, part))
            ways = [other for other in self.links[index] if other[0] != source]
            onward = [way for way in ways if way[1] != part or part == "m"]  # a half touches one tile, a side another
            if len(onward) > 1 or len(onward) < len(ways):
                self.branches.add(index)
            if not onward:
                return
            if len(onward) > 1:
                sizes = [self.size(other[0], index) for other in onward]
                onward = [onward[sizes.index(max(sizes))]]
            source, link = index, onward[0]

    def size(self, index: int, source: int) -> int:
        """Return how many tiles hang on `index` when one comes from `source`."""
        count, stack = 0, [(index, source)]
        while stack:
            tile, came = stack.pop()
            count += 1
            stack.extend((other[0], tile) for other in self.links[tile] if other[0] != came)
        return count


def layouts_of(
    halves: Sequence[tuple[int, int] | None], joins: Sequence[Join], centre_mm: F64Array
) -> tuple[tuple[Layout, ...], tuple[TableProblem, ...]]:
    """Return the layouts that the joins may be, and where they branch as no layout does.

    A double with three tiles or more is the spinner. Otherwise each double with two tiles may be: one layout each. If
    there is none, the layout starts at its left-most tip. Of several chains the longest is taken, of several spinners
    those that leave fewest branches; at a branch the longer side is followed and the rest left out.

    Args:
        halves: pips of each tile; None for tiles whose face is not seen.
        joins: joins without loops, by index into `halves`.
        centre_mm: shape (n, 2), centres of the tiles in the table plane.
    """
    if not joins:
        seen = [pair for pair in halves if pair is not None]
        return ((Layout().put(Tile(*seen[0]), Arm.START, seen[0][0]),) if len(seen) == 1 else (), ())
    links = _links(joins)
    chain = _longest(links)
    doubles = [i for i in chain if halves[i] is not None and len(set(halves[i] or ())) == 1]
    spinners = sorted((i for i in doubles if len(links[i]) >= 3), key=lambda i: -len(links[i]))
    roots = spinners or [i for i in doubles if len(links[i]) == 2]
    walks = [_from_double(halves, links, root, centre_mm) for root in roots]
    if not walks:
        walks = [_from_tip(halves, links, chain, centre_mm)]
    fewest = min(len(walk.branches) for walk in walks)
    walks = [walk for walk in walks if len(walk.branches) == fewest]
    branches = sorted(walks[0].branches)
    problems = tuple(TableProblem("branch", (i, *(link[0] for link in links[i]))) for i in branches)
    return tuple(dict.fromkeys(walk.layout for walk in walks)), problems


def _links(joins: Sequence[Join]) -> dict[int, list[Link]]:
    links: dict[int, list[Link]] = {i: [] for i in parts_joined(joins)}
    for join in joins:
        links[join.a].append((join.b, join.a_part, join.b_part))
        links[join.b].append((join.a, join.b_part, join.a_part))
    return links


def _longest(links: dict[int, list[Link]]) -> list[int]:
    """Return the tiles of the largest connected group."""
    left, best = set(links), list[int]()
    while left:
        stack, group = [left.pop()], list[int]()
        while stack:
            tile = stack.pop()
            group.append(tile)
            fresh = [other for other, _, _ in links[tile] if other in left]
            left.difference_update(fresh)
            stack.extend(fresh)
        if len(group) > len(best):
            best = group
    return sorted(best)


def _from_double(
    halves: Sequence[tuple[int, int] | None], links: dict[int, list[Link]], root: int, centre_mm: F64Array
) -> _Walk:
    walk = _Walk(halves, links)
    walk.start(root, None)
    sides, ends = _main_line(links[root])
    sides.sort(key=lambda link: (centre_mm[link[0]][0], centre_mm[link[0]][1]))
    ends.sort(key=lambda link: (centre_mm[link[0]][1], centre_mm[link[0]][0]))
    for arm, link in zip((Arm.LEFT, Arm.RIGHT), sides, strict=False):
        walk.arm(arm, root, link)
    arms = (Arm.UP, Arm.DOWN)
    if len(ends) == 1 and centre_mm[ends[0][0]][1] > centre_mm[root][1]:
        arms = (Arm.DOWN, Arm.UP)
    for arm, link in zip(arms, ends, strict=False):
        walk.arm(arm, root, link)
    parts = [part for _, part, _ in links[root]]
    if len(ends) > 2 or parts.count("a") > 1 or parts.count("b") > 1:
        walk.branches.add(root)
    return walk


def _main_line(links: list[Link]) -> tuple[list[Link], list[Link]]:
    """Return the two links of a double that are the main line, its sides if both are covered, and the others."""
    by_part: dict[Part, list[Link]] = {"m": [], "a": [], "b": []}
    for link in links:
        by_part[link[1]].append(link)
    if len(by_part["m"]) >= 2:
        main = by_part["m"][:2]
    elif by_part["a"] and by_part["b"]:
        main = [by_part["a"][0], by_part["b"][0]]
    else:
        main = (by_part["m"] + by_part["a"] + by_part["b"])[:2]
    return main, [link for link in links if link not in main]


def _from_tip(
    halves: Sequence[tuple[int, int] | None], links: dict[int, list[Link]], chain: list[int], centre_mm: F64Array
) -> _Walk:
    tips = [i for i in chain if len(links[i]) == 1]
    root = min(tips, key=lambda i: (centre_mm[i][0], centre_mm[i][1]))
    walk = _Walk(halves, links)
    link = links[root][0]
    walk.start(root, "b" if link[1] == "a" else "a")
    walk.arm(Arm.RIGHT, root, link)
    return walk
