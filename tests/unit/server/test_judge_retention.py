"""How much evidence is kept and how long: as the server was told, at tables watched or not."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path

import numpy as np
import pytest

from domino_rules.errors import SetupError
from domino_server.judge.evidence import Evidence
from domino_server.judge.export import export_signed
from domino_server.judge.keeper import TIDY_S, Keeper
from domino_server.judge.retention import DAY_S, GIB, Retention
from domino_server.judge.signing import TableKey
from domino_server.judge.verify import verify
from domino_server.store import NewEvent, Store
from tests.judge_tables import a_table
from tests.judge_walk import SEATS, dispute
from tests.table_frames import Film
from tests.table_server import TableOfTest, house

WALK = dispute()


def test_limits_are_numbers_or_none_at_all() -> None:
    """Gibibytes and days as asked for; 0 keeps nothing, `unlimited` lifts a limit; anything else is refused."""
    assert Retention() == Retention.asked("2", "90") == Retention(2 * GIB, 90 * DAY_S)
    assert Retention.asked("0.5", "Unlimited") == Retention(GIB / 2, math.inf)
    assert [Retention.asked(*each).keeps for each in (("unlimited", "1"), ("0", "1"), ("1", "0"))] == [
        True,
        False,
        False,
    ]
    for gib, days, named in (("-1", "90", "--evidence-gib -1"), ("much", "90", "--evidence-gib much"),
                             ("2", "nan", "--evidence-days nan"), ("2", "inf", "--evidence-days inf")):  # fmt: skip
        with pytest.raises(SetupError) as caught:
            Retention.asked(gib, days)
        assert caught.value.code == "bad_option"
        assert named in caught.value.message


def with_evidence(folder: Path, ages_days: tuple[float, ...]) -> tuple[Store, str]:
    """Return a table at which a match was played, with a picture of each age."""
    store = Store.open("sqlite://")
    table, _ = a_table(store, folder / "keys", "cincos", 4, 1)
    evidence = Evidence(folder / "evidence" / table, math.inf, math.inf)
    for shade, days in enumerate(ages_days, 1):
        data = evidence.keep(np.full((60, 80, 3), 20 * shade, np.uint8), [], {"shade": shade})
        store.append(table, [NewEvent("evidence", data)])
        for name in (data["frame"], data["facts"]):
            then = time.time() - days * DAY_S
            os.utime(evidence.folder / name, (then, then))
    evidence.close()
    return store, table


def test_a_table_that_nobody_watches_is_tidied_and_stays_checkable(tmp_path: Path) -> None:
    """What is too old goes, the rest stays; the chain names it and its head is signed, so the export is genuine."""
    store, table = with_evidence(tmp_path, (100, 80, 1))
    row = store.table(table)
    Retention().tidy(store, tmp_path, row)
    assert len(list((tmp_path / "evidence" / table).iterdir())) == 4
    Retention().tidy(store, tmp_path, row)
    purges = store.events(table, kinds={"purge"})
    assert [(len(event.data["files"]), event.data["reason"]) for event in purges] == [(2, "retention")]
    out = tmp_path / "out.zip"
    export_signed(store, table, tmp_path / "evidence", out, TableKey.open(tmp_path / "keys", table))
    assert verify(out).genuine
    Retention(0).tidy(store, tmp_path, row)
    assert list((tmp_path / "evidence" / table).iterdir()) == []


def test_a_server_that_is_killed_while_it_tidies_leaves_a_table_checkable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chain names what goes before it goes: nothing is missing without a word; the next look removes it."""
    store, table = with_evidence(tmp_path, (100, 1))
    row = store.table(table)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Evidence, "remove", killed)
    with pytest.raises(KeyboardInterrupt):
        Retention().tidy(store, tmp_path, row)
    monkeypatch.undo()
    out = tmp_path / "out.zip"
    export_signed(store, table, tmp_path / "evidence", out, TableKey.open(tmp_path / "keys", table))
    assert verify(out).genuine
    Retention().tidy(store, tmp_path, row)
    assert len(list((tmp_path / "evidence" / table).iterdir())) == 2
    export_signed(store, table, tmp_path / "evidence", out, TableKey.open(tmp_path / "keys", table))
    assert verify(out).genuine


def test_what_cannot_be_removed_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is tried, the chain says once that a file goes; once it can, it does. Kept again, it is told again."""
    store, table = with_evidence(tmp_path, (100, 1))
    row, folder = store.table(table), tmp_path / "evidence" / table

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refused)
        for _ in range(3):
            Retention().tidy(store, tmp_path, row)
    assert len(list(folder.iterdir())) == 4
    (purge,) = store.events(table, kinds={"purge"})
    Retention().tidy(store, tmp_path, row)
    assert len(list(folder.iterdir())) == 2
    assert store.events(table, kinds={"purge"}) == (purge,)
    evidence = Evidence(folder, math.inf, math.inf)
    data = evidence.keep(np.full((60, 80, 3), 20, np.uint8), [], {"shade": 1})
    evidence.close()
    assert {data["frame"], data["facts"]} == set(purge.data["files"])
    store.append(table, [NewEvent("evidence", data)])
    Retention(0).tidy(store, tmp_path, row)
    assert len(store.events(table, kinds={"purge"})) == 2


def test_a_folder_of_others_among_the_evidence_does_not_stop_a_table(tmp_path: Path) -> None:
    """What a storage puts there of its own accord, such as `@eaDir`, is no evidence: the table resumes and plays on."""
    store = Store.open("sqlite://")
    with house(Film(), store, data=tmp_path) as server:
        table = server.make(seats=list(SEATS), opener=WALK.opener)
        table.photograph(WALK.tables[0])
    strange = tmp_path / "evidence" / table.id / "@eaDir"
    strange.mkdir()
    os.utime(strange, (1, 1))
    with house(Film(list(WALK.tables[:1])), store, data=tmp_path, retention=Retention(30_000.0)) as server:
        again = TableOfTest(server, table.id, table.headers, table.secrets)
        assert server.manager.is_running(table.id)
        for laid in WALK.tables[1:]:
            again.photograph(laid)
        assert again.state()["kept"]["size"] <= 30_000
        purged = [name for event in store.events(table.id, kinds={"purge"}) for name in event.data["files"]]
        assert purged
        assert strange.name not in purged
    assert strange.is_dir()


def test_a_table_without_evidence_is_left_alone(tmp_path: Path) -> None:
    """Nothing is made, removed or told where nothing was kept."""
    store = Store.open("sqlite://")
    row = store.create_table("Empty", {"game": "cincos", "seats": ["A", "B"]})
    Retention(0).tidy(store, tmp_path, row)
    assert list(tmp_path.iterdir()) == []
    assert store.events(row.id) == ()


def test_a_watched_table_forgets_what_is_too_old_without_a_new_move(tmp_path: Path) -> None:
    """An hour after the last look what is past its age is removed and told; not before."""
    now = [1000.0]
    evidence = Evidence(tmp_path, math.inf, DAY_S, clock=lambda: now[0])
    keeper = Keeper(evidence, {}, clock=lambda: now[0])
    kept = evidence.keep(np.zeros((60, 80, 3), np.uint8), [], {})
    now[0] += TIDY_S - 1
    assert keeper.ready() == []
    now[0] += DAY_S
    (event,) = keeper.ready()
    assert (event.kind, set(event.data["files"])) == ("purge", {kept["frame"], kept["facts"]})
    now[0] += DAY_S
    assert keeper.ready() == []
    keeper.close()


def test_the_server_keeps_as_much_as_it_was_told(tmp_path: Path) -> None:
    """Keepers and judges see how much there is and may be; others do not."""
    with house(Film(), data=tmp_path, retention=Retention(30_000.0, 7 * DAY_S)) as server:
        table = server.make(seats=list(SEATS), opener=WALK.opener)
        for laid in WALK.tables:
            table.photograph(laid)
        kept = table.state()["kept"]
        assert (kept["most"], kept["days"]) == (30_000, 7)
        assert 0 < kept["size"] <= 30_000
        assert kept["size"] == size_of(tmp_path, table)
        assert server.store.events(table.id, kinds={"purge"})
        assert "kept" not in table.state(None)


def test_a_server_that_keeps_none_removes_what_there_was(tmp_path: Path) -> None:
    """With a limit of 0 nothing is kept of what is played, and older pictures go; alerts are made all the same."""
    store = Store.open("sqlite://")
    with house(Film(), store, data=tmp_path) as server:
        table = server.make(seats=list(SEATS), opener=WALK.opener)
        table.photograph(WALK.tables[0])
        assert size_of(tmp_path, table)
    with house(Film(list(WALK.tables[:1])), store, data=tmp_path, retention=Retention(0)) as server:
        again = TableOfTest(server, table.id, table.headers, table.secrets)
        assert size_of(tmp_path, again) == 0
        for laid in WALK.tables[1:]:
            again.photograph(laid)
        state = again.state()
        assert (state["kept"]["size"], state["kept"]["most"]) == (0, 0)
        assert [each["tiles"] for each in state["suspicions"]] == [[str(WALK.illegal)]]
        assert size_of(tmp_path, again) == 0
        entry = again.get("judge/hands/1", "judge").json()["entries"][0]
        assert (entry["frame"], entry["purged"]) == (None, True)


def test_stopped_tables_are_tidied_while_the_server_runs(tmp_path: Path) -> None:
    """Old pictures of tables that are stopped or put away go without anybody doing anything."""
    store, stopped = with_evidence(tmp_path, (100, 1))
    with house(Film(), store, data=tmp_path) as server:
        deadline = time.monotonic() + 20
        folder = tmp_path / "evidence" / stopped
        while len(list(folder.iterdir())) != 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(list(folder.iterdir())) == 2
        assert server.manager.snapshot(stopped).private.kept is None


def size_of(data: Path, table: TableOfTest) -> int:
    """Return how many bytes of evidence lie in the folder of a table."""
    return sum(path.stat().st_size for path in (data / "evidence" / table.id).iterdir())
