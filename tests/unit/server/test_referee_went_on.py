"""Hands that seemed over go on, and tiles that came one by one while nothing was explained keep their order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domino_rules.games.chain import ChainState
from domino_rules.layout import Layout
from domino_rules.moves import Play
from domino_server.referee import Paused, Referee
from tests.unit.server.test_referee_illegal import sight as table
from tests.unit.server.test_referee_lines import sight

LAID = [
    "6-6", "R:6-3", "R:3-1", "R:1-1", "R:1-2", "R:2-2", "R:2-5", "R:5-5", "R:5-4", "R:4-4", "R:4-0", "R:0-0", "R:0-1",
]  # fmt: skip
"""In turn by A and B; the thirteenth tile is A's seventh."""
MORE = ["L:6-4", "R:5-3", "L:4-1", "R:3-2", "L:1-1", "R:2-2", "L:1-0"]


def test_a_look_in_doubt_is_explained_by_the_draw_that_nobody_saw() -> None:
    """Were it not, vision would not stand by any look of a hand that goes on, and what follows would pile up."""
    referee = Referee.start("cincos", ("A", "B"))
    for count in range(1, len(LAID) + 1):
        referee.see(table(" ".join(LAID[:count]), "AB"[(count - 1) % 2], spinner=True, stock=14))
    assert referee.ledger.match.hand_over
    following = table(" ".join([*LAID, "L:6-5"]), "B", spinner=True, stock=13)
    assert referee.explains(replace(following, believed=False))
    astray = table(" ".join([*LAID, "L:5-3"]), "B", spinner=True, stock=13)
    assert not referee.explains(replace(astray, believed=False))
    assert referee.ledger.match.hand_over


@pytest.mark.parametrize("one_by_one", [False, True])
def test_tiles_that_came_one_by_one_meanwhile_are_moves_in_that_order(one_by_one: bool) -> None:
    """Seven tiles at once have too many orders; if doubtful looks showed them one after another, they have one."""
    referee = Referee.start("pincset", ("A", "B", "C", "D"))
    referee.see(replace(sight("6-6", "A"), at=1.0))
    referee.see(replace(sight("6-6 R:6-5", "B"), at=2.0))
    for count in range(1, len(MORE)) if one_by_one else ():
        looked = sight(" ".join(["6-6 R:6-5", *MORE[:count]]))
        referee.explains(replace(looked, at=2.0 + count, believed=False))
    events = referee.see(replace(sight(" ".join(["6-6 R:6-5", *MORE])), at=30.0))
    paused = [event.pause.code for event in events if isinstance(event, Paused)]
    assert paused == ([] if one_by_one else ["too_many_orders"])
    assert isinstance(referee.state, ChainState)
    laid = [move.tile for move in referee.state.moves if isinstance(move, Play)]
    if one_by_one:
        assert laid == [placement.tile for placement in Layout.parse(" ".join(["6-6 R:6-5", *MORE])).placements]
    else:
        assert len(laid) == 2
