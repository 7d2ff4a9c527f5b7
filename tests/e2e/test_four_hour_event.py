"""A simulated event of four hours at four tables: evidence within its budget throughout, and the report of the day."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_rules.record import Record
from domino_rules.record_replay import replay
from domino_server.judge.export import export_signed
from domino_server.judge.reports import TableReport, as_csv, build, open_source
from domino_server.judge.retention import Retention
from domino_server.judge.signing import TableKey
from domino_server.referee.events import event_json
from domino_server.referee.session import Line
from domino_server.store import NewEvent, Store
from domino_server.tables.desk import Desk
from domino_server.tables.frames import FairLock, SharedReader
from domino_server.tables.witness import Witness, witnesses_in
from domino_vision.settle import Commit
from domino_vision.types import Frame, U8Array
from tests.judge_tables import SEATS, a_record, said
from tests.seen_desk import seen_desk
from tests.table_frames import Film

GAMES = ("pincset", "cincos", "bingo", "tiu-u")
START = datetime(2026, 11, 30, 14, tzinfo=UTC)
EVENT = timedelta(hours=4)
STEP = timedelta(seconds=60)
"""From one move to the next."""
BUDGET = 2_000_000
CLIP_EVERY = 40
"""So many moves from one disputed one, which gets a clip, to the next."""
QUESTION = {"event": "question", "question": {"code": "tile_unsure", "tiles": [], "crops": [], "params": {}}}


@dataclass
class Played:
    """One table of the event.

    Attributes:
        game: what is played.
        seed: of its first match.
        folder: of its evidence.
        records: what was played, the truth.
        most: the most bytes that ever lay in the folder after a move.
        written: bytes that were ever written.
        clips: so many were kept.
    """

    game: str
    seed: int
    folder: Path
    records: list[Record] = field(default_factory=list)
    most: int = 0
    written: int = 0
    clips: int = 0
    now: datetime = START

    def written_by(self, events: Sequence[NewEvent]) -> int:
        """Return how many bytes the evidence of events has."""
        told = [event.data for event in events if event.kind == "evidence"]
        names = {name for data in told for name in (data.get("frame"), data.get("clip"), data.get("facts")) if name}
        names |= {name for data in told for name in data.get("crops", ())}
        return sum((self.folder / name).stat().st_size for name in names)

    def note(self, events: Sequence[NewEvent], written: int) -> None:
        """Note what a witness gave out, and how much lies in the folder once that is kept."""
        self.written += written
        self.clips += sum("clip" in event.data for event in events)
        self.most = max(self.most, in_folder(self.folder))


@cache
def seen() -> Commit:
    """Return what vision commits when a table of six tiles is filmed."""
    return seen_desk()[1]


def picture(number: int, text: str) -> U8Array:
    """Return what the camera saw at a move: the table with other grain every time."""
    noise = np.random.default_rng(number % 8).integers(0, 14, (90, 160, 1), np.uint8)
    bgr = seen().frame.bgr + cv2.resize(noise, seen().frame.size_wh)[:, :, None] // 2
    cv2.putText(bgr, text, (540, 480), cv2.FONT_HERSHEY_PLAIN, 2, (0, 0, 0), 2)
    return np.asarray(bgr, np.uint8)


def in_folder(folder: Path) -> int:
    """Return how many bytes lie in a folder."""
    return sum(path.stat().st_size for path in folder.iterdir())


def play_event(store: Store, played: Played, data: Path) -> str:
    """Play match after match at a table for four hours; its witness keeps evidence as in the server. Return its id."""
    config = {"game": played.game, "seats": list(SEATS[played.game]), "use_zones": False}
    row = store.create_table(f"Table {played.game}", config)
    played.folder = data / "evidence" / row.id
    witness = witnesses_in(data, Retention(BUDGET)).of(store, row)
    desk = Desk(row, store, SharedReader(Film(), FairLock()))
    while played.now < START + EVENT:
        record = a_record(played.game, played.seed + len(played.records), hands=3)
        if played.records:
            desk.new_match()
        played.records.append(record)
        for events in said(desk.session.referee.ledger, record):
            played.now += STEP
            lines = [event_json(event) for event in events]
            store.append(row.id, [NewEvent("said", line, played.now) for line in lines])
            see_move(store, desk, played, witness, lines)
    keep(store, row.id, played, witness, witness.close())
    return row.id


def see_move(store: Store, desk: Desk, played: Played, witness: Witness, lines: list[Line]) -> None:
    """Show a move to the table's witness as its thread does; now and then it is disputed, which gives a clip."""
    number = round((played.now - START) / STEP)
    at = number * STEP.total_seconds()
    frame = Frame(picture(number, f"{played.game} {number}"), at)
    witness.frame(frame)
    desk.session.settler.committed = replace(seen(), frame=frame, at=at)
    disputed = number % CLIP_EVERY == 0
    keep(store, desk.table, played, witness, witness.heard(desk, [*lines, QUESTION] if disputed else lines))
    for step in range(1, 4 if disputed else 1):
        witness.frame(replace(frame, at=at + step))
    events = witness.due()
    while disputed and not any("clip" in event.data for event in events):  # another thread films it
        time.sleep(0.01)
        events += witness.due()
    keep(store, desk.table, played, witness, events)


def keep(store: Store, table: str, played: Played, witness: Witness, events: list[NewEvent]) -> None:
    """Keep what a witness gives out, at the time of the event."""
    written = played.written_by(events)
    witness.stored(store.append(table, [replace(event, at=played.now) for event in events]))
    played.note(events, written)


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Played], list[TableReport]]:
    """Four tables after four hours, and the reports that are made of their exports."""
    home = tmp_path_factory.mktemp("event")
    store, tables, reports = Store.open("sqlite://"), list[Played](), list[TableReport]()
    for number, game in enumerate(GAMES, 1):
        played = Played(game, 10 * number, home)
        table = play_event(store, played, home)
        out = home / f"{game}.zip"
        key = TableKey.open(home / "keys", table)
        export_signed(store, table, home / "evidence", out, key)
        with open_source(out, key.public) as source:
            reports.append(build(source, "en"))
        tables.append(played)
    return tables, reports


def test_every_table_stays_within_its_budget(event: tuple[list[Played], list[TableReport]]) -> None:
    """After no move of four hours the folder holds more than the budget, though several times as much was kept."""
    for played in event[0]:
        assert played.now >= START + EVENT
        assert played.written > 3 * BUDGET
        assert played.clips >= 6
        assert 0.5 * BUDGET < played.most <= BUDGET


def test_the_report_of_the_day_is_right(event: tuple[list[Played], list[TableReport]]) -> None:
    """Each export is genuine, and each match and hand has the points of the rules engine; removed pictures are told."""
    tables, reports = event
    for played, report in zip(tables, reports, strict=True):
        assert report.verification is not None
        assert report.verification["genuine"], report.problems
        assert len(report.matches) == len(played.records) > 1
        for record, match in zip(played.records, report.matches, strict=True):
            truth = replay(record)
            assert dict(match.totals) == dict(truth.match.totals)
            assert [hand.winner for hand in match.hands] == [
                None if hand.result is None else hand.result.side for hand in truth.hands
            ]
            assert match.problem is None
        assert any(hand.purged for match in report.matches for hand in match.hands)


def test_the_table_of_the_day_adds_up(event: tuple[list[Played], list[TableReport]]) -> None:
    """In the CSV of the day the points of the hands of each side add up to what the engine says of each match."""
    tables, reports = event
    rows = list(csv.DictReader(io.StringIO(as_csv(reports))))
    assert {row["game"] for row in rows} == set(GAMES)
    for played in tables:
        for number, record in enumerate(played.records, 1):
            mine = [row for row in rows if row["game"] == played.game and row["match"] == str(number)]
            assert summed(mine) == dict(replay(record).match.totals)


def summed(rows: Sequence[dict[str, str]]) -> dict[str, int]:
    """Return the sum of points by side."""
    found: dict[str, int] = {}
    for row in rows:
        found[row["side"]] = found.get(row["side"], 0) + int(row["points"])
    return found
