"""Bingo with hands or stock that nobody has seen: legality means possible."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.games.bingo import BINGO
from domino_rules.games.bingo_state import BingoState
from domino_rules.games.pool import Stock
from domino_rules.moves import Draw, Lead, Reply
from domino_rules.state import Deal, Hand, HandContext
from domino_rules.tile import DOUBLE_SIX, Tile, parse_tiles

A_TILES = parse_tiles("6-6 5-5 4-1 3-2 6-2 1-0 4-3")


def start(opener: str = "B") -> BingoState:
    """Return a hand in which A's tiles and 5-2, turned up, are known, and nothing else."""
    deal = Deal({"A": Hand.of(A_TILES), "B": Hand.hidden(7)}, (), (Tile(5, 2),))
    return BINGO.start(deal, BINGO.rules(), HandContext(opener=opener))


def reason(state: BingoState, move: Lead | Reply | Draw) -> str:
    """Return why the move is refused."""
    assert move not in list(state.legal_moves)
    with pytest.raises(IllegalMoveError) as caught:
        state.apply(move)
    return caught.value.code


def test_a_hidden_hand_may_lead_what_nobody_has_seen() -> None:
    """All tiles but those in the other hand and the one turned up are possible."""
    led = {move.tile for move in start().legal_moves if isinstance(move, Lead)}
    assert led == set(DOUBLE_SIX.kinds) - set(A_TILES) - {Tile(5, 2)}
    assert reason(start(), Lead("B", Tile(6, 6))) == "not_in_hand"
    assert reason(start(), Lead("B", Tile(5, 2))) == "not_in_hand"


def test_a_hidden_hand_declares_no_more_than_it_can_hold() -> None:
    """Five doubles are unseen, so six cannot be declared."""
    assert Lead("B", Tile(4, 4), 5) in list(start().legal_moves)
    assert reason(start(), Lead("B", Tile(4, 4), 6)) == "false_declaration"


def test_an_unseen_draw_and_a_seen_one() -> None:
    """From an unseen stock a draw may name no tile, or one that is nowhere else."""
    state = start().apply(Lead("B", Tile(6, 5))).apply(Reply("A", Tile(5, 5)))
    assert {Draw("A"), Draw("A", Tile(6, 4))} <= set(state.legal_moves)
    assert reason(state, Draw("A", Tile(6, 5))) == "inconsistent_state"
    unseen = state.apply(Draw("A"))
    assert (unseen.hand("A").tiles, unseen.hand("A").unknown) == (None, 1)
    assert set(unseen.hand("A").shown) == set(A_TILES) - {Tile(5, 5)}
    assert state.apply(Draw("A", Tile(6, 4))).hand("A").tiles is not None


def test_the_trump_tile_is_known_in_a_hidden_hand() -> None:
    """Who draws the tile turned up is known to hold it, and the other one is not."""
    state = BingoState(
        BINGO.rules(),
        ("A", "B"),
        (Hand.hidden(1), Hand.hidden(1)),
        trump=5,
        turn="A",
        stock=Stock((None,), ((Tile(5, 2),),)),
    )
    state = state.apply(Lead("A", Tile(6, 6))).apply(Reply("B", Tile(6, 1))).apply(Draw("B")).apply(Draw("A"))
    assert state.hand("A").shown == (Tile(5, 2),)
    assert [move.tile for move in state.legal_moves if isinstance(move, Lead)] == [Tile(5, 2)]
    state = state.apply(Lead("A", Tile(5, 2)))
    assert reason(state, Reply("B", Tile(5, 2))) == "not_in_hand"


def end_game(size: int, lead: Tile) -> BingoState:
    """Return a position of phase 2 in which B, hidden, must reply, and only 4 tiles are unseen: 5-4 6-6 3-3 2-1."""
    unseen = parse_tiles("5-4 6-6 3-3 2-1")
    known = DOUBLE_SIX.without((*unseen, lead))
    state = BingoState(
        BINGO.rules(), ("A", "B"), (Hand.of(known), Hand.hidden(size)), trump=2, turn="B", lead=Lead("A", lead)
    )
    return replace(state, stock=Stock())


def test_a_reply_is_possible_while_others_could_fill_the_hand() -> None:
    """A hidden hand of two may lack every match, one of four may not; one of three must hold a match or a trump."""
    two, three, four = (end_game(size, Tile(5, 0)) for size in (2, 3, 4))
    assert {move.tile for move in two.legal_moves if isinstance(move, Reply)} == set(parse_tiles("5-4 6-6 3-3 2-1"))
    assert reason(three, Reply("B", Tile(6, 6))) == "must_trump"
    assert Reply("B", Tile(2, 1)) in three.legal_moves
    assert reason(four, Reply("B", Tile(6, 6))) == "must_match"
    assert reason(four, Reply("B", Tile(2, 1))) == "must_match"


def test_reveal() -> None:
    """A hidden hand becomes known if it can be that; a known one stays what it is."""
    state = start()
    tiles = parse_tiles("6-5 6-4 6-3 6-1 6-0 5-4 5-3")
    assert state.reveal("B", tiles).hand("B") == Hand.of(tiles)
    assert state.reveal("A", reversed(A_TILES)).hand("A").size == 7


@pytest.mark.parametrize(
    ("player", "text"),
    [
        ("B", "6-5 6-4 6-3 6-1 6-0 5-4"),
        ("B", "6-5 6-4 6-3 6-1 6-0 5-4 6-6"),
        ("B", "6-5 6-4 6-3 6-1 6-0 5-4 5-2"),
        ("B", "6-5 6-5 6-3 6-1 6-0 5-4 5-3"),
        ("A", "6-5 6-4 6-3 6-1 6-0 5-4 5-3"),
        ("C", "6-5 6-4 6-3 6-1 6-0 5-4 5-3"),
    ],
)
def test_reveal_refuses_what_cannot_be(player: str, text: str) -> None:
    """Too few tiles, one seen elsewhere, one twice, or another hand than the known one is inconsistent."""
    state = start()
    with pytest.raises(SetupError) as caught:
        state.reveal(player, parse_tiles(text))
    assert caught.value.code == "inconsistent_state"


def test_revealing_keeps_what_was_shown() -> None:
    """A revealed hand must hold the tiles that it is known to hold."""
    state = replace(start(), held=(Hand.of(A_TILES), Hand.hidden(7, [Tile(5, 3)])))
    with pytest.raises(SetupError) as caught:
        state.reveal("B", parse_tiles("6-5 6-4 6-3 6-1 6-0 5-4 5-1"))
    assert caught.value.code == "inconsistent_state"
    assert state.reveal("B", parse_tiles("6-5 6-4 6-3 6-1 6-0 5-4 5-3")).hand("B").unknown == 0


def test_shown_doubles_count_for_a_declaration() -> None:
    """A double that a hidden hand showed is one of those that it may declare."""
    state = replace(start(), held=(Hand.of(A_TILES), Hand.hidden(2, [Tile(4, 4)])))
    assert Lead("B", Tile(4, 4), 2) in list(state.legal_moves)
    assert reason(state, Lead("B", Tile(4, 4), 3)) == "false_declaration"
    assert Lead("B", Tile(3, 3), 2) in list(state.legal_moves)
    full = replace(state, held=(Hand.of(A_TILES), Hand.hidden(2, parse_tiles("4-4 6-5"))))
    assert reason(full, Lead("B", Tile(4, 4), 2)) == "false_declaration"
