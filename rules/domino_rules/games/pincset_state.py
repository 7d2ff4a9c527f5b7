"""One hand of Pińćset in progress."""

from __future__ import annotations

from domino_rules.games.chain import ChainState
from domino_rules.games.chain_table import tiles_of
from domino_rules.games.pincset_score import LastTile, Remaining, domino_events, rated
from domino_rules.score import ScoreEvent
from domino_rules.state import HandResult
from domino_rules.tile import Tile


class PincsetState(ChainState):
    """One hand of Pińćset in progress. Source: RULES 1.1."""

    __slots__ = ()

    def _settle(self, kind: str, seat: int | None) -> None:
        table = self._table
        player = None if seat is None else table.players[seat]
        last = self._last_tile() if kind == "domino" else None
        remaining = self._remaining(kind)
        if remaining is None or (kind == "domino" and last is None):
            events: tuple[ScoreEvent, ...] = ()
            side = table.side_of[seat] if kind == "domino" and seat is not None else None
            if side is not None and last is not None:
                events = domino_events(side, last, table.rules, table.context)
            self._result = HandResult(kind, side, player, events, pending=True, opener=self._opener())
            return
        score = rated(kind, remaining, table.sides, table.rules, table.context, last)
        self._result = HandResult(score.kind, score.side, player, score.events, opener=self._opener())

    def _last_tile(self) -> LastTile | None:
        last = self._last_play()
        if last is None:
            return None
        before, move = last
        return LastTile(move.player, move.tile, before.ends)

    def _remaining(self, kind: str) -> Remaining | None:
        """Return the tiles left, as far as the score depends on who holds them; None if it waits for hidden hands."""
        table = self._table
        hands = {player: tiles_of(mask) for player, mask in zip(table.players, self._hands, strict=True)}
        hidden = [seat for seat, unknown in enumerate(self._unknown) if unknown]
        if not hidden:
            return Remaining(hands)
        pool: tuple[Tile, ...] = tiles_of(self._unseen)
        if len(pool) != sum(self._unknown):
            return None
        if len(hidden) == 1:
            player = table.players[hidden[0]]
            return Remaining({**hands, player: (*hands[player], *pool)})
        sides = {table.side_of[seat] for seat in hidden}
        if len(sides) == 1:
            return Remaining(hands, pool, sides.pop())
        every_hand = kind == "domino" and table.rules["count_remaining"] == "all"
        return Remaining(hands, pool) if every_hand else None
