"""How far a camera knows its table, without anybody having measured anything."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from domino_server.referee.session import TableSession
from domino_server.tables.config import TableConfig
from domino_server.tables.states import CalibrationState
from domino_vision.assemble.plane import project
from domino_vision.types import F64Array, TileRole

_LYING: Final = frozenset({TileRole.CHAIN, TileRole.LOOSE, TileRole.DOWN})


def calibration_of(session: TableSession, config: TableConfig) -> CalibrationState:
    """Return how many tiles lie flat, the scale that they gave, and where the table's parts come from."""
    shown, place = session.shown, session.settler.tracker.px_to_mm
    return CalibrationState(
        tiles=0 if shown is None else sum(tile.role in _LYING for tile in shown.tiles),
        mm_per_px=None if shown is None or place is None else round(_scale(place, shown.size_wh), 4),
        zones=_zones(session, config),
    )


def _scale(px_to_mm: F64Array, size_wh: tuple[int, int]) -> float:
    """Return the length of a pixel on the table at the middle of the picture, millimetres."""
    middle = np.array(size_wh, np.float64) / 2
    at = project(px_to_mm, middle + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    return float(np.sqrt(abs(np.linalg.det(np.stack([at[1] - at[0], at[2] - at[0]])))))


def _zones(session: TableSession, config: TableConfig) -> Literal["drawn", "preset", "off", "none"]:
    if config.zones is not None:
        return "drawn"
    if session.zones is not None:
        return "preset"
    return "none" if config.use_zones else "off"
