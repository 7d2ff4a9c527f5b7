"""The pipeline: stages in order, with their times; missing networks are told."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble import assemble
from domino_vision.errors import ModelError
from domino_vision.pipeline import Pipeline, load_pipeline
from domino_vision.types import Detections, Face, Frame, TileRole
from domino_vision.weights import MODELS_VARIABLE

CORNERS = np.array(
    [[[100, 100], [100, 150], [200, 150], [200, 100]], [[202, 100], [202, 150], [302, 150], [302, 100]]], np.float32
)
FRAME = Frame(np.zeros((400, 600, 3), np.uint8))


class Finder:
    near: Detections | None = None

    def find(self, bgr: np.ndarray, near: Detections | None = None) -> Detections:
        self.near = near
        assert bgr is FRAME.bgr
        return Detections(CORNERS, np.array([Face.UP, Face.UP], np.uint8), np.array([0.9, 0.8], np.float32))


class Reader:
    def read(self, frame_bgr: np.ndarray, corners_px: np.ndarray) -> np.ndarray:
        assert frame_bgr is FRAME.bgr
        logp = np.full((len(corners_px), 2, 15), -9.0, np.float32)
        logp[0, 0, 6] = logp[0, 1, 4] = logp[1, 0, 4] = logp[1, 1, 1] = -0.01
        return logp


def test_observation_and_times() -> None:
    """Two touching tiles become a chain with its count; every stage reports its time."""
    finder = Finder()
    pipeline = Pipeline(finder, Reader(), assemble, DOUBLE_SIX, lambda _, found: found)
    seen = pipeline.observe(FRAME)
    assert [tile.role for tile in seen.tiles] == [TileRole.CHAIN, TileRole.CHAIN]
    assert seen.open_end_count == 7
    assert set(seen.timings_ms) == {"detect", "refine", "read", "assemble", "whole"}
    assert seen.timings_ms["whole"] == pytest.approx(sum(v for k, v in seen.timings_ms.items() if k != "whole"))
    assert finder.near is None


def test_known_tiles_are_handed_to_the_finder() -> None:
    """The tiles of the frame before reach the finder."""
    finder = Finder()
    pipeline = Pipeline(finder, Reader(), assemble, DOUBLE_SIX, lambda _, found: found)
    near, _ = pipeline.find(FRAME)
    pipeline.observe(FRAME, near)
    assert finder.near is near


@pytest.mark.parametrize(("reads", "widths"), [(0.98, [50, 50]), (0.5, [50, 70])])
def test_a_box_that_fits_badly_in_a_row_is_read_where_its_neighbour_puts_it(reads: float, widths: list[int]) -> None:
    """It keeps its place if nothing is read for certain there either."""
    beside = CORNERS[:1] + np.array([0, 52], np.float32)
    wide = np.array([[[100, 140], [100, 210], [200, 210], [200, 140]]], np.float32)

    class Row(Finder):
        def find(self, bgr: np.ndarray, near: Detections | None = None) -> Detections:
            return replace(super().find(bgr, near), corners_px=np.concatenate([CORNERS[:1], wide]))

    class Narrow:
        def read(self, frame_bgr: np.ndarray, corners_px: np.ndarray) -> np.ndarray:
            p = np.full((len(corners_px), 2, 15), 1e-4, np.float32)
            for index, quad in enumerate(corners_px):
                fits = np.allclose(quad[0], CORNERS[0, 0]) or (np.abs(quad - beside[0]).max() < 2)
                first = np.allclose(quad[0], CORNERS[0, 0])
                p[index, :, 3 if first else 5] = 0.99 if first else reads if fits else 0.6
            return np.log(p)

    seen = Pipeline(Row(), Narrow(), assemble, DOUBLE_SIX, lambda _, found: found).readings(FRAME)
    assert [round(float(np.linalg.norm(quad[1] - quad[0]))) for quad in seen.corners_px] == widths


@pytest.mark.parametrize(("pips", "tiles"), [(2, 3), (0, 2)])
def test_a_tile_that_nobody_saw_in_a_row_is_read(pips: int, tiles: int) -> None:
    """Between two tiles with room for one it lies if pips are read there for certain; plain ground reads as blanks."""
    step = np.array([0, 104], np.float32)

    class Row(Finder):
        def find(self, bgr: np.ndarray, near: Detections | None = None) -> Detections:
            return replace(super().find(bgr, near), corners_px=np.concatenate([CORNERS[:1], CORNERS[:1] + step]))

    class Sure:
        def read(self, frame_bgr: np.ndarray, corners_px: np.ndarray) -> np.ndarray:
            p = np.full((len(corners_px), 2, 15), 1e-4, np.float32)
            for index, quad in enumerate(corners_px):
                p[index, :, pips if abs(quad.mean(0)[1] - 177) < 2 else 5] = 0.99
            return np.log(p)

    seen = Pipeline(Row(), Sure(), assemble, DOUBLE_SIX, lambda _, found: found).readings(FRAME)
    assert len(seen) == tiles


def test_missing_networks_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that is nowhere is a typed error, as is an unknown set."""
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path))
    with pytest.raises(ModelError) as caught:
        load_pipeline(detector="no-such-model")
    assert caught.value.code == "model_missing"
    with pytest.raises(ValueError, match="unknown set"):
        load_pipeline("double-seven")
