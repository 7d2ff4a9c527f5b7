"""A hand of Pińćset from the first tile to the last, and every reason why a move is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.games.pincset import PINCSET
from domino_rules.games.pincset_state import PincsetState
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Close, Draw, Move, Pass, Play
from domino_rules.state import Deal, Hand, HandContext
from domino_rules.tile import Tile, parse_tiles
from tests.chain_hands import FOUR, FOUR_PLAYED, moves, played, told

RULES = PINCSET.rules()


def start(index: int = 1, opener: str | None = None, **options: Any) -> PincsetState:
    """Return the hand `FOUR`."""
    return PINCSET.start(told(FOUR), PINCSET.rules(**options), HandContext(index=index, opener=opener))


def resumed(chain: str, to_move: str = "A", **hands: str) -> PincsetState:
    """Return a position with the hands told; untold ones are hidden."""
    layout = Layout.parse(chain, with_spinner=False)
    held = {seat: Hand.of(parse_tiles(hands[seat])) if seat in hands else Hand.hidden(3) for seat in "ABCD"}
    return PINCSET.resume(layout, held, to_move, RULES, HandContext(index=5))


def test_the_holder_of_six_six_leads_it() -> None:
    """The first hand is led by the holder of 6-6 with 6-6. Source: seed 000 l.6, RULES A10."""
    state = start()
    assert (state.to_move, state.openers, list(state.legal_moves)) == ("B", ("B",), moves("B:6-6"))


def test_without_force_66_its_holder_may_lead_any_tile() -> None:
    """With force_66=false only the player is fixed. Source: RULES A10."""
    state = start(force_66=False)
    assert (state.to_move, len(state.legal_moves)) == ("B", 7)


def test_a_later_hand_is_led_by_the_told_opener() -> None:
    """In later hands the opener leads what he likes."""
    state = start(index=2, opener="D")
    assert (state.to_move, len(state.legal_moves)) == ("D", 7)
    assert played(state, "D:5-5").to_move == "A"


def test_either_partner_may_open_after_a_win() -> None:
    """Both members of the pair that won may lead; the next player sits behind the one who did. Source: seed 000 l.6."""
    context = HandContext(index=2, facts={"lead_66": False, "openers": ("C", "A")})
    state = PINCSET.start(told(FOUR), RULES, context)
    assert (state.to_move, set(state.openers), len(state.legal_moves)) == ("C", {"A", "C"}, 14)
    assert played(state, "A:5-4").to_move == "B"
    assert played(state, "C:1-1").to_move == "D"


def test_a_whole_hand_ends_by_block() -> None:
    """The hand goes on until all four have passed in turn; the lighter pair scores all pips."""
    state = played(start(), FOUR_PLAYED)
    result = state.result
    assert result is not None
    assert (result.kind, result.side, result.player, result.opener) == ("block", "BD", "C", "B")
    assert [(event.reason, event.points) for event in result.events] == [("base", 60), ("first_block", 100)]
    assert (state.to_move, list(state.legal_moves), state.events) == (None, [], result.events)


def test_blocked_is_known_before_the_passes() -> None:
    """A blocked position is recognised at once; the passes are offered, and end the hand. Source: decision 1."""
    state = played(start(), moves(FOUR_PLAYED)[:-4])
    assert state.blocked
    assert list(state.legal_moves) == [Pass("D")]
    assert not start().blocked


def test_domino_has_precedence_over_a_block() -> None:
    """The last tile of a hand wins by domino even if it closes the line."""
    chain = "5-1 R:1-2 R:2-5 R:5-5 R:5-0 R:0-3 R:3-5 R:5-4 R:4-6"
    state = resumed(chain, A="6-5", B="6-6", C="2-2", D="3-3").apply(Play("A", Tile(6, 5), Arm.RIGHT))
    assert state.result is not None
    assert (state.ends, state.result.kind, state.result.side) == ((5, 5), "domino", "AC")


def test_an_equal_end_offers_both_places() -> None:
    """With both ends 5 a matching tile may be laid at either."""
    state = resumed("5-1 R:1-2 R:2-5", A="5-3 6-6")
    assert list(state.legal_moves) == moves("A:5-3L A:5-3R")


def test_the_left_half_of_the_first_tile_may_be_told() -> None:
    """A first tile may be laid with its lower half to the left."""
    state = start(index=2, opener="A").apply(Play("A", Tile(6, 5), Arm.START, left=5))
    assert (state.ends, str(state.layout)) == ((5, 6), "5-6")


@pytest.mark.parametrize(
    ("state", "move", "code"),
    [
        (start(), Play("A", Tile(5, 4), Arm.START), "not_your_turn"),
        (start(), Play("B", Tile(2, 2), Arm.START), "must_lead"),
        (start(), Play("B", Tile(6, 6), Arm.LEFT), "arm_closed"),
        (start(), Play("B", Tile(5, 4), Arm.START), "not_in_hand"),
        (start(), Pass("B"), "must_play"),
        (start(), Draw("B"), "no_boneyard"),
        (start(), Close("B"), "wrong_move"),
        (played(start(), "B:6-6"), Play("A", Tile(6, 5), Arm.LEFT), "not_your_turn"),
        (played(start(), "B:6-6"), Play("C", Tile(6, 6), Arm.LEFT), "not_in_hand"),
        (played(start(), "B:6-6"), Play("C", Tile(6, 5), Arm.LEFT), "not_in_hand"),
        (played(start(), "B:6-6"), Play("C", Tile(5, 3), Arm.LEFT), "no_match"),
        (played(start(), "B:6-6"), Play("C", Tile(6, 3), Arm.UP), "arm_closed"),
        (played(start(), "B:6-6"), Play("C", Tile(6, 3), Arm.START), "arm_closed"),
        (played(start(), "B:6-6"), Play("C", Tile(6, 3), Arm.LEFT, left=3), "arm_closed"),
        (played(start(), "B:6-6"), Play("E", Tile(6, 3), Arm.LEFT), "not_your_turn"),
        (played(start(), "B:6-6"), Pass("C"), "must_play"),
        (resumed("6-4", A="5-5 3-2"), Draw("A"), "no_boneyard"),
        (played(start(), FOUR_PLAYED), Pass("D"), "hand_over"),
    ],
)
def test_a_refused_move_says_why_and_changes_nothing(state: PincsetState, move: Move, code: str) -> None:
    """Every refusal has its reason code; the state is as before and still equal to itself."""
    before = repr(state), state.hands, tuple(state.legal_moves)
    assert move not in state.legal_moves
    with pytest.raises(IllegalMoveError) as caught:
        state.apply(move)
    assert caught.value.code == code
    assert (repr(state), state.hands, tuple(state.legal_moves)) == before


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        (told({**FOUR, "A": "5-4 6-5"}), "inconsistent_state"),
        (told({**FOUR, "A": "5-4 6-5 5-1 4-1 4-4 1-0 6-6"}), "inconsistent_state"),
        (told({**FOUR, "A": "9-9 6-5 5-1 4-1 4-4 1-0 5-0"}), "inconsistent_state"),
        (told({"A": FOUR["A"], "B": FOUR["B"], "C": FOUR["C"]}), "players"),
        (told(FOUR, 1), "inconsistent_state"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(deal: Deal, code: str) -> None:
    """Too few tiles, a tile twice, a foreign tile or a missing player make no hand."""
    with pytest.raises(SetupError) as caught:
        PINCSET.start(deal, RULES, HandContext())
    assert caught.value.code == code


def test_only_the_holder_of_six_six_can_be_told_to_open() -> None:
    """A told opener of the first hand who does not hold 6-6 is refused."""
    with pytest.raises(SetupError) as caught:
        start(opener="A")
    assert caught.value.code == "opener"
    with pytest.raises(SetupError, match="not at the table"):
        start(index=2, opener="Z")


def test_hands_with_many_doubles_may_be_dealt_again() -> None:
    """With redeal_doubles=4 no hand of a random deal has four doubles, and a told one is refused. Source: RULES A12."""
    rules = PINCSET.rules(redeal_doubles=4)
    deals = [PINCSET.shuffled_deal("ABCD", rules, Random(seed)) for seed in range(60)]
    assert max(sum(tile.is_double for tile in hand.known) for deal in deals for hand in deal.hands.values()) == 3
    hands = {"A": "6-6 5-5 4-4 3-3 6-5 6-4 6-3", "B": "6-2 6-1 6-0 5-4 5-3 5-2 5-1"}
    hands |= {"C": "5-0 4-3 4-2 4-1 4-0 3-2 3-1", "D": "3-0 2-2 2-1 2-0 1-1 1-0 0-0"}
    with pytest.raises(SetupError) as caught:
        PINCSET.start(told(hands), rules, HandContext())
    assert (caught.value.code, caught.value.params["player"]) == ("redeal", "A")


@pytest.mark.parametrize("seats", ["ABC", "ABCDE", "ABCA"])
def test_the_game_is_for_four(seats: str) -> None:
    """Another number of players, or a name twice, is refused."""
    with pytest.raises(SetupError) as caught:
        PINCSET.sides(seats, RULES)
    assert caught.value.code == "players"


def test_long_names_make_readable_pairs() -> None:
    """Pairs are called by their members."""
    assert list(PINCSET.sides(("North", "West", "South", "East"), RULES)) == ["North+South", "West+East"]


def test_a_state_remembers_its_moves_and_stays_as_it_is() -> None:
    """Each state knows the moves that led to it; earlier states do not change."""
    first = start()
    last = played(first, FOUR_PLAYED)
    assert list(last.moves) == moves(FOUR_PLAYED)
    assert (first.moves, first.layout.placements, first == start(), first == last) == ((), (), True, False)
    assert hash(first) == hash(start())
    assert first != "first"


def test_a_told_layout_must_be_possible() -> None:
    """A tile both in the line and in a hand, or a stranger to move, is refused."""
    with pytest.raises(SetupError, match="cannot go on"):
        resumed("6-6 R:6-1", A="6-1 5-5")
    with pytest.raises(SetupError, match="cannot go on"):
        resumed("6-6 R:6-1", to_move="Z", A="5-5")
