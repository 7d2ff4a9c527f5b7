"""Read the pips of tiles whose corners are known: a distribution for each half, never just a label."""

from pathlib import Path
from typing import Any

import numpy as np

from domino_vision.errors import ModelError
from domino_vision.rectify import rectify_tiles
from domino_vision.types import BACK_CLASS, PIP_CLASSES, F32Array, F64Array, U8Array

CLASSES = (*(str(pips) for pips in range(PIP_CLASSES)), "back", "unreadable")
"""Names of the classes of a half, in the order of the last axis of the log-probabilities."""

_LEAST = 1e-12
"""No class is ever quite impossible, so that logarithms stay finite."""
_CHUNK = 64
"""Tiles read in one run of the network: bounds the memory of a picture full of false tiles."""


class TileReader:
    """A trained reader network, run by onnxruntime on the CPU.

    The file's metadata says how tiles must be cut out (`size_wh`, `margin`) and how its logits are calibrated
    (`temperature`).
    """

    def __init__(self, model: Path, threads: int = 2) -> None:
        """Load a network.

        Args:
            model: the ONNX file: input uint8 (n, h, w, 3) BGR crops, output float32 (n, 2, 15) logits.
            threads: processor threads to use.

        Raises:
            ModelError: `model_missing` if there is no such file, `model_broken` if it is no reader network.
        """
        if not model.is_file():
            raise ModelError("model_missing", f"no reader network at {model}", path=str(model))
        self._session = _open_session(model, threads)
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

    def _read_chunk(self, crops: U8Array) -> F32Array:
        both = np.concatenate([crops, crops[:, ::-1, ::-1]])
        logits = self._session.run(None, {self._input: both})[0]
        return combine_directions(logits, self._temperature)


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


def _open_session(model: Path, threads: int) -> Any:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own errors share no public base
        raise ModelError("model_broken", f"{model} is no network that can be run", path=str(model)) from error
