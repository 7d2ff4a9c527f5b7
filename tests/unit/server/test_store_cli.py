"""`dominotable tables`: what it prints, what it writes, and one line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from domino_server.cli import app
from domino_server.store import Place, Store, StoreJournal


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of data with a table."""
    monkeypatch.delenv("DOMINOTABLE_DATABASE", raising=False)
    store = Store.open(Place.of(tmp_path / "data").url)
    StoreJournal(store, store.create_table("Stół \x1b[31m A", {"game": "bingo"}).id).add(["Game: bingo"])
    store.close()
    return tmp_path / "data"


def run(data: Path, *words: str) -> Result:
    """Run a command of `tables`."""
    return CliRunner().invoke(app, ["tables", *words, "--data", str(data)])


def listed(data: Path, *options: str) -> list[dict[str, object]]:
    """Return what `tables list --json` prints."""
    result = run(data, "list", "--json", *options)
    assert result.exit_code == 0, result.output
    rows: list[dict[str, object]] = json.loads(result.stdout)
    return rows


def test_tables_are_listed(data: Path) -> None:
    """As lines in which a name cannot steer the terminal, and as JSON; archived ones on request."""
    (row,) = listed(data)
    assert (row["name"], row["game"], row["events"]) == ("Stół \x1b[31m A", "bingo", 1)
    store = Store.open(Place.of(data).url)
    store.archive(str(row["id"]))
    store.close()
    assert listed(data) == []
    text = run(data, "list", "--archived").stdout
    head, line = text.splitlines()
    assert line.startswith(f"{row['id']}  ")
    assert head.split() == ["id", "made", "(UTC)", "game", "events", "name"]
    assert [head.index(word) for word in ("made", "game", "name")] == [14, 32, line.index("Stół")]
    assert text.endswith("Stół \\x1b[31m A (archived)\n")


def test_a_table_goes_out_and_comes_back(data: Path, tmp_path: Path) -> None:
    """Exported by id or name, imported into another folder, which is made."""
    (row,) = listed(data)
    for number, name in enumerate((str(row["id"]), str(row["name"]))):
        out = tmp_path / f"{number}.zip"
        result = run(data, "export", name, str(out))
        assert result.exit_code == 0, result.output
        assert str(row["id"]) in result.stderr
        result = run(tmp_path / "new", "import", str(out))
        assert result.exit_code == 0, result.output
        assert result.stdout.strip() in {str(each["id"]) for each in listed(tmp_path / "new")}
    assert len(listed(tmp_path / "new")) == 2


def test_the_database_is_copied(data: Path, tmp_path: Path) -> None:
    """The copy lists the same tables."""
    (tmp_path / "copy").mkdir()
    result = run(data, "backup", str(tmp_path / "copy" / "dominotable.db"))
    assert result.exit_code == 0, result.output
    assert listed(tmp_path / "copy") == listed(data)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["export", "nobody", "out.zip"], "there is no table 'nobody'"),
        (["import", "missing.zip"], "missing.zip: No such file or directory"),
        (["import", "notes.txt"], "notes.txt is no exported table: File is not a zip file"),
        (["backup", "data/dominotable.db"], "data/dominotable.db is the database itself"),
        (["backup", "no/such/folder.db"], "no/such/folder.db: No such file or directory"),
        (["list", "--database", "mysql://a@b/c"], "'mysql' is no database of ours: sqlite or postgresql"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_mistakes_are_said_in_one_line(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    """Exit code 2, nothing on stdout, nothing made."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("shopping list", encoding="utf-8")
    result = run(data, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert len(listed(data)) == 1


def test_a_folder_without_database_is_not_filled_by_looking(tmp_path: Path) -> None:
    """Only `import` makes a database, and only for a file that is there."""
    for words in (["list"], ["export", "a", "b.zip"], ["backup", "b.db"], ["import", str(tmp_path / "no.zip")]):
        assert run(tmp_path / "data", *words).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_two_tables_of_one_name_are_told_apart_by_id(data: Path, tmp_path: Path) -> None:
    """The name alone is refused, and the ids are said."""
    store = Store.open(Place.of(data).url)
    other = store.create_table("Stół \x1b[31m A", {})
    store.close()
    result = run(data, "export", other.name, str(tmp_path / "a.zip"))
    assert result.exit_code == 2
    assert other.id in result.stderr
    assert run(data, "export", other.id, str(tmp_path / "a.zip")).exit_code == 0
