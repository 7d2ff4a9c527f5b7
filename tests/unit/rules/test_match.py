"""Whole matches: hands, totals, and corrections after the fact."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domino_rules.errors import DominoError, IllegalMoveError, SetupError
from domino_rules.games.cincos import CINCOS
from domino_rules.games.pincset import PINCSET
from domino_rules.layout import Arm
from domino_rules.match import Match, order_of_play
from domino_rules.moves import Pass, Play
from domino_rules.state import HandResult
from domino_rules.tile import Tile, parse_tiles
from tests.chain_hands import FOUR, FOUR_PLAYED, moves, told

SEATS = ("A", "B", "C", "D")


def new(**options: object) -> Match:
    """Return a match of Pińćset before its first hand."""
    return Match(PINCSET, SEATS, PINCSET.rules(**options))


def after(match: Match, text: str) -> Match:
    """Return the match after moves in short notation."""
    for move in moves(text):
        match = match.play(move)
    return match


def first_hand(**options: object) -> Match:
    """Return a match after the hand `FOUR`."""
    return after(new(**options).start_hand(told(FOUR)), FOUR_PLAYED)


def test_a_new_match_stands_at_nothing() -> None:
    """Before the first hand there is no state, no winner, and every side has 0."""
    match = new()
    assert (match.state, match.hand_over, match.over, dict(match.totals)) == (None, True, False, {"AC": 0, "BD": 0})
    assert (match.results, match.events, list(match.sides)) == ((), (), ["AC", "BD"])


def test_totals_follow_the_hands() -> None:
    """The total of a side is what it scored in all hands; the pair that won may open next."""
    match = first_hand()
    assert (match.hand_over, dict(match.totals)) == (True, {"AC": 0, "BD": 160})
    match = match.start_hand(told(FOUR), opener="D")
    assert (match.hands[1].context.index, match.hands[1].context.opener, dict(match.totals)) == (
        2,
        "D",
        {"AC": 0, "BD": 160},
    )
    assert match.state is not None
    assert match.state.to_move == "D"


def test_moves_between_hands_and_after_the_end_are_refused() -> None:
    """Without a hand in progress a move is refused, with `match_over` once the match is decided."""
    for match, code in ((new(), "hand_over"), (first_hand(), "hand_over"), (first_hand(target=160), "match_over")):
        with pytest.raises(IllegalMoveError) as caught:
            match.play(Pass("A"))
        assert caught.value.code == code
    with pytest.raises(SetupError) as setup:
        first_hand(target=160).start_hand(told(FOUR))
    assert (setup.value.code, setup.value.params["hand"]) == ("match_over", 1)


def test_a_hand_must_end_before_the_next() -> None:
    """A hand cannot begin while another is in progress."""
    match = new().start_hand(told(FOUR))
    for start in (lambda: match.start_hand(told(FOUR)), lambda: match.tell_hand(HandResult("tie", None, None, ()))):
        with pytest.raises(SetupError) as caught:
            start()
        assert caught.value.code == "hand_in_progress"


def test_a_told_hand_counts() -> None:
    """A hand of which only the result is known counts like any other."""
    match = new()
    match = match.tell_hand(PINCSET.told_result("domino", "AC", 30, match.rules, match.next_context()))
    assert (dict(match.totals), match.hand_over, match.state) == ({"AC": 130, "BD": 0}, True, None)
    assert match.next_context().facts["openers"] == ("A", "C")


def test_a_wrong_move_is_corrected_and_the_rest_played_again() -> None:
    """A correction equals the match that was played right from the start."""
    right = first_hand()
    made = moves(FOUR_PLAYED)
    wrong = after(new().start_hand(told(FOUR)), "B:6-6 C:6-3R D:3-0R A:5-0R B:6-2L")
    assert wrong.state is not None
    assert wrong.state.to_move == "C"
    fixed = wrong.correct(0, 1, *made[1:5], count=4)
    for move in made[5:]:
        fixed = fixed.play(move)
    assert fixed == right


def test_a_missed_pass_is_inserted_and_a_false_one_removed() -> None:
    """Passes can be put in and taken out where they belong."""
    right = first_hand()
    made = right.hands[0].moves
    at = made.index(Pass("B"))
    match = new().start_hand(told(FOUR))
    for move in made[:at]:
        match = match.play(move)
    with pytest.raises(IllegalMoveError):
        match.play(made[at + 1])
    match = match.insert(0, at, Pass("B")).insert(-1, at + 1, *made[at + 1 :])
    assert match == right
    assert match.remove(0, -1).insert(0, len(made) - 1, made[-1]) == right


def test_a_correction_that_breaks_a_later_move_says_which() -> None:
    """The error names the hand and the move that became illegal, and the match is unchanged."""
    match = first_hand()
    with pytest.raises(IllegalMoveError, match="hand 0, move 3") as caught:
        match.correct(0, 1, Play("C", Tile(6, 0), Arm.LEFT))
    assert (caught.value.code, caught.value.params["hand"], caught.value.params["move"]) == ("no_match", 0, 3)
    assert match == first_hand()


def test_a_correction_changes_later_hands_too() -> None:
    """A hand behind a corrected one begins with other totals; one that cannot follow any more is refused."""
    match = first_hand().start_hand(told(FOUR), opener="D").play(Play("D", Tile(5, 5), Arm.START))
    adjusted = match.adjust("AC", 25, "slow play", hand=0)
    assert (dict(adjusted.hands[1].context.totals), dict(adjusted.totals)) == ({"AC": 25, "BD": 160},) * 2
    assert adjusted.hands[1].moves == match.hands[1].moves
    event = adjusted.hands[0].events[-1]
    assert (event.reason, event.points, event.note) == ("correction", 25, "slow play")
    with pytest.raises(SetupError) as caught:
        match.remove(0, -1)
    assert (caught.value.code, caught.value.params["hand"]) == ("hand_in_progress", 0)
    with pytest.raises(SetupError) as over:
        match.adjust("BD", 400, hand=0)
    assert (over.value.code, over.value.params["hand"]) == ("match_over", 1)


def test_an_adjustment_can_decide_a_match() -> None:
    """Adjusted totals count for the target, also within a hand that stops at it."""
    match = first_hand().adjust("BD", 340)
    assert (match.over, match.winner) == (True, "BD")
    cincos = Match(CINCOS, ("A", "B"), CINCOS.rules(target=50))
    hands = {"A": "5-5 6-5 3-2 4-1 2-0 6-2 1-0", "B": "4-4 6-4 5-0 3-1 5-3 6-0 2-1"}
    stock = [tile for tile in CINCOS.tile_set if str(tile) not in " ".join(hands.values())]
    cincos = cincos.start_hand(told(hands, stock)).adjust("A", 40)
    assert (dict(cincos.totals), cincos.over) == ({"A": 40, "B": 0}, False)
    cincos = cincos.play(Play("A", Tile(5, 5), Arm.START))
    assert (dict(cincos.totals), cincos.winner) == ({"A": 50, "B": 0}, "A")


def test_a_corrected_deal_is_played_again() -> None:
    """Tiles of a deal can be exchanged after the fact as long as the moves still fit."""
    right = first_hand()
    swapped = {**FOUR, "A": FOUR["A"].replace("5-4", "2-2"), "B": FOUR["B"].replace("2-2", "5-4")}
    made = moves(FOUR_PLAYED)
    match = new().start_hand(told(swapped))
    for move in made[:12]:
        match = match.play(move)
    match = match.correct_deal(0, told(FOUR))
    for move in made[12:]:
        match = match.play(move)
    assert match == right
    with pytest.raises(DominoError) as caught:
        right.correct_deal(0, told(swapped))
    assert caught.value.params["hand"] == 0


def test_shown_hands_settle_a_score_and_stay_shown() -> None:
    """A hidden hand is shown at its end; a correction before that keeps it."""
    match = after(new().start_hand(told({**FOUR, "A": "7", "C": "7", "D": "7"})), FOUR_PLAYED)
    assert match.results[0].pending
    match = match.reveal("A", parse_tiles("5-4 5-1 4-4")).reveal("C", parse_tiles("1-1 5-3"), hand=0)
    assert dict(match.totals) == {"AC": 0, "BD": 160}
    made = match.hands[0].moves
    assert match.correct(0, len(made) - 1, made[-1]) == match
    with pytest.raises(IllegalMoveError):
        match.remove(0, 0)


def test_undo_takes_back_moves_and_hands() -> None:
    """Undo removes the last move, then the hand, then has nothing to undo."""
    match = new().start_hand(told(FOUR))
    assert match.play(moves("B:6-6")[0]).undo() == match
    assert match.undo() == new()
    with pytest.raises(SetupError) as caught:
        new().undo()
    assert caught.value.code == "no_such_hand"


@pytest.mark.parametrize("hand", [1, -2])
def test_what_is_not_there_cannot_be_corrected(hand: int) -> None:
    """Hands and moves that do not exist, and sides nobody knows, are refused by name."""
    match = first_hand()
    with pytest.raises(SetupError) as caught:
        match.correct(hand, 0, Pass("A"))
    assert caught.value.code == "no_such_hand"
    with pytest.raises(SetupError) as move:
        match.insert(0, 99, Pass("A"))
    assert (move.value.code, move.value.params["move"]) == ("no_such_move", 99)
    with pytest.raises(SetupError) as side:
        match.adjust("A", 5)
    assert side.value.code == "players"


def test_a_deal_must_be_for_the_seats() -> None:
    """The deal names the players in the order of the seats."""
    with pytest.raises(SetupError) as caught:
        new().start_hand(told(dict(reversed(FOUR.items()))))
    assert (caught.value.code, caught.value.params["hand"]) == ("players", 0)


def test_a_tie_is_replayed_by_the_holder_of_six_six() -> None:
    """After a tie the holder of 6-6 in the new deal opens. Source: seed 000 l.6."""
    match = new().tell_hand(HandResult("tie", None, None, ())).start_hand(told(FOUR))
    assert match.state is not None
    assert (match.state.to_move, list(match.state.legal_moves)) == ("B", moves("B:6-6"))


def test_a_series_shows_the_totals_of_its_game() -> None:
    """Totals are those of the game in progress; a won game starts the next at 0."""
    match = first_hand(target=160, series_games=3)
    assert (dict(match.totals), match.over) == ({"AC": 0, "BD": 160}, False)
    match = match.start_hand(told(FOUR))
    assert dict(match.totals) == {"AC": 0, "BD": 0}
    assert dict(match.hands[1].context.facts["games"]) == {"AC": 0, "BD": 1}
    match = after(match, FOUR_PLAYED)
    assert (dict(match.totals), match.winner) == ({"AC": 0, "BD": 160}, "BD")


@pytest.mark.parametrize(("direction", "order"), [("counter_clockwise", "NWSE"), ("clockwise", "NESW")])
def test_the_order_of_play_round_the_table(direction: str, order: str) -> None:
    """Counter-clockwise the next player sits on the right. Source: seed 000 l.1."""
    assert "".join(order_of_play("NESW", direction, "N")) == order
    with pytest.raises(SetupError):
        order_of_play("NESW", direction, "X")
    with pytest.raises(SetupError):
        order_of_play("NESW", "up", "N")


def test_a_match_is_a_value() -> None:
    """Matches with the same story are equal."""
    assert first_hand() == first_hand()
    assert replace(first_hand(), hands=()) == new()
