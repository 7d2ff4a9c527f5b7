"""Labelled photographs as the detector sees them: oriented boxes of three classes and regions to paint over."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.errors import TrainingError

CLASSES = ("face_up", "face_down", "standing")
FACE_UP, FACE_DOWN, STANDING = range(3)

Quad = NDArray[np.float32]
"""Corners in pixels of the stored picture, shape (4, 2), going round."""


@dataclass(frozen=True, slots=True)
class Box:
    """One tile: its quad and its class (index into `CLASSES`)."""

    quad: Quad
    kind: int


@dataclass(frozen=True, slots=True)
class Picture:
    """One photograph with its labels; `table` is the unit by which pictures are balanced and held out."""

    path: Path
    table: str
    boxes: tuple[Box, ...]
    ignore: tuple[Quad, ...]


def read_picture(label: Path, *, standing: bool = False) -> Picture:
    """Read one label file.

    Args:
        label: The JSON file beside the picture.
        standing: Whether the `ignore` regions of this picture were checked to be standing tiles.

    Raises:
        TrainingError: `bad_label` if the file is no label.
    """
    try:
        data = json.loads(label.read_text(encoding="utf-8"))
        up = tuple(Box(_quad(tile["quad"]), FACE_UP) for tile in data["tiles"])
        down = tuple(Box(_quad(quad), FACE_DOWN) for quad in data["down"])
        upright = tuple(Box(_quad(quad), STANDING) for quad in data.get("standing", ()))
        stood = data.get("standing", ())  # rendered labels name them under `ignore` too
        ignore = tuple(_quad(quad) for quad in data["ignore"] if quad not in stood)
        path, table = label.parent / data["image"], str(data["table"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError("bad_label", f"{label} is no label file: {error}", path=str(label)) from error
    if standing:
        upright += tuple(Box(quad, STANDING) for quad in ignore)
        ignore = ()
    return Picture(path, table, up + down + upright, ignore)


def read_folder(folder: Path, *, skip_tables: Iterable[str] = (), standing_tables: Iterable[str] = ()) -> list[Picture]:
    """Read every labelled picture under a folder, sorted by path.

    Args:
        folder: Searched with its sub-folders for `*.json` beside a picture.
        skip_tables: Tables to leave out.
        standing_tables: Tables whose `ignore` regions are standing tiles.

    Raises:
        TrainingError: `missing_folder`, `bad_label`.
    """
    if not folder.is_dir():
        raise TrainingError("missing_folder", f"no folder {folder}", path=str(folder))
    skipped, upright = set(skip_tables), set(standing_tables)
    pictures = []
    for label in sorted(folder.rglob("*.json")):
        if not label.with_suffix(".jpg").exists():
            continue
        picture = read_picture(label)
        if picture.table in upright:
            picture = read_picture(label, standing=True)
        if picture.table not in skipped:
            pictures.append(picture)
    return pictures


def share_out(pictures: Sequence[Picture], count: int) -> list[int]:
    """Say how many of `count` windows each picture yields: a table's share grows with the root of its size.

    Near-duplicates of one table thus weigh less than as many different tables.
    """
    if not pictures:
        return []
    sizes: dict[str, int] = {}
    for picture in pictures:
        sizes[picture.table] = sizes.get(picture.table, 0) + 1
    weights = np.array([1.0 / np.sqrt(sizes[picture.table]) for picture in pictures])
    ends = np.round(np.cumsum(weights) / weights.sum() * count).astype(int)
    return [int(n) for n in np.diff(ends, prepend=0)]


def tile_length(quad: Quad) -> float:
    """Mean length of the two longer opposite edges, in pixels."""
    edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(max(edges[0] + edges[2], edges[1] + edges[3]) / 2)


def mean_rectangle(quad: Quad) -> Quad:
    """Rectangle of the quad's centre, mean edge lengths and long axis: the oriented box that a tile in perspective has.

    Returns:
        Corners, shape (4, 2) float32.
    """
    a, b, c, d = quad.astype(np.float64)
    first, second = (b - a + c - d) / 2, (d - a + c - b) / 2
    along, across = (first, second) if np.linalg.norm(first) >= np.linalg.norm(second) else (second, first)
    axis = along / max(float(np.linalg.norm(along)), 1e-6)
    half_long = axis * np.linalg.norm(along) / 2
    half_wide = np.array([-axis[1], axis[0]]) * abs(float(axis[0] * across[1] - axis[1] * across[0])) / 2
    centre = (a + b + c + d) / 4
    corners = [
        centre - half_long - half_wide,
        centre + half_long - half_wide,
        centre + half_long + half_wide,
        centre - half_long + half_wide,
    ]
    return np.asarray(corners, dtype=np.float32)


def visible_part(quad: Quad, size: int) -> tuple[float, Quad]:
    """Clip a quad to a window.

    Args:
        quad: Convex corners in window pixels, shape (4, 2).
        size: Side of the square window in pixels.

    Returns:
        Share of the quad's area inside, and the rectangle round the part inside (the mean rectangle if all is inside).
    """
    whole = np.asarray(quad, dtype=np.float32)
    inside = np.all((whole >= 0) & (whole <= size - 1))
    if inside:
        return 1.0, mean_rectangle(whole)
    frame = np.array([[0, 0], [size - 1, 0], [size - 1, size - 1], [0, size - 1]], dtype=np.float32)
    area, part = cv2.intersectConvexConvex(cv2.convexHull(whole)[:, 0], frame)
    total = abs(float(cv2.contourArea(cv2.convexHull(whole))))
    if area <= 1 or total <= 1:
        return 0.0, whole
    return float(area) / total, cv2.boxPoints(cv2.minAreaRect(part)).astype(np.float32)


def _quad(value: object) -> Quad:
    quad = np.asarray(value, dtype=np.float32)
    if quad.shape != (4, 2):
        raise ValueError(f"a quad has four corners, not shape {quad.shape}")
    return quad
