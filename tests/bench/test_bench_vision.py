"""How long seeing takes on two threads: a look, 28 tiles read, a whole picture; and ultralytics on the same weights."""

import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from domino_vision.detectors.onnx import OnnxDetector
from domino_vision.pipeline import Pipeline, load_pipeline
from domino_vision.reader import TileReader
from domino_vision.types import F32Array, Frame, U8Array
from domino_vision.weights import DETECTOR, READER, find_model

THREADS = 2


@pytest.fixture(scope="module", autouse=True)
def _two_threads() -> Any:
    before = cv2.getNumThreads()
    cv2.setNumThreads(THREADS)
    yield
    cv2.setNumThreads(before)


@pytest.fixture(scope="module")
def picture(demo: Path) -> U8Array:
    """The demo picture at 1920 x 1080."""
    read = cv2.imread(str(demo / "cincos.jpg"))
    assert read is not None
    return np.asarray(cv2.resize(read, (1920, 1080), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return load_pipeline(threads=THREADS)


def test_bench_detect_at_640(benchmark: Any, picture: U8Array) -> None:
    """One look of the detector at a whole picture: scaled to 640, found, suppressed."""
    detector = OnnxDetector(find_model(DETECTOR), THREADS)
    assert len(benchmark(detector.find, picture))


def test_bench_ultralytics_on_the_same_weights(benchmark: Any, picture: U8Array) -> None:
    """The same look through `YOLO.predict`, which is what the shipped run time is measured against."""
    os.environ |= {"YOLO_OFFLINE": "1", "YOLO_AUTOINSTALL": "0"}
    ultralytics = pytest.importorskip("ultralytics", reason="needs the extra `train`")
    network = ultralytics.YOLO(str(find_model(DETECTOR)), task="obb")
    cv2.setNumThreads(THREADS)  # importing ultralytics sets it to one
    found = benchmark(network.predict, picture, imgsz=640, conf=0.05, iou=0.7, verbose=False, device="cpu")
    assert len(found[0].obb)


def test_bench_read_28_tiles(benchmark: Any, picture: U8Array) -> None:
    """Cutting 28 tiles out of a picture and reading both halves of each, in both directions."""
    reader = TileReader(find_model(READER), THREADS)
    logp = benchmark(reader.read, picture, _anywhere(28))
    assert logp.shape == (28, 2, 15)


def test_bench_whole_read_of_1080p(benchmark: Any, picture: U8Array, pipeline: Pipeline) -> None:
    """From a picture to layout and count: all looks, corners, reading, joins."""
    seen = benchmark(pipeline.observe, Frame(picture))
    assert seen.joins


def test_bench_next_frame_of_a_live_table(benchmark: Any, picture: U8Array, pipeline: Pipeline) -> None:
    """The same picture when the tiles of the frame before are known: their surroundings are looked at once."""
    near, _ = pipeline.find(Frame(picture))
    seen = benchmark(pipeline.observe, Frame(picture), near)
    assert seen.joins


def _anywhere(count: int) -> F32Array:
    """Corners of tiles of 120 x 60 pixels at random places."""
    rng = np.random.default_rng(1)
    tile = np.array([[[0, 60], [0, 0], [120, 0], [120, 60]]], np.float32)
    return (tile + rng.uniform((20, 20), (1780, 1000), (count, 1, 2))).astype(np.float32)
