"""Which sources may be asked for over the network."""

from __future__ import annotations

from domino_server.access import Principal
from domino_server.problems import RequestError
from domino_server.tables.config import PUSH

_SCHEMES = ("http://", "https://", "rtsp://", "rtsps://")


def check_source(who: Principal, source: str | None) -> None:
    """Refuse files and folders to all but the house: a path is nothing that a stranger may choose.

    Raises:
        RequestError: `path_refused`.
    """
    if source is None or source == PUSH or who.role == "admin":
        return
    if (source.isascii() and source.isdigit()) or source.lower().startswith(_SCHEMES):
        return
    raise RequestError(403, "path_refused", "files and folders are chosen by the house")
