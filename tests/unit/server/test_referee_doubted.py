"""Tiu-U where a tile is read as what it cannot be: the game never waits for good for what nobody will see."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest

from domino_rules.moves import Capture, Triple, Turn
from domino_rules.record import Source
from domino_rules.tile import Tile
from domino_server.referee import Answer, IllegalPlay, Kind, Place, Sight
from domino_server.referee.reader import MISREAD, PAIR_UNREAD
from domino_server.referee.sight import SeenTile
from tests.unit.server.test_referee_tables import at, done, fishing, without
from tests.unit.server.test_referee_unread import dealt

TALON = "1-1 1-1 3-3 5-1 6-6 6-6 6-6 6-6 6-5 6-5 6-5 6-5 6-3 5-4 5-5 4-1"


def timed(*sights: Sight) -> list[Sight]:
    """Return looks one after another."""
    return [replace(sight, at=float(number)) for number, sight in enumerate(sights, 1)]


def across(sight: Sight, read: Tile, first: Tile, *, hides: Tile | None = None) -> Sight:
    """Return a sight in which halves of a tile of a pile and of the next one look like a tile across them."""
    pile = [t for t in sight.tiles if t.place.kind is Kind.PILE]
    seen = next(t for t in pile if t.tile is first)
    x, y = seen.at[0] + 12.0, seen.at[1] + 12.0
    ghost = SeenTile((read.high, read.low), (x, y), (x + 12.5, y), seen.place)
    left = list(sight.tiles)
    if hides is not None:
        left.remove(next(t for t in pile if t.tile is hides))
    return replace(sight, tiles=(*left, ghost))


LEFT = without(TALON, "5-5") + " 2-1"
BEGUN = [
    fishing(TALON),
    fishing(without(TALON, "5-5"), ("6-4 5-5", "")),
    fishing(LEFT, ("6-4 5-5", ""), 23),
]
"""The first tables of a hand: the talon, a captured pair, a tile turned."""


@pytest.mark.parametrize("hides", [None, Tile(6, 4)])
def test_what_lies_across_two_tiles_of_a_pile_is_none(hides: Tile | None) -> None:
    """Touching halves look like a tile of their own: the game goes on, also where one of the two is not found then."""
    ghost = across(BEGUN[2], Tile(4, 4), Tile(6, 4), hides=hides)
    gone = without(LEFT, "1-1")
    later = across(fishing(gone, ("6-4 5-5", "1-1 1-1"), 23), Tile(4, 4), Tile(6, 4), hides=hides)
    referee = at("tiu-u", *timed(*BEGUN, ghost, later))
    assert referee.pause is None
    assert done(referee)[2:] == [Capture("B", Tile(1, 1), Tile(1, 1))]


def test_what_is_no_tile_stays_none_where_the_tiles_below_are_not_found() -> None:
    """Once it was found to be none it counts no more, though nothing else is seen there."""
    ghost = across(BEGUN[2], Tile(4, 4), Tile(6, 4))
    bare = replace(ghost, tiles=tuple(t for t in ghost.tiles if t.tile is not Tile(6, 4) or t.place.kind is Kind.TALON))
    only = replace(bare, tiles=tuple(t for t in bare.tiles if not (t.tile is Tile(5, 5) and t.place.kind is Kind.PILE)))
    referee = at("tiu-u", *timed(*BEGUN, ghost, only))
    assert referee.pause is None
    assert len(done(referee)) == 2


def test_a_play_against_the_rules_is_reported_beside_what_is_no_tile() -> None:
    """What looks like a tile across others hides no pair that is none."""
    wrong = fishing(without(LEFT, "3-3"), ("6-4 5-5", "4-3 3-3"), 23)
    referee = at("tiu-u", *timed(*BEGUN))
    said = referee.see(replace(across(wrong, Tile(4, 4), Tile(6, 4)), at=9.0))
    assert [(event.code, event.tile) for event in said if isinstance(event, IllegalPlay)] == [("no_pair", Tile(4, 3))]


def test_a_tile_that_the_set_does_not_have_is_a_captured_one_unread() -> None:
    """Of a captured pair one tile is read as 5-0: what lay there still lies there."""
    pile = [t.tile is Tile(5, 5) and t.place.kind is Kind.PILE for t in BEGUN[2].tiles]
    tiles = [replace(t, halves=(5, 0)) if odd else t for t, odd in zip(BEGUN[2].tiles, pile, strict=True)]
    referee = at("tiu-u", *timed(*BEGUN, replace(BEGUN[2], tiles=tuple(tiles))))
    assert referee.pause is None
    assert len(done(referee)) == 2


def test_half_of_a_captured_pair_is_enough_at_the_second_look() -> None:
    """1-1 left the talon and lies before B alone: its mate lies there unread, and can be nothing but 1-1."""
    sight = fishing(without(LEFT, "1-1"), ("6-4 5-5", "1-1"), 23)
    referee = at("tiu-u", *timed(*BEGUN, sight))
    assert referee.pause is not None
    referee.see(replace(sight, at=8.0))
    assert referee.pause is None
    made = referee.ledger.moves[-1]
    assert (made.move, made.source, made.rule) == (Capture("B", Tile(1, 1), Tile(1, 1)), Source.INFERRED, PAIR_UNREAD)


def test_mates_that_count_otherwise_are_asked_about() -> None:
    """4-1 pairs with 3-2 and with 4-1; which of them lies there unread changes the score."""
    sight = fishing(without(LEFT, "4-1"), ("6-4 5-5", "4-1"), 23)
    referee = at("tiu-u", *timed(*BEGUN, sight, sight))
    assert {choice.key for choice in referee.questions["which_tile"].choices} == {"3-2", "4-1"}
    referee.tell(Answer("which_tile", "3-2"))
    assert done(referee)[2:] == [Capture("B", Tile(3, 2), Tile(4, 1))]


def test_a_tile_that_stays_misread_is_told_by_its_mate() -> None:
    """Of a pair of 1-1 one is read as 4-2, not surely: no legal move brings that there, so it is what pairs."""
    sight = fishing(without(LEFT, "1-1"), ("6-4 5-5", "4-2 1-1"), 23)
    tiles = tuple(replace(t, confidence=0.85) if t.tile is Tile(4, 2) else t for t in sight.tiles)
    referee = at("tiu-u", *timed(*BEGUN, replace(sight, tiles=tiles)))
    assert referee.pause is not None
    referee.see(replace(sight, tiles=tiles, at=8.0))
    assert referee.pause is None
    assert done(referee)[2:] == [Capture("B", Tile(1, 1), Tile(1, 1))]
    assert referee.ledger.moves[-1].rule == PAIR_UNREAD
    turned = fishing(without(LEFT, "1-1") + " 5-2", ("6-4 5-5", "1-1 1-1"), 22)
    referee.see(replace(turned, at=9.0))
    assert referee.pause is None
    assert done(referee)[3:] == [Turn("B", Tile(5, 2))]


def test_a_tile_at_the_stock_that_is_misread_is_one_of_the_three() -> None:
    """Three alike lie there; one that is read as another one is one of them."""
    civil = TALON.replace("3-3 5-1", "5-1 5-1")
    tables = [fishing(civil), *[fishing(without(civil, "5-1", "5-1"), stock=21, stack="5-1 5-1 4-1")] * 2]
    referee = at("tiu-u", *timed(*tables))
    assert referee.pause is None
    assert done(referee) == [Triple("A", Tile(5, 1))]


def test_a_tile_misread_on_the_talon_is_put_right_when_it_is_captured() -> None:
    """2-2 was turned and read as 2-1; the pair of them before B tells, at the second look."""
    pair = fishing(without(LEFT, "2-1"), ("6-4 5-5", "2-2 2-2"), 23)
    referee = at("tiu-u", *timed(*BEGUN, pair, pair))
    assert done(referee)[1:] == [Turn("A", Tile(2, 2)), Capture("B", Tile(2, 2), Tile(2, 2))]
    assert (referee.ledger.moves[1].source, referee.ledger.moves[1].rule) == (Source.INFERRED, MISREAD)
    assert referee.pause is None


@pytest.mark.parametrize("mate", ["5-5", "6-4"])
def test_a_pair_that_was_guessed_is_put_right_when_it_is_read(mate: str) -> None:
    """Which tile took 5-5 changes no score, and is taken for one of two; the game goes on when it was the other."""
    left = without(TALON, "5-5")
    unread = replace(fishing(left), overlooked=(Place(Kind.PILE, "A"),))
    turned = [
        fishing(f"{left} {more}", stock=stock) for more, stock in (("2-1", 23), ("2-1 5-2", 22), ("2-1 5-2 6-2", 21))
    ]
    read = fishing(f"{left} 2-1 5-2 6-2", (f"{mate} 5-5", ""), 21)
    referee = at("tiu-u", *timed(fishing(TALON), unread, *turned, read, read))
    assert not referee.questions
    assert referee.pause is None
    assert done(referee)[0] == Capture("A", Tile.parse(mate), Tile(5, 5))


@pytest.mark.parametrize("seed", range(3))
def test_one_look_has_one_budget(seed: int) -> None:
    """Twenty moves that nobody saw, and two captured tiles not found: that is looked at for a moment, and said so."""
    referee, camera, steps = dealt(seed)
    referee.see(replace(camera.look(steps[0].before), at=1.0))
    later = camera.look(steps[20].after)
    pile = [i for i, tile in enumerate(later.tiles) if tile.place.kind is Kind.PILE]
    left = tuple(tile for i, tile in enumerate(later.tiles) if i not in {pile[1], pile[-2]})
    began = process_time()
    referee.see(replace(later, tiles=left, overlooked=(Place(Kind.PILE, "A"), Place(Kind.PILE, "B")), at=2.0))
    assert process_time() - began < 4.0
    assert referee.pause is not None
    assert referee.pause.code == "too_many_orders"
    assert not referee.ledger.moves
