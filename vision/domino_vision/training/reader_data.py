"""Batches for the reader: which crop comes next, and how it is distorted. Knows nothing of torch."""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.training.crop_augment import distort, plain
from domino_vision.training.crops import CropSet
from domino_vision.training.reader_config import ReaderConfig
from domino_vision.types import F64Array, U8Array

Key = tuple[int, int]
"""A serial number, which seeds the distortion, and the index of a crop."""
Example = tuple[U8Array, NDArray[np.int64], bool]
"""What the network sees (h, w, 3), the classes of its halves (2,), and whether their order is known."""


class Views:
    """Distorted views of a set of crops, addressed by `Key`; the same key always gives the same view."""

    def __init__(self, crops: CropSet, config: ReaderConfig) -> None:
        self._crops = crops
        self._config = config

    def __len__(self) -> int:
        return len(self._crops)

    def __getitem__(self, key: Key) -> Example:
        serial, index = key
        cv2.setNumThreads(1)
        rng = np.random.default_rng([self._config.seed, serial])
        first, second = (int(v) for v in self._crops.halves[index])
        image = self._crops.images[index]
        view, halves = distort(image, (first, second), self._config.size_wh, self._config.margin, rng)
        return view, np.array(halves, dtype=np.int64), bool(self._crops.ordered[index])


class Batches:
    """The keys of one epoch's batches: sources by their weights, groups evened out by the root of their size."""

    def __init__(self, crops: CropSet, config: ReaderConfig, epoch: int) -> None:
        self._chances = crop_chances(crops, config.weights)
        self._config = config
        self._epoch = epoch

    def __len__(self) -> int:
        return self._config.steps

    def __iter__(self) -> Iterator[list[Key]]:
        config = self._config
        rng = np.random.default_rng([config.seed, 1, self._epoch])
        total = config.steps * config.batch
        drawn = rng.choice(len(self._chances), size=total, p=self._chances)
        first = self._epoch * total
        for at in range(0, total, config.batch):
            yield [(first + at + i, int(index)) for i, index in enumerate(drawn[at : at + config.batch])]


def crop_chances(crops: CropSet, weights: dict[str, float]) -> F64Array:
    """How likely each crop is drawn: (n,) float64, sums to one.

    A source has its weight (sources without crops are left out); in a source, a group counts by the square root of
    its size, so that one large table does not drown the others.
    """
    chances = np.zeros(len(crops), dtype=np.float64)
    for source, weight in weights.items():
        mine = crops.sources == source
        if not mine.any():
            continue
        _, inverse, sizes = np.unique(crops.groups[mine], return_inverse=True, return_counts=True)
        each = 1 / np.sqrt(sizes[inverse])
        chances[mine] = weight * each / each.sum()
    return np.asarray(chances / chances.sum(), dtype=np.float64)


def calibration_views(
    crops: CropSet, config: ReaderConfig, jitter: float, seed: int
) -> tuple[U8Array, NDArray[np.int64]]:
    """Undistorted views of all crops whose order is known, with corners as wrong as a detector's.

    Args:
        crops: held-out crops.
        config: says what the network sees.
        jitter: standard deviation of a corner's error as a share of the tile's length.
        seed: of the errors.

    Returns:
        (n, h, w, 3) uint8 and (n, 2) classes.
    """
    rng = np.random.default_rng(seed)
    known = crops.part(crops.ordered)
    moves = rng.normal(0, jitter, (len(known), 4, 2)).astype(np.float32)
    views = [plain(image, config.size_wh, config.margin, move) for image, move in zip(known.images, moves, strict=True)]
    return np.stack(views), known.halves.astype(np.int64)


def both_directions(views: U8Array) -> NDArray[Any]:
    """The views followed by the same views turned by 180 degrees."""
    return np.concatenate([views, views[:, ::-1, ::-1]])
