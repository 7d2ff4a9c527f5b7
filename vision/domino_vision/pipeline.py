"""From a frame to what lies on the table: find, refine, read, assemble, with the time that each stage takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from domino_rules.tile import TileSet, find_tile_set
from domino_vision import weights
from domino_vision.choice import choose
from domino_vision.clutter import reads_clearly, shows_face
from domino_vision.detectors.base import BoxDetector
from domino_vision.detectors.looks import FINAL_SCORE, ScaledLooks
from domino_vision.overlooked import between, seen_before, side_by_side
from domino_vision.rows import gaps_in_rows, places_in_rows
from domino_vision.types import Detections, F32Array, Face, Frame, TableObservation, TileReadings, U8Array

if TYPE_CHECKING:
    from domino_vision.assemble import AssembleOptions
    from domino_vision.enrol.store import EnrolledTiles


class TileFinder(Protocol):
    """Finds the tiles of a whole picture."""

    def find(self, bgr: U8Array, near: Detections | None = None) -> Detections:
        """Find the tiles of a picture (h, w, 3) uint8; `near` are those of the frame before, if they are known."""
        ...


class HalfReader(Protocol):
    """Reads the halves of tiles whose corners are known."""

    def read(self, frame_bgr: U8Array, corners_px: F32Array) -> F32Array:
        """Return natural log-probabilities (n, 2, 15) float32 of the tiles at `corners_px` (n, 4, 2)."""
        ...


class Assembler(Protocol):
    """Decodes readings into a table."""

    def __call__(
        self,
        readings: TileReadings,
        size_wh: tuple[int, int],
        tile_set: TileSet,
        *,
        options: AssembleOptions | None = None,
    ) -> TableObservation:
        """Return what lies on the table; `size_wh` is the size of the frame in pixels."""
        ...


Refiner = Callable[[U8Array, Detections], Detections]
"""Moves the corners of detections to the edges of the tiles at full resolution."""


class Pipeline:
    """All stages of one table. Not for several threads at once."""

    def __init__(
        self, finder: TileFinder, reader: HalfReader, assembler: Assembler, tile_set: TileSet, refiner: Refiner
    ) -> None:
        """Join the stages; `load_pipeline` does so with the shipped networks."""
        self._finder = finder
        self._reader = reader
        self._assembler = assembler
        self._refiner = refiner
        self.tile_set = tile_set

    def with_set(self, tile_set: TileSet) -> Pipeline:
        """Return a pipeline of the same stages for another tile set."""
        return Pipeline(self._finder, self._reader, self._assembler, tile_set, self._refiner)

    def without_line(self) -> Pipeline:
        """Return a pipeline of the same stages for a game without a line of play: tiles that touch are not joined."""
        from domino_vision.assemble import AssembleOptions

        assembler = partial(self._assembler, options=AssembleOptions(line=False))
        return Pipeline(self._finder, self._reader, assembler, self.tile_set, self._refiner)

    def observe(self, frame: Frame, near: Detections | None = None) -> TableObservation:
        """Return what lies on the table in a frame.

        Args:
            frame: the picture.
            near: detections of a frame before from the same camera; one look at their region is then enough.

        Returns:
            The observation, with the milliseconds of `detect`, `refine`, `read`, `assemble` and `whole`.
        """
        return self.assemble(frame, self.find(frame, near))

    def find(self, frame: Frame, near: Detections | None = None) -> tuple[Detections, dict[str, float]]:
        """Return what may be the tiles of a frame, corners refined, and the milliseconds of `detect` and `refine`.

        Boxes that cover each other are among them; `read` chooses.
        """
        start = time.perf_counter()
        found = self._finder.find(frame.bgr, near)
        middle = time.perf_counter()
        found = self._refiner(frame.bgr, found)
        before = Detections.none() if near is None else seen_before(found, near)
        found = Detections.together([found, side_by_side(found), before])
        end = time.perf_counter()
        return found, {"detect": _ms(start, middle), "refine": _ms(middle, end)}

    def assemble(self, frame: Frame, found: tuple[Detections, dict[str, float]]) -> TableObservation:
        """Read and decode tiles that `find` found in the same frame."""
        readings, timings = self.read(frame, found)
        start = time.perf_counter()
        observation = self._assembler(readings, frame.size_wh, self.tile_set)
        timings = {**timings, "assemble": _ms(start, time.perf_counter())}
        return replace(observation, timings_ms={**timings, "whole": sum(timings.values())})

    def read(self, frame: Frame, found: tuple[Detections, dict[str, float]]) -> tuple[TileReadings, dict[str, float]]:
        """Read what `find` found in the same frame; of boxes that cover each other those that read best are kept.

        A box that cannot be read as it lies is read where its neighbours in a row say that it must lie. What shows no
        face to read is left out.
        """
        detections, timings = found
        start = time.perf_counter()
        logp = np.asarray(self._reader.read(frame.bgr, detections.corners_px), np.float32)
        detections, logp = self._in_rows(frame, detections, logp)
        more = between(detections, logp, self.tile_set.max_half)
        if len(more):
            detections = Detections.together([detections, more])
            logp = np.concatenate([logp, np.asarray(self._reader.read(frame.bgr, more.corners_px), np.float32)])
        boxes, face = choose(detections, logp, FINAL_SCORE, self.tile_set.max_half, frame.size_wh)
        tiles, logp = replace(detections.where(boxes), face=face), logp[boxes]
        seen = shows_face(tiles, logp, frame.size_wh)
        tiles = tiles.where(seen)
        readings = TileReadings(tiles.corners_px, tiles.face, tiles.score, logp[seen])
        return readings, {**timings, "read": _ms(start, time.perf_counter())}

    def _in_rows(self, frame: Frame, found: Detections, logp: F32Array) -> tuple[Detections, F32Array]:
        """Return boxes and readings in which those lie and read better that fitted badly among tiles side by side.

        Those that nobody saw between two such tiles are added, as sure as a tile must be.
        """
        up, clear = found.face == Face.UP, reads_clearly(logp)
        sure = clear & up & (found.score >= FINAL_SCORE)
        boxes, places = places_in_rows(found, sure, up & ~clear)
        gaps = gaps_in_rows(found, sure)
        if not len(boxes) and not len(gaps):
            return found, logp
        read = np.asarray(self._reader.read(frame.bgr, np.concatenate([places, gaps])), np.float32)
        better, seen = np.split(reads_clearly(read), [len(places)])
        corners, half_logp = found.corners_px.copy(), logp.copy()
        corners[boxes[better]], half_logp[boxes[better]] = places[better], read[: len(places)][better]
        more = gaps[seen]
        faces, scores = np.full(len(more), Face.UP, np.uint8), np.full(len(more), FINAL_SCORE, np.float32)
        found = Detections.together([replace(found, corners_px=corners), Detections(more, faces, scores)])
        return found, np.concatenate([half_logp, read[len(places) :][seen]])

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        """Return the tiles of a frame with a distribution over each half; arguments as for `observe`."""
        return self.read(frame, self.find(frame, near))[0]


def load_pipeline(
    set_name: str = "double-six",
    detector: str | None = None,
    reader: str | None = None,
    threads: int = 2,
    tiles: EnrolledTiles | None = None,
) -> Pipeline:
    """Return a pipeline with trained networks.

    Args:
        set_name: the tile set, such as `double-six`.
        detector: name or path of the detector, `.onnx` or (with the extra `train`) `.pt`; default the shipped one.
        reader: name or path of the reader; default the shipped one.
        threads: processor threads of each network.
        tiles: tiles that the reader shall know, as `enrol` made them.

    Raises:
        SetupError: `unknown_set`.
        ModelError: `model_missing`, `model_broken` or `extra_missing`; `no_features` if the reader cannot learn tiles.
    """
    from domino_vision.assemble import assemble
    from domino_vision.quads import refine
    from domino_vision.reader import TileReader

    tile_set = find_tile_set(set_name)
    finder = ScaledLooks(load_detector(detector, threads))
    network = TileReader(weights.find_model(reader or weights.READER), threads)
    if tiles is not None:
        network = tiles.adapt(network)
    return Pipeline(finder, network, assemble, tile_set, refine)


def load_detector(name: str | None = None, threads: int = 2) -> BoxDetector:
    """Return a detector by name or path: `.onnx`, or `.pt` with the extra `train`.

    Raises:
        ModelError: `model_missing`, `model_broken` or `extra_missing`.
    """
    path: Path = weights.find_model(name or weights.DETECTOR)
    if path.suffix == ".pt":
        from domino_vision.detectors.ultralytics import UltralyticsDetector

        return UltralyticsDetector(path)
    from domino_vision.detectors.onnx import OnnxDetector

    return OnnxDetector(path, threads)


def _ms(start: float, end: float) -> float:
    return (end - start) * 1000
