"""Tiu-U with hands or a stock that nobody has seen: legality means possible, copies counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.games.pool import Stock
from domino_rules.games.tiu_u import TIU_U
from domino_rules.games.tiu_u_rules import TWO_CHINESE
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.moves import Capture, Move, Pass, Quadruple, Triple, Turn
from domino_rules.state import Deal, Hand, HandContext
from domino_rules.tile import Tile, parse_tiles

TALON = parse_tiles("6-6 6-6 6-5 6-4 6-4 6-3 5-5 4-4 6-2 6-1 3-3 4-2 4-1 3-1 1-1 2-2")
T64 = Tile(6, 4)


def start() -> TiuUState:
    """Return the first state of a hand of which only the talon is known; A begins."""
    deal = Deal({"A": Hand.hidden(12), "B": Hand.hidden(12)}, (), TALON)
    return TIU_U.start(deal, TIU_U.rules(), HandContext(opener="A"))


def reason(state: TiuUState, move: Move) -> str:
    """Return why the move is refused."""
    assert move not in list(state.legal_moves)
    with pytest.raises(IllegalMoveError) as caught:
        state.apply(move)
    return caught.value.code


def test_every_unseen_tile_is_possible() -> None:
    """A hidden hand may capture with, or triple, any tile of which a copy is unseen."""
    moves = set(start().legal_moves)
    assert Capture("A", Tile(5, 4), Tile(6, 3)) in moves
    assert Capture("A", Tile(6, 3), Tile(6, 3)) in moves
    assert Triple("A", T64) in moves
    assert Pass("A") not in moves  # only one unseen tile, a 4-2, pairs with nothing


def test_copies_are_counted() -> None:
    """With both 6-3 seen, no hidden hand captures with one."""
    state = start().apply(Capture("A", Tile(6, 3), Tile(6, 3)))
    state = state.apply(Turn("A", Tile(2, 1), Tile(4, 2))).apply(Turn("A", Tile(4, 2)))
    assert state.to_move == "B"
    assert reason(state, Capture("B", Tile(6, 3), Tile(5, 5))) == "not_in_hand"


def test_an_unseen_stock_tile_is_named_by_the_move() -> None:
    """The tile turned from an unseen stock is any unseen one; one that has been seen is inconsistent."""
    state = start().apply(Capture("A", Tile(6, 3), Tile(6, 3)))
    turned = {move.tile for move in state.legal_moves if isinstance(move, Turn)}
    assert turned == {tile for tile in TWO_CHINESE.kinds if tile is not Tile(6, 3)}
    assert reason(state, Turn("A", Tile(6, 3))) == "inconsistent_state"
    assert reason(state, Turn("A", Tile(6, 6))) == "must_capture"


def test_a_pass_is_possible_while_other_tiles_could_fill_the_hand() -> None:
    """The pass of a hidden hand is refused only if it must hold a tile that pairs."""
    talon = (Tile(6, 6),)
    rest = parse_tiles("6-6 6-5 6-5")
    known = TWO_CHINESE.without((*talon, *rest))
    base = TiuUState(TIU_U.rules(), ("A", "B"), (Hand.hidden(2), Hand.of(known)), "A", talon, Stock((None,)), ((), ()))
    assert Pass("A") in base.legal_moves
    assert reason(replace(base, held=(Hand.hidden(3), Hand.of(known))), Pass("A")) == "must_capture"
    shown = replace(base, held=(Hand.hidden(2, [Tile(6, 6)]), Hand.of(known)))
    assert reason(shown, Pass("A")) == "must_capture"


def test_bought_tiles_are_unseen_or_known() -> None:
    """Tiles bought from an unseen stock stay unknown; those of a tripled stack are known in the hand."""
    state = start().apply(Triple("A", T64))
    assert (state.hand("A").size, state.hand("A").known) == (14, ())
    state = replace(state, stock=Stock((), ((T64, T64, T64), (Tile(5, 5),) * 3)), drawing=False, turn="B")
    state = replace(state, talon=(Tile(4, 4), Tile(4, 4))).apply(Triple("B", Tile(4, 4)))
    assert state.hand("B").shown == (T64, T64, T64)
    assert reason(replace(state, drawing=False), Quadruple("B", T64)) == "no_tripled_stack"


def test_a_known_hand_that_buys_unseen_tiles_keeps_what_it_showed() -> None:
    """A player whose tiles are known buys three unseen ones: the hand is hidden, but the old tiles stay known."""
    mine = parse_tiles("6-4 6-3 5-4 5-3 5-2 4-3 5-1 2-1 3-2 1-1 2-2 3-1")
    deal = Deal({"A": Hand.of(mine), "B": Hand.hidden(12)}, (), TALON)
    state = TIU_U.start(deal, TIU_U.rules(), HandContext()).apply(Triple("A", T64))
    assert (state.hand("A").tiles, state.hand("A").shown, state.hand("A").unknown) == (None, mine[1:], 3)
    told = state.reveal("A", (*mine[1:], *parse_tiles("6-5 5-5 4-4")))
    assert told.hand("A").unknown == 0
    with pytest.raises(SetupError) as caught:
        state.reveal("A", (*mine[2:], *parse_tiles("6-5 5-5 4-4 4-4")))
    assert caught.value.code == "inconsistent_state"


def test_a_shown_pair_of_6_6_is_laid_down() -> None:
    """A hidden hand lays down the 6-6 that it showed before play."""
    pair = (Tile(6, 6), Tile(6, 6))
    deal = Deal(
        {"A": Hand.hidden(12, pair), "B": Hand.hidden(12)},
        (),
        parse_tiles("1-1 " * 4 + "5-5 " * 4 + "4-4 " * 4 + "2-2 " * 4),
    )
    state = TIU_U.start(deal, TIU_U.rules(), HandContext())
    assert (state.captured["A"], state.hand("A")) == (pair, Hand.hidden(10))


@pytest.mark.parametrize(
    "text", ["6-6 " * 3 + "6-5 " * 9, "6-5", "6-0 " + "6-5 " * 3 + "6-4 " * 2 + "5-1 " * 4 + "5-2 " * 2]
)
def test_reveal_refuses_what_cannot_be(text: str) -> None:
    """More copies than are left, a wrong number or a tile of another set is inconsistent."""
    with pytest.raises(SetupError) as caught:
        start().reveal("B", parse_tiles(text))
    assert caught.value.code == "inconsistent_state"


def test_reveal() -> None:
    """A hidden hand becomes known if the copies suffice."""
    tiles = parse_tiles("6-6 6-6 6-5 6-5 6-5 6-4 6-4 5-1 5-1 5-1 5-1 5-2")
    assert start().reveal("B", tiles).hand("B") == Hand.of(tiles)
