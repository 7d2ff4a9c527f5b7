"""Counts of Cincos, and what the end of a hand is worth."""

from __future__ import annotations

from typing import Any

import pytest

from domino_rules.errors import SetupError
from domino_rules.games.cincos import CINCOS, HandEnd, count, count_addends, hand_end, round5, scored_plays
from domino_rules.layout import Arm, Layout
from domino_rules.tile import Tile, parse_tiles

ALONE = {"A": ("A",), "B": ("B",), "C": ("C",)}
PAIRS = {"AC": ("A", "C"), "BD": ("B", "D")}


def end(kind: str, hands: dict[str, str], sides: dict[str, tuple[str, ...]], **options: Any) -> HandEnd:
    """Return the end of a hand; the player without tiles went out."""
    out = next((player for player, text in hands.items() if not text), None) if kind == "domino" else None
    remaining = {player: parse_tiles(text) for player, text in hands.items()}
    return hand_end(kind, remaining, sides, CINCOS.rules(**options), out)


def test_a_count_can_be_shown_as_a_sum() -> None:
    """One addend for each tip that carries a tile: 6 + 4 + 5 = 15."""
    layout = Layout.parse("6-5 R:5-5 R:5-4 U:5-0 U:0-5")
    addends = count_addends(layout)
    assert [(a.code, a.value, str(a.tile), str(a.arm)) for a in addends] == [
        ("tip", 6, "6-5", "L"), ("tip", 4, "5-4", "R"), ("tip", 5, "5-0", "U"),
    ]  # fmt: skip
    assert count(layout) == 15


def test_a_double_at_a_tip_counts_both_halves() -> None:
    """The evidence names a double as such."""
    assert [(a.code, a.value) for a in count_addends(Layout.parse("6-6 R:6-3"))] == [("tip_double", 12), ("tip", 3)]


@pytest.mark.parametrize(("option", "points"), [("both_halves_once", 10), ("once", 5), ("each_end", 20)])
def test_a_lone_double_has_three_readings(option: str, points: int) -> None:
    """A lone 5-5 counts 10, by some houses 5 or 20. Source: RULES C1."""
    assert count(Layout.parse("5-5"), CINCOS.rules(lone_spinner_counts=option)) == points
    assert count(Layout()) == 0


@pytest.mark.parametrize(("pips", "rounded"), [(0, 0), (2, 0), (3, 5), (12, 10), (13, 15), (42, 40), (43, 45)])
def test_rounding(pips: int, rounded: int) -> None:
    """Points are rounded to the nearest five. Source: seed 003 l.34."""
    assert round5(pips) == rounded


def test_the_best_play_comes_first() -> None:
    """Every legal play of a hand is listed with the count it would leave and its points."""
    plays = scored_plays(Layout.parse("5-5 R:5-2 L:5-3"), parse_tiles("5-1 5-0 3-2 6-6 5-2"))
    assert [(str(p.tile), p.arm, p.count, p.points) for p in plays] == [
        ("5-0", Arm.UP, 5, 5), ("5-0", Arm.DOWN, 5, 5), ("5-1", Arm.UP, 6, 0), ("5-1", Arm.DOWN, 6, 0),
        ("3-2", Arm.LEFT, 4, 0), ("3-2", Arm.RIGHT, 6, 0),
    ]  # fmt: skip
    assert all(sum(addend.value for addend in play.addends) == play.count for play in plays)


def test_any_tile_may_be_led() -> None:
    """On an empty table every tile is a play, and a 5-5 would score 10."""
    plays = scored_plays(Layout(), [Tile(5, 5), Tile(6, 5), Tile(5, 5)])
    assert [(str(p.tile), p.arm, p.points) for p in plays] == [("5-5", Arm.START, 10), ("6-5", Arm.START, 0)]


def test_the_order_in_which_the_tiles_were_laid_does_not_matter() -> None:
    """A picture shows a layout without its history; two orders that leave the same table offer the same plays."""
    hand = parse_tiles("5-1 3-2 6-3 5-0")
    one, other = Layout.parse("5-5 R:5-2 L:5-3 R:2-6"), Layout.parse("5-5 L:5-3 R:5-2 R:2-6")
    assert scored_plays(one, hand) == scored_plays(other, hand)


def test_the_evidence_of_a_domino_shows_the_rounding() -> None:
    """Going out scores the others' tiles, rounded, and the evidence adds up."""
    result = end("domino", {"A": "", "B": "6-4 2-1", "C": "1-0"}, ALONE)
    event = result.events[0]
    assert [(a.code, a.value, a.player) for a in event.evidence] == [
        ("tile_left", 10, "B"), ("tile_left", 3, "B"), ("tile_left", 1, "C"), ("rounding", 1, None),
    ]  # fmt: skip
    assert (event.reason, event.points, event.player, result.raw) == ("domino", 15, "A", 14)


def test_the_evidence_of_a_block_takes_the_own_tiles_away() -> None:
    """The lightest side scores the difference. Source: seed 003 l.35."""
    result = end("block", {"A": "5-4", "B": "6-6 6-3"}, {"A": ("A",), "B": ("B",)})
    codes = [(a.code, a.value) for a in result.events[0].evidence]
    assert codes == [("tile_left", 12), ("tile_left", 9), ("own_tile_left", -9), ("rounding", -2)]
    assert (result.side, result.raw, result.points) == ("A", 12, 10)


@pytest.mark.parametrize(
    ("hands", "sides", "options", "side", "points"),
    [
        ({"A": "4-1", "B": "5-4", "C": "6-6 1-1"}, ALONE, {}, "A", 20),
        ({"A": "4-1", "B": "5-4", "C": "6-6 1-1"}, ALONE, {"block_multi": "pairwise_sum"}, "A", 15),
        ({"A": "4-1", "B": "5-4", "C": "6-6 1-1"}, ALONE, {"block_multi": "next_lowest"}, "A", 5),
        ({"A": "4-1", "B": "5-4", "C": "6-6 1-1"}, ALONE, {"block_score": "opponents_total"}, "A", 25),
        ({"A": "4-1", "B": "5-3", "C": "6-6"}, ALONE, {"block_multi": "pairwise_sum", "round_scope": "each"}, "A", 10),
        ({"A": "4-1", "B": "3-2", "C": "6-6"}, ALONE, {}, None, 0),
        ({"A": "4-1", "B": "3-2", "C": "6-6 1-1"}, ALONE, {"block_tie": "split"}, None, 10),
        ({"A": "2-0", "B": "2-1", "C": "1-0", "D": "0-0"}, PAIRS, {}, None, 0),
        ({"A": "6-0", "B": "2-1", "C": "6-6", "D": "0-0"}, PAIRS, {}, "BD", 15),
    ],
)
def test_blocks(
    hands: dict[str, str], sides: dict[str, tuple[str, ...]], options: dict[str, str], side: str | None, points: int
) -> None:
    """Blocks with two and three sides, by every option. Source: RULES C7 to C10."""
    result = end("block", hands, sides, **options)
    assert (result.side, result.points) == (side, points)
    for event in result.events:
        assert event.points == sum(addend.value for addend in event.evidence)


def test_a_partner_is_left_out_or_counted() -> None:
    """The tiles of the partner of the player who went out are ignored, unless the house counts them. Source: C11."""
    hands = {"A": "", "B": "6-1", "C": "6-6", "D": "4-2"}
    assert end("domino", hands, PAIRS).points == 15
    assert end("domino", hands, PAIRS, partner_tiles="counted").points == 25


def test_each_hand_may_be_rounded_alone() -> None:
    """With round_scope=each two hands of 12 make 10 + 10. Source: RULES C7."""
    hands = {"A": "", "B": "6-4 1-1", "C": "6-6"}
    assert (end("domino", hands, ALONE).points, end("domino", hands, ALONE, round_scope="each").points) == (25, 20)


@pytest.mark.parametrize(
    ("kind", "hands"),
    [("domino", {"A": "", "B": ""}), ("block", {"A": "", "B": "6-6"}), ("block", {"A": "6-6", "B": "6-6"}), ("x", {})],
)
def test_what_cannot_be_is_refused(kind: str, hands: dict[str, str]) -> None:
    """Empty hands that do not match the kind, or a tile twice, are `inconsistent_state`."""
    with pytest.raises(SetupError) as caught:
        end(kind, hands, {"A": ("A",), "B": ("B",)})
    assert caught.value.code == "inconsistent_state"
