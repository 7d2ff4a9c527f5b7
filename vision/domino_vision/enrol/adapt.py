"""Fit a small linear correction of the reader to tiles whose values are known.

What is minimised is the cross entropy of views of the tiles plus a penalty on the size of the correction; that is the
most likely correction under a Gaussian belief that none is needed. The fewer tiles are known, the stronger the belief.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from domino_vision.enrol.vary import views
from domino_vision.reader import ReaderHead, TileReader, combine_directions
from domino_vision.types import HALF_CLASSES, F32Array, F64Array, IntArray, U8Array

LEAST_TILES: Final = 5
"""Tiles that must be known; from fewer the correction was seen to do harm."""
VIEWS: Final = 8
"""Views of each tile."""
_PENALTY: Final = 420.0
"""Weight of the belief that no correction is needed, over the number of tiles.

Chosen by leaving out one picture at a time on `photos/train` and `photos/dev`: a fixed weight made some sets worse that
had shown few tiles; this one made none worse in halves on clear pictures or on tiles of 40 pixels.
"""
_WORSE: Final = 1.2
"""A correction whose held-out loss is more than this much that of none is not used.

Views of few tiles are easy and tell little: a correction that merely ties there still gained on small tiles.
"""
_STEPS: Final = 60
_FOLDS: Final = 4


@dataclass(frozen=True, slots=True)
class Fit:
    """A correction and what it was worth on tiles that it was not fitted to.

    Attributes:
        head: the correction; None if it did harm.
        loss: mean negative log-probability of the halves without and with correction, each tile held out in turn.
        right: share of the halves read right without and with it, in the same views.
    """

    head: ReaderHead | None
    loss: tuple[float, float]
    right: tuple[float, float]

    @property
    def worse(self) -> bool:
        """Whether the correction reads the tiles that it was not fitted to worse than none, and is used all the same.

        On small, soft pictures it may still gain; whoever uses it should know.
        """
        return self.head is not None and (self.right[1] < self.right[0] or self.loss[1] > self.loss[0])


@dataclass(frozen=True, slots=True)
class _Known:
    """Views of known tiles as the network saw them.

    Attributes:
        logits: (2, n, 2, 15).
        features: (2, n, 2, d).
        halves: (n, 2).
        each: views of a tile.
    """

    logits: F32Array
    features: F32Array
    halves: IntArray
    each: int

    def part(self, chosen: NDArray[Any]) -> "_Known":
        return _Known(self.logits[:, chosen], self.features[:, chosen], self.halves[chosen], self.each)


def fit_tiles(reader: TileReader, crops_bgr: U8Array, halves: IntArray) -> Fit:
    """Fit a correction to tiles.

    Args:
        reader: the network; a head that it has is ignored.
        crops_bgr: (n, 96, 192, 3) uint8, as `vary` keeps tiles, first half to the left.
        halves: (n, 2) int64, what they show.

    Raises:
        ModelError: `no_features` if the network tells no features.
    """
    known = _seen(reader, crops_bgr, halves, VIEWS)
    tile = np.repeat(np.arange(len(halves)), VIEWS)
    plain = combine_directions(_flat(known.logits), reader.temperature)
    folds = min(_FOLDS, len(halves))
    adapted = np.empty_like(plain)
    order = np.random.default_rng(0).permutation(len(halves))
    for fold in range(folds):
        out = np.isin(tile, order[fold::folds])
        adapted[out] = _read(known.part(out), _solve(known.part(~out), reader.temperature), reader.temperature)
    loss = (_loss(plain, known.halves), _loss(adapted, known.halves))
    right = (_right(plain, known.halves), _right(adapted, known.halves))
    head = _solve(known, reader.temperature) if loss[1] <= loss[0] * _WORSE else None
    return Fit(head, loss, right)


def quick_head(reader: TileReader, crops_bgr: U8Array, halves: IntArray) -> ReaderHead:
    """Fit a correction without asking what it is worth; arguments as for `fit_tiles`."""
    return _solve(_seen(reader, crops_bgr, halves, VIEWS // 2), reader.temperature)


def _seen(reader: TileReader, crops_bgr: U8Array, halves: IntArray, each: int) -> _Known:
    logits, features = reader.look(views(crops_bgr, each, reader.size_wh, reader.margin))
    return _Known(logits, features, np.repeat(halves, each, axis=0), each)


def _solve(known: _Known, temperature: float) -> ReaderHead:
    """Return the most likely correction."""
    logits = np.concatenate([known.logits[0], known.logits[1, :, ::-1]]).reshape(-1, HALF_CLASSES).astype(np.float64)
    features = np.concatenate([known.features[0], known.features[1, :, ::-1]]).astype(np.float64)
    seen = np.concatenate([features.reshape(len(logits), -1), np.ones((len(logits), 1))], axis=1)
    target = np.concatenate([known.halves, known.halves]).ravel()
    penalty = _PENALTY * known.each**2 / len(known.halves)
    rows = np.arange(len(target))

    def cost(flat: F64Array) -> tuple[float, F64Array]:
        weights = flat.reshape(HALF_CLASSES, -1)
        z = (logits + seen @ weights.T) / temperature
        z -= z.max(axis=1, keepdims=True)
        chances = np.exp(z)
        chances /= chances.sum(axis=1, keepdims=True)
        loss = -float(np.log(chances[rows, target] + 1e-12).sum()) + penalty / 2 * float(flat @ flat)
        chances[rows, target] -= 1
        return loss, np.asarray((chances.T @ seen / temperature).ravel() + penalty * flat, np.float64)

    start = np.zeros(HALF_CLASSES * seen.shape[1])
    found = minimize(cost, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    weights = found.x.reshape(HALF_CLASSES, -1).astype(np.float32)
    return ReaderHead(weights[:, :-1], weights[:, -1])


def _read(known: _Known, head: ReaderHead, temperature: float) -> F32Array:
    return combine_directions(_flat(known.logits + head.on(known.features)), temperature)


def _flat(logits: F32Array) -> F32Array:
    return logits.reshape(-1, *logits.shape[2:])


def _loss(logp: F32Array, halves: IntArray) -> float:
    return -float(np.take_along_axis(logp, halves[..., None], axis=2).mean(dtype=np.float64))


def _right(logp: F32Array, halves: IntArray) -> float:
    return float((logp.argmax(axis=2) == halves).mean())
