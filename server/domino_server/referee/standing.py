"""Illegal plays that lie on the table: reported at once, put into the record only if the table lets them stand.

What an illegal play would be in the record is kept beside the game. It is taken up when something is laid after it,
when the hand ends with it, or when a person says so; if the tile is taken back, nothing stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from domino_rules.errors import DominoError
from domino_rules.moves import Draw, Pass, Stood
from domino_rules.record import MoveRecord
from domino_rules.state import GameState
from domino_server.referee.branches import Branch
from domino_server.referee.events import Event, IllegalPlay, as_illegal
from domino_server.referee.ledger import Ledger
from domino_server.referee.reader import Explained, Path
from domino_server.referee.reader import told as as_told
from domino_server.referee.sight import Kind, Sight

if TYPE_CHECKING:
    from domino_server.referee.core import Referee

_MOST_IN_TURN: Final = 2
_OUT_OF_PLAY: Final = frozenset({Kind.HAND, Kind.STOCK, Kind.ASIDE})


@dataclass(frozen=True, slots=True)
class Standing:
    """An illegal play that lies there.

    Attributes:
        record: as it goes into the record; its move stood.
        state: where the hand stands if it is let stand.
        base: the branch that it goes on from.
        retold: whether it is the last move of the hand, otherwise than it was committed.
        out_of_turn: whether nothing but the turn speaks against it: the table alone does not show that it is illegal.
    """

    record: MoveRecord
    state: GameState
    base: Branch
    retold: bool
    out_of_turn: bool = False

    def lies(self, sight: Sight) -> bool:
        """Return whether its tile is still in play."""
        move = self.record.move
        tile = move.tile if isinstance(move, Stood) else None
        return any(seen.tile is tile and seen.place.kind not in _OUT_OF_PLAY for seen in sight.tiles)

    def is_same_as(self, other: Standing) -> bool:
        """Return whether it is the same tile, laid in the same position, whoever it was that laid it."""
        mine, his = self.record.move, other.record.move
        same = isinstance(mine, Stood) and isinstance(his, Stood) and (mine.tile, mine.inner) == (his.tile, his.inner)
        return same and self.base.state is other.base.state


class IllegalPlays:
    """The illegal play that lies on a referee's table, if there is one.

    Attributes:
        standing: what it would be in the record.
        told: code and tile of the one that was reported last.
    """

    def __init__(self, referee: Referee) -> None:
        """Serve a referee."""
        self._referee = referee
        self.standing: Standing | None = None
        self.told: tuple[str, str] | None = None

    def forget(self) -> None:
        """Forget what lies there: the moves were put otherwise by a person, and the table is judged anew."""
        self.standing = None
        self.told = None

    def lies(self, base: Branch, explained: Explained) -> bool:
        """Note the illegal play of an explanation; return whether none lay there before."""
        before, found = self.standing, _standing(self._referee.ledger, base, explained)
        if before is not None and found is not None and found.is_same_as(before):
            return False
        self.standing = found
        if found is not None:
            self._referee.forget_actors()
        return before is None and found is not None

    def report(self, illegal: IllegalPlay, out: list[Event]) -> None:
        """Report an illegal play, once."""
        key = (illegal.code, str(illegal.tile))
        if self.told != key:
            self.told = key
            out.append(illegal)

    def out_of_turn(self, sight: Sight, out: list[Event]) -> bool:
        """Look at a table with a tile that lies there out of turn; return whether that says all."""
        there = self.standing
        if there is None or not there.out_of_turn or not there.lies(sight):
            return False
        explained = self._referee.look_from(there.state, sight)
        waits = explained.is_clean and bool(explained.paths)
        return self.played_on(sight, out) or waits

    def played_on(self, sight: Sight, out: list[Event]) -> bool:
        """Let an illegal play stand if something was done after it; return whether nothing more is to be said."""
        there, referee = self.standing, self._referee
        if there is None:
            return False
        explained = referee.look_from(there.state, sight)
        if not (sight.believed or _is_twice(explained)):
            return False
        if not _played_on(explained, there.record) or self._too_many():
            return self.told is not None and explained.is_clean and bool(explained.paths)
        asked = referee.questions.get("misread_or_illegal")
        if asked is not None and referee.telling.likelier_reading(asked):
            self.standing = None
            sight = referee.with_told(sight)
        else:
            self.let_stand(out)
        referee.during_hand(sight, out)
        return True

    def _too_many(self) -> bool:
        """Return whether so many plays in turn stood already that something else must be wrong: a person must say."""
        laid = [record.move for record in self._referee.ledger.moves if not isinstance(record.move, Pass | Draw)]
        return len(laid) >= _MOST_IN_TURN and all(isinstance(move, Stood) for move in laid[-_MOST_IN_TURN:])

    def at_end(self, sight: Sight, out: list[Event]) -> None:
        """Let an illegal play stand with which the hand ended: the table is empty, or the hands lie turned up."""
        there, referee = self.standing, self._referee
        if there is None:
            return
        explained = referee.look_from(there.state, sight)
        path = explained.paths[0] if explained.paths and not explained.swaps else Path((), there.state)
        cleared = all(tile.halves is None and tile.place.kind is not Kind.PILE for tile in sight.tiles)
        shown = bool(referee.reader.shown(path.state, sight)) or cleared
        if path.state.result is not None and shown:
            self.let_stand(out)

    def let_stand(self, out: list[Event], *, was_told: bool = False) -> None:
        """Take up the illegal play that lies there: the game goes on from the table as it lies."""
        there, referee = self.standing, self._referee
        if there is None:
            return
        self.standing = None
        asked = referee.questions.get("misread_or_illegal")
        if asked is not None:
            self.report(as_illegal(asked), out)
        out += referee.end_pause()
        referee.choose(there.base, out)
        record = as_told(there.record.move) if was_told else there.record
        if there.retold:
            out += referee.ledger.correct(len(referee.ledger.moves) - 1, record)
            referee.after_commit(out)
        else:
            referee.commit((record,), out)
        referee.forget_actors()
        referee.reset_branches()


def _standing(ledger: Ledger, base: Branch, explained: Explained) -> Standing | None:
    """Return the illegal play of an explanation that goes on from `base`; None if there is none to keep."""
    record, illegal = explained.stands, explained.illegal
    by_turn = illegal is not None and illegal.code == "not_your_turn"
    if record is None or not isinstance(record.move, Stood):
        return None
    if explained.retold:
        state = None if base.moves else ledger.retold(record.move)
        return None if state is None else Standing(record, state, base, retold=True)
    try:
        return Standing(record, base.state.let_stand(record.move), base, retold=False, out_of_turn=by_turn)
    except DominoError:
        return None


def _is_twice(explained: Explained) -> bool:
    """Return whether a tile was laid that lies there already: whatever it is, something was laid."""
    asked, illegal = explained.question, explained.illegal
    code = illegal.code if illegal is not None else None if asked is None else asked.params.get("code")
    return code == "duplicate_tile"


def _played_on(explained: Explained, record: MoveRecord) -> bool:
    """Return whether something was done after an illegal play: a legal move, or the next illegal one."""
    if explained.swaps:
        return False
    if any(not isinstance(made.move, Pass | Draw) for path in explained.paths for made in path.moves):
        return True
    following = explained.stands
    return following is not None and following.move != record.move
