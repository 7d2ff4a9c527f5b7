"""Tiu-U's tiles: composition, pairs, points, rounding and payments."""

from __future__ import annotations

from typing import Any

import pytest

from domino_rules.games.tiu_u import TIU_U, opening_pairs
from domino_rules.games.tiu_u_rules import TWO_CHINESE, mates, pairs, red_pips, tile_addend, tile_score
from domino_rules.games.tiu_u_score import Catch, payments, rounded, settlement, winners
from domino_rules.state import Hand
from domino_rules.tile import Tile, parse_tiles

PILE = parse_tiles("6-3 5-4 4-4 5-3 4-1 3-2 4-2 2-1 6-6 6-6 1-1 1-1")


def test_two_sets_mixed() -> None:
    """There are 64 tiles of 21 patterns with 454 pips; together they count 592."""
    assert (len(TWO_CHINESE), len(TWO_CHINESE.kinds), TWO_CHINESE.pips) == (64, 21, 454)
    assert (TWO_CHINESE.copies(Tile(6, 4)), TWO_CHINESE.copies(Tile(6, 3)), TWO_CHINESE.copies(Tile(6, 0))) == (4, 2, 0)
    assert Catch.of(TWO_CHINESE) == Catch(544, 48)


@pytest.mark.parametrize(
    ("a", "b", "exclusive", "also"),
    [
        ("6-3", "5-4", True, True),
        ("4-4", "5-3", True, True),
        ("6-4", "6-4", True, True),
        ("6-6", "1-1", False, False),
        ("6-5", "6-6", False, False),
        ("4-2", "2-1", True, True),
        ("2-1", "4-2", True, True),
        ("4-2", "4-2", False, True),
        ("2-1", "2-1", False, True),
        ("4-2", "3-3", False, True),
        ("5-1", "4-2", False, True),
        ("2-1", "3-3", False, False),
        ("2-1", "1-1", False, False),
    ],
)
def test_pairs(a: str, b: str, exclusive: bool, also: bool) -> None:
    """Equal pips pair; 4-2 and 2-1 pair with each other, and by option with their ordinary mates too."""
    tiles = (Tile.parse(a), Tile.parse(b))
    assert pairs(*tiles, TIU_U.rules()) is exclusive
    assert pairs(*tiles, TIU_U.rules(supreme="also")) is also


def test_mates_keep_their_order_and_occur_once() -> None:
    """The mates of a tile are named in the order in which they lie, each kind once."""
    talon = parse_tiles("5-5 6-4 5-5 6-6")
    assert mates(Tile(6, 4), talon, TIU_U.rules()) == parse_tiles("5-5 6-4")


@pytest.mark.parametrize(
    ("tile", "red", "score", "code"),
    [
        ("6-6", 0, 24, "big_fish"),
        ("4-4", 8, 16, "big_fish"),
        ("6-1", 1, 1, "small_fish"),
        ("5-2", 0, 0, "small_fish"),
        ("4-3", 4, 4, "small_fish"),
        ("4-1", 5, 5, "small_fish"),
        ("1-1", 2, 2, "small_fish"),
    ],
)
def test_what_a_tile_counts(tile: str, red: int, score: int, code: str) -> None:
    """A big fish counts two a pip, a small one its red pips."""
    found = Tile.parse(tile)
    assert (red_pips(found), tile_score(found)) == (red, score)
    assert (tile_addend(found).code, tile_addend(found).value) == (code, score)


@pytest.mark.parametrize(
    ("points", "stays", "next_ten"), [(189, 190, 190), (181, 190, 190), (190, 190, 200), (191, 200, 200), (0, 0, 10)]
)
def test_rounding(points: int, stays: int, next_ten: int) -> None:
    """Points are rounded up to tens; an exact ten stays, or by option becomes the next."""
    assert rounded(points, TIU_U.rules()) == stays
    assert rounded(points, TIU_U.rules(round_exact="next_ten")) == next_ten


@pytest.mark.parametrize(
    ("options", "final"),
    [
        ({}, 130),
        ({"round_what": "small_only"}, 136),
        ({"round_exact": "next_ten"}, 140),
        ({"round_what": "small_only", "round_exact": "next_ten"}, 136),
    ],
)
def test_what_is_rounded(options: dict[str, Any], final: int) -> None:
    """The total is rounded, or by option the small fish alone."""
    catch = Catch.of(PILE)
    assert (catch.big, catch.small, catch.raw) == (116, 14, 130)
    assert catch.final(TIU_U.rules(**options)) == final


@pytest.mark.parametrize(
    ("finals", "tie_top", "best", "net"),
    [
        ({"A": 210, "B": 190}, "split", ("A",), {"A": 20, "B": -20}),
        ({"A": 190, "B": 190}, "split", ("A", "B"), {"A": 0, "B": 0}),
        ({"A": 230, "B": 190, "C": 200}, "split", ("A",), {"A": 70, "B": -40, "C": -30}),
        ({"A": 230, "B": 190, "C": 200}, "pay_each", ("A",), {"A": 70, "B": -40, "C": -30}),
        ({"A": 200, "B": 200, "C": 150}, "split", ("A", "B"), {"A": 25, "B": 25, "C": -50}),
        ({"A": 200, "B": 200, "C": 150}, "pay_each", ("A", "B"), {"A": 50, "B": 50, "C": -100}),
        ({"A": 150, "B": 200, "C": 200}, "split", ("B", "C"), {"A": -50, "B": 25, "C": 25}),
        ({"A": 100, "B": 100, "C": 100}, "split", ("A", "B", "C"), {"A": 0, "B": 0, "C": 0}),
    ],
)
def test_payments(finals: dict[str, int], tie_top: str, best: tuple[str, ...], net: dict[str, int]) -> None:
    """Each loser pays the winner the difference; the third pays two who tie once, shared, or each of them."""
    rules = TIU_U.rules(tie_top=tie_top)
    assert winners(finals) == best
    assert payments(finals, rules) == net
    for event in settlement(finals, rules):
        assert event.points == sum(addend.value for addend in event.evidence)
        assert {addend.player for addend in event.evidence} <= set(finals) - {event.side}


@pytest.mark.parametrize(
    ("hand", "laid", "left"),
    [("6-6 4-2 5-5", 0, 3), ("6-6 6-6 5-5", 2, 1), ("6-6 6-6 6-6 5-5", 2, 2), ("6-6 6-6 6-6 6-6", 4, 0)],
)
def test_pairs_of_6_6_are_laid_down(hand: str, laid: int, left: int) -> None:
    """Each pair of 6-6 that was dealt is laid down and not replaced."""
    pile, rest = opening_pairs(Hand.of(parse_tiles(hand)))
    assert (len(pile), rest.size) == (laid, left)
