"""What a hand of Bingo is worth in sets, the options and presets, and the match."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domino_rules.errors import SetupError
from domino_rules.games.bingo import BINGO
from domino_rules.games.bingo_score import Closing, hand_outcome, set_events, stops
from domino_rules.score import Addend, ScoreEvent
from domino_rules.state import HandResult, find_game

SEATS = ("A", "B")


@pytest.mark.parametrize(
    ("points", "told", "kind", "winner", "sets"),
    [
        ((70, 21), {}, "points", "A", 1),
        ((74, 20), {}, "points", "A", 2),
        ((71, 0), {}, "points", "A", 3),
        ((69, 0), {}, "tie", None, 0),
        ((74, 80), {"taker": "A"}, "points", "B", 1),
        ((74, 74), {"taker": "A"}, "points", "A", 1),
        ((72, 25), {"closing": Closing("A", 40)}, "points", "A", 1),
        ((69, 12), {"closing": Closing("A", 40)}, "closing_failed", "B", 2),
        ((30, 70), {"closing": Closing("A", 30)}, "closing_failed", "B", 2),
        ((12, 0), {"closing": Closing("A", 12)}, "closing_failed", "B", 2),
        ((71, 80), {"closing": Closing("A", 30)}, "points", "B", 1),
        ((232, 33), {"seven_doubles": "A"}, "seven_doubles", "A", 3),
        ((30, 40), {"unable": "B"}, "unable", "A", 1),
        ((30, 20), {"unable": "B"}, "unable", "A", 2),
        ((30, 0), {"unable": "B"}, "unable", "A", 3),
        ((30, 0), {"unable": "B", "closing": Closing("A", 10)}, "unable", "A", 3),
        ((30, 0), {"unable": "B", "closing": Closing("B")}, "closing_failed", "A", 2),
    ],
)
def test_sets_of_a_hand(
    points: tuple[int, int], told: dict[str, Any], kind: str, winner: str | None, sets: int
) -> None:
    """The hand earns one, two or three sets by the opponent's points; failing a closing gives two away."""
    outcome = hand_outcome(dict(zip(SEATS, points, strict=True)), BINGO.rules(), **told)
    assert (outcome.kind, outcome.winner, outcome.sets) == (kind, winner, sets)
    assert sum(event.points for event in set_events(outcome)) == sets


@pytest.mark.parametrize(("at_close", "winner"), [(40, "B"), (2, "A")])
def test_a_closer_may_have_to_make_70_from_then_on(at_close: int, winner: str) -> None:
    """With `close_counts=from_now` only the points made after closing count for the closer's word."""
    rules = BINGO.rules(close_counts="from_now")
    outcome = hand_outcome({"A": 72, "B": 25}, rules, closing=Closing("A", at_close))
    assert outcome.winner == winner


def test_when_a_hand_stops() -> None:
    """At the target; for a closer who counts from now, when he has kept his word; never if the option says so."""
    points = {"A": 75, "B": 10}
    from_now = BINGO.rules(close_counts="from_now")
    assert stops(points, None, BINGO.rules())
    assert not stops({"A": 69, "B": 69}, None, BINGO.rules())
    assert stops(points, Closing("A", 40), BINGO.rules())
    assert not stops(points, Closing("A", 40), from_now)
    assert not stops(points, Closing("B", 0), from_now)
    assert stops(points, Closing("A", 5), from_now)
    assert not stops(points, None, BINGO.rules(hand_ends_at_70=False))


def test_other_targets() -> None:
    """The target and the opponent's limit for two sets are options."""
    rules = BINGO.rules(target=100, two_sets_max_opp=30)
    assert hand_outcome({"A": 99, "B": 0}, rules).winner is None
    assert hand_outcome({"A": 100, "B": 30}, rules).sets == 2


def test_presets() -> None:
    """`seed` is the default; `classic` changes four options; further options override a preset."""
    assert BINGO.rules().changed() == {}
    assert BINGO.rules(preset="classic").changed() == {
        "blank_value": 7,
        "rank_phase1": "sum",
        "plain_points": "zero",
        "declare_when": "lead_only",
    }
    assert BINGO.rules(preset="classic", blank_value="0")["blank_value"] == 0
    again = BINGO.rules(**BINGO.rules(preset="classic", unable="lose_hand").changed())
    assert again == BINGO.rules(preset="classic", unable="lose_hand")


@pytest.mark.parametrize(
    ("options", "code"),
    [({"preset": "hoyle"}, "bad_option"), ({"blank_value": 3}, "bad_option"), ({"colour": "red"}, "unknown_option")],
)
def test_wrong_options(options: dict[str, Any], code: str) -> None:
    """An unknown preset, value or option is refused with its code."""
    with pytest.raises(SetupError) as caught:
        BINGO.rules(**options)
    assert caught.value.code == code


def test_every_option_has_its_source() -> None:
    """Each option says which rule or question it answers, and accepts its default."""
    for option in BINGO.options:
        assert option.source
        assert option.accepts(option.default)


def won(side: str, sets: int, opener: str | None = None) -> HandResult:
    """Return the result of a hand that earned `sets`."""
    event = ScoreEvent(side, sets, "points", (Addend("reached_target", sets),), unit="sets")
    return HandResult("points", side, side, (event,), opener=opener)


def test_seven_sets_win_the_match() -> None:
    """Six sets do not win, seven do; then no further hand is started."""
    rules = BINGO.rules()
    results = [won("A", 3), won("B", 3), won("A", 3), won("B", 3)]
    assert BINGO.winner(SEATS, rules, results) is None
    assert BINGO.next_context(SEATS, rules, results).totals == {"A": 6, "B": 6}
    results.append(won("B", 1))
    assert BINGO.winner(SEATS, rules, results) == "B"
    with pytest.raises(SetupError) as caught:
        BINGO.next_context(SEATS, rules, results)
    assert caught.value.code == "match_over"


def test_the_players_open_in_turn() -> None:
    """The first opener is told, by default the first seat; then the players alternate, whoever won."""
    rules = BINGO.rules()
    assert BINGO.next_context(SEATS, rules, []).opener == "A"
    assert BINGO.next_context(SEATS, rules, [], "B").opener == "B"
    second = BINGO.next_context(SEATS, rules, [won("B", 1, opener="B")])
    assert (second.index, second.opener) == (2, "A")
    with pytest.raises(SetupError) as caught:
        BINGO.next_context(SEATS, rules, [won("B", 1, opener="B")], "B")
    assert caught.value.code == "opener"


@pytest.mark.parametrize("seats", [("A",), ("A", "B", "C"), ("A", "A")])
def test_bingo_is_for_two(seats: tuple[str, ...]) -> None:
    """Any other number of players, or a name twice, makes no game."""
    with pytest.raises(SetupError) as caught:
        BINGO.sides(seats, BINGO.rules())
    assert caught.value.code == "players"


def test_a_deal_from_chance() -> None:
    """The same seed deals the same tiles: seven each, thirteen face down, one turned up."""
    rules = BINGO.rules()
    deal = BINGO.shuffled_deal(SEATS, rules, Random(5))
    assert deal == BINGO.shuffled_deal(SEATS, rules, Random(5))
    assert [hand.size for hand in deal.hands.values()] == [7, 7]
    assert (len(deal.stock), len(deal.table)) == (13, 1)


def test_bingo_is_found_by_its_names() -> None:
    """The game answers to its name and its alias."""
    assert find_game("bingo") is find_game("domino-bingo")
