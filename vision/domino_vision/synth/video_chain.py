"""Scripts of games in which tiles are laid on a chain."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from domino_vision.synth.board import Board
from domino_vision.synth.layouts import Chain, Habits, Values
from domino_vision.synth.plan import stock_of
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_script import Placing, Script
from domino_vision.synth.video_writer import NONE, Mishaps, ScriptWriter

TIDY: Final = Habits(gap=0.03, crooked=0.02, sideways=0.03, clearance=0.4, bend=0.12, crosswise=1.0, side_bend=0.0)


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
        seats: players, 2 to 4, each with 7 tiles; more than two have 5 each where there is a spinner.
        most: greatest number of tiles laid.
        spinner: begin with a double that has four ends, two of which open when the others are covered.
        habits: how tidily tiles are laid.
        mishaps: chances of bumps, light changes and illegal plays.

    Returns:
        The script; each move says `seat`, `tile`, `joined` (key of the tile it was laid on) and `legal`.
    """
    deck = stock_of(rng, "double-six")
    size = 5 if spinner and seats > 2 else 7
    hands = [deck[size * seat : size * (seat + 1)] for seat in range(seats)]
    writer = ScriptWriter(rng, stage, mishaps)
    opening: list[Values] = []
    chain = Chain(rng, stage.board, opening, habits)
    turn = next((seat for seat, hand in enumerate(hands) if not spinner or any(a == b for a, b in hand)), 0)
    opening += [tile for tile in hands[turn] if not spinner or tile[0] == tile[1]]
    offered = list(opening)
    if not offered or not chain.start(stage.view.mean(axis=0), 0.0, spinner):
        return writer.script("double-six")
    tile: Values | None = next(tile for tile in offered if tile not in opening)
    laid, passes = 0, 0
    while True:
        if tile is not None:
            passes, laid = 0, laid + 1
            hands[turn].remove(tile)
            _write(writer, stage.board, turn, tile)
        else:
            passes += 1
        if laid >= most or passes >= seats or not hands[turn]:
            return writer.script("double-six")
        turn = (turn + 1) % seats
        tile = _play(rng, chain, hands[turn], illegal=rng.random() < mishaps.illegal)


def _play(rng: np.random.Generator, chain: Chain, hand: list[Values], *, illegal: bool) -> Values | None:
    """Lay a tile of a hand at an end that it fits, or at one that it does not; None if there is no such, or no room."""
    closed = len(chain.ends) > 2 and any(end.index == 0 for end in chain.ends[:2])
    for slot in rng.permutation(2 if closed else len(chain.ends)).tolist():
        pips = chain.ends[slot].pips
        order: list[int] = rng.permutation(len(hand)).tolist()
        for tile in [hand[i] for i in order]:
            plain = tile[0] != tile[1]
            if (pips in tile) != illegal and (plain or not illegal) and chain.lay(tile, slot):
                return tile
    return None


def _write(writer: ScriptWriter, board: Board, seat: int, tile: Values) -> None:
    """Write down the placing of the piece that was put on the board last."""
    index = len(board.pieces) - 1
    joins = tuple((own, f"tile-{other}", part) for other, part, last, own in board.joins if last == index)
    piece = board.pieces[index]
    move: dict[str, Any] = {"seat": seat, "tile": tile, "joined": joins[0][1] if joins else None, "legal": True}
    for own, other, part in joins:
        mine, theirs = piece.halves, board.pieces[int(other.removeprefix("tile-"))].halves
        move["legal"] = mine[1 if own == "b" else 0] == theirs[1 if part == "b" else 0]
    writer.act(Placing(f"tile-{index}", piece, seat, joins), **move)
