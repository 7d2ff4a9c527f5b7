"""Solids: a mesh, what it is made of, and whose it is."""

from dataclasses import dataclass

from domino_vision.render.mesh import Mesh
from domino_vision.synth.paint import U8, Colour

NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A surface.

    Attributes:
        colour: BGR 0..255, or a texture (h, w, 3) BGR uint8.
        roughness: 0 (mirror) to 1 (chalk).
        specular: strength of the reflection of a dielectric, 0.5 as plastic or glass.
        coat: strength of a clear glossy coat, 0..1.
        metal: 0 or 1.
        clear: share of light that goes through, 0..1, or a map (h, w) uint8 of it.
        sheen: glow of cloth at flat angles, 0..1.
        mirror: whether a texture repeats by mirroring.
    """

    colour: Colour | U8
    roughness: float = 0.5
    specular: float = 0.5
    coat: float = 0.0
    metal: float = 0.0
    clear: float | U8 = 0.0
    sheen: float = 0.0
    mirror: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """Something in the scene; ``owner`` is the index of the piece that it is part of, or ``NOBODY``."""

    mesh: Mesh
    material: Material
    owner: int = NOBODY
