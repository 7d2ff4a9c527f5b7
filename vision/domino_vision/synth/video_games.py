"""Scripts of whole games: a chain that grows, tricks of two, and captures from a talon.

What is played is either given, so that a game engine may decide, or drawn at random among what fits. Every act that is
a move is told in `Script.moves`. Illegal plays and bumps can be planted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from domino_vision.synth.board import Board, Piece, footprint
from domino_vision.synth.layouts import Chain, Habits, Values
from domino_vision.synth.paint import F64
from domino_vision.synth.plan import stock_of
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_script import (
    Act,
    CameraBump,
    Leaning,
    LightChange,
    Moving,
    Placing,
    Pushing,
    Script,
    TableState,
    Taking,
)

TIDY = Habits(gap=0.03, crooked=0.02, sideways=0.03, clearance=0.4, bend=0.12, crosswise=1.0, side_bend=0.0)


@dataclass(frozen=True, slots=True)
class Mishaps:
    """Chances, a move, of what is no move of the game, and of plays that break the rules.

    Attributes:
        camera_bump: the camera is pushed.
        table_bump: neighbouring tiles are pushed together.
        light: the light changes.
        leaning: somebody leans over the table.
        illegal: a tile that does not match is joined.
    """

    camera_bump: float = 0.0
    table_bump: float = 0.0
    light: float = 0.0
    leaning: float = 0.0
    illegal: float = 0.0


NONE = Mishaps()
SOME = Mishaps(camera_bump=0.06, table_bump=0.05, light=0.08, leaning=0.04)


def chain_script(
    rng: np.random.Generator,
    stage: Stage,
    *,
    seats: int = 4,
    most: int = 28,
    spinner: bool = False,
    habits: Habits = TIDY,
    mishaps: Mishaps = NONE,
) -> Script:
    """A game in which tiles are laid on a chain by turns until nobody can, somebody is out, or the table is full.

    Args:
        rng: source of randomness.
        stage: camera and empty board; the board is filled.
        seats: players, 2 to 4, each with 7 tiles.
        most: greatest number of tiles laid.
        spinner: begin with a double that has four ends.
        habits: how tidily tiles are laid.
        mishaps: chances of bumps, light changes and illegal plays.

    Returns:
        The script; each move says `seat`, `tile`, `joined` (key of the tile it was laid on) and `legal`.
    """
    stock = stock_of(rng, "double-six")
    hands = [stock[7 * seat : 7 * seat + 7] for seat in range(seats)]
    board = stage.board
    script = _Writer(rng, stage, mishaps)
    chain = Chain(rng, board, [], habits)
    turn, passes = 0, 0
    while script.laid < most and passes < seats:
        hand = hands[turn]
        played = _start(chain, stage, hand, spinner) if not script.laid else _extend(rng, chain, hand, mishaps)
        if played is None and not script.laid:
            hand = next((h for h in hands if any(a == b for a, b in h)), hands[0])
            played = _start(chain, stage, hand, spinner)
            if played is None:
                break
        if played is None:
            passes += 1
        else:
            passes = 0
            tile, legal = played
            hand.remove(tile)
            script.lay_last(board, turn, tile, legal=legal)
            if not hand:
                break
        turn = (turn + 1) % seats
    return script.script("double-six")


def _start(chain: Chain, stage: Stage, hand: list[Values], spinner: bool) -> tuple[Values, bool] | None:
    chain._stock[:] = [t for t in hand if not spinner or t[0] == t[1]]  # noqa: SLF001 - the chain takes from our hands
    offered = list(chain._stock)  # noqa: SLF001
    middle = stage.view.mean(axis=0)
    if not offered or not chain.start(middle, float(np.pi * 0.0), spinner):
        return None
    return next(tile for tile in offered if tile not in chain._stock), True  # noqa: SLF001


def _extend(rng: np.random.Generator, chain: Chain, hand: list[Values], mishaps: Mishaps) -> tuple[Values, bool] | None:
    """Lay a tile of a hand at an end that it fits, or, now and then, at one that it does not."""
    ends = list(chain.ends)
    order = rng.permutation(len(ends)).tolist()
    illegal = rng.random() < mishaps.illegal
    for at in order:
        end = ends[at]
        for tile in [hand[i] for i in rng.permutation(len(hand))]:
            fits = end.pips in tile
            if fits == illegal or (illegal and tile[0] == tile[1]):
                continue
            shown = tile if fits else (end.pips, tile[1])
            chain.ends[:] = [end]
            chain._stock[:] = [shown]  # noqa: SLF001
            if chain.grow(1):
                after = chain.ends[0]
                if not fits:
                    piece = chain._board.pieces[-1]  # noqa: SLF001
                    chain._board.pieces[-1] = replace(piece, halves=(tile[0], tile[1]))  # noqa: SLF001
                chain.ends[:] = [*ends[:at], after, *ends[at + 1 :]]
                return tile, fits
    chain.ends[:] = ends
    return None


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
    left, right = middle + _xy(-length * 2.6, 0), middle + _xy(length * 2.6, 0)
    return {
        "trick": footprint(middle, 0.0, wide, tall),
        "trump": footprint(left + _xy(0, length * 0.9), 0.0, length * 1.5, length * 1.5),
        "stock": footprint(left - _xy(0, length * 0.9), 0.0, length * 1.5, length * 1.5),
        "pile-0": footprint(right - _xy(0, length * 0.9), 0.0, length * 1.5, length * 1.5),
        "pile-1": footprint(right + _xy(0, length * 0.9), 0.0, length * 1.5, length * 1.5),
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
    writer = _Writer(rng, stage, mishaps)
    stock_at = zones["stock"].mean(axis=0)
    drawn = sum(2 for trick in tricks if trick.draws)
    stock = [f"stock-{i}" for i in range(max(0, drawn - 1))]
    for i, key in enumerate(stock):
        place = stock_at + _xy(0.0, (i % 3 - 1) * 0.02)
        writer.start(key, Piece("down", place, math.pi / 2, length))
    writer.start("trump", Piece("up", zones["trump"].mean(axis=0), math.pi / 2, length, halves=trump))
    centre = zones["trick"].mean(axis=0)
    for number, trick in enumerate(tricks):
        pair = [("lead", trick.leader, trick.lead), ("reply", 1 - trick.leader, trick.reply)]
        keys = []
        for role, seat, tile in pair:
            key = f"{role}-{number}"
            side = -1.0 if role == "lead" else 1.0
            place = centre + _xy(side * (length * 0.5 + 0.3), 0.0) + rng.normal(0, 0.06, 2)
            piece = Piece("up", place, float(rng.normal(math.pi / 2, 0.06)), length, halves=tile)
            writer.act(Placing(key, piece, 2 * seat), trick=number, role=role, seat=seat, tile=tile)
            keys.append(key)
        pile = zones[f"pile-{trick.taker}"].mean(axis=0)
        gone = [
            (
                key,
                Piece(
                    "down", pile + rng.normal(0, 0.08, 2), math.pi / 2, length, halves=writer.state.pieces[key].halves
                ),
            )
            for key in keys
        ]
        writer.act(Moving(tuple(gone), 2 * trick.taker), trick=number, role="take", seat=trick.taker)
        for seat in (trick.taker, 1 - trick.taker) if trick.draws else ():
            key = stock.pop() if stock else "trump"
            if key in writer.state.pieces:
                writer.act(Taking((key,), 2 * seat), trick=number, role="draw", seat=seat)
    return writer.script("double-six", zones)


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
        "stock": footprint(middle + _xy(0.0, reach[1] * 0.58), 0.0, length * 3, length * 0.7),
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
    writer = _Writer(rng, stage, mishaps)
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


def _xy(x: float, y: float) -> F64:
    return np.array([x, y])


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
        middle + _xy((column - (columns - 1) / 2) * across, (row - (rows - 1) / 2) * down)
        for row in range(rows)
        for column in range(columns)
    ]


class _Writer:
    """Collects acts and moves, and throws mishaps in."""

    def __init__(self, rng: np.random.Generator, stage: Stage, mishaps: Mishaps) -> None:
        self._rng, self._stage, self._mishaps = rng, stage, mishaps
        self._acts: list[Act] = []
        self._moves: dict[int, dict[str, Any]] = {}
        self._start: list[tuple[str, Piece]] = []
        self.state = TableState()
        self.laid = 0

    def start(self, key: str, piece: Piece) -> None:
        self._start.append((key, piece))
        self.state.pieces[key] = piece

    def act(self, act: Act, **move: Any) -> None:
        """Add an act that is a move, then perhaps a mishap."""
        self._moves[len(self._acts)] = move
        self._add(act)
        self._mishap()

    def lay_last(self, board: Board, seat: int, tile: Values, *, legal: bool) -> None:
        """Lay the piece that was put on the board last, with its join."""
        index = len(board.pieces) - 1
        joins = [(b, j[3], f"tile-{j[0]}", j[1]) for j in board.joins if (b := j[2]) == index]
        piece = board.pieces[index]
        on = joins[0][2] if joins else None
        own = tuple((part, other, others) for _, part, other, others in joins)
        self.laid += 1
        self.act(Placing(f"tile-{index}", piece, seat, own), seat=seat, tile=tile, joined=on, legal=legal)

    def script(self, set_name: str, zones: dict[str, F64] | None = None) -> Script:
        return Script(tuple(self._acts), tuple(self._start), self._moves, zones or {}, set_name)

    def _add(self, act: Act) -> None:
        self._acts.append(act)
        self.state.apply(act)

    def _mishap(self) -> None:
        rng, chances = self._rng, self._mishaps
        if rng.random() < chances.camera_bump:
            dx, dy = rng.normal(0, 0.15, 2) * self._stage.tile_px
            self._add(CameraBump((float(dx), float(dy)), float(rng.normal(0, 0.4))))
        if rng.random() < chances.light:
            self._add(LightChange(float(rng.uniform(0.7, 1.25))))
        if rng.random() < chances.leaning:
            self._add(Leaning(3.0, int(rng.integers(4))))
        up = [key for key, piece in self.state.pieces.items() if piece.kind == "up"]
        if rng.random() < chances.table_bump and len(up) >= 6:
            middle = self.state.pieces[up[int(rng.integers(len(up)))]].centre
            near = sorted(up, key=lambda key: float(np.linalg.norm(self.state.pieces[key].centre - middle)))[:4]
            outward = middle - np.mean([self.state.pieces[key].centre for key in up], axis=0)
            outward = outward / max(float(np.linalg.norm(outward)), 1e-6) * 0.35
            self._add(Pushing(tuple(near), (float(outward[0]), float(outward[1])), float(rng.normal(0, 0.02))))
