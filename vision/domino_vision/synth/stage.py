"""Sets the stage of a picture: options, camera, and an empty board that knows what the camera sees."""

import math
from dataclasses import dataclass

import numpy as np

from domino_vision.synth.board import Board
from domino_vision.synth.camera import Camera, lift, make_camera
from domino_vision.synth.errors import SynthError
from domino_vision.synth.paint import F64
from domino_vision.synth.plan import KINDS
from domino_vision.synth.styles import TileStyle, max_pips_of, random_style

STANDING_WIDTH = 0.6  # a footprint narrower than this is that of a tile on its long edge


@dataclass(frozen=True, slots=True)
class SceneOptions:
    """What may be drawn.

    Attributes:
        set_name: double-six, double-nine, double-twelve or chinese.
        size_wh: picture size in pixels.
        tile_fraction: range of a tile's length over the picture's long side.
        tilt_deg: range of the camera's height over the table, 90 = straight down.
        kind: chain, cross, loose, hand, mixed, single, empty (no tiles at all), or "any" for one of them at random.
        style: look of the tiles; random if None.
        harm: how bad the picture gets, 0 (clean) to about 1.5.
        things: greatest number of distractors.
        occluders: chance of a hand or a cup over the table.
        lookalikes: chance of printed dominoes, playing cards in rows, and dice.
    """

    set_name: str = "double-six"
    size_wh: tuple[int, int] = (1280, 960)
    tile_fraction: tuple[float, float] = (0.04, 0.40)
    tilt_deg: tuple[float, float] = (35.0, 90.0)
    kind: str = "mixed"
    style: TileStyle | None = None
    harm: float = 1.0
    things: int = 6
    occluders: float = 0.12
    lookalikes: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """What a picture needs before tiles are laid.

    Attributes:
        camera: the camera.
        tile_px: length in pixels of a tile seen squarely at the table's origin.
        style: look of the tiles.
        board: where tiles are laid; it refuses what the camera does not see whole.
        view: (2, 2) lower and upper corner of the part of the table that is seen.
    """

    camera: Camera
    tile_px: float
    style: TileStyle
    board: Board
    view: F64


def _camera(rng: np.random.Generator, options: SceneOptions, style: TileStyle) -> tuple[Camera, float]:
    low, high = options.tile_fraction
    fraction = math.exp(rng.uniform(math.log(low), math.log(high)))
    tilt_low, tilt_high = options.tilt_deg
    steep = rng.uniform(max(tilt_low, min(78.0, tilt_high)), tilt_high)
    tilt = steep if rng.random() < 0.45 else rng.uniform(tilt_low, tilt_high)
    camera = make_camera(
        options.size_wh,
        tilt_deg=float(tilt),
        fov_deg=float(rng.uniform(36, 74)),
        length=style.aspect,
        fraction=fraction,
        roll_deg=float(rng.normal(0, 3)),
        shift=(float(rng.normal(0, 0.04)), float(rng.normal(0, 0.04))),
    )
    return camera, fraction * max(options.size_wh)


def _fits(camera: Camera, quad: F64, height: float, tile_px: float) -> bool:
    slab = float(np.linalg.norm(quad[1] - quad[0])) < STANDING_WIDTH
    points = np.vstack([lift(quad, 1.0 if slab else height), lift(quad, 0.0)])
    if float(camera.depth(points).min()) <= 0.1:
        return False
    pixels = camera.project(points)
    width, tall = camera.size_wh
    if pixels.min() < 2 or pixels[:, 0].max() > width - 3 or pixels[:, 1].max() > tall - 3:
        return False
    longest = float(np.linalg.norm(pixels[2] - pixels[1]))
    return longest > 0.28 * tile_px and longest > 18


def _view(camera: Camera) -> F64:
    """Lower and upper corner (2, 2) of the table seen in the inner part of the picture."""
    width, height = camera.size_wh
    inverse = np.linalg.inv(camera.plane())
    points = np.array([[0.08, 0.2], [0.92, 0.2], [0.92, 0.93], [0.08, 0.93], [0.5, 0.5]]) * [width, height]
    rays = np.column_stack([points, np.ones(5)]) @ inverse.T
    ground = rays[:, :2] / rays[:, 2:]
    near = np.abs(ground[2:4]).max() + 1
    ground = np.clip(ground, -2.2 * near, 2.2 * near)
    left, right = max(ground[0, 0], ground[3, 0] * 1.4), min(ground[1, 0], ground[2, 0] * 1.4)
    return np.array([[left, ground[2:4, 1].max()], [right, max(ground[:2, 1].min(), ground[2, 1] + 1)]])


def _check(options: SceneOptions) -> None:
    max_pips_of(options.set_name)
    if options.kind not in (*KINDS, "any"):
        raise SynthError("unknown_kind", f"no scene of the kind {options.kind!r} is known", kind=options.kind)
    (small, large), (low, steep) = options.tile_fraction, options.tilt_deg
    if not (0 < small <= large <= 1 and 10 <= low <= steep <= 90 and min(options.size_wh) >= 64):
        raise SynthError("scene_range", "tile fraction, tilt or picture size is out of range", size=options.size_wh)


def set_stage(rng: np.random.Generator, options: SceneOptions) -> Stage:
    """Choose style and camera and give an empty board.

    Raises:
        SynthError: the set, the kind or a range is not known or empty.
    """
    _check(options)
    style = options.style or random_style(rng, options.set_name)
    camera, tile_px = _camera(rng, options, style)
    board = Board(style.aspect, lambda quad: _fits(camera, quad, style.thickness, tile_px))
    return Stage(camera, tile_px, style, board, _view(camera))
