"""A last tile that is no longer seen: looked for again, asked about, taken back once its player lays another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from domino_rules.errors import DominoError
from domino_rules.moves import Draw, Pass
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_server.referee.events import Choice, Event, Question
from domino_server.referee.reader import Explained
from domino_server.referee.sight import Sight

if TYPE_CHECKING:
    from domino_server.referee.core import Referee

_MISSED_TWICE: Final = 2
_TAKEN_OR_HIDDEN: Final = (Choice("taken", "taken back"), Choice("hidden", "only hidden"))
_CODE: Final = "taken_back"


class TakenBack:
    """Whether a referee's last tile was taken back."""

    def __init__(self, referee: Referee) -> None:
        """Serve a referee."""
        self._referee = referee
        self._missed = 0

    @property
    def in_doubt(self) -> bool:
        """Whether a second table without the tile would be enough to ask about it."""
        return self._missed == _MISSED_TWICE - 1

    def look(self, clean: Sequence[Explained], sight: Sight, out: list[Event]) -> None:
        """Ask about the last tile at the second table in turn that does not show it."""
        tile = self._last()
        gone = len(self._referee.branches) == 1 and tile is not None and all(tile in e.missing for e in clean)
        self._missed = self._missed + 1 if gone and sight.believed else 0
        if self._missed == _MISSED_TWICE and tile is not None:
            self._referee.ask(Question(_CODE, _TAKEN_OR_HIDDEN, (tile,)), out)
        elif not self._missed:
            self._referee.withdraw(_CODE, out)

    def played_on(self, sight: Sight, out: list[Event]) -> bool:
        """Take the tile back if it is still gone and its player laid another one; return whether that says all."""
        referee = self._referee
        asked = referee.questions.get(_CODE)
        if asked is None or not sight.believed or any(seen.tile is asked.tiles[0] for seen in sight.tiles):
            return False
        before = self._before(asked.tiles[0])
        if before is None or not _laid_instead(referee.look_from(before, sight), before):
            return False
        out += referee.ledger.correct(len(referee.ledger.moves) - 1, None)
        referee.reset_branches()
        referee.withdraw(_CODE, out, "taken")
        referee.during_hand(sight, out)
        return True

    def _last(self) -> Tile | None:
        """Return the tile of the last move."""
        moves = self._referee.ledger.moves
        tile: Tile | None = getattr(moves[-1].move, "tile", None) if moves else None
        return tile

    def _before(self, tile: Tile) -> GameState | None:
        """Return the hand before the last move if that laid a tile, and nothing was done since."""
        referee = self._referee
        if self._last() is not tile or any(branch.moves for branch in referee.branches):
            return None
        try:
            return referee.ledger.match.undo().state
        except DominoError:
            return None


def _laid_instead(explained: Explained, before: GameState) -> bool:
    """Return whether the player to move laid a tile, by the rules or not."""
    if explained.swaps:
        return False
    firsts = [
        next((made.move for made in path.moves if not isinstance(made.move, Draw)), None) for path in explained.paths
    ]
    own = any(move is not None and move.player == before.to_move and not isinstance(move, Pass) for move in firsts)
    stands = explained.stands
    return (explained.is_clean and own) or (stands is not None and stands.move.player == before.to_move)
