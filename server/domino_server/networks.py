"""The trained networks, shared by all tables and by posted pictures: one frame at a time, each in its turn."""

from __future__ import annotations

from domino_rules.tile import TileSet
from domino_server.tables.config import TableConfig
from domino_server.tables.frames import FairLock, Reads
from domino_vision.pipeline import Pipeline, load_pipeline
from domino_vision.types import Frame, TableObservation


class Networks:
    """One pipeline and the lock that its users wait for."""

    def __init__(self, pipeline: Pipeline | None = None) -> None:
        """Take a pipeline, or load the shipped one.

        Raises:
            ModelError: `model_missing` or `model_broken`.
        """
        self.lock = FairLock()
        self._pipeline = pipeline or load_pipeline()

    def reader(self, config: TableConfig) -> Reads:
        """Return what reads the pictures of a table; callers hold the lock while it does."""
        return self._pipeline.with_set(config.tile_set)

    def observe(self, frame: Frame, tile_set: TileSet) -> TableObservation:
        """Return what lies on the table in a posted picture, once it is its turn."""
        with self.lock.turn():
            return self._pipeline.with_set(tile_set).observe(frame)
