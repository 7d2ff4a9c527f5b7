"""A last tile that is no longer seen: looked for again, asked about, taken back once its player lays another one.

A tile that is only hidden looks the same, and whatever comes next may be the next player's. So the tile is taken back
without an answer only where the arm of its player is seen, and no other; and it is put back if it lies there after all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from domino_rules.errors import DominoError
from domino_rules.moves import Draw, Pass
from domino_rules.record import MoveRecord
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_server.referee.events import Choice, Event, Question, Settled
from domino_server.referee.reader import Explained
from domino_server.referee.sight import Kind, Sight

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
        self._taken: tuple[int, int, MoveRecord] | None = None

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
        elif self._is_settled(clean):
            self._referee.withdraw(_CODE, out)

    def number(self, question: Question) -> int | None:
        """Return the number (from 0) of the move that a question is about; None if it is in the record no more."""
        moves = self._referee.ledger.moves
        return next((n for n, made in enumerate(moves) if _tile(made) is question.tiles[0]), None)

    def _is_settled(self, clean: Sequence[Explained]) -> bool:
        """Return whether the tile in question is seen again, or is no tile of the line any more."""
        asked = self._referee.questions.get(_CODE)
        if asked is None:
            return False
        return self.number(asked) is None or not all(asked.tiles[0] in e.missing for e in clean)

    def played_on(self, sight: Sight, out: list[Event]) -> bool:
        """Take the tile back if it is still gone and its player laid another one; return whether that says all."""
        referee = self._referee
        asked = referee.questions.get(_CODE)
        if asked is None or not sight.believed or any(seen.tile is asked.tiles[0] for seen in sight.tiles):
            return False
        before = self._before(asked.tiles[0])
        if before is None or sight.unclear or set(sight.actors) != {before.to_move}:
            return False
        if not _laid_instead(referee.look_from(before, sight), before):
            return False
        number = len(referee.ledger.moves) - 1
        self._taken = (referee.ledger.hand, number, referee.ledger.moves[number])
        out += referee.ledger.correct(number, None)
        referee.reset_branches()
        referee.withdraw(_CODE, out, "taken")
        referee.during_hand(sight, out)
        return True

    def put_back(self, sight: Sight, out: list[Event]) -> bool:
        """Put back a tile that was taken back by itself if it lies there after all; return whether that says all.

        Its player has it in his hand: a tile that nobody else can have laid was only hidden.
        """
        referee, taken = self._referee, self._taken
        if taken is None or not sight.believed:
            return False
        hand, number, record = taken
        tile = _tile(record)
        if hand != referee.ledger.hand or number > len(referee.ledger.moves):
            self._taken = None
            return False
        if tile not in sight.faces(Kind.LAYOUT) or self._may_be_laid(record, sight):
            return False
        match, since = referee.ledger.match, len(referee.ledger.moves) - number
        try:
            laid = record.move
            again = match.correct(-1, number, laid, count=since) if since else match.insert(-1, number, laid)
        except DominoError:
            return False
        explained = None if again.state is None else referee.look_from(again.state, sight)
        if explained is None or not explained.is_clean or not explained.paths or tile in explained.missing:
            return False
        self._taken = None
        while len(referee.ledger.moves) > number:
            out += referee.ledger.correct(len(referee.ledger.moves) - 1, None)
        out += referee.end_pause()
        referee.reset_branches()
        referee.commit((record,), out)
        referee.reset_branches()
        out.append(Settled(_CODE, "hidden"))
        referee.during_hand(sight, out)
        return True

    def _may_be_laid(self, record: MoveRecord, sight: Sight) -> bool:
        """Return whether the tile of a move lies in the line, or its player may have laid it now."""
        tile, player = _tile(record), record.move.player
        made = [
            move
            for branch in self._referee.branches
            for path in self._referee.look_from(branch.state, sight).paths
            for move in (*self._referee.ledger.moves, *branch.moves, *path.moves)
        ]
        return any(_tile(move) is tile and move.move.player == player for move in made)

    def _last(self) -> Tile | None:
        """Return the tile of the last move."""
        moves = self._referee.ledger.moves
        return _tile(moves[-1]) if moves else None

    def _before(self, tile: Tile) -> GameState | None:
        """Return the hand before the last move if that laid a tile, and nothing was done since."""
        referee = self._referee
        if self._last() is not tile or any(branch.moves for branch in referee.branches):
            return None
        try:
            return referee.ledger.match.undo().state
        except DominoError:
            return None


def _tile(record: MoveRecord) -> Tile | None:
    """Return the tile of a move."""
    tile: Tile | None = getattr(record.move, "tile", None)
    return tile


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
