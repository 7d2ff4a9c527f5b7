"""Hands that lie turned up at the end, with tiles on which nothing tells the face from the back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from domino_rules.games.chain import ChainState
from domino_rules.record import Record
from domino_rules.record_replay import replay
from domino_rules.tile import Tile
from domino_server.referee import Kind, Place, Referee, Sight
from domino_vision.types import TileRole
from tests.referee_games import Camera, Seen, random_game, sights, totals

SEATS = ("A", "B", "C", "D")
BLANK = Tile(0, 0)


def left_over(record: Record) -> list[tuple[Tile, ...]]:
    """Return what is left in the hands."""
    return [hand.tiles or () for hand in replay(record).hands[0].steps[-1].state.hands.values()]


def games(game: str) -> Iterator[tuple[Record, Tile]]:
    """Yield games of one hand in which somebody is left with the double blank and another tile, and that one."""
    for seed in range(60):
        record = random_game(game, SEATS[:2] if game == "cincos" else SEATS, seed, 1)
        held = next((tiles for tiles in left_over(record) if BLANK in tiles and len(tiles) > 1), ())
        if held:
            yield record, next(tile for tile in held if tile is not BLANK)


def with_back(sight: Sight, tile: Tile, role: TileRole = TileRole.DOWN) -> Sight:
    """Return the sight in which a tile of a hand looks like a back, or stands."""
    tiles = tuple(
        replace(seen, halves=None, role=role) if seen.place.kind is Kind.HAND and seen.tile is tile else seen
        for seen in sight.tiles
    )
    return replace(sight, tiles=tiles)


def watched(record: Record, tile: Tile, role: TileRole = TileRole.DOWN, *, lost: Tile | None = None) -> Referee:
    """Return a referee that saw a game in which a tile of a hand showed no face in the end, and one was not seen."""
    referee = Referee.start(record.game, record.seats, record.options)
    for sight in sights(record, Camera(record.seats, Seen(), 1)):
        seen = with_back(sight, tile, role)
        kept = tuple(t for t in seen.tiles if t.tile is not lost or t.place.kind is not Kind.HAND or lost is None)
        referee.see(replace(seen, tiles=kept))
    return referee


def test_double_blank_may_look_like_a_back() -> None:
    """Among the faces of the whole hand it counts as what it is, if all tiles were dealt."""
    found = list(games("pincset"))
    assert len(found) > 2
    for record, _ in found:
        referee = watched(record, BLANK)
        assert totals(referee.record) == totals(record)
        assert referee.ledger.shown


def test_a_back_may_be_any_tile_where_a_boneyard_is_left() -> None:
    """The double blank may lie in the boneyard: the hand is not turned up, and points wait for it."""
    dealt = [record for record, _ in games("cincos") if _boneyard_left(record)]
    assert dealt
    for record in dealt[:4]:
        referee = watched(record, BLANK)
        result = referee.ledger.match.hands[-1].result
        assert not referee.ledger.shown
        assert result is None or result.pending


def _boneyard_left(record: Record) -> bool:
    state = replay(record).hands[0].steps[-1].state
    assert isinstance(state, ChainState)
    return bool(state.boneyard)


@pytest.mark.parametrize("game", ["pincset", "cincos"])
def test_other_backs_stay_backs(game: str) -> None:
    """Where the double blank is seen, the tile stands, or more are missing, the hand does not count as turned up."""
    for record, other in list(games(game))[:3]:
        for referee in (
            watched(record, other),
            watched(record, BLANK, TileRole.STANDING),
            watched(record, BLANK, lost=other),
        ):
            assert not referee.ledger.shown


def test_who_turns_his_tiles_up_did_not_lay_the_last_one() -> None:
    """The last tile's join is seen late, when the next player has begun to turn his up, of which some still miss."""
    played = 0
    for seed in range(40):
        record = random_game("pincset", SEATS, seed, 1)
        looks = [sight for sight in sights(record, Camera(SEATS, Seen(), 1)) if sight.within(Kind.LAYOUT)]
        over = next(i for i, sight in enumerate(looks) if sight.faces(Kind.HAND))
        winner = record.hands[0].moves[-1].move.player
        other = SEATS[(SEATS.index(winner) + 1) % len(SEATS)]
        left = left_over(record)
        if left[SEATS.index(winner)] or len(left[SEATS.index(other)]) < 2:
            continue
        played += 1
        referee = Referee.start(record.game, record.seats, record.options)
        for sight in looks[: over - 1]:
            referee.see(sight)
        referee.see(_partly(looks[over], other, (winner, other)))
        assert referee.ledger.moves[-1].move == record.hands[0].moves[-1].move
    assert played > 3


def _partly(sight: Sight, player: str, actors: tuple[str, ...]) -> Sight:
    """Return the sight in which but one hand is being turned up: its first tile."""
    first = next(tile for tile in sight.tiles if tile.place == Place(Kind.HAND, player))
    shown = [i for i, tile in enumerate(sight.tiles) if tile is first or tile.place.kind is not Kind.HAND]
    place = {index: new for new, index in enumerate(shown)}
    joins = tuple(replace(join, a=place[join.a], b=place[join.b]) for join in sight.joins)
    return replace(sight, tiles=tuple(sight.tiles[i] for i in shown), joins=joins, actors=actors)


def test_tile_that_fell_over_in_the_middle_of_a_hand_takes_nobody_his_plays() -> None:
    """Whose face shows goes on playing, though another one reaches over the table as well."""
    record = random_game("pincset", SEATS, 0, 1)
    looks = [sight for sight in sights(record, Camera(SEATS, Seen(), 1)) if sight.within(Kind.LAYOUT)]
    fallen = next(t for s in looks for t in s.tiles if t.place == Place(Kind.HAND, "A") and t.tile is not None)
    referee = Referee.start(record.game, record.seats, record.options)
    for sight in looks[:8]:
        actors = (*sight.actors, "B") if sight.actors == ("A",) else sight.actors
        referee.see(replace(sight, tiles=(*sight.tiles, fallen), actors=actors))
        for question in list(referee.questions):
            assert question == "order"
    plays = [move.move for move in record.hands[0].moves][: len(referee.ledger.moves)]
    assert [move.move for move in referee.ledger.moves] == plays
    assert len(plays) > 3
