"""What the boneyard tells of draws: nothing as long as none of its tiles was seen."""

from __future__ import annotations

from domino_rules.games.chain import ChainState
from domino_server.referee.sight import Kind, Sight


class Boneyard:
    """Counts the tiles that are gone from a boneyard which the camera sees.

    A camera may look at the boneyard's part of the table and see none of its tiles: backs that look like the cloth, a
    closed heap. Such tiles were not drawn, so a boneyard tells something only once a back was seen there in this hand.
    """

    def __init__(self) -> None:
        """Begin without having seen it."""
        self._seen = False

    def see(self, state: ChainState, sight: Sight) -> None:
        """Look at it; a new hand has a new boneyard."""
        if sight.backs(Kind.STOCK):
            self._seen = True
        elif not state.layout.tiles:
            self._seen = False

    def drawn(self, state: ChainState, sight: Sight) -> int | None:
        """Return how many tiles are gone since `state`; None if the boneyard tells nothing."""
        if not self._seen or not sight.shows(Kind.STOCK) or not state.boneyard:
            return None
        return max(0, len(state.boneyard) - sight.backs(Kind.STOCK))
