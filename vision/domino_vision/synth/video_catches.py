"""Scripts of games of captures from an open talon."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from domino_vision.synth.board import Piece, footprint
from domino_vision.synth.layouts import Values
from domino_vision.synth.paint import F64
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_script import Moving, Placing, Script, TableState
from domino_vision.synth.video_writer import NONE, Mishaps, ScriptWriter, xy


@dataclass(frozen=True, slots=True)
class Catch:
    """A tile that comes to the talon or captures from it.

    Attributes:
        seat: who plays.
        tile: halves of the tile from the hand, or turned from the stock.
        caught: talon tiles (by halves) that are taken with it to the player's pile; none: it is laid on the talon.
        turned: whether it was turned up from the stock.
    """

    seat: int
    tile: Values
    caught: tuple[Values, ...] = ()
    turned: bool = False


def catch_zones(stage: Stage, seats: int) -> dict[str, F64]:
    """Where talon, stock and piles lie, as quads (4, 2) in tile widths."""
    length = stage.board.length
    low, high = stage.view
    middle, reach = (low + high) / 2, (high - low) / 2
    sides = [np.array([0.0, -1.0]), np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([-1.0, 0.0])]
    zones = {
        "talon": footprint(middle, 0.0, reach[0] * 1.0, reach[1] * 0.9),
        "stock": footprint(middle + xy(0.0, reach[1] * 0.58), 0.0, length * 3, length * 0.7),
    }
    for seat in range(seats):
        place = middle + sides[seat if seats > 2 else 2 * seat] * reach * 0.8
        zones[f"pile-{seat}"] = footprint(place, 0.0, length * 2.4, length * 1.3)
    return zones


def catch_script(
    rng: np.random.Generator,
    stage: Stage,
    talon: Sequence[Values],
    catches: Sequence[Catch],
    *,
    seats: int = 2,
    mishaps: Mishaps = NONE,
) -> Script:
    """A game of captures: tiles lie open on a talon, a tile takes its mates to the player's pile.

    Args:
        rng: source of randomness.
        stage: camera and board.
        talon: halves of the tiles that lie open at the start.
        catches: what is played, in order.
        seats: players.
        mishaps: chances of bumps and light changes.

    Returns:
        The script; moves say `role` (`lay` or `catch`), `seat`, `tile`, `caught` and `turned`.
    """
    zones = catch_zones(stage, seats)
    length = stage.board.length
    writer = ScriptWriter(rng, stage, mishaps)
    slots = _slots(zones["talon"], length)
    used: dict[str, int] = {}
    piled = [0] * seats
    for i, tile in enumerate(talon):
        key = f"talon-{i}"
        used[key] = i
        writer.start(key, Piece("up", slots[i], float(rng.normal(math.pi / 2, 0.04)), length, halves=tile))
    for number, catch in enumerate(catches):
        key = f"tile-{number}"
        slot = min(set(range(len(slots))) - set(used.values()), default=0)
        used[key] = slot
        piece = Piece("up", slots[slot], float(rng.normal(math.pi / 2, 0.04)), length, halves=catch.tile)
        told = {"seat": catch.seat, "tile": catch.tile, "caught": catch.caught, "turned": catch.turned}
        side = catch.seat if seats > 2 else 2 * catch.seat
        writer.act(Placing(key, piece, side), role="lay", **told)
        if not catch.caught:
            continue
        keys = [key, *_keys_of(writer.state, used, catch.caught)]
        pile = zones[f"pile-{catch.seat}"]
        places = _slots(pile, length)
        to = []
        for taken in keys:
            at = places[piled[catch.seat] % len(places)] + rng.normal(0, 0.03, 2)
            piled[catch.seat] += 1
            del used[taken]
            to.append((taken, Piece("up", at, math.pi / 2, length, halves=writer.state.pieces[taken].halves)))
        writer.act(Moving(tuple(to), side), role="catch", **told)
    return writer.script("chinese", zones)


def _keys_of(state: TableState, used: dict[str, int], wanted: Sequence[Values]) -> list[str]:
    found: list[str] = []
    for tile in wanted:
        found.append(next(k for k in used if k not in found and sorted(state.pieces[k].halves) == sorted(tile)))
    return found


def _slots(quad: F64, length: float) -> list[F64]:
    """Places for upright tiles in a rectangle, row by row."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    across, down = 1.35, length + 0.35
    columns, rows = max(1, int((high[0] - low[0]) // across)), max(1, int((high[1] - low[1]) // down))
    middle = (low + high) / 2
    return [
        middle + xy((column - (columns - 1) / 2) * across, (row - (rows - 1) / 2) * down)
        for row in range(rows)
        for column in range(columns)
    ]
