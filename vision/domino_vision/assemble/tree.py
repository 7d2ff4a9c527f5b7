"""Sums over trees of joined tiles: what each tile shows, given all the others.

Tables hold a weight for each ordered pair of pips of a tile; messages hold a weight for each value at a joined part.
Source: Pearl, Probabilistic Reasoning in Intelligent Systems, chapter 4 (belief propagation on trees).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from domino_vision.types import F64Array, Join, Part

_TINY: Final = 1e-300


def part_value(halves: tuple[int, int], part: Part) -> int:
    """Return the pips at a part of a tile; at the middle of a long side, the first half's."""
    return halves[1] if part == "b" else halves[0]


class JoinTree:
    """The joins as rooted trees, with sums over them."""

    def __init__(self, joins: Sequence[Join], count: int, equal: F64Array) -> None:
        """Root the trees.

        Args:
            joins: the joins by tile index; they form no loop.
            count: how many tiles there are, joined or not.
            equal: shape (K, K) symmetric, weight of two values at the two sides of a join.
        """
        self.joins = tuple(joins)
        self.count = count
        self.equal = equal
        self.parent: list[tuple[int, Part, Part] | None] = [None] * count
        """Of each tile: its parent, the parent's part and its own part."""
        self.up_join: list[int] = [-1] * count
        self.order: list[int] = []
        self._root_all()

    def _root_all(self) -> None:
        links: list[list[tuple[int, Part, Part, int]]] = [[] for _ in range(self.count)]
        for k, join in enumerate(self.joins):
            links[join.a].append((join.b, join.a_part, join.b_part, k))
            links[join.b].append((join.a, join.b_part, join.a_part, k))
        seen = [False] * self.count
        for start in range(self.count):
            stack = [] if seen[start] else [start]
            seen[start] = True
            while stack:
                tile = stack.pop()
                self.order.append(tile)
                for other, own, others, k in links[tile]:
                    if not seen[other]:
                        seen[other] = True
                        self.parent[other] = (tile, own, others)
                        self.up_join[other] = k
                        stack.append(other)

    def messages(self, tables: NDArray[Any], *, best: bool = False) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
        """Return tables with all children multiplied in, and each tile's message to its parent.

        Args:
            tables: shape (n, ..., K, K) weights.
            best: maximise instead of summing.
        """
        full = list(tables)
        up: list[NDArray[Any]] = [np.ones(0)] * self.count
        for tile in reversed(self.order):
            link = self.parent[tile]
            if link is None:
                continue
            parent, parent_part, own_part = link
            values = _by_value(full[tile], own_part, best=best)
            message = (values[..., None, :] * self.equal).max(-1) if best else values @ self.equal
            message = message / max(float(np.abs(message).max()), _TINY)
            up[tile] = message
            full[parent] = full[parent] * _spread(message, parent_part)
        return full, up

    def sums(self, tables: F64Array) -> tuple[F64Array, tuple[float, ...]]:
        """Return exact marginals of the tiles (n, K, K), and for each join the probability that its halves match."""
        full, up = self.messages(tables)
        match_p = [1.0] * len(self.joins)
        for tile in self.order:
            link = self.parent[tile]
            if link is not None:
                parent, parent_part, own_part = link
                rest = _by_value(full[parent] / np.maximum(_spread(up[tile], parent_part), _TINY), parent_part)
                joint = rest[:, None] * self.equal * _by_value(full[tile], own_part)
                match_p[self.up_join[tile]] = float(np.trace(joint) / max(float(joint.sum()), _TINY))
                down = rest @ self.equal
                full[tile] = full[tile] * _spread(down / max(float(down.max()), _TINY), own_part)
            full[tile] = full[tile] / max(float(full[tile].sum()), _TINY)
        return np.array(full), tuple(match_p)

    def likeliest(self, tables: F64Array) -> list[tuple[int, int]]:
        """Return the likeliest values of all tiles together."""
        full, _ = self.messages(tables, best=True)
        states: list[tuple[int, int]] = [(0, 0)] * self.count
        for tile in self.order:
            table = full[tile]
            link = self.parent[tile]
            if link is not None:
                table = table * _spread(self.equal[part_value(states[link[0]], link[1])], link[2])
            first, second = divmod(int(np.argmax(table)), table.shape[1])
            states[tile] = (first, second)
        return states

    def neighbours(self) -> list[list[tuple[int, Part, Part]]]:
        """Return for each tile what it is joined to: the other tile, one's own part, the other's part."""
        found: list[list[tuple[int, Part, Part]]] = [[] for _ in range(self.count)]
        for join in self.joins:
            found[join.a].append((join.b, join.a_part, join.b_part))
            found[join.b].append((join.a, join.b_part, join.a_part))
        return found


def _by_value(table: NDArray[Any], part: Part, *, best: bool = False) -> NDArray[Any]:
    """Return the weight of each value at a part of a tile: sum or maximum over what the rest of the tile may be."""
    if part == "m":
        diagonal = np.diagonal(table, axis1=-2, axis2=-1)
        rest = table * (1 - np.eye(table.shape[-1]))
        plain = rest.max((-1, -2)) if best else rest.sum((-1, -2)) / table.shape[-1]
        return np.asarray(diagonal + plain[..., None] if not best else np.maximum(diagonal, plain[..., None]))
    axis = -1 if part == "a" else -2
    return np.asarray(table.max(axis) if best else table.sum(axis))


def _spread(message: NDArray[Any], part: Part) -> NDArray[Any]:
    """Return a message over values as a factor on ordered pairs, (..., K, K)."""
    if part == "a":
        return np.asarray(message[..., :, None])
    if part == "b":
        return np.asarray(message[..., None, :])
    pips = message.shape[-1]
    eye = np.eye(pips)
    return np.asarray(message[..., :, None] * eye + message.mean(-1)[..., None, None] * (1 - eye))
