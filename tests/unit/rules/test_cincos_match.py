"""Matches of Cincos: targets, openers, ties."""

from __future__ import annotations

import pytest

from domino_rules.errors import SetupError
from domino_rules.games.cincos import CINCOS
from domino_rules.score import ScoreEvent
from domino_rules.state import HandResult

SEATS = ("A", "B")


def hand(*points: tuple[str, int], kind: str = "domino", player: str | None = "A") -> HandResult:
    """Return the result of a hand with scores in order."""
    return HandResult(kind, player, player, tuple(ScoreEvent(side, amount, "count") for side, amount in points))


@pytest.mark.parametrize(
    ("results", "finish", "winner"),
    [
        ([hand(("A", 140), ("B", 145), ("A", 10))], "immediate", "A"),
        ([hand(("A", 145), ("B", 145))], "immediate", None),
        ([hand(("A", 150), ("B", 160))], "immediate", "A"),
        ([hand(("A", 150), ("B", 160))], "end_of_hand", "B"),
        ([hand(("A", 150), ("B", 150))], "end_of_hand", None),
        ([hand(("A", 150), ("B", 150)), hand(("B", 5))], "end_of_hand", "B"),
        ([hand(("A", 155)), hand(("A", -10), ("B", 150))], "immediate", "B"),
    ],
)
def test_who_has_won(results: list[HandResult], finish: str, winner: str | None) -> None:
    """The first at the target wins, or the highest after the hand; a tie there asks for another. Source: C12."""
    assert CINCOS.winner(SEATS, CINCOS.rules(finish=finish), results) == winner


def test_openers() -> None:
    """Whoever went out leads next; after a block, as in the first hand. Source: RULES 4.1, decision 10."""
    rules = CINCOS.rules()
    first = CINCOS.next_context(SEATS, rules, [])
    assert (first.index, first.opener, first.facts["lead_any"], dict(first.totals)) == (
        1,
        None,
        False,
        {"A": 0, "B": 0},
    )
    went_out = CINCOS.next_context(SEATS, rules, [hand(("B", 20), player="B")])
    assert (went_out.index, went_out.opener, went_out.facts["lead_any"], went_out.totals["B"]) == (2, "B", True, 20)
    blocked = CINCOS.next_context(SEATS, rules, [hand(kind="block")])
    assert (blocked.opener, blocked.facts["lead_any"]) == (None, False)


def test_nobody_else_may_be_told_to_open() -> None:
    """A told opener must be the one who went out."""
    with pytest.raises(SetupError) as caught:
        CINCOS.next_context(SEATS, CINCOS.rules(), [hand(player="A")], "B")
    assert caught.value.code == "opener"
    with pytest.raises(SetupError, match="does not open"):
        CINCOS.next_context(SEATS, CINCOS.rules(), [], "Z")


def test_nothing_follows_the_end() -> None:
    """A match that is decided has no next hand."""
    with pytest.raises(SetupError) as caught:
        CINCOS.next_context(SEATS, CINCOS.rules(target=100), [hand(("A", 100))])
    assert caught.value.code == "match_over"
