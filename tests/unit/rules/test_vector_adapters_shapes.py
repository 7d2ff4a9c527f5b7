"""Shapes of vectors that the handed-out files show only in part."""

import pytest

from domino_rules.vectors import Vector, check, ops


@pytest.mark.parametrize("marker", ["hand_end", ["hand_end"], ["hand_end", 0]])
def test_the_end_of_a_hand_may_be_told_alone_or_as_a_pair(marker: object) -> None:
    """With `finish=end_of_hand` the higher total wins once the hand is over, however its end is written."""
    setup = {"rules": {"finish": "end_of_hand"}, "sides": ["A", "B"], "events": [["A", 150], ["B", 155], marker]}
    expect = {"totals": {"A": 150, "B": 155}, "over": True, "winner": "B"}
    assert check(Vector("x", "match", setup, (), expect), ops("cincos")).passed


def test_a_tile_of_the_chain_is_not_in_a_known_hand() -> None:
    """The op `apply` names the hand as the reason, as its list of errors has it."""
    setup = {"to_move": "C", "hand_index": 1, "chain": ["1-6", "6-6", "6-4"], "hands": {"C": ["6-3", "5-4"]}}
    vector = Vector("x", "apply", setup, ({"player": "C", "play": "6-4", "end": "R"},), {"error": "not_in_hand"})
    assert check(vector, ops("pincset")).passed
