"""From a played table over its export to a report: HTML, PDF, CSV and JSON in five languages, and the way back."""

from __future__ import annotations

import csv
import json
import re
import sys
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from domino_rules.explain import LANGUAGES
from domino_server.cli import app
from domino_server.commands import report
from domino_server.judge.evidence import Evidence
from domino_server.judge.export import export_signed
from domino_server.judge.reports import build, open_source
from domino_server.judge.rulings import Ruling, rule
from domino_server.referee import Referee
from domino_server.store import NewEvent, Store, StoreJournal
from tests.judge_tables import a_record, a_table

QUAD = ((100, 100), (140, 100), (140, 180), (100, 180))


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Exports of two tables, one with evidence and rulings."""
    place = tmp_path_factory.mktemp("reports")
    store, files = Store.open("sqlite://"), {}
    for game, seed in (("cincos", 4), ("tiu-u", 1)):
        table, key = a_table(store, place / "keys", game, seed, 2)
        evidence = Evidence(place / "evidence" / table, 10**8, 1e9)
        frame = np.random.default_rng(seed).integers(0, 255, (360, 640, 3), np.uint8)
        facts = {"about": {"hand": 1, "moves": [2], "codes": ["no_match"]}, "tiles": []}
        store.append(table, [NewEvent("evidence", evidence.keep(frame, [QUAD], facts))])
        if game == "cincos":
            referee = Referee(StoreJournal(store, table))
            data, _ = rule(referee, Ruling("penalty", "<b>shouted</b>", "Ruth", side="Ana", points=5, hand=1))
            store.append(table, [NewEvent("ruling", data)])
        evidence.close()
        files[game] = place / f"{game}.zip"
        export_signed(store, table, place / "evidence", files[game], key)
    store.close()
    return files


class Outline(HTMLParser):
    """Notes tags that are not closed, and whatever a page would fetch."""

    VOID = frozenset({"meta", "link", "img", "br", "line", "rect", "circle", "path"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.fetched += [v or "" for k, v in attrs if k in {"src", "href"} and not (v or "").startswith("data:")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID and (not self.open or self.open.pop() != tag):
            self.wrong.append(tag)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_report_is_one_whole_page(exports: dict[str, Path], tmp_path: Path, lang: str) -> None:
    """In each language the page is well-formed, fetches nothing, and shows scores, rulings, pictures and the proof."""
    out = tmp_path / "report.html"
    done = CliRunner().invoke(app, ["report", str(exports["cincos"]), "--lang", lang, "--html", str(out)])
    assert (done.exit_code, done.stderr) == (0, f"written: {out}\n"), done.output
    page = out.read_text(encoding="utf-8")
    outline = Outline()
    outline.feed(page)
    assert (outline.open, outline.wrong, outline.fetched) == ([], [], [])
    assert f'<html lang="{lang}">' in page
    assert "&lt;b&gt;shouted&lt;/b&gt;" in page
    assert "<script" not in page
    assert page.count("data:image/jpeg;base64,") == 2
    assert re.search(r"dominotable verify FILE --key [\w-]{43} --head \d+:[0-9a-f]{32}", page)


def test_the_printed_command_checks_the_file(exports: dict[str, Path]) -> None:
    """The key and the head that a report prints are those of the file."""
    page = CliRunner().invoke(app, ["report", str(exports["cincos"]), "--no-log"]).stdout
    found = re.search(r"verify FILE (--key \S+ --head [\d:0-9a-f]+)", page)
    assert found is not None
    done = CliRunner().invoke(app, ["verify", str(exports["cincos"]), *found[1].split()])
    assert (done.exit_code, "the key that was asked for" in done.stdout) == (0, True)


def test_a_day_is_reported_as_pdf_csv_and_json(exports: dict[str, Path], tmp_path: Path) -> None:
    """Several files make a day; the PDF is one, the CSV has a row for each side of each hand."""
    pytest.importorskip("weasyprint")
    files = [str(path) for path in exports.values()]
    outs = {"--pdf": "day.pdf", "--csv": "day.csv", "--json": "d.json"}
    wanted = [text for option, name in outs.items() for text in (option, str(tmp_path / name))]
    done = CliRunner().invoke(app, ["report", *files, "--lang", "sr", "--no-log", *wanted])
    assert done.exit_code == 0, done.output
    assert {f"written: {tmp_path / name}" for name in outs.values()} <= set(done.stderr.splitlines())
    assert (tmp_path / "day.pdf").read_bytes().startswith(b"%PDF-")
    rows = list(csv.DictReader(StringIO((tmp_path / "day.csv").read_text())))
    assert {row["game"] for row in rows} == {"cincos", "tiu-u"}
    cincos = [row for row in rows if row["game"] == "cincos"]
    tables = json.loads((tmp_path / "d.json").read_text())
    totals = tables[0]["matches"][0]["totals"]
    assert {row["side"]: int(row["total"]) for row in cincos[-2:]} == totals
    assert sum(int(row["points"]) for row in cincos if row["side"] == "Ana") == totals["Ana"]
    assert tables[0]["verification"]["genuine"] is True


def test_a_plain_record_is_reported_as_unsigned(tmp_path: Path) -> None:
    """A record that nothing vouches for says so; a single hand can be picked."""
    path = tmp_path / "game.txt"
    path.write_text(str(a_record("bingo", 3, 2)), encoding="utf-8")
    done = CliRunner().invoke(app, ["report", str(path), "--hand", "2"])
    assert done.exit_code == 0
    assert "Report of hand 2" in done.stdout
    assert "nothing vouches for it" in done.stdout
    assert CliRunner().invoke(app, ["report", str(path), "--hand", "9"]).exit_code == 2


def test_a_terminal_is_shown_a_summary(
    exports: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody reads HTML on a terminal: games, hands and totals are told in a few lines, and whether it is genuine."""
    with open_source(exports["cincos"]) as source:
        truth = build(source, "es")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    report.run([exports["cincos"]], report.ReportOptions(lang="es"))
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    (match,) = truth.matches
    assert lines[0] == f"{truth.name}: {match.title}, {', '.join(match.seats)}"
    assert len(lines) == len(match.hands) + 3
    totals = ", ".join(f"{side} {points}" for side, points in match.totals.items())
    assert totals in lines[-2]
    assert "<" not in shown.out
    assert "--html" in shown.err


def test_a_forged_file_is_reported_with_a_warning(exports: dict[str, Path], tmp_path: Path) -> None:
    """The report of a changed file says that it is not genuine, and so does the exit code."""
    data = bytearray(exports["tiu-u"].read_bytes())
    at = data.index(b"evidence/") + 200
    data[at] ^= 1
    path = tmp_path / "forged.zip"
    path.write_bytes(data)
    done = CliRunner().invoke(app, ["report", str(path), "--no-log"])
    assert done.exit_code == 1
    assert "WARNING: the file is not as its table wrote it." in done.stdout


def test_what_is_neither_is_refused(tmp_path: Path) -> None:
    """A picture, an empty file and a language that does not exist are one line and exit code 2."""
    (tmp_path / "x.bin").write_bytes(b"\xff\xd8\xff")
    (tmp_path / "empty.txt").write_text("")
    for arguments in (["x.bin"], ["empty.txt"], ["none.zip"], ["empty.txt", "--lang", "de"]):
        done = CliRunner().invoke(app, ["report", str(tmp_path / arguments[0]), *arguments[1:]])
        assert done.exit_code == 2, arguments
