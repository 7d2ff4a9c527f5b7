"""One hand of Pińćset in progress."""
# ruff: noqa: SLF001 - a state builds the next one

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Self

from domino_rules.games.chain import ChainState
from domino_rules.games.chain_table import CLOSED, FIT, START, tiles_of
from domino_rules.games.pincset_score import Held, LastTile, domino_events, rated, tile_left, won_by_domino
from domino_rules.moves import Move
from domino_rules.state import HandResult


class PincsetState(ChainState):
    """One hand of Pińćset in progress. Source: RULES 1.1."""

    __slots__ = ()

    def playout(self, random: Random) -> Self:
        """Return the state at the end of the hand after random legal moves, each as likely as the others.

        What lies between is skipped: the line is followed in a loop until one more move ends the hand.
        """
        state = self if self._laid or self._result is not None else self._led(random)
        if any(state._unknown) or state._result is not None:
            return super(PincsetState, state).playout(random)
        state = state._skipped(random.random)
        while state._result is None:
            moves = state._generate()
            state = state.apply(moves[0] if len(moves) == 1 else random.choice(moves))
        return state

    def _led(self, random: Random) -> Self:
        leads = tuple(self._leads())
        lead = leads[0] if len(leads) == 1 else random.choice(leads)
        return self._lay(lead, self._table.seat_of[lead.player], START)

    def _skipped(self, draw: Callable[[], float]) -> Self:
        """Return a later state, at most two moves before the end, reached by random legal moves."""
        plays, passes = self._table.plays, self._table.passes
        lefts, rights = [tables[0].play_of for tables in plays], [tables[1].play_of for tables in plays]
        hands, last = list(self._hands), len(self._hands) - 1
        left, right, _, _ = self._ends
        turn, passed, fit = self._turn, self._passes, FIT
        made: list[Move] = []
        add = made.append
        while passed < last:
            mask = hands[turn]
            fitting, others = mask & fit[left], mask & fit[right]
            at_left = fitting.bit_count()
            choices = at_left + others.bit_count()
            if choices:
                chosen = int(draw() * choices)
                at_end = chosen < at_left
                if not at_end:
                    fitting, chosen = others, chosen - at_left
                while chosen:
                    fitting &= fitting - 1
                    chosen -= 1
                bit = fitting & -fitting
                if mask == bit:
                    break
                hands[turn] = mask ^ bit
                passed = 0
                if at_end:
                    move = lefts[turn][bit]
                    left = move.tile.pips - left
                else:
                    move = rights[turn][bit]
                    right = move.tile.pips - right
                add(move)
            else:
                passed += 1
                add(passes[turn])
            turn = turn + 1 if turn < last else 0
        new = self._next(tuple(made))
        new._hands, new._turn, new._passes = tuple(hands), turn, passed
        new._laid = self._laid | (sum(self._hands) ^ sum(hands))
        new._ends = (left, right, CLOSED, CLOSED)
        return new

    def _settle(self, kind: str, seat: int | None) -> None:
        table = self._table
        rules, context = table.rules, table.context
        player = None if seat is None else table.players[seat]
        last = self._last_tile() if kind == "domino" else None
        held = self._held(kind)
        if seat is not None and last is not None:
            side = table.side_of[seat]
            if held is None:
                events = domino_events(side, last, rules, context)
            else:
                events = won_by_domino(side, held, rules, context, last)
            self._result = HandResult(kind, side, player, events, held is None, self._opener())
        elif held is None or kind == "domino":
            self._result = HandResult(kind, None, player, (), pending=True, opener=self._opener())
        else:
            score = rated(kind, held, table.sides, rules, context, None)
            self._result = HandResult(score.kind, score.side, player, score.events, opener=self._opener())

    def _last_tile(self) -> LastTile | None:
        last = self._last_play()
        if last is None:
            return None
        before, move = last
        return LastTile(move.player, move.tile, before._ends[:2])

    def _held(self, kind: str) -> Held | None:
        """Return the tiles left, as far as the score depends on who holds them; None if it waits for hidden hands."""
        table = self._table
        held: Held = []
        for seat, mask in enumerate(self._hands):
            side, player = table.side_of[seat], table.players[seat]
            held += [(side, tile_left(tile, player)) for tile in tiles_of(mask)]
        if any(self._unknown):
            pool = self._pool(kind)
            return None if pool is None else held + pool
        return held

    def _pool(self, kind: str) -> Held | None:
        """Return the tiles of the hidden hands, as far as it matters whose they are."""
        table = self._table
        hidden = [seat for seat, unknown in enumerate(self._unknown) if unknown]
        pool = tiles_of(self._unseen)
        if len(pool) != sum(self._unknown):
            return None
        if len(hidden) == 1:
            return [(table.side_of[hidden[0]], tile_left(tile, table.players[hidden[0]])) for tile in pool]
        sides = {table.side_of[seat] for seat in hidden}
        if len(sides) == 1 or (kind == "domino" and table.rules["count_remaining"] == "all"):
            side = sides.pop() if len(sides) == 1 else None
            return [(side, tile_left(tile)) for tile in pool]
        return None
