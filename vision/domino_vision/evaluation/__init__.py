"""Measuring: readings against labels, photograph by photograph, and the figures that come of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domino_vision.evaluation.matching import match_table
from domino_vision.evaluation.metrics import Metrics, PhotoResult, Score, compare, measure
from domino_vision.evaluation.report import report_text
from domino_vision.evaluation.worst import save_worst, worst
from domino_vision.labels import label_files, read_label
from domino_vision.types import TableObservation

__all__ = [
    "Evaluation",
    "Metrics",
    "PhotoResult",
    "Score",
    "compare",
    "evaluate",
    "evaluate_folder",
    "match_table",
    "measure",
    "save_worst",
    "worst",
]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of a folder: overall, by photo table, and each photograph's comparison."""

    overall: Metrics
    by_table: dict[str, Metrics]
    photos: tuple[PhotoResult, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values, `by_table` among them."""
        tables = {name: metrics.to_json() for name, metrics in sorted(self.by_table.items())}
        return {**self.overall.to_json(), "by_table": tables}

    def to_text(self) -> str:
        """Return the figures for a terminal."""
        return report_text(self.overall, self.by_table)


def evaluate(photos: Sequence[PhotoResult]) -> Evaluation:
    """Return the figures of compared photographs."""
    tables: dict[str, list[PhotoResult]] = {}
    for photo in photos:
        tables.setdefault(photo.label.table, []).append(photo)
    by_table = {name: measure(results) for name, results in tables.items()}
    return Evaluation(measure(photos), by_table, tuple(photos))


def evaluate_folder(
    folder: Path, read: Callable[[Path], TableObservation], progress: Callable[[int, int], None] | None = None
) -> Evaluation:
    """Read every labelled photograph of a folder (not of folders in it) and compare.

    Args:
        folder: holds `<stem>.jpg` with `<stem>.json` beside it.
        read: reads one picture; what it raises is passed on.
        progress: called with how many are done and how many there are.

    Raises:
        LabelError: the folder holds no labels, or a broken one; all labels are read before the first picture.
    """
    labels = [(file, read_label(file)) for file in label_files(folder)]
    photos = []
    for done, (file, label) in enumerate(labels, 1):
        photos.append(compare(file.stem, label, read(file.with_suffix(".jpg"))))
        if progress is not None:
            progress(done, len(labels))
    return evaluate(photos)
