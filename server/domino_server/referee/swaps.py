"""Tiles that are read otherwise than they were committed: corrected once a second table says so, asked if told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from domino_rules.errors import DominoError
from domino_rules.moves import Capture, Move, Turn
from domino_rules.notation import format_move
from domino_rules.record import MoveRecord, Source
from domino_server.referee.events import Choice, Event, Question
from domino_server.referee.ledger import Ledger
from domino_server.referee.reader import PAIR_UNREAD, Swap
from domino_server.referee.sight import Sight

_TIMES: Final = 2
"""A tile that is read otherwise so many times in turn was misread before."""


class Swaps:
    """Counts how often tables in turn contradict what was committed.

    Attributes:
        asked: the swap that the open question `seen_against_told` is about.
    """

    def __init__(self) -> None:
        """Start with nothing contradicted."""
        self.asked: Swap | None = None
        self._times: dict[tuple[int, Move], int] = {}

    @property
    def in_doubt(self) -> bool:
        """Whether the next table that contradicts it too corrects a move."""
        return any(times == _TIMES - 1 for times in self._times.values())

    def weigh(self, ledger: Ledger, swaps: Sequence[Swap], sight: Sight) -> tuple[list[Swap], Question | None]:
        """Return what is to be corrected now, and the question if a person had told otherwise."""
        ready, question = list[Swap](), None
        for swap in (_placed(ledger, swap) for swap in swaps):
            if swap.number < 0:
                continue
            key = (swap.number, swap.move)
            self._times[key] = self._times.get(key, 0) + sight.believed
            if self._times[key] < _TIMES:
                continue
            record = ledger.moves[swap.number] if swap.number < len(ledger.moves) else None
            if record is not None and record.source is Source.TOLD:
                self.asked = swap
                question = _question(record, swap, sight)
            else:
                ready.append(swap)
        return ready, question

    def correct(self, ledger: Ledger, ready: Sequence[Swap], out: list[Event]) -> bool:
        """Correct what is ready; return whether anything was corrected. What the rules refuse is left as it is."""
        done = False
        for swap in ready:
            try:
                record = replace(ledger.moves[swap.number], move=swap.move)
                told = record if swap.rule is None else replace(record, source=Source.INFERRED, rule=swap.rule)
                out += ledger.correct(swap.number, told)
            except DominoError:
                continue
            done = True
        self.clear()
        return done

    def as_known(self, swaps: Sequence[Swap], sight: Sight) -> Iterator[Sight]:
        """Yield the sight with the tiles as they were committed, either way round."""
        read = [swap for swap in swaps if swap.known is not None]
        if len(read) < len(swaps):
            return
        for way in range(1 << min(len(read), 3)):
            again = sight
            for at, swap in enumerate(read):
                assert swap.known is not None  # noqa: S101 - picked so
                halves = swap.known.halves if way >> at & 1 else swap.known.halves[::-1]
                again = again.read_as(swap.index, (halves[0], halves[1]))
            yield again

    def kept(self) -> dict[tuple[int, Move], int]:
        """Return the counts, to put them back."""
        return dict(self._times)

    def restore(self, kept: dict[tuple[int, Move], int]) -> None:
        """Put the counts back."""
        self._times = kept

    def clear(self) -> None:
        """Forget what was contradicted: the table agrees again."""
        self._times = {}


def _placed(ledger: Ledger, swap: Swap) -> Swap:
    """Return a swap of a tile with the move that turned it onto a talon, or that captured with it unread.

    Its number stays negative if none did.
    """
    if swap.number >= 0:
        return swap
    for number in range(len(ledger.moves) - 1, -1, -1):
        move = ledger.moves[number].move
        late = isinstance(swap.move, Capture) and ledger.moves[number].rule == PAIR_UNREAD
        if late and isinstance(move, Capture | Turn) and (move.player, move.tile) == (swap.move.player, swap.known):
            return replace(swap, number=number, move=replace(move, tile=getattr(swap.move, "tile", move.tile)))
        if isinstance(move, Turn) and move.take is None and move.tile is swap.known and isinstance(swap.move, Turn):
            return replace(swap, number=number, move=replace(move, tile=swap.move.tile))
    return swap


def _question(record: MoveRecord, swap: Swap, sight: Sight) -> Question:
    choices = (
        Choice("seen", format_move(swap.move), swap.sure),
        Choice("told", format_move(record.move)),
    )
    tile = getattr(swap.move, "tile", None)
    crop = sight.tiles[swap.index].quad_px if swap.index >= 0 else ()
    return Question("seen_against_told", choices, () if tile is None else (tile,), (crop,) if crop else ())
