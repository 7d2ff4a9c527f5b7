"""Hidden hands in the line-of-play games: what is possible, what waits, and what shown hands settle."""

from __future__ import annotations

import pytest

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.games.cincos import CINCOS
from domino_rules.games.pincset import PINCSET
from domino_rules.games.pincset_state import PincsetState
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Draw, Pass, Play
from domino_rules.state import Hand, HandContext
from domino_rules.tile import Tile, parse_tiles
from tests.chain_hands import FOUR, FOUR_PLAYED, moves, played, told

HIDDEN = {"A": "7", "B": "7", "C": "7", "D": "7"}


def hidden(index: int = 1, opener: str | None = None, **hands: str) -> PincsetState:
    """Return a hand of Pińćset in which only some hands are known."""
    return PINCSET.start(told({**HIDDEN, **hands}), PINCSET.rules(), HandContext(index=index, opener=opener))


def test_anybody_may_turn_out_to_hold_six_six() -> None:
    """While nobody can tell who leads, every hidden hand may; the one who does is the opener."""
    state = hidden(A=FOUR["A"])
    assert (state.to_move, state.openers) == (None, ("B", "C", "D"))
    assert list(state.legal_moves) == moves("B:6-6 C:6-6 D:6-6")
    with pytest.raises(IllegalMoveError) as caught:
        state.apply(Play("A", Tile(6, 6), Arm.START))
    assert caught.value.code == "not_your_turn"
    assert state.apply(Play("C", Tile(6, 6), Arm.START)).to_move == "D"


def test_a_told_opener_with_a_hidden_hand_leads_six_six() -> None:
    """A hidden opener of the first hand must still lead 6-6."""
    assert list(hidden(opener="D").legal_moves) == moves("D:6-6")
    with pytest.raises(IllegalMoveError) as caught:
        hidden(opener="D").apply(Play("D", Tile(5, 5), Arm.START))
    assert caught.value.code == "must_lead"


def test_nobody_knows_the_opener_of_a_later_hand() -> None:
    """Without a told opener each player may lead any tile that he may hold."""
    state = hidden(index=2, A=FOUR["A"])
    assert (state.to_move, len(state.legal_moves)) == (None, 7 + 3 * 21)


def test_only_tiles_that_nobody_has_seen_are_possible() -> None:
    """A hidden hand cannot hold a tile of the layout or of a known hand; a pass is possible too."""
    state = hidden(A=FOUR["A"], opener="B").apply(Play("B", Tile(6, 6), Arm.START))
    plays = [move for move in state.legal_moves if isinstance(move, Play)]
    assert {str(move.tile) for move in plays} == {"6-0", "6-1", "6-2", "6-3", "6-4"}
    assert Pass("C") in state.legal_moves
    for tile, code in ((Tile(6, 5), "not_in_hand"), (Tile(6, 6), "duplicate_tile")):
        with pytest.raises(IllegalMoveError) as caught:
            state.apply(Play("C", tile, Arm.LEFT))
        assert caught.value.code == code


def test_a_pass_is_impossible_if_too_few_other_tiles_are_left() -> None:
    """A hand that cannot be filled with tiles that do not fit must play."""
    layout = Layout.parse("6-6 R:6-5 R:5-5 L:6-4 L:4-4", with_spinner=False)
    known = "4-3 4-2 4-1 4-0 5-4 6-3 6-2 6-1 6-0"
    hands = {"A": Hand.hidden(14), "B": Hand.of(parse_tiles(known)), "C": Hand.of(()), "D": Hand.of(())}
    state = PINCSET.resume(layout, hands, "A", PINCSET.rules(), HandContext())
    assert Pass("A") not in state.legal_moves
    with pytest.raises(IllegalMoveError) as caught:
        state.apply(Pass("A"))
    assert caught.value.code == "must_play"


def test_a_domino_needs_no_look_into_the_hands() -> None:
    """All four hands count, so what is left follows from the line: the score does not wait."""
    layout = Layout.parse("5-1 R:1-2 R:2-5", with_spinner=False)
    hands = {"A": Hand.hidden(1), "B": Hand.hidden(8), "C": Hand.hidden(8), "D": Hand.hidden(8)}
    state = PINCSET.resume(layout, hands, "A", PINCSET.rules(), HandContext(index=2)).apply(moves("A:5-3L")[0])
    assert state.result is not None
    assert not state.result.pending
    left = 168 - (6 + 3 + 7 + 8)
    assert [(e.reason, e.points) for e in state.result.events] == [("base", left), ("premium", 75), ("capicu", 100)]


def test_a_block_waits_for_the_hands() -> None:
    """Who has fewer pips is not known before the hands are shown; then the score is the same as with open hands."""
    start = hidden(B=FOUR["B"])
    state = played(start, FOUR_PLAYED)
    assert state.result is not None
    assert (state.result.kind, state.result.side, state.result.pending, state.events) == ("block", None, True, ())
    state = state.reveal("A", parse_tiles("5-4 5-1 4-4"))
    assert state.result is not None
    assert state.result.pending
    state = state.reveal("C", parse_tiles("1-1 5-3"))
    open_hands = played(PINCSET.start(told(FOUR), PINCSET.rules(), HandContext()), FOUR_PLAYED)
    assert state.result is not None
    assert (state.result, state.layout) == (open_hands.result, open_hands.layout)


def test_a_pair_s_tiles_count_together() -> None:
    """If only one pair is hidden, who of the two holds a tile does not matter."""
    state = played(hidden(B=FOUR["B"], D=FOUR["D"]), FOUR_PLAYED)
    assert state.result is not None
    assert (state.result.side, state.result.pending, state.result.events[0].points) == ("BD", False, 60)


@pytest.mark.parametrize(
    ("player", "tiles"),
    [("A", "5-4 5-1"), ("A", "5-4 5-1 6-6"), ("A", "5-4 5-1 5-1"), ("A", "5-4 5-1 2-2"), ("E", "5-4 5-1 4-4")],
)
def test_a_hand_that_cannot_be_is_not_shown(player: str, tiles: str) -> None:
    """Too few tiles, a tile of the line, of another hand or twice contradict what is known."""
    state = played(hidden(B=FOUR["B"]), FOUR_PLAYED)
    with pytest.raises(SetupError) as caught:
        state.reveal(player, parse_tiles(tiles))
    assert caught.value.code == "inconsistent_state"
    assert state == played(hidden(B=FOUR["B"]), FOUR_PLAYED)


def test_a_known_hand_may_be_shown_again() -> None:
    """Showing what is known changes nothing; showing something else is refused."""
    state = PINCSET.start(told(FOUR), PINCSET.rules(), HandContext())
    assert state.reveal("A", parse_tiles(FOUR["A"])).hands == state.hands
    with pytest.raises(SetupError, match="cannot hold"):
        state.reveal("A", parse_tiles(FOUR["B"]))


def test_a_hidden_hand_of_cincos_may_lead_what_could_be_highest() -> None:
    """Doubles above the highest known one may be in a hidden hand, or in the boneyard."""
    deal = told({"A": "4-4 6-5 3-2 4-1 2-0 6-2 1-0", "B": "7"}, 14)
    state = CINCOS.start(deal, CINCOS.rules(), HandContext())
    assert (state.to_move, list(state.legal_moves)) == (None, moves("A:4-4 B:5-5 B:6-6"))


def test_without_a_known_double_heavier_tiles_may_lead() -> None:
    """If all doubles may be in the boneyard, the heaviest tile may lead: a known one or a heavier unseen one."""
    deal = told({"A": "6-4 5-3 3-2 4-1 2-0 6-2 1-0", "B": "7"}, 14)
    leads = list(CINCOS.start(deal, CINCOS.rules(), HandContext()).legal_moves)
    assert leads == moves("A:6-4 B:0-0 B:1-1 B:2-2 B:3-3 B:4-4 B:5-5 B:6-5 B:6-6")


def test_hidden_draws_and_passes() -> None:
    """A hidden hand may draw while there is a boneyard, and pass only once it is empty."""
    deal = told({"A": "6-5 6-3", "B": "2"}, 1)
    state = CINCOS.resume(Layout.parse("6-6 R:6-4"), deal, "B", CINCOS.rules())
    assert Draw("B") in state.legal_moves
    assert Pass("B") not in state.legal_moves
    state = state.apply(Draw("B", Tile(1, 1)))
    assert (state.hands["B"].size, state.hands["B"].shown) == (3, (Tile(1, 1),))
    assert Pass("B") in state.legal_moves
    assert Draw("B") not in state.legal_moves


def test_cincos_waits_for_the_losers_hand() -> None:
    """Points for the tiles left wait for the hand; the count of the last play does not."""
    deal = told({"A": "6-4", "B": "2"}, 22)
    state = CINCOS.resume(Layout.parse("6-6 R:6-1"), deal, "A", CINCOS.rules()).apply(moves("A:6-4L")[0])
    assert state.result is not None
    assert (state.result.pending, state.result.side) == (True, "A")
    assert [(e.reason, e.points) for e in state.events] == [("count", 5)]
    state = state.reveal("B", parse_tiles("3-3 2-0"))
    assert state.result is not None
    assert [(e.reason, e.points) for e in state.result.events] == [("count", 5), ("domino", 10)]


def test_the_last_hidden_hand_is_what_nobody_else_has() -> None:
    """With everything else known, one hidden hand is known too."""
    others = "6-6 6-1 6-4"
    seen = Layout.parse("6-6 R:6-1").tiles
    stock = [t for t in PINCSET.tile_set if t not in (*seen, *parse_tiles(others), *parse_tiles("3-3 2-0"))]
    deal = told({"A": "6-4", "B": "2"}, stock)
    state = CINCOS.resume(Layout.parse("6-6 R:6-1"), deal, "A", CINCOS.rules()).apply(moves("A:6-4L")[0])
    assert state.result is not None
    assert (state.result.pending, sum(e.points for e in state.events)) == (False, 15)
