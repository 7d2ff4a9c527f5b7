"""The text of a record: what a person may write, and what a broken file says."""

import pytest

from domino_rules.errors import RecordError, SetupError
from domino_rules.layout import Arm
from domino_rules.moves import Capture, Draw, Lead, Pass, Play, Turn
from domino_rules.record import Adjustment, Correction, MoveRecord, Record, Source, ToldResult, ToldScore, parse_record
from domino_rules.tile import Tile

TEXT = """\
; A Sunday in Miami
Game: cincos
Seats: Ana "Doña Inés" Đorđe
Option.target: 150
X-Table: 7; by the window

Hand 1
; the first one
Deal Ana: 6-6 5-5 4-2 (told)
Deal "Doña Inés": ?x3
Deal Đorđe: 6-5 ?x2
Stock: 4-1 ?x2 3-3
Opener: Ana
1. Ana 6-6 start ; slams it
    ; and laughs
2. "Doña Inés" draws ?
3. Đorđe passes (inferred later_seat_moved)
4. Ana 6-5 L +10 (told)
Shown Ana: 5-5 4-2
Shown Đorđe: none
Correct 2: remove
Correct 1: insert Ana passes ; really
Result: domino Ana by Ana
Score Ana: 15 points
Adjust Ana: -5 ; judge
"""


def test_a_record_prints_as_it_was_written() -> None:
    """A file in the canonical form comes back unchanged, unknown headers and comments included."""
    record = parse_record(TEXT)
    assert str(record) == TEXT
    assert parse_record(str(record)) == record


def test_a_record_knows_what_each_line_says() -> None:
    """Headers, deal, moves, sources, claims, corrections and scores arrive as values."""
    record = parse_record(TEXT)
    hand = record.hands[0]
    assert record.game == "cincos"
    assert record.seats == ("Ana", "Doña Inés", "Đorđe")
    assert record.options == {"target": "150"}
    assert record.headers["X-Table"] == "7; by the window"
    assert hand.deal.hands["Doña Inés"].size == 3
    assert hand.deal.hands["Đorđe"].shown == (Tile(6, 5),)
    assert hand.deal.stock == (Tile(4, 1), None, None, Tile(3, 3))
    assert hand.sources["deal Ana"] is Source.TOLD
    assert hand.moves[0] == MoveRecord(Play("Ana", Tile(6, 6), Arm.START), comment="slams it\nand laughs")
    assert hand.moves[1].move == Draw("Doña Inés", None)
    assert hand.moves[2] == MoveRecord(Pass("Đorđe"), Source.INFERRED, "later_seat_moved")
    assert hand.moves[3] == MoveRecord(Play("Ana", Tile(6, 5), Arm.LEFT), Source.TOLD, claim=10)
    assert hand.shown == {"Ana": (Tile(5, 5), Tile(4, 2)), "Đorđe": ()}
    assert hand.result == ToldResult("domino", "Ana", "Ana")
    assert hand.scores == (ToldScore("Ana", 15, "points"),)
    assert hand.adjustments == (Adjustment("Ana", -5, "judge"),)
    assert hand.corrections[1] == Correction(1, "insert", MoveRecord(Pass("Ana")), "really")


def test_hand_written_files_may_be_loose() -> None:
    """Numbers, case of keywords, indentation, blank lines and Windows line ends do not matter."""
    text = "Game: bingo\r\nSeats: A B\r\n\r\nhand 1\r\n  table: 5-2\r\n\r\n  A LEADS 5-5 declares 2\r\n"
    hand = parse_record(text).hands[0]
    assert hand.moves == (MoveRecord(Lead("A", Tile(5, 5), 2)),)
    assert hand.deal.table == (Tile(5, 2),)


def test_tiu_u_moves_are_read() -> None:
    """Captures name the talon tile first, turns the tile that they take."""
    hand = parse_record("Hand 1\nA captures 5-2 with 4-3\nA turns 6-4 takes 5-5").hands[0]
    assert [record.move for record in hand.moves] == [
        Capture("A", Tile(4, 3), Tile(5, 2)),
        Turn("A", Tile(6, 4), Tile(5, 5)),
    ]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("Game", 1, "a header"),
        ("Game: x\nGame: y", 2, "each header once"),
        ("Hand 0", 1, "Hand 1"),
        ("Hand 1\nHand 3", 2, "Hand 2"),
        ("Hand 1\nfoo", 2, "a player and what he does"),
        ("Hand 1\nAna jumps", 2, "draws"),
        ("Hand 1\n\nAna 6-4", 3, "start, L, R, U or D"),
        ("Hand 1\nAna 6-4 X", 2, "start, L, R, U or D"),
        ("Hand 1\nAna 60-4 L", 2, "0 to 18"),
        ("Hand 1\nAna leads 6:4", 2, "a move without a colon"),
        ("Hand 1\nAna draws 64", 2, "a tile like 6-4"),
        ("Hand 1\nAna draws", 2, "the tile drawn"),
        ("Hand 1\nAna passes now", 2, "the end of the line"),
        ("Hand 1\nAna leads 5-5 declares many", 2, "declares 2"),
        ("Hand 1\nAna captures 5-2", 2, "with"),
        ("Hand 1\nAna triples 5-2 5-2", 2, "one tile"),
        ("Hand 1\n3. Ana passes", 2, "move number 1."),
        ('Hand 1\n"Ana passes', 2, "closing quote"),
        ('Hand 1\n"\\q" passes', 2, "closing quote"),
        ("Hand 1\n6-4 passes", 2, "a name"),
        ("Hand 1\nAna passes (guessed)", 2, "(inferred)"),
        ("Hand 1\nAna passes (inferred by me)", 2, "code of a rule"),
        ("Hand 1\nDeal: 6-6", 2, "the name of a player"),
        ("Hand 1\nDeal Ana:", 2, "?x7"),
        ("Hand 1\nDeal Ana: 6-6\nDeal Ana: 6-6", 3, "once"),
        ("Hand 1\nStock x: 6-6", 2, "a colon"),
        ("Hand 1\nStock: 6-6\nStock: 6-6", 3, "once"),
        ("Hand 1\nTable: ?", 2, "seen"),
        ("Hand 1\nOpener: A B", 2, "name of a player"),
        ("Hand 1\nResult: domino A B by C", 2, "Result: tie"),
        ("Hand 1\nResult: tie\nResult: tie", 3, "once"),
        ("Hand 1\nScore Ana: lots", 2, "a number"),
        ("Hand 1\nScore Ana: 2 5-5", 2, "a unit"),
        ("Hand 1\nAdjust Ana: some", 2, "a number"),
        ("Hand 1\nCorrect x: remove", 2, "number of the move"),
        ("Hand 1\nWin Ana: 3", 2, "Score"),
    ],
)
def test_a_broken_file_names_line_and_expectation(text: str, line: int, expected: str) -> None:
    """Each kind of mistake gives a RecordError with the line and what was expected there."""
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert caught.value.params["line"] == line
    assert expected in caught.value.params["expected"]
    assert str(caught.value).startswith(f"line {line}: ")


def test_corrections_change_the_moves() -> None:
    """Replace, insert and remove act in their order on the numbers as they then are."""
    text = "Hand 1\nA 6-6 start\nB passes\nA 6-5 L\nCorrect 2: B 6-4 R\nCorrect 3: remove\nCorrect 3: insert A passes"
    corrected = parse_record(text).corrected()
    assert str(corrected) == "\n\nHand 1\n1. A 6-6 start\n2. B 6-4 R\n3. A passes\n"


def test_a_correction_of_no_move_is_refused() -> None:
    """A correction must name a move that is there."""
    with pytest.raises(SetupError) as caught:
        parse_record("Hand 1\nA passes\nCorrect 3: remove").corrected()
    assert caught.value.code == "bad_correction"


def test_a_record_without_game_says_so() -> None:
    """The headers that a replay needs are asked for by name."""
    with pytest.raises(SetupError) as caught:
        _ = Record({}).game
    assert caught.value.params["header"] == "Game"
