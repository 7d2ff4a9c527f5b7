"""Triangle meshes: rounded tiles with engraved faces, turned bodies, capsules. Unit: a tile's width, z up."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.synth.paint import F32, F64

I64 = NDArray[np.int64]

FACE_SHARE = 0.8
"""Part of a tile's texture, from the top, that belongs to the face; then come the upper and the lower side."""
_UPPER_V, _LOWER_V = 0.85, 0.95
_LEAST_CORNER, _LEAST_BEVEL, _LEAST = 0.012, 0.004, 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles.

    Attributes:
        vertices: (n, 3) float64.
        normals: (n, 3) float64, unit, outwards.
        uv: (n, 2) float64, texture coordinates, u to the right and v down in the picture.
        faces: (m, 3) int64 vertex indices, counter-clockwise seen from outside.
    """

    vertices: F64
    normals: F64
    uv: F64
    faces: I64


@dataclass(frozen=True, slots=True, eq=False)
class Relief:
    """Heights of a face over its flat surface, (h, w) float32 in tile widths, w along the tile; never above 0."""

    heights: F32

    def at(self, x: F64, y: F64) -> tuple[F64, F64, F64]:
        """Height and its slopes along x and y at places of the face, x and y in -0.5..0.5 of length and width."""
        rows, columns = self.heights.shape
        px = ((x + 0.5) * columns - 0.5).astype(np.float32)
        py = ((0.5 - y) * rows - 0.5).astype(np.float32)
        along = cv2.Sobel(self.heights, cv2.CV_32F, 1, 0, scale=rows / 8)
        across = cv2.Sobel(self.heights, cv2.CV_32F, 0, 1, scale=-rows / 8)
        z, dx, dy = (
            cv2.remap(field, px, py, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
            for field in (self.heights, along, across)
        )
        return z, dx, dy


def _strip(first: I64, second: I64) -> I64:
    """Triangles between two closed rings of as many vertices, the first one above the second."""
    a, b = first, np.roll(first, -1)
    c, d = second, np.roll(second, -1)
    return np.vstack([np.column_stack([a, c, d]), np.column_stack([a, d, b])])


def _cap_grid(length: float, width: float, corner: float, step: float) -> tuple[F64, F64, F64]:
    """Grid (r, c, 2) over a rounded rectangle, and the outward normals (r, 2) of its right-hand side by row."""
    turn = np.linspace(0.0, math.pi / 2, max(3, math.ceil(corner * 1.57 / step)) + 1)[1:]
    middle = np.linspace(-1, 1, max(2, math.ceil((width - 2 * corner) / step) + 1)) * (width / 2 - corner)
    upper, reach = width / 2 - corner + corner * np.sin(turn), length / 2 - corner + corner * np.cos(turn)
    ys = np.concatenate([-upper[::-1], middle, upper])
    half = np.concatenate([reach[::-1], np.full(len(middle), length / 2), reach])
    xs = np.linspace(-1, 1, max(3, math.ceil(length / step) + 1))
    grid = np.stack([half[:, None] * xs[None], np.repeat(ys[:, None], len(xs), axis=1)], axis=-1)
    ones, zeros = np.ones(len(middle)), np.zeros(len(middle))
    cos, sin = np.cos(turn), np.sin(turn)
    sides = np.stack([np.concatenate([cos[::-1], ones, cos]), np.concatenate([-sin[::-1], zeros, sin])], axis=-1)
    return grid, sides, xs


def _rim(shape: tuple[int, int], sides: F64) -> tuple[I64, F64]:
    """Indices of a grid's outermost vertices, counter-clockwise, and their outward normals (k, 2)."""
    rows, columns = shape
    index = np.arange(rows * columns).reshape(rows, columns)
    ring = np.concatenate([index[0, :-1], index[:-1, -1], index[-1, :0:-1], index[:0:-1, 0]])
    right, left = sides[:-1], sides[:0:-1] * [-1, 1]
    down, up = np.tile([0.0, -1.0], (columns - 1, 1)), np.tile([0.0, 1.0], (columns - 1, 1))
    return ring, np.concatenate([down, right, up, left])


def tile_mesh(
    size: tuple[float, float, float],
    corner: float,
    bevel: float,
    *,
    relief: Relief | None = None,
    seam: float = 0.0,
    step: float = 0.05,
) -> Mesh:
    """A closed box with rounded corners and edges, standing on z = 0 about the z axis.

    Args:
        size: length (x), width (y), height (z).
        corner: radius of the four upright edges.
        bevel: radius of the edges about the upper and the lower face.
        relief: engraving of the upper face.
        seam: height at which the texture of the lower side takes over from that of the upper side.
        step: size of the triangles on the upper face.

    Returns:
        The mesh. Upper face and upper edges show the upper ``FACE_SHARE`` of the texture, laid over the footprint
        with its left side at -x and its upper side at +y; the sides show what is below that.
    """
    length, width, height = size
    bevel = min(max(bevel, _LEAST_BEVEL), 0.45 * height, 0.2 * width)
    corner = min(max(corner, bevel + _LEAST_CORNER), 0.4999 * width)
    grid, sides, _ = _cap_grid(length - 2 * bevel, width - 2 * bevel, corner - bevel, step)
    rows, columns = grid.shape[:2]
    flat = grid.reshape(-1, 2)
    ring, out = _rim((rows, columns), sides)
    z, dx, dy = np.zeros(len(flat)), np.zeros(len(flat)), np.zeros(len(flat))
    if relief is not None:
        z, dx, dy = (f.ravel() for f in relief.at(flat[:, :1] / length, flat[:, 1:] / width))
        z[ring], dx[ring], dy[ring] = 0.0, 0.0, 0.0
    up = np.column_stack([-dx, -dy, np.ones(len(flat))])
    parts = _Parts()
    cells = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (cells[r, s].ravel() for r in (slice(None, -1), slice(1, None)) for s in (np.s_[:-1], np.s_[1:]))
    face_uv = _face_uv(flat, length, width)
    parts.add(np.column_stack([flat, height + z]), up, face_uv)
    parts.faces += [np.column_stack([a, b, d]), np.column_stack([a, d, c])]

    rim = flat[ring]
    turn = np.linspace(0, math.pi / 2, 6 if bevel > 0.01 else 3)
    upper = [(bevel * math.sin(t), height - bevel * (1 - math.cos(t)), t) for t in turn]
    around = np.linspace(0, 1, len(ring))
    last = ring
    for offset, level, angle in upper[1:]:
        place = rim + out * offset
        slant = np.column_stack([out * math.sin(angle), np.full(len(out), math.cos(angle))])
        last = parts.ring(
            np.column_stack([place, np.full(len(out), level)]), slant, _face_uv(place, length, width), last
        )
    outer = rim + out * bevel
    seam = min(max(seam, bevel), height - bevel)
    level_out = np.column_stack([out, np.zeros(len(out))])
    bands = ((height - bevel, seam, _UPPER_V), (seam, bevel, _LOWER_V))
    for top, bottom, v in (band for band in bands if band[0] - band[1] > _LEAST):
        uv = np.column_stack([around, np.full(len(out), v)])
        start = parts.ring(np.column_stack([outer, np.full(len(out), top)]), level_out, uv, None)
        last = parts.ring(np.column_stack([outer, np.full(len(out), bottom)]), level_out, uv, start)
    under = np.column_stack([around, np.full(len(out), _LOWER_V)])
    for offset, level, angle in reversed(upper[:-1]):
        slant = np.column_stack([out * math.sin(angle), np.full(len(out), -math.cos(angle))])
        last = parts.ring(np.column_stack([rim + out * offset, np.full(len(out), height - level)]), slant, under, last)
    hub = parts.add(np.zeros((1, 3)), np.array([[0, 0, -1.0]]), np.array([[0.5, _LOWER_V]]))
    parts.faces.append(np.column_stack([last, np.full(len(last), hub[0]), np.roll(last, -1)]))
    return parts.mesh()


def _face_uv(points: F64, length: float, width: float) -> F64:
    return np.column_stack([points[:, 0] / length + 0.5, (0.5 - points[:, 1] / width) * FACE_SHARE])


class _Parts:
    """Vertices and faces collected step by step."""

    def __init__(self) -> None:
        self._vertices: list[F64] = []
        self._normals: list[F64] = []
        self._uv: list[F64] = []
        self.faces: list[I64] = []
        self._count = 0

    def add(self, vertices: F64, normals: F64, uv: F64) -> I64:
        """Add vertices; their indices."""
        index = np.arange(self._count, self._count + len(vertices))
        self._vertices.append(vertices)
        self._normals.append(normals / np.linalg.norm(normals, axis=1, keepdims=True))
        self._uv.append(uv)
        self._count += len(vertices)
        return index

    def ring(self, vertices: F64, normals: F64, uv: F64, above: I64 | None) -> I64:
        """Add a closed ring of vertices, joined to the ring above it; its indices."""
        index = self.add(vertices, normals, uv)
        if above is not None:
            self.faces.append(_strip(above, index))
        return index

    def mesh(self) -> Mesh:
        """What was collected, as one mesh."""
        return Mesh(
            np.vstack(self._vertices),
            np.vstack(self._normals),
            np.vstack(self._uv),
            np.vstack(self.faces).astype(np.int64),
        )


def lathe(profile: F64, segments: int = 32) -> Mesh:
    """A body of revolution about the z axis.

    Args:
        profile: (k, 2) radius and z from the lower to the upper end of the outline, the body on its left.
        segments: how many sides.
    """
    phi = np.linspace(0, 2 * math.pi, segments + 1)
    tangent = np.gradient(profile, axis=0)
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-12)
    radius, z = profile[:, :1], profile[:, 1:]
    cos, sin = np.cos(phi)[None], np.sin(phi)[None]
    vertices = np.stack([radius * cos, radius * sin, np.repeat(z, segments + 1, axis=1)], axis=-1).reshape(-1, 3)
    nr, nz = tangent[:, 1:], -tangent[:, :1]
    normals = np.stack([nr * cos, nr * sin, np.repeat(nz, segments + 1, axis=1)], axis=-1).reshape(-1, 3)
    v = np.repeat(np.linspace(0, 1, len(profile))[:, None], segments + 1, axis=1)
    uv = np.stack([np.repeat((phi / (2 * math.pi))[None], len(profile), axis=0), v], axis=-1).reshape(-1, 2)
    index = np.arange(len(vertices)).reshape(len(profile), segments + 1)
    a, b, c, d = index[:-1, :-1].ravel(), index[:-1, 1:].ravel(), index[1:, :-1].ravel(), index[1:, 1:].ravel()
    faces = np.vstack([np.column_stack([a, b, d]), np.column_stack([a, d, c])])
    corners = vertices[faces]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    return Mesh(vertices, normals, uv, faces[area > 1e-12].astype(np.int64))


def ball(radii: tuple[float, float, float], steps: int = 14) -> Mesh:
    """An ellipsoid about the origin with the given half axes."""
    phi = np.linspace(-math.pi / 2, math.pi / 2, steps)
    unit = lathe(np.column_stack([np.cos(phi).round(12), np.sin(phi)]), 2 * steps)
    normals = unit.vertices / np.asarray(radii)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return replace(unit, vertices=unit.vertices * np.asarray(radii), normals=normals)


def capsule(start: F64, stop: F64, radius: float, end_radius: float | None = None, steps: int = 8) -> Mesh:
    """A round-ended rod from one point (3,) to another, its radius changing evenly to ``end_radius``."""
    far = radius if end_radius is None else end_radius
    span = float(np.linalg.norm(stop - start))
    phi = np.linspace(0, math.pi / 2, steps)
    low = np.column_stack([radius * np.sin(phi), -radius * np.cos(phi)])
    high = np.column_stack([far * np.cos(phi).round(12), span + far * np.sin(phi)])
    axis = (stop - start) / max(span, 1e-9)
    helper = np.array([1.0, 0, 0]) if abs(axis[0]) < 0.9 else np.array([0, 1.0, 0])
    side = np.cross(axis, helper)
    side /= np.linalg.norm(side)
    return placed(lathe(np.vstack([low, high]), 3 * steps), np.column_stack([side, np.cross(axis, side), axis]), start)


def placed(mesh: Mesh, rotation: F64, shift: F64) -> Mesh:
    """The mesh turned by a rotation (3, 3) and then moved by (3,)."""
    return replace(mesh, vertices=mesh.vertices @ rotation.T + shift, normals=mesh.normals @ rotation.T)


def about_z(angle: float) -> F64:
    """Rotation (3, 3) about the z axis, radians."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
