"""Draws tiles as extruded boxes: shadow, visible sides, top face; standing tiles as slabs."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from domino_vision.synth.board import Piece, grown
from domino_vision.synth.camera import Camera, lift
from domino_vision.synth.faces import back_texture, face_texture
from domino_vision.synth.paint import F64, U8, mix, paste_quad, polygon, shade
from domino_vision.synth.styles import TileStyle


@dataclass(frozen=True, slots=True, eq=False)
class Sun:
    """The main light: ``azimuth`` towards which it travels on the table, ``reach`` of a shadow per height."""

    azimuth: float
    reach: float
    softness: float
    depth: float

    @property
    def offset(self) -> F64:
        """Displacement (2,) of the shadow of a point one unit above the table."""
        return np.array([math.cos(self.azimuth), math.sin(self.azimuth)]) * self.reach


def outline(quad: F64, corner: float, steps: int = 4) -> F64:
    """Contour (n, 2) of the rectangle with rounded corners of the given radius, in the order of its corners."""
    if corner < 0.02:
        return quad
    inner = grown(quad, -corner)
    first, second = quad[1] - quad[0], quad[2] - quad[1]
    turn = 1.0 if first[0] * second[1] - first[1] * second[0] > 0 else -1.0
    points = []
    for index in range(4):
        out = quad[index] - inner[index]
        middle = math.atan2(out[1], out[0])
        phi = middle + turn * np.linspace(-math.pi / 4, math.pi / 4, steps)
        points.append(inner[index] + corner * np.stack([np.cos(phi), np.sin(phi)], axis=1))
    return np.vstack(points)


def cast_shadow(mask: U8, camera: Camera, quad: F64, height: float, sun: Sun, scale: float) -> None:
    """Fill the shadow of a box on the table into a mask that is ``scale`` times the picture."""
    points = np.vstack([lift(quad, 0.0), lift(quad + sun.offset * height, 0.0)])
    hull = cv2.convexHull((camera.project(points) * scale).astype(np.float32))
    polygon(mask, hull.reshape(-1, 2), 255)


def draw_reflections(frame: U8, camera: Camera, pieces: list[Piece], style: TileStyle, strength: float) -> None:
    """Faint mirror images of the tiles below a polished table, in place."""
    mirrored = frame.copy()
    for piece in pieces:
        tall = 1.0 if piece.kind == "standing" else style.thickness
        points = np.vstack([lift(piece.quad, 0.0), lift(piece.quad, -tall)])
        hull = cv2.convexHull(camera.project(points).astype(np.float32))
        polygon(mirrored, hull.reshape(-1, 2), shade(style.side, 0.7))
    cv2.addWeighted(mirrored, strength, frame, 1 - strength, 0, dst=frame)


def draw_sides(
    canvas: U8, ids: U8, camera: Camera, contour: F64, span: tuple[float, float], style: TileStyle, sun: Sun
) -> None:
    """Paint the side faces of an extruded contour that look at the camera."""
    low, high = span
    bottom, top = camera.project(lift(contour, low)), camera.project(lift(contour, high))
    if float(np.abs(bottom - top).max()) < 0.7:
        return
    seam = camera.project(lift(contour, low + (high - low) * (1.0 - style.layer))) if style.layer < 1 else None
    polygon(ids, cv2.convexHull(np.vstack([bottom, top]).astype(np.float32)).reshape(-1, 2), 255, False)
    count = len(contour)
    edges = np.roll(contour, -1, axis=0) - contour
    centre = contour.mean(axis=0)
    for index in range(count):
        after = (index + 1) % count
        edge = edges[index]
        size = float(np.hypot(*edge))
        if size < 1e-6:
            continue
        normal = np.array([-edge[1], edge[0]]) / size
        if float(np.dot(normal, contour[index] - centre)) < 0:
            normal = -normal
        if float(np.dot(normal, camera.position[:2] - contour[index])) <= 0:
            continue
        facing = -float(np.dot(normal, [math.cos(sun.azimuth), math.sin(sun.azimuth)]))
        tone = 0.68 + 0.24 * facing
        ring = [bottom[index], bottom[after], top[after], top[index]]
        if seam is None:
            polygon(canvas, ring, shade(style.side, tone))
        else:
            polygon(canvas, [ring[0], ring[1], seam[after], seam[index]], shade(style.base, tone))
            polygon(canvas, [seam[index], seam[after], ring[2], ring[3]], shade(style.side, tone))


def texture_light(corners: F64, sun: Sun) -> float:
    """Direction of the light in the coordinates of a texture laid on the table rectangle ``corners``."""
    along, up = corners[2] - corners[1], corners[1] - corners[0]
    ray = np.array([math.cos(sun.azimuth), math.sin(sun.azimuth)])
    x = float(np.dot(ray, along)) / float(np.linalg.norm(along))
    y = -float(np.dot(ray, up)) / float(np.linalg.norm(up))
    return math.atan2(y, x)


def _resolution(image_quad: F64) -> int:
    longest = max(float(np.hypot(*(image_quad[i] - image_quad[(i + 1) % 4]))) for i in (1, 3))
    return int(np.clip(longest * 0.55, 10, 400))


def top_quad(camera: Camera, piece: Piece, style: TileStyle) -> F64:
    """Pixels (4, 2) of the top face's corners of a lying tile."""
    return camera.project(lift(piece.quad, style.thickness))


def draw_lying(
    rng: np.random.Generator, canvas: U8, ids: U8, camera: Camera, piece: Piece, style: TileStyle, sun: Sun
) -> None:
    """Paint a tile that lies on the table, face up or face down."""
    contour = outline(piece.quad, style.corner)
    draw_sides(canvas, ids, camera, contour, (0.0, style.thickness), style, sun)
    quad = top_quad(camera, piece, style)
    light = texture_light(piece.quad, sun)
    px = _resolution(quad)
    if piece.kind == "up":
        texture, alpha = face_texture(rng, style, piece.halves[0], piece.halves[1], px, light)
    else:
        texture, alpha = back_texture(rng, style, px, light)
    gain = float(rng.normal(1.0, 0.025))
    texture = np.asarray(cv2.convertScaleAbs(texture, alpha=gain), np.uint8)
    paste_quad(canvas, texture, alpha, quad[[1, 2, 3, 0]])
    _rim(canvas, camera, contour, style, piece.kind == "up", sun)


def _rim(canvas: U8, camera: Camera, contour: F64, style: TileStyle, up: bool, sun: Sun) -> None:
    """Gleam along the rounded upper edges that face the camera or the light."""
    points = camera.project(lift(contour, style.thickness))
    size = float(np.hypot(*(points[0] - points[len(points) // 2])))
    if style.gloss < 0.35 or size < 40:
        return
    colour = mix(style.body if up else style.back_colour, (255, 255, 255), 0.55 * style.gloss)
    centre = contour.mean(axis=0)
    view = camera.position[:2] - centre
    view = view / (float(np.hypot(*view)) + 1e-6) - 0.8 * np.array([math.cos(sun.azimuth), math.sin(sun.azimuth)])
    out = contour - centre
    lit = (out @ view) > 0.35 * np.abs(out @ view).max()
    inset = points + (points.mean(axis=0) - points) * (0.5 * style.bevel + 0.01)
    thick = max(1, round(size * 0.008))
    for index in range(len(points)):
        after = (index + 1) % len(points)
        if lit[index] and lit[after]:
            start, stop = (tuple(int(v) for v in np.round(p * 16)) for p in (inset[index], inset[after]))
            cv2.line(canvas, start, stop, colour, thick, cv2.LINE_AA, 4)


def standing_face(camera: Camera, piece: Piece) -> tuple[F64, bool]:
    """Pixels (4, 2) of the large side face of a standing tile that is seen, and whether it is the front."""
    q = piece.quad
    front = float(np.dot(camera.position[:2] - piece.centre, q[0] - q[1])) > 0
    left, right = (q[0], q[3]) if front else (q[2], q[1])
    foot = np.stack([left, right])
    corners = np.vstack([lift(foot[:1], 0.0), lift(foot[:1], 1.0), lift(foot[1:], 1.0), lift(foot[1:], 0.0)])
    return camera.project(corners), front


def standing_quad(camera: Camera, piece: Piece) -> F64:
    """Pixels (4, 2) of the seen face of a standing tile, or of a box about the slab where it is seen too flatly."""
    quad, _ = standing_face(camera, piece)
    solid = camera.project(np.vstack([lift(piece.quad, 1.0), lift(piece.quad, 0.0)])).astype(np.float32)
    if cv2.contourArea(quad.astype(np.float32)) > 0.6 * cv2.contourArea(cv2.convexHull(solid)):
        return quad
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(solid)), dtype=np.float64)


def draw_standing(
    rng: np.random.Generator, canvas: U8, ids: U8, camera: Camera, piece: Piece, style: TileStyle, sun: Sun
) -> F64:
    """Paint a tile standing on its long edge.

    Returns:
        Pixels (4, 2) of the face that is seen, or of a box about the whole slab where it is seen too flatly.
    """
    draw_sides(canvas, ids, camera, piece.quad, (0.0, 1.0), style, sun)
    top = camera.project(lift(piece.quad, 1.0))
    polygon(ids, top, 255, False)
    polygon(canvas, top, shade(style.side, 1.0))
    quad, front = standing_face(camera, piece)
    px = _resolution(quad)
    if front and piece.halves[0] >= 0:
        texture, alpha = face_texture(rng, style, piece.halves[0], piece.halves[1], px)
    else:
        texture, alpha = back_texture(rng, style, px)
    texture = np.asarray(cv2.convertScaleAbs(texture, alpha=float(rng.uniform(0.65, 0.95))), np.uint8)
    paste_quad(canvas, texture, alpha, quad[[1, 2, 3, 0]])
    return standing_quad(camera, piece)
