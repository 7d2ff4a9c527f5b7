"""The options of `dominotable serve`, as values."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from domino_rules.errors import SetupError
from domino_server.commands.serve_live import LiveTable
from domino_server.judge.retention import Retention
from domino_server.logs import LEVELS, LogOptions


@dataclass(frozen=True, slots=True)
class ServeArguments:
    """The options of the command line.

    Attributes:
        host: address to listen on.
        port: port to listen on.
        data: folder of everything that is kept; None for the user's own.
        database: address of the database; None for a file in the folder.
        retention: how much evidence a table keeps, and how long.
        https: whether to serve HTTPS with a certificate of our own.
        trust_port: port of plain HTTP that helps phones to trust it; 0 for none, None for the next one.
        allow_hosts: further names by which the server may be called.
        live: the table to follow at once; None for none.
        limits: whether requests are limited in number.
        link: whether the links of house and keeper are printed.
        qr: whether QR codes are printed; None if the output is a terminal.
        logs: how logs are written.
    """

    host: str = "127.0.0.1"
    port: int = 8420
    data: Path | None = None
    database: str | None = None
    retention: Retention = field(default_factory=Retention)
    https: bool = False
    trust_port: int | None = None
    allow_hosts: tuple[str, ...] = ()
    live: LiveTable | None = None
    limits: bool = True
    link: bool = True
    qr: bool | None = None
    logs: LogOptions = field(default_factory=LogOptions)


def asked_table(asked: LiveTable, *, phone: bool) -> LiveTable | None:
    """Return the table that the command line asks for; None if it asks for none.

    Args:
        asked: what the command line said of it.
        phone: whether a phone may come as a camera, so that there must be a table for it.
    """
    return asked if phone or asked != LiveTable() else None


def seat_names(seats: str | None) -> tuple[str, ...] | None:
    """Return the players of `A,B,C,D`."""
    return None if seats is None else tuple(name.strip() for name in seats.split(","))


def log_options(level: str, form: str | None) -> LogOptions:
    """Return how logs are written.

    Args:
        level: how much.
        form: `json` or `text`; None for text on a terminal and JSON elsewhere.

    Raises:
        SetupError: `bad_option`.
    """
    for said, known in ((level.lower(), LEVELS), (form, ("json", "text", None))):
        if said not in known:
            names = ", ".join(each for each in known if each)
            raise SetupError("bad_option", f"{said!r} is no setting of logs: {names}", option=said)
    return LogOptions(level.lower(), as_json=form == "json" or (form is None and not sys.stderr.isatty()))
