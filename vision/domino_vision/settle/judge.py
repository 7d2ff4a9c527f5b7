"""Whether a look at the table may be believed, and what is in doubt if not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from domino_vision.settle.machine import COVERED, Verdict
from domino_vision.settle.samples import Reason
from domino_vision.track import CameraMotion, Look, TableChange
from domino_vision.types import ReadTile, TileRole

UNSURE: Final = "new_tile_unsure"
"""Code of the doubt about a tile that came and is read too unsurely."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How certain a look must be."""

    new_tile: float = 0.9
    """A tile that came must be read at least this surely."""
    count: float = 0.9
    """So must the open-end count."""
    certain: float = 0.97
    """With everything above this, one frame is enough."""
    lost_share: float = 0.5
    """If the table cannot be recognised and at least this share of the known tiles is gone, it was cleared."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that a person could settle: a code, the tiles it is about, parameters."""

    code: str
    tiles: tuple[int, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What may be said of a look: the verdict for the state machine, and the doubts, the worst first."""

    verdict: Verdict
    doubts: tuple[Doubt, ...]


def judge(look: Look, change: TableChange, known: int, options: JudgeOptions, *, covered: int = 0) -> Judgement:
    """Judge a look.

    Args:
        look: the look, decoded with what was known.
        change: what it would change.
        known: how many tiles were known.
        options: thresholds.
        covered: how many tiles may be missing, or seen, only because something lies over the table.
    """
    observation = look.observation
    doubts: list[Doubt] = []
    if covered:
        doubts.append(Doubt(COVERED, (), {"tiles": covered}))
    stranger = look.registration.motion is CameraMotion.UNKNOWN and known > 1
    if stranger and change.pairs and len(change.gone) < options.lost_share * known:
        doubts.append(Doubt("table_not_recognised", (), {"known": known, "seen": len(observation.tiles)}))
    fresh = [*change.new, *(after for _, after in change.read_anew), *(tile.after for tile in change.turned if tile.up)]
    tiles = observation.tiles
    unsure = [i for i in fresh if _faces_up(tiles[i]) and tiles[i].confidence < options.new_tile]
    doubts += [Doubt(UNSURE, (i,), {"confidence": round(tiles[i].confidence, 3)}) for i in unsure]
    if observation.open_end_count is not None and observation.count_confidence < options.count and not change.is_empty:
        params = {"count": observation.open_end_count, "confidence": round(observation.count_confidence, 3)}
        doubts.append(Doubt("count_unsure", (), params))
    doubts += [
        Doubt(p.code, p.tiles, p.params) for p in observation.problems if p.code in _GRAVE and {*p.tiles} & {*fresh}
    ]
    least = min((tiles[i].confidence for i in fresh if _faces_up(tiles[i])), default=1.0)
    certain = not doubts and least > options.certain and not change.gone and not change.read_anew
    if observation.open_end_count is not None and not change.is_empty:
        certain &= observation.count_confidence > options.certain
    reason = Reason.of(doubts[0].code, **doubts[0].params) if doubts else commit_reason(look, change, known)
    return Judgement(Verdict(not doubts, certain, reason), tuple(doubts))


def commit_reason(look: Look, change: TableChange, known: int) -> Reason:
    """Return in a word what a commit is about."""
    seen = len(look.observation.tiles)
    if not known:
        return Reason.of("first_tiles", tiles=seen) if seen else Reason.of("empty_table")
    if not seen:
        return Reason.of("table_cleared", gone=len(change.gone))
    if not change.is_empty:
        counts = {"new": change.new, "gone": change.gone, "moved": change.moved, "turned": change.turned}
        return Reason.of("tiles_changed", **{name: len(tiles) for name, tiles in counts.items() if tiles})
    moved = look.registration.motion is CameraMotion.MOVED
    if moved:
        return Reason.of("camera_moved", mm=round(look.registration.shift_mm, 1))
    pushed = sum(len(group.tiles) for group in change.pushed)
    return Reason.of("tiles_pushed", tiles=pushed) if pushed else Reason.of("nothing_changed")


_GRAVE = frozenset({"duplicate_tile"})
"""Problems of a reading that no legal table has; once such a table was accepted, its tiles are in doubt no more."""


def _faces_up(tile: ReadTile) -> bool:
    return tile.role in (TileRole.CHAIN, TileRole.LOOSE)
