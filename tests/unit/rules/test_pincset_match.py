"""Matches of Pińćset: premiums by hand, openers, targets, series."""

from __future__ import annotations

from typing import Any

import pytest

from domino_rules.errors import SetupError
from domino_rules.games.pincset import PINCSET
from domino_rules.games.pincset_match import Standing, game_winner, openers
from domino_rules.state import HandResult

SEATS = ("A", "B", "C", "D")
SIDES = PINCSET.sides(SEATS, PINCSET.rules())


def after(*hands: tuple[str, str | None, int], **options: Any) -> Standing:
    """Return the standing after told hands."""
    rules = PINCSET.rules(**options)
    results: list[HandResult] = []
    for kind, side, base in hands:
        context = PINCSET.next_context(SEATS, rules, results)
        results.append(PINCSET.told_result(kind, side, base, rules, context))
    return PINCSET.standing(SEATS, rules, results)


HANDS = (("block", "BD", 40), ("domino", "AC", 30), ("domino", "AC", 20), ("block", "AC", 50), ("domino", "BD", 10))


@pytest.mark.parametrize(
    ("premium_by", "totals"),
    [
        ("hand_index", {"AC": 225, "BD": 150}),
        ("domino_count", {"AC": 275, "BD": 200}),
        ("domino_count_per_pair", {"AC": 275, "BD": 250}),
    ],
)
def test_the_premium_ladder_has_three_readings(premium_by: str, totals: dict[str, int]) -> None:
    """The same hands give different totals by hand, by dominoes, and by each pair's dominoes. Source: RULES A2."""
    assert dict(after(*HANDS, premium_by=premium_by).totals) == totals


def test_a_tie_may_leave_the_ladder_alone() -> None:
    """A tied hand counts as a hand, unless the house replays it. Source: RULES A3."""
    hands = (("tie", None, 0), ("domino", "AC", 30))
    assert after(*hands).totals["AC"] == 105
    assert after(*hands, tie_advances_index=False).totals["AC"] == 130


def test_the_first_block_of_each_pair_may_pay() -> None:
    """With first_block_per=pair each pair earns the premium once. Source: RULES A4."""
    hands = (("block", "AC", 10), ("block", "BD", 10), ("block", "BD", 10))
    assert dict(after(*hands).totals) == {"AC": 110, "BD": 20}
    assert dict(after(*hands, first_block_per="pair").totals) == {"AC": 110, "BD": 120}


@pytest.mark.parametrize(
    ("totals", "options", "winner"),
    [
        ({"AC": 500, "BD": 0}, {}, "AC"),
        ({"AC": 500, "BD": 0}, {"target_inclusive": False}, None),
        ({"AC": 520, "BD": 505}, {}, "AC"),
        ({"AC": 505, "BD": 505}, {}, None),
        ({"AC": 499, "BD": 480}, {}, None),
        ({"AC": 90, "BD": 200}, {"target": 200}, "BD"),
    ],
)
def test_who_has_won(totals: dict[str, int], options: dict[str, Any], winner: str | None) -> None:
    """500 reached wins; of two pairs there the higher one; equal totals ask for another hand. Source: RULES A8, A9."""
    assert game_winner(totals, PINCSET.rules(**options)) == winner


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (None, ()),
        (HandResult("tie", None, "A", ()), ()),
        (HandResult("domino", "BD", "D", ()), ("D", "B")),
        (HandResult("block", "AC", "C", ()), ("C", "A")),
        (HandResult("block", "AC", "B", ()), ("C", "A")),
        (HandResult("block", "AC", "D", ()), ("A", "C")),
        (HandResult("block", "AC", None, ()), ("A", "C")),
        (HandResult("block", None, "C", (), pending=True), ("A", "B", "C", "D")),
    ],
)
def test_who_may_open_the_next_hand(result: HandResult | None, expected: tuple[str, ...]) -> None:
    """Either member of the pair that won; the usual one first. Source: seed 000 l.6, RULES A11."""
    assert openers(result, SIDES) == expected


def test_a_told_opener_must_belong_to_the_winners() -> None:
    """The pair that won chooses between its two players, and nobody else may be told to open."""
    rules = PINCSET.rules()
    results = [HandResult("domino", "BD", "B", ())]
    assert PINCSET.next_context(SEATS, rules, results, "D").opener == "D"
    with pytest.raises(SetupError) as caught:
        PINCSET.next_context(SEATS, rules, results, "A")
    assert caught.value.code == "opener"


def test_a_series_counts_games() -> None:
    """Each game starts afresh; most games won wins, and it stops once that is decided. Source: decision 8."""
    options: dict[str, Any] = {"series_games": 3, "target": 200}
    ac, bd = ("domino", "AC", 100), ("domino", "BD", 100)
    one = after(ac, **options)
    assert (dict(one.games), dict(one.totals)) == ({"AC": 1, "BD": 0}, {"AC": 0, "BD": 0})
    assert (one.index, one.premium_step, one.openers, one.winner) == (1, 1, (), None)
    level = after(ac, bd, ("domino", "AC", 10), **options)
    assert (dict(level.games), dict(level.totals), level.index) == ({"AC": 1, "BD": 1}, {"AC": 110, "BD": 0}, 2)
    won = after(ac, ac, **options)
    assert (dict(won.games), dict(won.totals), won.winner) == ({"AC": 2, "BD": 0}, {"AC": 200, "BD": 0}, "AC")


def test_a_level_series_goes_on() -> None:
    """After as many games each, one more decides."""
    ac, bd = ("domino", "AC", 200), ("domino", "BD", 200)
    level = after(ac, bd, series_games=2, target=200)
    assert (dict(level.games), level.winner) == ({"AC": 1, "BD": 1}, None)
    assert after(ac, bd, bd, series_games=2, target=200).winner == "BD"


def test_nothing_follows_the_end() -> None:
    """A match that is decided has no next hand."""
    rules = PINCSET.rules(target=100)
    won = PINCSET.told_result("domino", "AC", 10, rules, PINCSET.next_context(SEATS, rules, []))
    with pytest.raises(SetupError) as caught:
        PINCSET.next_context(SEATS, rules, [won])
    assert (caught.value.code, caught.value.params["winner"]) == ("match_over", "AC")
