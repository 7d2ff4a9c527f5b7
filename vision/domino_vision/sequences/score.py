"""Moves reported against moves labelled, frame by frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from domino_rules.tile import Tile


@dataclass(frozen=True, slots=True)
class FrameMoves:
    """What was labelled and reported at one frame.

    Attributes:
        frame: its name.
        labelled: tiles that came; None at a frame that only says what lies there at the start.
        reported: tiles that the program reported.
        asked: whether it would have asked a person.
        delay_s: seconds from the hand's leaving to the commit, for videos.
        reasons: why it may have failed: stable words.
    """

    frame: str
    labelled: tuple[Tile, ...] | None
    reported: tuple[Tile, ...]
    asked: bool = False
    delay_s: float | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A frame that went wrong.

    Attributes:
        frame: its name.
        code: `missed`, `late`, `early`, `misread` or `invented`.
        labelled, reported: the tile of the label and the one reported, where there is one.
        reasons: what the program knew about it.
        asked: whether it would have asked.
    """

    frame: str
    code: str
    labelled: Tile | None
    reported: Tile | None
    reasons: tuple[str, ...]
    asked: bool

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        tiles = {"labelled": self.labelled, "reported": self.reported}
        words = {name: None if tile is None else str(tile) for name, tile in tiles.items()}
        return {"frame": self.frame, "code": self.code, **words, "reasons": list(self.reasons), "asked": self.asked}


@dataclass(frozen=True, slots=True)
class SequenceMetrics:
    """Figures of one sequence or of several.

    Attributes:
        frames: how many were looked at.
        moves: labelled moves.
        right: moves reported with the right tile at their frame.
        missed: moves never reported.
        invented: reported moves that no label has.
        asked: frames at which a person would be asked.
        delays_s: delays of the commits, for videos.
        failures: what went wrong.
    """

    frames: int
    moves: int
    right: int
    missed: int
    invented: int
    asked: int
    delays_s: tuple[float, ...]
    failures: tuple[Failure, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain values under the names that the format of the photographs defines."""
        return {
            "frames": self.frames,
            "moves": self.moves,
            "moves_right": _share(self.right, self.moves),
            "moves_missed": _share(self.missed, self.moves),
            "moves_invented": _share(self.invented, self.moves),
            "asked": _share(self.asked, self.frames),
            "commit_delay_s": _percentiles(self.delays_s),
            "failures": [failure.to_json() for failure in self.failures],
        }


def score_moves(frames: Sequence[FrameMoves]) -> SequenceMetrics:
    """Return the figures of one sequence. Frames without a label that come first are the start and are not counted."""
    counted = [frame for frame in frames if frame.labelled is not None]
    right = 0
    failures: list[Failure] = []
    unreported: list[tuple[int, Tile]] = []
    unlabelled: list[tuple[int, Tile]] = []
    for number, frame in enumerate(counted):
        labelled, reported = Counter(frame.labelled or ()), Counter(frame.reported)
        right += (labelled & reported).total()
        unreported += [(number, tile) for tile in (labelled - reported).elements()]
        unlabelled += [(number, tile) for tile in (reported - labelled).elements()]
    missed = []
    for number, tile in unreported:
        other = next((item for item in unlabelled if item[1] is tile), None)
        if other is None:
            missed.append((number, tile))
            continue
        unlabelled.remove(other)
        failures.append(_failure(counted[number], "late" if other[0] > number else "early", tile, tile))
    missed_at = {number for number, _ in missed}
    lost = list(missed)
    for number, tile in unlabelled:
        meant = next((item for item in lost if item[0] == number), None)
        if meant is not None:
            lost.remove(meant)
        code = "misread" if number in missed_at and meant is not None else "invented"
        failures.append(_failure(counted[number], code, None if meant is None else meant[1], tile))
    failures += [_failure(counted[number], "missed", tile, None) for number, tile in lost]
    order = {frame.frame: k for k, frame in enumerate(counted)}
    return SequenceMetrics(
        frames=len(counted),
        moves=sum(len(frame.labelled or ()) for frame in counted),
        right=right,
        missed=len(missed),
        invented=len(unlabelled),
        asked=sum(frame.asked for frame in counted),
        delays_s=tuple(frame.delay_s for frame in counted if frame.delay_s is not None),
        failures=tuple(sorted(failures, key=lambda failure: order[failure.frame])),
    )


def total(parts: Sequence[SequenceMetrics]) -> SequenceMetrics:
    """Return the figures of several sequences together."""
    return SequenceMetrics(
        frames=sum(part.frames for part in parts),
        moves=sum(part.moves for part in parts),
        right=sum(part.right for part in parts),
        missed=sum(part.missed for part in parts),
        invented=sum(part.invented for part in parts),
        asked=sum(part.asked for part in parts),
        delays_s=tuple(delay for part in parts for delay in part.delays_s),
        failures=tuple(failure for part in parts for failure in part.failures),
    )


def _failure(frame: FrameMoves, code: str, labelled: Tile | None, reported: Tile | None) -> Failure:
    return Failure(frame.frame, code, labelled, reported, frame.reasons, frame.asked)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _percentiles(values: Sequence[float]) -> dict[str, float] | None:
    if not values:
        return None
    p50, p95 = np.percentile(np.array(values), [50, 95])
    return {"p50": round(float(p50), 3), "p95": round(float(p95), 3)}
