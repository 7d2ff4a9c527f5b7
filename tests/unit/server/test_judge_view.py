"""What a judge looks at over HTTP: timeline, pictures, layouts, audit, claims, report; the ghost of a bumped table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_server.judge.verify import verify
from domino_server.store import NewEvent
from tests.judge_walk import SEATS, bumped, dispute
from tests.table_frames import Film
from tests.table_server import TableOfTest, house

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
    assert len(alert["crops"]) == 2
    assert alert["alert"]["rule"]
    assert alert["alert"]["outcomes"]
    assert not [entry for entry in told["entries"] if entry["kind"] == "illegal"]
    assert table.get("judge/hands/2", "judge").json()["code"] == "no_such_hand"
    assert table.get("judge/hands/1?lang=xx", "judge").json()["code"] == "unknown_language"


def test_pictures_are_given_by_hash_and_only_those_of_the_table(table: TableOfTest) -> None:
    """A frame comes whole or small, for keepers too; names that no event holds are not there."""
    entry = table.get("judge/hands/1", "judge").json()["entries"][0]
    whole, small = (table.get(f"judge/evidence/{entry['frame']}{more}", who) for more, who in
                    (("", "keeper"), ("?width=320", "judge")))  # fmt: skip
    assert whole.headers["content-type"] == small.headers["content-type"] == "image/jpeg"
    assert "immutable" in small.headers["cache-control"]
    shapes = [np.asarray(cv2.imdecode(np.frombuffer(each.content, np.uint8), 1)).shape for each in (whole, small)]
    assert shapes == [(720, 1280, 3), (180, 320, 3)]
    for name, code in ((f"{'0' * 64}.jpg", "no_such_evidence"), ("..%2f..%2fx.jpg", None), ("x.json", None)):
        answer = table.get(f"judge/evidence/{name}", "judge")
        assert answer.status_code in {404, 422}
        assert code is None or answer.json()["code"] == code


def test_clips_of_an_earlier_version_are_still_given_out_and_valid(tmp_path: Path) -> None:
    """A clip in .mp4 is served as what it is, and an export with it is genuine."""
    with house(Film(), data=tmp_path) as server:
        table = server.make(seats=list(SEATS), opener=WALK.opener)
        table.photograph(WALK.tables[0])
        film = b"\0\0\0\x18ftypmp42 an old clip"
        name = f"{hashlib.sha256(film).hexdigest()}.mp4"
        (tmp_path / "evidence" / table.id / name).write_bytes(film)
        server.store.append(table.id, [NewEvent("evidence", {"clip": name, "hand": 1, "moves": [1], "codes": []})])
        given = table.get(f"judge/evidence/{name}", "judge")
        assert (given.headers["content-type"], given.content) == ("video/mp4", film)
        assert table.get("judge/hands/1", "judge").json()["entries"][0]["clip"] == name
        out = tmp_path / "out.zip"
        out.write_bytes(table.get("export", "judge").content)
        assert verify(out).genuine


def test_layouts_before_and_behind_a_move_are_drawn(table: TableOfTest) -> None:
    """The drawing behind a move has one tile more than the one before it."""
    counts = [table.get(f"judge/hands/1/layout.svg?move={n}", "judge").text.count('class="tile"') for n in (0, 1, 2, 3)]
    assert counts == sorted(set(counts))
    assert table.get("judge/hands/1/layout.svg?move=9", "judge").json()["code"] == "no_such_move"


def test_claims_are_recorded_as_told_and_alerted_if_wrong(table: TableOfTest) -> None:
    """A judge or keeper notes what a player calls; a wrong count is an alert, and gone when he calls it right."""
    player = table.state("judge")["moves"][-1]["player"]
    state = table.told("claim", "judge", count=15)
    wrong = [each for each in state["suspicions"] if each["kind"] == "wrong_count"]
    assert [each["player"] for each in wrong] == [player]
    entries = table.get("judge/hands/1", "judge").json()["entries"]
    claim = next(entry for entry in entries if entry["kind"] == "claim")
    assert claim["params"] == {"points": 15, "right": 0}
    assert claim["frame"]
    state = table.told("claim", count=0, player=player)
    assert not [each for each in state["suspicions"] if each["kind"] == "wrong_count"]
    told = table.house.store.events(table.id, kinds={"told"})
    assert [event.data["role"] for event in told][-2:] == ["judge", "keeper"]
    assert table.tell("claim", "judge", count=5, player="Nobody").json()["code"] == "players"


def test_rulings_stand_in_the_timeline_and_the_report(table: TableOfTest) -> None:
    """A ruling is an entry with the totals before and after; the audit and a checked report are there."""
    key = table.state("judge")["suspicions"][0]["key"]
    side = next(iter(table.state("judge")["sides"]))
    ruling = {"kind": "penalty", "reason": "illegal", "by": "Ruth", "side": side, "points": 25, "alert": key}
    assert table.tell("ruling", "judge", **ruling).status_code == 200
    told = table.get("judge/hands/1", "judge").json()
    entry = next(entry for entry in told["entries"] if entry["kind"] == "ruling")
    assert entry["ruling"]["alert"] == key
    assert (entry["ruling"]["before"][side], entry["ruling"]["after"][side]) == (0, -25)
    assert told["totals"][side] == -25
    audit = table.get("judge/hands/1/audit", "judge").json()
    assert (audit["hand"], audit["passes"]) == (1, [])
    report = table.get("judge/report?lang=pl", "judge")
    assert report.headers["content-disposition"].startswith("attachment")
    assert "Ruth" in report.text
    assert table.get("export", "judge").status_code == 200


def test_players_who_get_other_names_have_them_in_what_happened_before(tmp_path: Path) -> None:
    """Moves, alerts and rulings before the change are told in the new names, here, in the report and to everybody."""
    with house(Film(), data=tmp_path) as server:
        table = server.make(seats=list(SEATS), opener=WALK.opener)
        for laid in WALK.tables:
            table.photograph(laid)
        first = next(iter(table.state("judge")["sides"]))
        ruling = {"kind": "penalty", "reason": "illegal", "by": "Ana", "side": first, "points": 25}
        assert table.tell("ruling", "judge", **ruling).status_code == 200
        before = table.get("judge/hands/1", "judge").json()
        names = dict(zip(SEATS, ["Ewa", "Jan +", "Łukasz", "Dana B."], strict=True))
        state = table.told("seats", names=list(names.values()))
        told = table.get("judge/hands/1", "judge").json()
        moves = [(entry["player"], entry["holds"]) for entry in told["entries"] if entry["kind"] == "move"]
        assert moves == [(names[entry["player"]], True) for entry in before["entries"] if entry["kind"] == "move"]
        assert all(move["entry"] for move in told["moves"])
        alert, ruled = (
            next(entry for entry in told["entries"] if entry["kind"] == kind) for kind in ("alert", "ruling")
        )
        old = next(entry for entry in before["entries"] if entry["kind"] == "alert")
        assert alert["player"] == names[old["player"]]
        assert ruled["ruling"]["side"] == "+".join(names[each] for each in first.split("+"))
        assert set(ruled["ruling"]["after"]) == set(state["sides"])
        assert ruled["ruling"]["by"] == "Ana"  # the judge is nobody of the table
        assert [row["player"] for row in state["alerts"]] == [alert["player"]]
        (suspicion,) = table.state("judge")["suspicions"]
        assert (suspicion["player"], suspicion["key"]) == (alert["player"], alert["alert"]["key"])
        assert {side for each in suspicion["outcomes"] for side in each["totals"]} == set(state["sides"])
        report = table.get("judge/report", "judge").text
        assert "Мира" not in report
        assert "Dana B." in report
        out = tmp_path / "out.zip"
        out.write_bytes(table.get("export", "judge").content)
        assert verify(out).genuine


def test_a_bumped_table_has_a_ghost_until_it_is_as_it_was(tmp_path: Path) -> None:
    """Each tile's old place is told with whether it lies there; once all do, or a new move is made, it is gone."""
    with house(Film(), data=tmp_path) as server:
        table = server.make(seats=list(SEATS), opener=WALK.opener)
        for laid in WALK.tables[:3]:
            table.photograph(laid)
        assert table.state()["ghost"] == []
        table.photograph(bumped(WALK.tables[2]))
        ghost = table.state()["ghost"]
        assert sorted(tile["matches"] for tile in ghost) == [False, True, True]
        assert "ghost" not in table.state(None)
        table.photograph(WALK.tables[2])
        assert table.state()["ghost"] == []


def test_a_table_without_a_hand_says_so() -> None:
    """Before anything was played there is no hand to look at, and no evidence where the server keeps none."""
    with house(Film()) as server:
        fresh = server.make(start=False)
        for what in ("judge/hands/1", "judge/hands/1/audit", "judge/hands/1/layout.svg"):
            assert fresh.get(what, "judge").json()["code"] == "no_such_hand", what
        assert fresh.get(f"judge/evidence/{'0' * 64}.jpg", "judge").json()["code"] == "no_such_evidence"
        assert fresh.get("judge/report", "judge").status_code == 200


def test_the_room_is_kept_only_if_the_table_says_so(tmp_path: Path) -> None:
    """Evidence is private unless the table is set up otherwise."""
    with house(Film(), data=tmp_path) as server:
        detail = []
        for private in (True, False):
            table = server.make(seats=list(SEATS), opener=WALK.opener, private_evidence=private)
            table.photograph(WALK.tables[0])
            name = table.get("judge/hands/1", "judge").json()["entries"][0]["frame"]
            picture = np.asarray(cv2.imdecode(np.frombuffer(table.get(f"judge/evidence/{name}").content, np.uint8), 1))
            detail.append(float(np.abs(cv2.Laplacian(picture[:120, :300], cv2.CV_32F)).mean()))
        assert detail[0] < 0.5 * detail[1]
