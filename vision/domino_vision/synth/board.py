"""Pieces on the table plane: poses, footprints and collisions. Unit: a tile's width."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from domino_vision.synth.paint import F64

Join = tuple[int, str, int, str]
Fits = Callable[[F64], bool]


def unit(angle: float) -> F64:
    """Unit vector (2,) of an angle in radians."""
    return np.array([math.cos(angle), math.sin(angle)])


def footprint(centre: F64, angle: float, length: float, width: float = 1.0) -> F64:
    """Corners (4, 2) of a rectangle along ``angle``; corners 0 and 1 bound the end that ``angle`` points away from."""
    u, n = unit(angle) * (length / 2), unit(angle + math.pi / 2) * (width / 2)
    return np.stack([centre - u - n, centre - u + n, centre + u + n, centre + u - n])


def grown(quad: F64, margin: float) -> F64:
    """The rectangle with every edge moved outwards by ``margin`` (negative shrinks)."""
    centre = quad.mean(axis=0)
    along, across = quad[3] - quad[0], quad[1] - quad[0]
    u, n = along / np.linalg.norm(along), across / np.linalg.norm(across)
    signs = np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]])
    half = np.array([np.linalg.norm(along) / 2 + margin, np.linalg.norm(across) / 2 + margin])
    return np.asarray(centre + (signs * half) @ np.stack([u, n]))


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A tile or another rectangle on the table.

    Attributes:
        kind: "up" (face-up, lying), "down" (face-down, lying), "standing" or "thing".
        centre: (2,) table coordinates.
        angle: direction from the first to the second half, radians.
        length, width: footprint.
        halves: pips of first and second half; (-1, -1) where there are none.
    """

    kind: str
    centre: F64
    angle: float
    length: float
    width: float = 1.0
    halves: tuple[int, int] = (-1, -1)

    @property
    def quad(self) -> F64:
        """Footprint corners (4, 2), first half's short edge first, clockwise as the camera sees it."""
        return footprint(self.centre, self.angle, self.length, self.width)


@dataclass(slots=True, eq=False)
class Board:
    """Pieces laid so far; new ones are refused where they collide or fall outside the view."""

    length: float
    fits: Fits
    pieces: list[Piece] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)

    def clashes(self, quad: F64, gap: float, joined: int | None = None) -> bool:
        """Whether a footprint comes nearer than ``gap`` to a piece; the piece it is joined to may touch."""
        centre = quad.mean(axis=0)
        radius = float(np.linalg.norm(quad[0] - centre))
        wide = grown(quad, gap).astype(np.float32)
        tight = grown(quad, -0.04).astype(np.float32)
        for index, piece in enumerate(self.pieces):
            reach = radius + gap + math.hypot(piece.length, piece.width) / 2
            if float(np.hypot(*(piece.centre - centre))) > reach:
                continue
            mine = tight if index == joined else wide
            other = (grown(piece.quad, -0.04) if index == joined else piece.quad).astype(np.float32)
            if cv2.intersectConvexConvex(mine, other)[0] > 1e-4:
                return True
        return False

    def add(self, piece: Piece, gap: float, joined: int | None = None) -> int | None:
        """Lay a piece if there is room; its index, or None."""
        quad = piece.quad
        if not self.fits(quad) or self.clashes(quad, gap, joined):
            return None
        self.pieces.append(piece)
        return len(self.pieces) - 1
