"""Tiu-U's options, deal and match."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domino_rules.errors import SetupError
from domino_rules.games.tiu_u import TIU_U
from domino_rules.score import Addend, ScoreEvent
from domino_rules.state import HandResult, find_game

SEATS = ("A", "B", "C")


def paid(opener: str | None = None, **net: int) -> HandResult:
    """Return the result of a hand with these payments."""
    events = tuple(
        ScoreEvent(side, points, "settlement", (Addend("difference", points),), unit="payment")
        for side, points in net.items()
    )
    return HandResult("points", None, None, events, opener=opener)


def test_defaults() -> None:
    """The defaults are those of the seed."""
    assert dict(TIU_U.rules().values) == {
        "supreme": "exclusive",
        "draw_chain": True,
        "hand_capture": "mandatory",
        "round_what": "total",
        "round_exact": "stays",
        "quad_buys": 3,
        "quad_source": "hand",
        "min_stock_for_triple": 3,
        "tie_top": "split",
        "direction": "counter_clockwise",
        "match_hands": 1,
    }
    for option in TIU_U.options:
        assert option.source


@pytest.mark.parametrize(
    ("options", "code"),
    [({"quad_buys": 5}, "bad_option"), ({"supreme": "never"}, "bad_option"), ({"colour": 1}, "unknown_option")],
)
def test_wrong_options(options: dict[str, Any], code: str) -> None:
    """An unknown value or option is refused with its code."""
    with pytest.raises(SetupError) as caught:
        TIU_U.rules(**options)
    assert caught.value.code == code


@pytest.mark.parametrize(("players", "size"), [(2, 12), (3, 8)])
def test_deal(players: int, size: int) -> None:
    """Sixteen tiles lie face up and 24 in the stock; two players get 12, three get 8."""
    deal = TIU_U.shuffled_deal(SEATS[:players], TIU_U.rules(), Random(1))
    assert [hand.size for hand in deal.hands.values()] == [size] * players
    assert (len(deal.table), len(deal.stock)) == (16, 24)
    assert deal == TIU_U.shuffled_deal(SEATS[:players], TIU_U.rules(), Random(1))


@pytest.mark.parametrize("seats", [("A",), ("A", "B", "C", "D"), ("A", "B", "B")])
def test_players(seats: tuple[str, ...]) -> None:
    """Tiu-U is for two or three with different names."""
    with pytest.raises(SetupError) as caught:
        TIU_U.shuffled_deal(seats, TIU_U.rules(), Random(1))
    assert caught.value.code == "players"


def test_one_hand_is_a_match_unless_it_is_level() -> None:
    """The best paid player has won after the last hand; a draw is played on."""
    rules = TIU_U.rules()
    assert TIU_U.winner(SEATS, rules, []) is None
    assert TIU_U.winner(SEATS, rules, [paid(A=25, B=25, C=-50)]) is None
    assert TIU_U.winner(SEATS, rules, [paid(A=25, B=25, C=-50), paid(A=-10, B=10)]) == "B"
    assert TIU_U.winner(SEATS, rules, [paid(A=70, B=-40, C=-30)]) == "A"
    with pytest.raises(SetupError) as caught:
        TIU_U.next_context(SEATS, rules, [paid(A=70, B=-40, C=-30)])
    assert caught.value.code == "match_over"


def test_a_match_may_have_several_hands() -> None:
    """With `match_hands=2` payments are added over two hands."""
    rules = TIU_U.rules(match_hands=2)
    results = [paid(A=70, B=-40, C=-30)]
    assert TIU_U.winner(SEATS, rules, results) is None
    assert TIU_U.next_context(SEATS, rules, results).totals == {"A": 70, "B": -40, "C": -30}
    assert TIU_U.winner(SEATS, rules, [*results, paid(A=-100, C=100)]) == "C"


def test_the_opening_goes_round() -> None:
    """By default the seat after the last opener begins; the table may say otherwise, but a stranger never begins."""
    rules = TIU_U.rules(match_hands=9)
    assert TIU_U.next_context(SEATS, rules, []).opener == "A"
    assert TIU_U.next_context(SEATS, rules, [paid("C", A=10, B=-10)]).opener == "A"
    assert TIU_U.next_context(SEATS, rules, [paid(A=10, B=-10)]).opener == "B"
    assert TIU_U.next_context(SEATS, rules, [paid("C", A=10, B=-10)], "B").opener == "B"
    with pytest.raises(SetupError) as caught:
        TIU_U.next_context(SEATS, rules, [], "Z")
    assert caught.value.code == "opener"


def test_names() -> None:
    """The game answers to its name and its aliases."""
    assert find_game("tiu-u") is find_game("pecanje") is find_game("tiu_u") is TIU_U
