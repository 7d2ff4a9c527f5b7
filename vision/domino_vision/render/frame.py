"""One path-traced picture with its labels."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from domino_vision.render.backend import I32, Shot, trace
from domino_vision.render.bodies import convex, half_points, label_quad, make_set, tile_solids, top_of
from domino_vision.render.clutter import choose_thing, cup_solids, hand_solids, thing_solid
from domino_vision.render.develop import as_written, develop, smooth
from domino_vision.render.ground import ground_solids
from domino_vision.render.layouts import Laid, lay_scene
from domino_vision.render.legible import legible, onlooker
from domino_vision.render.lens import Distortion, snapped, take_apart
from domino_vision.render.lights import Lights, choose_lights
from domino_vision.render.looks import choose_craft, choose_look
from domino_vision.render.options import RENDER_CHANCES, RENDER_KINDS, SIZES, RenderOptions
from domino_vision.render.solids import Solid
from domino_vision.synth.board import Join, Piece
from domino_vision.synth.camera import lift
from domino_vision.synth.lookalikes import flat_lookalikes
from domino_vision.synth.paint import F32, F64, U8
from domino_vision.synth.plan import place_things
from domino_vision.synth.scene import MIN_DOWN_VISIBLE, MIN_HALF_VISIBLE, MIN_VISIBLE
from domino_vision.synth.stage import SceneOptions, Stage, set_stage
from domino_vision.synth.styles import TileStyle

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """A scene before it is traced; everything that the labels need but what covers what.

    Attributes:
        set_name, kind: set and kind of scene.
        stage: camera, style and the board with its pieces.
        count: how many of the board's pieces are tiles; the others are things.
        laid: what is under them.
        solids: all that is traced.
        lights: lamps, sun, room.
        lens: distortion.
        aperture, focus: of the thin lens.
        seed: of the paths.
    """

    set_name: str
    kind: str
    stage: Stage
    count: int
    laid: Laid
    solids: tuple[Solid, ...]
    lights: Lights
    lens: Distortion
    aperture: float
    focus: float
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class TileLabel:
    """A tile in the picture.

    Attributes:
        quad: (4, 2) float32 pixels of the finished picture.
        halves: pips of first and second half, (-1, -1) where none are to be read.
        visible: share of the face that nothing covers.
        depth: distance of the face's centre along the optical axis in tile widths.
    """

    quad: F32
    halves: tuple[int, int]
    visible: float
    depth: float


@dataclass(frozen=True, slots=True, eq=False)
class RenderFrame:
    """A picture and what is in it.

    Attributes:
        frame: (h, w, 3) uint8 BGR.
        tiles: face-up tiles that can be read.
        down: face-down tiles.
        ignore: quads (4, 2) of all others.
        standing: those of them that stand upright and are not hidden.
        chain: joins by index into ``tiles``.
        set_name, kind, style: what was rendered.
    """

    frame: U8
    tiles: tuple[TileLabel, ...]
    down: tuple[TileLabel, ...]
    ignore: tuple[F32, ...]
    standing: tuple[F32, ...]
    chain: tuple[Join, ...]
    set_name: str
    kind: str
    style: TileStyle


def _distortion(rng: np.random.Generator, centre: F64, size_wh: tuple[int, int]) -> Distortion:
    roll = rng.random()
    k1 = 0.0 if roll < 0.3 else float(rng.normal(0.02, 0.03)) if roll < 0.9 else float(rng.uniform(0.05, 0.16))
    return Distortion(centre, size_wh, max(k1, -0.06), float(rng.normal(0, 0.006)))


def _defocus(rng: np.random.Generator, stage: Stage, focal: float) -> tuple[float, float]:
    """Aperture radius and focus distance that blur the farthest tiles by a few hundredths of a tile at most."""
    tiles = [piece for piece in stage.board.pieces if piece.kind != "thing"]
    if rng.random() < 0.45 or not tiles:
        return 0.0, 1.0
    depth = stage.camera.depth(lift(np.stack([p.centre for p in tiles]), 0.2))
    near, far = float(depth.min()), float(depth.max())
    focus = float(rng.uniform(near, far)) if far > near else near
    wanted = float(rng.uniform(0.0, 0.045)) * stage.tile_px
    spread = max(abs(1 / near - 1 / focus), abs(1 / far - 1 / focus), 0.15 / focus)
    return min(wanted / (2 * focal * spread), 0.3), focus


def _things(rng: np.random.Generator, stage: Stage, most: int) -> list[Solid]:
    things = [choose_thing(rng) for _ in range(int(rng.integers(0, most + 1)))]
    spots = place_things(rng, stage.board, [t[2] for t in things], stage.view)
    solids = [thing_solid(rng, t, s.centre, s.angle) for t, s in zip(things, spots, strict=True) if s is not None]
    if rng.random() < 0.12:
        cup = place_things(rng, stage.board, [(4.0, 4.0)], stage.view)[0]
        solids += [] if cup is None else cup_solids(rng, cup.centre)
    return solids


def _lookalikes(rng: np.random.Generator, stage: Stage) -> list[Solid]:
    """Prints and cards as thin sheets, each a little above the one before, so that no two share a plane."""
    solids = []
    for level, (thing, centre, angle) in enumerate(flat_lookalikes(rng, stage), 1):
        texture, alpha, size, height = thing
        solids.append(thing_solid(rng, (texture, alpha, size, max(height, 0.006 + 0.006 * level)), centre, angle))
    return solids


def _occluders(rng: np.random.Generator, stage: Stage, chance: float) -> list[Solid]:
    """A hand over the table, or a cup so close that it may hide tiles."""
    if rng.random() >= chance:
        return []
    low, high = stage.view
    middle, reach = (low + high) / 2, (high - low) / 2
    goal = middle + reach * rng.uniform(-0.9, 0.9, 2)
    if rng.random() < 0.85:
        outwards = goal - middle
        heading = math.atan2(-outwards[1], -outwards[0]) + float(rng.normal(0, 0.5))
        return hand_solids(rng, goal, heading, stage.style.thickness + float(rng.uniform(0.0, 0.8)))
    cup = Piece("thing", goal, 0.0, 3.0, 3.0)
    return cup_solids(rng, goal) if stage.board.add(cup, 0.0) is not None else []


def plan_frame(rng: np.random.Generator, options: RenderOptions) -> Planned:
    """Decide everything about a picture; the generator's state is all that it depends on.

    Raises:
        SynthError: a range of the options is empty.
    """
    kind = str(rng.choice(RENDER_KINDS, p=RENDER_CHANCES)) if options.kind == "any" else options.kind
    set_name = str(rng.choice(list(options.sets)))
    set_name = "chinese" if kind == "tiu-u" else set_name
    size = options.size_wh or SIZES[int(rng.integers(len(SIZES)))]
    style = options.style or choose_look(rng, set_name)
    low, high = options.tile_fraction
    if kind in ("bingo", "tiu-u"):
        high = max(low, min(high, 0.16))
    scene = SceneOptions(
        set_name=set_name, size_wh=size, tile_fraction=(low, high), tilt_deg=options.tilt_deg, style=style
    )
    stage = set_stage(rng, scene)
    stage = replace(stage, camera=snapped(stage.camera))
    laid = lay_scene(rng, stage.board, kind, set_name, stage.view)
    count = len(stage.board.pieces)
    things = _things(rng, stage, options.things)
    occluders = _occluders(rng, stage, options.occluders)
    if options.lookalikes and rng.random() < options.lookalikes:
        things += _lookalikes(rng, stage)
    tiles = make_set(style, choose_craft(rng, style), stage.tile_px)
    solids = ground_solids(rng, stage.board.pieces, style.body)
    for index, piece in enumerate(stage.board.pieces[:count]):
        solids += tile_solids(rng, tiles, piece, index, laid.under.get(index, 0))
    pinhole = take_apart(stage.camera)
    aperture, focus = _defocus(rng, stage, pinhole.focal)
    return Planned(
        set_name=set_name,
        kind=kind,
        stage=stage,
        count=count,
        laid=laid,
        solids=(*solids, *things, *occluders),
        lights=choose_lights(rng, stage.camera),
        lens=_distortion(rng, pinhole.centre, size),
        aperture=aperture,
        focus=focus,
        seed=int(rng.integers(1 << 31)),
    )


def visible_shares(planned: Planned, owners: I32) -> F64:
    """Share (n, 2) of the first and the second half of each tile's upper face that nothing covers.

    Args:
        planned: the scene.
        owners: (h, w) owner of every pixel of the pin-hole picture with its margin.
    """
    height, width = owners.shape
    shares = np.zeros((planned.count, 2))
    for index, piece in enumerate(planned.stage.board.pieces[: planned.count]):
        top = top_of(piece, planned.stage.style, planned.laid.under.get(index, 0))
        for half, points in enumerate(half_points(piece, top)):
            pixels = np.floor(planned.stage.camera.project(points) + planned.lens.margin).astype(np.int64)
            inside = (pixels >= 0).all(axis=1) & (pixels < [width, height]).all(axis=1)
            x, y = pixels[inside].T
            shares[index, half] = float((owners[y, x] == index).sum()) / len(points)
    return shares


def legible_tiles(planned: Planned, frame: U8) -> Flags:
    """Which (n,) of a scene's tiles lie face up and can be read in the finished picture, if nothing covers them."""
    view = onlooker(frame, planned.stage.camera, planned.lens, planned.stage.style)
    pieces = planned.stage.board.pieces[: planned.count]
    clear = [p.kind == "up" and legible(view, p, planned.laid.under.get(i, 0)) for i, p in enumerate(pieces)]
    return np.array(clear, dtype=np.bool_)


def label_frame(planned: Planned, shares: F64, clear: Flags, frame: U8) -> RenderFrame:
    """Labels of a planned picture.

    Args:
        planned: the scene.
        shares: (n, 2), what is visible of each tile's halves, as `visible_shares`.
        clear: (n,), which tiles can be read, as `legible_tiles`.
        frame: the finished picture.
    """
    style, camera = planned.stage.style, planned.stage.camera
    tiles: list[TileLabel] = []
    down: list[TileLabel] = []
    ignore: list[F32] = []
    standing: list[F32] = []
    places: dict[int, int] = {}
    size = np.array(planned.lens.size_wh)
    for index, piece in enumerate(planned.stage.board.pieces[: planned.count]):
        under = planned.laid.under.get(index, 0)
        quad = (planned.lens.apply(label_quad(camera, piece, style, under)) - 0.5).astype(np.float32)
        cut = bool((quad < 0).any() or (quad > size - 1).any()) or not convex(quad)
        visible = float(shares[index].mean())
        depth = float(camera.depth(lift(piece.centre[None], top_of(piece, style, under)))[0])
        label = TileLabel(quad, piece.halves, visible, depth)
        if piece.kind == "standing" or cut:
            ignore.append(quad)
            if piece.kind == "standing" and not cut and visible > MIN_DOWN_VISIBLE:
                standing.append(quad)
        elif piece.kind == "down":
            down.append(label) if visible > MIN_DOWN_VISIBLE else ignore.append(quad)
        elif visible < MIN_VISIBLE or float(shares[index].min()) < MIN_HALF_VISIBLE or not clear[index]:
            ignore.append(quad)
        else:
            places[index] = len(tiles)
            tiles.append(label)
    joins = planned.stage.board.joins
    chain = tuple((places[i], p, places[j], q) for i, p, j, q in joins if i in places and j in places)
    return RenderFrame(
        frame,
        tuple(tiles),
        tuple(down),
        tuple(ignore),
        tuple(standing),
        chain,
        planned.set_name,
        planned.kind,
        style,
    )


def render_frame(rng: np.random.Generator, options: RenderOptions) -> RenderFrame:
    """Plan, trace, label and develop one picture.

    Raises:
        RenderError: `extra_missing` without Mitsuba, `render_variant`.
        SynthError: a range of the options is empty.
    """
    planned = plan_frame(rng, options)
    pinhole = take_apart(planned.stage.camera)
    shot = Shot(
        pinhole,
        planned.lens.size_wh,
        planned.lens.margin,
        planned.aperture,
        planned.focus,
        options.samples,
        planned.seed,
    )
    traced = trace(planned.solids, planned.lights, shot, options.variant)
    light = smooth(traced, options.samples) if options.denoise else traced.light
    harm, tile_px = options.harm, planned.stage.tile_px
    frame = develop(rng, np.ascontiguousarray(light), planned.lens, planned.lights.cast, tile_px, harm)
    return label_frame(
        planned, visible_shares(planned, traced.owners), legible_tiles(planned, as_written(frame)), frame
    )
