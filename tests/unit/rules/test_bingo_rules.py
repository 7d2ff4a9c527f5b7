"""Bingo's rules of one trick: trump, points, taker, duties, and the parity guess."""

from __future__ import annotations

from typing import Any

import pytest

from domino_rules.errors import SetupError
from domino_rules.games.bingo import BINGO
from domino_rules.games.bingo_rules import (
    TRUMP_NUMBERS,
    is_unable,
    reply_duties,
    reply_takes,
    scores_for_reply,
    starter,
    tile_values,
    trump_number,
)
from domino_rules.games.trick import following
from domino_rules.tile import DOUBLE_SIX, Tile, parse_tiles

SEED = BINGO.rules()
CLASSIC = BINGO.rules(preset="classic")


@pytest.mark.parametrize(
    ("drawn", "guess", "first"),
    [("5-2", "odd", "B"), ("5-2", "even", "A"), ("0-0", "even", "B"), ("4-4", "odd", "A")],
)
def test_the_guesser_starts_if_he_is_right(drawn: str, guess: str, first: str) -> None:
    """A right guess of the parity lets the guesser start, a wrong one the drawer."""
    assert starter("A", "B", Tile.parse(drawn), guess) == first


def test_a_guess_is_even_or_odd() -> None:
    """Any other guess is refused with its text."""
    with pytest.raises(SetupError) as caught:
        starter("A", "B", Tile(5, 2), "maybe")
    assert (caught.value.code, caught.value.params["guess"]) == ("parity_guess", "maybe")


@pytest.mark.parametrize(
    ("turned_up", "seed", "classic"),
    [("5-2", 5, 5), ("6-6", 6, 6), ("0-0", 7, 7), ("5-0", 5, 7), ("1-0", 1, 7), ("1-1", 1, 1)],
)
def test_the_higher_half_is_trump(turned_up: str, seed: int, classic: int) -> None:
    """The tile turned up gives the trump number; a blank makes the blanks trump only where it counts seven."""
    tile = Tile.parse(turned_up)
    assert (trump_number(tile, SEED), trump_number(tile, CLASSIC)) == (seed, classic)


@pytest.mark.parametrize(
    ("options", "totals"),
    [
        ({}, (215, 213, 211, 209, 207, 205, 203)),
        ({"preset": "classic"}, (135, 138, 131, 134, 147, 140, 143)),
        ({"plain_points": "zero"}, (128, 131, 131, 127, 140, 133, 108)),
    ],
)
def test_points_in_the_pack(options: dict[str, Any], totals: tuple[int, ...]) -> None:
    """The points of the whole pack are those of the table of the rules, for each trump number."""
    rules = BINGO.rules(**options)
    found = tuple(sum(value.points for value in tile_values(trump, rules).values()) for trump in TRUMP_NUMBERS)
    assert found == totals


@pytest.mark.parametrize(
    ("tile", "trump", "options", "code", "points"),
    [
        ("5-5", 5, {}, "trump_double", 28),
        ("0-0", 7, {}, "trump_double", 28),
        ("0-0", 5, {}, "bingo", 14),
        ("6-4", 5, {}, "fixed_ten", 10),
        ("3-0", 3, {}, "fixed_ten", 10),
        ("3-0", 3, {"fixed_ten_first": False}, "trump", 3),
        ("3-0", 7, {"fixed_ten_first": False, "blank_value": 7}, "trump", 10),
        ("6-4", 1, {"fixed_ten_first": False}, "fixed_ten", 10),
        ("5-0", 5, {}, "trump", 5),
        ("5-0", 5, {"preset": "classic"}, "trump", 12),
        ("6-6", 5, {"preset": "classic"}, "double", 12),
        ("6-1", 5, {}, "plain", 7),
        ("6-1", 5, {"plain_points": "zero"}, "plain", 0),
        ("6-0", 5, {"blank_value": 7}, "plain", 13),
    ],
)
def test_what_a_tile_counts(tile: str, trump: int, options: dict[str, Any], code: str, points: int) -> None:
    """Each tile counts by the first rule that names it."""
    value = tile_values(trump, BINGO.rules(**options))[Tile.parse(tile)]
    assert (value.code, value.points) == (code, points)


@pytest.mark.parametrize(
    ("lead", "reply", "trump", "phase", "options", "takes"),
    [
        ("5-2", "6-1", 4, 1, {}, True),
        ("5-2", "6-1", 4, 1, {"preset": "classic"}, False),
        ("5-2", "6-1", 4, 1, {"preset": "classic", "tie": "replier"}, True),
        ("6-2", "6-5", 4, 1, {}, False),
        ("6-2", "6-5", 4, 1, {"tie": "replier"}, True),
        ("6-2", "6-5", 4, 1, {"rank_phase1": "sum"}, True),
        ("6-5", "6-0", 4, 1, {}, False),
        ("6-5", "6-0", 4, 1, {"preset": "classic"}, True),
        ("6-5", "1-0", 4, 1, {"blank_value": 7}, True),
        ("6-6", "2-1", 2, 1, {}, True),
        ("2-1", "6-6", 2, 1, {}, False),
        ("4-1", "4-3", 4, 1, {}, True),
        ("6-5", "5-5", 5, 1, {}, True),
        ("5-5", "6-5", 5, 1, {}, False),
        ("6-5", "5-5", 5, 1, {"trump_double_top": False}, False),
        ("5-5", "6-5", 5, 2, {"trump_double_top": False}, True),
        ("4-4", "0-0", 4, 1, {}, True),
        ("0-0", "4-4", 4, 1, {}, False),
        ("0-0", "4-4", 4, 2, {}, False),
        ("6-1", "6-3", 2, 2, {}, True),
        ("6-3", "6-1", 2, 2, {}, False),
        ("2-1", "6-5", 4, 2, {}, False),
        ("2-1", "4-0", 4, 2, {}, True),
        ("5-4", "0-0", 2, 2, {}, True),
        ("6-6", "1-0", 7, 1, {}, True),
        ("3-0", "5-0", 7, 1, {}, True),
    ],
)
def test_who_takes(lead: str, reply: str, trump: int, phase: int, options: dict[str, Any], takes: bool) -> None:
    """BINGO, then trump, then the plain ranking of the phase decide; a reply that does not match loses in phase 2."""
    assert reply_takes(Tile.parse(lead), Tile.parse(reply), trump, phase, BINGO.rules(**options)) is takes


@pytest.mark.parametrize(
    ("lead", "reply", "trump", "takes", "scores"),
    [
        ("4-4", "0-0", 4, True, False),
        ("0-0", "4-4", 4, False, True),
        ("5-5", "0-0", 4, True, True),
        ("0-0", "6-5", 7, False, False),
        ("6-5", "0-0", 7, True, True),
        ("6-4", "4-4", 4, True, True),
    ],
)
def test_bingo_leaves_the_points_to_the_trump_double(
    lead: str, reply: str, trump: int, takes: bool, scores: bool
) -> None:
    """The taker scores, but for BINGO against the trump double."""
    assert scores_for_reply(Tile.parse(lead), Tile.parse(reply), trump, takes=takes) is scores


@pytest.mark.parametrize(
    ("lead", "hand", "trump", "options", "legal"),
    [
        ("5-4", "5-1 2-1 6-6", 2, {}, "5-1"),
        ("5-4", "2-1 6-6", 2, {}, "2-1"),
        ("5-4", "2-1 0-0", 2, {}, "2-1 0-0"),
        ("5-4", "0-0 6-6", 2, {}, "0-0"),
        ("5-4", "0-0 6-6", 2, {"bingo_as_trump": False}, "0-0 6-6"),
        ("5-4", "6-6 3-1", 2, {}, "6-6 3-1"),
        ("5-4", "5-1 0-0", 2, {}, "5-1"),
        ("5-4", "5-1 4-3", 2, {"follow": "high_then_low"}, "5-1"),
        ("5-4", "4-3 2-1", 2, {"follow": "high_then_low"}, "4-3"),
        ("3-0", "3-1 1-0", 2, {"follow": "high_then_low"}, "3-1"),
        ("3-0", "3-1 1-0", 2, {"follow": "high_then_low", "blank_value": 7}, "1-0"),
        ("6-0", "0-0 3-3", 2, {}, "0-0"),
    ],
)
def test_what_may_be_replied(lead: str, hand: str, trump: int, options: dict[str, Any], legal: str) -> None:
    """Phase 2 asks for a match, then for a trump, then for anything."""
    duties = reply_duties(Tile.parse(lead), trump, 2, BINGO.rules(**options))
    assert tuple(following(duties, parse_tiles(hand))) == parse_tiles(legal)


def test_phase_1_asks_nothing_of_the_reply() -> None:
    """While the stock is open replies are free."""
    assert reply_duties(Tile(5, 4), 2, 1, SEED) == ()


@pytest.mark.parametrize(
    ("reply", "phase", "unable"),
    [("6-6", 2, True), ("5-1", 2, False), ("2-1", 2, False), ("0-0", 2, False), ("6-6", 1, False)],
)
def test_who_was_unable(reply: str, phase: int, unable: bool) -> None:
    """A reply that neither matches nor trumps in phase 2 was unable; BINGO never is."""
    assert is_unable(Tile(5, 4), Tile.parse(reply), 2, phase, SEED) is unable


def second_reading(tile: Tile, lead: Tile, trump: int, phase: int, classic: bool) -> tuple[int, int]:
    """Return how a tile ranks in a trick, written down anew: the reply takes it if it ranks above the lead."""
    blank, number = (7 if classic else 0), (0 if trump == 7 else trump)
    halves = [half or blank for half in tile.halves]
    if tile.halves == (0, 0):
        return (4, 0)
    if tile.halves == (number, number):
        return (3, 0)
    if number in tile.halves:
        return (2, sum(halves))
    if phase == 2:
        return (1, sum(halves)) if set(tile.halves) & set(lead.halves) else (0, 0)
    return (1, sum(halves) if classic else max(halves))


@pytest.mark.parametrize("preset", ["seed", "classic"])
@pytest.mark.parametrize("phase", [1, 2])
def test_all_tricks_agree_with_a_second_reading(preset: str, phase: int) -> None:
    """Every pair of tiles under every trump number is taken as by an independent ranking."""
    rules = BINGO.rules(preset=preset)
    for trump in TRUMP_NUMBERS:
        for lead in DOUBLE_SIX:
            for reply in DOUBLE_SIX.without([lead]):
                ranks = [second_reading(tile, lead, trump, phase, preset == "classic") for tile in (lead, reply)]
                assert reply_takes(lead, reply, trump, phase, rules) is (ranks[1] > ranks[0]), (lead, reply, trump)
