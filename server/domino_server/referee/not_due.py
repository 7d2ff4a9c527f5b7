"""Tiles drawn in Bingo while none is to be drawn: the stock is smaller than it may be, at two looks in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from domino_rules.games.bingo_state import BingoState
from domino_server.referee.events import Event, IllegalPlay
from domino_server.referee.sight import Kind, Sight

if TYPE_CHECKING:
    from domino_server.referee.core import Referee

MOVE_NOT_DUE: Final = "move_not_due"
_LOOKS: Final = 2
"""A stock that was seen too small so often is too small: a hand may cover a tile at one look."""


class DrawsNotDue:
    """Watches the stock of a referee's hand of Bingo.

    A stock that lies in piles, or out of the picture, was never seen whole; it tells nothing. Nor does one at which
    nothing changed. Alike backs in a row are easily miscounted: what is missing is possible, never proved; it was
    whoever alone reached over the table when it went.
    """

    def __init__(self, referee: Referee) -> None:
        """Serve a referee."""
        self._referee = referee
        self._hand = 0
        self._whole = False
        self._gone = 0
        self._short = 0
        self._drawn_by: str | None = None

    @property
    def in_doubt(self) -> bool:
        """Whether a second look at a stock that is too small would be enough to report it."""
        return self._short == _LOOKS - 1

    def look(self, sight: Sight, out: list[Event]) -> None:
        """Look at the stock, once a table was explained."""
        referee, state = self._referee, self._referee.state
        if referee.ledger.hand != self._hand:
            self._hand, self._whole, self._gone, self._short = referee.ledger.hand, False, 0, 0
        if not isinstance(state, BingoState) or state.result is not None or referee.pause is not None:
            return
        if not sight.believed or not sight.shows(Kind.STOCK):
            return
        there, down = sight.backs(Kind.STOCK), len(state.stock.face_down)
        missing = max(0, down - len(state.due)) - there
        if missing <= self._gone:  # of what is due all may be drawn, or none yet
            self._whole |= missing <= 0
            self._gone, self._short = min(self._gone, max(down - there, 0)), 0
        elif self._whole and (self._short or not sight.is_undisturbed(Kind.STOCK)):
            self._short += 1
            if self._short == 1:
                self._drawn_by = sight.actors[0] if len({*sight.actors}) == 1 and not sight.unclear else None
            if self._short == _LOOKS:
                self._gone, self._short = missing, 0
                referee.illegal.report(IllegalPlay(MOVE_NOT_DUE, self._drawn_by, None), out)
