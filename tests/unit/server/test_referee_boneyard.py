"""What the boneyard tells of draws."""

from dataclasses import replace
from random import Random

import pytest

from domino_rules.games.chain import ChainState
from domino_rules.state import HandContext, find_game
from domino_server.referee import Kind, Place, SeenTile, Sight
from domino_server.referee.boneyard import Boneyard


def state() -> ChainState:
    """Return a hand of Cincos for two with 14 tiles in the boneyard."""
    game = find_game("cincos")
    rules = game.rules()
    deal = game.shuffled_deal(("A", "B"), rules, Random(1))
    begun = game.start(deal, rules, HandContext())
    assert isinstance(begun, ChainState)
    return begun


def sight(backs: int) -> Sight:
    return Sight(tuple(SeenTile(None, (5.0 * k, 0.0), (5.0 * k, 1.0), Place(Kind.STOCK)) for k in range(backs)))


def test_a_boneyard_that_nobody_saw_was_not_drawn() -> None:
    """Backs that look like the cloth are not found: that says nothing of draws."""
    boneyard, begun = Boneyard(), state()
    boneyard.see(begun, sight(0))
    assert boneyard.drawn(begun, sight(0)) is None


@pytest.mark.parametrize(("left", "drawn"), [(14, 0), (11, 3), (0, 14)])
def test_what_is_gone_from_a_boneyard_that_was_seen_was_drawn(left: int, drawn: int) -> None:
    """Once its tiles were seen, those that are missing are with the players."""
    boneyard, begun = Boneyard(), state()
    boneyard.see(begun, sight(14))
    assert boneyard.drawn(begun, sight(left)) == drawn
    assert boneyard.drawn(begun, replace(sight(left), hidden=frozenset({Kind.STOCK}))) is None
