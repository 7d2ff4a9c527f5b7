"""A detector that is played by a plain function: it knows where the tiles of its own picture lie, however warped."""

import cv2
import numpy as np

from domino_vision.detectors.base import corners_of, lengths_px
from domino_vision.types import Detections, U8Array

_STEP = 16
"""Each pixel of the picture holds its own place in these units."""


def tile(x: float, y: float, length: float, angle: float = 0.0) -> np.ndarray:
    """Return the corners of a tile half as wide as long."""
    return corners_of(np.array([[x, y, length, length / 2, angle]], np.float32))[0]


def found(*quads: np.ndarray, score: float = 0.9) -> Detections:
    """Return face-up tiles of one score."""
    n = len(quads)
    corners = np.array(quads, np.float32).reshape(n, 4, 2)
    return Detections(corners, np.zeros(n, np.uint8), np.full(n, score, np.float32))


class Tables:
    """A detector that sees the tiles of a table only when they are of a length that it knows.

    Attributes:
        picture: the table from where it stands.
        looks: the scale of every look so far.
        square: whether it knows right-angled tiles only, about twice as long as wide.
    """

    side_px = 640
    most_px = 640

    def __init__(self, tiles: list[np.ndarray], size: int, least: float, most: float, *, square: bool = False) -> None:
        self._tiles, self._least, self._most = tiles, least, most
        self.square = square
        self.looks: list[float] = []
        ys, xs = np.mgrid[0:size, 0:size]
        self.picture = np.stack([xs // _STEP, ys // _STEP, np.ones_like(xs)], axis=2).astype(np.uint8)

    def find(self, bgr: U8Array, scale: float | None = None) -> Detections:
        """See the tiles of the picture, or of a part or view of it."""
        shown = scale or self.side_px / max(bgr.shape[:2])
        self.looks.append(shown)
        to_view = _place_of(bgr)
        seen = []
        if to_view is None:
            return Detections.none()
        for quad in self._tiles:
            view = cv2.perspectiveTransform(quad[None].astype(np.float64), to_view)[0]
            middle = view.mean(axis=0)
            length = float(lengths_px(view[None].astype(np.float32))[0]) * shown
            here = (middle >= 0).all() and (middle < bgr.shape[1::-1]).all()
            if here and self._least <= length <= self._most and (not self.square or _right_angled(view)):
                seen.append(view)
        return found(*seen)


def _place_of(bgr: U8Array) -> np.ndarray | None:
    """Return the homography from the whole picture to what is shown of it."""
    ys, xs = (axis.ravel() for axis in np.mgrid[0 : bgr.shape[0] : 3, 0 : bgr.shape[1] : 3])
    values = bgr[ys, xs]
    known = values[:, 2] == 1
    if known.sum() < 50:
        return None
    places = values[known, :2] * float(_STEP) + _STEP / 2
    return np.asarray(cv2.findHomography(places, np.column_stack([xs, ys])[known] + 0.5)[0])


def _right_angled(quad: np.ndarray) -> bool:
    along, across = quad[2] - quad[1], quad[1] - quad[0]
    long, wide = np.linalg.norm(along), np.linalg.norm(across)
    return bool(abs(along @ across) < 0.15 * long * wide and 1.7 < long / wide < 2.4)
