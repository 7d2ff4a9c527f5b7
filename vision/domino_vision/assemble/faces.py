"""How each tile lies, from the detector's class, the reader's word and the company it keeps. Knows no values."""

from __future__ import annotations

from typing import Final

import numpy as np

from domino_rules.tile import Tile, TileSet
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
_BLANK: Final = 0.97
"""Probability that a half shows no pips if its place alone tells so."""
_APART: Final = 1.5
"""A tile lies alone if the middles of all others that lie face down are so many lengths away."""


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


def blank_in_chain(
    readings: TileReadings, face: U8Array, plane: TablePlane, tile_set: TileSet, most_pips: int, options: JoinOptions
) -> int | None:
    """Return the tile found face down that is the set's double blank; None if there is none.

    On tiles without a divider a double blank and a back look alike. What tells them apart is the place: nobody lays a
    tile face down where the next tile of the line goes. The double blank is not seen elsewhere, a single tile lies
    face down exactly so that it continues blank ends, and no other face-down tile is near it, as in a boneyard.
    """
    up, down = np.flatnonzero(face == Face.UP), np.flatnonzero(face == Face.DOWN)
    if tile_set.copies(Tile(0, 0)) != 1 or not len(up) or not len(down):
        return None
    half_p = half_probabilities(readings.half_logp[up], most_pips)
    if (half_p[:, :, 0].prod(1) >= SURE_MATCH).any():
        return None
    quads = plane.to_mm(readings.corners_px).astype(np.float64)
    apart = np.linalg.norm(quads[down].mean(1)[:, None] - quads[down].mean(1)[None], axis=-1)
    alone = down[(apart < _APART * plane.tile_wh_mm[0]).sum(1) == 1]
    half_p = np.concatenate([half_p, blank_p(half_p.shape[2])[None]])
    found = [
        tile
        for tile in alone.tolist()
        if _continues(TileRects.from_quads(quads[[*up, tile]], plane.tile_wh_mm), half_p, options)
    ]
    return found[0] if len(found) == 1 else None


def _continues(rects: TileRects, half_p: F64Array, options: JoinOptions) -> bool:
    """Return whether the last tile lies just where it is joined to others, and matches all of them."""
    last = len(half_p) - 1
    joined = [each for each in find_joins(rects, half_p, options).taken if last in (each.join.a, each.join.b)]
    return bool(joined) and all(
        each.score >= options.base
        and _match(half_p, each.join.a, each.join.a_part, each.join.b, each.join.b_part) >= SURE_MATCH
        for each in joined
    )


def blank_p(pips: int) -> F64Array:
    """Return what is believed of the halves of a tile that only its place tells to be the double blank, (2, K)."""
    p = np.full((2, pips), (1 - _BLANK) / (pips - 1))
    p[:, 0] = _BLANK
    return p


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
