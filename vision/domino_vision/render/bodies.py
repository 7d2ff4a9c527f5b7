"""Pieces on the board become solids: lying tiles, stacks, racks of standing tiles, spinner pins."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from domino_vision.render.looks import Craft, face_relief, pin_material, tile_material
from domino_vision.render.mesh import about_z, lathe, placed, tile_mesh
from domino_vision.render.solids import Solid
from domino_vision.synth.board import Piece
from domino_vision.synth.camera import Camera, lift
from domino_vision.synth.paint import F32, F64
from domino_vision.synth.solids import standing_quad
from domino_vision.synth.styles import TileStyle

STACK_HEIGHT = 4


@dataclass(frozen=True, slots=True, eq=False)
class TileSet:
    """A set as it is rendered: its look, how it is made, and how fine its meshes and textures are.

    Attributes:
        style, craft: look and make.
        px: pixels of a half along the tile in textures.
        step: size of the triangles of a face.
    """

    style: TileStyle
    craft: Craft
    px: int
    step: float


def make_set(style: TileStyle, craft: Craft, tile_px: float) -> TileSet:
    """A set whose details suit tiles of ``tile_px`` pixels length."""
    px = int(np.clip(tile_px * 0.75, 48, 400))
    step = float(np.clip(4.0 / tile_px, 0.018, 0.08))
    return TileSet(style, craft, px, step)


def top_of(piece: Piece, style: TileStyle, under: int = 0) -> float:
    """Height of the upper face of a piece that lies on ``under`` other tiles."""
    return 1.0 if piece.kind == "standing" else style.thickness * (1 + under)


def _pin(rng: np.random.Generator, tiles: TileSet, height: float, piece: Piece, owner: int) -> Solid:
    radius = tiles.style.pin_radius
    phi = np.linspace(0, math.pi / 2, 8)
    dome = np.column_stack([radius * np.cos(phi).round(12), radius * 0.45 * np.sin(phi)])
    outline = np.vstack([[0.0, -0.02], [radius, -0.02], dome])
    mesh = placed(lathe(outline, 20), np.eye(3), np.array([*piece.centre, height]))
    return Solid(mesh, pin_material(rng, tiles.style), owner)


def _pose(piece: Piece, base: float, thickness: float) -> tuple[F64, F64]:
    """Rotation and shift that bring a tile mesh to its place."""
    turn = about_z(piece.angle)
    if piece.kind != "standing":
        return turn, np.array([*piece.centre, base])
    upright = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
    rotation = turn @ upright
    return rotation, np.array([*piece.centre, 0.5]) - rotation @ np.array([0, 0, thickness / 2])


def tile_solids(rng: np.random.Generator, tiles: TileSet, piece: Piece, owner: int, under: int = 0) -> list[Solid]:
    """The solids of a piece.

    Args:
        rng: source of randomness.
        tiles: the set.
        piece: what lies or stands where.
        owner: index of the piece.
        under: tiles below it, drawn face-down.
    """
    style, craft = tiles.style, tiles.craft
    thickness = piece.width if piece.kind == "standing" else style.thickness
    showing = piece.halves if piece.kind != "down" and piece.halves[0] >= 0 else None
    solids: list[Solid] = []
    for level in range(under + 1):
        top = level == under
        seed = int(rng.integers(1 << 31))
        halves = showing if top else None
        seam = thickness * ((1 - style.layer) if halves is not None else style.layer)
        relief = face_relief(seed, style, craft, halves, tiles.px) if halves is not None else None
        mesh = tile_mesh(
            (style.aspect, 1.0, thickness),
            style.corner,
            style.bevel,
            relief=relief,
            seam=seam if style.layer < 1 else 0.0,
            step=tiles.step if relief is not None else 0.2,
        )
        slip = np.append(rng.normal(0, 0.02, 2), 0.0) if under and not top else np.zeros(3)
        rotation, shift = _pose(piece, level * thickness, thickness)
        material = tile_material(seed, style, craft, halves, tiles.px)
        solids.append(Solid(placed(mesh, rotation, shift + slip), material, owner))
    if style.pin != "none" and showing is not None and piece.kind == "up":
        solids.append(_pin(rng, tiles, thickness * (1 + under), piece, owner))
    return solids


def label_quad(camera: Camera, piece: Piece, style: TileStyle, under: int = 0) -> F64:
    """Corners (4, 2) in pixels of a pin-hole picture of what a detector should find of a piece."""
    if piece.kind == "standing":
        return standing_quad(camera, piece)
    return camera.project(lift(piece.quad, top_of(piece, style, under)))


def half_points(piece: Piece, height: float, steps: int = 7) -> F64:
    """World points (2, k, 3) spread over both halves of a piece's upper face, its rim left out."""
    across = np.linspace(-0.42, 0.42, steps)
    u, v = np.meshgrid(np.linspace(-0.46, -0.04, steps), across)
    first = np.column_stack([u.ravel(), v.ravel()])
    c, s = math.cos(piece.angle), math.sin(piece.angle)
    halves = []
    for local in (first, first * [-1, 1]):
        place = local * [piece.length, piece.width]
        flat = piece.centre + place @ np.array([[c, s], [-s, c]])
        halves.append(lift(flat, height))
    return np.stack(halves)


def convex(quad: F64 | F32) -> bool:
    """Whether a quad (4, 2) is convex and turns clockwise on the screen."""
    points = quad.astype(np.float32)
    return bool(cv2.isContourConvex(points)) and cv2.contourArea(points, True) > 0
