"""Labelled photographs made harder, for choosing among detectors that read the photographs themselves without error.

Run by hand: `python -m tests.bench.harder_photos PHOTOS OUT`, then `dominotable evaluate OUT [--weights FILE]`. Of each
photograph two copies: seen from 20 to 45 degrees lower, tiles 30 to 60 pixels long, blur, light, grain, JPEG; in the
second the tiles have new colours too. Labels are mapped along; tiles under 20 pixels are ignored.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.training.box_labels import FACE_DOWN, FACE_UP, Box, tile_length
from domino_vision.training.box_looks import recolour_tiles

SEED = 777
LONGEST, SHORTEST_TILE = 1600, 20
FINER = 3
"""The picture is warped at so many times its size, then averaged."""

F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]


def mapped(quad: Any, mapping: F64) -> NDArray[Any]:
    """Return the corners (4, 2) of a quad after a homography (3, 3)."""
    points = np.c_[np.asarray(quad, float), np.ones(4)] @ mapping.T
    return points[:, :2] / points[:, 2:]


def lower_view(rng: np.random.Generator, width: int, height: int) -> F64:
    """Return the homography (3, 3) to what a lower camera sees, up to scale and shift."""
    tilt = np.radians(rng.uniform(20, 45))
    angle = np.radians(rng.choice([0, 90, 180, 270]) + rng.normal(0, 15))
    x, y = np.cos(angle), np.sin(angle)
    cross = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    turn = np.eye(3) + np.sin(tilt) * cross + (1 - np.cos(tilt)) * cross @ cross
    far = 1.3 * max(height, width)
    view = np.array(
        [[far * turn[0, 0], far * turn[0, 1], 0], [far * turn[1, 0], far * turn[1, 1], 0], [*turn[2, :2], far]]
    )
    return view @ np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])


def worse(rng: np.random.Generator, image: NDArray[np.float32]) -> U8:
    """Blur, expose, tint and grain a picture."""
    if rng.random() < 0.6:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.3, 0.9))).astype(np.float32)
    power = float(np.exp(rng.uniform(np.log(0.5), np.log(2.0))))
    out = 255 * (image / 255) ** power
    out = out * rng.uniform(0.45, 1.25) * np.exp(rng.normal(0, 0.07, 3)) + rng.uniform(-10, 15)
    out += rng.normal(0, rng.uniform(1, 7), out.shape)
    return np.clip(out, 0, 255).astype(np.uint8)


def recoloured(rng: np.random.Generator, image: U8, label: dict[str, Any]) -> U8:
    """Give the tiles of a picture new colours."""
    height, width = image.shape[:2]
    square = np.zeros((max(height, width),) * 2 + (3,), np.uint8)
    square[:height, :width] = image
    boxes = [Box(np.array(tile["quad"], np.float32), FACE_UP) for tile in label["tiles"]]
    boxes += [Box(np.array(quad, np.float32), FACE_DOWN) for quad in label["down"]]
    return recolour_tiles(rng, square, boxes)[:height, :width]


def relabelled(label: dict[str, Any], mapping: F64, name: str) -> dict[str, Any]:
    """Return the label of a mapped picture."""

    def moved(quad: Any) -> list[list[float]]:
        return mapped(quad, mapping).round(2).tolist()

    small = [tile_length(mapped(tile["quad"], mapping)) < SHORTEST_TILE for tile in label["tiles"]]
    kept = [index for index, is_small in enumerate(small) if not is_small]
    place = {index: new for new, index in enumerate(kept)}
    joins = [[place[i], p, place[j], q] for i, p, j, q in label["chain"] or [] if i in place and j in place]
    return label | {
        "image": name,
        "tiles": [label["tiles"][i] | {"quad": moved(label["tiles"][i]["quad"])} for i in kept],
        "down": [moved(quad) for quad in label["down"]],
        "ignore": [moved(quad) for quad in label["ignore"]]
        + [moved(tile["quad"]) for tile, is_small in zip(label["tiles"], small, strict=True) if is_small],
        "chain": joins or None,
    }


def write_harder(label_file: Path, number: int, copy: int, out: Path) -> None:
    """Write one copy of a photograph."""
    label = json.loads(label_file.read_text(encoding="utf-8"))
    image = np.asarray(cv2.imread(str(label_file.with_suffix(".jpg"))), np.uint8)
    rng = np.random.default_rng([SEED, number, copy])
    height, width = image.shape[:2]
    if copy == 1 and label["tiles"]:
        image = recoloured(rng, image, label)
    view = lower_view(rng, width, height)
    nominal = [[0, 0], [width * 0.2, 0], [width * 0.2, width * 0.1], [0, width * 0.1]]
    quads = [tile["quad"] for tile in label["tiles"]] or [nominal]
    length = float(np.median([tile_length(mapped(quad, view)) for quad in quads]))
    scale = float(np.exp(rng.uniform(np.log(30), np.log(60)))) / length
    corners = mapped([[0, 0], [width, 0], [width, height], [0, height]], view)
    extent = np.ptp(corners, axis=0)
    scale = min(scale, LONGEST / extent.max())
    low = corners.min(axis=0) * scale
    view = np.array([[scale, 0, -low[0]], [0, scale, -low[1]], [0, 0, 1]]) @ view
    size = np.ceil(extent * scale).astype(int)
    rim = np.median(np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]]), axis=0)
    fine = cv2.warpPerspective(
        image,
        np.diag([FINER, FINER, 1.0]) @ view,
        (int(size[0] * FINER), int(size[1] * FINER)),
        flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=rim.tolist(),
    )
    seen = cv2.resize(fine, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA).astype(np.float32)
    name = f"{label_file.stem}-{copy}"
    picture = worse(rng, seen)
    cv2.imwrite(str(out / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 92))])
    text = json.dumps(relabelled(label, view, f"{name}.jpg"))
    (out / f"{name}.json").write_text(text, encoding="utf-8")


def main() -> None:
    """Write two copies of every photograph of a folder."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    parser.add_argument("out", type=Path)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(sorted(chosen.photos.glob("*.json"))):
        for copy in range(2):
            write_harder(file, number, copy, chosen.out)


if __name__ == "__main__":
    main()
