"""What every command does with its output and its errors: one clear line on stderr, never a traceback.

Exit codes: 0 done; 1 the answer is no; 2 the input or an option is wrong; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn, TextIO

import typer

from domino_rules.errors import DominoError

BAD_INPUT = 2
INTERRUPTED = 130
_HINTS: Mapping[str, str] = MappingProxyType({
    "tiles_doubtful": "--tiles-seen",
    "tiles_known": "--add, or --remove",
    "tiles_unknown": "see: dominotable enrol --help",
})  # fmt: skip
"""Which options help with an error, by its code: its own message is also read by people who have no command line."""
_LINE = {"open": False}
"""Whether the last note left its line open, as progress does."""


def run(app: typer.Typer) -> NoReturn:
    """Run a command line; what is wrong with an option is said in one line, as everything else is."""
    _open_closed()
    try:
        code = app(standalone_mode=False)
    except Exception as error:
        describe = getattr(error, "format_message", None)  # only usage errors have it
        if describe is None:
            raise
        _tell_usage(error, describe())
        code = BAD_INPUT
    sys.exit(code if isinstance(code, int) else 0)


def _open_closed() -> None:
    """Give a process that was started without standard output or error somewhere to write to."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - as long as the process


def _tell_usage(error: Any, message: str) -> None:
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return
    context = getattr(error, "ctx", None)
    hint = f" (see: {context.command_path} --help)" if context else ""
    warn(message + hint)


def fail(error: Exception | str) -> NoReturn:
    """Print an error as one line on stderr and leave with exit code 2."""
    warn(_message(error))
    raise typer.Exit(BAD_INPUT)


def warn(message: str) -> None:
    """Print one line on stderr, in red where that is a terminal and NO_COLOR is not set."""
    line = printable(" ".join(message.split()))
    colored = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    with suppress(OSError):
        _end_line()
        typer.secho(f"error: {line}", err=True, fg=typer.colors.RED if colored else None)


def _end_line() -> None:
    """An error begins a new line, even after progress that has not ended its own."""
    if _LINE["open"]:
        sys.stderr.write("\n")
        _LINE["open"] = False


def printable(text: str) -> str:
    """Return text, such as the name of a file, with all that could steer a terminal or is no character escaped."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def note(message: str, end: str = "\n") -> None:
    """Print progress and other news on stderr, so that stdout holds the answer alone."""
    with suppress(OSError):
        _LINE["open"] = not end
        sys.stderr.write(message + end)
        sys.stderr.flush()


def written(*paths: Path | None) -> None:
    """Tell which files were written; those that are None were not asked for."""
    for path in paths:
        if path is not None:
            note(f"written: {printable(str(path))}")


@contextmanager
def guard() -> Iterator[None]:
    """Turn the errors of the domino packages and of files into one line and exit code 2.

    A reader that closes the pipe early (`… | head`) ends the command quietly; characters that the terminal cannot show
    are escaped instead of failing.
    """
    _lenient(sys.stdout)
    _lenient(sys.stderr)
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
        raise typer.Exit(0) from None
    except (DominoError, OSError) as error:
        if _is_full(sys.stdout):
            _silence_stdout()
        fail(error)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def _message(error: Exception | str) -> str:
    if isinstance(error, DominoError):
        hint = _HINTS.get(error.code)
        return error.message if hint is None else f"{error.message} ({hint})"
    if isinstance(error, OSError) and error.strerror:
        return f"{_name(error.filename)}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _name(filename: object) -> str:
    return os.fsdecode(filename) if isinstance(filename, bytes) else str(filename)


def _lenient(stream: object) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _is_full(stream: TextIO) -> bool:
    """Whether what was written cannot go anywhere, as on a full disk; the interpreter would complain once more."""
    try:
        stream.flush()
    except OSError:
        return True
    return False


def _silence_stdout() -> None:
    """Let the interpreter flush what is left of stdout into nothing."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
