"""The last table that was as it should be, shown over the picture while a bumped one is put right again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

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
        if session.observation is not None and session.ask is None and session.referee.pause is None:
            self._stable = session.observation

    def over(self, session: TableSession) -> list[GhostTileState]:
        """Return where each tile lay, and whether it lies there now; nothing once all do, or if none was bumped."""
        stable, shown = self._stable, session.shown
        if stable is None or shown is None or shown is stable or not _is_bumped(session):
            return []
        tiles = [_ghost(tile, shown) for tile in stable.tiles if tile.tile is not None]
        return [] if all(tile.matches for tile in tiles) else tiles


def _is_bumped(session: TableSession) -> bool:
    pause = session.referee.pause
    if session.referee.ledger.match.hand_over:
        return False
    return session.ask is not None if pause is None else pause.code in _BUMPED


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
