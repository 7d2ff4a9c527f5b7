"""Whether a person who zooms in could count the pips of a rendered tile: judged from the finished picture.

The labels of photographs name a tile only if both of its halves can be read (`ignore` holds the others). A renderer
knows where every pip lies, so the same can be measured: how far each pip stands out from the body round it once lens
and sensor have done their work, and whether pips next to each other are still two.
"""

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from domino_vision.render.bodies import top_of
from domino_vision.render.lens import Distortion
from domino_vision.synth.board import Piece
from domino_vision.synth.camera import Camera, lift
from domino_vision.synth.faces import chinese_pips, half_pips
from domino_vision.synth.paint import F32, F64, U8
from domino_vision.synth.styles import TileStyle

MIN_PITCH_PX = 2.0
"""Pixels from a pip's centre to the next: a bright and a dark sample for each, else no pattern survives (Nyquist)."""
MIN_CONTRAST = 5.0
"""Colour difference (CIE 1976 L*a*b*) of a pip and the body round it: twice the least that is seen, 2.3.

Source: Mahy, Van Eycken and Oosterlinck, Evaluation of Uniform Color Spaces Developed after the Adoption of CIELAB and
CIELUV, 1994.
"""
MIN_FALL = 1.0
"""Colour difference by which the picture falls back towards the body between two pips that can be told apart: the unit
of CIE 1976 L*a*b*, made to be the least that is seen side by side."""

_DISC, _RING, _CLEAR = 0.5, 1.6, 1.25
_RIM, _MIDDLE = 0.05, 0.06
_TURNS = np.linspace(0, 2 * np.pi, 12, endpoint=False)
_AROUND = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])


@dataclass(frozen=True, slots=True)
class Clarity:
    """How clear the pips of a half are in a picture.

    Attributes:
        pitch: pixels between the two pips nearest to each other; infinite with fewer than two.
        contrast: of the pip that stands out least; infinite without pips.
        fall: mean fall of the colour from neighbouring pips to the place between them; infinite with fewer than two.
    """

    pitch: float = np.inf
    contrast: float = np.inf
    fall: float = np.inf

    @property
    def countable(self) -> bool:
        """Whether all three reach what a person needs."""
        return self.pitch >= MIN_PITCH_PX and self.contrast >= MIN_CONTRAST and self.fall >= MIN_FALL


@dataclass(frozen=True, slots=True, eq=False)
class Onlooker:
    """A finished picture and how places of the table come into it.

    Attributes:
        lab: (h, w, 3) float32, the picture in CIE L*a*b*.
        camera, lens: the projection.
        style: look of the tiles.
    """

    lab: F32
    camera: Camera
    lens: Distortion
    style: TileStyle

    def pixels(self, piece: Piece, top: float, places: F64) -> F64:
        """Pixels (n, 2) of places (n, 2) along and across a piece's upper face about its middle."""
        cos, sin = np.cos(piece.angle), np.sin(piece.angle)
        flat = piece.centre + places @ np.array([[cos, sin], [-sin, cos]])
        return np.asarray(self.lens.apply(self.camera.project(lift(flat, top))) - 0.5)

    def colours(self, piece: Piece, top: float, places: F64) -> F32:
        """Colours (n, 3) of places (n, 2) of a piece's upper face, interpolated."""
        spots = self.pixels(piece, top, places).astype(np.float32)
        seen = cv2.remap(self.lab, spots[:, :1], spots[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen[:, 0], np.float32)


def onlooker(frame: U8, camera: Camera, lens: Distortion, style: TileStyle) -> Onlooker:
    """Someone who looks at a finished picture, BGR uint8 (h, w, 3)."""
    lab = cv2.cvtColor(frame.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2Lab)
    return Onlooker(np.asarray(lab, np.float32), camera, lens, style)


def pip_places(style: TileStyle, count: int, half: int) -> tuple[F64, float]:
    """Places (count, 2) of a half's pips along and across the face about its middle, and their radius, in widths."""
    if style.set_name == "chinese":
        ends, radius = chinese_pips(style, count, 1.0, style.aspect)
        first = np.column_stack([ends[:, 0] - style.aspect / 2, -ends[:, 1]])
    else:
        points, radius = half_pips(style, count, 1.0)
        first = points * [1, -1] - [style.aspect / 4, 0]
    return (-first if half else first), radius


def clarity(view: Onlooker, piece: Piece, under: int, half: int) -> Clarity:
    """How clear the pips of a half of a face-up tile are.

    Args:
        view: the finished picture.
        piece: the tile.
        under: tiles below it.
        half: 0 or 1.
    """
    count, style = piece.halves[half], view.style
    if count <= 0:
        return Clarity()
    top = top_of(piece, style, under)
    places, radius = pip_places(style, count, half)
    pips, bodies = [], []
    for place in places:
        disc = np.vstack([place[None], place + _AROUND * radius * _DISC])
        pips.append(view.colours(piece, top, disc).mean(axis=0))
        bodies.append(view.colours(piece, top, _body_round(style, places, place, radius)).mean(axis=0))
    stands_out = np.array(pips) - np.array(bodies)
    heading = stands_out.mean(axis=0)
    heading /= max(float(np.linalg.norm(heading)), 1e-6)
    contrast = stands_out @ heading
    if count < 2:
        return Clarity(contrast=float(contrast.min()))
    centres = view.pixels(piece, top, places)
    gaps = {(i, j): float(np.linalg.norm(centres[i] - centres[j])) for i, j in combinations(range(count), 2)}
    pitch = min(gaps.values())
    near = [pair for pair, gap in gaps.items() if gap <= 1.15 * pitch]
    between = view.colours(piece, top, np.array([(places[i] + places[j]) / 2 for i, j in near]))
    fall = [float(((pips[i] + pips[j]) / 2 - colour) @ heading) for (i, j), colour in zip(near, between, strict=True)]
    return Clarity(pitch, float(contrast.min()), float(np.mean(fall)))


def legible(view: Onlooker, piece: Piece, under: int) -> bool:
    """Whether both halves of a face-up tile can be read by a person who zooms in.

    A half without pips is as legible as the other one; a blank tile that has neither divider nor pin cannot be told
    from a back.
    """
    style = view.style
    if piece.halves == (0, 0) and style.divider == "none" and style.pin == "none":
        return False
    return all(clarity(view, piece, under, half).countable for half in (0, 1))


def _body_round(style: TileStyle, places: F64, place: F64, radius: float) -> F64:
    """Places round a pip that show the bare body: not the rim, the middle or another pip; all of them if none do."""
    ring = place + _AROUND * radius * _RING
    corner = max(style.corner, 2 * _RIM)
    beyond = np.maximum(np.abs(ring) - (np.array([style.aspect / 2, 0.5]) - corner), 0)
    bare = (np.linalg.norm(beyond, axis=1) < corner - _RIM) & (np.abs(ring[:, 0]) > _MIDDLE)
    apart = np.linalg.norm(ring[:, None] - places[None], axis=2)
    bare &= (apart > radius * _CLEAR).all(axis=1)
    return ring[bare] if bare.any() else ring
