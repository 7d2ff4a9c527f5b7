"""What a hand of Pińćset scores, and the tiles that prove it."""

from __future__ import annotations

from typing import Any

import pytest

from domino_rules.errors import SetupError
from domino_rules.games.pincset import PINCSET
from domino_rules.games.pincset_score import HandScore, LastTile, Remaining, is_capicu, is_chuchazo, score_hand
from domino_rules.layout import Arm
from domino_rules.state import HandContext
from domino_rules.tile import Tile, parse_tiles

SIDES = PINCSET.sides("ABCD", PINCSET.rules())


def left(**hands: str) -> dict[str, tuple[Tile, ...]]:
    """Return the tiles left with each player."""
    return {player: parse_tiles(text) for player, text in hands.items()}


def domino(last: str, ends: tuple[int, int], index: int = 9, **options: Any) -> HandScore:
    """Return the score of a hand that A won by domino with 12 pips left at the others."""
    hands = left(A="", B="4-3", C="3-1", D="1-0")
    context = HandContext(index=index)
    return score_hand("domino", hands, SIDES, PINCSET.rules(**options), context, LastTile("A", Tile.parse(last), ends))


def test_the_example_of_the_seed() -> None:
    """13 against 6 pips: the lighter pair scores all 19. Source: seed 000 l.22-27."""
    score = score_hand("block", left(A="1-0 2-3", B="0-0", C="6-1", D="3-3"), SIDES, context=HandContext(index=6))
    assert (score.side, dict(score.pips), score.points("base")) == ("BD", {"AC": 13, "BD": 6}, 19)


def test_the_evidence_names_every_tile_and_its_holder() -> None:
    """The base can be shown as a sum of tiles."""
    base = domino("6-5", (6, 2)).events[0]
    assert [(str(a.tile), a.value, a.player) for a in base.evidence] == [
        ("4-3", 7, "B"), ("3-1", 4, "C"), ("1-0", 1, "D"),
    ]  # fmt: skip
    assert base.points == sum(addend.value for addend in base.evidence) == 12


@pytest.mark.parametrize(("index", "premium"), [(1, 100), (2, 75), (3, 50), (4, 25), (5, 0), (40, 0)])
def test_the_premium_falls_with_the_number_of_the_hand(index: int, premium: int) -> None:
    """A hand won by domino earns 100, 75, 50, 25 and then nothing. Source: seed 000 l.17."""
    assert domino("6-5", (6, 2), index).points("premium") == premium


def test_capicu_and_its_ends() -> None:
    """A non-double that fitted both ends earns 100, and the evidence names both ends. Source: seed 000 l.19."""
    score = domino("6-5", (6, 5))
    event = next(event for event in score.events if event.reason == "capicu")
    assert (event.points, [addend.arm for addend in event.evidence]) == (100, [None, Arm.LEFT, Arm.RIGHT])


@pytest.mark.parametrize(
    ("tile", "ends", "capicu", "chuchazo"),
    [
        ("6-5", (6, 5), True, False),
        ("5-3", (5, 5), True, False),
        ("5-5", (5, 5), False, False),
        ("6-5", (6, 4), False, False),
        ("0-0", (0, 4), False, True),
        ("0-0", (0, 0), False, False),
    ],
)
def test_capicu_and_chuchazo_exclude_each_other(tile: str, ends: tuple[int, int], capicu: bool, chuchazo: bool) -> None:
    """Chuchazo is 0-0 at exactly one end, capicú a non-double at both. Source: seed 000 l.18-19."""
    last = LastTile("A", Tile.parse(tile), ends)
    assert (is_capicu(last), is_chuchazo(last)) == (capicu, chuchazo)


def test_capicu_may_need_two_different_ends() -> None:
    """With capicu_equal_ends=false a 5-3 at ends 5 and 5 is none. Source: RULES A5."""
    assert domino("5-4", (5, 5), capicu_equal_ends=False).points("capicu") == 0
    assert domino("5-4", (5, 5)).points("capicu") == 100


def test_only_the_opponents_tiles_may_count() -> None:
    """With count_remaining=opponents the winners' own tiles are left out. Source: RULES A1."""
    assert domino("6-5", (6, 2), count_remaining="opponents").points("base") == 8


def test_the_first_block_pays_once() -> None:
    """The first win on points of the match earns 100, the next does not. Source: seed 000 l.20."""
    hands = left(A="1-0", B="6-6", C="1-1", D="5-5")
    fresh = score_hand("block", hands, SIDES, context=HandContext(facts={"first_block_used": ()}))
    used = score_hand("block", hands, SIDES, context=HandContext(facts={"first_block_used": ("BD",)}))
    assert (fresh.points("first_block"), used.points("first_block")) == (100, 0)
    rules = PINCSET.rules(first_block_per="pair")
    each = score_hand("block", hands, SIDES, rules, HandContext(facts={"first_block_used": ("BD",)}))
    assert each.points("first_block") == 100


def test_a_tie_scores_nothing() -> None:
    """Equal pips: nobody scores. Source: seed 000 l.21."""
    score = score_hand("block", left(A="3-2", B="0-0", C="6-1", D="6-6"), SIDES)
    assert (score.kind, score.side, score.events) == ("tie", None, ())


def test_tiles_of_an_unknown_holder_still_count() -> None:
    """Who holds a tile does not matter to a base that counts all four hands."""
    remaining = Remaining(left(A="", B="4-3"), parse_tiles("3-1 1-0"))
    last = LastTile("A", Tile(6, 5), (6, 2))
    assert score_hand("domino", remaining, SIDES, context=HandContext(index=9), last=last).points() == 12


@pytest.mark.parametrize(
    ("kind", "hands", "last"),
    [
        ("domino", {"A": "", "B": "6-6", "C": "3-3", "D": ""}, LastTile("D", Tile(6, 5), (5, 6))),
        ("domino", {"A": "", "B": "6-6", "C": "3-3", "D": "1-1"}, LastTile("A", Tile(6, 5), (4, 3))),
        ("domino", {"A": "", "B": "6-5", "C": "3-3", "D": "1-1"}, LastTile("A", Tile(6, 5), (6, 3))),
        ("domino", {"A": "", "B": "6-6", "C": "3-3", "D": "1-1"}, None),
        ("block", {"A": "", "B": "6-6", "C": "3-3", "D": "1-1"}, None),
        ("block", {"A": "6-6", "B": "6-6", "C": "3-3", "D": "1-1"}, None),
        ("block", {"A": "9-9", "B": "6-6", "C": "3-3", "D": "1-1"}, None),
        ("block", {"A": "5-5", "B": "6-6", "C": "3-3", "E": "1-1"}, None),
        ("block", {"A": "5-5 0-0 1-0 2-0 3-0 4-0 5-0 6-0", "B": "6-6", "C": "3-3", "D": "1-1"}, None),
        ("points", {"A": "5-5", "B": "6-6", "C": "3-3", "D": "1-1"}, None),
    ],
)
def test_what_cannot_be_is_refused(kind: str, hands: dict[str, str], last: LastTile | None) -> None:
    """Two empty hands, a tile twice, eight tiles held or a last tile that fits nowhere are `inconsistent_state`."""
    with pytest.raises(SetupError) as caught:
        score_hand(kind, left(**hands), SIDES, last=last)
    assert caught.value.code == "inconsistent_state"
