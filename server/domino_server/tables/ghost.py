"""The last table that was as it should be, shown over the picture while a bumped one is put right again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from domino_rules.games.chain import ChainState
from domino_rules.tile import Tile
from domino_server.referee.session import Line, TableSession
from domino_server.tables.states import GhostTileState
from domino_vision.types import F64Array, ReadTile, TableObservation

_BUMPED: Final = frozenset({"tiles_missing", "unexplained", "not_joined", "illegal_play", "trump_differs"})
"""Why the game waits when tiles may lie elsewhere than they did."""
_NEAR: Final = 0.35
"""A tile lies where it did if its middle is no further away than this share of its length."""
_TURNED: Final = float(np.cos(np.radians(20.0)))


class Ghost:
    """Remembers the table. For the table's thread."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._stable: TableObservation | None = None

    def heard(self, session: TableSession, lines: Sequence[Line]) -> None:
        """Remember the table if nothing is amiss, and forget it when the next hand begins."""
        if any(line["event"] in {"hand", "match"} for line in lines):
            self._stable = None
        now = session.observation
        if now is None or session.ask is not None or session.referee.pause is not None:
            return
        if self._stable is None or _is_whole(self._stable, now, session):
            self._stable = now

    def over(self, session: TableSession) -> list[GhostTileState]:
        """Return where each tile lay, and whether it lies there now; nothing once all do, or if none was bumped."""
        stable, shown = self._stable, session.shown
        if stable is None or shown is None or shown is stable or not _is_bumped(session, stable, shown):
            return []
        tiles = [_ghost(tile, shown) for tile in stable.tiles if tile.tile is not None]
        return [] if all(tile.matches for tile in tiles) else tiles


def _is_bumped(session: TableSession, stable: TableObservation, shown: TableObservation) -> bool:
    pause = session.referee.pause
    if session.referee.ledger.match.hand_over:
        return False
    if pause is not None:
        return pause.code in _BUMPED
    return session.ask is not None or not _is_whole(stable, shown, session)


def _is_whole(stable: TableObservation, shown: TableObservation, session: TableSession) -> bool:
    """Return whether tiles of the line that were joined still are; a line that was pushed as a whole is."""
    state = session.referee.state
    laid = {placed.tile for placed in state.layout} if isinstance(state, ChainState) else set[Tile]()
    return {pair for pair in _pairs(stable) if pair <= laid} <= _pairs(shown)


def _pairs(seen: TableObservation) -> set[frozenset[Tile]]:
    pairs = (frozenset((seen.tiles[join.a].tile, seen.tiles[join.b].tile)) for join in seen.joins)
    return {frozenset(tile for tile in pair if tile is not None) for pair in pairs if None not in pair}


def _ghost(tile: ReadTile, shown: TableObservation) -> GhostTileState:
    return GhostTileState(
        tile=str(tile.tile),
        quad=[(round(float(x), 1), round(float(y), 1)) for x, y in tile.quad_px],
        matches=any(_lies_there(tile, other) for other in shown.tiles),
    )


def _lies_there(tile: ReadTile, other: ReadTile) -> bool:
    if other.tile is not tile.tile:
        return False
    axis, other_axis = _axis(tile), _axis(other)
    length = float(np.linalg.norm(axis))
    away = float(np.linalg.norm(tile.quad_px.mean(axis=0) - other.quad_px.mean(axis=0)))
    straight = abs(float(axis @ other_axis)) >= _TURNED * length * float(np.linalg.norm(other_axis))
    return away <= _NEAR * length and straight


def _axis(tile: ReadTile) -> F64Array:
    """Return the way from the second half's end to the first one's, in pixels."""
    quad = tile.quad_px.astype(np.float64)
    return np.asarray(quad[:2].mean(axis=0) - quad[2:].mean(axis=0), np.float64)
