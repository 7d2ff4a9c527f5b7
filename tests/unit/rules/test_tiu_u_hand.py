"""A hand of Tiu-U: both parts of a turn, tripling, quadrupling, the end, and every reason of refusal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.games.pool import Stock
from domino_rules.games.tiu_u import TIU_U
from domino_rules.games.tiu_u_rules import TWO_CHINESE
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.moves import Capture, Draw, Lead, Move, Pass, Quadruple, Triple, Turn
from domino_rules.state import Deal, Hand, HandContext
from domino_rules.tile import Tile, parse_tiles

T64 = Tile(6, 4)


def position(
    hand: str, talon: str, stock: str, *, tripled: str = "", piles: tuple[str, str] = ("", ""), **options: Any
) -> TiuUState:
    """Return a position in which A, who holds `hand`, begins his turn; B holds 1-1."""
    return TiuUState(
        TIU_U.rules(**options),
        ("A", "B"),
        (Hand.of(parse_tiles(hand)), Hand.of((Tile(1, 1),))),
        turn="A",
        talon=parse_tiles(talon),
        stock=Stock.with_stacks(parse_tiles(stock), parse_tiles(tripled)),
        piles=(parse_tiles(piles[0]), parse_tiles(piles[1])),
    )


def texts(tiles: Any) -> str:
    """Return tiles as text."""
    return " ".join(map(str, tiles))


def capture(tile: str, take: str) -> Capture:
    """Return A's capture."""
    return Capture("A", Tile.parse(tile), Tile.parse(take))


def turn(tile: str, take: str | None = None) -> Turn:
    """Return A's part 2."""
    return Turn("A", Tile.parse(tile), None if take is None else Tile.parse(take))


def refused(state: TiuUState, move: Move) -> str:
    """Return why the move is refused; it is no legal move, and the state stays as it was."""
    before = replace(state)
    assert move not in state.legal_moves
    assert move not in list(state.legal_moves)
    with pytest.raises(IllegalMoveError) as caught:
        state.apply(move)
    assert state == before
    assert caught.value.params["player"] == move.player
    return caught.value.code


def test_a_turn_captures_and_turns_while_it_pairs() -> None:
    """A pair from the hand is taken, then stock tiles are turned until one pairs with nothing."""
    state = position("6-3 1-1", "5-4 6-5 2-2", "3-1 6-5 4-4 5-5").apply(capture("6-3", "5-4"))
    assert list(state.legal_moves) == [turn("3-1", "2-2")]
    state = state.apply(turn("3-1", "2-2"))
    assert state.to_move == "A"
    state = state.apply(turn("6-5", "6-5")).apply(turn("4-4"))
    assert (state.to_move, state.drawing) == ("B", False)
    assert texts(state.captured["A"]) == "6-3 5-4 3-1 2-2 6-5 6-5"
    assert (texts(state.talon), texts(state.stock), texts(state.hand("A").known)) == ("4-4", "5-5", "1-1")


def test_a_capture_scores_with_evidence() -> None:
    """Each captured pair is an event before rounding; a pair worth nothing is none."""
    state = position("6-3 1-1", "5-4 3-2", "3-2 6-6").apply(capture("6-3", "5-4"))
    (event,) = state.events
    assert (event.side, event.points, event.reason) == ("A", 36, "capture")
    assert [(addend.code, addend.value) for addend in event.evidence] == [("big_fish", 18), ("big_fish", 18)]
    assert state.apply(turn("3-2", "3-2")).events == state.events


def test_only_one_tile_may_be_turned() -> None:
    """With `draw_chain=false` the turn ends after one stock tile, paired or not."""
    state = position("6-3 1-1", "5-4 2-2", "3-1 6-5", draw_chain=False).apply(capture("6-3", "5-4"))
    assert state.apply(turn("3-1", "2-2")).to_move == "B"


def test_a_choice_among_mates() -> None:
    """Where several talon tiles pair, the player chooses one; exactly one is taken."""
    state = position("1-1", "5-3 6-2 5-3", "4-4 6-6 5-5").apply(Pass("A"))
    assert set(state.legal_moves) == {turn("4-4", "5-3"), turn("4-4", "6-2")}
    state = state.apply(turn("4-4", "5-3"))
    assert texts(state.talon) == "6-2 5-3"


def test_tripling_buys_three_and_stacks_at_the_far_end() -> None:
    """Two alike on the talon and the third from the hand go to the far end; three tiles are bought; part 2 follows."""
    state = position("6-4 1-1", "6-4 2-2 6-4", "6-6 6-5 5-3 4-1 5-2").apply(Triple("A", T64))
    assert texts(state.hand("A").known) == "1-1 6-6 6-5 5-3"
    assert (texts(state.talon), texts(state.stock)) == ("2-2", "4-1 5-2 6-4 6-4 6-4")
    assert (state.drawing, state.captured["A"], state.events) == (True, (), ())
    assert state.apply(turn("4-1")).to_move == "B"


def test_a_second_tripling_lies_behind_the_first() -> None:
    """The stack laid last is bought last."""
    state = position("5-5 1-1", "5-5 5-5", "6-6 6-5 5-3 4-1 6-4 6-4 6-4", tripled="6-4").apply(Triple("A", Tile(5, 5)))
    assert texts(state.stock) == "4-1 6-4 6-4 6-4 5-5 5-5 5-5"
    assert state.stock.kinds == (T64, Tile(5, 5))


def test_tripling_may_need_less_of_the_stock() -> None:
    """With `min_stock_for_triple=1` one stock tile is enough; the stack itself is bought from then."""
    state = position("6-4", "6-4 6-4", "6-6", min_stock_for_triple=1).apply(Triple("A", T64))
    assert (texts(state.hand("A").known), texts(state.stock)) == ("6-6 6-4 6-4", "6-4")


@pytest.mark.parametrize(("buys", "hand", "stock"), [(3, 4, "5-2"), (4, 5, "")])
def test_quadrupling_buys(buys: int, hand: int, stock: str) -> None:
    """The fourth tile goes on the three wherever they lie and buys three tiles, or four by option."""
    state = position(
        "6-4 1-1",
        "2-2",
        "6-6 6-5 5-3 4-1 5-2 6-4 6-4 6-4 5-5 5-5 5-5",
        tripled="6-4 5-5",
        quad_buys=buys,
    ).apply(Quadruple("A", T64))
    state = state.apply(turn("4-1" if buys == 3 else "5-2"))
    assert state.hand("A").size == hand
    assert texts(state.stock) == f"{stock} 6-4 6-4 6-4 6-4 5-5 5-5 5-5".strip()
    assert texts(state.talon).startswith("2-2")


def test_the_fourth_tile_may_be_played_instead() -> None:
    """Nobody is made to quadruple: the fourth tile may capture."""
    state = position("6-4 1-1", "5-5 2-2", "6-6 6-5 5-3 6-4 6-4 6-4", tripled="6-4")
    assert {capture("6-4", "5-5"), Quadruple("A", T64)} == set(state.legal_moves)


def test_a_fourth_tile_just_turned_may_be_laid_there() -> None:
    """With `quad_source=drawn_too` the fourth tile, just turned, buys three: the hand grows by three."""
    stock = "6-4 6-6 6-5 5-3 4-1 6-4 6-4 6-4"
    state = position("1-1", "5-5", stock, tripled="6-4", quad_source="drawn_too").apply(Pass("A"))
    assert set(state.legal_moves) == {turn("6-4", "5-5"), Quadruple("A", T64)}
    after = state.apply(Quadruple("A", T64))
    assert (after.hand("A").size, after.to_move, after.drawing) == (4, "A", True)
    assert texts(after.stock) == "4-1 6-4 6-4 6-4 6-4"
    plain = position("1-1", "5-5", stock, tripled="6-4").apply(Pass("A"))
    assert refused(plain, Quadruple("A", T64)) == "move_not_due"


def test_a_player_without_tiles_plays_part_2_only() -> None:
    """An empty hand passes part 1 and turns stock tiles."""
    state = position("", "5-4", "6-3 6-6 5-5")
    assert list(state.legal_moves) == [Pass("A")]
    state = state.apply(Pass("A")).apply(turn("6-3", "5-4"))
    assert texts(state.captured["A"]) == "6-3 5-4"


def test_the_last_stock_tile_ends_the_hand() -> None:
    """The last tile is resolved, then the hand is over: rounding and payments are added, they sum to zero."""
    state = position("1-1", "6-6 5-4", "6-6").apply(Pass("A")).apply(turn("6-6", "6-6"))
    assert state.result is not None
    assert (state.result.kind, state.result.side, state.to_move) == ("points", "A", None)
    assert [(e.side, e.points, e.reason, e.unit) for e in state.result.events] == [
        ("A", 48, "capture", "points"),
        ("A", 2, "rounding", "points"),
        ("A", 50, "settlement", "payment"),
        ("B", -50, "settlement", "payment"),
    ]
    assert state.finals == {"A": 50, "B": 0}
    assert list(state.legal_moves) == []


def test_equal_scores_are_a_draw() -> None:
    """Equal rounded scores: nobody pays."""
    state = position("", "5-4", "6-6", piles=("6-6 6-6", "6-5 6-5")).apply(Pass("A")).apply(turn("6-6"))
    assert state.result is not None
    assert (state.result.kind, state.result.side) == ("tie", None)
    assert all(event.unit == "points" for event in state.result.events)


def test_passing_may_be_free() -> None:
    """With `hand_capture=optional` a possible capture may be declined; a drawn mate may not."""
    state = position("6-3 1-1", "5-4 6-5", "3-3 5-5", hand_capture="optional")
    assert state.apply(Pass("A")).drawing
    drawn = position("6-3 1-1", "5-4 6-5", "6-5 5-5", hand_capture="optional").apply(Pass("A"))
    assert refused(drawn, turn("6-5")) == "must_capture"


OVER = position("", "5-4", "6-6").apply(Pass("A")).apply(turn("6-6"))
DRAWING = position("1-1", "5-3 6-2", "4-4 6-6 5-5").apply(Pass("A"))
FULL = "6-6 6-5 5-3 4-1"
STACKED = "6-6 6-5 5-3 4-1 6-4 6-4 6-4"
CASES: list[tuple[str, TiuUState, Move]] = [
    ("hand_over", OVER, Pass("B")),
    ("not_your_turn", position("6-3", "5-4", FULL), Pass("B")),
    ("not_your_turn", position("6-3", "5-4", FULL), Pass("Z")),
    ("wrong_move", position("6-3", "5-4", FULL), Draw("A")),
    ("wrong_move", DRAWING, Lead("A", Tile(6, 6))),
    ("move_not_due", position("6-3", "5-4", FULL), turn("6-6")),
    ("move_not_due", DRAWING, Pass("A")),
    ("move_not_due", DRAWING, Triple("A", Tile(1, 1))),
    ("move_not_due", DRAWING, capture("1-1", "5-3")),
    ("must_capture", position("6-3 1-1", "5-4 6-5", FULL), Pass("A")),
    ("must_capture", DRAWING, turn("4-4")),
    ("no_pair", position("6-3", "6-2", FULL), capture("6-3", "6-2")),
    ("no_pair", position("4-2", "3-3", FULL), capture("4-2", "3-3")),
    ("no_pair", position("1-1", "5-5", "4-4 6-6").apply(Pass("A")), turn("4-4", "5-5")),
    ("not_on_talon", position("6-3", "5-5", FULL), capture("6-3", "5-4")),
    ("not_on_talon", DRAWING, turn("4-4", "4-4")),
    ("not_in_hand", position("1-1", "5-5", FULL), capture("6-4", "5-5")),
    ("not_in_hand", position("1-1", "6-4 6-4", FULL), Triple("A", T64)),
    ("not_in_hand", position("1-1", "2-2", STACKED, tripled="6-4"), Quadruple("A", T64)),
    ("need_two_on_talon", position("6-4 6-4", "6-4 2-2", FULL), Triple("A", T64)),
    ("need_two_on_talon", position("6-4", "6-4 6-4 6-4", FULL), Triple("A", T64)),
    ("need_two_on_talon", position("6-4", "5-5 5-5", FULL), Triple("A", T64)),
    ("fourth_already_played", position("6-4", "6-4 6-4", FULL, piles=("", "6-4 5-5")), Triple("A", T64)),
    ("stock_too_small", position("6-4", "6-4 6-4", "6-6 6-5"), Triple("A", T64)),
    ("stock_too_small", position("6-4", "2-2", "6-6 6-5 6-4 6-4 6-4", tripled="6-4"), Quadruple("A", T64)),
    ("stock_too_small", position("6-4", "2-2", "6-6 6-5 5-3 6-4 6-4 6-4", tripled="6-4", quad_buys=4),
     Quadruple("A", T64)),
    ("no_tripled_stack", position("6-4 1-1", "2-2", FULL), Quadruple("A", T64)),
    ("no_tripled_stack", position("6-4 1-1", "2-2", "6-4 6-4 5-5 5-5 5-5", tripled="6-4 5-5"), Quadruple("A", T64)),
    ("inconsistent_state", DRAWING, turn("6-6")),
    ("inconsistent_state", replace(DRAWING, stock=Stock((None,)), talon=(Tile(6, 3), Tile(6, 3))), turn("6-3", "6-3")),
]  # fmt: skip


@pytest.mark.parametrize(("code", "state", "move"), CASES)
def test_reasons_of_refusal(code: str, state: TiuUState, move: Move) -> None:
    """Every reason code is reached, the move is not among the legal ones, and the state is unchanged."""
    assert refused(state, move) == code


def dealt(players: str, hands: dict[str, str]) -> Deal:
    """Return a deal whose hands begin with the given tiles and are filled up from the rest."""
    given = {player: parse_tiles(hands.get(player, "")) for player in players}
    rest = list(TWO_CHINESE.without(tile for tiles in given.values() for tile in tiles))
    rest.sort(key=lambda tile: tile is Tile(6, 6))
    size = 12 if len(players) == 2 else 8
    full: dict[str, Hand] = {}
    for player, tiles in given.items():
        missing = size - len(tiles)
        full[player] = Hand.of((*tiles, *rest[:missing]))
        del rest[:missing]
    return Deal(full, tuple(rest[16:]), tuple(rest[:16]))


def test_6_6_is_laid_down_before_play() -> None:
    """Pairs of 6-6 lie before their owners from the start, and count as captured."""
    state = TIU_U.start(dealt("ABC", {"B": "6-6 6-6 6-6"}), TIU_U.rules(), HandContext(opener="C"))
    assert {player: texts(pile) for player, pile in state.captured.items()} == {"A": "", "B": "6-6 6-6", "C": ""}
    assert [hand.size for hand in state.held] == [8, 6, 8]
    assert (state.to_move, state.events[0].reason, state.events[0].points) == ("C", "opening_pair", 48)


def test_the_turn_goes_round_in_the_order_of_the_deal() -> None:
    """The seats follow each other in the order of the deal."""
    state = TIU_U.start(dealt("ABC", {}), TIU_U.rules(), HandContext(opener="B"))
    seen = ["B"]
    while len(seen) < 4:
        state = state.apply(next(iter(state.legal_moves)))
        if state.turn != seen[-1]:
            seen.append(state.turn)
    assert seen == ["B", "C", "A", "B"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"hands": {"A": Hand.hidden(12)}}, "players"),
        ({"hands": {"A": Hand.hidden(12), "B": Hand.hidden(8)}}, "inconsistent_state"),
        ({"table": ()}, "inconsistent_state"),
        ({"stock": (Tile(6, 6),) * 24}, "inconsistent_state"),
        ({"stock": (None,) * 23}, "inconsistent_state"),
    ],
)
def test_impossible_deals_are_refused(change: dict[str, Any], code: str) -> None:
    """A deal with the wrong players or sizes, or more of a tile than there are, starts no hand."""
    with pytest.raises(SetupError) as caught:
        TIU_U.start(replace(dealt("AB", {}), **change), TIU_U.rules(), HandContext())
    assert caught.value.code == code


def test_anything_may_be_asked_of_the_legal_moves() -> None:
    """What is no move is not legal; hands are given by player."""
    state = position("6-3", "5-4", FULL)
    assert "6-4" not in state.legal_moves
    assert None not in state.legal_moves
    assert state.hands == dict(zip(state.players, state.held, strict=True))
