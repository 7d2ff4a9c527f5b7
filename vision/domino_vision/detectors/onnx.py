"""The detector at run time: an oriented-box YOLO network in ONNX, run by onnxruntime on the CPU."""

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from domino_vision.detectors.base import corners_of, suppress_by_face
from domino_vision.errors import ModelError
from domino_vision.types import Detections, F32Array, Face, U8Array
from domino_vision.weights import open_session

MIN_SCORE: Final = 0.05
"""Boxes below this score are dropped."""
MAX_OVERLAP: Final = 0.65
"""Boxes that overlap more are one tile; which of those that overlap less are tiles is for `apart` to say."""

_DEFAULT_SIDE: Final = 640
_MOST_FREE_PX: Final = 640
"""Longest side shown to a network of free size.

With 1280 one large window stands for several that overlap: on `photos/dev` 23 % fewer pixels, but three more false
tiles and a photograph fewer without an error, with a network that was trained on windows of 640.
"""
_STRIDE: Final = 32
"""Sides of what the network sees are multiples of this."""
_GREY: Final = 114
"""What fills the square beside the picture; the networks were trained with it."""
_MAX_BOXES: Final = 1000
"""Candidates looked at: bounds the time that a picture of noise takes."""
_FACES: Final = {"face_up": Face.UP, "face_down": Face.DOWN, "standing": Face.STANDING}


class OnnxDetector:
    """An oriented-box network without built-in suppression: output (1, 4 + classes + 1, n).

    The rows are centre x, centre y, width, height, a score for each class and an angle in radians.
    """

    def __init__(self, model: Path, threads: int = 2, min_score: float = MIN_SCORE) -> None:
        """Load a network.

        Args:
            model: the ONNX file; its metadata `names` say which class is `face_up`, `face_down`, `standing`.
            threads: processor threads to use.
            min_score: boxes below are dropped, 0 to 1.

        Raises:
            ModelError: `model_missing` if there is no such file, `model_broken` if it is no detector of tiles.
        """
        self._session = open_session(model, threads)
        self._min_score = min_score
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        names = self._session.get_modelmeta().custom_metadata_map.get("names", "")
        faces = _faces(names)
        shape = outputs[0].shape if outputs else []
        if faces is None or len(shape) != 3 or shape[1] != 4 + len(faces) + 1 or not _takes_pictures(inputs):
            msg = f"{model} is no oriented-box detector of tiles (classes {names or 'unnamed'}, output {shape})"
            raise ModelError("model_broken", msg, path=str(model))
        self._faces = faces
        self._input = inputs[0].name
        side = inputs[0].shape[2]
        self._fixed = isinstance(side, int)
        self._side = side if isinstance(side, int) else _DEFAULT_SIDE

    @property
    def side_px(self) -> int:
        """Side of the square that the network was trained to see, in pixels."""
        return self._side

    @property
    def most_px(self) -> int:
        """Longest side that the network can see at all; `side_px` if it sees squares only."""
        return self._side if self._fixed else max(self._side, _MOST_FREE_PX)

    def find(self, bgr: U8Array, scale: float | None = None) -> Detections:
        """Find the tiles of a picture in one look.

        A network of free size sees the picture alone, not the rest of the square, and needs less time for it.

        Args:
            bgr: (h, w, 3) uint8.
            scale: pixels of the network for each pixel of the picture; by default what makes the long side `side_px`,
                at most what makes it `most_px`.

        Returns:
            Corners in pixels of `bgr`, best first.
        """
        longest = max(bgr.shape[:2])
        shown = self._side / longest if scale is None else min(scale, self.most_px / longest)
        seen = letterbox(bgr, shown, self._side if self._fixed else None)
        blob = np.ascontiguousarray(seen[..., ::-1].transpose(2, 0, 1)[None], dtype=np.float32)
        blob *= np.float32(1 / 255)
        output = self._session.run(None, {self._input: blob})[0][0]
        return self._decode(output, shown)

    def _decode(self, output: F32Array, scale: float) -> Detections:
        scores = output[4:-1]
        best = scores.max(axis=0)
        picked = np.flatnonzero(best >= self._min_score)
        if len(picked) > _MAX_BOXES:
            picked = picked[np.argpartition(-best[picked], _MAX_BOXES)[:_MAX_BOXES]]
        if not len(picked):
            return Detections.none()
        boxes = np.concatenate([output[:4, picked], output[-1:, picked]]).T
        sound = np.isfinite(boxes).all(axis=1) & (boxes[:, 2:4].min(axis=1) > 0)
        picked, boxes = picked[sound], boxes[sound]
        corners = corners_of(boxes.astype(np.float32)) / np.float32(scale)
        kinds, at = np.nonzero(scores[:, picked] >= self._min_score)
        found = Detections(corners[at], self._faces[kinds], scores[:, picked][kinds, at].astype(np.float32))
        return suppress_by_face(found, MAX_OVERLAP)


def letterbox(bgr: U8Array, scale: float, side: int | None = None) -> U8Array:
    """Scale a picture into the upper left of a grey square, or of the least rectangle that networks take.

    Args:
        bgr: (h, w, 3) uint8.
        scale: pixels there for each pixel of the picture.
        side: of the square in pixels; None for the rectangle.
    """
    height, width = bgr.shape[:2]
    new_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    if new_wh != (width, height):
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        bgr = np.asarray(cv2.resize(bgr, new_wh, interpolation=way), dtype=np.uint8)
    wide, high = (side, side) if side is not None else (-(-part // _STRIDE) * _STRIDE for part in new_wh)
    seen = np.full((high, wide, 3), _GREY, dtype=np.uint8)
    seen[: new_wh[1], : new_wh[0]] = bgr
    return seen


def _takes_pictures(inputs: Sequence[Any]) -> bool:
    """Whether a network takes one float32 picture (1, 3, side, side), or one of any size."""
    if len(inputs) != 1 or inputs[0].type != "tensor(float)" or len(inputs[0].shape) != 4:
        return False
    batch, channels, height, width = inputs[0].shape
    fits = channels in (3, None) or isinstance(channels, str)
    free = not isinstance(height, int) and not isinstance(width, int)
    return fits and (batch == 1 or not isinstance(batch, int)) and (free or height == width)


def _faces(names: str) -> U8Array | None:
    """The face that each class of the network means, or None if it knows other classes."""
    try:
        classes = ast.literal_eval(names)
        return np.array([_FACES[classes[at]] for at in range(len(classes))], dtype=np.uint8)
    except (ValueError, SyntaxError, KeyError, TypeError):
        return None
