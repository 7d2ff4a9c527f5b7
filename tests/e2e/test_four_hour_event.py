"""A simulated event of four hours at four tables: evidence within its budget throughout, and the report of the day."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_rules.record import Record
from domino_rules.record_replay import replay
from domino_server.judge.evidence import Evidence
from domino_server.judge.export import export_signed
from domino_server.judge.heads import Heads
from domino_server.judge.reports import TableReport, as_csv, build, open_source
from domino_server.judge.signing import TableKey
from domino_server.referee.events import event_json
from domino_server.referee.ledger import Ledger, header_lines
from domino_server.store import NewEvent, Store, StoreJournal
from domino_vision.types import U8Array
from tests.judge_tables import SEATS, a_record, said

GAMES = ("pincset", "cincos", "bingo", "tiu-u")
START = datetime(2026, 11, 30, 14, tzinfo=UTC)
EVENT = timedelta(hours=4)
STEP = timedelta(seconds=60)
"""From one move to the next."""
BUDGET = 2_000_000
CLIP_EVERY = 40
"""So many moves from one disputed one, which gets a clip, to the next."""
QUAD = np.array([[300, 200], [340, 200], [340, 280], [300, 280]], float)
REGION = np.array([[120, 60], [560, 60], [560, 420], [120, 420]], float)


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
    """

    game: str
    seed: int
    folder: Path
    records: list[Record] = field(default_factory=list)
    most: int = 0
    written: int = 0
    now: datetime = START


@cache
def picture(number: int) -> U8Array:
    """Return a camera's picture (480, 640, 3): cloth with grain, and tiles that lie otherwise every time."""
    rng = np.random.default_rng(number)
    grain = rng.normal(0, 5, (480, 640, 1))
    bgr = np.clip(np.array([60, 90, 50]) + grain, 0, 255).astype(np.uint8)
    for x, y in rng.integers((120, 60), (520, 380), (20, 2)).tolist():
        cv2.rectangle(bgr, (x, y), (x + 24, y + 48), (225, 235, 235), -1)
        cv2.circle(bgr, (x + 12, y + 12), 3, (20, 20, 20), -1)
    return bgr


def time_of(played: Played) -> float:
    """Return the time of day at a table, seconds."""
    return played.now.timestamp()


def in_folder(folder: Path) -> int:
    """Return how many bytes lie in a folder."""
    return sum(path.stat().st_size for path in folder.iterdir())


def play_event(store: Store, played: Played, keys: Path) -> str:
    """Play match after match at a table for four hours, with evidence of every move; return the table's id."""
    row = store.create_table(f"Table {played.game}", {"game": played.game, "seats": list(SEATS[played.game])})
    played.folder /= row.id
    evidence = Evidence(played.folder, BUDGET, 90 * 86400, clock=lambda: time_of(played))
    evidence.region = REGION
    heads = Heads(store, row.id, TableKey.open(keys, row.id))
    while played.now < START + EVENT:
        record = a_record(played.game, played.seed + len(played.records), hands=3)
        played.records.append(record)
        journal = StoreJournal(store, row.id)
        journal.new_match()
        journal.add(header_lines(record.game, record.seats, record.options, {}))
        for events in said(Ledger(journal), record):
            played.now += STEP
            lines = [NewEvent("said", event_json(event), played.now) for event in events]
            heads.note(store.append(row.id, [*lines, *kept(evidence, played)]))
    evidence.close()
    assert evidence.bytes_kept == in_folder(played.folder)
    return row.id


def kept(evidence: Evidence, played: Played) -> Iterator[NewEvent]:
    """Keep the picture of a move, now and then a clip, and hold the budget, as the keeper of a table does."""
    number = round((played.now - START) / STEP)
    bgr, at = picture(number % 8).copy(), number * STEP.total_seconds()
    cv2.putText(bgr, f"{played.game} {number}", (140, 100), cv2.FONT_HERSHEY_PLAIN, 2, (0, 0, 0), 2)
    before = evidence.bytes_kept
    yield NewEvent("evidence", evidence.keep(bgr, [QUAD], {"number": number, "about": {"hand": 1}}), played.now)
    if number % CLIP_EVERY == 0:
        for step in range(8):
            evidence.frame(bgr, at + step)
        clip = evidence.clip(at + 5, 5, 2)
        assert clip is not None
        yield NewEvent("evidence", clip, played.now)
    played.written += evidence.bytes_kept - before
    purged = evidence.retain()
    if purged is not None:
        yield NewEvent("purge", purged, played.now)
    played.most = max(played.most, in_folder(played.folder))


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Played], list[TableReport]]:
    """Four tables after four hours, and the reports that are made of their exports."""
    home = tmp_path_factory.mktemp("event")
    store, tables, reports = Store.open("sqlite://"), list[Played](), list[TableReport]()
    for number, game in enumerate(GAMES, 1):
        played = Played(game, 10 * number, home / "evidence")
        table = play_event(store, played, home / "keys")
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
