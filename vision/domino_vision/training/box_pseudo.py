"""Oriented labels for photographs that came with axis-aligned boxes only.

A detector proposes oriented boxes; one is kept where the rectangle round it agrees with a given box of its class, so
that every kept label was confirmed by a person's box. Given boxes without such a partner become `ignore` regions.
"""

import json
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from domino_vision.errors import TrainingError
from domino_vision.training.box_labels import FACE_DOWN, FACE_UP, STANDING, Quad

KINDS = (FACE_UP, FACE_DOWN, STANDING, STANDING)
"""Class of the detector for each of the four classes of the axis-aligned boxes."""

AGREE = 0.7
"""Least overlap (intersection over union) of the rectangle round a proposal with the given box."""


def complete_labels(folder: Path, weights: Path, out: Path, skip: Collection[str] = ()) -> int:
    """Write a label file (and a link to the picture) for every picture with axis-aligned boxes.

    Args:
        folder: With `images/*.jpg` and `labels/*.txt` (class, centre x, centre y, width, height, all 0..1).
        weights: Detector of the classes of this package.
        out: Folder to write to.
        skip: Stems of pictures to leave out.

    Returns:
        How many boxes were completed.

    Raises:
        TrainingError: `missing_folder`, `missing_extra`, `bad_label`.
    """
    images = sorted((folder / "images").glob("*.jpg"))
    if not images:
        raise TrainingError("missing_folder", f"no pictures in {folder / 'images'}", path=str(folder))
    from ultralytics import YOLO

    model = YOLO(str(weights))
    out.mkdir(parents=True, exist_ok=True)
    completed = 0
    for path in images:
        label = folder / "labels" / f"{path.stem}.txt"
        if path.stem in skip or not label.exists():
            continue
        result = model.predict(str(path), imgsz=640, conf=0.2, iou=0.4, device="cpu", verbose=False)[0]
        height, width = result.orig_shape
        given = _read_boxes(label, width, height)
        quads = result.obb.xyxyxyxy.cpu().numpy().astype(np.float32)
        kinds = result.obb.cls.cpu().numpy().astype(int)
        matched = match_boxes(given, [(quad, int(kind)) for quad, kind in zip(quads, kinds, strict=True)])
        completed += sum(quad is not None for quad in matched)
        _write(out, path, given, matched)
    return completed


def match_boxes(
    given: Sequence[tuple[NDArray[np.float64], int]], proposals: Sequence[tuple[Quad, int]]
) -> list[Quad | None]:
    """Pair given axis-aligned boxes with proposals.

    Args:
        given: Pairs of (left, top, right, bottom) in pixels and class.
        proposals: Pairs of quad and class; each is used once at most, the first first.

    Returns:
        For each given box the quad of its partner, or None.
    """
    found: list[Quad | None] = [None] * len(given)
    for quad, kind in proposals:
        rectangle = np.concatenate([quad.min(axis=0), quad.max(axis=0)]).astype(np.float64)
        overlaps = [_overlap(rectangle, box) if kind == own else 0.0 for box, own in given]
        best = int(np.argmax(overlaps)) if overlaps else -1
        if best >= 0 and overlaps[best] >= AGREE and found[best] is None:
            found[best] = quad
    return found


def _read_boxes(label: Path, width: int, height: int) -> list[tuple[NDArray[np.float64], int]]:
    boxes = []
    try:
        for line in label.read_text(encoding="utf-8").splitlines():
            kind, x, y, w, h = line.split()
            centre, half = np.array([float(x), float(y)]), np.array([float(w), float(h)]) / 2
            corners = np.concatenate([centre - half, centre + half]) * [width, height, width, height]
            boxes.append((corners, KINDS[int(kind)]))
    except (ValueError, IndexError) as error:
        raise TrainingError("bad_label", f"{label}: {error}", path=str(label)) from error
    return boxes


def _overlap(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    sides = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    shared = float(sides[0] * sides[1]) if (sides > 0).all() else 0.0
    return shared / float(np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2]) - shared)


def _write(
    out: Path, image: Path, given: Sequence[tuple[NDArray[np.float64], int]], matched: Sequence[Quad | None]
) -> None:
    lists: dict[int, list[list[list[float]]]] = {FACE_UP: [], FACE_DOWN: [], STANDING: []}
    ignore = []
    for (corners, kind), quad in zip(given, matched, strict=True):
        if quad is None:
            left, top, right, bottom = (float(value) for value in corners)
            ignore.append([[left, top], [right, top], [right, bottom], [left, bottom]])
        else:
            lists[kind].append([[round(float(x), 1), round(float(y), 1)] for x, y in quad])
    label = {
        "image": image.name,
        "table": f"boxes-{image.stem}",
        "tiles": [{"quad": quad} for quad in lists[FACE_UP]],
        "down": lists[FACE_DOWN],
        "standing": lists[STANDING],
        "ignore": ignore,
    }
    (out / f"{image.stem}.json").write_text(json.dumps(label), encoding="utf-8")
    link = out / image.name
    if not link.exists():
        link.symlink_to(image.resolve())
