"""Evidence that is purged on purpose leaves a table whose export is still genuine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from domino_server.cli import app
from domino_server.judge.evidence import Evidence
from domino_server.store import NewEvent, Place, Store
from tests.judge_tables import a_table

QUAD = ((10, 10), (30, 10), (30, 50), (10, 50))


@pytest.fixture
def data(tmp_path: Path) -> tuple[Path, str]:
    """A folder of data with one table that has evidence."""
    place = Place.of(tmp_path, None)
    store = Store.open(place.url)
    table, _ = a_table(store, place.keys, "cincos", 4, 1)
    evidence = Evidence(place.evidence / table, 10**8, 1e9)
    for shade in (10, 200):
        frame = np.full((120, 160, 3), shade, np.uint8)
        store.append(table, [NewEvent("evidence", evidence.keep(frame, [QUAD], {"shade": shade}))])
    evidence.close()
    store.close()
    return tmp_path, table


def test_a_purge_keeps_the_chain_checkable(data: tuple[Path, str], tmp_path: Path) -> None:
    """One file goes, then all; each time the export is genuine and says how many are gone."""
    folder, table = data
    there = sorted(path.name for path in (folder / "evidence" / table).iterdir())
    steps = [(["--file", there[0]], 1, 1), (["--older-than", "3"], 1, 0), (["--all"], len(there), len(there) - 1)]
    for number, (what, gone, removed) in enumerate(steps):
        done = CliRunner().invoke(app, ["purge", table, "--reason", "asked for", *what, "--data", str(folder)])
        assert done.exit_code == 0, done.output
        assert f"{removed} files removed" in done.stderr
        out = tmp_path / f"{number}.zip"
        assert CliRunner().invoke(app, ["tables", "export", table, str(out), "--data", str(folder)]).exit_code == 0
        checked = CliRunner().invoke(app, ["verify", str(out)])
        assert checked.exit_code == 0, checked.output
        assert f"evidence: {len(there) - gone} files, {gone} removed on purpose" in checked.stdout


def test_evidence_may_lie_on_another_disk(data: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Behind a link, as where the disk was full, it is purged and exported as ever; the export is genuine."""
    folder, table = data
    elsewhere = tmp_path_factory.mktemp("other") / "evidence"
    (folder / "evidence").rename(elsewhere)
    (folder / "evidence").symlink_to(elsewhere)
    name = min(path.name for path in (elsewhere / table).iterdir())
    purge = ["purge", table, "--reason", "room", "--file", name, "--data", str(folder)]
    assert "1 files removed" in CliRunner().invoke(app, purge).stderr
    assert not (elsewhere / table / name).exists()
    out = elsewhere.parent / "x.zip"
    assert CliRunner().invoke(app, ["tables", "export", table, str(out), "--data", str(folder)]).exit_code == 0
    checked = CliRunner().invoke(app, ["verify", str(out)])
    assert checked.exit_code == 0, checked.output
    assert "1 removed on purpose" in checked.stdout


def test_a_file_that_vanished_is_no_purge(data: tuple[Path, str], tmp_path: Path) -> None:
    """Who deletes evidence behind the table's back makes its export not genuine."""
    folder, table = data
    next(iter((folder / "evidence" / table).iterdir())).unlink()
    out = tmp_path / "x.zip"
    CliRunner().invoke(app, ["tables", "export", table, str(out), "--data", str(folder)])
    checked = CliRunner().invoke(app, ["verify", str(out)])
    assert (checked.exit_code, "is missing" in checked.stdout) == (1, True)


def test_a_purge_says_what(data: tuple[Path, str]) -> None:
    """Without saying what is removed nothing is; an unknown table is an error."""
    folder, table = data
    for arguments in ([table], [table, "--all", "--older-than", "1"], ["nobody", "--all"]):
        done = CliRunner().invoke(app, ["purge", *arguments, "--reason", "x", "--data", str(folder)])
        assert done.exit_code == 2, arguments
    assert len(list((folder / "evidence" / table).iterdir())) > 0


def test_a_table_taken_in_elsewhere_stays_checkable(data: tuple[Path, str], tmp_path: Path) -> None:
    """Exported, taken in on another machine and exported there, it is genuine, and signed by the new key."""
    folder, table = data
    first, second, other = tmp_path / "a.zip", tmp_path / "b.zip", tmp_path / "other"
    for arguments in (
        ["export", table, str(first), "--data", str(folder)],
        ["import", str(first), "--data", str(other)],
        ["export", "Table 4", str(second), "--data", str(other)],
    ):
        done = CliRunner().invoke(app, ["tables", *arguments])
        assert done.exit_code == 0, done.output
    checked = CliRunner().invoke(app, ["verify", str(second)])
    assert checked.exit_code == 0, checked.output
    assert checked.stdout.splitlines()[-1] != CliRunner().invoke(app, ["verify", str(first)]).stdout.splitlines()[-1]
