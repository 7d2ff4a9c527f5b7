"""`dominotable serve` and `token` as an operator uses them: what is kept where, what is printed, how they fail."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from domino_server import cli
from domino_server.access import Tokens
from domino_server.commands.serve_tokens import printed_token
from domino_server.store import Store
from tests.serving import Served, free_port, serving

pytestmark = pytest.mark.slow
TOKEN = re.compile(r"dt_[A-Za-z0-9_-]{43}")


def run(*arguments: str | Path, data: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "domino_server", *map(str, arguments)]
    environment = {**os.environ, "DOMINOTABLE_DATA": str(data)}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)


Here = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """Run the command in this process, for what ends it before it serves; returns exit code, stdout, stderr."""

    def run_here(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dominotable", *arguments])
        monkeypatch.setenv("DOMINOTABLE_DATA", str(tmp_path / "data"))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(str(ended.value.code)), out, err

    return run_here


def ask(
    base: str, path: str, secret: str | None = None, method: str = "GET", body: bytes | None = None
) -> tuple[int, str]:
    """Return status and text of an answer."""
    headers = {"Content-Type": "application/json"} if body else {}
    if secret is not None:
        headers["Authorization"] = f"Bearer {secret}"
    request = urllib.request.Request(f"{base}{path}", method=method, headers=headers, data=body)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_start_says_where_the_keeper_goes(tmp_path: Path) -> None:
    """A start prints a link that opens everything and keeps only its hash; the links of the last starts hold too."""
    secrets = []
    for _ in range(2):
        with serving(data=tmp_path) as base:
            assert base.line("house").startswith(f"{base}/#token=dt_")
            assert not any(line.startswith("keeper ") for line in base.stdout)
            secrets.append(base.token)
            for secret in secrets:
                assert ask(base, "/api/v1/tables", secret)[0] == 200
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not any(secret.encode() in kept for secret in secrets)


def test_the_house_and_the_keeper_have_links_of_their_own(tmp_path: Path) -> None:
    """Both lead to the live table's console; the keeper's opens that table and no other, and makes none."""
    with serving("--game", "cincos", data=tmp_path) as base:
        assert base.line("house").partition("#")[0] == base.line("keeper").partition("#")[0]
        table = base.line("keeper").split("/table/")[1].partition("#")[0]
        keeper = base.printed_token("keeper")
        new = b'{"name": "second"}'
        second = json.loads(ask(base, "/api/v1/tables", base.token, "POST", new)[1])["table"]["id"]
        assert [ask(base, f"/api/v1/tables/{each}", keeper)[0] for each in (table, second)] == [200, 403]
        assert [ask(base, f"/api/v1/tables/{each}", base.token)[0] for each in (table, second)] == [200, 200]
        assert ask(base, "/api/v1/tables", keeper, "POST", new)[0] == 403


def test_links_of_old_starts_are_forgotten() -> None:
    """Of the tokens that starts have printed the newest few hold, and those of others are left alone."""
    tokens = Tokens(Store.open("sqlite://"))
    other = tokens.create("admin", table=None, label="Ana").secret
    secrets = [printed_token(tokens, "admin", None, "printed") for _ in range(5)]
    assert [tokens.find(secret) is not None for secret in secrets] == [False, False, True, True, True]
    assert tokens.find(other) is not None


def test_revoked_token_is_refused_by_a_running_server(tmp_path: Path) -> None:
    """A token that the command makes opens a running server at once, and no longer once the command revokes it."""
    with serving("--game", "cincos", data=tmp_path) as base:
        table = base.line("keeper").split("/table/")[1].partition("#")[0]
        made = run("token", "new", "keeper", "--table", table, "--label", "Ana", data=tmp_path)
        assert made.returncode == 0, made.stderr
        secret = made.stdout.strip()
        assert TOKEN.fullmatch(secret)
        stop = f"/api/v1/tables/{table}/stop"
        assert ask(base, stop, secret, "POST")[0] == 200
        assert ask(base, "/api/v1/tables", secret, "POST", b'{"name": "x"}')[0] == 403
        listed = run("token", "list", "--json", data=tmp_path)
        assert not TOKEN.search(listed.stdout)
        (entry,) = [each for each in json.loads(listed.stdout) if each["label"] == "Ana"]
        assert (entry["role"], entry["table"], entry["revoked_at"]) == ("keeper", table, None)
        assert run("token", "revoke", entry["id"], data=tmp_path).returncode == 0
        assert ask(base, stop, secret, "POST")[0] == 401
        assert "revoked" in run("token", "list", "--table", table, data=tmp_path).stdout


def test_logs_and_what_is_kept_hold_no_token(tmp_path: Path) -> None:
    """With the most talkative logs, no token is in them, in the data folder, in an export or in a backup."""
    with serving("--game", "cincos", "--log-level", "debug", data=tmp_path) as base:
        table = base.line("keeper").split("/table/")[1].partition("#")[0]
        created = ask(base, "/api/v1/tables", base.token, "POST", b'{"name": "second"}')
        assert created[0] < 300, created
        secrets = {base.token, base.printed_token("keeper"), *TOKEN.findall(created[1])}
        for secret in secrets:
            for path in (f"/api/v1/tables/{table}?token={secret}", f"/{secret}", f"/api/v1/tables/{secret}"):
                assert ask(base, path, secret)[0] >= 400
        for each in (table, json.loads(created[1])["table"]["id"]):
            status, archive = ask_bytes(base, f"/api/v1/tables/{each}/export", base.token)
            assert status == 200
            assert not any(secret.encode() in archive for secret in secrets)
        logs = base.stderr
        printed = [line for line in base.stdout if not line.startswith(("house ", "keeper "))]
    text = "".join([*logs, *printed])
    assert '"path": "/dt_…"' in text
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert len(secrets) > 1
    for secret in secrets:
        assert secret[3:] not in text
        assert secret.encode() not in kept


def ask_bytes(base: str, path: str, secret: str) -> tuple[int, bytes]:
    """Return status and bytes of an answer."""
    request = urllib.request.Request(f"{base}{path}", headers={"Authorization": f"Bearer {secret}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.status, answer.read()


def test_output_that_is_kept_may_be_without_link(tmp_path: Path) -> None:
    """`--no-link` prints no secret at all, and everything stays on loopback."""
    with serving("--no-link", data=tmp_path) as base:
        assert not TOKEN.search("".join(base.stdout))
        port = int(base.rpartition(":")[2])
        with socket.socket(socket.AF_INET) as probe:
            probe.settimeout(2)
            assert probe.connect_ex(("127.0.0.2", port)) != 0


def test_live_table_goes_on_after_a_restart(tmp_path: Path) -> None:
    """The same command finds its table again; another game begins a new one and puts the old one away."""

    def table_of(base: Served) -> str:
        return base.line("keeper").split("/table/")[1].partition("#")[0]

    with serving("--game", "cincos", "--seats", "Ana,Bo", data=tmp_path) as base:
        first = table_of(base)
    with serving("--game", "cincos", data=tmp_path) as base:
        assert table_of(base) == first
    with serving("--game", "tiu-u", "--seats", "Ana,Bo", data=tmp_path) as base:
        assert table_of(base) != first
        assert json.loads(ask(base, f"/api/v1/tables/{first}/state")[1])["phase"] == "archived"


def _refusals(tmp_path: Path) -> dict[str, tuple[list[str], str]]:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    broken = tmp_path / "broken"
    (broken / "tls").mkdir(parents=True)
    (broken / "tls" / "authority.crt").write_text("nonsense")
    (broken / "tls" / "authority.key").write_text("nonsense")
    text = tmp_path / "text.jpg"
    text.write_text("no picture")
    garbage = tmp_path / "garbage.db"
    garbage.write_bytes(b"no database at all " * 100)
    return {
        "data folder": (["--data", str(blocked / "data")], str(blocked / "data")),
        "tls": (["--https", "--data", str(broken)], "authority.crt"),
        "database away": (["--database", "postgresql://u:hunter2@127.0.0.1:9/x"], "cannot be reached"),
        "database broken": (["--database", f"sqlite:///{garbage}"], "garbage.db"),
        "database unknown": (["--database", "mysql://127.0.0.1/x"], "sqlite or postgresql"),
        "host name": (["--allow-host", "http://a"], "http://a"),
        "game": (["--game", "poker"], "poker"),
        "seats": (["--game", "cincos", "--seats", "Ana"], "seats"),
        "option": (["--game", "cincos", "--option", "target"], "name=value"),
        "log level": (["--log-level", "loud"], "loud"),
        "port": (["--port", "0"], "--port"),
        "source": (["--source", str(tmp_path / "none.mp4")], "none.mp4"),
        "no picture": (["--source", str(text)], "text.jpg is not a picture"),
        "tiles": (["--tiles", "nobody"], "nobody"),
        "evidence size": (["--evidence-gib", "-1"], "--evidence-gib -1"),
        "evidence age": (["--evidence-days", "long"], "--evidence-days long"),
    }


@pytest.mark.parametrize("case", [
    "data folder", "tls", "database away", "database broken", "database unknown", "host name", "game", "seats",
    "option", "log level", "port", "source", "no picture", "tiles", "evidence size", "evidence age",
])  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(here: Here, tmp_path: Path, case: str) -> None:
    """Whatever keeps the server from starting ends it with exit code 2 and one line that names the cause."""
    arguments, cause = _refusals(tmp_path)[case]
    port = [] if case == "port" else ["--port", str(free_port())]
    code, out, err = here("serve", *port, *arguments)
    assert code == 2, err
    assert len(err.splitlines()) == 1, err
    assert cause in err
    assert "hunter2" not in err
    assert not TOKEN.search(out)


def test_port_that_is_taken_is_said(tmp_path: Path) -> None:
    """A port on which somebody listens is named, with exit code 2, and nothing was made in the data folder."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("serve", "--port", str(port), data=tmp_path / "data")
    assert result.returncode == 2
    assert f"127.0.0.1:{port}" in result.stderr
    assert "(another port: --port)" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_second_server_on_the_same_folder_is_refused(here: Here, tmp_path: Path) -> None:
    """Two servers would follow the same tables; the second ends, and a killed one leaves the folder free."""
    with serving(data=tmp_path / "data") as base:
        code, out, err = here("serve", "--port", str(free_port()))
        assert (code, len(err.splitlines())) == (2, 1), err
        assert str(tmp_path / "data") in err
        assert not TOKEN.search(out)
        base.process.kill()
        base.process.wait()
        with serving(data=tmp_path / "data") as again:
            assert ask(again, "/api/health/live")[0] == 200


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (["new", "king"], "king"),
        (["new", "keeper"], "table"),
        (["new", "keeper", "--table", "nosuchtable0"], "nosuchtable0"),
        (["revoke", "nosuchtoken0"], "nosuchtoken0"),
        (["list", "--database", "postgresql://127.0.0.1:9/x"], "cannot be reached"),
    ],
)
def test_token_command_says_what_is_wrong(here: Here, arguments: list[str], cause: str) -> None:
    """A role, a table or a token that is not there is named in one line, with exit code 2."""
    code, _, err = here("token", *arguments)
    assert code == 2
    assert cause in err
    assert len(err.splitlines()) == 1


def test_interrupt_ends_it_soon(tmp_path: Path) -> None:
    """A server with HTTPS and its plain helper stops within seconds when it is asked to."""
    with serving("--https", "--host", "0.0.0.0", data=tmp_path) as base:  # noqa: S104
        started = time.monotonic()
        base.process.send_signal(signal.SIGTERM)
        base.process.wait(timeout=30)
        assert time.monotonic() - started < 15
    assert not any("Traceback" in line for line in base.stderr)
