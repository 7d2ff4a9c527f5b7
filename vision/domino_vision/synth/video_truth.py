"""Readings straight from the truth of rendered frames, as noisy as asked for: games followed without a network."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from domino_vision.synth.video import VideoFrame
from domino_vision.types import BACK_CLASS, HALF_CLASSES, Detections, F32Array, Face, Frame, TileReadings

_LEAST_VISIBLE = 0.6


class TruthReader:
    """Reads frames of one video by knowing what is in them. It stands in for a pipeline."""

    def __init__(self, seed: int = 0, corner_px: float = 0.6, misread: float = 0.01, miss: float = 0.0) -> None:
        """Choose how well to read.

        Args:
            seed: of the noise.
            corner_px: standard deviation of the corners, pixels.
            misread: share of halves that look like another number of pips in one frame.
            miss: share of tiles that are not found in one frame.
        """
        self._rng = np.random.default_rng(seed)
        self._corner_px, self._misread, self._miss = corner_px, misread, miss
        self._frames: dict[float, VideoFrame] = {}
        self.reads = 0

    def watch(self, frame: VideoFrame) -> Frame:
        """Remember the truth of a frame, of the last few seconds' only; return the picture."""
        self._frames[frame.frame.at] = frame
        for at in [at for at in self._frames if at < frame.frame.at - 10]:
            del self._frames[at]
        return frame.frame

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        """Return the tiles of a frame that `watch` saw; `near` changes nothing."""
        self.reads += 1
        truth = self._frames[frame.at]
        seen = [tile for tile in truth.tiles if tile.visible > _LEAST_VISIBLE and self._rng.random() >= self._miss]
        corners = [*(tile.quad for tile in seen), *truth.down]
        logp = [*(self._logp(tile.halves) for tile in seen), *(_back() for _ in truth.down)]
        quads = np.array(corners, np.float32).reshape(-1, 4, 2)
        quads += self._rng.normal(0, self._corner_px, quads.shape).astype(np.float32)
        for i in np.flatnonzero(self._rng.random(len(seen)) < 0.5).tolist():
            quads[i], logp[i] = np.roll(quads[i], 2, axis=0), logp[i][::-1]
        face = np.array([Face.UP] * len(seen) + [Face.DOWN] * len(truth.down), np.uint8)
        score = np.full(len(quads), 0.9, np.float32)
        return TileReadings(quads, face, score, np.array(logp, np.float32).reshape(-1, 2, HALF_CLASSES))

    def _logp(self, halves: Iterable[int]) -> F32Array:
        p = np.full((2, HALF_CLASSES), 1e-4)
        for half, pips in enumerate(halves):
            shown = pips
            if self._rng.random() < self._misread:
                shown = int(np.clip(pips + self._rng.choice([-1, 1]), 0, 12))
                p[half, pips] = 0.2
            p[half, shown] += 0.98 if shown == pips else 0.75
        return np.asarray(np.log(p / p.sum(1, keepdims=True)), np.float32)


def _back() -> F32Array:
    p = np.full((2, HALF_CLASSES), 1e-3)
    p[:, BACK_CLASS] = 1.0
    return np.asarray(np.log(p / p.sum(1, keepdims=True)), np.float32)
