"""A game with an illegal play for the judge's page: photographs of a short line, and a tile that does not match."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from domino_rules.games.chain import ChainState
from domino_rules.layout import Arm
from domino_rules.record import Record
from domino_rules.tile import DOUBLE_SIX, Tile
from domino_vision.types import Join, TileRole
from tests.referee_games import LENGTH, Table
from tests.table_frames import pincset_tables, states

SEATS = ("Ana", "Đorđe", "Łukasz", "Мира")


@dataclass(frozen=True)
class Dispute:
    """Tables of a game as they were photographed, the last with a tile that does not match, and that tile."""

    record: Record
    tables: tuple[Table, ...]
    illegal: Tile
    opener: str


def dispute(seed: int = 3, most: int = 3) -> Dispute:
    """Return a random game whose last tile lies at an end that it does not match."""
    record, tables = pincset_tables(seed, most)
    laid = next(each for each in states(record) if isinstance(each, ChainState) and len(each.layout) == most)
    bad, illegal = wrong(laid, tables[-1])
    opener = SEATS["ABCD".index(record.hands[0].moves[0].move.player)]
    return Dispute(record, (*tables, bad), illegal, opener)


def wrong(state: ChainState, table: Table) -> tuple[Table, Tile]:
    """Return the table with a tile at the right end that matches no open end."""
    ends = {end.pips for end in state.layout.open_ends}
    laid = {placement.tile for placement in state.layout}
    tile = next(t for t in DOUBLE_SIX if t not in laid and not t.is_double and not set(t.halves) & ends)
    bad = deepcopy(table)
    tip = state.layout.tip(Arm.RIGHT)
    assert tip is not None
    index = max(range(len(bad.tiles)), key=lambda i: float(bad.tiles[i][0][0]))
    centre, axis = bad.tiles[index][0], bad.tiles[index][1]
    reach = LENGTH / 2 * abs(axis[0]) + LENGTH / 4 * abs(axis[1])
    new = bad.add((centre[0] + reach + LENGTH / 2 + 1, centre[1]), (1, 0), tile.halves, TileRole.CHAIN)
    part = "m" if abs(axis[0]) < 0.5 else "b" if axis[0] > 0 else "a"
    bad.joins.append(Join(index, part, new, "a"))
    return bad, tile


def bumped(table: Table) -> Table:
    """Return the table with its tile furthest to the left pushed away from the line."""
    moved = deepcopy(table)
    index = min(range(len(moved.tiles)), key=lambda i: float(moved.tiles[i][0][0]))
    centre, axis, halves, role = moved.tiles[index]
    moved.tiles[index] = (centre + np.array([-12.0, 60.0]), axis, halves, role)
    moved.joins = [join for join in moved.joins if index not in (join.a, join.b)]
    return moved
