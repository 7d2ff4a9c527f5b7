"""`sequences.json`: which photographs follow each other, and the tiles that came with each."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from domino_rules.tile import Tile, TileSet, doubled, find_tile_set
from domino_vision.errors import LabelError
from domino_vision.labels import read_label
from domino_vision.types import PIP_CLASSES

FILE: Final = "sequences.json"


@dataclass(frozen=True, slots=True)
class MoveSequence:
    """Photographs of one game in order.

    Attributes:
        id: its name.
        frames: the pictures.
        new_tiles: the tiles that came with each frame; None for a frame that only says what lies there at the start.
        tile_set: the set in use, with copies.
        note: a remark.
    """

    id: str
    frames: tuple[Path, ...]
    new_tiles: tuple[tuple[Tile, ...] | None, ...]
    tile_set: TileSet
    note: str = ""

    @property
    def moves(self) -> int:
        """How many labelled moves there are."""
        return sum(len(tiles) for tiles in self.new_tiles if tiles is not None)


def read_sequences(folder: Path) -> tuple[MoveSequence, ...]:
    """Return the sequences of a folder: its own `sequences.json`, or those of the folders in it.

    Raises:
        LabelError: `no_sequences`, `label_missing`, `label_syntax` or `label_field`; params `file`, `field`, `reason`.
    """
    own = folder / FILE
    files = [own] if own.is_file() else sorted(folder.glob(f"*/{FILE}"))
    if not files:
        raise LabelError("no_sequences", f"no {FILE} in {folder} or in a folder of it", file=str(folder))
    return tuple(sequence for file in files for sequence in _read(file))


def _read(file: Path) -> list[MoveSequence]:
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise LabelError("label_missing", f"cannot read {file}: {error.strerror}", file=str(file)) from error
    except (ValueError, RecursionError) as error:
        raise LabelError("label_syntax", f"{file} is not JSON: {error}", file=str(file), reason=str(error)) from error
    if not isinstance(raw, list):
        raise LabelError("label_syntax", f"{file} holds no list of sequences", file=str(file), reason="no list")
    return [_sequence(file, i, item) for i, item in enumerate(raw)]


def _sequence(file: Path, index: int, raw: object) -> MoveSequence:
    name = f"[{index}]"
    if not isinstance(raw, dict):
        _fail(file, name, "no object")
    frames, moves = raw.get("frames"), raw.get("new_tiles")
    if not isinstance(frames, list) or not frames or not all(isinstance(frame, str) for frame in frames):
        _fail(file, f"{name}.frames", "no list of file names")
    if not isinstance(moves, list) or len(moves) != len(frames):
        _fail(file, f"{name}.new_tiles", f"not a list of {len(frames)} entries, one for each frame")
    paths = tuple(file.parent / frame for frame in frames)
    for path in paths:
        if not path.is_file():
            _fail(file, f"{name}.frames", f"no such picture: {path.name}")
    tiles = tuple(_tiles(file, f"{name}.new_tiles[{k}]", value) for k, value in enumerate(moves))
    note = raw.get("note")
    tile_set = _tile_set(paths, tiles)
    return MoveSequence(str(raw.get("id") or f"{file.parent.name}-{index}"), paths, tiles, tile_set, str(note or ""))


def _tile_set(frames: tuple[Path, ...], moves: tuple[tuple[Tile, ...] | None, ...]) -> TileSet:
    """Return the set that the first label beside a frame names, as many times as one of its tiles was laid."""
    label = next((path.with_suffix(".json") for path in frames if path.with_suffix(".json").is_file()), None)
    tile_set = find_tile_set(read_label(label).tile_set if label is not None else "double-six")
    laid = Counter(tile for tiles in moves for tile in tiles or ())
    times = max((-(-n // max(tile_set.copies(tile), 1)) for tile, n in laid.items()), default=1)
    return doubled(tile_set, times)


def _tiles(file: Path, field: str, value: object) -> tuple[Tile, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        _fail(file, field, "neither null nor a list")
    pairs: list[Any] = value if not value or isinstance(value[0], list) else [value]
    for pair in pairs:
        pips = pair if isinstance(pair, list) else []
        if len(pips) != 2 or not all(type(n) is int and 0 <= n < PIP_CLASSES for n in pips):
            _fail(file, field, f"not a tile [a, b]: {pair!r}")
    return tuple(Tile(a, b) for a, b in pairs)


def _fail(file: Path, field: str, reason: str) -> NoReturn:
    raise LabelError("label_field", f"{file}: {field}: {reason}", file=str(file), field=field, reason=reason)
