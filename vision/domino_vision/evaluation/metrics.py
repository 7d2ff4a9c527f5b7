"""The figures of an evaluation, summed over photographs; pure functions of labels and readings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from domino_vision.assemble.count import open_end_count
from domino_vision.evaluation.matching import Matching, label_joins, match_table
from domino_vision.labels import Label
from domino_vision.types import TableObservation

STAGES: Final = ("detect", "read", "assemble", "whole")
ECE_BINS: Final = 15


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """One photograph: its label, what was read, and how they compare.

    Attributes:
        name: stem of the picture's file name.
        label: the truth.
        seen: the reading.
        matching: who is who.
        right: for each match, whether the first and the second half of the labelled tile were read right.
        sure: for each match, the probability that the reading gave those two halves; empty if it gave none.
        joins_right: joins of the label that were read.
        joins_read: joins read, apart from those with an ignored tile.
        count_true: open-end count of the label; None without a chain.
        count_read: the same function of what was read, ignored tiles left out.
    """

    name: str
    label: Label
    seen: TableObservation
    matching: Matching
    right: tuple[tuple[bool, bool], ...]
    sure: tuple[tuple[float, float], ...]
    joins_right: int
    joins_read: int
    count_true: int | None
    count_read: int | None

    @property
    def halves_right(self) -> int:
        """How many halves of the labelled tiles were read right."""
        return sum(map(sum, self.right))

    @property
    def tiles_right(self) -> int:
        """How many labelled tiles were found with both values at the right ends."""
        return sum(map(all, self.right))

    @property
    def board_right(self) -> bool:
        """Whether every labelled tile is right and no face-up tile was seen where none lies."""
        return self.tiles_right == len(self.label.halves) and not self.matching.false_up

    @property
    def count_right(self) -> bool:
        """Whether the open-end count is that of the label."""
        return self.count_true == self.count_read

    @property
    def errors(self) -> int:
        """A measure of how bad the reading is, to find the worst: wrong halves, false tiles, wrong joins and count."""
        wrong = 2 * len(self.label.halves) - self.halves_right + 2 * len(self.matching.false_up)
        wrong += len(self.label.down_px) - self.matching.down + self.matching.false_down
        if self.label.has_chain:
            wrong += len(self.label.chain or ()) + self.joins_read - 2 * self.joins_right + 2 * (not self.count_right)
        return wrong


def compare(name: str, label: Label, seen: TableObservation) -> PhotoResult:
    """Compare a reading with the label of the photograph `name`."""
    matching = match_table(label, seen)
    right, sure = [], []
    for match in matching.up:
        tile = seen.tiles[match.read]
        values, chances = tile.halves or (-1, -1), tile.half_confidence
        if match.turned:
            values = (values[1], values[0])
            chances = None if chances is None else (chances[1], chances[0])
        true = label.halves[match.label]
        right.append((values[0] == true[0], values[1] == true[1]))
        if chances is not None:
            sure.append(chances)
    truth, read = label_joins(label.chain or ()), matching.read_joins(seen.joins)
    kept = [j for j in seen.joins if j.a not in matching.ignored and j.b not in matching.ignored]
    halves = [None if i in matching.ignored else tile.halves for i, tile in enumerate(seen.tiles)]
    return PhotoResult(
        name=name,
        label=label,
        seen=seen,
        matching=matching,
        right=tuple(right),
        sure=tuple(sure),
        joins_right=len(truth & read),
        joins_read=len(read),
        count_true=open_end_count(label.halves, label.chain or ()) if label.has_chain else None,
        count_read=open_end_count(halves, kept),
    )


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1 of what was found; None where nothing was there to be found or judged."""

    precision: float | None
    recall: float | None
    f1: float | None

    @classmethod
    def of(cls, right: int, read: int, true: int) -> Score:
        """Return the score of `right` finds among `read`, of `true` things that are there."""
        both = read + true
        return cls(_share(right, read), _share(right, true), _share(2 * right, both))


@dataclass(frozen=True, slots=True)
class Metrics:
    """The figures of some photographs; None where no photograph says anything about one.

    Attributes:
        images: photographs.
        tiles: labelled face-up tiles.
        detection: face-up tiles.
        face_down: face-down tiles.
        corner_error: mean corner distance over the tile's length, matched tiles.
        halves: right halves over all halves of labelled tiles; a missed tile is two wrong halves.
        tiles_exact: tiles matched with both values at the right ends, over labelled tiles. The order of the
            corners read says which end is which; a reading turned by half a turn, values and all, is right.
        boards_exact: photographs with every labelled tile exact and no false face-up tile.
        joins: joins by (tile, half) pairs, over photographs with a chain.
        chains: photographs with a chain: with a join, or a single tile with an empty list of joins.
        open_end_count_exact: share of these whose count equals that of the label.
        asked: share of photographs in which the program would ask a person.
        boards_exact_accepted: `boards_exact` over those not asked about.
        open_end_count_exact_accepted: `open_end_count_exact` over those not asked about.
        ece: expected calibration error of the per-half probability, matched tiles, 15 bins of equal width.
        false_per_image: false face-up tiles a picture.
        latency_ms: median and 95th percentile of each stage that was timed.
    """

    images: int
    tiles: int
    detection: Score
    face_down: Score
    corner_error: float | None
    halves: float | None
    tiles_exact: float | None
    boards_exact: float | None
    joins: Score
    chains: int
    open_end_count_exact: float | None
    asked: float | None
    boards_exact_accepted: float | None
    open_end_count_exact_accepted: float | None
    ece: float | None
    false_per_image: float | None
    latency_ms: dict[str, dict[str, float]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values, rounded to what they are worth."""
        found: dict[str, Any] = {}
        for name in self.__slots__:
            value = getattr(self, name)
            if isinstance(value, Score):
                value = {"precision": value.precision, "recall": value.recall, "f1": value.f1}
            found[name] = _rounded(value)
        return found


def measure(results: Sequence[PhotoResult]) -> Metrics:
    """Return the figures of some photographs."""
    tiles = sum(len(r.label.halves) for r in results)
    matched = sum(len(r.matching.up) for r in results)
    false_up = sum(len(r.matching.false_up) for r in results)
    down, false_down = sum(r.matching.down for r in results), sum(r.matching.false_down for r in results)
    chains = [r for r in results if r.label.has_chain]
    accepted = [r for r in results if not r.seen.ask]
    chains_accepted = [r for r in chains if not r.seen.ask]
    corner = [match.corner_error for r in results for match in r.matching.up]
    return Metrics(
        images=len(results),
        tiles=tiles,
        detection=Score.of(matched, matched + false_up, tiles),
        face_down=Score.of(down, down + false_down, sum(len(r.label.down_px) for r in results)),
        corner_error=float(np.mean(corner)) if corner else None,
        halves=_share(sum(r.halves_right for r in results), 2 * tiles),
        tiles_exact=_share(sum(r.tiles_right for r in results), tiles),
        boards_exact=_mean(r.board_right for r in results),
        joins=Score.of(
            sum(r.joins_right for r in chains),
            sum(r.joins_read for r in chains),
            sum(len(r.label.chain or ()) for r in chains),
        ),
        chains=len(chains),
        open_end_count_exact=_mean(r.count_right for r in chains),
        asked=_mean(r.seen.ask for r in results),
        boards_exact_accepted=_mean(r.board_right for r in accepted),
        open_end_count_exact_accepted=_mean(r.count_right for r in chains_accepted),
        ece=_calibration_error(results),
        false_per_image=false_up / len(results) if results else None,
        latency_ms=_latency(results),
    )


def _calibration_error(results: Sequence[PhotoResult]) -> float | None:
    """Return the expected calibration error of the halves' probabilities. Source: Guo et al. 2017, equation 3."""
    judged = [r for r in results if len(r.sure) == len(r.right)]
    chance = np.array([p for r in judged for pair in r.sure for p in pair])
    right = np.array([ok for r in judged for pair in r.right for ok in pair], np.float64)
    if not len(chance):
        return None
    bins = np.minimum((chance * ECE_BINS).astype(int), ECE_BINS - 1)
    gaps = np.bincount(bins, weights=right - chance, minlength=ECE_BINS)
    return float(np.abs(gaps).sum() / len(chance))


def _latency(results: Sequence[PhotoResult]) -> dict[str, dict[str, float]]:
    found = {}
    for stage in STAGES:
        times = [r.seen.timings_ms[stage] for r in results if stage in r.seen.timings_ms]
        if times:
            p50, p95 = np.percentile(times, [50, 95])
            found[stage] = {"p50": float(p50), "p95": float(p95)}
    return found


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Iterable[bool]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return round(value, 4) if isinstance(value, float) else value
