"""Looks of tiles for path tracing: textures without painted light, engraving as relief, materials."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from domino_vision.render.mesh import FACE_SHARE, Relief
from domino_vision.render.solids import Material
from domino_vision.synth.faces import back_texture, face_texture
from domino_vision.synth.paint import F32, U8, Colour, hsv, jitter, luma, mix, shade, smooth_noise, u8
from domino_vision.synth.pips import MAX_PIPS
from domino_vision.synth.styles import TileStyle, random_style

_CUT = ("engraved", "drilled")


@dataclass(frozen=True, slots=True)
class Craft:
    """How a set is made, beyond its style.

    Attributes:
        depth: depth of the pips in tile widths, 0 where they are printed.
        groove: depth of the divider.
        roughness, coat: of the surface.
        clear: share of light that goes through the body.
        scatter: how far tiles of the set differ in shade.
    """

    depth: float
    groove: float
    roughness: float
    coat: float
    clear: float
    scatter: float


def choose_look(rng: np.random.Generator, set_name: str) -> TileStyle:
    """A random style; transparent, wooden and yellow-on-pink sets come more often than the compositor draws them."""
    style = random_style(rng, set_name)
    if set_name == "chinese":
        return style
    roll = rng.random()
    if roll < 0.05:
        pink = hsv(rng.uniform(0.88, 0.97), rng.uniform(0.25, 0.75), rng.uniform(0.75, 1.0))
        yellow = hsv(rng.uniform(0.12, 0.16), rng.uniform(0.6, 1.0), rng.uniform(0.9, 1.0))
        return _dress(style, pink, "plain", yellow)
    if roll < 0.10:
        body = hsv(rng.uniform(0, 1), rng.uniform(0.05, 0.85), rng.uniform(0.6, 1.0))
        return _dress(style, body, "clear", (245, 245, 245) if luma(body) < 130 else (20, 20, 20))
    if roll < 0.16:
        body = hsv(rng.uniform(0.05, 0.1), rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.85))
        return _dress(style, body, "wood", (20, 22, 25) if luma(body) > 90 else (235, 240, 240))
    return style


def _dress(style: TileStyle, body: Colour, kind: str, ink: Colour) -> TileStyle:
    return replace(
        style,
        body=body,
        body_kind=kind,
        opacity=0.8 if kind == "clear" else 1.0,
        side=shade(body, 0.95),
        base=shade(body, 0.95),
        layer=1.0,
        pip_colours=(ink,) * (MAX_PIPS + 1),
        divider_colour=shade(body, 0.6) if style.divider == "groove" else ink,
        back_colour=body,
        back_ink=mix(body, ink, 0.5),
        logo="none",
    )


def choose_craft(rng: np.random.Generator, style: TileStyle) -> Craft:
    """How the set of a style is made."""
    depth = {"engraved": float(rng.uniform(0.02, 0.045)), "drilled": float(rng.uniform(0.045, 0.08))}
    rough = 0.65 - 0.55 * style.gloss
    if style.body_kind == "wood":
        rough = max(rough, float(rng.uniform(0.3, 0.7)))
    return Craft(
        depth=depth.get(style.pip_kind, 0.0),
        groove=float(rng.uniform(0.015, 0.04)) if style.divider == "groove" else 0.0,
        roughness=max(0.06, rough + float(rng.normal(0, 0.05))),
        coat=float(style.gloss * rng.uniform(0.2, 1.0)) if style.gloss > 0.4 else 0.0,
        clear=float(rng.uniform(0.55, 0.92)) if style.body_kind == "clear" else 0.0,
        scatter=float(rng.uniform(0.0, 0.03)),
    )


def _flat(style: TileStyle) -> TileStyle:
    """The style without painted rims, gleams and pins, which geometry and light provide."""
    return replace(
        style,
        bevel=0.0,
        corner=0.0,
        opacity=1.0,
        pin="none",
        pip_glint=False,
        pip_kind="printed" if style.pip_kind in _CUT else style.pip_kind,
        divider="bar" if style.divider == "groove" else style.divider,
    )


def _ink_mask(seed: int, style: TileStyle, halves: tuple[int, int], px: int, part: str) -> U8:
    """Where the ink of the pips or of the divider lies, (h, w) uint8: where the face changes with its colour."""
    looks = []
    for colour in ((0, 0, 0), (255, 255, 255)):
        dyed = (
            replace(style, pip_colours=(colour,) * (MAX_PIPS + 1))
            if part == "pips"
            else replace(style, divider_colour=colour)
        )
        looks.append(face_texture(np.random.default_rng(seed), dyed, *halves, px, 0.0)[0])
    return u8(u8(cv2.absdiff(looks[0], looks[1])).max(axis=2))


def _bowls(mask: U8, depth: float, steep: bool) -> F32:
    """Heights (h, w) of hollows under a mask: round bowls, or steep drilled holes."""
    rows = mask.shape[0]
    inside = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 5)
    blobs = np.asarray(cv2.connectedComponents((mask > 127).astype(np.uint8))[1], np.int32)
    radius = np.zeros(int(blobs.max()) + 1, np.float32)
    np.maximum.at(radius, blobs.ravel().astype(np.int64), inside.ravel())
    share = np.clip(inside / np.maximum(radius[blobs], 1e-3), 0, 1)
    share = np.clip(share / 0.4, 0, 1) if steep else share
    bowl = np.sqrt(np.clip(1 - (1 - share) ** 2, 0, 1))
    return np.asarray(cv2.GaussianBlur((-depth * bowl).astype(np.float32), (0, 0), max(0.6, rows / 160)), np.float32)


def face_relief(seed: int, style: TileStyle, craft: Craft, halves: tuple[int, int], px: int) -> Relief | None:
    """The engraving of a face, or None where pips and divider are printed.

    Args:
        seed: as for :func:`tile_texture`; the same seed puts the pips at the same places.
        style: look of the set.
        craft: how the set is made.
        halves: pips of the first and the second half.
        px: pixels of a half along the tile.
    """
    flat = _flat(style)
    heights: F32 | None = None
    if craft.depth > 0:
        heights = _bowls(_ink_mask(seed, flat, halves, px, "pips"), craft.depth, style.pip_kind == "drilled")
    if craft.groove > 0:
        groove = _bowls(_ink_mask(seed, flat, halves, px, "divider"), craft.groove, steep=False)
        heights = groove if heights is None else np.minimum(heights, groove)
    return None if heights is None else Relief(heights)


def tile_texture(seed: int, style: TileStyle, halves: tuple[int, int] | None, px: int, gain: float) -> U8:
    """Texture of a whole tile, BGR: its face (or its back, where ``halves`` is None) and below it its two sides.

    Args:
        seed: of wear, grain and the small wobble of the pips.
        style: look of the set.
        halves: pips of the first and the second half.
        px: pixels of a half along the tile.
        gain: brightness of this tile among its set.
    """
    rng, flat = np.random.default_rng(seed), _flat(style)
    top = face_texture(rng, flat, *halves, px, 0.0)[0] if halves is not None else back_texture(rng, flat, px, 0.0)[0]
    height, width = top.shape[:2]
    below = max(8, round(height * (1 - FACE_SHARE) / FACE_SHARE))
    upper, lower = (style.side, style.base) if halves is not None else (style.base, style.side)
    strips = np.empty((below, width, 3), np.uint8)
    strips[: below // 2], strips[below // 2 :] = upper, lower
    if style.body_kind == "wood":
        grain = smooth_noise(rng, (below, width), (max(2, below), 24)) * 0.3 + 0.85
        strips = u8(strips * grain[:, :, None])
    whole = np.vstack([top, strips])
    return u8(whole.astype(np.float32) * gain)


def tile_material(seed: int, style: TileStyle, craft: Craft, halves: tuple[int, int] | None, px: int) -> Material:
    """Surface of one tile of a set; arguments as for :func:`tile_texture`."""
    gain = 1.0 + float(np.random.default_rng([seed, 1]).normal(0, craft.scatter))
    texture = tile_texture(seed, style, halves, px, gain)
    clear: float | U8 = 0.0
    if craft.clear > 0:
        clear = np.full(texture.shape[:2], round(255 * craft.clear), np.uint8)
        if halves is not None:
            flat = _flat(style)
            mask = np.maximum(*(_ink_mask(seed, flat, halves, px, part) for part in ("pips", "divider")))
            clear[: len(mask)] = u8(clear[: len(mask)] * (1 - mask / 255.0))
    rough = craft.roughness if craft.clear == 0 else min(craft.roughness, 0.14)
    return Material(texture, roughness=rough, specular=0.5, coat=craft.coat, clear=clear)


def pin_material(rng: np.random.Generator, style: TileStyle) -> Material:
    """The metal of a spinner pin."""
    metal: Colour = (90, 170, 215) if style.pin == "brass" else (200, 200, 198)
    return Material(jitter(rng, metal, 8), roughness=float(rng.uniform(0.12, 0.4)), metal=1.0)
