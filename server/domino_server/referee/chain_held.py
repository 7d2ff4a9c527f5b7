"""What players have shown by passing and drawing: who does either holds no tile that fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from domino_rules.games.chain import ChainState
from domino_rules.games.chain_position import with_stood
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Draw, Pass, Play, Stood
from domino_rules.tile import Tile


@dataclass(slots=True)
class _Lacked:
    """Numbers that a player did not hold at a time, and how many tiles with them he may have drawn and kept since."""

    player: str
    numbers: frozenset[int]
    drawn: int = 0
    passed: bool = False


@dataclass(frozen=True, slots=True)
class Lacks:
    """What the players of a hand lacked when they passed or drew."""

    found: tuple[_Lacked, ...]

    @classmethod
    def of(cls, state: ChainState) -> Self:
        """Return what the moves of a hand so far show."""
        found: list[_Lacked] = []
        layout = Layout(state.layout.with_spinner)
        for move in state.moves:
            ends = frozenset(end.pips for end in layout.open_ends)
            if isinstance(move, Pass | Draw) and layout:
                found.append(_Lacked(move.player, ends, passed=isinstance(move, Pass)))
            if isinstance(move, Draw):
                _drew(found, move)
            elif isinstance(move, Stood | Play):
                layout = with_stood(layout, move) if isinstance(move, Stood) else _with(layout, move)
                _laid(found, move.player, move.tile)
        return cls(tuple(found))

    def passed_on(self, player: str, tile: Tile) -> bool:
        """Return whether a player passed when the tile would have fitted: nobody draws after that."""
        return any(lacked.passed for lacked in self._of(player, tile))

    def excludes(self, player: str, tile: Tile) -> bool:
        """Return whether a player can hold a tile only if he passed or drew against the rules."""
        return any(not lacked.drawn for lacked in self._of(player, tile))

    def _of(self, player: str, tile: Tile) -> list[_Lacked]:
        return [lacked for lacked in self.found if lacked.player == player and lacked.numbers & set(tile.halves)]


def _drew(found: list[_Lacked], move: Draw) -> None:
    for lacked in found:
        if lacked.player == move.player and (move.tile is None or lacked.numbers & set(move.tile.halves)):
            lacked.drawn += 1


def _laid(found: list[_Lacked], player: str, tile: Tile) -> None:
    for lacked in found:
        if lacked.player == player and lacked.numbers & set(tile.halves):
            lacked.drawn = max(lacked.drawn - 1, 0)


def _with(layout: Layout, move: Play) -> Layout:
    if move.arm is Arm.START and move.left is not None:
        return layout.put(move.tile, move.arm, move.left)
    return layout.place(move.tile, move.arm)
