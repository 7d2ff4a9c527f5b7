"""A new tile that is hard to read: what the rules leave, what is asked, what an answer means."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from domino_server.referee import Reading, SeenTile, Sight
from domino_server.referee.unsure import AGAIN, RIGHT, UnsureTile


def sight(p: float, *others: tuple[tuple[int, int], float]) -> Sight:
    """Return a sight of a 6-4 read with a probability, and other ways to read it."""
    ways = tuple(Reading(halves, q) for halves, q in others)
    return Sight((SeenTile((6, 4), (0.0, 0.0), (0.0, -12.0), confidence=p, others=ways),))


def two(p: float, q: float) -> Sight:
    """Return a sight of a 6-4 or 4-0, and beside it a 5-4 that is read with a probability, or a 5-0."""
    beside = SeenTile((5, 4), (60.0, 0.0), (60.0, -12.0), confidence=p, others=(Reading((5, 0), q),))
    return Sight((*sight(0.5, ((0, 4), 0.48)).tiles, beside))


def only(*legal: tuple[int, int]) -> Callable[[Sight], bool]:
    return lambda seen: seen.tiles[0].halves in legal


def test_all_ways_that_are_legal_are_offered() -> None:
    """The likeliest is right; the others are answers of their own, and it may be looked at again."""
    tile = UnsureTile.of(0, sight(0.5, ((0, 4), 0.35), ((4, 4), 0.05)), only((6, 4), (0, 4)))
    assert tile.question is not None
    assert [(choice.key, choice.text) for choice in tile.question.choices] == [
        (RIGHT, "6-4"), ("0|4", "4-0"), (AGAIN, "look again"),
    ]  # fmt: skip
    assert tile.told("0|4") == (0, 4)
    assert tile.told("4|4") is None
    assert tile.settled is None


def test_the_rules_settle_what_they_alone_leave() -> None:
    """Of two readings that explain nearly everything the legal one is taken; not if much is read otherwise."""
    assert UnsureTile.of(0, sight(0.5, ((0, 4), 0.47)), only((0, 4))).settled == (0, 4)
    assert UnsureTile.of(0, sight(0.5, ((0, 4), 0.3)), only((0, 4))).settled is None
    assert UnsureTile.of(0, sight(0.85, ((0, 4), 0.14)), only((0, 4))).settled is None


@pytest.mark.parametrize(("p", "illegal"), [(0.7, True), (0.4, False)])
def test_a_tile_that_breaks_a_rule_whatever_it_is_is_no_question(p: float, *, illegal: bool) -> None:
    """Nothing legal among nearly all that it can be: it is judged; otherwise one waits."""
    tile = UnsureTile.of(0, sight(p, ((0, 4), 0.22)), only())
    assert (tile.question, tile.settled, tile.illegal) == (None, None, illegal)


def test_a_tile_is_settled_by_no_misreading_beside_it() -> None:
    """A way to read it is legal if it is so with any reading of another tile in doubt."""

    def alike(seen: Sight) -> bool:
        return (seen.tiles[0].halves, seen.tiles[1].halves) in {((6, 4), (5, 4)), ((0, 4), (5, 0))}

    assert UnsureTile.of(0, two(0.5, 0.48), alike).settled == (6, 4)
    tile = UnsureTile.of(0, two(0.5, 0.48), alike, beside=(1,))
    assert tile.settled is None
    assert tile.question is not None
    assert [choice.key for choice in tile.question.choices] == [RIGHT, "0|4", AGAIN]


@pytest.mark.parametrize(("p", "illegal"), [(0.5, True), (0.3, False)])
def test_two_tiles_break_a_rule_only_if_both_are_known(p: float, *, illegal: bool) -> None:
    """Where the other one may be anything, it may be that which makes all legal; of many nothing is known at all."""
    assert UnsureTile.of(0, two(p, 0.48), only(), beside=(1,)).illegal is illegal
    many = Sight(two(p, 0.48).tiles * 4)
    assert not UnsureTile.of(0, many, only(), beside=tuple(range(1, 8))).illegal
