"""Hands turned up at the end of a hand: read from the hand zones, all at once, with the checksum of the set."""

from __future__ import annotations

from collections import Counter
from typing import Final

from domino_rules.errors import SetupError
from domino_rules.tile import Tile
from domino_server.referee.events import Event, Question
from domino_server.referee.ledger import Ledger
from domino_server.referee.reader import Reader
from domino_server.referee.sight import Kind, Sight

_SURE: Final = 0.9
"""Tiles that are read less surely than this are looked at twice."""


class HandsShown:
    """Watches the hand zones once a hand is over.

    Attributes:
        differs: the question that is open if what is shown cannot be what was held.
    """

    def __init__(self) -> None:
        """Start with nothing shown."""
        self.differs: Question | None = None
        self._last: dict[str, tuple[Tile, ...]] = {}

    def look(self, ledger: Ledger, reader: Reader, sight: Sight) -> list[Event]:
        """Note the hands if all that are left lie turned up, and they and the table make up the set."""
        state = ledger.state
        if state is None or state.result is None:
            return []
        wanted = {s: hand.size for s, hand in state.hands.items() if hand.unknown and s not in ledger.shown}
        shown = {s: tiles for s, tiles in reader.shown(state, sight).items() if s in wanted}
        if not wanted or set(shown) != set(wanted):
            return []
        again, self._last = shown == self._last, shown
        lying = [t for t in sight.within(Kind.HAND) if t.place.seat in shown]
        if not again and any(t.tile is None or t.confidence < _SURE for t in lying):
            return []
        sizes = {s: (len(tiles), wanted[s]) for s, tiles in shown.items() if len(tiles) != wanted[s]}
        most = max(Counter(tile for tiles in shown.values() for tile in tiles).values())
        if sizes or most > max(1, *(ledger.seating.game.tile_set.copies(t) for ts in shown.values() for t in ts)):
            if again:
                self.differs = _question(shown, {"sizes": {s: list(pair) for s, pair in sizes.items()}})
            return []
        try:
            events = ledger.show(shown, was_told=False)
        except SetupError as error:
            if again:
                self.differs = _question(shown, {"code": error.code, "message": error.message, **error.params})
            return []
        self.differs = None
        return events


def _question(shown: dict[str, tuple[Tile, ...]], params: dict[str, object]) -> Question:
    return Question("hand_differs", (), tuple(t for tiles in shown.values() for t in tiles), (), params)
