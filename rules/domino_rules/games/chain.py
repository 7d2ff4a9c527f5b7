"""The state of a hand in which a line of play grows at its open ends: what Pińćset and Cincos share."""
# ruff: noqa: SLF001 - a state builds the next one

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any, ClassVar, Self

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.games.chain_position import ChainPosition
from domino_rules.games.chain_table import ALL, CLOSED, FIT, NOBODY, SLOT, START, Dealt, Table, mask_of, tiles_of
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Draw, Move, Pass, Play, Stood, plain
from domino_rules.tile import Tile

_NO_ENDS = (CLOSED, CLOSED, CLOSED, CLOSED)
_EMPTY = Layout(with_spinner=False)
_EMPTY_WITH_SPINNER = Layout(with_spinner=True)
_new = object.__new__


class ChainState(ChainPosition):
    """One hand in progress. `apply` returns the next state; a state never changes.

    Equal states have the same table (seats, rules, match so far), hands, layout, boneyard and scores.
    """

    __slots__ = ()

    with_spinner: ClassVar[bool] = False

    # Starting

    @classmethod
    def begin(cls, table: Table, dealt: Dealt) -> Self:
        """Return the first state of a hand; the deal has been checked."""
        state = cls.__new__(cls)
        state._table = table
        state._turn = NOBODY if table.lead.seat is None else table.lead.seat
        state._hands = dealt.hands
        state._unknown = dealt.unknown
        state._stock = dealt.stock
        state._laid = 0
        state._ends = _NO_ENDS
        state._passes = 0
        state._events = ()
        state._result = None
        state._parent = None
        state._move = None
        state._layout = _EMPTY_WITH_SPINNER if cls.with_spinner else _EMPTY
        state._begin()
        return state

    @classmethod
    def resume(cls, table: Table, dealt: Dealt, layout: Layout, to_move: str) -> Self:
        """Return a state that goes on from a told layout, with the hands and the boneyard as they are now.

        Raises:
            SetupError: `inconsistent_state` if a tile is there twice, or the player is not at the table.
        """
        laid = mask_of(layout.tiles)
        twice = [str(tile) for tile in tiles_of(laid & ALL & ~dealt.unseen)]
        if twice or laid & ~ALL or laid.bit_count() != len(layout) or to_move not in table.seat_of:
            message = f"{to_move} cannot go on from {layout}"
            raise SetupError("inconsistent_state", message, tiles=twice, player=to_move)
        state = cls.begin(table, dealt)
        state._turn = table.seat_of[to_move]
        state._layout = layout
        state._laid = laid
        ends = {end.arm: end.pips for end in layout.open_ends}
        state._ends = tuple(ends.get(arm, CLOSED) for arm in (Arm.LEFT, Arm.RIGHT, Arm.UP, Arm.DOWN))  # type: ignore[assignment]
        state._resume(layout)
        return state

    # Playing

    def apply(self, move: Move) -> Self:
        """Return the state after `move`.

        Raises:
            IllegalMoveError: `hand_over`, `not_your_turn`, `not_in_hand`, `duplicate_tile`, `arm_closed`, `no_match`,
                `must_lead`, `must_play`, `must_draw`, `no_boneyard`, `inconsistent_state` (a told tile cannot be the
                one drawn) or `wrong_move` (a move of another game); this state stays as it is.
        """
        turn = self._turn
        if type(move) is Play:
            slot = SLOT[move.arm]
            if (
                slot != START
                and self._hands[turn] & move.tile.bit & FIT[self._ends[slot]]
                and move.player == self._table.players[turn]
                and self._result is None
                and move.left is None
            ):
                return self._lay(move, turn, slot)
        elif (
            type(move) is Pass
            and move.player == self._table.players[turn]
            and self._laid
            and not (self._stock or self._unknown[turn] or self._fitting(turn))
            and self._result is None
        ):
            return self._pass(move)
        error = self._refusal(move)
        if error is not None:
            raise error
        if isinstance(move, Play):
            return self._lay(move, self._table.seat_of[move.player], SLOT[move.arm])
        return self._draw(move) if isinstance(move, Draw) else self._pass(move)

    def let_stand(self, move: Stood) -> Self:
        """Return the state after a tile that was laid against the rules and let stand.

        It lies at its arm with the half `inner` inwards, matching or not, or beside all ends if that is None. The turn
        goes on from the one who laid it.

        Raises:
            IllegalMoveError: `hand_over`, `not_in_hand`, `arm_closed` (no such place) or `wrong_move`.
        """
        play, seat = move.move, self._table.seat_of.get(move.player, NOBODY)
        if not isinstance(play, Play) or seat == NOBODY:
            raise IllegalMoveError("wrong_move", f"no tile laid by a player: {move!r}", player=move.player)
        if self._result is not None:
            raise IllegalMoveError("hand_over", "the hand is over", player=play.player)
        if not (self._hands[seat] & play.tile.bit or self._unknown[seat]):
            message = f"{play.player} does not hold {play.tile}"
            raise IllegalMoveError("not_in_hand", message, player=play.player, tile=str(play.tile))
        slot = SLOT[play.arm]
        if (slot == START) is bool(self._laid) or (slot > 1 and slot != START and not self.layout.spinner):
            raise IllegalMoveError("arm_closed", f"{play.tile} cannot lie at {play.arm.value}", tile=str(play.tile))
        if slot == START:
            return self._lay(play, seat, slot, move)
        if move.inner is None:
            return self._lay_beside(move, seat)
        bent = self._next(None)
        ends = list(self._ends)
        ends[slot] = move.inner
        bent._ends = (ends[0], ends[1], ends[2], ends[3])
        return bent._lay(play, seat, slot, move, self)

    def _lay_beside(self, move: Stood, seat: int) -> Self:
        """Return the state after a tile that touches no open end: the ends stay as they are, nothing is scored."""
        new = self._next(move)
        bit, held = move.tile.bit, self._hands[seat] & move.tile.bit
        new._hands = (*self._hands[:seat], self._hands[seat] & ~bit, *self._hands[seat + 1 :])
        new._unknown = (*self._unknown[:seat], self._unknown[seat] - (not held), *self._unknown[seat + 1 :])
        new._turn, new._laid, new._passes = (seat + 1) % len(self._hands), self._laid | bit, 0
        if not new._hands[seat] and not new._unknown[seat]:
            new._settle("domino", seat)
        return new

    def playout(self, random: Random) -> Self:
        """Return the state at the end of the hand after random legal moves, each as likely as the others."""
        state = self
        while state._result is None:
            state = state.apply(random.choice(state._generate()))
        return state

    def reveal(self, player: str, tiles: Iterable[Tile]) -> Self:
        """Return the state in which the player has shown his hand; scores that waited for it are added.

        Tiles that prove an earlier pass wrong are no contradiction here: the pass was wrong, the tiles are not.

        Raises:
            SetupError: `inconsistent_state` if the number differs, or a tile lies elsewhere.
        """
        shown = tuple(tiles)
        seat = self._table.seat_of.get(player, NOBODY)
        if seat == NOBODY:
            raise SetupError("inconsistent_state", f"nobody is called {player!r}", player=player)
        mask, size = mask_of(shown), self._hands[seat].bit_count() + self._unknown[seat]
        wrong = [str(tile) for tile in shown if not tile.bit & self._possible(seat)]
        missing = [str(tile) for tile in tiles_of(self._hands[seat] & ~mask)]
        if wrong or missing or len(shown) != size or mask.bit_count() != size:
            message = f"{player} cannot hold {' '.join(map(str, shown)) or 'nothing'}: {size} tiles"
            message += f", not {', '.join(wrong)}" if wrong else ""
            message += f", and {', '.join(missing)}" if missing else ""
            raise SetupError(
                "inconsistent_state", message, player=player, tiles=wrong, missing=missing, size=size, shown=len(shown)
            )
        state = self._next(None)
        state._hands = (*self._hands[:seat], mask, *self._hands[seat + 1 :])
        state._unknown = (*self._unknown[:seat], 0, *self._unknown[seat + 1 :])
        result = self._result
        if result is not None and result.kind != "target":
            last = None if result.player is None else self._table.seat_of[result.player]
            state._settle("domino" if result.kind == "domino" else "block", last)
        return state

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChainState) or type(self) is not type(other):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self._hands, self._unknown, self._laid, self._ends, self._turn, self._passes))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.layout or 'empty'}, {self.to_move or 'nobody'} to move>"

    # Hooks of a game

    def _begin(self) -> None:
        """Set what the game keeps besides; called once on the first state."""

    def _resume(self, layout: Layout) -> None:
        """Set what the game keeps besides, from a told layout."""

    def _join(self, before: Self, tile: Tile, slot: int, left: int) -> None:
        """Set the open ends, and score, after `tile` has joined at `slot`; `left` is the left half of a first tile."""
        ends = before._ends
        if slot == 0:
            self._ends = (tile.pips - ends[0], ends[1], CLOSED, CLOSED)
        elif slot == 1:
            self._ends = (ends[0], tile.pips - ends[1], CLOSED, CLOSED)
        else:
            self._ends = (left, tile.pips - left, CLOSED, CLOSED)

    def _settle(self, kind: str, seat: int | None) -> None:
        """Set the result of a hand that has ended; `seat` laid the last tile."""
        raise AssertionError(kind, seat)

    # Mechanics

    def _next(self, move: Move | tuple[Move, ...] | None) -> Self:
        new = object.__new__(type(self))
        new._table = self._table
        new._turn = self._turn
        new._hands = self._hands
        new._unknown = self._unknown
        new._stock = self._stock
        new._laid = self._laid
        new._ends = self._ends
        new._passes = self._passes
        new._events = self._events
        new._result = self._result
        new._parent = self
        new._move = move
        new._layout = None
        return new

    def _lay(self, move: Play, turn: int, slot: int, stood: Stood | None = None, parent: Self | None = None) -> Self:
        """Return the state after a tile; one that was `stood` lies on a state that is bent from its `parent`."""
        new = _new(self.__class__)
        hands, tile = self._hands, move.tile
        bit = tile.bit
        mask = hands[turn]
        if mask & bit:
            mask ^= bit
            new._hands = hands[:turn] + (mask,) + hands[turn + 1 :]  # noqa: RUF005 - faster
            new._unknown = self._unknown
        else:
            new._hands = hands
            new._unknown = (*self._unknown[:turn], self._unknown[turn] - 1, *self._unknown[turn + 1 :])
        turn += 1
        new._turn = turn if turn < len(hands) else 0
        new._table = self._table
        new._stock = self._stock
        new._laid = self._laid | bit
        new._passes = 0
        new._events = self._events
        new._result = None
        new._parent = parent or self
        new._move = stood or move
        new._layout = None
        new._join(self, tile, slot, tile.high if move.left is None else move.left)
        if not mask and not new._unknown[turn - 1] and new._result is None:
            new._settle("domino", turn - 1)
        return new

    def _draw(self, move: Draw) -> Self:
        new, turn = self._next(move), self._turn
        tile = self._stock[0] if move.tile is None else move.tile
        if tile is None:
            new._unknown = (*self._unknown[:turn], self._unknown[turn] + 1, *self._unknown[turn + 1 :])
        else:
            new._hands = (*self._hands[:turn], self._hands[turn] | tile.bit, *self._hands[turn + 1 :])
        new._stock = self._stock[1:]
        return new

    def _pass(self, move: Move) -> Self:
        new = self._next(move)
        new._turn = (self._turn + 1) % len(self._hands)
        new._passes = self._passes + 1
        if new._passes == len(self._hands):
            new._settle("block", self._last_seat())
        return new

    def _opener(self) -> str | None:
        """Return who led; None if that was before a told layout."""
        first: Move | tuple[Move, ...] | None = None
        state: ChainPosition | None = self
        while state is not None:
            first = state._move or first
            state = state._parent
        if isinstance(first, tuple):
            first = first[0]
        lead = None if first is None else plain(first)
        return lead.player if isinstance(lead, Play) and lead.arm is Arm.START else None

    def _last_seat(self) -> int | None:
        """Return who laid the last tile; None if that was before a told layout."""
        state: ChainPosition | None = self
        while state is not None:
            for move in reversed(state._made):
                if isinstance(move, Play | Stood):
                    return self._table.seat_of[move.player]
            state = state._parent
        return None

    def _last_play(self) -> tuple[Self, Play] | None:
        """Return the last tile laid and the state before it."""
        state: Self | None = self
        while state is not None and state._parent is not None:
            if isinstance(state._move, Play | Stood):
                move = plain(state._move)
                return (state._parent, move) if isinstance(move, Play) else None
            state = state._parent
        return None

    def _key(self) -> tuple[Any, ...]:
        place = (self._hands, self._unknown, self._laid, self._ends, self._turn, self._passes, self._stock)
        return (self._table.key(), place, self._events, self._result, self.layout)
