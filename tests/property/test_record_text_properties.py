"""Records of any content print and parse back; no text makes the reader fail outside its tree of errors."""

from contextlib import suppress

from hypothesis import example, given, settings
from hypothesis import strategies as st

from domino_rules.errors import DominoError, ParseError, RecordError
from domino_rules.layout import Arm
from domino_rules.moves import Capture, Close, Draw, Lead, Pass, Play, Quadruple, Reply, Triple, Turn
from domino_rules.notation import parse_move
from domino_rules.record import (
    Adjustment,
    Correction,
    HandRecord,
    MoveRecord,
    Record,
    Source,
    ToldResult,
    ToldScore,
    parse_record,
)
from domino_rules.state import Deal, Hand
from domino_rules.tile import Tile

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
COMMENTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
CODES = st.from_regex(r"\A[a-z_]{1,8}\Z")
TILES = st.builds(Tile, st.integers(0, 18), st.integers(0, 18))
DECLARED = st.none() | st.integers(0, 9)
POINTS = st.integers(-999, 999)
MOVES = st.one_of(
    st.builds(Play, NAMES, TILES, st.sampled_from(Arm)),
    st.builds(Draw, NAMES, st.none() | TILES),
    st.builds(Pass, NAMES),
    st.builds(Lead, NAMES, TILES, DECLARED),
    st.builds(Reply, NAMES, TILES, DECLARED),
    st.builds(Close, NAMES),
    st.builds(Capture, NAMES, TILES, TILES),
    st.builds(Triple, NAMES, TILES),
    st.builds(Quadruple, NAMES, TILES),
    st.builds(Turn, NAMES, TILES, st.none() | TILES),
)
SOURCED = st.sampled_from(
    [(Source.SEEN, None), (Source.SEEN, "by_turn_alone"), (Source.TOLD, None), (Source.INFERRED, "later_seat_moved")]
)
MOVE_RECORDS = st.builds(
    lambda move, sourced, comment, claim: MoveRecord(move, *sourced, comment=comment, claim=claim),
    MOVES,
    SOURCED,
    COMMENTS,
    st.none() | POINTS,
)
HELD = st.lists(TILES, max_size=8).map(Hand.of) | st.integers(1, 9).map(Hand.hidden)
CORRECTIONS = st.one_of(
    st.builds(Correction, st.integers(1, 99), st.sampled_from(["replace", "insert"]), MOVE_RECORDS),
    st.builds(Correction, st.integers(1, 99), st.just("remove"), st.none(), COMMENTS),
).map(lambda c: c if c.move is None else Correction(c.number, c.action, MoveRecord(c.move.move, claim=c.move.claim)))
HANDS = st.builds(
    HandRecord,
    number=st.just(1),
    deal=st.builds(
        Deal,
        st.dictionaries(NAMES, HELD, max_size=3),
        st.lists(st.none() | TILES, max_size=30).map(tuple),
        st.lists(TILES, max_size=4).map(tuple),
    ),
    opener=st.none() | NAMES,
    moves=st.lists(MOVE_RECORDS, max_size=6).map(tuple),
    shown=st.dictionaries(NAMES, st.lists(TILES, max_size=3).map(tuple), max_size=2),
    result=st.none() | st.builds(ToldResult, CODES, st.none() | NAMES, st.none() | NAMES),
    scores=st.lists(st.builds(ToldScore, NAMES, POINTS, st.none() | CODES, COMMENTS), max_size=2).map(tuple),
    adjustments=st.lists(st.builds(Adjustment, NAMES, POINTS, COMMENTS), max_size=2).map(tuple),
    corrections=st.lists(CORRECTIONS, max_size=2).map(tuple),
    comment=COMMENTS,
)
HEADERS = st.dictionaries(st.from_regex(r"\A[A-Za-z][A-Za-z0-9.\-]{0,9}\Z"), COMMENTS, max_size=4)
RECORDS = st.builds(Record, HEADERS, st.lists(HANDS, max_size=1).map(tuple), COMMENTS)
LINES = st.sampled_from([
    "Hand 1", "Hand 2", "Deal A: 6-6 ?x6", "Stock: ?x14", "A 6-6 start", "B passes", "A leads 5-5 declares 2", "; hm",
    "Correct 1: remove", "Score A: 5", '"a', "A 6-", "Shown A: none", "Game: cincos", "B 6-5 L +10 (told)", "::", '("',
    "A turns 6-4 takes 5-5", "Hand", "\ufeff",
])  # fmt: skip


@settings(deadline=None)
@given(RECORDS)
def test_print_and_parse_agree(record: Record) -> None:
    """parse(str(record)) is the record, and printing it again changes nothing."""
    text = str(record)
    assert parse_record(text) == record
    assert str(parse_record(text)) == text


@settings(deadline=None)
@given(st.lists(LINES | st.text(max_size=20), max_size=12).map("\n".join))
@example("Hand ١")
@example("Hand 1\nA draws ?x999")
@example('Hand 1\n"\\ud800" passes')
def test_the_reader_raises_record_errors_only(text: str) -> None:
    """Any text is a record or a RecordError with a line; what it reads prints and parses back."""
    record: Record | None = None
    failed: RecordError | None = None
    try:
        record = parse_record(text)
    except RecordError as error:
        failed = error
    if failed is not None:
        assert failed.params["line"] >= 1
        assert failed.params["expected"]
    else:
        assert parse_record(str(record)) == record


@settings(deadline=None)
@given(st.text(max_size=30) | st.from_regex(r"\A\s*[0-9]{1,3}\s*[-:|/]\s*[0-9]{1,3}\s*\Z"))
@example("٣-٤")
@example("6-6\n")
def test_tile_parse_raises_parse_errors_only(text: str) -> None:
    """Any text is a tile that prints and parses back, or a ParseError."""
    tile: Tile | None = None
    with suppress(ParseError):
        tile = Tile.parse(text)
    assert tile is None or Tile.parse(str(tile)) is tile


@settings(deadline=None)
@given(st.text(max_size=30))
def test_move_parse_raises_domino_errors_only(text: str) -> None:
    """Any text is a move or an error of the documented tree."""
    with suppress(DominoError):
        assert parse_move(text)
