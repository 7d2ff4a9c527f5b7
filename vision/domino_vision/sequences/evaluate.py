"""Follow every sequence of a folder and say how many moves were told right, and why the others were not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from domino_vision.sequences.files import MoveSequence, read_sequences
from domino_vision.sequences.follow import Follower, FollowerOptions, Step
from domino_vision.sequences.score import FrameMoves, SequenceMetrics, score_moves, total
from domino_vision.sources import read_picture
from domino_vision.types import Frame, TileReadings

Observe = Callable[[Path], tuple[TileReadings, tuple[int, int]]]
"""Reads the tiles of a picture file: readings before decoding, and the picture's width and height in pixels."""


class ReadsFrames(Protocol):
    """A pipeline, as far as it is needed here."""

    def readings(self, frame: Frame) -> TileReadings:
        """Return the tiles of a frame with a distribution over each half."""
        ...


@dataclass(frozen=True, slots=True)
class SequenceEvaluation:
    """The figures of a folder: overall, and by sequence."""

    overall: SequenceMetrics
    by_sequence: dict[str, SequenceMetrics]

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        rows = {name: metrics.to_json() for name, metrics in self.by_sequence.items()}
        return {**self.overall.to_json(), "by_sequence": rows}

    def to_text(self) -> str:
        """Return the figures for a terminal, with a line for each frame that went wrong."""
        head = f"{'sequence':<16}{'frames':>7}{'moves':>7}{'right':>8}{'missed':>8}{'invented':>10}{'asked':>8}"
        rows = [head, *(_row(name, metrics) for name, metrics in self.by_sequence.items()), _row("all", self.overall)]
        delay = self.overall.to_json()["commit_delay_s"]
        if delay is not None:
            rows.append(f"commit delay: p50 {delay['p50']:.2f} s, p95 {delay['p95']:.2f} s")
        for failure in self.overall.failures:
            label, report = failure.labelled or "nothing", failure.reported or "nothing"
            why = ", ".join(failure.reasons) or "no reason known"
            rows.append(f"{failure.frame}: {failure.code}: {label} laid, {report} reported ({why})")
        return "\n".join(rows)


def evaluate_sequences(
    folder: Path,
    observe: Observe,
    *,
    options: FollowerOptions | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SequenceEvaluation:
    """Follow every sequence of a folder.

    Args:
        folder: holds `sequences.json`, or folders that do.
        observe: reads one picture (`observe_with(pipeline)`); what it raises is passed on.
        options: what counts as a move.
        progress: called with how many frames are done and how many there are.

    Raises:
        LabelError: no sequences, or a broken file; all are read before the first picture.
    """
    sequences = read_sequences(folder)
    count, done = sum(len(sequence.frames) for sequence in sequences), 0
    results: dict[str, SequenceMetrics] = {}
    for sequence in sequences:
        frames = []
        follower = Follower(sequence.tile_set, options)
        for path, labelled in zip(sequence.frames, sequence.new_tiles, strict=True):
            step = follower.step(*observe(path))
            frames.append(FrameMoves(path.name, labelled, step.tiles, step.asks, None, reasons_of(step, sequence)))
            done += 1
            if progress is not None:
                progress(done, count)
        results[sequence.id] = score_moves(frames)
    return SequenceEvaluation(total(list(results.values())), results)


def observe_with(pipeline: ReadsFrames) -> Observe:
    """Return what reads picture files, as stored, with a pipeline."""

    def observe(path: Path) -> tuple[TileReadings, tuple[int, int]]:
        frame = Frame(read_picture(path, upright=False))
        return pipeline.readings(frame), frame.size_wh

    return observe


def reasons_of(step: Step, sequence: MoveSequence) -> tuple[str, ...]:
    """Return in stable words what is doubtful about a step."""
    reasons = [f"camera_{step.registration.motion.value}"] if step.registration.motion.value != "still" else []
    reasons += ["new_tile_loose"] * bool(step.loose)
    unsure = [i for i in step.new if step.observation.tiles[i].confidence < FollowerOptions().ask_new]
    reasons += ["new_tile_unsure"] * bool(unsure)
    seen = [tile.tile for tile in step.observation.tiles if tile.tile is not None]
    reasons += ["tile_too_often"] * bool(sequence.tile_set.surplus(seen))
    reasons += [] if step.new else ["no_new_tile_found"]
    return tuple(dict.fromkeys([*reasons, *(problem.code for problem in step.observation.problems)]))


def _row(name: str, metrics: SequenceMetrics) -> str:
    figures = metrics.to_json()
    shares = f"{figures['moves_right']:>8.3f}{figures['moves_missed']:>8.3f}{figures['moves_invented']:>10.3f}"
    return f"{name:<16}{metrics.frames:>7}{metrics.moves:>7}{shares}{figures['asked']:>8.3f}"
