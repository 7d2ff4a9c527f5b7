"""A hand of Bingo: its steps, draws, closing, and every reason why a move is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.games.bingo import BINGO
from domino_rules.games.bingo_score import Closing
from domino_rules.games.bingo_state import BingoState
from domino_rules.games.pool import Stock
from domino_rules.layout import Arm
from domino_rules.moves import Close, Draw, Lead, Move, Pass, Play, Reply
from domino_rules.state import Deal, Hand, HandContext
from domino_rules.tile import DOUBLE_SIX, Tile, parse_tiles

A_TILES = parse_tiles("6-6 5-5 4-1 3-2 6-2 1-0 4-3")
B_TILES = parse_tiles("6-4 2-1 5-1 0-0 3-3 6-5 2-0")
TURNED_UP = Tile(5, 2)
FACE_DOWN = tuple(tile for tile in DOUBLE_SIX.without((*A_TILES, *B_TILES)) if tile is not TURNED_UP)


def start(**options: Any) -> BingoState:
    """Return a hand in which A leads and 5 is trump."""
    deal = Deal({"A": Hand.of(A_TILES), "B": Hand.of(B_TILES)}, FACE_DOWN, (TURNED_UP,))
    return BINGO.start(deal, BINGO.rules(**options), HandContext(opener="A"))


def position(a: str, b: str, *, lead: str | None = None, trump: int = 2, **fields: Any) -> BingoState:
    """Return a position of phase 2 (unless a stock is given) in which A leads, or has led."""
    rules = BINGO.rules(**fields.pop("options", {}))
    led = None if lead is None else Lead("A", Tile.parse(lead))
    held = (Hand.of(parse_tiles(a)), Hand.of(parse_tiles(b)))
    state = BingoState(rules, ("A", "B"), held, trump, "A" if lead is None else "B", lead=led)
    return replace(state, **fields)


def trick(state: BingoState, lead: str, reply: str, **declared: int) -> BingoState:
    """Return the state after A's or B's lead and the reply; `declared` by player."""
    first = state.turn
    second = state.other(first)
    state = state.apply(Lead(first, Tile.parse(lead), declared.get(first)))
    return state.apply(Reply(second, Tile.parse(reply), declared.get(second)))


def refused(state: BingoState, move: Move) -> str:
    """Return why the move is refused; it is no legal move, and the state stays as it was."""
    before = replace(state)
    assert move not in state.legal_moves
    assert move not in list(state.legal_moves)
    with pytest.raises(IllegalMoveError) as caught:
        state.apply(move)
    assert state == before
    assert caught.value.params["player"] == move.player
    return caught.value.code


def test_a_trick_scores_both_tiles_with_evidence() -> None:
    """The taker scores both tiles; the evidence names each tile, its rule and who played it."""
    state = trick(start(), "6-2", "6-5")
    (event,) = state.events
    assert (event.side, event.points, event.reason) == ("B", 19, "trick")
    assert [(a.code, a.value, str(a.tile), a.player) for a in event.evidence] == [
        ("plain", 8, "6-2", "A"),
        ("trump", 11, "6-5", "B"),
    ]


def test_the_winner_draws_first_and_leads() -> None:
    """After a trick the winner draws, then the loser; then the winner leads."""
    state = trick(start(), "6-2", "6-5")
    assert list(state.legal_moves) == [Close("B"), Draw("B", FACE_DOWN[0])]
    state = state.apply(Draw("B", FACE_DOWN[0])).apply(Draw("A"))
    assert state.hand("A").tiles == (*(t for t in A_TILES if t is not Tile(6, 2)), FACE_DOWN[1])
    assert (state.to_move, len(state.stock), state.phase) == ("B", 12, 1)


@pytest.mark.parametrize(("option", "first", "trump_to"), [("winner", "B", "A"), ("loser", "A", "B")])
def test_the_tile_turned_up_is_drawn_last(option: str, first: str, trump_to: str) -> None:
    """Of the last two tiles the one turned up goes last, to the winner or by option to the loser."""
    stock = Stock((Tile(6, 3),), ((Tile(2, 2),),))
    state = position("5-4", "5-1", stock=stock, options={"last_trump_to": option})
    state = trick(state, "5-4", "5-1")
    assert state.due == (first, trump_to)
    state = state.apply(Draw(first, Tile(6, 3))).apply(Draw(trump_to, Tile(2, 2)))
    assert state.hand(trump_to).tiles == (Tile(2, 2),)
    assert (state.phase, state.to_move) == (2, "A")


def test_closing_stops_the_draw_and_starts_phase_2() -> None:
    """The taker closes instead of drawing: nobody draws, the hidden tiles are out of play, he leads."""
    state = trick(start(), "6-2", "6-5").apply(Close("B"))
    assert state.closing == Closing("B", 19)
    assert (state.phase, state.to_move, [hand.size for hand in state.held]) == (2, "B", [6, 6])
    assert all(isinstance(move, Lead) for move in state.legal_moves)


def test_the_taker_may_close_before_the_loser_draws_the_last_hidden_tile() -> None:
    """While one hidden tile and the trump tile are left, the taker may still close though the loser is to draw."""
    state = position("5-4 6-6", "5-1 3-3", stock=Stock((Tile(6, 3),), ((Tile(2, 2),),)))
    state = trick(state, "5-4", "5-1")
    assert state.to_move == "B"
    assert Close("A") in state.legal_moves
    assert state.apply(Close("A")).to_move == "A"


def test_closing_may_be_allowed_until_the_lead() -> None:
    """With `close_timing=until_lead` the taker may close after both have drawn, but not between the draws."""
    state = trick(start(close_timing="until_lead"), "6-2", "6-5").apply(Draw("B"))
    assert refused(state, Close("B")) == "already_drawn"
    state = state.apply(Draw("A"))
    assert Close("B") in list(state.legal_moves)
    closed = state.apply(Close("B"))
    assert ([hand.size for hand in closed.held], closed.phase) == ([7, 7], 2)
    assert refused(state.apply(Lead("B", Tile(2, 1))), Close("B")) == "already_drawn"


def test_a_declaration_counts_if_the_trick_is_taken() -> None:
    """Two doubles declared with a double that takes the trick earn 20 more, as an event of its own."""
    state = trick(start(), "5-5", "6-4", A=2)
    assert [(event.reason, event.points) for event in state.events] == [("trick", 38), ("declaration", 20)]
    assert state.points == {"A": 58, "B": 0}
    assert state.events[1].evidence[0].code == "declared_doubles"


def test_a_declaration_is_lost_with_the_trick() -> None:
    """The bonus goes to nobody if the declared double loses."""
    state = trick(start(), "6-6", "6-5", A=2)
    assert state.points == {"A": 0, "B": 23}


def test_a_declared_bingo_keeps_its_bonus_under_the_trump_double() -> None:
    """BINGO takes the trick and the bonus, the trump double's player scores the tiles."""
    state = position("0-0 6-6 5-4", "2-2 5-1 3-1", stock=Stock((None,) * 13, ((Tile(2, 1),),)))
    state = trick(state, "0-0", "2-2", A=2)
    assert state.points == {"A": 20, "B": 42}
    assert state.taker == "A"
    assert state.events[0].reason == "trump_double_under_bingo"


def test_the_hand_stops_at_the_target() -> None:
    """The trick that brings a player to 70 ends the hand; nobody draws."""
    state = position("6-6 5-5 4-4 3-3 1-1 6-5 5-4", "6-4 6-3 6-1 5-1 4-3 4-1 3-1", stock=Stock((None,) * 13))
    state = trick(state, "6-6", "6-4", A=5)
    assert state.result is not None
    assert (state.result.kind, state.result.side, state.to_move) == ("points", "A", None)
    assert list(state.legal_moves) == []
    sets = state.result.events[-1]
    assert (sets.unit, sets.points, [addend.code for addend in sets.evidence]) == (
        "sets",
        3,
        ["reached_target", "opponent_few_points", "opponent_no_points"],
    )


def test_seven_doubles_are_three_sets() -> None:
    """210 points for seven doubles earn three sets whatever the opponent has."""
    state = position("6-6 5-5 4-4 3-3 2-2 1-1 0-0", "6-4 6-3 6-1 5-1 4-3 4-1 3-1", stock=Stock((None,) * 13))
    state = trick(state, "6-6", "6-4", A=7)
    assert state.result is not None
    assert (state.result.kind, state.result.side, state.points["A"]) == ("seven_doubles", "A", 232)


@pytest.mark.parametrize(("ends", "tricks"), [(True, 1), (False, 2)])
def test_the_hand_may_go_on_behind_the_target(ends: bool, tricks: int) -> None:
    """With `hand_ends_at_70=false` the hand is played to its last trick though the target has been reached."""
    state = position("6-6 5-5", "6-4 6-3", trump=3, options={"hand_ends_at_70": ends, "target": 20})
    state = trick(state, "6-6", "6-4")
    if state.result is None:
        state = trick(state, "5-5", "6-3")
    assert state.result is not None
    assert (len(state.tricks), state.result.kind, state.result.side) == (tricks, "points", "A")


def test_who_cannot_answer_may_lose_the_hand() -> None:
    """With `unable=lose_hand` a reply that neither matches nor trumps ends the hand for the leader."""
    state = position("5-4 1-1", "6-6 3-3", options={"unable": "lose_hand"})
    lost = trick(state, "5-4", "6-6")
    assert lost.result is not None
    assert (lost.result.kind, lost.result.side, lost.events[-1].points) == ("unable", "A", 3)
    kept = trick(position("5-4 1-1", "6-6 3-3"), "5-4", "6-6")
    assert (kept.result, kept.taker) == (None, "A")


def test_nobody_at_the_target_earns_no_set() -> None:
    """A hand that ends without 70 for anybody, unclosed, is a tie."""
    state = trick(position("5-4", "5-1"), "5-4", "5-1")
    assert state.result is not None
    assert (state.result.kind, state.result.side, state.points) == ("tie", None, {"A": 15, "B": 0})


def test_a_closer_without_70_loses_two_sets() -> None:
    """The opponent of a closer who fails gets two sets, with the evidence of it."""
    state = trick(position("5-4", "5-1", closing=Closing("A")), "5-4", "5-1")
    assert state.result is not None
    assert (state.result.kind, state.result.side) == ("closing_failed", "B")
    assert [(a.code, a.value) for a in state.events[-1].evidence] == [("closing_failed", 2)]


BEFORE_DRAW = trick(start(), "6-2", "6-5")
CASES: list[tuple[str, BingoState, Move]] = [
    ("not_your_turn", start(), Lead("B", Tile(6, 4))),
    ("not_your_turn", start(), Pass("C")),
    ("not_in_hand", start(), Lead("A", Tile(6, 4))),
    ("wrong_move", start(), Play("A", Tile(6, 6), Arm.START)),
    ("wrong_move", start(), Pass("A")),
    ("move_not_due", start(), Reply("A", Tile(6, 6))),
    ("move_not_due", start().apply(Lead("A", Tile(6, 6))), Lead("B", Tile(6, 4))),
    ("must_play", start(), Draw("A")),
    ("must_draw", BEFORE_DRAW, Lead("B", Tile(6, 4))),
    ("inconsistent_state", BEFORE_DRAW, Draw("B", FACE_DOWN[1])),
    ("inconsistent_state", replace(BEFORE_DRAW, stock=Stock((None,) * 14)), Draw("B", Tile(6, 6))),
    ("must_match", position("1-1", "5-1 2-1 6-6", lead="5-4"), Reply("B", Tile(6, 6))),
    ("must_match", position("1-1", "5-1 2-1 6-6", lead="5-4"), Reply("B", Tile(2, 1))),
    ("must_trump", position("1-1", "2-1 6-6", lead="5-4"), Reply("B", Tile(6, 6))),
    ("declare_needs_double", start(), Lead("A", Tile(4, 1), 2)),
    ("declare_lead_only", start(preset="classic").apply(Lead("A", Tile(6, 6))), Reply("B", Tile(3, 3), 2)),
    ("false_declaration", start(), Lead("A", Tile(6, 6), 1)),
    ("false_declaration", start(), Lead("A", Tile(6, 6), 3)),
    ("false_declaration", start(), Lead("A", Tile(6, 6), 8)),
    ("only_trick_winner", start(), Close("A")),
    ("only_trick_winner", BEFORE_DRAW, Close("A")),
    ("already_drawn", BEFORE_DRAW.apply(Draw("B")), Close("B")),
    ("already_drawn", BEFORE_DRAW.apply(Draw("B")).apply(Draw("A")), Close("B")),
    ("nothing_to_close", BEFORE_DRAW.apply(Close("B")), Close("B")),
    ("nothing_to_close", position("1-1", "5-1", taker="A"), Close("A")),
    ("hand_over", trick(position("5-4", "5-1"), "5-4", "5-1"), Lead("A", Tile(5, 4))),
    ("hand_over", trick(position("5-4", "5-1"), "5-4", "5-1"), Close("A")),
]


@pytest.mark.parametrize(("code", "state", "move"), CASES)
def test_reasons_of_refusal(code: str, state: BingoState, move: Move) -> None:
    """Every reason code is reached, the move is not among the legal ones, and the state is unchanged."""
    assert refused(state, move) == code


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        (Deal({"A": Hand.of(A_TILES)}, FACE_DOWN, (TURNED_UP,)), "players"),
        (Deal({"A": Hand.of(A_TILES[1:]), "B": Hand.of(B_TILES)}, FACE_DOWN, (TURNED_UP,)), "inconsistent_state"),
        (Deal({"A": Hand.of(A_TILES), "B": Hand.of(A_TILES)}, FACE_DOWN, (TURNED_UP,)), "inconsistent_state"),
        (Deal({"A": Hand.of(A_TILES), "B": Hand.of(B_TILES)}, FACE_DOWN), "inconsistent_state"),
        (Deal({"A": Hand.of(A_TILES), "B": Hand.of(B_TILES)}, FACE_DOWN[1:], (TURNED_UP,)), "inconsistent_state"),
        (Deal({"A": Hand.of(A_TILES), "B": Hand.hidden(7)}, (), (Tile(6, 6),)), "inconsistent_state"),
    ],
)
def test_impossible_deals_are_refused(deal: Deal, code: str) -> None:
    """A deal with the wrong players, sizes or a tile twice starts no hand."""
    with pytest.raises(SetupError) as caught:
        BINGO.start(deal, BINGO.rules(), HandContext())
    assert caught.value.code == code


def test_the_told_opener_leads() -> None:
    """The opener of the context leads; a stranger cannot."""
    deal = Deal({"A": Hand.of(A_TILES), "B": Hand.of(B_TILES)}, FACE_DOWN, (TURNED_UP,))
    assert BINGO.start(deal, BINGO.rules(), HandContext(opener="B")).to_move == "B"
    assert BINGO.start(deal, BINGO.rules()).to_move == "A"
    with pytest.raises(SetupError) as caught:
        BINGO.start(deal, BINGO.rules(), HandContext(opener="C"))
    assert caught.value.code == "opener"


def test_anything_may_be_asked_of_the_legal_moves() -> None:
    """What is no move is not legal; hands are given by player."""
    state = start()
    assert "6-4" not in state.legal_moves
    assert None not in state.legal_moves
    assert state.hands == dict(zip(state.players, state.held, strict=True))
