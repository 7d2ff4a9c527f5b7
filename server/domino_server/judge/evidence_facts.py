"""What stands behind a committed fact, as plain values: what each half may be, what else was considered, by what."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from domino_rules.notation import format_move
from domino_rules.tile import Tile
from domino_server.referee.session import Line, TableSession
from domino_vision.errors import ModelError
from domino_vision.settle import Ask, Commit
from domino_vision.track import TableMemory
from domino_vision.types import HALF_CLASSES, PIP_CLASSES, ReadTile, TableObservation
from domino_vision.weights import DETECTOR, READER, find_model, sha256_of

_LEAST_P: Final = 0.0005
"""Less likely readings are left out."""
_SAME_MM: Final = 12.0
_SAME_PX: Final = 4.0
_TILE: Final = re.compile(r"\b(\d+)[-|](\d+)\b")
_TELLING: Final = frozenset({"move", "correction", "illegal", "question", "finding", "hand_end", "pause", "claim"})
"""Events that a dispute may be about."""


def is_telling(lines: Sequence[Line]) -> bool:
    """Return whether events of a session are worth evidence."""
    return any(line.get("event") in _TELLING for line in lines)


def facts_of(session: TableSession, lines: Sequence[Line], models: Mapping[str, str]) -> dict[str, Any]:
    """Return what `Evidence.keep` stores beside the picture.

    Args:
        session: the table, just after it said `lines`.
        lines: what it said.
        models: what read the picture: the SHA-256 of each network's file (see `model_ids`).
    """
    shot = shot_of(session)
    observation = None if shot is None else shot.observation
    branches = session.referee.branches
    weight = sum(branch.weight for branch in branches) or 1.0
    return {
        "about": about(lines),
        "at": None if shot is None else shot.at,
        "wall": datetime.now(UTC).isoformat(),
        "frames": None if shot is None else shot.frames,
        "models": dict(models),
        "calibration": None if observation is None else calibration(observation),
        "tiles": [] if observation is None else tiles_of(observation, session.settler.tracker.memory),
        "joins": [] if observation is None else [str(join) for join in observation.joins],
        "count": None if observation is None else observation.open_end_count,
        "count_confidence": None if observation is None else round(float(observation.count_confidence), 4),
        "problems": [] if observation is None else [p.code for p in observation.problems],
        "hypotheses": [
            {"moves": [format_move(record.move) for record in branch.moves], "p": round(branch.weight / weight, 4)}
            for branch in branches
        ],
        "said": [line for line in lines if line.get("event") in _TELLING],
    }


def shot_of(session: TableSession) -> Commit | Ask | None:
    """Return what the table was last read from, with its sharpest frame: a look in doubt, else the last commit."""
    return session.ask or session.settler.committed


def about(lines: Sequence[Line]) -> dict[str, Any]:
    """Return what events are about: the hand, the numbers of the moves, and their codes."""
    hands = [line["hand"] for line in lines if isinstance(line.get("hand"), int)]
    moves = [line["number"] for line in lines if line.get("event") in {"move", "correction"}]
    codes = [line["code"] for line in lines if line.get("event") in {"illegal", "finding"}]
    codes += [line["question"]["code"] for line in lines if line.get("event") == "question"]
    return {"hand": hands[-1] if hands else None, "moves": moves, "codes": codes}


def quads_of(session: TableSession, lines: Sequence[Line]) -> list[NDArray[np.float32]]:
    """Return the corners of the tiles that events are about, pixels, each (4, 2).

    Those that were played, are illegal or in question, and what an illegal tile was laid at.
    """
    shot = shot_of(session)
    if shot is None:
        return []
    named = {word for line in lines for word in _tiles_named(line)}
    found = [tile.quad_px for tile in shot.observation.tiles if tile.tile is not None and str(tile.tile) in named]
    for line in lines:
        asked = [*line.get("crops", ()), *line.get("question", {}).get("crops", ())]
        for quad in (np.asarray(corners, np.float32).reshape(4, 2) for corners in asked):
            if not any(np.linalg.norm(quad.mean(axis=0) - other.mean(axis=0)) < _SAME_PX for other in found):
                found.append(quad)
    return found


def model_ids(detector: str = DETECTOR, reader: str = READER) -> dict[str, str]:
    """Return the SHA-256 of each network's file; a network that is not there is left out."""
    found = {}
    for name, model in (("detector", detector), ("reader", reader)):
        try:
            path = find_model(model)
            found[name] = _digest(path, path.stat().st_mtime_ns)
        except (ModelError, OSError):
            continue
    return found


@cache
def _digest(path: Path, _changed: int) -> str:
    return sha256_of(path)


def calibration(observation: TableObservation) -> dict[str, Any]:
    """Return where the table lies in the picture: the homography from pixels to millimetres, and its id."""
    matrix = np.asarray(observation.px_to_mm, np.float64)
    scaled = matrix / (matrix[2, 2] or 1.0)
    return {"id": hashlib.sha256(scaled.tobytes()).hexdigest()[:16], "px_to_mm": matrix.tolist()}


def tiles_of(observation: TableObservation, memory: TableMemory) -> list[dict[str, Any]]:
    """Return the tiles of an observation, each with all that its halves may be, by pips (`back`, `unreadable`)."""
    middles = memory.quads_mm.mean(axis=1) if len(memory) else np.zeros((0, 2))
    return [_tile(tile, memory, middles) for tile in observation.tiles]


def _tile(tile: ReadTile, memory: TableMemory, middles: NDArray[np.float64]) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "tile": None if tile.tile is None else str(tile.tile),
        "halves": None if tile.halves is None else list(tile.halves),
        "confidence": round(float(tile.confidence), 4),
        "role": tile.role.value,
        "quad": np.round(tile.quad_px.astype(float), 1).tolist(),
    }
    away = np.linalg.norm(middles - tile.quad_mm.mean(axis=0), axis=1) if len(middles) else np.array([np.inf])
    near = int(np.argmin(away))
    if tile.halves is None or away[near] > _SAME_MM:
        return facts
    known = memory.tiles[near]
    if known.halves in {tile.halves, tile.halves[::-1]}:
        turned = known.halves != tile.halves
        facts["halves_p"] = [_spread(known.half_logp[1 - at if turned else at]) for at in (0, 1)]
    return facts


def _spread(logp: NDArray[np.float32]) -> dict[str, float]:
    names = [*map(str, range(PIP_CLASSES)), "back", "unreadable"][:HALF_CLASSES]
    p = np.exp(np.asarray(logp, np.float64))
    return {name: round(float(value), 4) for name, value in zip(names, p, strict=True) if value >= _LEAST_P}


def _tiles_named(line: Line) -> list[str]:
    kind = line.get("event")
    if kind == "move":
        return _tiles_in(line["record"]["move"])
    if kind == "correction":
        return [tile for name in ("before", "after") if line.get(name) for tile in _tiles_in(line[name]["move"])]
    if kind == "illegal":
        return [str(line.get("tile"))]
    return list(line["question"]["tiles"]) if kind == "question" else []


def _tiles_in(move: str) -> list[str]:
    return [str(Tile(int(a), int(b))) for a, b in _TILE.findall(move)]
