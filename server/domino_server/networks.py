"""The trained networks, shared by all tables and by posted pictures: one frame at a time, each in its turn."""

from __future__ import annotations

from pathlib import Path

from domino_rules.tile import TileSet
from domino_server.enrolled import enrolled_tiles
from domino_server.enrolling import seen_in
from domino_server.tables.config import TableConfig
from domino_server.tables.frames import FairLock, Reads
from domino_vision.enrol.seen import TilesInPicture
from domino_vision.pipeline import Pipeline, load_pipeline
from domino_vision.types import Frame, TableObservation


class Networks:
    """One pipeline and the lock that its users wait for."""

    def __init__(self, pipeline: Pipeline | None = None, data: Path | None = None) -> None:
        """Take a pipeline, or load the shipped one.

        Args:
            pipeline: the networks; None for the shipped ones.
            data: folder of data, where enrolled tiles lie.

        Raises:
            ModelError: `model_missing` or `model_broken`.
        """
        self.lock = FairLock()
        self._pipeline = pipeline or load_pipeline()
        self._data = data

    def reader(self, config: TableConfig) -> Reads:
        """Return what reads the pictures of a table; callers hold the lock while it does.

        Raises:
            EnrolError: `tiles_unknown` or `tiles_broken` if it is set up for tiles that are not enrolled.
        """
        tiles = enrolled_tiles(config.tiles, self._data)
        if tiles is None:
            return self._pipeline.with_set(config.tile_set)
        return load_pipeline(tiles=tiles).with_set(config.tile_set)

    def observe(self, frame: Frame, tile_set: TileSet, *, line: bool = True) -> TableObservation:
        """Return what lies on the table in a posted picture, once it is its turn.

        Args:
            frame: the picture.
            tile_set: the set in use.
            line: whether the game has a line of play.
        """
        pipeline = self._pipeline.with_set(tile_set)
        with self.lock.turn():
            return (pipeline if line else pipeline.without_line()).observe(frame)

    def tiles_in(self, name: str, frame: Frame, tile_set: TileSet) -> TilesInPicture:
        """Return the face-up tiles of a posted picture, to be enrolled, once it is its turn.

        Raises:
            VisionError: `no_tile`.
        """
        with self.lock.turn():
            return seen_in(name, frame, self._pipeline.with_set(tile_set))
