"""What the boneyard tells of draws."""

from dataclasses import replace
from random import Random

import pytest

from domino_rules.games.chain import ChainState
from domino_rules.layout import Arm
from domino_rules.moves import Draw, Play
from domino_rules.state import Deal, HandContext, find_game
from domino_rules.tile import Tile
from domino_server.referee import Kind, Place, SeenTile, Sight
from domino_server.referee.boneyard import Boneyard, heap_whole
from domino_vision.types import TileRole


def state(tiles: int = 0) -> ChainState:
    """Return a hand of Cincos for two with 14 tiles in the boneyard, and so many in the line."""
    game = find_game("cincos")
    rules = game.rules()
    deal = game.shuffled_deal(("A", "B"), rules, Random(1))
    hidden = Deal({seat: hand.hidden(hand.size) for seat, hand in deal.hands.items()}, (None,) * 14)
    begun = game.start(hidden, rules, HandContext())
    for play in (Play("A", Tile(6, 6), Arm.START), Play("B", Tile(6, 5), Arm.LEFT))[:tiles]:
        begun = begun.apply(play)
    assert isinstance(begun, ChainState)
    return begun


def back(at: float, kind: Kind = Kind.STOCK) -> SeenTile:
    return SeenTile(None, (at, 0.0), (at, 1.0), Place(kind), TileRole.DOWN)


def sight(backs: int, *faces: str) -> Sight:
    up = [SeenTile(Tile.parse(face).halves, (0.0, 500.0), (0.0, 510.0)) for face in faces]
    return Sight((*(back(5.0 * k) for k in range(backs)), *up))


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


def test_tiles_that_were_never_seen_were_not_drawn() -> None:
    """Two of the boneyard's tiles lie where the camera does not find them: only what is seen to go was drawn."""
    boneyard = Boneyard()
    boneyard.laid_out(sight(12))
    boneyard.see(state(), sight(12, "6-6"))
    assert boneyard.drawn(state(), sight(12, "6-6")) == 0
    boneyard.see(state(1), sight(12, "6-6"))
    assert boneyard.drawn(state(1), sight(11, "6-6", "6-5")) == 1


def test_tiles_that_were_only_covered_count_once_they_are_seen() -> None:
    """A hand lay over two tiles of the boneyard until the first tile was laid."""
    boneyard = Boneyard()
    boneyard.laid_out(sight(12))
    boneyard.see(state(), sight(12, "6-6"))
    boneyard.see(state(1), sight(14, "6-6"))
    assert boneyard.drawn(state(1), sight(13, "6-6", "6-5")) == 1


@pytest.mark.parametrize("ready", [None, 3, 14])
def test_boneyard_seen_late_lacks_what_was_drawn(ready: int | None) -> None:
    """Where it was not seen lying ready, what is missing is taken for drawn."""
    boneyard = Boneyard()
    if ready is not None:
        boneyard.laid_out(sight(ready))
    boneyard.see(state(), sight(12, "6-6"))
    assert boneyard.drawn(state(), sight(12, "6-6")) == 2


def test_boneyard_of_a_game_taken_up_lacks_the_draws_of_its_record() -> None:
    """A referee that takes up a hand in progress knows how many tiles the boneyard had."""
    boneyard, after = Boneyard(), state(1).apply(Draw("B"))
    assert isinstance(after, ChainState)
    boneyard.see(after, sight(13, "6-6"))
    assert boneyard.drawn(after, sight(13, "6-6")) == 0
    assert boneyard.drawn(after, sight(11, "6-6", "6-5")) == 2


def test_backs_beside_the_heap_belong_to_it() -> None:
    """Zones are drawn by eye: backs that hang together with the boneyard's count though they are out of its zone."""
    kinds = (Kind.LAYOUT, Kind.LAYOUT, Kind.STOCK, Kind.STOCK, Kind.HAND)
    tiles = tuple(back(30.0 * k, kind) for k, kind in enumerate(kinds))
    lone = back(500.0, Kind.LAYOUT)
    assert heap_whole(Sight((*tiles, lone))).backs(Kind.STOCK) == 5
    standing = replace(tiles[4], role=TileRole.STANDING)
    assert heap_whole(Sight((*tiles[:4], standing, lone))).backs(Kind.STOCK) == 4
    assert heap_whole(Sight((back(0.0, Kind.LAYOUT), back(30.0, Kind.LAYOUT)))).backs(Kind.STOCK) == 0
