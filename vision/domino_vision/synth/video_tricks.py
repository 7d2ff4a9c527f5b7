"""Scripts of games of tricks between two players, with a stock and a trump tile."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from domino_vision.synth.board import Piece, footprint
from domino_vision.synth.layouts import Values
from domino_vision.synth.paint import F64
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_script import Moving, Placing, Script, Taking
from domino_vision.synth.video_writer import NONE, Mishaps, ScriptWriter, xy


@dataclass(frozen=True, slots=True)
class Trick:
    """Two tiles played against each other.

    Attributes:
        leader: seat of the first tile, 0 or 1.
        lead: its halves.
        reply: halves of the other's tile.
        taker: seat that carries both off.
        draws: whether both draw from the stock afterwards, the taker first.
    """

    leader: int
    lead: Values
    reply: Values
    taker: int
    draws: bool


def trick_zones(stage: Stage) -> dict[str, F64]:
    """Where tricks, piles, trump and stock lie, as quads (4, 2) in tile widths: two players, near and far."""
    length = stage.board.length
    low, high = stage.view
    middle = (low + high) / 2
    wide, tall = length * 3.2, length * 1.4
    left, right = middle + xy(-length * 2.6, 0), middle + xy(length * 2.6, 0)
    return {
        "trick": footprint(middle, 0.0, wide, tall),
        "trump": footprint(left + xy(0, length * 0.9), 0.0, length * 1.5, length * 1.5),
        "stock": footprint(left - xy(0, length * 0.9), 0.0, length * 1.5, length * 1.5),
        "pile-0": footprint(right - xy(0, length * 0.9), 0.0, length * 1.5, length * 1.5),
        "pile-1": footprint(right + xy(0, length * 0.9), 0.0, length * 1.5, length * 1.5),
    }


def trick_script(
    rng: np.random.Generator, stage: Stage, trump: Values, tricks: Sequence[Trick], *, mishaps: Mishaps = NONE
) -> Script:
    """A game of tricks between two: the stock beside a turned-up trump tile, lead and reply, the taker's pile.

    Args:
        rng: source of randomness.
        stage: camera and board.
        trump: halves of the tile that is turned up.
        tricks: what is played, in order.
        mishaps: chances of bumps and light changes.

    Returns:
        The script; moves say `trick`, `role` (`lead`, `reply`, `take`, `draw`), `seat` and `tile`.
    """
    zones = trick_zones(stage)
    length = stage.board.length
    writer = ScriptWriter(rng, stage, mishaps)
    stock_at = zones["stock"].mean(axis=0)
    drawn = sum(2 for trick in tricks if trick.draws)
    stock = [f"stock-{i}" for i in range(max(0, drawn - 1))]
    for i, key in enumerate(stock):
        place = stock_at + xy(0.0, (i % 3 - 1) * 0.02)
        writer.start(key, Piece("down", place, math.pi / 2, length))
    writer.start("trump", Piece("up", zones["trump"].mean(axis=0), math.pi / 2, length, halves=trump))
    centre = zones["trick"].mean(axis=0)
    for number, trick in enumerate(tricks):
        pair = [("lead", trick.leader, trick.lead), ("reply", 1 - trick.leader, trick.reply)]
        keys = []
        for role, seat, tile in pair:
            key = f"{role}-{number}"
            side = -1.0 if role == "lead" else 1.0
            place = centre + xy(side * (length * 0.5 + 0.3), 0.0) + rng.normal(0, 0.06, 2)
            piece = Piece("up", place, float(rng.normal(math.pi / 2, 0.06)), length, halves=tile)
            writer.act(Placing(key, piece, 2 * seat), trick=number, role=role, seat=seat, tile=tile)
            keys.append(key)
        pile = zones[f"pile-{trick.taker}"].mean(axis=0)
        gone = []
        for side, key in zip((-0.55, 0.55), keys, strict=True):
            halves, place = writer.state.pieces[key].halves, pile + xy(side, 0.0) + rng.normal(0, 0.02, 2)
            gone.append((key, Piece("down", place, math.pi / 2, length, halves=halves)))
        writer.act(Moving(tuple(gone), 2 * trick.taker), trick=number, role="take", seat=trick.taker)
        for seat in (trick.taker, 1 - trick.taker) if trick.draws else ():
            key = stock.pop() if stock else "trump"
            if key in writer.state.pieces:
                writer.act(Taking((key,), 2 * seat), trick=number, role="draw", seat=seat)
    return writer.script("double-six", zones)
