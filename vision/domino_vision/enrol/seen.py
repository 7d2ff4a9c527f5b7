"""Which tile of a set is which in a picture: the assignment that the reader's own probabilities like best.

Every tile of a set occurs a known number of times, so that a tile which is hard to read alone is told by the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from domino_rules.tile import Tile, TileSet
from domino_vision.errors import EnrolError
from domino_vision.types import F32Array, F64Array, U8Array

SURE: Final = float(np.log(30))
"""A tile is in doubt if the best assignment that gives it another value is less than this much less likely (log)."""
_CLEAR: Final = float(np.log(1000))
"""A reading this much likelier than what the set leaves over contradicts it."""
_FLOOR: Final = -9.0
"""Log-probability below which no half is taken to be: one wild reading must not decide about all others."""
_TAKEN: Final = 1e6


@dataclass(frozen=True, slots=True)
class TilesInPicture:
    """The face-up tiles of one picture, not yet named.

    Attributes:
        name: of the picture, for messages.
        crops: (n, 96, 192, 3) uint8 BGR, first half to the left.
        centres_px: (n, 2) float32, where they lie in the picture.
        half_logp: (n, 2, 15) float32, what the reader says.
    """

    name: str
    crops: U8Array
    centres_px: F32Array
    half_logp: F32Array

    def __len__(self) -> int:
        return len(self.crops)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A tile of a picture that may be one of several.

    Attributes:
        picture: name of the picture.
        index: of the tile in it.
        centre_px: where it lies, in pixels.
        choices: the likeliest tiles, best first.
    """

    picture: str
    index: int
    centre_px: tuple[int, int]
    choices: tuple[Tile, ...]

    def __str__(self) -> str:
        x, y = self.centre_px
        return f"the tile at ({x}, {y}) in {self.picture}: {' or '.join(map(str, self.choices))}"


@dataclass(frozen=True, slots=True)
class Named:
    """What was found out.

    Attributes:
        halves: (n, 2) int64, the pips of the first and second half of each tile.
        doubts: the tiles that may be others.
        against: tiles that were given and read clearly as others: what was given, then what they read as.
    """

    halves: np.ndarray[tuple[int, int], np.dtype[np.int64]]
    doubts: tuple[Doubt, ...]
    against: tuple[Doubt, ...] = ()


def identify(
    seen: TilesInPicture, tile_set: TileSet, given: Sequence[Tile] | None = None, told: Mapping[int, Tile] | None = None
) -> Named:
    """Name the tiles of a picture.

    Args:
        seen: the tiles.
        tile_set: each tile occurs at most as often as this set holds it.
        given: the tiles that lie in the picture, in any order, if that is known.
        told: the tile at an index, where a person said so.

    Raises:
        EnrolError: `tiles_given` (another number of tiles was given than is seen), `not_in_set`, `tile_twice` (given or
            clearly seen more often than the set holds it), `too_many_tiles`, `no_such_tile` (told of one that is not
            there).
    """
    kinds, slots = _slots(seen, tile_set, given)
    told = dict(told or {})
    scores = np.array([[_likeness(logp, kind) for kind in kinds] for logp in seen.half_logp]).reshape(-1, len(kinds))
    for index, tile in told.items():
        if index >= len(seen):
            msg = f"{seen.name} shows {len(seen)} tiles, none has the number {index}"
            raise EnrolError("no_such_tile", msg, picture=seen.name, index=index, seen=len(seen))
        if tile not in kinds:
            raise EnrolError("not_in_set", f"{tile} is none of the tiles that may lie in {seen.name}", tile=str(tile))
        scores[index] = np.where([kind == tile for kind in kinds], 0.0, -_TAKEN)
    chosen, total = _assign(scores, slots)
    if total < -_TAKEN / 2:
        tile = next(tile for index, tile in told.items() if kinds[chosen[index]] != tile)
        raise EnrolError("tile_twice", f"{tile} is named more often than the set holds it", tile=str(tile))
    named = [kinds[k] for k in chosen]
    against = () if given is None else tuple(_against(seen, named, tile_set, told))
    if given is None:
        _check_twice(seen, scores, chosen, kinds)
    doubts = []
    for index in range(len(seen)):
        if index in told or len(kinds) < 2:
            continue
        others = scores.copy()
        others[index, chosen[index]] = -_TAKEN
        other, other_total = _assign(others, slots)
        if total - other_total < SURE:
            ranked = [chosen[index], other[index], *(int(k) for k in np.argsort(-scores[index])[:2])]
            doubts.append(_doubt(seen, index, tuple(kinds[k] for k in dict.fromkeys(ranked))[:3]))
    halves = [_ends(logp, tile) for logp, tile in zip(seen.half_logp, named, strict=True)]
    return Named(np.array(halves, np.int64).reshape(-1, 2), tuple(doubts), against)


def _doubt(seen: TilesInPicture, index: int, choices: tuple[Tile, ...]) -> Doubt:
    x, y = (round(float(v)) for v in seen.centres_px[index])
    return Doubt(seen.name, index, (x, y), choices)


def _against(
    seen: TilesInPicture, named: Sequence[Tile], tile_set: TileSet, told: Mapping[int, Tile]
) -> Iterator[Doubt]:
    """Yield the tiles that read clearly as others than they were given as, unless a person named that very one."""
    for index, tile in enumerate(named):
        likeness = {kind: _likeness(seen.half_logp[index], kind) for kind in tile_set.kinds}
        best = max(likeness, key=lambda kind: likeness[kind])
        if index not in told and likeness[best] - likeness[tile] > _CLEAR:
            yield _doubt(seen, index, (tile, best))


def _slots(seen: TilesInPicture, tile_set: TileSet, given: Sequence[Tile] | None) -> tuple[list[Tile], list[int]]:
    """Return the kinds of tile that may lie in a picture, and how often each."""
    if given is None:
        if len(seen) > len(tile_set):
            msg = f"{seen.name} shows {len(seen)} tiles; the {tile_set.name} set has {len(tile_set)}"
            raise EnrolError("too_many_tiles", msg, picture=seen.name, seen=len(seen), set=tile_set.name)
        return list(tile_set.kinds), [tile_set.copies(kind) for kind in tile_set.kinds]
    for tile in given:
        if tile not in tile_set:
            msg = f"{tile} is no tile of the {tile_set.name} set"
            raise EnrolError("not_in_set", msg, tile=str(tile), set=tile_set.name)
    for tile in tile_set.surplus(given):
        raise EnrolError("tile_twice", f"{tile} is given more often than the set holds it", tile=str(tile))
    if len(given) != len(seen):
        msg = f"{seen.name}: {len(seen)} face-up tiles are seen, {len(given)} are named"
        raise EnrolError("tiles_given", msg, picture=seen.name, seen=len(seen), given=len(given))
    counts = Counter(given)
    return sorted(counts), [counts[kind] for kind in sorted(counts)]


def _assign(scores: F64Array, slots: Sequence[int]) -> tuple[list[int], float]:
    """Return the best kind for each tile, each kind at most as often as it has slots, and the sum of scores."""
    column = np.repeat(np.arange(len(slots)), slots)
    rows, picked = linear_sum_assignment(-scores[:, column])
    return [int(column[k]) for k in picked], float(scores[rows, column[picked]].sum())


def _check_twice(seen: TilesInPicture, scores: F64Array, chosen: list[int], kinds: list[Tile]) -> None:
    """Raise if a tile reads clearly as one that another tile of the picture is already."""
    for index, kind in enumerate(chosen):
        best = int(np.argmax(scores[index]))
        if best != kind and scores[index, best] - scores[index, kind] > _CLEAR:
            x, y = (round(float(v)) for v in seen.centres_px[index])
            msg = f"{seen.name} shows {kinds[best]} more often than the set holds it, once at ({x}, {y})"
            raise EnrolError("tile_twice", msg, tile=str(kinds[best]), picture=seen.name, at=[x, y])


def _likeness(half_logp: F32Array, tile: Tile) -> float:
    """Return the log-probability that a tile is seen, whichever way it lies."""
    a, b = tile.halves
    logp = np.maximum(half_logp.astype(np.float64), _FLOOR)
    straight, turned = logp[0, a] + logp[1, b], logp[0, b] + logp[1, a]
    return float(straight if a == b else np.logaddexp(straight, turned))


def _ends(half_logp: F32Array, tile: Tile) -> tuple[int, int]:
    """Return the pips of the first and the second half of a tile as it lies."""
    a, b = tile.halves
    straight, turned = half_logp[0, a] + half_logp[1, b], half_logp[0, b] + half_logp[1, a]
    return (a, b) if straight >= turned else (b, a)
