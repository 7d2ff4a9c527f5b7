"""The detector as a `.pt` file: for those who train, where the extra `train` is installed."""

from pathlib import Path
from typing import Final

import numpy as np

from domino_vision.detectors.base import suppress_by_face
from domino_vision.detectors.onnx import MAX_OVERLAP, MIN_SCORE, letterbox
from domino_vision.errors import ModelError
from domino_vision.types import Detections, Face, U8Array

_FACES: Final = {"face_up": Face.UP, "face_down": Face.DOWN, "standing": Face.STANDING}
_SIDE_PX: Final = 640


class UltralyticsDetector:
    """An oriented-box network run by ultralytics; slower than ONNX, for looking at a training run."""

    def __init__(self, model: Path, min_score: float = MIN_SCORE) -> None:
        """Load a `.pt` file.

        Raises:
            ModelError: `extra_missing` without ultralytics, `model_missing`, or `model_broken` if the file is no
                oriented-box detector of tiles.
        """
        if not model.is_file():
            raise ModelError("model_missing", f"no model at {model}", path=str(model))
        try:
            from ultralytics import YOLO
        except ImportError as error:
            msg = f"{model.name} needs the extra: pip install 'dominotable[train]'; or use its .onnx file"
            raise ModelError("extra_missing", msg, path=str(model), extra="train") from error
        try:
            self._network = YOLO(str(model), task="obb")
            names = self._network.names
            self._faces = np.array([_FACES[names[at]] for at in range(len(names))], dtype=np.uint8)
        except Exception as error:  # whatever unpickling raises
            raise ModelError("model_broken", f"{model} is no detector of tiles", path=str(model)) from error
        self._min_score = min_score

    @property
    def side_px(self) -> int:
        """Side of the square that the network sees, in pixels."""
        return _SIDE_PX

    @property
    def most_px(self) -> int:
        """Longest side that the network is shown: `side_px`."""
        return _SIDE_PX

    def find(self, bgr: U8Array, scale: float | None = None) -> Detections:
        """Find the tiles of a picture in one look; corners in its pixels, best first.

        Args:
            bgr: (h, w, 3) uint8 BGR.
            scale: pixels of the network for each pixel of the picture; by default, and at most, what makes the long
                side `side_px`.
        """
        most = self.side_px / max(bgr.shape[:2])
        shown = most if scale is None else min(scale, most)
        seen = letterbox(bgr, shown, self.side_px)
        result = self._network.predict(
            seen, imgsz=self.side_px, conf=self._min_score, iou=0.7, agnostic_nms=False, verbose=False, device="cpu"
        )[0]
        if result.obb is None or not len(result.obb):
            return Detections.none()
        corners = result.obb.xyxyxyxy.cpu().numpy().astype(np.float32) / np.float32(shown)
        first, second = (np.linalg.norm(corners[:, k + 1] - corners[:, k], axis=1) for k in (0, 1))
        corners = np.where((first <= second)[:, None, None], corners, np.roll(corners, -1, axis=1))
        score = result.obb.conf.cpu().numpy().astype(np.float32)
        face = self._faces[result.obb.cls.cpu().numpy().astype(int)]
        return suppress_by_face(Detections(corners, face, score), MAX_OVERLAP)
