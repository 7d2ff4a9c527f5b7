"""Enrol a set: one or a few pictures of known tiles teach the reader what these tiles look like.

The reader's last layer is linear; for enrolled tiles a small linear correction is added to it, fitted in seconds to
views of the tiles seen. Without a name nothing is loaded and nothing changes.
"""

from domino_vision.enrol.adapt import Fit, fit_tiles
from domino_vision.enrol.enrolment import EnrolReport, enrol
from domino_vision.enrol.seen import Doubt, TilesInPicture, identify
from domino_vision.enrol.store import EnrolledTiles, TileStore

__all__ = [
    "Doubt",
    "EnrolReport",
    "EnrolledTiles",
    "Fit",
    "TileStore",
    "TilesInPicture",
    "enrol",
    "fit_tiles",
    "identify",
]
