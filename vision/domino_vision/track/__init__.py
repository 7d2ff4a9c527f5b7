"""Following a table over time: where its coordinates lie, which tile is which, what changed, what is known."""

from domino_vision.track.calibration import (
    Calibration,
    Drift,
    DriftWatch,
    calibrate_from_markers,
    calibrate_from_tiles,
    find_markers,
)
from domino_vision.track.change import MovedTile, TableChange, TurnedTile, diff
from domino_vision.track.memory import KnownTile, TableMemory
from domino_vision.track.plausible import plausible
from domino_vision.track.poses import Pose, TileMatch, match_tiles
from domino_vision.track.register import CameraMotion, Registration, anchored, register
from domino_vision.track.tracker import Look, TableTracker

__all__ = [
    "Calibration",
    "CameraMotion",
    "Drift",
    "DriftWatch",
    "KnownTile",
    "Look",
    "MovedTile",
    "Pose",
    "Registration",
    "TableChange",
    "TableMemory",
    "TableTracker",
    "TileMatch",
    "TurnedTile",
    "anchored",
    "calibrate_from_markers",
    "calibrate_from_tiles",
    "diff",
    "find_markers",
    "match_tiles",
    "plausible",
    "register",
]
