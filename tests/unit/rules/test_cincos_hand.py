"""A hand of Cincos from the lead to the last tile: draws, passes, spinner, counts, refusals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.games.cincos import CINCOS, CincosState
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Draw, Move, Pass, Play, Turn
from domino_rules.state import Deal, HandContext
from domino_rules.tile import Tile, parse_tiles
from tests.chain_hands import moves, played, rest, told

TWO = {"A": "5-5 6-5 3-2 4-1 2-0 6-2 1-0", "B": "4-4 6-4 5-0 3-1 5-3 6-0 2-1"}
THREE = {"A": "6-5 5-4 6-4 5-3 4-3", "B": "6-3 6-2 5-2 4-2 3-2", "C": "6-1 6-0 5-1 4-1 3-1"}


def start(hands: dict[str, str] | None = None, context: HandContext | None = None, **options: Any) -> CincosState:
    """Return a hand with everything known; the boneyard ascends from the lowest tile."""
    held = TWO if hands is None else hands
    return CINCOS.start(told(held, rest(held)), CINCOS.rules(**options), context or HandContext())


def resumed(layout: str, hand: str, stock: int | str = 0, **options: Any) -> CincosState:
    """Return a position with A to move; B is hidden."""
    return CINCOS.resume(Layout.parse(layout), told({"A": hand, "B": "3"}, stock), "A", CINCOS.rules(**options))


def test_the_highest_double_is_led() -> None:
    """In the first hand its holder leads the highest double, and 5-5 scores 10 at once. Source: RULES 4.1."""
    state = start()
    assert (state.to_move, list(state.legal_moves)) == ("A", moves("A:5-5"))
    after = state.apply(moves("A:5-5")[0])
    assert (after.count, [(e.reason, e.points, e.player) for e in after.events]) == (10, [("count", 10, "A")])


def test_without_a_double_the_heaviest_tile_is_led() -> None:
    """No double in any hand: the heaviest tile leads, here 6-5. Source: decision 10."""
    state = start(THREE)
    assert list(state.legal_moves) == moves("A:6-5")
    equal = {"A": "5-4 1-0 2-0 3-0 4-0", "B": "6-3 2-1 3-1 4-1 5-1", "C": "3-2 4-2 5-2 4-3 5-3"}
    assert list(start(equal).legal_moves) == moves("B:6-3")


def test_by_lot_anybody_may_lead_anything() -> None:
    """With opening=lot the opener is told; while he is not, each lead is possible."""
    state = start(opening="lot")
    assert (state.to_move, state.openers, len(state.legal_moves)) == (None, ("A", "B"), 14)
    assert played(state, "B:6-0").to_move == "A"
    assert len(start(context=HandContext(opener="B"), opening="lot").legal_moves) == 7


def test_whoever_went_out_leads_any_tile() -> None:
    """After going out, the player who did leads what he likes. Source: decision 10."""
    context = HandContext(index=2, opener="B", facts={"lead_any": True})
    assert len(start(context=context).legal_moves) == 7
    assert start(context=HandContext(index=2, facts={"lead_any": False})).to_move == "A"


def test_draws_go_one_by_one_until_something_fits() -> None:
    """Nothing fits: one tile is drawn at a time; as soon as one fits it must be played. Source: seed 003 l.27-31."""
    state = resumed("6-5", "4-2 3-3", "4-4 3-1 6-2 0-0")
    state = played(state, "A+4-4 A+3-1")
    assert (state.to_move, list(state.legal_moves)) == ("A", moves("A+6-2"))
    state = state.apply(Draw("A"))
    assert list(state.legal_moves) == moves("A:6-2L")
    assert (state.boneyard, state.hands["A"].size) == (parse_tiles("0-0"), 5)


def test_the_last_tiles_may_stay_in_the_boneyard() -> None:
    """With boneyard_keeps=2 two tiles are never drawn. Source: RULES C14."""
    state = resumed("6-5", "4-2 3-3", "4-4 3-1 6-2", boneyard_keeps=2)
    assert list(state.legal_moves) == moves("A+4-4")
    assert list(state.apply(Draw("A")).legal_moves) == [Pass("A")]


def test_an_unseen_draw_hides_the_hand_but_for_what_it_showed() -> None:
    """A tile drawn face down may be any unseen one; what was known of the hand stays known."""
    state = resumed("6-5", "4-2 3-3", 9).apply(Draw("A"))
    hand = state.hands["A"]
    assert (hand.tiles, hand.size, set(hand.shown)) == (None, 3, set(parse_tiles("4-2 3-3")))
    assert set(moves("A:6-2L A:5-1R A+")) <= set(state.legal_moves)
    assert Play("A", Tile(3, 3), Arm.LEFT) not in state.legal_moves
    assert state.apply(Play("A", Tile(6, 2), Arm.LEFT)).hands["A"].tiles == tuple(sorted(parse_tiles("4-2 3-3")))


def test_a_told_draw_must_be_possible() -> None:
    """A drawn tile cannot lie in the layout, be in a known hand, or differ from a known next tile."""
    state = resumed("6-5", "4-2 3-3", 9)
    assert state.apply(Draw("A", Tile(6, 1))).hands["A"].size == 3
    for tile, code in ((Tile(6, 5), "duplicate_tile"), (Tile(4, 2), "inconsistent_state")):
        with pytest.raises(IllegalMoveError) as caught:
            state.apply(Draw("A", tile))
        assert caught.value.code == code
    with pytest.raises(IllegalMoveError, match="cannot be the tile drawn"):
        resumed("6-5", "4-2 3-3", "4-4 3-1").apply(Draw("A", Tile(3, 1)))


def test_the_arms_open_when_both_sides_of_the_spinner_are_covered() -> None:
    """The first double's ends open together, and count once something lies there. Source: seed 003 l.19-24."""
    state = played(start(), "A:5-5 B:5-0R A:6-5L")
    assert (state.ends, state.count) == ((6, 0, 5, 5), 6)
    state = played(state, "B:5-3U")
    assert (state.ends, state.count) == ((6, 0, 3, 5), 9)


def test_a_spinner_need_not_be_the_first_tile() -> None:
    """5-5 beyond 6-5 is the spinner; its inner side is covered already."""
    state = resumed("6-5 R:5-5", "5-1 5-2 5-3")
    assert state.ends == (6, 5)
    assert state.apply(Play("A", Tile(5, 1), Arm.RIGHT)).ends == (6, 1, 5, 5)
    assert resumed("6-5 R:5-5 R:5-1 U:5-4", "5-2 2-2").ends == (6, 1, 4, 5)
    assert resumed("5-5 R:5-1", "5-2 2-2").apply(Play("A", Tile(5, 2), Arm.LEFT)).ends == (2, 1, 5, 5)
    assert resumed("5-5", "5-2 2-2").count == 10


def test_going_out_scores_count_and_hands() -> None:
    """The last play's count comes first, then the tiles left, rounded."""
    state = CINCOS.resume(
        Layout.parse("6-6 R:6-1"), told({"A": "6-4", "B": "3-3 2-0"}, rest({"A": "6-6 6-1 6-4", "B": "3-3 2-0"})), "A",
        CINCOS.rules(),
    ).apply(Play("A", Tile(6, 4), Arm.LEFT))  # fmt: skip
    assert state.result is not None
    assert [(e.reason, e.points) for e in state.result.events] == [("count", 5), ("domino", 10)]
    assert (state.result.kind, state.result.side, state.result.player) == ("domino", "A", "A")


def test_reaching_the_target_ends_the_hand_at_once() -> None:
    """With finish=immediate nothing is played after the target; else the hand goes on. Source: RULES C12."""
    context = HandContext(totals={"A": 140, "B": 145})
    state = start(context=context).apply(moves("A:5-5")[0])
    assert state.result is not None
    assert (state.result.kind, state.result.side, state.to_move) == ("target", "A", None)
    assert start(context=context, finish="end_of_hand").apply(moves("A:5-5")[0]).result is None


def test_a_block_ends_when_all_have_passed() -> None:
    """Nobody can play and the boneyard is empty: the passes are offered, and the lighter side scores."""
    state = CINCOS.resume(Layout.parse("6-5"), told({"A": "4-2 3-3", "B": "1-1"}), "A", CINCOS.rules())
    assert state.blocked
    state = played(state, "A B")
    assert state.result is not None
    assert (state.result.kind, state.result.side, state.result.opener) == ("block", "B", None)
    assert state.result.events[0].points == 10


def test_a_tied_block_is_a_tie() -> None:
    """Nobody scores; the result is a tie."""
    state = CINCOS.resume(Layout.parse("6-5"), told({"A": "4-2", "B": "3-3"}), "A", CINCOS.rules())
    result = played(state, "A B").result
    assert result is not None
    assert (result.kind, result.side, result.events) == ("tie", None, ())


@pytest.mark.parametrize(
    ("state", "move", "code"),
    [
        (start(), Play("B", Tile(4, 4), Arm.START), "not_your_turn"),
        (start(), Play("A", Tile(6, 5), Arm.START), "must_lead"),
        (start(), Draw("A"), "must_play"),
        (played(start(), "A:5-5"), Play("B", Tile(5, 0), Arm.UP), "arm_closed"),
        (played(start(), "A:5-5"), Play("B", Tile(4, 4), Arm.LEFT), "no_match"),
        (played(start(), "A:5-5"), Play("B", Tile(5, 5), Arm.LEFT), "not_in_hand"),
        (played(start(), "A:5-5"), Play("B", Tile(6, 5), Arm.LEFT), "not_in_hand"),
        (played(start(), "A:5-5"), Draw("B"), "must_play"),
        (played(start(), "A:5-5"), Pass("B"), "must_play"),
        (played(start(), "A:5-5"), Turn("B", Tile(5, 0)), "wrong_move"),
        (resumed("6-5", "4-2 3-3", 4), Pass("A"), "must_draw"),
        (resumed("6-5", "4-2 3-3"), Draw("A"), "no_boneyard"),
        (played(resumed("6-5", "6-2"), "A:6-2L"), Pass("B"), "hand_over"),
    ],
)
def test_a_refused_move_says_why_and_changes_nothing(state: CincosState, move: Move, code: str) -> None:
    """Every refusal has its reason code; the state is as before."""
    before = repr(state), state.hands, tuple(state.legal_moves)
    assert move not in state.legal_moves
    with pytest.raises(IllegalMoveError) as caught:
        state.apply(move)
    assert caught.value.code == code
    assert (repr(state), state.hands, tuple(state.legal_moves)) == before


@pytest.mark.parametrize(
    ("players", "deal", "size", "boneyard"),
    [
        (2, "standard", 7, 14),
        (3, "standard", 5, 13),
        (4, "standard", 5, 8),
        (2, "pagat", 9, 10),
        (3, "wikipedia", 7, 7),
    ],
)
def test_deals_of_the_houses(players: int, deal: str, size: int, boneyard: int) -> None:
    """How many tiles each player gets depends on their number and the house. Source: RULES C6."""
    dealt = CINCOS.shuffled_deal("ABCD"[:players], CINCOS.rules(deal=deal), Random(1))
    assert [hand.size for hand in dealt.hands.values()] == [size] * players
    assert len(dealt.stock) == boneyard


def test_sides_are_individuals_or_pairs() -> None:
    """Four may play in pairs; pairs need four."""
    assert list(CINCOS.sides("ABCD", CINCOS.rules())) == ["A", "B", "C", "D"]
    assert list(CINCOS.sides("ABCD", CINCOS.rules(sides="pairs"))) == ["AC", "BD"]
    for seats, sides in (("ABC", "pairs"), ("A", "individuals"), ("ABCDE", "individuals")):
        with pytest.raises(SetupError) as caught:
            CINCOS.sides(seats, CINCOS.rules(sides=sides))
        assert caught.value.code == "players"


@pytest.mark.parametrize(
    "deal", [told({"A": "6-6", "B": "5-5"}), told(TWO), told({**TWO, "B": "4-4 6-4 5-0 3-1 5-3 6-0 5-5"}, 14)]
)
def test_a_deal_that_cannot_be_is_refused(deal: Deal) -> None:
    """Hands and boneyard must make the whole set."""
    with pytest.raises(SetupError) as caught:
        CINCOS.start(deal, CINCOS.rules(), HandContext())
    assert caught.value.code == "inconsistent_state"
