"""Where labels go: beside tiles, never on one, never on another label, always inside the picture."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from domino_vision.types import F32Array, F64Array

_CELL: Final = 4
"""The picture is divided into cells of this many pixels."""
_DIRECTIONS: Final = 16
_RINGS: Final = (8, 16)
"""How far out a place is looked for: first one that clearly belongs to the tile, then any."""
_LABEL: Final = -1
"""Owner of the cells under a label."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels: left, top, right, bottom."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle, x and y."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def nearest(self, point: F64Array) -> F64Array:
        """Return the point of the box (2,) nearest to a point (2,)."""
        return np.clip(point, (self.left, self.top), (self.right, self.bottom))


class Places:
    """Keeps account of what is taken."""

    def __init__(self, size_wh: tuple[int, int], quads_px: F32Array) -> None:
        """Start with the tiles taken.

        Args:
            size_wh: of the picture in pixels.
            quads_px: (n, 4, 2) all tiles, in pixels of the picture.
        """
        self._size_wh = size_wh
        self._quads = quads_px.astype(np.float64)
        shape = (math.ceil(size_wh[1] / _CELL), math.ceil(size_wh[0] / _CELL))
        self._owner = np.zeros(shape, dtype=np.int32)
        for index, quad in enumerate(quads_px):
            cv2.fillConvexPoly(self._owner, np.round(quad / _CELL).astype(np.int32), index + 1)
        self._taken = (self._owner > 0).astype(np.uint8)
        self._sums = cv2.integral(self._taken)

    def place(self, anchor: F64Array, wh: tuple[float, float], out: F64Array, tile: int, step: float) -> Box | None:
        """Take the nearest free place for a label.

        Args:
            anchor: (2,) the point it belongs to, on the edge of its tile.
            wh: width and height of the label in pixels.
            out: (2,) unit vector of the direction in which it should go, if it can.
            tile: index of its tile; the line from label to tile crosses no other.
            step: how far each further ring of places lies outwards, in pixels.

        Returns:
            The place, or None where there is none within reach.
        """
        for strict, rings in zip((True, False), _RINGS, strict=True):
            for box in _candidates(anchor, wh, out, step, rings):
                if self._free(box) and self._sees(box, tile) and (not strict or self._clearly_of(box, tile)):
                    self.take(box)
                    self._take_line(box, tile)
                    return box
        return None

    def take(self, box: Box) -> None:
        """Mark a place as taken."""
        x0, y0, x1, y1 = self._cells(box, pad=1)
        self._taken[y0:y1, x0:x1] = 1
        self._owner[y0:y1, x0:x1] = _LABEL
        self._sums = cv2.integral(self._taken)

    def _take_line(self, box: Box, tile: int) -> None:
        start, end = (tuple(int(v) for v in point / _CELL) for point in self.leader(box, tile))
        cv2.line(self._taken, start, end, 1, 2)
        self._sums = cv2.integral(self._taken)

    def _clearly_of(self, box: Box, tile: int) -> bool:
        """Whether no other tile is about as near to a label as its own."""
        feet = _on_outlines(self._quads, np.array(box.middle))
        away = np.linalg.norm(np.clip(feet, (box.left, box.top), (box.right, box.bottom)) - feet, axis=1)
        own = float(away[tile])
        away[tile] = np.inf
        return bool(own * 1.3 + 2 < away.min())

    def _free(self, box: Box) -> bool:
        width, height = self._size_wh
        if box.left < 2 or box.top < 2 or box.right > width - 2 or box.bottom > height - 2:
            return False
        x0, y0, x1, y1 = self._cells(box, pad=1)
        sums = self._sums
        return int(sums[y1, x1]) - int(sums[y0, x1]) - int(sums[y1, x0]) + int(sums[y0, x0]) == 0

    def leader(self, box: Box, tile: int) -> tuple[F64Array, F64Array]:
        """Return the shortest line from a label to the outline of its tile: two points (2,)."""
        start = box.nearest(self._quads[tile].mean(axis=0))
        end = _on_outlines(self._quads[tile : tile + 1], start)[0]
        start = box.nearest(end)
        return start, _on_outlines(self._quads[tile : tile + 1], start)[0]

    def _sees(self, box: Box, tile: int) -> bool:
        """Whether the line from label to tile stays clear of other tiles."""
        start, end = self.leader(box, tile)
        count = int(np.linalg.norm(end - start) / _CELL) + 2
        points = (np.linspace(start, end, count) / _CELL).astype(int)
        height, width = self._owner.shape
        owners = self._owner[np.clip(points[:, 1], 0, height - 1), np.clip(points[:, 0], 0, width - 1)]
        return bool(np.isin(owners, (0, tile + 1)).all())

    def _cells(self, box: Box, pad: int) -> tuple[int, int, int, int]:
        height, width = self._taken.shape
        x0, y0 = max(0, int(box.left / _CELL) - pad), max(0, int(box.top / _CELL) - pad)
        x1, y1 = min(width, math.ceil(box.right / _CELL) + pad), min(height, math.ceil(box.bottom / _CELL) + pad)
        return x0, y0, max(x0, x1), max(y0, y1)


def _around(middle: F64Array, wh: tuple[float, float]) -> Box:
    x, y = float(middle[0]), float(middle[1])
    return Box(x - wh[0] / 2, y - wh[1] / 2, x + wh[0] / 2, y + wh[1] / 2)


def _on_outlines(quads: F64Array, point: F64Array) -> F64Array:
    """The point of each quad's outline (n, 2) nearest to a point (2,)."""
    side = np.roll(quads, -1, axis=1) - quads
    share = ((point - quads) * side).sum(axis=2) / np.maximum((side**2).sum(axis=2), 1e-9)
    feet = quads + np.clip(share, 0, 1)[..., None] * side
    nearest = ((feet - point) ** 2).sum(axis=2).argmin(axis=1)
    return np.asarray(feet[np.arange(len(quads)), nearest])


def _candidates(anchor: F64Array, wh: tuple[float, float], out: F64Array, step: float, rings: int) -> Iterator[Box]:
    """Places around a point, the nearest and those in the wanted direction first."""
    start = math.atan2(out[1], out[0])
    turns = sorted(range(_DIRECTIONS), key=lambda k: min(k, _DIRECTIONS - k))
    for ring in range(1, rings + 1):
        for turn in turns:
            angle = start + 2 * math.pi * turn / _DIRECTIONS
            away = np.array([math.cos(angle), math.sin(angle)])
            reach = ring * step + abs(away[0]) * wh[0] / 2 + abs(away[1]) * wh[1] / 2
            yield _around(anchor + away * reach, wh)
