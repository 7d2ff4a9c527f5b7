"""The open-end count of a chain, straight from its joins; the same function serves label and reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from domino_vision.types import Join, Part


def parts_joined(joins: Iterable[Join]) -> dict[int, Counter[Part]]:
    """Return how often each part of each joined tile is joined."""
    parts: dict[int, Counter[Part]] = {}
    for join in joins:
        parts.setdefault(join.a, Counter())[join.a_part] += 1
        parts.setdefault(join.b, Counter())[join.b_part] += 1
    return parts


def tip_value(a: int, b: int, parts: Counter[Part]) -> int:
    """Return what a tile of the chain adds to the count.

    A double adds both halves while it is joined at one place at most, then nothing: an end of a line, or a spinner with
    both sides covered. It does not matter whether it lies crosswise. Another tile adds each half whose end is free; one
    that is joined crosswise on both long sides (a rule-breaking place for it) adds nothing.
    Source: RULES 4.1.

    Args:
        a: pips of the first half.
        b: pips of the second half.
        parts: how often each part of the tile is joined.
    """
    if a == b:
        return 2 * a if parts.total() <= 1 else 0
    if parts["m"] >= 2:
        return 0
    return (0 if parts["a"] else a) + (0 if parts["b"] else b)


def open_end_count(halves: Sequence[tuple[int, int] | None], joins: Iterable[Join]) -> int | None:
    """Return the sum of what lies open at the tips of the chain, legal or not; None without a chain.

    The chain is made of the joined tiles. Where nothing is joined, a tile that lies there alone is the chain.

    Args:
        halves: pips of each tile; None for tiles whose face is not seen.
        joins: the joins of the chain, by index into `halves`.
    """
    parts = parts_joined(joins)
    if not parts:
        seen = [pair for pair in halves if pair is not None]
        return tip_value(*seen[0], Counter()) if len(seen) == 1 else None
    pairs = ((halves[index], joined) for index, joined in parts.items())
    return sum(tip_value(*pair, joined) for pair, joined in pairs if pair is not None)
