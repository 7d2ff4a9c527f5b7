"""Values that pass between the stages of vision. Arrays are validated where they are made.

Pixel coordinates `_px` have x right, y down, origin at the outer corner of the first pixel of the stored picture;
table coordinates `_mm` lie in the table plane, in millimetres, x right and y down as seen in the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from domino_rules.layout import Layout
from domino_rules.tile import Tile

U8Array = NDArray[np.uint8]
F32Array = NDArray[np.float32]
F64Array = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

PIP_CLASSES = 13
"""Classes 0 to 12 are pips."""
BACK_CLASS = 13
"""Class of a half that shows no face: the tile lies face down."""
UNREADABLE_CLASS = 14
"""Class of a half that no person could read."""
HALF_CLASSES = 15


class Face(IntEnum):
    """How a tile lies; the numbers are the detector's classes."""

    UP = 0
    DOWN = 1
    STANDING = 2


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture: BGR uint8 of shape (height, width, 3), with the time in monotonic seconds at which it was taken."""

    bgr: U8Array
    at: float = 0.0

    def __post_init__(self) -> None:
        if self.bgr.ndim != 3 or self.bgr.shape[2] != 3 or self.bgr.dtype != np.uint8:
            raise ValueError(f"a frame is uint8 of shape (h, w, 3), not {self.bgr.dtype} of shape {self.bgr.shape}")

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.bgr.shape[1], self.bgr.shape[0]


@dataclass(frozen=True, slots=True)
class Detections:
    """Tiles found in a frame.

    Attributes:
        corners_px: shape (n, 4, 2) float32; corners 0-1 and 2-3 are the short edges, going round.
        face: shape (n,) uint8, values of `Face`.
        score: shape (n,) float32, 0 to 1.
    """

    corners_px: F32Array
    face: U8Array
    score: F32Array

    def __post_init__(self) -> None:
        n = len(self.corners_px)
        _check("corners_px", self.corners_px, (n, 4, 2), np.float32)
        _check("face", self.face, (n,), np.uint8)
        _check("score", self.score, (n,), np.float32)

    def __len__(self) -> int:
        return len(self.corners_px)

    def where(self, mask: NDArray[np.bool_] | IntArray) -> Detections:
        """Return the detections picked by a boolean mask or an index array."""
        return Detections(self.corners_px[mask], self.face[mask], self.score[mask])

    @classmethod
    def none(cls) -> Detections:
        """Return no detections."""
        return cls(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.uint8), np.zeros(0, np.float32))

    @classmethod
    def together(cls, parts: Sequence[Detections]) -> Detections:
        """Return the detections of all parts, one part after the other."""
        if not parts:
            return cls.none()
        corners = np.concatenate([part.corners_px for part in parts])
        face = np.concatenate([part.face for part in parts])
        return cls(corners, face, np.concatenate([part.score for part in parts]))


@dataclass(frozen=True, slots=True)
class TileReadings:
    """Tiles with a distribution over each half.

    Attributes:
        corners_px: shape (n, 4, 2) float32; corners 0-1 the short edge at the first half's end, 2-3 at the second's.
        face: shape (n,) uint8, values of `Face`.
        score: shape (n,) float32, the detector's.
        half_logp: shape (n, 2, 15) float32, natural log; classes 0 to 12 pips, 13 back, 14 unreadable.
    """

    corners_px: F32Array
    face: U8Array
    score: F32Array
    half_logp: F32Array

    def __post_init__(self) -> None:
        n = len(self.corners_px)
        _check("corners_px", self.corners_px, (n, 4, 2), np.float32)
        _check("face", self.face, (n,), np.uint8)
        _check("score", self.score, (n,), np.float32)
        _check("half_logp", self.half_logp, (n, 2, HALF_CLASSES), np.float32)

    def __len__(self) -> int:
        return len(self.corners_px)


Part = Literal["a", "b", "m"]
"""Where a tile is joined: at its first half's end, its second half's end, or the middle of a long side."""


@dataclass(frozen=True, slots=True)
class Join:
    """Two tiles (by index into the readings) that touch, and where on each."""

    a: int
    a_part: Part
    b: int
    b_part: Part

    def __str__(self) -> str:
        return f"{self.a}{self.a_part}~{self.b}{self.b_part}"


class TileRole(Enum):
    """What a tile is doing on the table."""

    CHAIN = "chain"
    LOOSE = "loose"
    DOWN = "down"
    STANDING = "standing"


@dataclass(frozen=True, slots=True)
class ReadTile:
    """One tile as decoded.

    Attributes:
        quad_px: shape (4, 2) float32, corners 0-1 the short edge at the first half's end.
        quad_mm: the same in the table plane.
        halves: pips of the first and the second half; None for a tile whose face is not seen.
        confidence: probability that both halves are right (for a face-down or standing tile: that it is one), 0 to 1.
        role: chain, loose, down or standing.
        half_confidence: probability of each half's pips; None for a tile whose face is not seen.
    """

    quad_px: F32Array
    quad_mm: F32Array
    halves: tuple[int, int] | None
    confidence: float
    role: TileRole
    half_confidence: tuple[float, float] | None = None

    @property
    def tile(self) -> Tile | None:
        """The tile, where its face is seen."""
        return None if self.halves is None else Tile(*self.halves)


@dataclass(frozen=True, slots=True)
class TableProblem:
    """Something about a table that a person should know: a stable code, tile indices, parameters."""

    code: str
    tiles: tuple[int, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableObservation:
    """What lies on the table in one frame; vision's last word, not yet a game.

    Attributes:
        size_wh: width and height of the frame in pixels.
        tiles: all tiles seen.
        joins: the joins of the chain.
        layouts: the line of play as a layout, one for each double that may be the spinner (one if that is known or no
            double qualifies); none if nothing is joined and it is unclear what was laid first.
        open_end_count: sum over the tips of the chain, None without a chain.
        count_confidence: probability that `open_end_count` is right, 0 to 1.
        questions: why a person should look, because the count, a tile or whether a join is legal may be wrong; codes
            `tile_unsure`, `count_unsure`, `join_unsure`, `legality_unsure`, `overruled`, and those of `problems` on
            which the count hangs.
        problems: what a person should know, all at once.
        px_to_mm: shape (3, 3) float64 homography from pixels to the table plane.
        tile_px: length of a typical tile in pixels, 0 if there is none.
        timings_ms: milliseconds by stage (`detect`, `read`, `assemble`, `whole`).
    """

    size_wh: tuple[int, int]
    tiles: tuple[ReadTile, ...]
    joins: tuple[Join, ...]
    layouts: tuple[Layout, ...]
    open_end_count: int | None
    count_confidence: float
    questions: tuple[TableProblem, ...]
    problems: tuple[TableProblem, ...]
    px_to_mm: F64Array
    tile_px: float
    timings_ms: dict[str, float]

    @property
    def ask(self) -> bool:
        """Whether a person should look."""
        return bool(self.questions)

    @property
    def layout(self) -> Layout | None:
        """The first of the possible layouts."""
        return self.layouts[0] if self.layouts else None

    def with_role(self, role: TileRole) -> tuple[ReadTile, ...]:
        """Return the tiles in one role."""
        return tuple(tile for tile in self.tiles if tile.role is role)


def _check(name: str, array: NDArray[Any], shape: tuple[int, ...], dtype: type) -> None:
    if array.shape != shape or array.dtype != dtype:
        expected = np.dtype(dtype).name
        raise ValueError(f"{name} is {expected} of shape {shape}, not {array.dtype} of shape {array.shape}")
