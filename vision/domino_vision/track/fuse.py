"""Several looks at tiles that lie still, added up: the sum of their log-probabilities, tile by tile.

Looks by one camera err alike (the same glare, the same blur), so n of them count as fewer independent ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from domino_vision.assemble.plane import project
from domino_vision.track.poses import match_tiles
from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS, F32Array, F64Array, Face, TileReadings

ALIKE: Final = 0.4
"""Correlation between the errors of two looks by one camera at a table at rest."""
PRIOR_DOUBT: Final = 0.02
"""Share of known tiles that are, after all, others: swapped unseen, or misread before."""
_LEAST_LOGP: Final = -12.0
"""A single look says no more against a value than this."""
_SEEN_SHARE: Final = 0.5
"""A tile counts if at least this share of the looks shows it."""


def effective_looks(looks: int, alike: float = ALIKE) -> float:
    """Return how many independent looks so many looks are worth.

    Source: the design effect of clustered samples, n / (1 + (n - 1) rho) (Kish, Survey Sampling, 1965).
    """
    return looks / (1 + (looks - 1) * alike) if looks else 0.0


def fuse_looks(looks: Sequence[TileReadings], px_to_mm: F64Array) -> TileReadings:
    """Return one set of readings from looks at the same table at rest, through a camera at rest.

    Args:
        looks: at least one, the sharpest first; tiles get the order and the halves' order of the looks they appear in
            first.
        px_to_mm: shape (3, 3), pixels to table millimetres.

    Returns:
        Tiles that at least half of the looks show: median corners, mean score, summed log-probabilities.
    """
    if len(looks) == 1:
        return looks[0]
    groups: list[list[tuple[int, int, bool]]] = []
    places: list[F64Array] = []
    for number, look in enumerate(looks):
        quads = project(px_to_mm, look.corners_px.astype(np.float64))
        blank = [None] * len(quads)
        known = np.array(places, np.float64).reshape(-1, 4, 2)
        matches = {m.after: m for m in match_tiles(known, quads, [None] * len(known), blank)}
        for i in range(len(quads)):
            if i in matches:
                groups[matches[i].before].append((number, i, matches[i].turned))
            else:
                places.append(quads[i])
                groups.append([(number, i, False)])
    kept = [group for group in groups if len(group) >= _SEEN_SHARE * len(looks)]
    return TileReadings(
        corners_px=np.array([_corners(looks, group) for group in kept], np.float32).reshape(-1, 4, 2),
        face=np.array([_face(looks, group) for group in kept], np.uint8),
        score=np.array([np.mean([looks[n].score[i] for n, i, _ in group]) for group in kept], np.float32),
        half_logp=np.array([_logp(looks, group) for group in kept], np.float32).reshape(-1, 2, UNREADABLE_CLASS + 1),
    )


def with_prior(
    half_logp: F32Array, known_logp: F32Array, doubt: float = PRIOR_DOUBT, *, unturned: bool = False
) -> F32Array:
    """Return the log-probabilities of a look at a tile (2, 15) with what was known of it before, (2, 15).

    A face that is clearly a back stays one: the tile was turned over. An unreadable half is what it was before, and of
    a tile that nobody turned (`unturned`) one that looks like a back is unreadable.
    """
    now = np.maximum(half_logp.astype(np.float64), _LEAST_LOGP)
    if unturned:
        now[:, UNREADABLE_CLASS] = np.logaddexp(now[:, UNREADABLE_CLASS], now[:, BACK_CLASS])
        now[:, BACK_CLASS] = _LEAST_LOGP
    pips = np.exp(known_logp[:, :BACK_CLASS].astype(np.float64))
    pips /= np.maximum(pips.sum(1, keepdims=True), 1e-12)
    pips = (1 - doubt) * pips + doubt / BACK_CLASS
    out = now.copy()
    out[:, :BACK_CLASS] += np.log(pips)
    mass = np.exp(now[:, :BACK_CLASS]).sum(1) + 0.9 * np.exp(now[:, UNREADABLE_CLASS])
    own = np.exp(out[:, :BACK_CLASS]) + np.exp(now[:, UNREADABLE_CLASS : UNREADABLE_CLASS + 1]) * pips
    out[:, :BACK_CLASS] = np.log(own / own.sum(1, keepdims=True) * mass[:, None])
    out[:, UNREADABLE_CLASS] += np.log(0.1)
    return normalised(out)


def normalised(logp: F64Array) -> F32Array:
    """Return log-weights (..., K) as log-probabilities."""
    top = logp.max(-1, keepdims=True)
    total = np.log(np.exp(logp - top).sum(-1, keepdims=True)) + top
    return np.asarray(logp - total, np.float32)


def _corners(looks: Sequence[TileReadings], group: list[tuple[int, int, bool]]) -> F64Array:
    rings = [np.roll(looks[n].corners_px[i], 2, axis=0) if turned else looks[n].corners_px[i] for n, i, turned in group]
    return np.asarray(np.median(np.array(rings, np.float64), axis=0), np.float64)


def _face(looks: Sequence[TileReadings], group: list[tuple[int, int, bool]]) -> int:
    votes = np.zeros(len(Face))
    for n, i, _ in group:
        votes[int(looks[n].face[i])] += float(looks[n].score[i])
    return int(np.argmax(votes))


def _logp(looks: Sequence[TileReadings], group: list[tuple[int, int, bool]]) -> F32Array:
    parts = [looks[n].half_logp[i][::-1] if turned else looks[n].half_logp[i] for n, i, turned in group]
    total = np.maximum(np.array(parts, np.float64), _LEAST_LOGP).mean(0)
    return normalised(total * effective_looks(len(parts)))
