"""Plays against the rules of Tiu-U that are planted in films."""

from __future__ import annotations

from collections.abc import Iterator

from domino_rules.games.tiu_u_rules import mates
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.moves import Capture, Move, Pass, Stood, Turn
from domino_rules.state import refusal
from domino_rules.tile import Tile

PASSED_OVER = "passed_over"


def wrong_pairs(state: TiuUState) -> Iterator[tuple[Stood, str]]:
    """Yield pairs that are none, mates that are left lying, and captures out of turn."""
    player = state.to_move
    if player is None:
        return
    if state.drawing:
        yield from _turned(state, player)
        return
    for tile in dict.fromkeys(state.hands[player].known):
        for take in dict.fromkeys(state.talon):
            if refusal(state, Capture(player, tile, take)) == "no_pair":
                yield Stood(Capture(player, tile, take)), "no_pair"
    for other in state.players:
        for tile in dict.fromkeys(state.hands[other].known if other != player else ()):
            for take in mates(tile, state.talon, state.rules):
                yield Stood(Capture(other, tile, take)), "not_your_turn"


def passed_over(state: TiuUState) -> Iterator[tuple[Move, str]]:
    """Yield the pass of a player who holds a tile that pairs: only a tile that he lays later shows it."""
    player = state.to_move
    if player is not None and not state.drawing and held_mates(state, player):
        yield Pass(player), PASSED_OVER


def held_mates(state: TiuUState, player: str) -> tuple[Tile, ...]:
    """Return the tiles of a player that pair with one on the talon."""
    hand = dict.fromkeys(state.hands[player].known)
    return tuple(tile for tile in hand if mates(tile, state.talon, state.rules))


def _turned(state: TiuUState, player: str) -> Iterator[tuple[Stood, str]]:
    """Yield what may be done wrongly with the next tile of the stock, where it has a mate."""
    tile = state.stock.next
    if tile is None or not state.stock.face_down or len(state.stock) < 2:
        return
    if not mates(tile, state.talon, state.rules):
        return
    for move in (Turn(player, tile), *(Turn(player, tile, take) for take in dict.fromkeys(state.talon))):
        code = refusal(state, move)
        if code is not None:
            yield Stood(move), code
