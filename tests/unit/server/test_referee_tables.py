"""The referee at Bingo's and Tiu-U's tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.moves import Capture, Close, Draw, Lead, Pass, Reply, Triple, Turn
from domino_rules.record import Source
from domino_rules.tile import Tile, parse_tiles
from domino_server.referee import (
    Answer,
    Asked,
    Declared,
    IllegalPlay,
    Kind,
    MoveCommitted,
    Moved,
    Opener,
    Paused,
    Place,
    Referee,
    Sight,
    event_json,
)
from domino_vision.types import TileRole
from tests.referee_games import Camera, Seen, Table, backs, faces

TALON = "1-1 1-1 1-1 1-1 6-6 6-6 6-6 6-6 6-5 6-5 6-5 6-5 6-4 6-4 5-5 5-5"


def bingo(trick: str = "", trump: str = "5-2", stock: int = 13, *, down: bool = False) -> Sight:
    """Return a table of Bingo: the trick, the trump tile (face down if it was turned), the stock."""
    table = Table()
    backs(table, stock, 1, 0)
    if down:
        backs(table, 1, 1, 1)
    elif trump:
        faces(table, parse_tiles(trump), 1, 1)
    faces(table, parse_tiles(trick) if trick else (), 1, 2)
    return Camera(("A", "B"), Seen(actors=False), 1).sight(table)


def fishing(talon: str, piles: tuple[str, str] = ("", ""), stock: int = 24, stack: str = "") -> Sight:
    """Return a table of Tiu-U."""
    table = Table()
    faces(table, parse_tiles(talon), 1, 3)
    backs(table, stock, 1, 0)
    faces(table, parse_tiles(stack) if stack else (), 1, 0)
    for column, pile in enumerate(piles):
        faces(table, parse_tiles(pile) if pile else (), 3, column)
    return Camera(("A", "B"), Seen(actors=False), 1).sight(table)


def at(game: str, *sights: Sight) -> Referee:
    """Return a referee at a table where A opens."""
    referee = Referee.start(game, ("A", "B"))
    referee.tell(Opener("A"))
    for sight in sights:
        referee.see(sight)
    return referee


def now(referee: Referee) -> TiuUState:
    """Return the hand of Tiu-U in progress."""
    assert isinstance(referee.state, TiuUState)
    return referee.state


def done(referee: Referee) -> list[object]:
    return [record.move for record in referee.ledger.moves]


def without(talon: str, *tiles: str) -> str:
    left = talon.split()
    for tile in tiles:
        left.remove(tile)
    return " ".join(left)


def test_lead_and_reply_then_draws_by_the_stock() -> None:
    """The first tile in the trick is the lead, the next the reply; draws are seen as the stock shrinks."""
    referee = at("bingo", bingo(), bingo("6-3"), bingo("6-3 4-0"), bingo(stock=11), bingo("6-4", stock=11))
    made = done(referee)
    assert made[:2] == [Lead("A", Tile(6, 3)), Reply("B", Tile(4, 0))]
    assert made[2:] == [Draw("A"), Draw("B"), Lead("A", Tile(6, 4))]
    assert referee.ledger.moves[2].source is Source.SEEN


def as_back(sight: Sight, tile: Tile) -> Sight:
    """Return the sight in which a tile of the trick shows no face."""
    tiles = [
        replace(t, halves=None, role=TileRole.DOWN) if t.tile is tile and t.place.kind is Kind.TRICK else t
        for t in sight.tiles
    ]
    return replace(sight, tiles=tuple(tiles))


def test_back_in_the_trick_is_the_double_blank() -> None:
    """A double blank without a divider looks like a back, and tricks lie face up."""
    tables = [
        bingo(),
        bingo("0-0"),
        bingo("0-0 4-0"),
        bingo(stock=11),
        bingo("6-4", stock=11),
        bingo("6-4 0-0", stock=11),
    ]
    referee = at("bingo", *(as_back(table, Tile(0, 0)) for table in tables[:5]))
    made = [move for move in done(referee) if not isinstance(move, Draw)]
    assert made == [Lead("A", Tile(0, 0)), Reply("B", Tile(4, 0)), Lead("A", Tile(6, 4))]
    referee.see(as_back(tables[5], Tile(0, 0)))
    assert len(done(referee)) == len(made) + 2


def test_back_that_is_left_of_a_trick_is_no_lead() -> None:
    """Tiles that are carried off are turned over; until the place was seen empty nothing was led."""
    referee = at("bingo", bingo(), bingo("6-3"), bingo("6-3 4-0"), as_back(bingo("6-3"), Tile(6, 3)))
    assert done(referee)[:2] == [Lead("A", Tile(6, 3)), Reply("B", Tile(4, 0))]
    assert len(done(referee)) == 2


def test_back_that_shows_its_face_later_was_no_double_blank() -> None:
    """A reply that was laid face down and is turned up does not lead the next trick: the game waits."""
    referee = at("bingo", bingo(), bingo("6-3"), as_back(bingo("6-3 5-1"), Tile(5, 1)), bingo("6-3 5-1"))
    assert done(referee) == [Lead("A", Tile(6, 3)), Reply("B", Tile(0, 0))]
    assert referee.pause is not None
    assert referee.pause.code == "unexplained"


def test_double_blank_that_was_turned_up_as_trump_is_no_back_in_a_trick() -> None:
    """It lies at the stock, even once it was turned down."""
    closed = replace(bingo("6-4", down=True), at=9.0)
    tables = [bingo(trump="0-0"), bingo("6-3", trump="0-0"), bingo("6-3 4-1", trump="0-0"), bingo(down=True)]
    referee = at("bingo", *tables, as_back(closed, Tile(6, 4)))
    assert not any(isinstance(move, Lead | Reply) and move.tile is Tile(0, 0) for move in done(referee))
    assert referee.pause is None


def test_draw_that_no_stock_shows_is_inferred() -> None:
    """A lead before the stock is seen to shrink makes the draws inferred."""
    referee = at("bingo", bingo(), bingo("6-3"), bingo("6-3 4-0"), bingo("6-4"))
    assert {r.rule for r in referee.ledger.moves if isinstance(r.move, Draw)} == {"draw_before_lead"}


def test_trump_turned_down_is_a_closing() -> None:
    """The trump tile turned face down after a trick closes the stock; nobody draws any more."""
    referee = at("bingo", bingo(), bingo("6-3"), bingo("6-3 4-0"), bingo(down=True), bingo("6-4", down=True))
    assert done(referee)[2:] == [Close("A"), Lead("A", Tile(6, 4))]


@pytest.mark.parametrize("down", [False, True])
def test_a_trump_that_nobody_sees_is_asked_about(*, down: bool) -> None:
    """While tricks are played beside a whole stock it lies there, though it is not found or looks like a back."""
    referee = at("bingo", bingo(trump="", down=down))
    assert not referee.questions
    events = referee.see(bingo("6-3", trump="", down=down))
    assert [event.pause.code for event in events if isinstance(event, Paused)] == ["not_begun"]
    keys = [choice.key for choice in referee.questions["trump_unseen"].choices]
    assert len(keys) == 27
    assert "6-3" not in keys
    referee.tell(Answer("trump_unseen", "0-0"))
    assert not referee.questions
    assert referee.pause is None
    assert done(referee) == [Lead("A", Tile(6, 3))]


def test_a_trump_is_asked_about_only_where_a_hand_goes_on() -> None:
    """Beside a few backs, or once it is seen, nothing is asked; a hand that begins withdraws the question."""
    referee = at("bingo", bingo("6-3", trump="", stock=4))
    assert not referee.questions
    referee.see(bingo("6-3", trump=""))
    assert "trump_unseen" in referee.questions
    referee.see(bingo("6-3"))
    assert not referee.questions
    assert done(referee) == [Lead("A", Tile(6, 3))]


@pytest.mark.parametrize(("stock", "made"), [(13, [Close]), (11, [Draw, Draw]), (12, [Draw, Draw])])
@pytest.mark.parametrize("down", [False, True])
def test_a_double_blank_that_is_turned_down_is_known_by_the_stock(stock: int, made: list[type], *, down: bool) -> None:
    """Its back and its face look alike; where the next tile is led and nobody drew, the stock was closed."""
    referee = at("bingo", bingo("6-3", trump="", down=down))
    referee.tell(Answer("trump_unseen", "0-0"))
    referee.see(bingo("6-3 4-0", trump="", down=down))
    referee.see(bingo(trump="", stock=stock, down=down))
    assert len(done(referee)) == 2
    referee.see(bingo("6-4", trump="", stock=stock, down=down))
    assert [type(move) for move in done(referee)[2:]] == [*made, Lead]


def test_missed_reply_is_asked_and_told() -> None:
    """A trick carried off before its reply was read is asked for, and the game goes on when it is told."""
    referee = at("bingo", bingo(), bingo("6-3"))
    events = referee.see(bingo())
    assert any(isinstance(event, Asked) and event.question.code == "missed_reply" for event in events)
    assert any(isinstance(event, Paused) for event in events)
    referee.tell(Moved(Reply("B", Tile(4, 0))))
    assert referee.pause is None
    assert done(referee)[-1] == Reply("B", Tile(4, 0))


def test_two_tiles_at_once_are_asked_if_it_matters_who_led() -> None:
    """Lead and reply seen together are kept in both orders; asked, if they give other scores."""
    referee = at("bingo", bingo(), bingo("6-3 5-4"))
    question = referee.questions["order"]
    assert len(question.choices) == 2
    referee.tell(Answer("order", question.choices[0].key))
    assert isinstance(done(referee)[0], Lead)


def test_declaration_is_told_before_or_after_the_tile() -> None:
    """Called doubles belong to the double that is laid next, or that lies there."""
    early = at("bingo", bingo())
    early.tell(Declared("A", 2))
    early.see(bingo("6-6"))
    late = at("bingo", bingo(), bingo("6-6"))
    late.tell(Declared("A", 2))
    assert done(early) == done(late) == [Lead("A", Tile(6, 6), 2)]


def test_a_call_that_cannot_be_true_is_reported_and_counts_nothing() -> None:
    """More doubles than can be out are a false call, told before the tile or after it; the tile stays as it lies."""
    early = at("bingo", bingo(trump="5-5"))
    early.tell(Declared("A", 7))
    said = [*early.see(bingo("6-6", trump="5-5"))]
    late = at("bingo", bingo(trump="5-5"), bingo("6-6", trump="5-5"))
    said += late.tell(Declared("A", 7))
    reported = [(e.code, e.player, e.tile, e.params["declared"]) for e in said if isinstance(e, IllegalPlay)]
    assert reported == [("false_declaration", "A", Tile(6, 6), 7)] * 2
    assert done(early) == done(late) == [Lead("A", Tile(6, 6))]


def test_a_call_with_the_reply_that_takes_belongs_to_it() -> None:
    """As long as the trick lies there, the call is for the double in it, whoever moves next."""
    referee = at("bingo", bingo(), bingo("6-3"), bingo("6-3 0-0"))
    referee.tell(Declared("B", 2))
    assert done(referee)[-1] == Reply("B", Tile(0, 0), 2)


def test_opener_is_asked_at_the_first_hand() -> None:
    """Nobody told who leads: it is asked, and the table seen before the answer counts."""
    referee = Referee.start("bingo", ("A", "B"))
    referee.see(bingo())
    assert list(referee.questions) == ["opener"]
    referee.tell(Answer("opener", "B"))
    referee.see(bingo("6-3"))
    assert done(referee) == [Lead("B", Tile(6, 3))]


def test_capture_and_turn_are_read_from_talon_and_piles() -> None:
    """A pair before a player is a capture; a new tile on the talon ends his turn."""
    after = without(TALON, "5-5") + " 4-2"
    referee = at("tiu-u", fishing(TALON), fishing(after, ("5-5 6-4", ""), 23))
    assert done(referee) == [Capture("A", Tile(6, 4), Tile(5, 5)), Turn("A", Tile(4, 2))]


def test_turn_without_a_capture_is_a_pass() -> None:
    """A stock tile turned though nothing left the talon before makes part one a pass, inferred."""
    referee = at("tiu-u", fishing(TALON), fishing(TALON + " 4-2", stock=23))
    assert done(referee) == [Pass("A"), Turn("A", Tile(4, 2))]
    assert referee.ledger.moves[0].rule == "no_capture_seen"


@pytest.mark.parametrize("undisturbed", [True, False])
def test_stock_that_lies_undisturbed_is_as_long_as_it_was(*, undisturbed: bool) -> None:
    """Alike backs side by side are easily miscounted: without a change none was turned, else the count tells."""
    after = without(TALON, "5-5") + " 4-2"
    first = fishing(after, ("5-5 6-4", ""), 23)
    then = fishing(without(after, "6-4"), ("5-5 6-4", "6-4 6-4"), 22)
    then = then.noted([undisturbed and seen.place.kind is Kind.STOCK for seen in then.tiles])
    referee = at("tiu-u", fishing(TALON), first, then)
    pair = [Capture("B", Tile(6, 4), Tile(6, 4))] if undisturbed else [Pass("B"), Turn("B", Tile(6, 4), Tile(6, 4))]
    assert done(referee)[2:] == pair


@pytest.mark.parametrize(
    ("stock", "passes"),
    [((24, 24, 23, 23), 0), ((24, 23, 22, 22), 1), ((0, 0, 0, 0), 0), ((5, 7, 4, 6), 0), ((23, 23, 22, 22), 0)],
)
def test_stock_that_is_hardly_seen_turns_no_capture_into_a_pass(stock: tuple[int, ...], passes: int) -> None:
    """What tells a tile of the hand from one of the stock is how long that is; unseen, a pass is the less likely."""
    left, caught = without(TALON, "5-5"), "6-4 5-5"
    tables = [(TALON, ""), (left, caught), (left + " 4-2", caught), (without(left, "6-4") + " 4-2", caught)]
    piles = [(pile, "6-4 6-4" if at == 3 else "") for at, (_, pile) in enumerate(tables)]
    sights = [fishing(talon, pile, count) for (talon, _), pile, count in zip(tables, piles, stock, strict=True)]
    later = fishing(tables[3][0] + " 2-1", piles[3], stock[3] - (stock[3] > 0))
    referee = at("tiu-u", *(replace(sight, at=float(n)) for n, sight in enumerate((*sights, later), 1)))
    made = done(referee)
    assert sum(isinstance(move, Pass) for move in made) == passes
    assert made[passes] == (Turn if passes else Capture)("A", Tile(6, 4), Tile(5, 5))


@pytest.mark.parametrize(("first", "other"), [("5-5", "6-4"), ("6-4", "5-5")])
def test_a_table_that_nothing_explained_tells_what_was_captured_first(first: str, other: str) -> None:
    """A captured tile is overlooked; once two pairs lie there, what lay on the talon before tells the order."""
    left = without(TALON, first)
    half = fishing(left, (first, ""), 0)
    both = fishing(without(left, other), (f"{first} {first} {other} {other}", ""), 0)
    turned = fishing(without(left, other) + " 4-2", (f"{first} {first} {other} {other}", ""), 0)
    tables = [fishing(TALON, stock=0), half, both, turned]
    referee = at("tiu-u", *(replace(sight, at=float(n)) for n, sight in enumerate(tables, 1)))
    assert not referee.questions
    referee.see(
        replace(fishing(without(left, other) + " 4-2 2-1", (f"{first} {first} {other} {other}", ""), 0), at=5.0)
    )
    captured, drawn = Tile.parse(first), Tile.parse(other)
    assert done(referee)[:2] == [Capture("A", captured, captured), Turn("A", drawn, drawn)]


def test_tripling_is_seen_as_a_stack_at_the_left() -> None:
    """Two alike from the talon and a third lie face up at the stock, which has lost three: a tripling."""
    referee = at("tiu-u", fishing(TALON), fishing(without(TALON, "6-4", "6-4"), stock=21, stack="6-4 6-4 6-4"))
    assert done(referee) == [Triple("A", Tile(6, 4))]


def test_talon_that_is_not_whole_is_waited_for_with_a_name() -> None:
    """With a tile of the talon out of its place no hand begins, and that is said until it lies there."""
    referee = Referee.start("tiu-u", ("A", "B"))
    referee.tell(Opener("A"))
    said = referee.see(fishing(TALON.removesuffix(" 5-5")))
    assert [event.pause.code for event in said if isinstance(event, Paused)] == ["not_begun"]
    aside = fishing(TALON)
    beside = replace(aside.tiles[0], place=Place(Kind.ASIDE))
    said = referee.see(replace(aside, tiles=(beside, *aside.tiles[1:])))
    assert [event.pause.expects for event in said if isinstance(event, Paused)] == [(beside.tile,)]
    assert not referee.ledger.hand
    referee.see(fishing(TALON))
    assert referee.pause is None
    assert referee.ledger.hand == 1


def test_a_pair_laid_before_the_first_move_is_waited_for_until_it_is_read() -> None:
    """A 6-6 of an opening pair that is misread begins no hand; once it is read the hand begins with the pair."""
    talon = TALON.replace("6-6 6-6 6-6 6-6", "4-3 4-3 4-2 2-1")
    whole = fishing(talon, ("", "6-6 6-2"))
    at_fault = next(i for i, t in enumerate(whole.tiles) if t.tile is Tile(6, 2) and t.place.kind is Kind.PILE)
    misread = replace(whole.tiles[at_fault], confidence=0.7)
    referee = at("tiu-u", replace(whole, tiles=(*whole.tiles[:at_fault], misread, *whole.tiles[at_fault + 1 :])))
    assert not referee.ledger.hand
    assert referee.pause is not None
    assert referee.pause.expects == (Tile(6, 2),)
    left = talon.replace(" 5-5 5-5", " 5-5")
    referee.see(fishing(left, ("6-4 5-5", "6-6 6-6")))
    assert referee.ledger.hand == 1
    assert now(referee).captured["B"] == (Tile(6, 6), Tile(6, 6))
    referee.see(fishing(left, ("6-4 5-5", "6-6 6-6")))
    assert done(referee) == [Capture("A", Tile(6, 4), Tile(5, 5))]


def test_a_talon_seen_whole_in_a_look_in_doubt_begins_the_hand_later() -> None:
    """A tile that is hard to read, and read when another one has left already, was in its place all the time."""
    whole = fishing(TALON)
    doubtful = replace(whole.tiles[3], halves=(5, 4), confidence=0.6)
    referee = Referee.start("tiu-u", ("A", "B"))
    referee.tell(Opener("A"))
    referee.reader.note(replace(whole, tiles=(*whole.tiles[:3], doubtful, *whole.tiles[4:]), believed=False))
    assert not referee.ledger.hand
    taken = [t for t in whole.tiles if t.tile is Tile(5, 5) and t.place.kind is Kind.TALON][-1]
    pile = [t for t in fishing(TALON, ("6-4 5-5", "")).tiles if t.place.kind is Kind.PILE]
    referee.see(replace(whole, tiles=(*(t for t in whole.tiles if t is not taken), *pile)))
    assert Counter(referee.record.hands[0].deal.table) == Counter(whole.faces(Kind.TALON))
    assert done(referee) == [Capture("A", Tile(6, 4), Tile(5, 5))]


def test_a_talon_that_was_gathered_again_begins_no_hand() -> None:
    """Eight tiles that lie elsewhere are the beginning of another one, whatever the camera saw in between."""
    whole = fishing(TALON)
    referee = Referee.start("tiu-u", ("A", "B"))
    referee.tell(Opener("A"))
    referee.reader.note(replace(whole, believed=False))
    laid = [tile for tile in whole.tiles if tile.place.kind is Kind.TALON][:8]
    again = [replace(t, at=(t.at[0] + 40, t.at[1] + 300), head=(t.head[0] + 40, t.head[1] + 300)) for t in laid]
    rest = [tile for tile in whole.tiles if tile.place.kind is not Kind.TALON]
    referee.see(replace(whole, tiles=(*rest, *again)))
    assert not referee.ledger.hand


def test_table_that_nothing_explains_pauses_and_catches_up() -> None:
    """A tile that vanishes from the talon pauses with what is expected; when it is back the game goes on."""
    referee = at("tiu-u", fishing(TALON))
    events = referee.see(fishing(without(TALON, "6-6")))
    pause = next(event.pause for event in events if isinstance(event, Paused))
    assert pause.expects == (Tile(6, 6),)
    events = referee.see(fishing(TALON + " 4-2", stock=23))
    assert referee.pause is None
    assert any(isinstance(event, MoveCommitted) for event in events)


def test_turned_tile_read_otherwise_twice_is_corrected() -> None:
    """A stock tile that was misread when it was turned is corrected once it is read otherwise twice."""
    referee = at("tiu-u", fishing(TALON), fishing(TALON + " 4-2", stock=23))
    for _ in range(2):
        referee.see(fishing(TALON + " 2-1", stock=23))
    assert done(referee)[-1] == Turn("A", Tile(2, 1))


def test_reply_that_must_match_is_reported() -> None:
    """A tile that was already played comes back as something that nothing explains."""
    referee = at("bingo", bingo(), bingo("6-3"), bingo("6-3 4-0"), bingo(stock=11), bingo("6-4", stock=11))
    events = referee.see(bingo("6-4 5-2", stock=11))
    assert any(isinstance(event, IllegalPlay) for event in events)


def stocks(*counts: int, trick: str = "6-3", actor: str = "B") -> list[tuple[str, str | None]]:
    """Return what is reported while a lead lies there and the stock is seen with so many tiles, look after look."""
    referee, told = Referee.start("bingo", ("A", "B")), list[tuple[str, str | None]]()
    referee.tell(Opener("A"))
    referee.see(bingo())
    for at, count in enumerate(counts, 1):
        events = referee.see(replace(bingo(trick, stock=count), at=float(at), actors=(actor,)))
        told += [(event.code, event.player) for event in events if isinstance(event, IllegalPlay)]
    return told


@pytest.mark.parametrize(
    ("counts", "reports"),
    [
        ((13, 13, 12), 0),
        ((13, 12, 12), 1),
        ((12, 12), 1),
        ((13, 12, 12, 12, 12), 1),
        ((13, 12, 13, 12), 0),
        ((13, 12, 12, 13, 12, 12), 2),
        ((13, 12, 12, 11, 11), 2),
    ],
)
def test_a_draw_out_of_place_is_reported_at_the_second_look(counts: tuple[int, ...], reports: int) -> None:
    """In Bingo nobody draws while a trick lies there: a stock seen too small twice in turn was drawn from."""
    assert stocks(*counts) == [("move_not_due", "B")] * reports


def test_draws_that_are_due_are_not_reported_for_tiles_missed_before() -> None:
    """A stock once seen too small stays so while the tiles that are due are drawn one by one."""
    referee, told = Referee.start("bingo", ("A", "B")), list[str]()
    referee.tell(Opener("A"))
    looks = [
        ("", 13),
        ("6-3", 13),
        ("6-3", 10),
        ("6-3", 10),
        ("6-3 6-4", 10),
        ("", 10),
        ("", 9),
        ("", 9),
        ("", 8),
        ("", 8),
    ]
    for at, (trick, count) in enumerate(looks):
        events = referee.see(replace(bingo(trick, stock=count), at=float(at), actors=("B",)))
        told += [event.code for event in events if isinstance(event, IllegalPlay)]
    assert told == ["move_not_due"]


def test_a_stock_that_was_never_seen_whole_tells_nothing() -> None:
    """It lies in piles: what its tops show is no count."""
    referee = Referee.start("bingo", ("A", "B"))
    referee.tell(Opener("A"))
    sights = [replace(bingo(trick, stock=5), at=float(at)) for at, trick in enumerate(("", "6-3", "6-3", "6-3"), 1)]
    assert not [event for sight in sights for event in referee.see(sight) if isinstance(event, IllegalPlay)]


def test_events_become_plain_values() -> None:
    """Every event is one JSON object with its kind, tiles and moves as text."""
    referee = Referee.start("bingo", ("A", "B"))
    referee.tell(Opener("A"))
    events = [*referee.see(bingo()), *referee.see(bingo("6-3")), *referee.see(bingo())]
    plain = [event_json(event) for event in events]
    assert [line["event"] for line in plain] == ["hand", "move", "question", "pause"]
    assert plain[1]["record"] == {"move": "A leads 6-3", "known": "seen", "rule": None}


def test_what_a_person_named_is_forgotten_once_it_is_carried_off() -> None:
    """The next tile that is led to the same place is read as itself, not as the one that was named there."""
    referee = Referee.start("bingo", ("A", "B"))
    referee.tell(Opener("A"))
    referee.see(bingo(""))
    named = bingo("6-4")
    lead = next(seen for seen in named.tiles if seen.tile is Tile(6, 4))
    referee.told_tiles.append((lead.at, (4, 0)))
    referee.see(named)
    assert [record.move for record in referee.ledger.moves] == [Lead("A", Tile(4, 0))]
    referee.see(bingo(""))
    assert referee.told_tiles == []
