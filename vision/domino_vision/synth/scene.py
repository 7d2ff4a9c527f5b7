"""Whole pictures of domino tables with exact labels."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from domino_vision.synth import clutter, optics, tables
from domino_vision.synth.board import Board, Join, Piece
from domino_vision.synth.camera import Camera, lift
from domino_vision.synth.lookalikes import draw_dice, lay_lookalikes
from domino_vision.synth.paint import F32, F64, U8, polygon, u8
from domino_vision.synth.plan import KIND_CHANCES, KINDS, lay, place_things
from domino_vision.synth.solids import Sun, cast_shadow, draw_lying, draw_reflections, draw_standing, outline, top_quad
from domino_vision.synth.stage import SceneOptions, Stage, set_stage
from domino_vision.synth.styles import TileStyle

__all__ = ["SceneOptions", "SynthFrame", "SynthTile", "render_scene", "render_stage"]

DEFAULT_SCENE = SceneOptions()
_DICE = 0.4
"""Share of tables with lookalikes that show dice."""
MIN_VISIBLE = 0.8
MIN_HALF_VISIBLE = 0.7
MIN_DOWN_VISIBLE = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class SynthTile:
    """A legible face-up tile.

    Attributes:
        quad: (4, 2) float32 pixels of the top face; corners 0, 1 bound the first half's end, clockwise.
        halves: pips of the first and the second half.
        visible: share of the top face that nothing covers, 0..1.
    """

    quad: F32
    halves: tuple[int, int]
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class SynthFrame:
    """A picture and what is in it.

    Attributes:
        frame: (H, W, 3) BGR uint8.
        tiles: face-up tiles, legible.
        down: quads (4, 2) of tiles lying face down.
        standing: quads (4, 2) of the visible faces of standing tiles.
        chain: joins (i, key, j, key) by index into ``tiles``; keys "a", "b" (halves), "m" (long side).
        ignore: quads (4, 2) of lying tiles that are covered too much to be read.
        set_name: the set.
        style: look of the tiles.
    """

    frame: U8
    tiles: tuple[SynthTile, ...]
    down: tuple[F32, ...]
    standing: tuple[F32, ...]
    chain: tuple[Join, ...]
    ignore: tuple[F32, ...]
    set_name: str
    style: TileStyle


def _edges(rng: np.random.Generator, pieces: list[Piece]) -> list[tuple[float, float]]:
    points = np.vstack([p.quad for p in pieces if p.kind != "thing"] or [np.zeros((1, 2))])
    edges = []
    for base in (math.pi / 2, 0.0, math.pi, -math.pi / 2):
        if rng.random() < (0.6 if base == math.pi / 2 else 0.25):
            angle = base + float(rng.normal(0, 0.15))
            reach = float((points @ [math.cos(angle), math.sin(angle)]).max())
            edges.append((angle, reach + float(rng.uniform(0.6, 8.0))))
    return edges


def _background(
    rng: np.random.Generator, camera: Camera, pieces: list[Piece], style: TileStyle, unit_px: float, picture: U8 | None
) -> U8:
    alike = style.body if rng.random() < 0.08 else None
    texture, mirror = tables.table_texture(rng, alike) if picture is None else (picture, True)
    if picture is not None and rng.random() < 0.4:
        frame = u8(cv2.resize(picture, camera.size_wh, interpolation=cv2.INTER_AREA)).copy()
        return frame[:, ::-1].copy() if rng.random() < 0.5 else frame
    zoom = float(math.exp(rng.uniform(math.log(0.35), math.log(2.2))))
    frame = tables.lay_table(rng, camera, texture, texture.shape[1] * zoom / unit_px, mirror)
    tables.beyond(rng, frame, camera, _edges(rng, pieces) if rng.random() < 0.4 else [])
    return frame


def _shadows(
    rng: np.random.Generator, frame: U8, camera: Camera, pieces: list[Piece], style: TileStyle, sun: Sun, tile_px: float
) -> U8:
    height, width = frame.shape[:2]
    scale = 0.5 if tile_px > 50 else 1.0
    size = (int(height * scale), int(width * scale))
    contact, cast = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    overhead = Sun(0.0, 0.0, 0.0, 0.0)
    for piece in pieces:
        tall = 1.0 if piece.kind == "standing" else (0.1 if piece.kind == "thing" else style.thickness)
        round_thing = piece.kind == "thing" and piece.length == piece.width
        base = outline(piece.quad, 0.48 * piece.width if round_thing else 0.0)
        cast_shadow(cast, camera, base, tall, sun, scale)
        cast_shadow(contact, camera, base, tall, overhead, scale)
    unit_px = tile_px / style.aspect * scale
    soft = cv2.GaussianBlur(cast, (0, 0), max(0.4, sun.softness * unit_px))
    close = cv2.GaussianBlur(contact, (0, 0), max(0.5, 0.09 * unit_px))
    dark = cv2.addWeighted(soft, sun.depth, close, float(rng.uniform(0.15, 0.45)), 0)
    keep = cv2.resize(255 - dark, (width, height), interpolation=cv2.INTER_LINEAR)
    return u8(cv2.multiply(frame, cv2.merge([keep, keep, keep]), scale=1 / 255))


def _mark(ids: U8, quad: F64, index: int) -> None:
    first, second = (quad[0] + quad[3]) / 2, (quad[1] + quad[2]) / 2
    polygon(ids, [quad[0], quad[1], second, first], 2 * index + 1, False)
    polygon(ids, [first, second, quad[2], quad[3]], 2 * index + 2, False)


def _draw_pieces(
    rng: np.random.Generator, frame: U8, ids: U8, camera: Camera, pieces: list[Piece], style: TileStyle, sun: Sun
) -> dict[int, F64]:
    centres = lift(np.stack([p.centre for p in pieces]), 0.2)
    order = np.argsort(-np.linalg.norm(centres - camera.position, axis=1))
    quads: dict[int, F64] = {}
    for index in order:
        piece = pieces[int(index)]
        if piece.kind == "standing":
            quads[int(index)] = draw_standing(rng, frame, ids, camera, piece, style, sun)
        else:
            draw_lying(rng, frame, ids, camera, piece, style, sun)
            quads[int(index)] = top_quad(camera, piece, style)
            _mark(ids, quads[int(index)], int(index))
    return quads


def _occlude(rng: np.random.Generator, frame: U8, ids: U8, tile_px: float, chance: float) -> None:
    if rng.random() >= chance:
        return
    size = (frame.shape[1], frame.shape[0])
    target = clutter.hand_reach(rng, size, float(rng.uniform(0.3, 1.1)))
    if rng.random() < 0.7:
        clutter.draw_hand(rng, frame, ids, target, min(tile_px, 0.3 * max(size)))
    else:
        clutter.draw_cup(rng, frame, ids, target, tile_px * float(rng.uniform(0.6, 1.6)))


def _develop(rng: np.random.Generator, frame: U8, ids: U8, tile_px: float, gloss: float, harm: float) -> U8:
    harm *= float(rng.choice([0.3, 0.7, 1.0, 1.25], p=[0.25, 0.35, 0.3, 0.1]))
    frame = optics.light(rng, frame, harm)
    if rng.random() < 0.22 * harm:
        frame = optics.glare(rng, frame, ids, gloss)
    frame = optics.lens(rng, frame, tile_px, harm)
    frame = optics.tone(rng, frame, harm)
    frame = optics.sensor(rng, frame, harm)
    return optics.store(rng, frame, tile_px, harm)


def _labels(
    board: Board, quads: dict[int, F64], ids: U8, count: int
) -> tuple[list[SynthTile], dict[str, list[F32]], dict[int, int]]:
    """Tiles, quads by kind ("down", "standing", "ignore") and the place in ``tiles`` of every legible piece."""
    seen = cv2.calcHist([ids], [0], None, [256], [0, 256]).ravel()
    tiles: list[SynthTile] = []
    others: dict[str, list[F32]] = {"down": [], "standing": [], "ignore": []}
    places: dict[int, int] = {}
    for index, piece in enumerate(board.pieces[:count]):
        quad = quads[index].astype(np.float32)
        if piece.kind == "standing":
            others["standing"].append(quad)
            continue
        area = max(1.0, float(cv2.contourArea(quad)))
        first, second = (min(1.0, 2 * float(seen[2 * index + half]) / area) for half in (1, 2))
        if piece.kind == "down":
            others["down" if first + second > 2 * MIN_DOWN_VISIBLE else "ignore"].append(quad)
        elif first + second < 2 * MIN_VISIBLE or min(first, second) < MIN_HALF_VISIBLE:
            others["ignore"].append(quad)
        else:
            places[index] = len(tiles)
            tiles.append(SynthTile(quad, piece.halves, (first + second) / 2))
    return tiles, others, places


def render_scene(
    rng: np.random.Generator, options: SceneOptions = DEFAULT_SCENE, background: U8 | None = None
) -> SynthFrame:
    """Render a table.

    Args:
        rng: the only source of randomness; the same state gives the same picture.
        options: what may be drawn.
        background: BGR picture (H, W, 3) used as the table's texture or as the whole background.

    Returns:
        The picture with its labels; every face-up and face-down quad lies within the picture.

    Raises:
        SynthError: the set, the kind or a range is not known or empty.
    """
    stage = set_stage(rng, options)
    kind = str(rng.choice(KINDS, p=KIND_CHANCES)) if options.kind == "any" else options.kind
    lay(rng, stage.board, kind, options.set_name, stage.view)
    return render_stage(rng, stage, options, background)


def render_stage(
    rng: np.random.Generator, stage: Stage, options: SceneOptions, background: U8 | None = None
) -> SynthFrame:
    """Render a stage on whose board tiles lie; arguments and result as for :func:`render_scene`."""
    camera, board, style, tile_px = stage.camera, stage.board, stage.style, stage.tile_px
    count = len(board.pieces)
    things = [clutter.random_thing(rng) for _ in range(int(rng.integers(0, options.things + 1)))]
    spots = place_things(rng, board, [t[2] for t in things], stage.view)

    sun = Sun(
        azimuth=float(rng.uniform(0, 2 * math.pi)),
        reach=float(rng.choice([0.0, rng.uniform(0.1, 0.6), rng.uniform(0.6, 1.8)])),
        softness=float(rng.choice([0.02, 0.1, 0.3])),
        depth=float(rng.uniform(0.15, 0.65)),
    )
    frame = _background(rng, camera, board.pieces, style, tile_px / style.aspect, background)
    if options.lookalikes and rng.random() < options.lookalikes:
        frame = lay_lookalikes(rng, frame, stage)
    if rng.random() < 0.15:
        draw_reflections(frame, camera, board.pieces[:count], style, float(rng.uniform(0.1, 0.4)))
    frame = _shadows(rng, frame, camera, board.pieces, style, sun, tile_px)
    ids = np.zeros(frame.shape[:2], np.uint8)
    for thing, spot in zip(things, spots, strict=True):
        if spot is not None:
            clutter.draw_thing(frame, ids, camera, thing, spot.centre, spot.angle)
    if options.lookalikes and rng.random() < options.lookalikes * _DICE:
        draw_dice(rng, frame, ids, stage)
    quads = _draw_pieces(rng, frame, ids, camera, board.pieces[:count], style, sun) if count else {}
    _occlude(rng, frame, ids, tile_px, options.occluders)
    frame = _develop(rng, frame, ids, tile_px, style.gloss, options.harm)

    tiles, others, places = _labels(board, quads, ids, count)
    chain = tuple((places[i], p, places[j], q) for i, p, j, q in board.joins if i in places and j in places)
    return SynthFrame(
        frame=frame,
        tiles=tuple(tiles),
        down=tuple(others["down"]),
        standing=tuple(others["standing"]),
        chain=chain,
        ignore=tuple(others["ignore"]),
        set_name=options.set_name,
        style=style,
    )
