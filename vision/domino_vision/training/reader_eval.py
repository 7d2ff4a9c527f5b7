"""Measure a reader on labelled photographs, with the labelled corners or with corners as wrong as a detector's.

python -m domino_vision.training.reader_eval models/reader/reader.onnx ../shared/photos/dev --jitter 0.03
"""

import argparse
import json
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from domino_vision.errors import LabelError
from domino_vision.reader import TileReader
from domino_vision.sinks import write_picture
from domino_vision.training.crop_sources import LabelledPhoto, read_image, read_label
from domino_vision.training.reader_calibrate import expected_calibration_error
from domino_vision.types import BACK_CLASS, F32Array


@dataclass(frozen=True, slots=True)
class Reading:
    """One tile read: where, what is there and what was read, (2, 15) log-probabilities."""

    photo: LabelledPhoto
    index: int
    halves: tuple[int, int]
    half_logp: F32Array


def read_folder(reader: TileReader, folder: Path, jitter: float, seed: int = 0) -> tuple[list[Reading], float]:
    """Read every labelled tile of a folder; face-down tiles count as two backs.

    Args:
        reader: what is measured.
        folder: pictures and label files.
        jitter: standard deviation of a corner's error, along x and along y, as a share of the tile's length.
        seed: of the errors.

    Returns:
        The readings, and seconds spent in `TileReader.read`.

    Raises:
        LabelError: `label_broken`, or `labels_missing` if there is no label.
    """
    rng = np.random.default_rng(seed)
    readings: list[Reading] = []
    spent = 0.0
    labels = [path for path in sorted(folder.glob("*.json")) if path.with_suffix(".jpg").is_file()]
    if not labels:
        raise LabelError("labels_missing", f"no labelled photographs in {folder}", path=str(folder))
    for path in labels:
        photo = read_label(path)
        quads = np.concatenate([photo.tiles, photo.down])
        truth = [*photo.halves, *[(BACK_CLASS, BACK_CLASS)] * len(photo.down)]
        length = np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)[:, None, None]
        moved = (quads + rng.normal(0, jitter, quads.shape) * length).astype(np.float32)
        frame = read_image(photo.image)
        started = time.perf_counter()
        logp = reader.read(frame, moved)
        spent += time.perf_counter() - started
        readings += [Reading(photo, i, halves, logp[i]) for i, halves in enumerate(truth)]
    return readings, spent


def summarise(readings: list[Reading]) -> dict[str, Any]:
    """Share of right halves and tiles, calibration error, and backs, over all readings."""
    up = [reading for reading in readings if reading.halves[0] != BACK_CLASS]
    down = [reading for reading in readings if reading.halves[0] == BACK_CLASS]
    summary: dict[str, Any] = {"tiles": len(up), "backs": len(down)}
    if up:
        logp, halves = np.stack([r.half_logp for r in up]), np.array([r.halves for r in up])
        right = logp.argmax(axis=2) == halves
        summary["halves"] = round(float(right.mean()), 4)
        summary["tiles_exact"] = round(float(right.all(axis=1).mean()), 4)
        summary["ece"] = round(expected_calibration_error(logp, halves), 4)
    if down:
        back = np.stack([r.half_logp for r in down]).argmax(axis=2) == BACK_CLASS
        summary["backs_right"] = round(float(back.mean()), 4)
    return summary


def by_table(readings: list[Reading]) -> dict[str, dict[str, Any]]:
    """The summary of every table."""
    tables: dict[str, list[Reading]] = defaultdict(list)
    for reading in readings:
        tables[reading.photo.table].append(reading)
    return {table: summarise(tables[table]) for table in sorted(tables)}


def failure_sheet(reader: TileReader, readings: list[Reading], most: int = 120) -> Any:
    """A picture of the wrong tiles as the network sees them, true and read values above.

    Args:
        reader: what has read them.
        readings: all readings.
        most: at most so many are shown.

    Returns:
        (h, w, 3) uint8 BGR, or None if all are right.
    """
    from domino_vision.rectify import rectify_tiles

    cells: list[Any] = []
    for reading in readings:
        read = reading.half_logp.argmax(axis=1)
        if tuple(read) == reading.halves or len(cells) >= most:
            continue
        quads = np.concatenate([reading.photo.tiles, reading.photo.down])
        frame = read_image(reading.photo.image)
        crop = rectify_tiles(frame, quads[reading.index][None], reader.size_wh, reader.margin)[0]
        cell = cv2.copyMakeBorder(cv2.resize(crop, None, fx=1.5, fy=1.5), 24, 2, 2, 2, cv2.BORDER_CONSTANT)
        sure = np.exp(reading.half_logp.max(axis=1))
        text = f"{reading.halves} {tuple(int(v) for v in read)} {sure[0]:.2f} {sure[1]:.2f}"
        for line, y in ((reading.photo.image.stem[:28], 9), (text, 20)):
            cv2.putText(cell, line, (2, y), cv2.FONT_HERSHEY_SIMPLEX, 0.33, (0, 255, 255), 1, cv2.LINE_AA)
        cells.append(cell)
    if not cells:
        return None
    cells += [np.zeros_like(cells[0])] * (-len(cells) % 8)
    return np.vstack([np.hstack(cells[i : i + 8]) for i in range(0, len(cells), 8)])


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--jitter", type=float, default=0.0, help="a corner's error as a share of the tile's length")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--failures", type=Path, help="write a picture of the wrong tiles here")
    options = parser.parse_args()
    reader = TileReader(options.model, options.threads)
    readings, spent = read_folder(reader, options.photos, options.jitter, options.seed)
    figures = summarise(readings) | {"ms_per_tile": round(1000 * spent / len(readings), 3)}
    print(json.dumps({**figures, "by_table": by_table(readings)}, indent=1))
    if options.failures:
        sheet = failure_sheet(reader, readings)
        if sheet is not None:
            write_picture(options.failures, sheet)


if __name__ == "__main__":
    main()
