"""Tokens never reach a log: whatever a logger is given, they are cut out of it."""

from __future__ import annotations

import logging
import re
import traceback
from typing import Any, Final

_TOKEN: Final = re.compile(r"dt(?:_|%5[fF])[A-Za-z0-9_%-]{8,}")
_PARAMETER: Final = re.compile(r"""(?i)(\btoken(?:=|%3d)|\bbearer(?:\s|%20)+|"token": ?")[^\s&"'#,}]{8,}""")
HIDDEN: Final = "dt_…"
_MARK: Final = "_dominotable_redacts"


def redact(text: str) -> str:
    """Return a text without tokens, nor what stands where one should."""
    return _PARAMETER.sub(lambda found: found[1] + HIDDEN, _TOKEN.sub(HIDDEN, text))


def redact_record(record: logging.LogRecord) -> logging.LogRecord:
    """Cut tokens out of a record of a logger: its message, arguments, traceback, and texts added to it."""
    record.args = _clean(record.args)
    for name, value in vars(record).items():
        if isinstance(value, str):
            setattr(record, name, redact(value))
    if not isinstance(record.msg, str) and _tells(record.msg):
        record.msg = redact(str(record.msg))
    if record.exc_info and record.exc_info[0] is not None:
        text = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
        if (cleaned := redact(text)) != text:  # else the formatter may show it in its own way
            record.exc_text = cleaned
            record.exc_info = None
    return record


class RedactingFilter(logging.Filter):
    """A filter for loggers and handlers that lets all pass, without tokens."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean a record."""
        redact_record(record)
        return True


def install() -> None:
    """Clean every record that is made from now on in this process, whichever logger and handler it goes to.

    Records are cleaned where they are made: a filter of a logger misses the records of the loggers below it.
    """
    make = logging.getLogRecordFactory()
    if getattr(make, _MARK, False):
        return

    def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
        return redact_record(make(*args, **kwargs))

    setattr(factory, _MARK, True)
    logging.setLogRecordFactory(factory)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, bytes):
        return redact(value.decode("latin-1")).encode("latin-1", "replace") if _tells(value) else value
    if type(value) is tuple:
        return tuple(_clean(each) for each in value)
    if type(value) is dict:
        return {key: _clean(each) for key, each in value.items()}
    if value is None or isinstance(value, int | float):
        return value
    return redact(str(value)) if _tells(value) else value


def _tells(value: object) -> bool:
    """Whether the text of a value has a token in it."""
    try:
        text = str(value)
    except Exception:  # noqa: BLE001 - a value that cannot be shown shows no token either
        return False
    return redact(text) != text
