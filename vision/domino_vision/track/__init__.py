"""Following a table over time: where its coordinates lie, which tile is which, what changed, what is known."""

from domino_vision.track.calibration import Drift, DriftWatch
from domino_vision.track.change import MovedTile, TableChange, TurnedTile, diff
from domino_vision.track.markers import find_markers, plane_of_markers
from domino_vision.track.memory import KnownTile, TableMemory
from domino_vision.track.plausible import plausible
from domino_vision.track.poses import Pose, TileMatch, match_tiles
from domino_vision.track.register import CameraMotion, Registration, anchored, register
from domino_vision.track.tracker import Look, TableTracker

__all__ = [
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
    "diff",
    "find_markers",
    "match_tiles",
    "plane_of_markers",
    "plausible",
    "register",
]
