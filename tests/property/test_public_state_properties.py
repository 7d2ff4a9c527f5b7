"""Whatever is played: nothing that everybody may read names a tile that does not lie open on the table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domino_rules.games.bingo_state import BingoState
from domino_rules.games.chain import ChainState
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.match import Match
from domino_rules.moves import Draw
from domino_rules.record import MoveRecord, Record, Source
from domino_rules.record_replay import replay
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_server.referee import Event, Moved, Opener, Referee, event_json
from domino_server.store import TableRow
from domino_server.tables.config import TableConfig
from domino_server.tables.open_tiles import open_tiles
from domino_server.tables.public import Played, in_play, open_text
from domino_server.tables.said import public_part
from domino_server.tables.view import History, Standing, table_state
from tests.referee_games import Camera, Seen, answer_all, random_game, referee_for, sights

GAMES = [("pincset", "ABCD"), ("cincos", "ABC"), ("bingo", "AB"), ("tiu-u", "ABC")]
TILE = re.compile(r"(?<![\d.:T-])(\d{1,2})[-|](\d{1,2})(?![\d-])")
AT = datetime(2026, 1, 1, tzinfo=UTC)


def named(payload: object) -> set[Tile]:
    """Return every tile that a payload names, in whatever field."""
    text = json.dumps(payload, ensure_ascii=False)
    return {Tile(int(a), int(b)) for a, b in TILE.findall(text)}


def lying(match: Match) -> set[Tile]:
    """Return what everybody at the table has seen lie open in the hand in progress."""
    state = match.state
    seen = set(open_tiles(state))
    if isinstance(state, BingoState):
        hand = match.hands[-1]
        seen |= set(hand.deal.table if hand.deal else ())
    return seen


def hidden(state: GameState) -> set[Tile]:
    """Return what the players hold, as far as it never lay open."""
    held = {tile for hand in state.hands.values() for tile in hand.known}
    assert isinstance(state, ChainState | BingoState | TiuUState)
    return held


def public(row: TableRow, config: TableConfig, match: Match, moves: Sequence[MoveRecord], history: History) -> object:
    played = Played(match, moves, None, history.times, tuple(history.alerts))
    return table_state(row, config, 1, played, Standing("running")).model_dump(mode="json")


def row_of(record: Record) -> tuple[TableRow, TableConfig]:
    config = TableConfig(game=record.game, seats=list(record.seats), options=record.options)
    return TableRow("abcdefghijkl", "T", config.model_dump(), AT, None, "abcdefghijkl"), config


def steps(record: Record) -> Iterator[tuple[Match, list[MoveRecord]]]:
    """Yield the match after every move of a game in which all hands are known."""
    whole = replay(record).match
    match = Match(whole.game, whole.seats, whole.rules)
    for hand in whole.hands:
        assert hand.deal is not None
        match = match.start_hand(hand.deal, hand.opener)
        yield match, []
        made: list[MoveRecord] = []
        for move in hand.moves:
            match = match.play(move)
            made.append(MoveRecord(move, Source.TOLD))
            yield match, made


@pytest.mark.parametrize(("game", "seats"), GAMES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_public_state_names_only_what_lies_open(game: str, seats: str, seed: int) -> None:
    """With every hand known to the server, the public state of every position names tiles of the table alone."""
    record = random_game(game, seats, seed, 2)
    row, config = row_of(record)
    history = History()
    for match, moves in steps(record):
        payload = public(row, config, match, moves, history)
        leaked = named(payload) - lying(match)
        assert not leaked, f"{sorted(leaked)} named in {payload}"


@pytest.mark.parametrize(("game", "seats"), GAMES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_public_events_name_only_what_lies_open(game: str, seats: str, seed: int) -> None:
    """Moves told to a referee who knows all hands, and the hands shown at the end: events name no tile of a hand."""
    record = random_game(game, seats, seed, 1)
    whole = replay(record).match
    hand = whole.hands[0]
    assert hand.deal is not None
    referee = Referee.start(record.game, record.seats, record.options)
    said: list[Event] = list(referee.ledger.start_hand(hand.deal, hand.opener, was_told=True))
    referee.reset_branches()
    for move in hand.moves:
        said += referee.tell(Moved(move))
        check_heard(said, referee, whole)
        said = []
    assert referee.ledger.match.hand_over


def check_heard(said: Sequence[Event], referee: Referee, whole: Match) -> None:
    """Assert that the public parts of events name nothing but open tiles, and no private event has one."""
    match = referee.ledger.match
    for event in said:
        line = event_json(event)
        part = public_part(line, whole.game.unit)
        if part is None:
            assert line["event"] in {"shown", "finding", "question", "settled"}
            continue
        leaked = named(part) - lying(match)
        assert not leaked, f"{sorted(leaked)} named in {part}"


@pytest.mark.parametrize(("game", "seats"), GAMES)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_what_a_camera_sees_of_hands_is_not_told(game: str, seats: str, seed: int) -> None:
    """Filmed games with misreadings, missed tables and hands that lie turned up: only what lies in play is public."""
    record = random_game(game, seats, seed, 1)
    row, config = row_of(record)
    referee, truth = referee_for(record), replay(record)
    camera = Camera(tuple(seats), Seen(racks=game == "cincos", drop=0.05, misread=0.05), seed)
    history, seen, number = History(), set[Tile](), 0
    for sight in sights(record, camera):
        said = [event for call in camera.calls for event in referee.tell(call)]
        camera.calls.clear()
        said += [*referee.see(sight), *answer_all(referee, truth)]
        if "opener" in referee.questions and not referee.groups:
            said += referee.tell(Opener(seats[0]))
        if referee.ledger.hand != number:
            number, seen = referee.ledger.hand, set()
        seen |= in_play(sight) | lying(referee.ledger.match)
        match = referee.ledger.match
        for event in said:
            line = event_json(event)
            history.take(line, "now")
            part = public_part(line, match.game.unit)
            assert part is None or not named(part) - seen, part
        alerts = tuple(history.alerts)
        played = Played(match, referee.ledger.moves, referee.pause, history.times, alerts, in_play(referee.sight))
        payload = table_state(row, config, 1, played, Standing("running")).model_dump(mode="json")
        assert not named(payload) - seen, payload


def test_a_drawn_tile_is_not_told() -> None:
    """A move that says which tile was drawn is public without it."""
    assert open_text(Draw("Ana", Tile(6, 4))) == "Ana draws ?"


def test_hidden_tiles_are_known_to_this_test() -> None:
    """The games of these tests do hold known hands: otherwise nothing could leak."""
    for game, seats in GAMES:
        positions = list(steps(random_game(game, seats, 3, 1)))
        assert any(hidden(match.state) - lying(match) for match, _ in positions if match.state is not None)
