"""Networks that read one tile wrong each time, so that a person must put it right."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from domino_rules.tile import Tile
from domino_vision.pipeline import Pipeline
from domino_vision.types import PIP_CLASSES, Detections, Frame, TileReadings
from tests.laid_tables import sharp

_SURE = 0.995


@dataclass(frozen=True)
class Misreading:
    """The networks, but for a tile.

    Attributes:
        networks: what reads.
        tile: the tile that is read wrong, one with two different halves.
        shown: the number on its half that is.
        read: the number that is read there.
    """

    networks: Pipeline
    tile: Tile
    shown: int
    read: int

    def with_set(self, tile_set: object) -> Misreading:
        """It knows one set."""
        del tile_set
        return self

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        """Return the tiles of a frame, as `Pipeline.readings`."""
        found = self.networks.readings(frame, near)
        logp = found.half_logp.copy()
        for index, halves in enumerate(logp[:, :, :PIP_CLASSES].argmax(2).tolist()):
            if Tile(*halves) is self.tile:
                wrong = [self.read if half == self.shown else half for half in halves]
                logp[index] = sharp([(wrong[0], wrong[1])], _SURE).reshape(2, -1)
        return replace(found, half_logp=np.asarray(logp, np.float32))
