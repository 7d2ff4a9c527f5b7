"""Label files: what truly lies in a photograph, as JSON beside the picture.

`<stem>.json` holds `image`, `source`, `set`, `sets` (how many are mixed, 1 if left out), `table`, `tiles` (each `quad`
and `halves`), `down`, `ignore`, `chain` and `note`. Quads are in pixels of the stored picture; corners 0 and 1 are the
short edge at the first half's end.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np

from domino_rules.errors import SetupError
from domino_rules.tile import find_tile_set
from domino_vision.errors import LabelError
from domino_vision.types import PIP_CLASSES, F32Array, Join, Part

_FARTHEST_PX: Final = 1e6
"""No corner of a label lies farther away than this: a larger number is a mistake."""
_MOST_SETS: Final = 4
_PARTS: Final[dict[object, Part]] = {"a": "a", "b": "b", "m": "m"}


@dataclass(frozen=True, slots=True)
class Label:
    """What a person saw in one photograph.

    Attributes:
        image: file name of the picture, beside the label.
        source: where the picture comes from.
        tile_set: name of the set (double-six, double-nine, double-twelve, chinese).
        table: tile set, table and camera together; train and test are split by it.
        quads_px: shape (n, 4, 2) float32, face-up tiles lying; corners 0-1 the short edge at the first half's end.
        halves: pips of the first and the second half of each of the n tiles.
        down_px: shape (d, 4, 2) float32, face-down tiles.
        ignore_px: shape (i, 4, 2) float32, what is neither right nor wrong if it is detected.
        chain: the joins of the line of play as they lie, legal or not; None where tiles merely lie about.
        note: a remark.
        sets: how many sets are mixed on this table.
    """

    image: str
    source: str
    tile_set: str
    table: str
    quads_px: F32Array
    halves: tuple[tuple[int, int], ...]
    down_px: F32Array
    ignore_px: F32Array
    chain: tuple[Join, ...] | None
    note: str = ""
    sets: int = 1

    @property
    def has_chain(self) -> bool:
        """Whether there is a line of play: tiles are joined, or one tile alone opens it."""
        return self.chain is not None and (bool(self.chain) or len(self.halves) == 1)


def read_label(path: Path) -> Label:
    """Return the label in the file `path`.

    Raises:
        LabelError: `label_missing`, `label_syntax` (no JSON object) or `label_field`; params `file`, `field`, `reason`.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LabelError("label_missing", f"cannot read label {path}: {error.strerror}", file=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise LabelError("label_syntax", f"{path} is not JSON: {error}", file=str(path), reason=str(error)) from error
    if not isinstance(raw, dict):
        raise LabelError("label_syntax", f"{path} holds no label (a JSON object)", file=str(path), reason="no object")
    return _Reader(path, raw).label()


def write_label(path: Path, label: Label) -> None:
    """Write `label` to the file `path`; a half-written file never remains."""
    tiles = zip(label.quads_px, label.halves, strict=True)
    raw = {
        "image": label.image,
        "source": label.source,
        "set": label.tile_set,
        "sets": label.sets,
        "table": label.table,
        "tiles": [{"quad": _rounded(quad), "halves": list(halves)} for quad, halves in tiles],
        "down": [_rounded(quad) for quad in label.down_px],
        "ignore": [_rounded(quad) for quad in label.ignore_px],
        "chain": None if label.chain is None else [[j.a, j.a_part, j.b, j.b_part] for j in label.chain],
        "note": label.note,
    }
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps(raw) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise LabelError("label_unwritable", f"cannot write {path}: {error.strerror}", file=str(path)) from error


def label_files(folder: Path) -> tuple[Path, ...]:
    """Return the label files of a folder (not of folders in it) that have a picture beside them, by name.

    Raises:
        LabelError: `no_labels` if the folder is missing or holds none.
    """
    try:
        names = sorted(file.name for file in folder.iterdir())
    except OSError as error:
        raise LabelError("no_labels", f"cannot open folder {folder}: {error.strerror}", file=str(folder)) from error
    known = set(names)
    found = tuple(folder / name for name in names if name.endswith(".json") and f"{name[:-5]}.jpg" in known)
    if not found:
        raise LabelError("no_labels", f"no label files beside pictures in {folder}", file=str(folder))
    return found


def _rounded(quad: F32Array) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in quad]


class _Reader:
    """Checks the fields of one label file."""

    def __init__(self, path: Path, raw: dict[str, Any]) -> None:
        self.path = path
        self.raw = raw

    def label(self) -> Label:
        tiles = self.items("tiles", required=True)
        quads, halves = [], []
        for i, tile in enumerate(tiles):
            if not isinstance(tile, dict):
                self.fail(f"tiles[{i}]", "no object")
            quads.append(self.quad(tile.get("quad"), f"tiles[{i}].quad"))
            halves.append(self.pips(tile.get("halves"), f"tiles[{i}].halves"))
        return Label(
            image=self.text("image") or f"{self.path.stem}.jpg",
            source=self.text("source"),
            tile_set=self.set_name(),
            table=self.text("table"),
            quads_px=np.array(quads, np.float32).reshape(-1, 4, 2),
            halves=tuple(halves),
            down_px=self.quads("down"),
            ignore_px=self.quads("ignore"),
            chain=self.chain(len(tiles)),
            note=self.text("note"),
            sets=self.sets(),
        )

    def fail(self, field: str, reason: str) -> NoReturn:
        message = f"{self.path}: {field}: {reason}"
        raise LabelError("label_field", message, file=str(self.path), field=field, reason=reason)

    def text(self, field: str) -> str:
        value = self.raw.get(field) or ""
        return value if isinstance(value, str) else self.fail(field, "no text")

    def set_name(self) -> str:
        name = self.text("set") or "double-six"
        try:
            return find_tile_set(name).name
        except SetupError as error:
            self.fail("set", error.message)

    def sets(self) -> int:
        value = self.raw.get("sets", 1)
        if type(value) is not int or not 1 <= value <= _MOST_SETS:
            self.fail("sets", f"not a number of sets from 1 to {_MOST_SETS}: {value!r}")
        return value

    def items(self, field: str, *, required: bool = False) -> list[Any]:
        value = self.raw.get(field)
        if value is None and not required:
            return []
        return value if isinstance(value, list) else self.fail(field, "missing" if value is None else "no list")

    def quads(self, field: str) -> F32Array:
        quads = [self.quad(quad, f"{field}[{i}]") for i, quad in enumerate(self.items(field))]
        return np.array(quads, np.float32).reshape(-1, 4, 2)

    def quad(self, value: object, field: str) -> list[tuple[float, float]]:
        if not isinstance(value, list) or len(value) != 4:
            self.fail(field, "missing" if value is None else "not four corners")
        corners = []
        for corner in value:
            if not isinstance(corner, list) or len(corner) != 2 or not all(map(_is_number, corner)):
                self.fail(field, f"not a corner [x, y] of two numbers in pixels: {corner!r}")
            corners.append((float(corner[0]), float(corner[1])))
        return corners

    def pips(self, value: object, field: str) -> tuple[int, int]:
        whole = isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)
        if not whole or not isinstance(value, list) or not all(0 <= n < PIP_CLASSES for n in value):
            self.fail(field, f"not two whole numbers from 0 to {PIP_CLASSES - 1}: {value!r}")
        return value[0], value[1]

    def chain(self, count: int) -> tuple[Join, ...] | None:
        if self.raw.get("chain") is None:
            return None
        return tuple(self.join(join, f"chain[{i}]", count) for i, join in enumerate(self.items("chain")))

    def join(self, value: object, field: str, count: int) -> Join:
        if not isinstance(value, list) or len(value) != 4:
            self.fail(field, f"not [tile, part, tile, part]: {value!r}")
        a, a_part, b, b_part = value
        for index in (a, b):
            if type(index) is not int or not 0 <= index < count:
                self.fail(field, f"no tile {index!r} among {count}")
        for part in (a_part, b_part):
            if not isinstance(part, str) or part not in _PARTS:
                self.fail(field, f"part {part!r} is none of a, b, m")
        if a == b:
            self.fail(field, f"tile {a} joined to itself")
        return Join(a, _PARTS[a_part], b, _PARTS[b_part])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _FARTHEST_PX
