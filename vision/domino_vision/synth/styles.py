"""Looks of tile sets, drawn at random: body, pips, divider, spinner pin, back."""

from dataclasses import dataclass, replace

import numpy as np

from domino_vision.synth.errors import SynthError
from domino_vision.synth.paint import Colour, hsv, jitter, luma, mix, shade
from domino_vision.synth.pips import MAX_PIPS

SET_MAX = {"double-six": 6, "double-nine": 9, "double-twelve": 12, "chinese": 6}


@dataclass(frozen=True, slots=True)
class TileStyle:
    """Look of one tile set. Lengths are fractions of the tile's width, colours are BGR 0..255.

    Attributes:
        aspect: length over width.
        body_kind: plain, wood, marble or clear (semi-transparent, see ``opacity``).
        side, base: colours of the upper and lower layer of the edge; ``layer`` is the upper layer's share.
        pip_kind: printed, engraved, drilled, ringed or gradient.
        pip_colours: colour for 0..12 pips (equal entries on most sets).
        pip_glint: a sharp highlight on every pip, as in polished cups.
        wells: cups at all nine places, those without a pip in the body's colour.
        divider: bar, short, groove, double or none.
        pin: none, brass or steel (spinner pin at the centre).
        logo: none, ring, letters or star: a small printed mark on the face.
        mark: letters of a maker, on faces with the logo "letters" and backs with "logo".
        back: plain, pattern, frame, logo or lines.
    """

    set_name: str
    aspect: float
    body: Colour
    body_kind: str
    opacity: float
    corner: float
    bevel: float
    thickness: float
    side: Colour
    base: Colour
    layer: float
    pip_kind: str
    pip_radius: float
    pip_spread: float
    pip_colours: tuple[Colour, ...]
    six_across: bool
    mirrored: bool
    staggered: bool
    pip_glint: bool
    wells: bool
    divider: str
    divider_colour: Colour
    divider_width: float
    divider_length: float
    pin: str
    pin_radius: float
    logo: str
    mark: str
    back: str
    back_colour: Colour
    back_ink: Colour
    gloss: float
    wear: float

    @property
    def max_pips(self) -> int:
        """The highest number of pips on a half of the set."""
        return SET_MAX[self.set_name]


# Chance of a body, then its ranges of hue, saturation and value, and what it is made of.
_Range = tuple[float, float]
_BODIES: dict[str, tuple[float, _Range, _Range, _Range, str]] = {
    "ivory": (0.27, (0.09, 0.16), (0.08, 0.42), (0.78, 1.0), "plain"),
    "white": (0.21, (0.0, 1.0), (0.0, 0.06), (0.88, 1.0), "plain"),
    "black": (0.13, (0.0, 1.0), (0.0, 0.35), (0.05, 0.2), "plain"),
    "wood": (0.08, (0.05, 0.11), (0.3, 0.7), (0.25, 0.85), "wood"),
    "colour": (0.17, (0.0, 1.0), (0.5, 1.0), (0.25, 0.95), "plain"),
    "pastel": (0.06, (0.0, 1.0), (0.15, 0.4), (0.8, 1.0), "plain"),
    "marble": (0.05, (0.0, 1.0), (0.05, 0.6), (0.25, 0.95), "marble"),
    "clear": (0.03, (0.0, 1.0), (0.2, 0.8), (0.4, 0.95), "clear"),
}
_USUAL_HUES = (0.0, 0.3, 0.36, 0.42, 0.6, 0.9)


def _body(rng: np.random.Generator) -> tuple[Colour, str]:
    name = str(rng.choice(list(_BODIES), p=[row[0] for row in _BODIES.values()]))
    _, hues, saturations, values, kind = _BODIES[name]
    hue = rng.uniform(*hues)
    if name == "colour" and rng.random() < 0.7:
        hue = rng.choice(_USUAL_HUES) + rng.normal(0, 0.02)
    return hsv(hue, rng.uniform(*saturations), rng.uniform(*values)), kind


def _contrasting(rng: np.random.Generator, body: Colour) -> Colour:
    """An ink that can be told from the body; now and then only just."""
    weak = rng.random() < 0.08
    for _ in range(30):
        roll = rng.random()
        if roll < 0.55:
            dark = luma(body) > 120
            ink = hsv(rng.uniform(0, 1), rng.uniform(0, 0.25), rng.uniform(0.0, 0.22) if dark else rng.uniform(0.85, 1))
        elif roll < 0.7:
            ink = hsv(rng.uniform(0.1, 0.17), rng.uniform(0.5, 1.0), rng.uniform(0.75, 1.0))
        else:
            ink = hsv(rng.uniform(0, 1), rng.uniform(0.6, 1.0), rng.uniform(0.3, 0.95))
        distance = float(np.abs(np.subtract(ink, body)).max())
        if abs(luma(ink) - luma(body)) > (45 if weak else 80) or (weak and distance > 110):
            return ink
    return (12, 12, 12) if luma(body) > 120 else (245, 245, 245)


def _coloured_pips(rng: np.random.Generator, body: Colour) -> tuple[Colour, ...]:
    hues = [0.55, 0.33, 0.0, 0.08, 0.62, 0.13, 0.85, 0.48, 0.77, 0.06, 0.97, 0.6]
    if rng.random() < 0.5:
        rng.shuffle(hues)
    bright = luma(body) > 120
    inks: list[Colour] = [(0, 0, 0)]
    for hue in hues:
        for _ in range(20):
            value = rng.uniform(0.35, 1.0) if bright else rng.uniform(0.75, 1.0)
            ink = hsv(hue + rng.normal(0, 0.015), rng.uniform(0.55, 1.0), value)
            if abs(luma(ink) - luma(body)) > 45 or float(np.abs(np.subtract(ink, body)).max()) > 120:
                break
        inks.append(ink)
    if rng.random() < 0.3:
        inks[int(rng.integers(1, 13))] = (25, 25, 25) if bright else (230, 230, 230)
    return tuple(inks)


_MARKS = ("D", "DX", "RO", "GO", "D6", "Pro", "K&B", "12", "TORO", "*")


def _inks(rng: np.random.Generator, body: Colour, set_name: str) -> tuple[Colour, ...]:
    chance = {"double-six": 0.14, "double-nine": 0.6, "double-twelve": 0.85, "chinese": 0.0}[set_name]
    if rng.random() < chance:
        return _coloured_pips(rng, body)
    return (_contrasting(rng, body),) * (MAX_PIPS + 1)


def _sides(rng: np.random.Generator, body: Colour) -> tuple[Colour, Colour, float]:
    if rng.random() < 0.6:
        return shade(body, rng.uniform(0.75, 1.0)), shade(body, rng.uniform(0.7, 0.95)), 1.0
    other = hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.1, 0.9))
    if rng.random() < 0.3:
        other = (25, 25, 25)
    return shade(body, 0.95), other, float(rng.uniform(0.3, 0.7))


def max_pips_of(set_name: str) -> int:
    """The highest number of pips on a half of a set.

    Raises:
        SynthError: the set is none of those that can be drawn (`unknown_set`).
    """
    if set_name not in SET_MAX:
        known = ", ".join(SET_MAX)
        raise SynthError("unknown_set", f"no tiles of the set {set_name!r} can be drawn; known: {known}", set=set_name)
    return SET_MAX[set_name]


def random_style(rng: np.random.Generator, set_name: str = "double-six") -> TileStyle:
    """A random look for a set.

    Args:
        rng: source of all randomness.
        set_name: double-six, double-nine, double-twelve or chinese.

    Raises:
        SynthError: the set is not one of these (`unknown_set`).
    """
    high = max_pips_of(set_name)
    body, kind = _body(rng)
    inks = _inks(rng, body, set_name)
    side, base, layer = _sides(rng, body)
    groove = shade(body, rng.uniform(0.45, 0.8) if luma(body) > 60 else rng.uniform(1.3, 2.0))
    divider = str(rng.choice(["bar", "short", "groove", "double", "none"], p=[0.32, 0.32, 0.2, 0.06, 0.1]))
    bar = inks[1] if rng.random() < 0.7 and len(set(inks)) < 4 else _contrasting(rng, body)
    pin = str(rng.choice(["none", "brass", "steel"], p=[0.62, 0.28, 0.10]))
    back_colour = base if rng.random() < 0.7 else hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.1, 0.95))
    if divider != "none" and rng.random() < 0.45:
        back_colour = jitter(rng, body, 5)
    style = TileStyle(
        set_name=set_name,
        aspect=float(np.clip(rng.normal(2.0, 0.06), 1.8, 2.15)),
        body=body,
        body_kind=kind,
        opacity=float(rng.uniform(0.7, 0.92)) if kind == "clear" else 1.0,
        corner=float(rng.choice([rng.uniform(0.0, 0.05), rng.uniform(0.05, 0.14), rng.uniform(0.14, 0.26)])),
        bevel=float(rng.uniform(0.0, 0.08)),
        thickness=float(rng.uniform(0.16, 0.55)),
        side=side,
        base=base,
        layer=layer,
        pip_kind=str(rng.choice(["printed", "engraved", "drilled", "ringed", "gradient"], p=[0.3, 0.3, 0.2, 0.1, 0.1])),
        pip_radius=float(rng.uniform(0.065, 0.125 if high == 6 else 0.105)),
        pip_spread=float(rng.uniform(0.21, 0.315) if high == 6 else rng.uniform(0.25, 0.34)),
        pip_colours=inks,
        six_across=bool(rng.random() < 0.12),
        mirrored=bool(rng.random() < 0.5),
        staggered=bool(rng.random() < 0.2),
        pip_glint=bool(rng.random() < 0.3),
        wells=bool(high <= 9 and rng.random() < 0.04),
        divider=divider,
        divider_colour=groove if divider == "groove" else bar,
        divider_width=float(rng.uniform(0.015, 0.07)),
        divider_length=float(rng.uniform(0.55, 0.9)),
        pin=pin,
        pin_radius=float(rng.uniform(0.045, 0.11)),
        logo=str(rng.choice(["none", "ring", "letters", "star"], p=[0.94, 0.02, 0.02, 0.02])),
        mark=str(rng.choice(_MARKS)),
        back=str(rng.choice(["plain", "pattern", "frame", "logo", "lines"], p=[0.5, 0.15, 0.1, 0.15, 0.1])),
        back_colour=back_colour,
        back_ink=mix(back_colour, _contrasting(rng, back_colour), float(rng.uniform(0.25, 1.0))),
        gloss=float(rng.uniform(0, 1)),
        wear=float(max(0.0, rng.normal(0.0, 0.35))),
    )
    return _chinese(rng, style) if set_name == "chinese" else style


def _chinese(rng: np.random.Generator, style: TileStyle) -> TileStyle:
    """Long tiles without a divider, 1 and 4 in red, the rest white on black or black (green) on ivory."""
    dark = rng.random() < 0.6
    body = hsv(rng.uniform(0, 1), 0.15, rng.uniform(0.04, 0.14)) if dark else style.body
    if not dark and luma(body) < 150:
        body = hsv(0.12, rng.uniform(0.05, 0.25), rng.uniform(0.8, 1.0))
    red = hsv(rng.uniform(0.96, 1.02), rng.uniform(0.75, 1.0), rng.uniform(0.55, 0.9))
    ink: Colour = jitter(rng, (238, 240, 240), 6) if dark else jitter(rng, (30, 30, 30), 8)
    if not dark and rng.random() < 0.25:
        ink = hsv(0.38, 0.8, rng.uniform(0.3, 0.5))
    inks = tuple(red if count in (1, 4) else ink for count in range(MAX_PIPS + 1))
    return replace(
        style,
        aspect=float(rng.uniform(2.2, 2.5)),
        body=body,
        side=shade(body, 0.9),
        base=shade(body, 0.85),
        layer=1.0,
        body_kind="plain",
        opacity=1.0,
        pip_colours=inks,
        pip_radius=float(rng.uniform(0.1, 0.165)),
        pip_spread=float(rng.uniform(0.19, 0.24)),
        wells=False,
        divider="none",
        pin="none",
        logo="none",
        back_colour=style.back_colour if rng.random() < 0.4 else jitter(rng, body, 4),
    )
