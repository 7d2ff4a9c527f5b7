"""Draws that the boneyard told of: backs that a hand or an arm covered at one look were not drawn.

What was seen at one look only, and never again, proves nothing: the record of the hand says so (`ONE_LOOK`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from domino_rules.errors import DominoError
from domino_rules.games.chain import ChainState
from domino_rules.moves import Draw
from domino_rules.record import ONE_LOOK, MoveRecord, Source
from domino_server.referee.chain import ChainReader
from domino_server.referee.events import Event
from domino_server.referee.sight import Sight

if TYPE_CHECKING:
    from domino_server.referee.core import Referee

_LOOKS: Final = 2
"""A boneyard that was seen smaller so often is smaller."""


class Draws:
    """How often a referee saw what the draws of a hand left in the boneyard."""

    def __init__(self, referee: Referee) -> None:
        """Serve a referee; the draws of a hand that it takes up were seen before."""
        self._referee = referee
        self._hand = referee.ledger.hand
        self._known = len(self._numbers())
        self._sizes: list[int] = []
        self._grown = 0

    def look(self, sight: Sight, out: list[Event]) -> None:
        """Look at the boneyard: draws whose tiles lie there again were none."""
        referee = self._referee
        state = referee.ledger.state
        if referee.ledger.hand != self._hand:
            self._hand, self._known, self._grown = referee.ledger.hand, 0, 0
            self._sizes.clear()
        if not isinstance(state, ChainState) or not isinstance(referee.reader, ChainReader) or not sight.believed:
            return
        size = referee.reader.boneyard(state, sight)
        if size is None:
            return
        self._sizes.append(size)
        numbers = self._numbers()
        made = [number for number in numbers if referee.ledger.moves[number].source is Source.SEEN]
        surplus = size - len(state.boneyard) - (len(numbers) - len(made))
        self._grown = self._grown + 1 if surplus > 0 else 0
        if state.result is not None and self.note():
            out += referee.ledger.audit()
        if surplus <= 0 or state.result is not None or any(branch.moves for branch in referee.branches):
            return
        for number in made[: -surplus - 1 : -1]:
            if self._grown < _LOOKS and self.is_sure(number):
                return
            try:
                out += referee.ledger.correct(number, None)
            except DominoError:
                return
            referee.reset_branches()

    def is_sure(self, number: int) -> bool:
        """Return whether the draw numbered so (from 0) is told, or more than one look at the boneyard shows it.

        The hand that its player shows in the end is such a look: it has as many tiles as he drew.
        """
        referee, numbers = self._referee, self._numbers()
        state = referee.ledger.state
        if number not in numbers or not isinstance(state, ChainState):
            return True
        record, made = referee.ledger.moves[number], numbers.index(number) + 1
        if record.source is not Source.SEEN or record.move.player in referee.ledger.shown:
            return True
        left = len(state.boneyard) + len(numbers) - made
        before = made <= self._known and record.rule != ONE_LOOK
        return before or sum(size <= left for size in self._sizes) >= _LOOKS

    def marked(self, moves: Sequence[MoveRecord]) -> tuple[MoveRecord, ...]:
        """Return the moves of the hand, its draws marked as far as one look alone shows them."""
        return tuple(
            replace(record, rule=None if self.is_sure(number) else ONE_LOOK) if _is_seen(record) else record
            for number, record in enumerate(moves)
        )

    def note(self) -> bool:
        """Write into the record of a hand that is over which of its draws one look alone shows; return if it is new."""
        ledger = self._referee.ledger
        fresh = [
            (number, record)
            for number, record in enumerate(self.marked(ledger.moves))
            if record != ledger.moves[number]
        ]
        for number, record in fresh:
            ledger.mark(number, record)
        return bool(fresh)

    def _numbers(self) -> list[int]:
        """Return the numbers of the draws of the hand."""
        return [number for number, record in enumerate(self._referee.ledger.moves) if isinstance(record.move, Draw)]


def _is_seen(record: MoveRecord) -> bool:
    return isinstance(record.move, Draw) and record.source is Source.SEEN
