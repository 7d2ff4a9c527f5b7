"""Enrolled tiles on disk: a file for each name, with the tiles as they were seen and the correction fitted to them."""

from __future__ import annotations

import io
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from domino_rules.tile import Tile, find_tile_set
from domino_vision.enrol.adapt import fit_tiles
from domino_vision.enrol.vary import CUT_SIZE_WH
from domino_vision.errors import EnrolError
from domino_vision.reader import CLASSES, ReaderHead, TileReader
from domino_vision.types import IntArray, U8Array
from domino_vision.weights import sha256_of

_NAME: Final = re.compile(r"[^\W_][\w .-]{0,39}(?<![ .])")
_SUFFIX: Final = ".npz"
_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class EnrolledTiles:
    """Tiles that are known by a name.

    Attributes:
        name: as the user gave it.
        set_name: the set that they belong to.
        crops: (n, 96, 192, 3) uint8 BGR, first half to the left.
        halves: (n, 2) int64, what they show.
        head: the correction of the reader; None if it reads them as well without.
        reader_sha: checksum of the network that the correction belongs to.
        owner: whose they are, as whoever enrolled them is called; None for nobody's in particular.
    """

    name: str
    set_name: str
    crops: U8Array
    halves: IntArray
    head: ReaderHead | None
    reader_sha: str
    owner: str | None = None

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles as the rules know them, whichever way they lay: in the order of `crops`, one for each view."""
        return tuple(Tile(int(a), int(b)) for a, b in self.halves)

    def adapt(self, reader: TileReader) -> TileReader:
        """Return a reader for these tiles; for another network than they were enrolled with it is fitted anew."""
        if sha256_of(reader.path) == self.reader_sha:
            return reader.with_head(self.head)
        return reader.with_head(fit_tiles(reader, self.crops, self.halves).head)


class TileStore:
    """A folder of enrolled tiles."""

    def __init__(self, folder: Path) -> None:
        """Use a folder; it is made when the first tiles are saved."""
        self._folder = folder

    def names(self) -> tuple[str, ...]:
        """Return the names that tiles were saved by, in order."""
        if not self._folder.is_dir():
            return ()
        files = (file for file in self._folder.glob(f"*{_SUFFIX}") if file.is_file())
        return tuple(sorted(file.stem for file in files if _NAME.fullmatch(file.stem)))

    def path(self, name: str) -> Path:
        """Return the file of a name.

        Raises:
            EnrolError: `tiles_name` if it is no name.
        """
        if not _NAME.fullmatch(name):
            msg = f"{name!r} is no name for tiles: letters, digits, spaces, dots and dashes, at most 40"
            raise EnrolError("tiles_name", msg, name=name)
        return self._folder / f"{name}{_SUFFIX}"

    def save(self, tiles: EnrolledTiles) -> Path:
        """Keep tiles, instead of those that have the name already; a half-written file never remains.

        Raises:
            EnrolError: `tiles_name`, or `tiles_unwritable`.
        """
        path = self.path(tiles.name)
        head = tiles.head or ReaderHead(np.zeros((0, 0), np.float32), np.zeros(0, np.float32))
        packed = io.BytesIO()
        np.savez_compressed(
            packed,
            version=np.int64(_VERSION),
            set_name=np.str_(tiles.set_name),
            reader_sha=np.str_(tiles.reader_sha),
            owner=np.str_(tiles.owner or ""),
            crops=tiles.crops,
            halves=tiles.halves,
            weights=head.weights,
            bias=head.bias,
        )
        part = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(packed.getvalue())
            part.replace(path)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            msg = f"cannot keep tiles in {path}: {error.strerror}"
            raise EnrolError("tiles_unwritable", msg, path=str(path)) from error
        return path

    def load(self, name: str) -> EnrolledTiles:
        """Return the tiles of a name.

        Raises:
            EnrolError: `tiles_name`, `tiles_unknown` (params `name`, `known`) or `tiles_broken`.
        """
        path = self.path(name)
        if not path.is_file():
            known = ", ".join(self.names())
            msg = f"no tiles are enrolled as {name!r}" + (f"; known: {known}" if known else "")
            raise EnrolError("tiles_unknown", msg, name=name, known=known)
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as kept:
                return _checked(name, {key: kept[key] for key in kept.files})
        except Exception as error:  # a damaged archive fails in many ways
            msg = f"{path} holds no enrolled tiles: enrol them again"
            raise EnrolError("tiles_broken", msg, path=str(path)) from error

    def remove(self, name: str) -> None:
        """Forget tiles, also damaged ones.

        Raises:
            EnrolError: `tiles_name`, `tiles_unknown` or `tiles_unwritable`.
        """
        path = self.path(name)
        if not path.is_file():
            self.load(name)
        try:
            path.unlink()
        except OSError as error:
            msg = f"cannot remove {path}: {error.strerror}"
            raise EnrolError("tiles_unwritable", msg, path=str(path)) from error


def _checked(name: str, kept: dict[str, Any]) -> EnrolledTiles:
    if int(kept["version"]) != _VERSION:
        raise ValueError(kept["version"])
    crops, halves = kept["crops"], kept["halves"].astype(np.int64)
    weights, bias = kept["weights"], kept["bias"]
    width, height = CUT_SIZE_WH
    right = crops.dtype == np.uint8 and crops.shape == (len(halves), height, width, 3) and halves.shape[1:] == (2,)
    sound = not len(weights) or (weights.shape[0] == len(CLASSES) and bias.shape == (len(CLASSES),))
    most = find_tile_set(str(kept["set_name"])).max_half
    right = right and bool(((halves >= 0) & (halves <= most)).all())
    if not right or not sound or not np.isfinite(weights).all() or not np.isfinite(bias).all():
        raise ValueError(crops.shape)
    head = ReaderHead(weights.astype(np.float32), bias.astype(np.float32)) if len(weights) else None
    owner = str(kept.get("owner", "")) or None
    return EnrolledTiles(name, str(kept["set_name"]), crops, halves, head, str(kept["reader_sha"]), owner)
