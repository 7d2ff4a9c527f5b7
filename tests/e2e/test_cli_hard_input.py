"""The command as a user abuses it: names that are no text, pipes, Ctrl-C, addresses that cannot be listened on."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.serving import free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals and file names of POSIX"),
]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "domino_server", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are always text there")
def test_file_name_that_is_no_text_is_no_trouble(tmp_path: Path, demo: Path) -> None:
    """A name with bytes that are no UTF-8 and one that steers terminals are shown escaped, as JSON and as text."""
    picture = Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff\x1b[2J.jpg"))
    shutil.copy(demo / "hand.jpg", picture)
    result = run("read", picture, "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["source"] == "bad\\udcff\x1b[2J.jpg"
    assert "\x1b" not in run("read", picture).stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(("target", "code", "lines"), [(">&-", 0, 0), (">/dev/full", 2, 1)])
def test_output_that_goes_nowhere_is_no_traceback(demo: Path, target: str, code: int, lines: int) -> None:
    """Standard output that is closed is nobody's; on a full disk that is said in one line."""
    command = f'"{sys.executable}" -m domino_server read "{demo / "hand.jpg"}" {target}'
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == code
    assert len(result.stderr.splitlines()) == lines, result.stderr


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (["read", "x.jpg", "--threads", "0"], "--threads"),
        (["read"], "picture"),
        (["nope"], "nope"),
        (["serve", "--host", "a..b"], "a..b"),
        (["serve", "--host", ""], "--host"),
        (["serve", "--source", ""], "source"),
        (["doctor", "9" * 20], "camera"),
        (["doctor", "http://[bad"], "http://[bad"),
    ],
)
def test_wrong_option_is_one_line(arguments: list[str], cause: str) -> None:
    """Each wrong option or address is exit code 2 and one line."""
    result = run(*arguments)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert cause in result.stderr


def test_doctor_says_only_what_is_to_be_done(demo: Path) -> None:
    """What is good is called so, once; advice comes with what is not."""
    gauges = run("doctor", str(demo / "cincos.jpg")).stdout.splitlines()[-6:]
    assert [line.split()[0] for line in gauges] == ["tiles", "pip_px", "blur", "glare", "tilt_deg", "brightness"]
    for line in gauges:
        assert line.endswith(": good") or re.search(r": (fair|poor)\. \w", line), line


def _with_interrupts() -> None:
    """Let Ctrl-C reach the process even where the tests themselves run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_server_with_a_watcher_stops_at_once_and_quietly(tmp_path: Path) -> None:
    """Ctrl-C ends a server whose events somebody watches: soon, with code 130, without a traceback."""
    port = free_port()
    command = [sys.executable, "-m", "domino_server", "serve", "--port", str(port), "--game", "cincos"]
    process = subprocess.Popen(
        command,
        env={**os.environ, "DOMINOTABLE_DATA": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=_with_interrupts,  # noqa: PLW1509 - it sets one signal, nothing that a thread could hold
    )
    try:
        assert process.stdout is not None
        assert "serves" in process.stdout.readline()
        api = f"http://127.0.0.1:{port}/api/v1/tables"
        with urllib.request.urlopen(api, timeout=30) as tables:
            table = json.load(tables)[0]["id"]
        with urllib.request.urlopen(f"{api}/{table}/events", timeout=30) as events:
            assert events.readline()
            process.send_signal(signal.SIGINT)
            started = time.monotonic()
            output, _ = process.communicate(timeout=30)
        assert time.monotonic() - started < 15
        assert process.returncode == 130
        assert "Traceback" not in output, output
    finally:
        process.kill()
        process.wait()
