"""Read the pips of tiles whose corners are known: a distribution for each half, never just a label."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from domino_vision.errors import ModelError
from domino_vision.rectify import rectify_tiles
from domino_vision.types import BACK_CLASS, PIP_CLASSES, F32Array, F64Array, U8Array
from domino_vision.weights import open_session

CLASSES = (*(str(pips) for pips in range(PIP_CLASSES)), "back", "unreadable")
"""Names of the classes of a half, in the order of the last axis of the log-probabilities."""

_LEAST = 1e-12
"""No class is ever quite impossible, so that logarithms stay finite."""
_CHUNK = 64
"""Tiles read in one run of the network: bounds the memory of a picture full of false tiles."""


@dataclass(frozen=True, slots=True)
class ReaderHead:
    """What is added to the reader's logits for one set of tiles: a linear function of the features.

    Attributes:
        weights: (15, d) float32.
        bias: (15,) float32.
    """

    weights: F32Array
    bias: F32Array

    def on(self, features: F32Array) -> F32Array:
        """Return the change of the logits, (..., 15), for features (..., d)."""
        return np.asarray(features @ self.weights.T + self.bias, dtype=np.float32)


class TileReader:
    """A trained reader network, run by onnxruntime on the CPU.

    The file's metadata says how tiles must be cut out (`size_wh`, `margin`) and how its logits are calibrated
    (`temperature`).
    """

    def __init__(self, model: Path, threads: int = 2) -> None:
        """Load a network.

        Args:
            model: the ONNX file: input uint8 (n, h, w, 3) BGR crops, output `logits` float32 (n, 2, 15), and
                `features` (n, 2, d) if tiles are to be enrolled.
            threads: processor threads to use.

        Raises:
            ModelError: `model_missing` if there is no such file, `model_broken` if it is no reader network.
        """
        self._session = open_session(model, threads)
        self.head: ReaderHead | None = None
        self.path = model
        try:
            metadata = self._session.get_modelmeta().custom_metadata_map
            width, height = (int(side) for side in metadata["size_wh"].split(","))
            self._size_wh = (width, height)
            self._margin = float(metadata["margin"])
            self._temperature = float(metadata["temperature"])
            classes = tuple(metadata["classes"].split(","))
        except (KeyError, ValueError) as error:
            msg = f"{model} does not say how tiles are cut out or calibrated: {error}"
            raise ModelError("model_broken", msg, path=str(model)) from error
        if classes != CLASSES or self._temperature <= 0:
            raise ModelError("model_broken", f"{model} has other classes or no temperature", path=str(model))
        self._input = self._session.get_inputs()[0].name
        self._outputs = [output.name for output in self._session.get_outputs()]

    def with_head(self, head: ReaderHead | None) -> TileReader:
        """Return a reader of the same network for the tiles that a head was fitted to, or for any tiles without."""
        other = copy.copy(self)
        other.head = head
        return other

    @property
    def temperature(self) -> float:
        """What the logits are divided by."""
        return self._temperature

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of a crop in pixels, the margin included."""
        return self._size_wh

    @property
    def margin(self) -> float:
        """What a crop shows beyond each edge, as a share of the tile's length and width."""
        return self._margin

    def read(self, frame_bgr: U8Array, corners_px: F32Array) -> F32Array:
        """Read both halves of every tile.

        Args:
            frame_bgr: picture at full resolution, (h, w, 3) uint8.
            corners_px: (n, 4, 2) pixels of the picture; corners 0 and 1 are the short edge at the first half's end.

        Returns:
            Natural log-probabilities, (n, 2, 15) float32: first and second half; every row sums to one.

        Raises:
            VisionError: `frame_invalid` or `quad_invalid`.
        """
        return self.read_crops(rectify_tiles(frame_bgr, corners_px, self._size_wh, self._margin))

    def read_crops(self, crops_bgr: U8Array) -> F32Array:
        """Read tiles that are cut out already, as `rectify_tiles` does with `size_wh` and `margin`.

        Args:
            crops_bgr: (n, h, w, 3) uint8, first half to the left.

        Returns:
            Natural log-probabilities, (n, 2, 15) float32.
        """
        if not len(crops_bgr):
            return np.zeros((0, 2, len(CLASSES)), dtype=np.float32)
        parts = [self._read_chunk(crops_bgr[at : at + _CHUNK]) for at in range(0, len(crops_bgr), _CHUNK)]
        return np.concatenate(parts)

    def look(self, crops_bgr: U8Array) -> tuple[F32Array, F32Array]:
        """Return what the network says of crops read both ways, and the features that it says so from.

        Args:
            crops_bgr: (n, h, w, 3) uint8, first half to the left.

        Returns:
            Logits (2, n, 2, 15), without a head's word, and features (2, n, 2, d): first as the tiles lie, then turned
            by 180 degrees, the halves as they lie then.

        Raises:
            ModelError: `no_features` if the network has no such output.
        """
        if "features" not in self._outputs:
            msg = f"{self.path.name} tells no features, so no tiles can be enrolled with it"
            raise ModelError("no_features", msg, path=str(self.path))
        logits, features = [], []
        for at in range(0, len(crops_bgr), _CHUNK):
            crops = crops_bgr[at : at + _CHUNK]
            found = self._session.run(["logits", "features"], {self._input: _both_ways(crops)})
            logits.append(found[0].reshape(2, len(crops), 2, -1))
            features.append(found[1].reshape(2, len(crops), 2, -1))
        return np.concatenate(logits, axis=1), np.concatenate(features, axis=1)

    def _read_chunk(self, crops: U8Array) -> F32Array:
        if self.head is None:
            logits = self._session.run(["logits"], {self._input: _both_ways(crops)})[0]
        else:
            seen, features = self.look(crops)
            logits = (seen + self.head.on(features)).reshape(2 * len(crops), 2, -1)
        return combine_directions(logits, self._temperature)


def _both_ways(crops: U8Array) -> U8Array:
    return np.concatenate([crops, crops[:, ::-1, ::-1]])


def combine_directions(logits: F32Array, temperature: float) -> F32Array:
    """Average the log-probabilities of both reading directions, and exclude tiles that show pips and a back at once.

    Args:
        logits: (2n, 2, k): the n tiles as they lie, then the same n tiles turned by 180 degrees.
        temperature: divides the logits; above 1 it makes the answers less sure.

    Returns:
        Natural log-probabilities, (n, 2, k) float32, halves as the tiles lie.
    """
    count = len(logits) // 2
    logp = _log_softmax(logits.astype(np.float64) / temperature)
    mean = (logp[:count] + logp[count:, ::-1]) / 2
    return _face_or_back(_log_softmax(mean)).astype(np.float32)


def _face_or_back(logp: F64Array) -> F64Array:
    """Marginals of both halves, given that one half cannot be face up and the other face down."""
    chances = np.exp(logp)
    possible = np.ones((logp.shape[-1],) * 2)
    possible[BACK_CLASS, :PIP_CLASSES] = possible[:PIP_CLASSES, BACK_CLASS] = 0
    joint = chances[:, 0, :, None] * chances[:, 1, None, :] * possible
    marginals = np.stack([joint.sum(axis=2), joint.sum(axis=1)], axis=1) + _LEAST
    return np.asarray(np.log(marginals / marginals.sum(axis=-1, keepdims=True)), dtype=np.float64)


def _log_softmax(values: F64Array) -> F64Array:
    shifted = values - values.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), dtype=np.float64)
