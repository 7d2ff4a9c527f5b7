"""Drawn tiles for the reader: endless styles, cut out directly or from whole drawn tables."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from domino_vision.rectify import target_corners
from domino_vision.synth.faces import back_texture, face_texture
from domino_vision.synth.paint import circle, mix, shade
from domino_vision.synth.styles import TileStyle, random_style
from domino_vision.training.crop_quads import long_way
from domino_vision.training.crops import CUT_MARGIN, CUT_SIZE_WH, Crop
from domino_vision.training.reader_config import ReaderConfig
from domino_vision.types import BACK_CLASS, F32Array, U8Array

SYNTH_GROUPS = 20
"""Drawn styles are dealt into this many groups, `synth-0`, `synth-1`, ..., so that whole styles can be held out."""
_SETS = ("double-six", "double-nine", "double-twelve")
_SET_SHARES = (0.4, 0.15, 0.45)
_HARD_SHARES = (0.6, 0.2, 0.2)
_HARD_BODIES = ("marble", "wood")
_DRAWN_AGAIN = 0.7
_CUPS, _MOST_IN_CUPS = 0.5, 9
_BLANK = 0.25
_SCENE_WH = (960, 720)
_TILE_SHARES = (0.045, 0.28)
_TILTS = (25.0, 90.0)
_ZOOM = 2
"""Tiles are drawn this much larger than they are stored."""
_HALF_PX = 120


def synth_tiles(config: ReaderConfig) -> Iterator[Crop]:
    """Single tiles in `config.synth_tiles` / 6 random styles, each on a ground of its own, often among neighbours."""
    rng = np.random.default_rng(config.seed + 2)
    made, number = 0, 0
    while made < config.synth_tiles:
        style = random_style(rng, str(rng.choice(_SETS, p=_SET_SHARES)))
        group = f"synth-{number % SYNTH_GROUPS}"
        number += 1
        for _ in range(min(6, config.synth_tiles - made)):
            made += 1
            image, halves = draw_tile(rng, style)
            yield Crop(image, halves, True, group, "synth")


def synth_wide(config: ReaderConfig) -> Iterator[Crop]:
    """Double-twelve tiles whose tens and elevens have a middle row as wide as the outer rows, as some sets have."""
    rng = np.random.default_rng(config.seed + 4)
    for number in range(config.synth_tiles // 5):
        style = random_style(rng, "double-twelve")
        halves = [int(rng.choice([10, 11])), int(rng.integers(0, 13))]
        rng.shuffle(halves)
        image, _ = draw_tile(rng, style, (halves[0], halves[1]))
        yield Crop(image, (halves[0], halves[1]), True, f"synth-{number % SYNTH_GROUPS}", "wide")


def synth_chinese(config: ReaderConfig) -> Iterator[Crop]:
    """Chinese tiles: no divider, pips that crowd towards the ends, red ones and fours, no blank."""
    rng = np.random.default_rng(config.seed + 6)
    for number in range(config.synth_tiles // 5):
        style = random_style(rng, "chinese")
        halves = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
        image, _ = draw_tile(rng, style, fixed=halves)
        yield Crop(image, halves, True, f"synth-{number % SYNTH_GROUPS}", "chinese-drawn")


def synth_hard(config: ReaderConfig) -> Iterator[Crop]:
    """Tiles whose body is easily taken for pips: cups at all nine places, marble, wood; a third have a blank half."""
    rng = np.random.default_rng(config.seed + 8)
    for number in range(config.synth_tiles // 3):
        style = random_style(rng, str(rng.choice(_SETS, p=_HARD_SHARES)))
        while style.body_kind not in _HARD_BODIES and rng.random() < _DRAWN_AGAIN:
            style = random_style(rng, style.set_name)
        if style.max_pips <= _MOST_IN_CUPS and rng.random() < _CUPS:
            style = replace(style, wells=True)
        halves = _deal(rng, style, back=False)
        if rng.random() < _BLANK and halves[1]:
            halves = (0, halves[1])
        image, _ = draw_tile(rng, style, fixed=halves)
        yield Crop(image, halves, True, f"synth-{number % SYNTH_GROUPS}", "hard")


def draw_tile(
    rng: np.random.Generator,
    style: TileStyle,
    wide: tuple[int, int] | None = None,
    fixed: tuple[int, int] | None = None,
) -> tuple[U8Array, tuple[int, int]]:
    """Draw one tile of a style as it is stored: (96, 192, 3) uint8 BGR, and the classes of its halves.

    Args:
        rng: source of all randomness.
        style: look of the set.
        wide: pips of the halves, tens and elevens to be drawn with a wide middle row; random halves if not given.
        fixed: pips of the halves, drawn as they usually are.
    """
    canvas = _ground(rng, style)
    light = float(rng.uniform(0, 2 * math.pi))
    lean = (rng.normal(0, 0.045, 2) * (rng.random() < 0.7)).astype(np.float32)
    halves = wide or fixed or _deal(rng, style, back=bool(rng.random() < 0.07))
    own = target_corners((CUT_SIZE_WH[0] * _ZOOM, CUT_SIZE_WH[1] * _ZOOM), CUT_MARGIN)
    for quad in _neighbours(rng, own):
        if rng.random() < 0.45:
            _lay(canvas, _texture(rng, style, _deal(rng, style, back=False), light), quad, lean, style, light)
    texture = _texture(rng, style, halves, light) if wide is None else _wide_texture(rng, style, wide, light)
    _lay(canvas, texture, own, lean, style, light)
    return np.asarray(cv2.resize(canvas, CUT_SIZE_WH, interpolation=cv2.INTER_AREA), dtype=np.uint8), halves


def synth_scenes(config: ReaderConfig) -> Iterator[Crop]:
    """Tiles cut out of drawn tables: perspective, lamps, shadows and neighbours as they lie in a game."""
    from domino_vision.synth.scene import SceneOptions, render_scene
    from domino_vision.training.crop_sources import cut

    for number in range(config.synth_scenes):
        rng = np.random.default_rng([config.seed, 3, number])
        set_name = str(rng.choice(_SETS, p=_SET_SHARES))
        scene = render_scene(rng, SceneOptions(set_name, _SCENE_WH, _TILE_SHARES, _TILTS, "any"))
        group = f"synth-{number % SYNTH_GROUPS}"
        shown = [tile for tile in scene.tiles if _legible(tile.quad, max(tile.halves))]
        for image, tile in zip(cut(scene.frame, _stacked([t.quad for t in shown])), shown, strict=True):
            yield Crop(image, (int(tile.halves[0]), int(tile.halves[1])), True, group, "scenes")
        for image in cut(scene.frame, _stacked(scene.down)):
            yield Crop(image, (BACK_CLASS, BACK_CLASS), True, group, "scenes")


def _stacked(quads: Iterable[Any]) -> F32Array:
    return np.asarray(list(quads), dtype=np.float32).reshape(-1, 4, 2)


def _legible(quad: F32Array, pips: int) -> bool:
    """Whether a person could count the pips: about two pixels from one to the next across the tile."""
    across = min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[2]))
    along = min(np.linalg.norm(quad[2] - quad[1]), np.linalg.norm(quad[3] - quad[0]))
    few = pips <= 6
    return bool(across >= (9 if few else 16) and along >= (22 if few else 36))


def _deal(rng: np.random.Generator, style: TileStyle, *, back: bool) -> tuple[int, int]:
    if back:
        return BACK_CLASS, BACK_CLASS
    least = 1 if style.set_name == "chinese" else 0
    while True:
        first, second = (int(v) for v in rng.integers(least, style.max_pips + 1, 2))
        if style.divider != "none" or style.pin != "none" or first + second > 0:
            return first, second  # a blank tile without any mark cannot be told from a back


def _texture(
    rng: np.random.Generator, style: TileStyle, halves: tuple[int, int], light: float
) -> tuple[U8Array, U8Array]:
    if halves[0] == BACK_CLASS:
        return back_texture(rng, style, _HALF_PX, light)
    return face_texture(rng, style, *halves, _HALF_PX, light)


def _wide_texture(
    rng: np.random.Generator, style: TileStyle, halves: tuple[int, int], light: float
) -> tuple[U8Array, U8Array]:
    narrow = tuple(0 if pips in {10, 11} else pips for pips in halves)
    face, alpha = face_texture(rng, style, narrow[0], narrow[1], _HALF_PX, light)
    height, width = face.shape[:2]
    reach, radius = style.pip_spread * height, min(style.pip_radius, 0.085) * height
    inner = float(rng.uniform(0.85, 1.0))
    for pips, centre in zip(halves, (width * 0.25, width * 0.75), strict=True):
        if pips not in {10, 11}:
            continue
        middle = (-inner, inner) if pips == 10 else (-inner, 0.0, inner)
        places = [(u, v) for v in (-1.0, 1.0) for u in (-1.0, -1 / 3, 1 / 3, 1.0)] + [(u, 0.0) for u in middle]
        for u, v in places:
            at = (centre + u * reach - 0.5, height / 2 + v * reach - 0.5)
            circle(face, at, radius, style.pip_colours[pips])
            if style.pip_kind in {"drilled", "gradient"}:
                glint = (at[0] - math.cos(light) * radius * 0.3, at[1] - math.sin(light) * radius * 0.3)
                circle(face, glint, radius * 0.4, mix(style.pip_colours[pips], (255, 255, 255), 0.35))
    return face, alpha


def _ground(rng: np.random.Generator, style: TileStyle) -> U8Array:
    """A tablecloth: one colour, two colours in coarse and fine noise, stripes; sometimes nearly the tile's colour."""
    width, height = CUT_SIZE_WH[0] * _ZOOM, CUT_SIZE_WH[1] * _ZOOM
    first = rng.integers(0, 256, 3).astype(np.float32)
    if rng.random() < 0.25:
        first = np.asarray(style.body, dtype=np.float32) + rng.normal(0, 14, 3).astype(np.float32)
    second = first + rng.normal(0, 35, 3).astype(np.float32)
    cells = int(rng.choice([2, 5, 12, 40]))
    noise = cv2.resize(rng.random((max(2, cells // 2), cells), dtype=np.float32), (width, height))
    if rng.random() < 0.25:
        angle, period = rng.uniform(0, math.pi), rng.uniform(8, 80)
        ys, xs = np.mgrid[0:height, 0:width]
        noise = (0.5 + 0.5 * np.sin((xs * math.cos(angle) + ys * math.sin(angle)) * 2 * math.pi / period)).astype(
            np.float32
        )
    image = first + (second - first) * noise[..., None] + rng.normal(0, rng.uniform(0, 6), (height, width, 1))
    return np.clip(image, 0, 255).astype(np.uint8)


def _neighbours(rng: np.random.Generator, own: F32Array) -> Iterator[F32Array]:
    """Places around a tile where the next tiles of a chain or of a hand may lie."""
    centre = own.mean(axis=0)
    along, across = own[2] - own[1], own[0] - own[1]
    length, width = float(np.linalg.norm(along)), float(np.linalg.norm(across))
    ux, uy = along / length, across / width
    for side in (-1, 1):
        gap = abs(rng.normal(0, 0.03)) * length
        shift = rng.choice([0.0, rng.normal(0, 0.25)]) * width
        crosswise = rng.random() < 0.35
        reach = length / 2 + gap + (width / 2 if crosswise else length / 2)
        yield _place(centre + ux * side * reach + uy * shift, uy if crosswise else ux, length, width, rng)
        gap = abs(rng.normal(0, 0.12)) * length
        upright = rng.random() < 0.3
        reach = width / 2 + gap + (length / 2 if upright else width / 2)
        slide = rng.normal(0, 0.3) * length
        yield _place(centre + uy * side * reach + ux * slide, uy if upright else ux, length, width, rng)


def _place(centre: F32Array, axis: F32Array, length: float, width: float, rng: np.random.Generator) -> F32Array:
    angle = math.atan2(float(axis[1]), float(axis[0])) + rng.normal(0, 0.04) + (math.pi if rng.random() < 0.5 else 0)
    box = ((float(centre[0]), float(centre[1])), (length, width), math.degrees(angle))
    return long_way(np.asarray(cv2.boxPoints(box), dtype=np.float32))


def _lay(
    canvas: U8Array,
    texture: tuple[U8Array, U8Array],
    quad: F32Array,
    lean: F32Array,
    style: TileStyle,
    light: float,
) -> None:
    """Paint a tile's shadow, the side that a slanting view shows, and its face."""
    scale = float(np.linalg.norm(quad[2] - quad[1]))
    ray = np.asarray(np.array([math.cos(light), math.sin(light)], dtype=np.float32) * scale * 0.06, np.float32)
    _blend(canvas, _hull_mask(canvas, np.concatenate([quad, quad + ray]), 5), (10, 10, 10), 0.35)
    down = (lean * scale).astype(np.float32)
    if float(np.abs(down).max()) > 1:
        side = mix(style.side, style.base, 0.3)
        _blend(canvas, _hull_mask(canvas, np.concatenate([quad, quad + down]), 0), shade(side, 0.8), 1.0)
    face, alpha = texture
    height, width = face.shape[:2]
    ring = np.array(
        [[-0.5, height - 0.5], [-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5]], dtype=np.float32
    )
    transform = cv2.getPerspectiveTransform(ring, quad)
    size = (canvas.shape[1], canvas.shape[0])
    drawn = cv2.warpPerspective(face, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(alpha, transform, size, flags=cv2.INTER_LINEAR)[..., None] / np.float32(255)
    canvas[:] = (drawn * cover + canvas * (1 - cover)).astype(np.uint8)


def _hull_mask(canvas: U8Array, points: F32Array, soft: int) -> F32Array:
    mask = np.zeros(canvas.shape[:2], dtype=np.uint8)
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2)
    cv2.fillConvexPoly(mask, np.round(hull * 8).astype(np.int32), 255, cv2.LINE_AA, 3)
    softened = cv2.GaussianBlur(mask, (0, 0), soft) if soft else mask
    return (softened / np.float32(255)).astype(np.float32)


def _blend(canvas: U8Array, mask: F32Array, colour: tuple[int, int, int], strength: float) -> None:
    share = (mask * strength)[..., None]
    canvas[:] = (canvas * (1 - share) + np.asarray(colour, dtype=np.float32) * share).astype(np.uint8)
