"""`dominotable rules`: what each command prints, its exit codes, and that no error becomes a traceback."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from typer import Exit
from typer.testing import CliRunner, Result

from domino_rules.errors import SetupError
from domino_rules.games import GAMES
from domino_rules.record import parse_record
from domino_server.console import fail, guard
from domino_server.rules_cli import app

Run = Callable[..., Result]
PASSED_A_SIX = "Game: pincset\nSeats: A B C D\n\nHand 1\nA 6-6 start\nB passes\nC passes\nD passes\nA 6-5 R\nB 6-4 L\n"


@pytest.fixture
def run() -> Run:
    """Run a sub-command and return what click caught."""

    def invoke(*words: str, text: str | None = None) -> Result:
        return CliRunner().invoke(app, list(words), input=text)

    return invoke


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_show_lists_every_option(run: Run, game: str) -> None:
    """Each option of a game stands there with its default; `--json` says the same to machines."""
    found = next(each for each in GAMES if each.name == game)
    text = run("show", game).stdout
    shown = json.loads(run("show", game, "--json", "--lang", "pl").stdout)
    assert [option["name"] for option in shown["options"]] == [option.name for option in found.options]
    assert all(f"\n{option.name} = " in text for option in found.options)
    assert all(option["meaning"] and not option["meaning"].startswith("option.") for option in shown["options"])


def test_show_of_an_unknown_game_is_one_line(run: Run) -> None:
    """The error names the games that there are, and the exit code is 2."""
    result = run("show", "chess")
    assert result.exit_code == 2
    assert result.stderr == "error: unknown game 'chess'; known: pincset, cincos, bingo, tiu-u\n"
    assert result.stdout == ""


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_play_goes_into_replay_audit_and_svg(run: Run, game: str) -> None:
    """A random hand replays, passes its audit and can be drawn, all through pipes."""
    record = run("play", game, "--seed", "5", "--hands", "1").stdout
    assert parse_record(record).headers["Seed"] == "5"
    assert run("play", game, "--seed", "5", "--hands", "1").stdout == record
    replayed = run("replay", "-", text=record)
    assert replayed.exit_code == 0
    assert "Total: " in replayed.stdout
    audited = run("audit", "-", text=record)
    assert (audited.exit_code, audited.stdout) == (0, "0 proved, 0 possible\n")
    drawn = run("svg", "-", "--move", "3", text=record)
    assert ET.fromstring(drawn.stdout).tag.endswith("svg")  # noqa: S314 - our own picture


def test_play_takes_players_options_and_hands(run: Run) -> None:
    """Names, house options and the number of hands are taken from the command line."""
    result = run(
        "play", "cincos", "--players", "Ana,Doña Inés", "--option", "target=500", "--hands", "2", "--seed", "1"
    )
    record = parse_record(result.stdout)
    assert record.seats == ("Ana", "Doña Inés")
    assert record.options == {"target": "500"}
    assert len(record.hands) == 2
    assert parse_record(run("play", "cincos", "--players", "3", "--hands", "1").stdout).seats == ("A", "B", "C")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", "cincos", "--option", "target"), "write it like target=100"),
        (("play", "cincos", "--option", "target=200", "--option", "target=100"), "the option target is given twice"),
        (("play", "cincos", "--option", "colour=red"), "no option 'colour'"),
        (("play", "cincos", "--option", "target=much"), "option target is"),
        (("play", "cincos", "--players", "9"), "no game is for 9 players"),
        (("play", "pincset", "--players", "A,B"), "4 players"),
        (("replay", "/no/such/file"), "No such file"),
        (("audit", "/"), "Is a directory"),
        (("svg", "nonsense"), "no such file, and no layout"),
        (("svg", "6-6 X:6-4"), "not an arm"),
        (("svg", "6-6 6-5"), "name the arm of 6-5, such as R:6-5"),
        (("svg", "6-6 R:6-5", "--move", "1"), "--hand and --move choose a position of a record"),
        (("show", "cincos", "--lang", "tlh"), "unknown language"),
        (("check", "/no/such/file.json"), "No such file"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(run: Run, words: tuple[str, ...], said: str) -> None:
    """Every mistake is named in one line on stderr."""
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")


def test_replay_of_a_broken_record_names_the_line(run: Run) -> None:
    """A broken file says where and what was expected."""
    result = run("replay", "-", text="Game: cincos\nSeats: A B\n\nHand 1\nA 6-6\n")
    assert result.exit_code == 2
    assert "line 5: expected the end where the tile was laid" in result.stderr


def test_replay_json_shows_scores_with_evidence(run: Run) -> None:
    """Machines get moves, events with their addends, results and totals."""
    record = run("play", "cincos", "--seed", "3", "--hands", "1").stdout
    shown = json.loads(run("replay", "-", "--json", text=record).stdout)
    events = [event for move in shown["hands"][0]["moves"] for event in move["events"]]
    assert events
    assert all(sum(addend["value"] for addend in event["evidence"]) == event["points"] for event in events)
    assert shown["totals"] == {"A": 15, "B": 20}
    assert shown["hands"][0]["result"]["kind"] == "domino"


def test_audit_exits_1_when_something_is_proved(run: Run) -> None:
    """A proved finding is exit code 1, with its place, tiles and rule in the line."""
    result = run("audit", "-", text=PASSED_A_SIX)
    assert result.exit_code == 1
    assert "1.2: proved: B: passed, but held 6-4" in result.stdout
    assert "[illegal_pass; who has a tile that fits must play it]" in result.stdout
    findings = json.loads(run("audit", "-", "--json", text=PASSED_A_SIX).stdout)
    assert findings[0]["code"] == "illegal_pass"
    assert findings[0]["tiles"] == ["6-4"]
    assert findings[0]["certainty"] == "proved"


def test_audit_speaks_other_languages(run: Run) -> None:
    """Findings are explained in the language asked for."""
    assert "probado: B: pasó teniendo 6-4" in run("audit", "-", "--lang", "es", text=PASSED_A_SIX).stdout


def test_svg_draws_a_layout_and_writes_files(run: Run, tmp_path: Path) -> None:
    """A layout given as text is drawn; `--out` writes a file; a record file picks hand and move."""
    assert run("svg", "6-6 L:6-4 R:6-5").stdout.startswith("<svg")
    out = tmp_path / "layout.svg"
    written = run("svg", "6-6 L:6-4", "--no-spinner", "--out", str(out))
    assert (written.stdout, written.stderr) == ("", f"written: {out}\n")
    assert out.read_text(encoding="utf-8").startswith("<svg")
    record = tmp_path / "match.txt"
    record.write_text(run("play", "tiu-u", "--seed", "2").stdout, encoding="utf-8")
    assert "<svg" in run("svg", str(record), "--hand", "1", "--move", "0").stdout
    missing = run("svg", str(record), "--hand", "7")
    assert (missing.exit_code, missing.stderr) == (2, "error: the record has no hand 7; it has 1\n")
    passed = run("svg", "-", text=PASSED_A_SIX)
    assert "B: passed, but held 6-4" in passed.stderr
    assert run("svg", "-", "--move", "1", text=PASSED_A_SIX).stderr == ""
    late = run("svg", str(record), "--move", "999")
    assert "moves, not 999" in late.stderr


@pytest.mark.parametrize(
    ("layout", "told"),
    [
        ("6-6 L:6-4 R:5-1", ["R:5-1 does not match the half that it touches"]),
        ("6-6 L:6-4 L:6-4", ["L:6-4 does not match the half that it touches", "6-4 lies there more than once"]),
        ("6-6 L:6-4 U:6-1", ["the arms U and D open once both sides of the spinner are covered"]),
        ("6-6 L:6-4 R:6-5 U:6-1", []),
    ],
)
def test_svg_tells_what_no_rule_allows(run: Run, layout: str, told: list[str]) -> None:
    """A layout that cannot be is drawn as it was written, and each thing that is wrong is told."""
    drawn = run("svg", layout)
    assert (drawn.exit_code, drawn.stdout[:4]) == (0, "<svg")
    assert drawn.stderr == "".join(f"against the rules: {problem}\n" for problem in told)


def test_a_file_that_is_no_text_is_named(run: Run, tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are refused with their place."""
    path = tmp_path / "match.txt"
    path.write_bytes(b"Game: cincos\xff")
    result = run("replay", str(path))
    assert result.exit_code == 2
    assert "not UTF-8 text (byte 12)" in result.stderr


def vector(identity: str, expected: int) -> dict[str, object]:
    return {"id": identity, "op": "round5", "setup": {}, "actions": [], "expect": {"rounded": {"13": expected}}}


def test_check_prints_failing_ids_and_the_sums(run: Run, tmp_path: Path) -> None:
    """A line for each failing id, the sums last, exit code 1; 0 when all pass; 2 for a bad file beside good ones."""
    good, wrong, bad = tmp_path / "cincos_a.json", tmp_path / "cincos_b.json", tmp_path / "cincos_c.json"
    good.write_text(json.dumps({"vectors": [vector("X-1", 15)]}), encoding="utf-8")
    wrong.write_text(json.dumps({"vectors": [vector("X-2", 10), vector("X-3", 15)]}), encoding="utf-8")
    bad.write_text("{", encoding="utf-8")
    passed = run("check", str(good))
    assert (passed.exit_code, passed.stdout) == (0, "1 passed, 0 failed\n")
    failed = run("check", str(good), str(wrong))
    lines = failed.stdout.splitlines()
    assert failed.exit_code == 1
    assert lines[0].startswith("X-2 (round5): ")
    assert lines[-1] == "2 passed, 1 failed"
    broken = run("check", str(bad), str(good))
    assert broken.exit_code == 2
    assert broken.stdout == "1 passed, 0 failed\n"
    assert broken.stderr.count("\n") == 1


def test_the_shared_vectors_pass(run: Run, shared: Path) -> None:
    """All conformance vectors that lie beside the checkout pass through the command."""
    result = run("check", *map(str, sorted((shared / "rules" / "vectors").glob("*.json"))))
    assert result.exit_code == 0
    assert result.stdout.endswith(" passed, 0 failed\n")


def test_a_closed_pipe_ends_quietly() -> None:
    """`dominotable rules play … | head -1` prints its line and no traceback."""
    code = "from domino_server.rules_cli import app; app()"
    words = [sys.executable, "-c", code, "play", "pincset", "--seed", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"Game: pincset\n"
        process.stdout.close()
        assert process.stderr.read() == b""


def test_guard_turns_errors_into_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    """Domino errors and file errors leave with 2, an interrupt with 130, a closed pipe with 0."""
    for error, code in (
        (SetupError("players", "two\nlines"), 2),
        (OSError("disk full"), 2),
        (KeyboardInterrupt(), 130),
    ):
        with pytest.raises(Exit) as caught, guard():
            raise error
        assert caught.value.exit_code == code
    assert capsys.readouterr().err == "error: two lines\nerror: disk full\n"


def test_fail_takes_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    """A command may fail with a message of its own."""
    with pytest.raises(Exit):
        fail("so it is")
    assert capsys.readouterr().err == "error: so it is\n"
