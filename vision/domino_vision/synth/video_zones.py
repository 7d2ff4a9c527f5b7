"""The zones of a scripted game in the coordinates that a program found for the table."""

from __future__ import annotations

import numpy as np

from domino_vision.assemble.plane import project
from domino_vision.synth.video import VideoFrame
from domino_vision.synth.video_script import Script
from domino_vision.types import F64Array
from domino_vision.zones import Zone, Zones


def script_zones(script: Script, shot: VideoFrame, px_to_mm: F64Array, game: str = "", seats: int = 2) -> Zones:
    """Return the script's zones in table millimetres, as a person would draw them over the picture.

    Args:
        script: whose zones.
        shot: a frame of its video.
        px_to_mm: shape (3, 3), pixels of that frame to table millimetres, as an observation of it says.
        game: the game, to be noted with the zones.
        seats: how many play.
    """
    zones = []
    for name, quad in script.zones.items():
        points = project(px_to_mm, project(shot.homography, np.asarray(quad, np.float64)))
        zones.append(Zone(name, tuple((float(x), float(y)) for x, y in points)))
    return Zones(tuple(zones), seats, game)
