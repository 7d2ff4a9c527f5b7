"""A pin-hole camera over the table plane."""

import math
from dataclasses import dataclass

import numpy as np

from domino_vision.synth.paint import F64


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Projection of the table's world (x right, y away from the camera, z up; unit: a tile's width).

    Attributes:
        matrix: (3, 4) float64, world homogeneous to image homogeneous.
        position: (3,) camera centre.
        size_wh: picture size in pixels.
    """

    matrix: F64
    position: F64
    size_wh: tuple[int, int]

    def project(self, points: F64) -> F64:
        """Pixels (n, 2) of world points (n, 3)."""
        image = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        depth = np.maximum(image[:, 2:], 1e-6)
        return np.asarray(image[:, :2] / depth)

    def depth(self, points: F64) -> F64:
        """Distance (n,) of world points (n, 3) along the optical axis."""
        return np.asarray(points @ self.matrix[2, :3] + self.matrix[2, 3])

    def plane(self, z: float = 0.0) -> F64:
        """Homography (3, 3) from (x, y, 1) on the plane at height z to pixels."""
        return np.column_stack([self.matrix[:, 0], self.matrix[:, 1], self.matrix[:, 3] + z * self.matrix[:, 2]])


def lift(points: F64, z: float) -> F64:
    """(n, 2) table points as (n, 3) at height z."""
    return np.column_stack([points, np.full(len(points), z)])


def make_camera(
    size_wh: tuple[int, int],
    *,
    tilt_deg: float,
    fov_deg: float,
    length: float,
    fraction: float,
    roll_deg: float = 0.0,
    shift: tuple[float, float] = (0.0, 0.0),
) -> Camera:
    """A camera that looks at the table's origin.

    Args:
        size_wh: picture size in pixels.
        tilt_deg: height of the optical axis over the table, 90 = straight down.
        fov_deg: field of view along the picture's long side.
        length: tile length in world units.
        fraction: length of a tile at the origin, seen squarely, over the picture's long side.
        roll_deg: turn about the optical axis.
        shift: principal point's offset from the middle, as a share of the picture.
    """
    width, height = size_wh
    long_side = max(size_wh)
    focal = 0.5 * long_side / math.tan(math.radians(fov_deg) / 2)
    distance = focal * length / (fraction * long_side)
    tilt, roll = math.radians(tilt_deg), math.radians(roll_deg)
    forward = np.array([0.0, math.cos(tilt), -math.sin(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    down = np.cross(forward, right)
    c, s = math.cos(roll), math.sin(roll)
    rotation = np.stack([c * right + s * down, -s * right + c * down, forward])
    position = -forward * distance
    inner = np.array(
        [[focal, 0, width * (0.5 + shift[0])], [0, focal, height * (0.5 + shift[1])], [0, 0, 1.0]], dtype=np.float64
    )
    extrinsic = np.column_stack([rotation, -rotation @ position])
    return Camera(inner @ extrinsic, position, size_wh)
