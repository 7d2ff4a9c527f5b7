"""One hand of Dominó de Cincos in progress."""
# ruff: noqa: SLF001 - a state builds the next one

from __future__ import annotations

from typing import ClassVar, Self

from domino_rules.games.chain import ChainState
from domino_rules.games.chain_table import CLOSED, START, tiles_of
from domino_rules.games.cincos_score import hand_end
from domino_rules.layout import GROWING_ARMS, Arm, Layout
from domino_rules.moves import Move, Play, Stood
from domino_rules.score import Addend, ScoreEvent
from domino_rules.state import HandResult
from domino_rules.tile import Tile

_NO_SPINNER = -1
_BOTH = 3
"""Both sides of the spinner are free: it was laid first, and counts once."""


class CincosState(ChainState):
    """One hand of Cincos in progress. Source: RULES 4.1.

    Besides the open ends it knows what each tip counts, the tile at each tip, the spinner's pips, and which of its two
    sides are free (bits in the order L, R).
    """

    __slots__ = ("_free", "_outer", "_spinner", "_tips")

    with_spinner: ClassVar[bool] = True

    _tips: tuple[int, int, int, int]
    _outer: tuple[Tile | None, ...]
    _spinner: int
    _free: int

    @property
    def count(self) -> int:
        """The sum of the tips: what the last play left. Source: RULES 4.1, C1."""
        tips = self._tips
        if self._free == _BOTH:
            factor = {"both_halves_once": 2, "once": 1, "each_end": 4}[self._table.rules["lone_spinner_counts"]]
            return self._spinner * factor + tips[2] + tips[3]
        return tips[0] + tips[1] + tips[2] + tips[3]

    def _begin(self) -> None:
        self._tips = (0, 0, 0, 0)
        self._outer = (None, None, None, None)
        self._spinner = _NO_SPINNER
        self._free = 0

    def _resume(self, layout: Layout) -> None:
        counts = {end.arm: end.count for end in layout.open_ends}
        left, right, up, down = (counts.get(arm, 0) for arm in (Arm.LEFT, Arm.RIGHT, Arm.UP, Arm.DOWN))
        self._outer = tuple(None if (tip := layout.tip(arm)) is None else tip.tile for arm in GROWING_ARMS)
        spinner = layout.spinner
        if spinner is None:
            self._tips = (left, right, up, down)
            return
        self._spinner = spinner.outer
        free = {arm for arm in (Arm.LEFT, Arm.RIGHT) if layout.tip(arm) is spinner}
        if spinner.arm in {Arm.LEFT, Arm.RIGHT}:
            free &= {spinner.arm}
        self._free = sum(bit for arm, bit in ((Arm.LEFT, 1), (Arm.RIGHT, 2)) if arm in free)
        if len(layout) == 1:
            left = right = spinner.tile.pips
        self._tips = (left, right, up, down)

    def _next(self, move: Move | tuple[Move, ...] | None) -> Self:
        new = super()._next(move)
        new._tips = self._tips
        new._outer = self._outer
        new._spinner = self._spinner
        new._free = self._free
        return new

    def _join(self, before: Self, tile: Tile, slot: int, left: int) -> None:
        double = tile.is_double
        self._spinner, self._free = before._spinner, before._free
        if slot == START:
            right = tile.pips - left
            self._ends = (left, right, CLOSED, CLOSED)
            self._tips = (tile.pips, tile.pips, 0, 0) if double else (left, right, 0, 0)
            self._outer = (tile, tile, None, None)
            if double:
                self._spinner, self._free = left, _BOTH
            self._score()
            return
        ends, tips, outermost = list(before._ends), list(before._tips), list(before._outer)
        outermost[slot] = tile
        self._outer = tuple(outermost)
        outer = tile.pips - ends[slot]
        ends[slot] = outer
        tips[slot] = tile.pips if double else outer
        if slot < 2:
            if self._free >> slot & 1:
                self._free ^= 1 << slot
                if not self._free:
                    ends[2:] = [self._spinner if end == CLOSED else end for end in ends[2:]]
            elif double and self._spinner == _NO_SPINNER:
                self._spinner, self._free = outer, 1 << slot
        self._ends = tuple(ends)  # type: ignore[assignment]
        self._tips = tuple(tips)  # type: ignore[assignment]
        self._score()

    def _score(self) -> None:
        """Add what the play scores."""
        count = self.count
        if count == 0 or count % 5 or not isinstance(self._move, Play | Stood):
            return
        table = self._table
        seat = table.seat_of[self._move.player]
        side = table.side_of[seat]
        player = table.players[seat]
        self._events = (*self._events, ScoreEvent(side, count, "count", self._addends(count), player))
        if table.rules["finish"] == "immediate":
            total = table.context.totals.get(side, 0) + sum(e.points for e in self._events if e.side == side)
            if total >= table.rules["target"]:
                self._result = HandResult("target", side, player, self._events, opener=self._opener())

    def _addends(self, count: int) -> tuple[Addend, ...]:
        """Return what the count is made of, as `count_addends` finds it in the layout."""
        first, tips = self._outer[0], self._tips
        lone: tuple[Addend, ...] = ()
        arms = zip(GROWING_ARMS, tips, self._outer, strict=True)
        if first is not None and self._free == _BOTH:
            lone = (Addend("tip_double", count - tips[2] - tips[3], first, Arm.START),)
            arms = zip(GROWING_ARMS[2:], tips[2:], self._outer[2:], strict=True)
        return lone + tuple(
            [
                Addend("tip_double" if tile.is_double else "tip", value, tile, arm)
                for arm, value, tile in arms
                if tile is not None
            ]
        )

    def _settle(self, kind: str, seat: int | None) -> None:
        table = self._table
        player = None if seat is None else table.players[seat]
        hands = self._left()
        if hands is None:
            side = table.side_of[seat] if kind == "domino" and seat is not None else None
            self._result = HandResult(kind, side, player, self._events, pending=True, opener=self._opener())
            return
        end = hand_end(kind, hands, table.sides, table.rules, player if kind == "domino" else None)
        kind = "tie" if end.side is None and not end.events else kind
        self._result = HandResult(kind, end.side, player, (*self._events, *end.events), opener=self._opener())

    def _left(self) -> dict[str, tuple[Tile, ...]] | None:
        """Return the tiles left in the hands; None if they are not known."""
        hands = {player: tiles_of(mask) for player, mask in zip(self._table.players, self._hands, strict=True)}
        hidden = [seat for seat, unknown in enumerate(self._unknown) if unknown]
        if not hidden:
            return hands
        pool = self._unseen
        if len(hidden) > 1 or pool.bit_count() != self._unknown[hidden[0]]:
            return None
        hands[self._table.players[hidden[0]]] += tiles_of(pool)
        return hands

    @property
    def _kept(self) -> int:
        return int(self._table.rules["boneyard_keeps"])
