"""Which tiles of a hand everybody has seen."""

from __future__ import annotations

from domino_rules.games.bingo_state import BingoState
from domino_rules.games.chain import ChainState
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.state import GameState
from domino_rules.tile import Tile


def open_tiles(state: GameState | None) -> tuple[Tile, ...]:
    """Return the tiles that were laid or taken in a hand, all of which everybody has seen."""
    if isinstance(state, ChainState):
        return state.layout.tiles
    if isinstance(state, TiuUState):
        return (*state.talon, *(t for pile in state.piles for t in pile), *(t for s in state.stock.stacks for t in s))
    if isinstance(state, BingoState):
        lead = () if state.lead is None else (state.lead.tile,)
        return (*(tile for trick in state.tricks for tile in trick.tiles), *lead)
    return ()
