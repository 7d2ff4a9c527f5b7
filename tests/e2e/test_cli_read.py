"""`dominotable read` as a user runs it: good pictures, and every bad input in one clear line."""

import json
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

pytestmark = pytest.mark.slow


def run(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "domino_server", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=cwd, check=False)


def test_demo_is_read_as_labelled(demo: Path) -> None:
    """The tiles of the shipped demo picture are those of its label, and the count is the layout's."""
    result = run("read", demo / "cincos.jpg", "--game", "cincos", "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    label = json.loads((demo / "cincos.json").read_text())
    truth = sorted(tuple(sorted(tile["halves"])) for tile in label["tiles"])
    read = sorted(tuple(sorted(tile["halves"])) for tile in report["tiles"] if tile["halves"])
    assert read == truth
    assert report["count"] == sum(end["count"] for end in report["open_ends"])
    assert report["points"] == (report["count"] if report["count"] % 5 == 0 else 0)
    assert report["legal_plays"]


def test_text_report_names_count_and_plays(demo: Path) -> None:
    """The report for people has the count, the open ends and the plays of the hand that was given."""
    report = json.loads(run("read", demo / "cincos.jpg", "--game", "cincos", "--json").stdout)
    play = next(play for play in report["legal_plays"] if play["source"] == "unseen")
    result = run("read", demo / "cincos.jpg", "--game", "cincos", "--hand", play["tile"])
    assert result.returncode == 0, result.stderr
    assert f"count      {report['count']}" in result.stdout
    assert f"{play['tile']} at {play['arm']}: count {play['count']}" in result.stdout


def test_annotated_picture_is_written(demo: Path, tmp_path: Path) -> None:
    """`--save` writes a picture that opens and is at least as large as the photograph."""
    out = tmp_path / "out.jpg"
    result = run("read", demo / "pincset.jpg", "--save", out)
    assert result.returncode == 0, result.stderr
    assert result.stderr == f"written: {out}\n"
    picture, original = cv2.imread(str(out)), cv2.imread(str(demo / "pincset.jpg"))
    assert picture is not None
    assert original is not None
    assert picture.shape[0] >= original.shape[0]
    assert [path.name for path in tmp_path.iterdir()] == ["out.jpg"]


def _bad_inputs(folder: Path, demo: Path) -> dict[str, tuple[list[str], str]]:
    (folder / "note.jpg").write_text("not a picture")
    (folder / "empty.jpg").write_bytes(b"")
    whole = (demo / "cincos.jpg").read_bytes()
    (folder / "torn.jpg").write_bytes(whole[: len(whole) // 2])
    cv2.imwrite(str(folder / "tiny.png"), np.zeros((1, 1, 3), np.uint8))
    cv2.imwrite(str(folder / "huge.png"), np.zeros((10_000, 10_000, 1), np.uint8))
    picture = str(demo / "cincos.jpg")
    on_chain = json.loads((demo / "cincos.json").read_text())
    index = on_chain["chain"][0][0]
    lying = "-".join(map(str, on_chain["tiles"][index]["halves"]))
    return {
        "missing": ([str(folder / "nowhere.jpg")], "nowhere.jpg"),
        "folder": ([str(folder)], str(folder)),
        "text": ([str(folder / "note.jpg")], "note.jpg"),
        "empty": ([str(folder / "empty.jpg")], "empty.jpg"),
        "torn": ([str(folder / "torn.jpg")], "torn.jpg"),
        "tiny": ([str(folder / "tiny.png")], "tiny.png"),
        "huge": ([str(folder / "huge.png")], "huge.png"),
        "game": ([picture, "--game", "poker"], "poker"),
        "set": ([picture, "--set", "double-seven"], "double-seven"),
        "hand twice": ([picture, "--hand", "6-4,4-6"], "6-4"),
        "hand syntax": ([picture, "--hand", "six-four"], "six-four"),
        "hand not in set": ([picture, "--hand", "9-9"], "9-9"),
        "hand on the table": ([picture, "--hand", lying], "lies on the table"),
        "weights": ([picture, "--weights", str(folder / "none.onnx")], "none.onnx"),
        "broken weights": ([picture, "--weights", str(folder / "note.jpg")], "note.jpg"),
        "save folder": ([picture, "--save", str(folder / "no" / "out.jpg")], "no"),
        "save suffix": ([picture, "--save", str(folder / "out.xyz")], "out.xyz"),
    }


KINDS = (
    "missing", "folder", "text", "empty", "torn", "tiny", "huge", "game", "set", "hand twice", "hand syntax",
    "hand not in set", "hand on the table", "weights", "broken weights", "save folder", "save suffix",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_bad_input_is_one_clear_line(kind: str, tmp_path: Path, demo: Path) -> None:
    """Bad input ends with exit code 2, one line on stderr that names the cause, no traceback, no file left."""
    arguments, cause = _bad_inputs(tmp_path, demo)[kind]
    before = sorted(tmp_path.iterdir())
    result = run("read", *arguments)
    assert result.returncode == 2, (result.stdout, result.stderr)
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    assert cause in lines[0]
    assert result.stdout == ""
    assert sorted(tmp_path.iterdir()) == before


def test_picture_without_a_tile_says_so(tmp_path: Path) -> None:
    """A picture with no tile in view is no layout: exit code 2 and one line that says so, nothing written."""
    picture = tmp_path / "table.png"
    rng = np.random.default_rng(1)
    cv2.imwrite(str(picture), rng.integers(90, 110, (480, 640, 3)).astype(np.uint8))
    result = run("read", picture, "--save", tmp_path / "out.jpg")
    assert result.returncode == 2
    assert "no tile" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "out.jpg").exists()


def test_help_answers_at_once_without_heavy_imports() -> None:
    """`--help` imports neither numpy, OpenCV, onnxruntime nor FastAPI."""
    code = (
        "import sys; import domino_server.cli;"
        "heavy = {'numpy', 'cv2', 'onnxruntime', 'fastapi', 'scipy', 'torch'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_rules_import_only_the_standard_library() -> None:
    """`import domino_rules` with all its modules loads nothing from outside the standard library."""
    code = (
        "import sys; before = set(sys.modules); import domino_rules, domino_rules.state, domino_rules.games;"
        "names = {name.split('.')[0] for name in set(sys.modules) - before};"
        "other = names - set(sys.stdlib_module_names) - {'domino_rules'};"
        "sys.exit(str(other) if other else 0)"
    )
    started = time.monotonic()
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert time.monotonic() - started < 30
