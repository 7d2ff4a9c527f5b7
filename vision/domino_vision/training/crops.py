"""The reader's data set: tiles cut out of pictures once, a little larger than the network sees them.

A shard is an `.npz` file of parallel arrays; training draws from all shards and distorts each crop anew.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domino_vision.errors import TrainingError
from domino_vision.training.reader_config import ReaderConfig
from domino_vision.types import U8Array

CUT_SIZE_WH = (192, 96)
"""Width and height of a stored crop in pixels."""
CUT_MARGIN = 0.3
"""What a stored crop shows beyond each edge of the tile, as a share of its length and width."""
_SHARD = 2000

Labels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Crop:
    """One tile, cut out.

    Attributes:
        image: (96, 192, 3) uint8 BGR, first half to the left.
        halves: classes of the first and second half, 0 to 14.
        ordered: false if it is not known which half is which.
        group: table or style; a group is held out whole or not at all.
        source: kind of data, a key of the configuration's `weights`.
    """

    image: U8Array
    halves: tuple[int, int]
    ordered: bool
    group: str
    source: str


@dataclass(frozen=True, slots=True)
class CropSet:
    """Many crops as parallel arrays.

    Attributes:
        images: (n, 96, 192, 3) uint8 BGR.
        halves: (n, 2) uint8 classes.
        ordered: (n,) bool.
        groups: (n,) str.
        sources: (n,) str.
    """

    images: U8Array
    halves: Labels
    ordered: NDArray[np.bool_]
    groups: NDArray[np.str_]
    sources: NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.images)

    def part(self, chosen: NDArray[Any]) -> "CropSet":
        """The crops that an index array or a mask selects."""
        return CropSet(
            self.images[chosen], self.halves[chosen], self.ordered[chosen], self.groups[chosen], self.sources[chosen]
        )

    def split(self, held_out: Iterable[str]) -> tuple["CropSet", "CropSet"]:
        """Crops of all other groups, and those of the groups in `held_out`."""
        out = np.isin(self.groups, list(held_out))
        return self.part(~out), self.part(out)


def build_crops(config: ReaderConfig) -> dict[str, int]:
    """Cut the tiles of every source of a configuration and write them as shards to `config.work / "crops"`.

    A source whose shards exist is kept as it is, so that an interrupted build goes on.

    Returns:
        Number of crops by source.

    Raises:
        TrainingError: `photos_missing` if `config.photos` is no folder, `source_unknown` for an unknown source.
        LabelError: `label_broken` if a label file cannot be read.
    """
    from domino_vision.training.crop_sources import SOURCES

    if not config.photos.is_dir():
        raise TrainingError("photos_missing", f"no photographs at {config.photos}", path=str(config.photos))
    folder = config.work / "crops"
    folder.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    for name in config.weights:
        if name not in SOURCES:
            raise TrainingError("source_unknown", f"no source of crops is called {name!r}", source=name)
        done = folder / f"{name}.done"
        if not done.exists():
            count = write_shards(folder, name, SOURCES[name](config))
            done.write_text(f"{count}\n", encoding="utf-8")
        counts[name] = int(done.read_text(encoding="utf-8"))
    return counts


def write_shards(folder: Path, name: str, crops: Iterable[Crop]) -> int:
    """Write crops as `<name>-000.npz`, `<name>-001.npz`, ...; returns how many crops there were."""
    total = 0
    for number, batch in enumerate(_batches(crops, _SHARD)):
        packed = pack(batch)
        np.savez(
            folder / f"{name}-{number:03}.npz",
            images=packed.images,
            halves=packed.halves,
            ordered=packed.ordered,
            groups=packed.groups,
            sources=packed.sources,
        )
        total += len(batch)
    return total


def load_crops(folder: Path) -> CropSet:
    """Read every shard of a folder.

    Raises:
        TrainingError: `crops_missing` if there is none.
    """
    files = sorted(folder.glob("*.npz"))
    if not files:
        raise TrainingError("crops_missing", f"no crops in {folder}; build them first", path=str(folder))
    parts = [_load_shard(file) for file in files]
    return CropSet(
        np.concatenate([part.images for part in parts]),
        np.concatenate([part.halves for part in parts]),
        np.concatenate([part.ordered for part in parts]),
        np.concatenate([part.groups for part in parts]),
        np.concatenate([part.sources for part in parts]),
    )


def pack(crops: list[Crop]) -> CropSet:
    """Join single crops to arrays; the list must not be empty."""
    return CropSet(
        np.stack([crop.image for crop in crops]),
        np.array([crop.halves for crop in crops], dtype=np.uint8),
        np.array([crop.ordered for crop in crops], dtype=np.bool_),
        np.array([crop.group for crop in crops], dtype=np.str_),
        np.array([crop.source for crop in crops], dtype=np.str_),
    )


def _load_shard(file: Path) -> CropSet:
    with np.load(file) as data:
        return CropSet(data["images"], data["halves"], data["ordered"], data["groups"], data["sources"])


def _batches(crops: Iterable[Crop], size: int) -> Iterator[list[Crop]]:
    batch: list[Crop] = []
    for crop in crops:
        batch.append(crop)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
