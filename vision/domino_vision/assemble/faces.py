"""How each tile lies, from the detector's class, the reader's word and the company it keeps. Knows no values."""

from __future__ import annotations

import numpy as np

from domino_vision.assemble.decode import half_probabilities
from domino_vision.assemble.joins import JoinOptions, TileRects, find_joins
from domino_vision.assemble.plane import TablePlane
from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS, F64Array, Face, IntArray, TileReadings, U8Array

SURE_HALF = 0.8
"""Probability of its pips from which a half of a tile called standing is taken for read."""
SURE_PIPS = 0.9
"""Probability of its pips from which a half of a tile called face down shows them."""
SURE_MATCH = 0.5
"""Probability that touching halves show the same pips from which a join shows that the tile lies."""


def faces_read(readings: TileReadings) -> U8Array:
    """Return faces, shape (n,), in which what the reader saw overrules the detector.

    A tile found face up whose two halves both read as a back lies face down. One found face down whose halves both read
    clearly as pips, not both as blanks, lies face up: dark tiles with faint pips look like backs from afar.
    """
    face = readings.face.copy()
    p = np.exp(readings.half_logp.astype(np.float64))
    pips = p[..., :BACK_CLASS]
    back, unreadable = p[..., BACK_CLASS].mean(1), p[..., UNREADABLE_CLASS].mean(1)
    seen = (pips.max(-1).min(1) >= SURE_PIPS) & (pips.argmax(-1) > 0).any(1)
    face[(face == Face.UP) & (back + unreadable / 2 > 0.5) & (back > unreadable)] = Face.DOWN
    face[(face == Face.DOWN) & seen] = Face.UP
    return face


def lying_in_chain(
    readings: TileReadings, face: U8Array, plane: TablePlane, most_pips: int, options: JoinOptions
) -> U8Array:
    """Return faces in which tiles called standing lie face up where they continue a chain.

    Seen at a flat angle a lying tile far away looks much like a standing one. What tells them apart is the company: a
    tile whose pips are read and whose half matches the half that it touches, up to a tile that lies for sure, lies too.
    """
    p = np.exp(readings.half_logp[..., :BACK_CLASS].astype(np.float64)).max(-1).min(-1)
    maybe = (face == Face.STANDING) & (p >= SURE_HALF)
    if not maybe.any() or not (face == Face.UP).any():
        return face
    up = np.flatnonzero(maybe | (face == Face.UP))
    half_p = half_probabilities(readings.half_logp[up], most_pips)
    rects = TileRects.from_quads(plane.to_mm(readings.corners_px[up]).astype(np.float64), plane.tile_wh_mm)
    links = [
        (join.a, join.b)
        for join in find_joins(rects, half_p, options).joins
        if _match(half_p, join.a, join.a_part, join.b, join.b_part) >= SURE_MATCH
    ]
    lying = face.copy()
    lying[up[_reached(links, np.flatnonzero(~maybe[up]))]] = Face.UP
    return lying


def _match(half_p: F64Array, a: int, a_part: str, b: int, b_part: str) -> float:
    """Return the probability that the touching parts of two tiles show the same pips."""
    return float((_part_p(half_p[a], a_part) * _part_p(half_p[b], b_part)).sum())


def _part_p(half_p: F64Array, part: str) -> F64Array:
    """Return the distribution of what a tile shows at a part, shape (k,); at the middle both halves must agree."""
    if part == "m":
        both = half_p[0] * half_p[1]
        share: F64Array = both / max(float(both.sum()), 1e-9) * min(1.0, float(both.sum()) * 2)
        return share
    own: F64Array = half_p[0 if part == "a" else 1]
    return own


def _reached(links: list[tuple[int, int]], start: IntArray) -> IntArray:
    """Return the tiles that hang together with those at `start` by links, those included."""
    reached, grown = set(start.tolist()), True
    while grown:
        more = {b for a, b in links if a in reached} | {a for a, b in links if b in reached}
        grown = not more <= reached
        reached |= more
    return np.array(sorted(reached), dtype=np.int64)
