"""Table tops and what is below and beyond them."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from domino_vision.render.mesh import Mesh, about_z, placed, tile_mesh
from domino_vision.render.solids import Material, Solid
from domino_vision.synth.board import Piece
from domino_vision.synth.paint import F64, U8, Colour, hsv
from domino_vision.synth.tables import named_texture, table_texture

_FAR = 400.0
_FLOOR = -28.0


@dataclass(frozen=True, slots=True)
class TableTop:
    """A kind of table top: its texture's name ("any" for one at random), and ranges of its surface."""

    texture: str
    chance: float
    roughness: tuple[float, float]
    coat: float = 0.0
    sheen: float = 0.0


TABLE_TOPS = {
    "felt": TableTop("felt", 0.17, (0.95, 1.0), sheen=0.5),
    "wood": TableTop("wood", 0.2, (0.15, 0.7), coat=0.5),
    "planks": TableTop("planks", 0.07, (0.4, 0.8)),
    "cloth": TableTop("cloth", 0.09, (0.9, 1.0), sheen=0.3),
    "stripes": TableTop("stripes", 0.03, (0.9, 1.0), sheen=0.3),
    "floral": TableTop("floral", 0.06, (0.6, 1.0)),
    "newspaper": TableTop("print", 0.07, (0.7, 0.95)),
    "flag": TableTop("flag", 0.04, (0.85, 1.0), sheen=0.2),
    "glass": TableTop("glass", 0.05, (0.0, 0.06)),
    "plain": TableTop("flat", 0.1, (0.15, 0.8)),
    "stone": TableTop("granite", 0.05, (0.1, 0.5), coat=0.3),
    "leather": TableTop("leather", 0.03, (0.4, 0.7)),
    "board": TableTop("board", 0.02, (0.5, 0.9)),
    "towel": TableTop("towel", 0.02, (1.0, 1.0), sheen=0.6),
}


def _sheet(rng: np.random.Generator, name: str, alike: Colour | None) -> tuple[U8, bool]:
    if alike is not None:
        return table_texture(rng, alike)
    if name == "glass":
        colour = hsv(rng.uniform(0, 1), rng.uniform(0, 0.5), rng.uniform(0.02, 0.6))
        return np.full((8, 8, 3), colour, np.uint8), False
    texture, mirror = named_texture(rng, name)
    return np.asarray(cv2.resize(texture, (1024, 1024), interpolation=cv2.INTER_CUBIC), np.uint8), mirror


def _top(rng: np.random.Generator, alike: Colour | None) -> tuple[Material, float]:
    """Material of a table top, and the size of one repeat of its texture in tile widths."""
    names = list(TABLE_TOPS)
    top = TABLE_TOPS[names[int(rng.choice(len(names), p=[t.chance for t in TABLE_TOPS.values()]))]]
    texture, mirror = _sheet(rng, top.texture, alike)
    coat = top.coat * float(rng.random()) if rng.random() < 0.6 else 0.0
    rough = float(rng.uniform(*top.roughness))
    span = float(math.exp(rng.uniform(math.log(7), math.log(26))))
    return Material(texture, roughness=rough, coat=coat, sheen=top.sheen, mirror=mirror), span


def _spread(mesh: Mesh, span: float, angle: float, offset: F64) -> Mesh:
    """The mesh with texture coordinates taken from x and y, one repeat every ``span``."""
    flat = mesh.vertices[:, :2] @ about_z(angle)[:2, :2] + offset
    return Mesh(mesh.vertices, mesh.normals, flat * [1 / span, -1 / span], mesh.faces)


def plane(half: float, z: float) -> Mesh:
    """A square (four vertices) of half side ``half`` about the z axis at height z, looking up."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) * half
    vertices = np.column_stack([corners, np.full(4, z)])
    normals = np.tile([0.0, 0.0, 1.0], (4, 1))
    return Mesh(vertices, normals, corners / half, np.array([[0, 1, 2], [0, 2, 3]], np.int64))


def ground_solids(rng: np.random.Generator, pieces: list[Piece], body: Colour) -> list[Solid]:
    """The table under the pieces, and the floor where the table ends within reach.

    Args:
        rng: source of randomness.
        pieces: what must lie on the table.
        body: colour of the tiles, now and then also that of the table.
    """
    material, span = _top(rng, body if rng.random() < 0.06 else None)
    angle = float(rng.choice([0.0, math.pi / 2, rng.uniform(0, 2 * math.pi)]) + rng.normal(0, 0.03))
    offset = rng.uniform(-span, span, 2)
    if rng.random() < 0.5:
        return [Solid(_spread(plane(_FAR, 0.0), span, angle, offset), material)]
    turn = float(rng.normal(0, 0.1))
    back = about_z(-turn)[:2, :2]
    corners = np.vstack([p.quad for p in pieces] or [np.array([[-3.0, -3], [3, 3]])]) @ back.T
    low, high = corners.min(axis=0) - rng.uniform(0.8, 14, 2), corners.max(axis=0) + rng.uniform(0.8, 14, 2)
    length, width = high - low
    centre = about_z(turn)[:2, :2] @ ((low + high) / 2)
    quarter = 0.0 if length >= width else math.pi / 2
    size = (float(max(length, width)), float(min(length, width)), 1.2)
    corner = float(rng.choice([0.1, rng.uniform(0.2, 2.0)]))
    slab = tile_mesh(size, corner, float(rng.uniform(0.05, 0.4)), step=6.0)
    slab = placed(slab, about_z(turn + quarter), np.array([*centre, -1.2]))
    below, repeat = _top(rng, None)
    floor = _spread(plane(_FAR, _FLOOR), repeat * 3, float(rng.uniform(0, 6)), rng.uniform(0, 9, 2))
    return [Solid(_spread(slab, span, angle, offset), material), Solid(floor, below)]
