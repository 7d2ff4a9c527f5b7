"""Which reader reads which game."""

from __future__ import annotations

from domino_rules.errors import SetupError
from domino_rules.record_replay import Seating
from domino_server.referee.bingo import BingoReader
from domino_server.referee.chain import ChainReader
from domino_server.referee.reader import Reader
from domino_server.referee.tiu_u import TiuUReader


def reader_of(seating: Seating) -> Reader:
    """Return the reader for a game.

    Raises:
        SetupError: `unknown_game` if there is none.
    """
    readers: dict[str, type[ChainReader | BingoReader | TiuUReader]] = {
        "pincset": ChainReader,
        "cincos": ChainReader,
        "bingo": BingoReader,
        "tiu-u": TiuUReader,
    }
    name = seating.game.name
    if name not in readers:
        raise SetupError("unknown_game", f"no camera reader for {name}", name=name)
    return readers[name](seating)
