"""Tokens never reach a log, whichever way they come."""

import io
import logging
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domino_server.access import redact
from domino_server.access.redact import HIDDEN, RedactingFilter, install
from domino_server.access.tokens import new_secret

SECRET = "dt_" + "Ab3-_" * 8 + "xyz"


@pytest.fixture
def log() -> Iterator[tuple[logging.Logger, io.StringIO]]:
    """A logger below another one, and what its handler has written; record making is put back afterwards."""
    before = logging.getLogRecordFactory()
    install()
    install()
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    logger = logging.getLogger("some.library.below")
    logger.addHandler(handler)
    yield logger, out
    logger.removeHandler(handler)
    logging.setLogRecordFactory(before)


def test_messages_and_arguments_are_cleaned(log: tuple[logging.Logger, io.StringIO]) -> None:
    """Text, arguments of any type, and objects that only show a token when they are printed."""

    class Request:
        def __str__(self) -> str:
            return f"GET /?token={SECRET}"

    logger, out = log
    logger.error("plain %s" % SECRET)  # noqa: G002, UP031 - as some library might
    logger.error('%s - "%s %s HTTP/%s" %d', "127.0.0.1:5", "GET", f"/x?a=1&token={SECRET}", "1.1", 200)
    logger.error("object %s in %s", Request(), [SECRET])
    logger.error("named %(t)s", {"t": SECRET})
    logger.error(Request())
    logger.error("bytes %r", SECRET.encode())
    logger.error("header %s", {"authorization": f"Bearer {SECRET}"})
    text = out.getvalue()
    assert SECRET not in text
    assert SECRET[3:] not in text
    assert text.count(HIDDEN.encode("unicode_escape").decode()) + text.count(HIDDEN) >= 7
    assert '"GET /x?a=1&token=dt_… HTTP/1.1" 200' in text


def test_tracebacks_are_cleaned(log: tuple[logging.Logger, io.StringIO]) -> None:
    """A token in an exception's message, also in that of its cause, does not reach the log."""
    logger, out = log
    try:
        try:
            raise KeyError(SECRET)  # noqa: TRY301 - the cause of the other
        except KeyError as error:
            raise ValueError(f"no {SECRET}") from error
    except ValueError:
        logger.exception("failed")
    text = out.getvalue()
    assert "Traceback" in text
    assert "ValueError: no dt_…" in text
    assert SECRET not in text


def test_other_lines_stay_as_they_are(log: tuple[logging.Logger, io.StringIO]) -> None:
    """Lines without a token are logged as if nothing were there, with their own tracebacks."""
    logger, out = log
    logger.error("%s: %d of %5.2f, %r", "tokens", 3, 1.5, (1, 2))
    logger.error("the token is unknown or was revoked")
    assert out.getvalue() == "tokens: 3 of  1.50, (1, 2)\nthe token is unknown or was revoked\n"


def test_filter_cleans_what_is_added_to_records() -> None:
    """As a filter of a handler it also sees the fields that a structured log adds."""
    record = logging.makeLogRecord({"msg": "x", "url": f"/a#{SECRET}", "count": 3})
    assert RedactingFilter().filter(record)
    assert record.__dict__["url"] == "/a#dt_…"
    assert record.__dict__["count"] == 3


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(["", "token=", "Bearer ", "#token=", '"token": "']))
def test_no_token_survives(before: str, after: str, lead: str) -> None:
    """Whatever stands around a token, nothing of it is left."""
    secret = new_secret()
    text = redact(f"{before}{lead}{secret}{after}")
    assert secret not in text
    assert secret[3:] not in text


def test_encoded_tokens_are_found() -> None:
    """A token in an address may be written with percent signs."""
    assert redact("GET /?token=dt%5F" + "a" * 43 + "&x=1") == "GET /?token=dt_…&x=1"
    assert redact("Authorization: Bearer " + "q" * 20) == "Authorization: Bearer dt_…"
