"""Measuring: readings against labels, photograph by photograph, and the figures that come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from domino_vision.evaluation.conditions import conditions_of
from domino_vision.evaluation.matching import match_table
from domino_vision.evaluation.metrics import Metrics, PhotoResult, Score, compare, measure
from domino_vision.evaluation.report import ablation_text, report_text
from domino_vision.evaluation.worst import save_worst, worst
from domino_vision.labels import label_files, read_label
from domino_vision.sources import read_picture
from domino_vision.types import TableObservation

__all__ = [
    "Evaluation",
    "Metrics",
    "PhotoResult",
    "Score",
    "ablation_text",
    "compare",
    "conditions_of",
    "evaluate",
    "evaluate_folder",
    "match_table",
    "measure",
    "save_worst",
    "worst",
]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of a folder: overall, by photo table, by condition (gauge and group), and each comparison."""

    overall: Metrics
    by_table: dict[str, Metrics]
    photos: tuple[PhotoResult, ...]
    by_condition: dict[str, dict[str, Metrics]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values, `by_table` and `by_condition` among them."""
        tables = {name: metrics.to_json() for name, metrics in sorted(self.by_table.items())}
        conditions = {
            name: {group: metrics.to_json() for group, metrics in groups.items()}
            for name, groups in self.by_condition.items()
        }
        return {**self.overall.to_json(), "by_table": tables, "by_condition": conditions}

    def to_text(self) -> str:
        """Return the figures for a terminal."""
        return report_text(self.overall, self.by_table)


def evaluate(photos: Sequence[PhotoResult], conditions: Sequence[Mapping[str, str]] = ()) -> Evaluation:
    """Return the figures of compared photographs.

    Args:
        photos: the comparisons.
        conditions: for each photograph the groups that it belongs to, by gauge (`conditions_of`); or none at all.
    """
    tables: dict[str, list[PhotoResult]] = {}
    groups: dict[str, dict[str, list[PhotoResult]]] = {}
    for photo in photos:
        tables.setdefault(photo.label.table, []).append(photo)
    for photo, conditions_met in zip(photos, conditions, strict=False):
        for name, group in conditions_met.items():
            groups.setdefault(name, {}).setdefault(group, []).append(photo)
    by_table = {name: measure(results) for name, results in tables.items()}
    by_condition = {
        name: {group: measure(found[group]) for group in sorted(found, key=_rank)} for name, found in groups.items()
    }
    return Evaluation(measure(photos), by_table, tuple(photos), by_condition)


def _rank(group: str) -> tuple[float, bool]:
    """Order groups from low to high."""
    first, number, *_ = group.split()
    return (
        (float(number), True) if first == "from" else (float(number if first == "under" else first), first != "under")
    )


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
    photos, conditions = [], []
    for done, (file, label) in enumerate(labels, 1):
        picture = file.with_suffix(".jpg")
        photos.append(compare(file.stem, label, read(picture)))
        conditions.append(conditions_of(read_picture(picture, upright=False), label))
        if progress is not None:
            progress(done, len(labels))
    return evaluate(photos, conditions)
