"""What a judge looks at over HTTP: timeline, pictures, layouts, audit, claims, report; and the ghost of a bumped table."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest

from tests.judge_walk import SEATS, dispute
from tests.table_frames import Film
from tests.table_server import House, TableOfTest, house

WALK = dispute()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableOfTest]:
    """A table at which the last tile was laid against the rules."""
    with house(Film(), data=tmp_path_factory.mktemp("data")) as server:
        made = server.make(seats=list(SEATS), opener=WALK.opener)
        for laid in WALK.tables:
            made.photograph(laid)
        yield made


def test_timeline_tells_what_happened_with_its_pictures(table: TableOfTest) -> None:
    """Moves hold and have frames; the illegal play is noted with its tile, its picture and an alert in words."""
    told = table.get("judge/hands/1?lang=es", "judge").json()
    kinds = [entry["kind"] for entry in told["entries"]]
    assert kinds[:3] == ["move"] * 3
    assert [move["number"] for move in told["moves"]] == [1, 2, 3]
    moves = told["entries"][:3]
    assert all(entry["holds"] and entry["frame"] and entry["size"] == [1280, 720] for entry in moves)
    alert = next(entry for entry in told["entries"] if entry["kind"] == "alert")
    assert alert["tile"] == str(WALK.illegal)
    assert alert["frame"] not in {entry["frame"] for entry in moves}
    assert alert["alert"]["rule"]
    assert alert["alert"]["outcomes"]
