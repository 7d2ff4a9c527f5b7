"""Hands that have not begun yet: which of the tiles with which one begins are still waited for."""

from __future__ import annotations

from typing import Final

from domino_server.referee.events import Pause, Question
from domino_server.referee.sight import Kind, Sight

TRUMP_UNSEEN: Final = "trump_unseen"
"""Code of the question which tile lies turned up beside the stock."""
_OPENING: Final = (Kind.TALON, Kind.TRUMP)
"""Where tiles lie with which a hand begins."""
_SURE: Final = 0.9


def waited_for(sight: Sight, asked: Question | None) -> Pause | None:
    """Return that the tiles with which a hand begins are not all there: which lie aside, or are read too unsurely.

    Args:
        sight: the table.
        asked: what a person is asked of them.
    """
    lying = [t for kind in _OPENING for t in sight.within(kind) if t.tile is not None]
    if not lying:
        return None if asked is None else Pause("not_begun")
    unsure = [t.tile for t in (*lying, *sight.within(Kind.PILE)) if t.tile is not None and t.confidence < _SURE]
    return Pause("not_begun", (*unsure, *sight.faces(Kind.ASIDE)))
