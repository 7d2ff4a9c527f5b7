"""Where the reader's crops come from: labelled photographs, single-tile pictures, clutter and drawn tiles."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from domino_vision.errors import LabelError, SourceError
from domino_vision.rectify import rectify_tiles
from domino_vision.training.crop_quads import find_single_tile, long_way
from domino_vision.training.crop_synth import (
    SYNTH_GROUPS,
    synth_chinese,
    synth_hard,
    synth_scenes,
    synth_tiles,
    synth_wide,
)
from domino_vision.training.crops import CUT_MARGIN, CUT_SIZE_WH, Crop
from domino_vision.training.reader_config import ReaderConfig
from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS, F32Array, U8Array

_KEPT_FOR_CHECKS = ("hsb",)
"""Sequences whose tables also appear among the pictures kept for checking."""


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """A picture and its labels: `tiles` (n, 4, 2), `halves` (n, 2), `down` and `ignore` (m, 4, 2), in pixels."""

    image: Path
    table: str
    tiles: F32Array
    halves: list[tuple[int, int]]
    down: F32Array
    ignore: F32Array


def read_label(path: Path) -> LabelledPhoto:
    """Read one label file.

    Raises:
        LabelError: `label_broken` if a field is missing or malformed.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return LabelledPhoto(
            image=path.with_name(raw["image"]),
            table=str(raw["table"]),
            tiles=_quads([tile["quad"] for tile in raw["tiles"]]),
            halves=[(int(tile["halves"][0]), int(tile["halves"][1])) for tile in raw["tiles"]],
            down=_quads(raw["down"]),
            ignore=_quads(raw["ignore"]),
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise LabelError("label_broken", f"cannot read the label {path}: {error}", path=str(path)) from error


def cut(frame: U8Array, quads: F32Array) -> U8Array:
    """Cut tiles out of a picture as they are stored: (n, 96, 192, 3) uint8."""
    return rectify_tiles(frame, quads, CUT_SIZE_WH, CUT_MARGIN)


def _quads(raw: list[list[list[float]]]) -> F32Array:
    return np.asarray(raw, dtype=np.float32).reshape(-1, 4, 2)


def _photos(config: ReaderConfig) -> Iterator[tuple[LabelledPhoto, U8Array]]:
    folders = [config.photos / "train"]
    sequences = config.photos / "sequences"
    if sequences.is_dir():
        folders += [folder for folder in sorted(sequences.iterdir()) if folder.is_dir()]
    for folder in folders:
        if folder.name in _KEPT_FOR_CHECKS:
            continue
        for path in sorted(folder.glob("*.json")):
            if not path.with_suffix(".jpg").is_file():
                continue
            photo = read_label(path)
            yield photo, read_image(photo.image)


def read_image(path: Path) -> U8Array:
    """Read a picture: (h, w, 3) uint8 BGR, as stored.

    Raises:
        SourceError: `image_broken`.
    """
    image = cv2.imread(str(path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if image is None:
        raise SourceError("image_broken", f"cannot read the picture {path}", path=str(path))
    return np.asarray(image, dtype=np.uint8)


def photo_tiles(config: ReaderConfig) -> Iterator[Crop]:
    """Face-up tiles of the training tables."""
    for photo, frame in _photos(config):
        for image, halves in zip(cut(frame, photo.tiles), photo.halves, strict=True):
            yield Crop(image, halves, True, photo.table, "tiles")


def photo_backs(config: ReaderConfig) -> Iterator[Crop]:
    """Face-down tiles of the training tables."""
    for photo, frame in _photos(config):
        for image in cut(frame, photo.down):
            yield Crop(image, (BACK_CLASS, BACK_CLASS), True, photo.table, "backs")


def traced_tiles(config: ReaderConfig) -> Iterator[Crop]:
    """Tiles of path-traced pictures (`dominotable datasets render`), both ways up; none without their folder."""
    for number, path in enumerate(sorted((config.photos / config.renders).rglob("*.json"))):
        photo = read_label(path)
        frame, group = read_image(photo.image), f"traced-{number % SYNTH_GROUPS}"
        for image, halves in zip(cut(frame, photo.tiles), photo.halves, strict=True):
            yield Crop(image, halves, True, group, "traced")
        for image in cut(frame, photo.down):
            yield Crop(image, (BACK_CLASS, BACK_CLASS), True, group, "traced")


def single_tiles(config: ReaderConfig) -> Iterator[Crop]:
    """Pictures of one tile each, in folders `<a>x<b>`; which end is which is not known.

    Pictures in which no clear rectangle stands out are left out.
    """
    for path in sorted((config.photos / "crops").glob("*/*.jpg")):
        first, second = path.parent.name.split("x")
        frame = read_image(path)
        quad = find_single_tile(frame)
        if quad is not None:
            group = "crops-" + ("metr" if path.name.startswith("metr") else "domibot")
            yield Crop(cut(frame, quad[None])[0], (int(first), int(second)), first == second, group, "singles")


def double_twelves(config: ReaderConfig) -> Iterator[Crop]:
    """Grey pictures that one tile of a double-twelve set fills, in folders `<left>x<right>`."""
    for path in sorted((config.photos / "crops_double_twelve").glob("*/*.jpg")):
        left, right = path.parent.name.split("x")
        frame = read_image(path)
        yield Crop(cut(frame, _whole(frame)[None])[0], (int(left), int(right)), True, "petron-grey", "twelves")


_MISNAMED = {"4-2": (3, 3)}
"""Cut-outs whose name is not what they show: six white pips, three in each half; `2-4.png` is the four-two."""


def chinese_tiles(config: ReaderConfig) -> Iterator[Crop]:
    """Cut-outs of Chinese tiles on flat grounds.

    Raises:
        SourceError: `image_broken` for a file that is no picture with an alpha channel.
    """
    rng = np.random.default_rng(config.seed)
    for path in sorted((config.photos / "chinese_cutouts").glob("*.png")):
        first, second = _MISNAMED.get(path.stem) or map(int, path.stem.split("-"))
        cutout = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if cutout is None or cutout.ndim != 3 or cutout.shape[2] != 4:
            raise SourceError("image_broken", f"{path} is no picture with an alpha channel", path=str(path))
        for _ in range(4):
            frame, quad = _on_ground(np.asarray(cutout, dtype=np.uint8), rng)
            yield Crop(cut(frame, quad[None])[0], (first, second), first == second, "chinese", "chinese")


def clutter(config: ReaderConfig) -> Iterator[Crop]:
    """What a wrong box may show: tables, halves of two tiles, tiles read crosswise, cards, dice, mahjong."""
    rng = np.random.default_rng(config.seed + 1)
    for photo, frame in _photos(config):
        known = np.concatenate([photo.tiles, photo.down, photo.ignore])
        length = float(np.median(_lengths(photo.tiles))) if len(photo.tiles) else frame.shape[0] / 8
        quads = [_random_quad(frame, length * rng.uniform(0.6, 1.6), rng) for _ in range(6)]
        free = [quad for quad in quads if not _touches(quad, known)]
        wrong = [misplaced(quad, rng) for quad in photo.tiles if rng.random() < 0.35]
        for image in cut(frame, _quads([quad.tolist() for quad in free + wrong])):
            yield Crop(image, (UNREADABLE_CLASS, UNREADABLE_CLASS), True, photo.table, "clutter")
    for path in sorted((config.photos / "negatives").glob("*.jpg")):
        frame = read_image(path)
        side = max(frame.shape[:2])
        around = _quads([_random_quad(frame, side * rng.uniform(0.05, 0.4), rng).tolist() for _ in range(5)])
        for image in cut(frame, around):
            yield Crop(image, (UNREADABLE_CLASS, UNREADABLE_CLASS), True, path.stem.split("_")[0], "clutter")


def misplaced(quad: F32Array, rng: np.random.Generator) -> F32Array:
    """A box that holds no readable half, made from a tile's: crosswise, far too large or small, or half beside it."""
    centre = quad.mean(axis=0)
    along = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    across = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    kind = rng.integers(4)
    if kind == 0:
        turned = np.stack([centre + a * across - b * along / 4 for a, b in ((-1, 1), (-1, -1), (1, -1), (1, 1))])
        return turned.astype(np.float32)
    if kind == 1:
        moved = centre + (quad - centre) * float(rng.choice([0.35, 2.2, 2.8]))
    elif kind == 2:
        moved = quad + across * float(rng.choice([-1, 1]) * rng.uniform(0.45, 0.6))
    else:
        moved = quad + along * float(rng.choice([-1, 1]) * rng.uniform(0.22, 0.28))
    return np.asarray(moved, dtype=np.float32)


def _lengths(quads: F32Array) -> F32Array:
    sides = np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1) + np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    return np.asarray(sides / 2, dtype=np.float32)


def _random_quad(frame: U8Array, length: float, rng: np.random.Generator) -> F32Array:
    height, width = frame.shape[:2]
    box = ((rng.uniform(0, width), rng.uniform(0, height)), (length, length / 2), rng.uniform(0, 360))
    return np.asarray(cv2.boxPoints(box), dtype=np.float32)


def _touches(quad: F32Array, known: F32Array) -> bool:
    box = cv2.minAreaRect(quad)
    return any(cv2.rotatedRectangleIntersection(box, cv2.minAreaRect(other))[0] for other in known)


def _whole(frame: U8Array) -> F32Array:
    height, width = frame.shape[:2]
    x0, y0, x1, y1 = width * 0.015, height * 0.03, width * 0.985, height * 0.97
    return np.array([[x0, y1], [x0, y0], [x1, y0], [x1, y1]], dtype=np.float32)


def _on_ground(cutout: U8Array, rng: np.random.Generator) -> tuple[U8Array, F32Array]:
    height, width = cutout.shape[:2]
    edge = int(max(height, width) * 0.4)
    frame = np.full((height + 2 * edge, width + 2 * edge, 3), rng.integers(0, 256, 3), dtype=np.uint8)
    inner = frame[edge : edge + height, edge : edge + width]
    alpha = cutout[..., 3:] / 255.0
    inner[:] = (cutout[..., :3] * alpha + inner * (1 - alpha)).astype(np.uint8)
    box = cv2.minAreaRect(np.argwhere(cutout[..., 3] > 128)[:, ::-1].astype(np.float32) + edge)
    return frame, long_way(np.asarray(cv2.boxPoints(box), dtype=np.float32))


SOURCES: dict[str, Callable[[ReaderConfig], Iterable[Crop]]] = {
    "tiles": photo_tiles,
    "backs": photo_backs,
    "singles": single_tiles,
    "twelves": double_twelves,
    "chinese": chinese_tiles,
    "chinese-drawn": synth_chinese,
    "clutter": clutter,
    "hard": synth_hard,
    "synth": synth_tiles,
    "scenes": synth_scenes,
    "wide": synth_wide,
    "traced": traced_tiles,
}
"""Sources of crops by the name that a configuration's `weights` use."""
