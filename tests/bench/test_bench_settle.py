"""What a frame of a table at rest costs: at most 5 ms at 1080p; and what following 28 tiles costs."""

from typing import Any

import cv2
import numpy as np

from domino_rules.tile import DOUBLE_SIX
from domino_vision.settle import Settler, SettleState
from domino_vision.track import diff
from domino_vision.types import Detections, Frame, TileReadings


class Nothing:
    """Finds no tile."""

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        """Return no readings."""
        empty = np.zeros(0, np.float32)
        return TileReadings(empty.reshape(0, 4, 2), empty.astype(np.uint8), empty, empty.reshape(0, 2, 15))


def test_bench_idle_frame(benchmark: Any) -> None:
    """A frame in which nothing changed is looked at and let go."""
    rng = np.random.default_rng(0)
    coarse = rng.integers(40, 200, (27, 48, 3), dtype=np.uint8)
    picture = np.asarray(cv2.resize(coarse, (1920, 1080), interpolation=cv2.INTER_CUBIC), np.uint8)
    settler = Settler(Nothing(), DOUBLE_SIX)
    at = 0.0
    while settler.committed is None or settler.state is not SettleState.WAIT:
        settler.push(Frame(picture, at))
        at += 1 / 15

    def idle() -> None:
        nonlocal at
        at += 1 / 1500
        settler.push(Frame(picture, at))

    benchmark(idle)
    assert settler.state is SettleState.WAIT


def test_bench_diff_of_full_tables(benchmark: Any) -> None:
    """Two observations of 28 tiles are compared."""
    from domino_vision.assemble import assemble

    rng = np.random.default_rng(1)
    spots = [(100 + 150 * (i % 7), 100 + 130 * (i // 7)) for i in range(28)]
    ring = np.array([[-40, -20], [-40, 20], [40, 20], [40, -20]])
    quads = np.array([ring + np.array(spot) for spot in spots], np.float32)
    logp = np.full((28, 2, 15), np.log(0.002), np.float32)
    for i, tile in enumerate(DOUBLE_SIX):
        logp[i, 0, tile.high] = logp[i, 1, tile.low] = np.log(0.972)
    looks = [
        TileReadings(quads + _noise(rng, quads.shape), np.zeros(28, np.uint8), np.ones(28, np.float32), logp)
        for _ in range(2)
    ]
    first, second = (assemble(look, (1280, 720), DOUBLE_SIX) for look in looks)
    change = benchmark(diff, first, second)
    assert change.is_empty


def _noise(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return rng.normal(0, 0.5, shape).astype(np.float32)
