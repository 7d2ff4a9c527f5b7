"""How sure the reader may be: temperature and calibration error."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from domino_vision.reader import combine_directions
from domino_vision.types import F32Array

_BINS = 15
_RANGE = (0.3, 4.0)


def fit_temperature(logits: F32Array, halves: NDArray[Any]) -> float:
    """The temperature under which held-out halves are most likely.

    Args:
        logits: (2n, 2, k), n tiles and the same tiles turned round, as `combine_directions` takes them.
        halves: (n, 2) true classes.

    Source: Guo et al., On Calibration of Modern Neural Networks, 2017, temperature scaling.
    """
    low, high = (float(np.log(v)) for v in _RANGE)
    golden = (np.sqrt(5) - 1) / 2
    for _ in range(40):
        a, b = high - golden * (high - low), low + golden * (high - low)
        if _loss(logits, halves, a) < _loss(logits, halves, b):
            high = b
        else:
            low = a
    return float(np.exp((low + high) / 2))


def _loss(logits: F32Array, halves: NDArray[Any], log_temperature: float) -> float:
    logp = combine_directions(logits, float(np.exp(log_temperature)))
    return -float(np.take_along_axis(logp, halves[..., None], axis=2).mean(dtype=np.float64))


def expected_calibration_error(half_logp: F32Array, halves: NDArray[Any]) -> float:
    """Mean gap between how sure the answers were and how often they were right, 15 bins, halves counted alike.

    Args:
        half_logp: (n, 2, k) natural log-probabilities.
        halves: (n, 2) true classes.
    """
    sure = np.exp(half_logp.max(axis=2)).ravel().astype(np.float64)
    right = (half_logp.argmax(axis=2) == halves).ravel()
    if not len(sure):
        return 0.0
    bins = np.clip((sure * _BINS).astype(np.int64), 0, _BINS - 1)
    gaps = [abs(float(sure[bins == b].sum() - right[bins == b].sum())) for b in np.unique(bins)]
    return sum(gaps) / len(sure)
