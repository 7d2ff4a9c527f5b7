"""Hands of the line-of-play games for tests: told deals, random playouts, moves in short notation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import TypeVar

from domino_rules.games.chain import ChainState
from domino_rules.layout import Arm
from domino_rules.moves import Close, Draw, Move, Pass, Play
from domino_rules.state import Deal, Game, GameState, Hand
from domino_rules.tile import DOUBLE_SIX, Tile, parse_tiles

S = TypeVar("S", bound=GameState)

FOUR = {
    "A": "5-4 6-5 5-1 4-1 4-4 1-0 5-0",
    "B": "4-3 2-2 3-1 6-2 5-2 0-0 6-6",
    "C": "1-1 6-3 6-0 6-1 5-3 3-2 4-2",
    "D": "3-0 2-1 2-0 6-4 5-5 3-3 4-0",
}
"""Four hands of seven; B holds 6-6."""

FOUR_PLAYED = (
    "B:6-6 C:6-3L D:3-0L A:5-0L B:6-2R C:3-2R D:5-5L A:6-5L B:4-3R C:4-2R D:2-1R A:4-1R B C:6-1L D:6-4R A:1-0L B:0-0L "
    "C:6-0L D A B C"
)
"""A whole hand with these deals; it ends by a block that BD win with 60 pips left."""


def told(hands: dict[str, str], stock: str | int | Iterable[Tile] = ()) -> Deal:
    """Return a deal; a hand written as a number is hidden, a stock written as a number unseen."""
    dealt = {
        player: Hand.hidden(int(text)) if text.isdecimal() else Hand.of(parse_tiles(text))
        for player, text in hands.items()
    }
    if isinstance(stock, int):
        return Deal(dealt, (None,) * stock)
    return Deal(dealt, parse_tiles(stock) if isinstance(stock, str) else tuple(stock))


def rest(hands: dict[str, str]) -> tuple[Tile, ...]:
    """Return the tiles that are in no hand."""
    return DOUBLE_SIX.without(tile for text in hands.values() for tile in parse_tiles(text))


def moves(text: str) -> list[Move]:
    """Return the moves written like `B:6-6 C:6-3L D A+5-0`: lead, play at an end, pass, draw."""
    return [_move(word) for word in text.split()]


def _move(word: str) -> Move:
    if "+" in word:
        player, _, tile = word.partition("+")
        return Draw(player, Tile.parse(tile) if tile else None)
    player, _, play = word.partition(":")
    if not play:
        return Pass(player)
    if play[-1].isdecimal():
        return Play(player, Tile.parse(play), Arm.START)
    return Play(player, Tile.parse(play[:-1]), Arm(play[-1]))


def played(state: S, made: str | Iterable[Move]) -> S:
    """Return the state after the moves."""
    for move in moves(made) if isinstance(made, str) else made:
        state = state.apply(move)
    return state


def playout(game: Game, state: ChainState, random: Random) -> Iterator[ChainState]:
    """Play a hand at random; yield every state from the first to the last."""
    yield state
    while state.result is None:
        state = state.apply(random.choice(tuple(state.legal_moves)))
        yield state


def universe(players: Iterable[str]) -> list[Move]:
    """Return every move that could be thought of: all tiles at all arms, draws, passes, and moves of other games."""
    found: list[Move] = [Close("A")]
    for player in (*players, "nobody"):
        found += [Play(player, tile, arm) for tile in DOUBLE_SIX for arm in Arm]
        found += [Draw(player), Pass(player), Draw(player, Tile(9, 9)), Play(player, Tile(9, 1), Arm.LEFT)]
        found += [Draw(player, tile) for tile in DOUBLE_SIX]
    return found
