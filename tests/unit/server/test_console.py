"""What is written to a terminal: nothing of a file's name may steer it, and every error is one line."""

import pytest
import typer

from domino_server import console
from domino_server.schemas import sendable
from domino_vision.errors import EnrolError


@pytest.mark.parametrize(
    ("text", "shown"),
    [("桌子 é.jpg", "桌子 é.jpg"), ("a\x1b[31mb", "a\\x1b[31mb"), ("a\nb", "a\\nb"), ("a\udcffb", "a\\udcffb")],
)
def test_what_steers_a_terminal_is_escaped(text: str, shown: str) -> None:
    """Letters of any script stay; control characters and bytes that are no text are escaped."""
    assert console.printable(text) == shown


def test_bytes_that_are_no_text_can_be_sent() -> None:
    """A name that UTF-8 cannot carry becomes one that it can."""
    assert sendable("bad\udcff.jpg").encode() == b"bad\\udcff.jpg"


def test_an_error_after_progress_begins_a_new_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Progress that has not ended its line does not run into the error."""
    console.note("\r3/20", end="")
    console.warn("it broke\nin two lines \x1b[2J")
    assert capsys.readouterr().err == "\r3/20\nerror: it broke in two lines \\x1b[2J\n"


def test_options_that_help_are_named_on_a_command_line_only(capsys: pytest.CaptureFixture[str]) -> None:
    """The message of an error is for everybody; a command adds which option helps."""
    with pytest.raises(typer.Exit), console.guard():
        raise EnrolError("tiles_known", "'abuelo' is enrolled already", name="abuelo")
    assert capsys.readouterr().err == "error: 'abuelo' is enrolled already (--add, or --remove)\n"


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [(["--times", "x"], "--times"), (["--nope"], "--nope"), (["more"], "more"), (["--times"], "--times")],
)
def test_wrong_option_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], cause: str
) -> None:
    """A wrong option ends with exit code 2 and one line that names it, without a frame around it."""
    app = typer.Typer()

    @app.command()
    def command(times: int = 1) -> None: ...

    monkeypatch.setattr("sys.argv", ["dominotable", *arguments])
    with pytest.raises(SystemExit) as left:
        console.run(app)
    assert left.value.code == console.BAD_INPUT
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert cause in lines[0]


def test_exit_code_of_a_command_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command leaves with is what the process leaves with."""
    app = typer.Typer()

    @app.command()
    def command() -> None:
        raise typer.Exit(1)

    monkeypatch.setattr("sys.argv", ["dominotable"])
    with pytest.raises(SystemExit) as left:
        console.run(app)
    assert left.value.code == 1
