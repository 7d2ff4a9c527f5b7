"""The audit after the fact: what was illegal, what proves it, and that it goes on behind the first mistake."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from domino_rules.audit import Certainty, Finding, audit
from domino_rules.record import Record, ToldScore, parse_record
from domino_rules.record_replay import random_record
from domino_rules.state import find_game
from domino_rules.tile import Tile, parse_tiles

FOUR = """\
Game: pincset
Seats: A B C D

Hand 1
Deal A: 6-6 5-5 4-4 3-3 2-2 1-1 0-0
Deal B: 6-5 6-4 6-3 6-2 6-1 6-0 5-4
Deal C: 5-3 5-2 5-1 5-0 4-3 4-2 4-1
Deal D: 4-0 3-2 3-1 3-0 2-1 2-0 1-0
"""
HIDDEN = "Game: pincset\nSeats: A B C D\n\nHand 1\n"
CINCOS = """\
Game: cincos
Seats: Ana Bo

Hand 1
Deal Ana: 6-6 5-5 4-4 6-1 2-0 1-0 6-2
Deal Bo: 6-5 6-4 6-3 3-2 3-1 3-0 2-1
Stock: 1-1 0-0 6-0 5-4 5-3 5-2 5-1 5-0 4-3 4-2 4-1 4-0 3-3 2-2
"""
BINGO = """\
Game: bingo
Seats: A B

Hand 1
Deal A: 6-5 6-3 5-5 4-2 3-3 2-1 1-1
Deal B: 6-6 5-2 4-1 3-0 2-2 6-0 0-0
Stock: 5-4 5-3 5-1 5-0 4-3 4-0 3-2 3-1 2-0 1-0 6-1 6-2 4-4
Table: 6-4
"""
TIU_U = """\
Game: tiu-u
Seats: A B

Hand 1
Deal A: 6-6 6-6 4-4 4-4 3-3 3-3 2-2 2-2 6-5 6-4 6-3 2-1
Deal B: 6-6 5-5 5-5 5-5 6-1 6-1 6-1 5-1 5-1 6-2 5-2 4-1
Table: 6-6 1-1 4-4 4-4 3-1 3-1 5-5 3-3 2-2 6-5 6-5 6-4 6-1 4-2 5-3 3-2
"""


def record(head: str, *moves: str) -> Record:
    return parse_record(head + "\n".join(moves))


def found(head: str, *moves: str) -> list[Finding]:
    return list(audit(record(head, *moves)))


def codes(findings: Sequence[Finding]) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.move) for finding in findings]


def test_a_clean_start_has_no_finding() -> None:
    """Legal moves of an unfinished hand are no findings."""
    assert found(FOUR, "A 6-6 start", "B 6-5 L", "C 5-3 L", "D 3-2 L", "A 2-2 L") == []


def test_an_illegal_pass_is_proved_by_the_deal() -> None:
    """The tiles that fitted prove the pass wrong."""
    finding = found(FOUR, "A 6-6 start", "B passes")[0]
    assert finding.code == "illegal_pass"
    assert (finding.hand, finding.move, finding.player) == (1, 2, "B")
    assert finding.certainty is Certainty.PROVED
    assert Tile(6, 5) in finding.tiles
    assert Tile(5, 4) not in finding.tiles
    assert finding.rule == "who has a tile that fits must play it"


def test_an_illegal_pass_is_proved_by_a_tile_played_later() -> None:
    """Hands were never seen, but who plays 6-4 later without drawing held it when he passed on a 6."""
    findings = found(HIDDEN, "A 6-6 start", "B passes", "C passes", "D 6-1 L", "A 6-5 R", "B 6-4 L")
    assert ("illegal_pass", 2) in codes(findings)
    proof = next(finding for finding in findings if finding.code == "illegal_pass")
    assert proof.tiles == (Tile(6, 4),)
    assert proof.certainty is Certainty.PROVED


def test_an_illegal_pass_is_proved_by_the_tiles_shown_at_the_end() -> None:
    """Final hands are reckoned backwards, whether they stand in the record or are given to the audit."""
    moves = ("A 6-6 start", "B passes")
    assert found(HIDDEN, *moves) == []
    assert codes(found(HIDDEN, *moves, "Shown B: 6-2 5-4 5-3 5-1 5-0 4-3 4-1")) == [("illegal_pass", 2)]
    given = {1: {"B": parse_tiles("6-2 5-4 5-3 5-1 5-0 4-3 4-1")}}
    assert audit(record(HIDDEN, *moves), given)[0].tiles == (Tile(6, 2),)


@pytest.mark.parametrize(
    "moves",
    [
        ("A 6-6 start", "B passes (inferred later_seat_moved)", "C passes", "D 6-1 L", "A 6-5 R", "B 6-4 L"),
        ("A 6-6 start (inferred one_of_several_orders)", "B passes", "C passes", "D 6-1 L", "A 6-5 R", "B 6-4 L"),
        ("A 6-6 start", "B passes", "C passes", "D 6-1 L", "A 6-5 R", "B 6-4 L (inferred one_of_several_orders)"),
        ("A 6-6 start", "B passes", "C passes", "D 6-1 L (inferred one_of_several_orders)", "A 6-5 R", "B 6-4 L"),
        ("A 6-6 start", "B passes", "C passes", "D 6-1 L", "A 6-5 R", "B 6-4 L (seen by_turn_alone)"),
    ],
    ids=["pass inferred", "opener guessed", "proof guessed", "order guessed before the proof", "proof by turn alone"],
)  # fmt: skip
def test_a_pass_is_not_proved_wrong_by_what_was_inferred(moves: tuple[str, ...]) -> None:
    """A pass that nobody saw, or an order that was guessed, proves nothing against a player; told passes still do."""
    finding = next(finding for finding in found(HIDDEN, *moves) if finding.code == "illegal_pass")
    assert (finding.move, finding.certainty, finding.inferred) == (2, Certainty.POSSIBLE, True)
    seen = found(HIDDEN, *(move.split(" (")[0] for move in moves))
    told = found(HIDDEN, *(f"{move.split(' (')[0]} (told)" for move in moves))
    passes = [f for f in (*seen, *told) if f.code == "illegal_pass"]
    assert {(f.certainty, f.inferred) for f in passes} == {(Certainty.PROVED, False)}


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        (("A 6-6 start", "B passes (inferred later_seat_moved)", "B 6-5 L"), "not_your_turn"),
        (("A 6-6 start (inferred one_of_several_orders)", "C 6-0 L"), "not_in_hand"),
        (("A 6-6 start", "B 5-4 L (inferred one_of_several_orders)"), "no_match"),
        (("A 6-6 start", "B 6-5 L (seen by_turn_alone)", "D 6-0 R"), "not_your_turn"),
    ],
)
def test_no_finding_that_rests_on_an_inferred_move_is_proved(moves: tuple[str, ...], code: str) -> None:
    """Who was due, who held a tile, who laid it: what is inferred makes each of these only possible."""
    assert {f.certainty for f in found(FOUR, *moves) if f.code == code} == {Certainty.POSSIBLE}
    plainly = [move.split(" (")[0] for move in moves]
    assert {f.certainty for f in found(FOUR, *plainly) if f.code == code} == {Certainty.PROVED}


def test_what_lies_there_is_proved_whoever_laid_it() -> None:
    """Only the turn tells who laid a tile that does not match: that it does not match is proved all the same."""
    findings = found(FOUR, "A 6-6 start", "B 5-4 L (seen by_turn_alone)")
    assert [f.certainty for f in findings if f.code == "no_match"] == [Certainty.PROVED]


@pytest.mark.parametrize(
    ("mark", "certainty"), [("", "proved"), (" (told)", "proved"), (" (seen one_look)", "possible")]
)
def test_a_draw_that_one_look_alone_showed_is_not_proved_wrong(mark: str, certainty: str) -> None:
    """Its player held a tile that fitted, if he drew: that he did is not sure."""
    head = "Game: cincos\nSeats: Ana Bo\n\nHand 1\nDeal Ana: 6-6 5-5 4-4 3-3 2-2 1-1 0-0\nDeal Bo: ?x7\n"
    findings = found(head, "Ana 6-6 start", f"Bo draws ?{mark}", "Bo 6-5 L", "Ana 5-5 L", "Bo 6-4 R")
    assert [(f.code, f.move, f.certainty.value) for f in findings] == [("illegal_draw", 2, certainty)]


def test_an_inferred_opener_is_no_proof_against_him() -> None:
    """Who was only inferred to have opened is not proved to have led wrongly."""
    moves = ("A 6-5 start",)
    proved = found(HIDDEN + "Opener: A\n", *moves)
    guessed = found(HIDDEN + "Opener: A (inferred acted_first)\n", *moves)
    assert [(f.code, f.certainty) for f in proved] == [("must_lead", Certainty.PROVED)]
    assert [(f.code, f.certainty) for f in guessed] == [("must_lead", Certainty.POSSIBLE)]


def test_a_tile_that_may_have_been_drawn_since_is_only_possible() -> None:
    """Between the draw that was too early and the play lay unseen draws: the tile may be one of them."""
    head = "Game: cincos\nSeats: Ana Bo\n\nHand 1\nDeal Ana: 6-6 5-5 4-4 3-3 2-2 1-1 0-0\nDeal Bo: ?x7\n"
    findings = found(head, "Ana 6-6 start", "Bo draws ?", "Bo draws ?", "Bo 6-5 L")
    assert [(finding.code, finding.move, finding.certainty) for finding in findings] == [
        ("illegal_draw", 2, Certainty.POSSIBLE),
        ("illegal_draw", 3, Certainty.POSSIBLE),
    ]


def test_an_illegal_draw_is_proved() -> None:
    """Who holds a tile that fits may not draw."""
    findings = found(CINCOS, "Ana 6-6 start", "Bo draws 1-1", "Bo 6-5 L")
    assert codes(findings) == [("illegal_draw", 2)]
    assert findings[0].tiles == (Tile(6, 3), Tile(6, 4), Tile(6, 5))


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (("A 6-6 start", "B 5-4 L"), ("no_match", 2)),
        (("A 6-6 start", "B 6-5 L", "C 5-3 R"), ("wrong_end", 3)),
        (("A 6-6 start", "B 6-5 U"), ("arm_closed", 2)),
        (("A 6-6 start", "B 6-5 start"), ("arm_closed", 2)),
        (("A 6-6 start", "B 6-5 L", "A 5-5 L"), ("not_your_turn", 3)),
        (("A 6-6 start", "B 6-5 L", "C 5-5 L"), ("not_in_hand", 3)),
        (("A 6-6 start", "B 6-5 L", "C 6-5 L"), ("duplicate_tile", 3)),
        (("A 6-6 start", "B draws ?"), ("no_boneyard", 2)),
        (("A 6-6 start", "B leads 6-5"), ("wrong_move", 2)),
        (("A 5-5 start",), ("must_lead", 1)),
        (("B 6-5 start",), ("not_your_turn", 1)),
        (("A passes",), ("must_play", 1)),
        (("Zoe passes",), ("unknown_player", 1)),
    ],
)
def test_wrong_moves_of_a_line_of_play(moves: tuple[str, ...], expected: tuple[str, int]) -> None:
    """Each kind of wrong move is named with its place."""
    assert expected in codes(found(FOUR, *moves))


def test_the_audit_goes_on_behind_a_mistake() -> None:
    """A tile that does not match lies there; the next player is judged by what lies."""
    moves = ("A 6-6 start", "B 5-4 L", "C 4-3 L", "D 3-2 L", "A 2-2 L", "B 6-5 R", "C passes")
    findings = found(FOUR, *moves)
    assert codes(findings) == [("no_match", 2), ("illegal_pass", 7)]
    assert findings[1].tiles == parse_tiles("4-2 5-0 5-1 5-2 5-3")


def test_moves_after_the_end_are_found() -> None:
    """When everybody has passed the hand is over."""
    head = HIDDEN.replace("Hand 1", "Hand 1\nOpener: A")
    findings = found(head, "A 6-6 start", "B passes", "C passes", "D passes", "A passes", "B 6-5 L")
    assert ("hand_over", 6) in codes(findings)


def test_an_impossible_deal_is_found() -> None:
    """A tile in two hands, a foreign tile, and a set that is not complete."""
    head = FOUR.replace("Deal B: 6-5", "Deal B: 6-6").replace("1-0", "7-0")
    findings = {finding.code: finding for finding in found(head)}
    assert findings["tile_twice"].tiles == (Tile(6, 6),)
    assert findings["tile_twice"].params["places"] == "A, B"
    assert findings["not_in_set"].tiles == (Tile(7, 0),)
    short = FOUR.replace(" 1-0\n", "\n")
    assert {finding.code for finding in found(short)} >= {"tiles_missing"}


def test_a_hand_shown_that_was_not_dealt_is_found() -> None:
    """What is shown at the end must be what was dealt less what was played."""
    findings = found(FOUR, "A 6-6 start", "Shown A: 5-5 4-4 3-3 2-2 1-1 6-1")
    finding = next(finding for finding in findings if finding.code == "hand_mismatch")
    assert finding.player == "A"
    assert finding.tiles == (Tile(0, 0), Tile(6, 1))


def test_points_called_are_compared_with_the_count() -> None:
    """A score that was missed, and one that was called wrongly, with the tips that prove it."""
    findings = found(CINCOS, "Ana 6-6 start", "Bo 6-3 L +15", "Ana 6-2 R +10", "Bo 3-2 L", "Ana 2-0 L", "Bo 2-1 R")
    assert codes(findings) == [("points_wrong", 3)]
    assert findings[0].params == {"claimed": 10, "points": 5, "count": 5}
    assert findings[0].tiles == (Tile(6, 3), Tile(6, 2))
    missed = found(CINCOS, "Ana 6-6 start", "Bo 6-3 L", "Ana 6-2 R +5")
    assert codes(missed) == [("points_missed", 2)]
    assert missed[0].params["points"] == 15


def test_nothing_is_missed_where_points_are_not_noted() -> None:
    """A record without any called points says nothing about them."""
    assert found(CINCOS, "Ana 6-6 start", "Bo 6-3 L") == []


def test_a_spinner_arm_opens_when_both_sides_are_covered() -> None:
    """A tile above the spinner is too early while a side is free, and legal afterwards."""
    early = found(CINCOS, "Ana 6-6 start", "Bo 6-3 L", "Ana 6-1 U")
    assert codes(early) == [("arm_closed", 3)]
    assert found(CINCOS, "Ana 6-6 start", "Bo 6-3 L", "Ana 6-1 R", "Bo 6-4 U") == []


def test_passing_before_the_boneyard_is_empty_is_found() -> None:
    """Who cannot play must draw while there is something to draw."""
    findings = found(CINCOS, "Ana 6-6 start", "Bo 6-4 L", "Ana 4-4 L", "Bo passes")
    assert ("must_draw", 4) in codes(findings)


def test_a_tile_that_is_not_next_in_the_boneyard_is_found() -> None:
    """With a known boneyard the tile drawn must be the next one."""
    findings = found(CINCOS, "Ana 6-6 start", "Bo draws 0-0")
    assert ("not_next_tile", 2) in codes(findings)


def test_a_revoke_is_proved_by_a_later_tile() -> None:
    """In phase 2 a reply must match; a tile laid later shows that it could have."""
    head = "Game: bingo\nSeats: A B\n\nHand 1\nTable: 6-4\nOpener: A\n"
    findings = found(
        head, "A leads 5-4", "B replies 2-1", "A closes", "A leads 5-5", "B replies 3-1", "A leads 4-2", "B replies 5-2"
    )
    assert codes(findings) == [("must_match", 5)]
    assert findings[0].tiles == (Tile(5, 2),)
    assert findings[0].certainty is Certainty.PROVED
    trumped = found(
        head, "A leads 5-4", "B replies 2-1", "A closes", "A leads 5-5", "B replies 3-1", "A leads 4-2", "B replies 6-2"
    )
    assert codes(trumped) == [("must_trump", 5)]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (("A leads 6-5", "B replies 6-6", "A leads 4-2"), ("move_not_due", 3)),
        (("A leads 6-5", "B replies 6-6", "A draws 5-4"), ("not_your_turn", 3)),
        (("A leads 6-5", "B replies 6-6", "B draws 5-3"), ("not_next_tile", 3)),
        (("A leads 6-5", "B replies 6-6", "A closes"), ("only_trick_winner", 3)),
        (("A leads 6-5", "B replies 6-6", "B draws 5-4", "B closes"), ("already_drawn", 4)),
        (("A leads 6-5", "B replies 6-6", "B closes", "B closes"), ("nothing_to_close", 4)),
        (("A leads 6-5", "A replies 5-5"), ("not_your_turn", 2)),
        (("A leads 5-5 declares 5",), ("false_declaration", 1)),
        (("A leads 6-5 declares 2",), ("declare_needs_double", 1)),
        (("A leads 5-4",), ("not_in_hand", 1)),
        (("A replies 6-5",), ("move_not_due", 1)),
        (("A 6-5 start",), ("wrong_move", 1)),
    ],
)
def test_wrong_moves_of_bingo(moves: tuple[str, ...], expected: tuple[str, int]) -> None:
    """Each kind of wrong move of the trick game is named with its place."""
    assert expected in codes(found(BINGO, *moves))


def test_points_of_a_trick_are_compared() -> None:
    """Points called for a trick are those of its two tiles."""
    findings = found(BINGO, "A leads 6-5", "B replies 6-6 +30")
    assert codes(findings) == [("points_wrong", 2)]
    assert findings[0].params["points"] == 39


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (("A captures 5-3 with 6-4",), ("no_pair", 1)),
        (("A captures 5-2 with 6-5",), ("not_on_talon", 1)),
        (("A captures 6-5 with 5-5",), ("not_in_hand", 1)),
        (("A passes",), ("must_capture", 1)),
        (("A captures 2-1 with 2-1",), ("no_pair", 1)),
        (("A triples 3-3",), ("need_two_on_talon", 1)),
        (("A quadruples 4-4",), ("no_tripled_stack", 1)),
        (("A turns 5-4",), ("move_not_due", 1)),
        (("A captures 6-5 with 6-5", "A turns 5-4"), ("mate_left", 2)),
        (("A captures 6-5 with 6-5", "B captures 6-1 with 6-1"), ("not_your_turn", 2)),
        (("A leads 6-5",), ("wrong_move", 1)),
    ],
)
def test_wrong_moves_of_tiu_u(moves: tuple[str, ...], expected: tuple[str, int]) -> None:
    """Wrong pairs, missed captures and moves out of place are named."""
    head = TIU_U if "5-4" not in moves[-1] else TIU_U.replace("5-3 3-2", "6-3 3-2")
    assert expected in codes(found(head, *moves))


def test_the_supreme_pair_is_legal() -> None:
    """4-2 pairs with 2-1."""
    assert found(TIU_U, "A captures 4-2 with 2-1") == []


@pytest.mark.parametrize(("game", "seats"), [("pincset", "ABCD"), ("cincos", "AB"), ("bingo", "AB"), ("tiu-u", "ABC")])
def test_told_scores_are_compared_with_the_hand(game: str, seats: str) -> None:
    """What the table wrote down must be what follows from the moves; a wrong sum and a missing one are named."""
    rules = find_game(game).rules()
    played = random_record(find_game(game), rules, list(seats), Random(5), hands=1)
    hand = played.hands[0]
    assert hand.scores
    assert audit(played) == ()
    first = hand.scores[0]
    wrong = replace(played, hands=(replace(hand, scores=(replace(first, points=first.points + 5), *hand.scores[1:])),))
    findings = audit(wrong)
    assert codes(findings) == [("score_differs", None)]
    assert findings[0].params["points"] == first.points
    left_out = replace(played, hands=(replace(hand, scores=(ToldScore(first.side, first.points),)),))
    assert [finding.player for finding in audit(left_out)] == [told.side for told in hand.scores[1:]]
    nobody = replace(played, hands=(replace(hand, scores=(*hand.scores, ToldScore("Zoe", 1))),))
    assert codes(audit(nobody)) == [("unknown_side", None)]


def test_a_hand_goes_on_from_what_was_written_down() -> None:
    """Where the tiles left are unknown the score sheet tells the next hand who won."""
    moves = "A 6-6 start\nB passes\nC passes\nD passes\nA passes\nScore AC: 150\n"
    text = HIDDEN + "Opener: A\n" + moves + "\nHand 2\nOpener: C\nC 5-5 start\n"
    assert audit(parse_record(text)) == ()
    assert codes(audit(parse_record(text.replace("Opener: C", "Opener: B")))) == [("opener", None)]


def test_an_unfinished_hand_in_the_middle_is_found() -> None:
    """Another hand can only follow when the one before has ended or was written down."""
    text = FOUR + "A 6-6 start\n\nHand 2\n"
    assert "hand_unfinished" in {finding.code for finding in audit(parse_record(text))}
