"""A pin-hole with its pose, and the lens distortion that follows it."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from domino_vision.synth.camera import Camera
from domino_vision.synth.paint import F32, F64


@dataclass(frozen=True, slots=True, eq=False)
class PinHole:
    """A camera taken apart.

    Attributes:
        focal: focal length in pixels.
        centre: (2,) principal point in pixels, pixel centres at .5.
        rotation: (3, 3), rows right, down and forward in the world.
        position: (3,) camera centre.
    """

    focal: float
    centre: F64
    rotation: F64
    position: F64


def take_apart(camera: Camera) -> PinHole:
    """Focal length, principal point and pose of a camera without skew and with square pixels."""
    forward = camera.matrix[2, :3]
    cx, cy = float(camera.matrix[0, :3] @ forward), float(camera.matrix[1, :3] @ forward)
    right, down = camera.matrix[0, :3] - cx * forward, camera.matrix[1, :3] - cy * forward
    focal = float(np.linalg.norm(right))
    rotation = np.stack([right / focal, down / focal, forward])
    return PinHole(focal, np.array([cx, cy]), rotation, camera.position)


def snapped(camera: Camera) -> Camera:
    """The camera with its principal point moved to the nearest whole pixel."""
    centre = take_apart(camera).centre
    matrix = camera.matrix.copy()
    matrix[:2] += (np.rint(centre) - centre)[:, None] * matrix[2]
    return Camera(matrix, camera.position, camera.size_wh)


@dataclass(frozen=True, slots=True, eq=False)
class Distortion:
    """Radial distortion, given as the way back: a pixel's place without it is at 1 + k1 r² + k2 r⁴ times its radius.

    The radius r is 1 at half the picture's diagonal. Positive ``k1`` bends lines outwards (barrel), negative inwards.

    Attributes:
        centre: (2,) pixels.
        size_wh: picture size.
        k1, k2: coefficients.
    """

    centre: F64
    size_wh: tuple[int, int]
    k1: float = 0.0
    k2: float = 0.0

    @property
    def _unit(self) -> float:
        return math.hypot(*self.size_wh) / 2

    def undo(self, points: F64) -> F64:
        """Pixels (n, 2) of a pin-hole picture for pixels (n, 2) of the distorted one."""
        ray = (points - self.centre) / self._unit
        square = (ray**2).sum(axis=-1, keepdims=True)
        return np.asarray(self.centre + ray * self._unit * (1 + self.k1 * square + self.k2 * square**2))

    def apply(self, points: F64) -> F64:
        """Pixels (n, 2) of the distorted picture for pixels (n, 2) of a pin-hole picture."""
        ray = (points - self.centre) / self._unit
        goal = np.linalg.norm(ray, axis=-1, keepdims=True)
        radius = goal.copy()
        for _ in range(30):
            square = radius**2
            slope = 1 + 3 * self.k1 * square + 5 * self.k2 * square**2
            radius = radius - (radius * (1 + self.k1 * square + self.k2 * square**2) - goal) / np.maximum(slope, 0.2)
        return np.asarray(self.centre + ray * self._unit * np.where(goal > 1e-9, radius / np.maximum(goal, 1e-9), 1.0))

    @property
    def margin(self) -> int:
        """Pixels by which a pin-hole picture must reach beyond the distorted one on every side."""
        width, height = self.size_wh
        x, y = np.linspace(0, width, 33), np.linspace(0, height, 33)
        edge = np.vstack([np.column_stack([x, np.full(33, v)]) for v in (0, height)])
        edge = np.vstack([edge, *(np.column_stack([np.full(33, u), y]) for u in (0, width))])
        back = self.undo(edge.astype(np.float64))
        over = max(-float(back.min()), float((back - [width, height]).max()))
        return max(0, math.ceil(over)) + 1

    def bend(self, picture: F32) -> F32:
        """The distorted picture (h, w, c) of a pin-hole picture that reaches ``margin`` pixels beyond every side."""
        width, height = self.size_wh
        xs, ys = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
        back = self.undo(np.column_stack([xs.ravel(), ys.ravel()]).astype(np.float64)) + self.margin - 0.5
        maps = back.reshape(height, width, 2).astype(np.float32)
        return np.asarray(cv2.remap(picture, maps[:, :, 0], maps[:, :, 1], cv2.INTER_LINEAR), dtype=np.float32)
