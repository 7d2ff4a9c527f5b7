"""Plays against the rules of Bingo that are planted in films."""

from __future__ import annotations

from collections.abc import Iterator

from domino_rules.games.bingo_rules import DECLARATIONS
from domino_rules.games.bingo_state import BingoState
from domino_rules.moves import Draw, Lead, Move, Reply, Stood
from domino_rules.state import refusal
from domino_rules.tile import DOUBLE_SIX, Tile

REVOKES = frozenset({"must_match", "must_trump"})
NOT_DUE = "move_not_due"


def wrong_tricks(state: BingoState) -> Iterator[tuple[Stood, str]]:
    """Yield tricks that the wrong player carries off, replies that break a duty, wrong leads and false calls."""
    if state.due:
        return
    if state.lead is not None:
        yield from _taken_wrongly(state)
        yield from _revokes(state)
    elif state.tricks:
        other = state.other(state.turn)
        for tile in state.hands[other].known:
            yield Stood(Lead(other, tile)), "not_your_turn"
    yield from _false_calls(state)


def drawn_out_of_place(state: BingoState) -> Iterator[tuple[Move, str]]:
    """Yield draws while a tile is to be laid, of players who put the tile back."""
    if not state.due and state.stock.face_down:
        yield from ((Draw(player), NOT_DUE) for player in state.players)


def witnesses(state: BingoState, reply: Reply) -> tuple[Tile, ...]:
    """Return the tiles of the hand with any of which the reply was to be made instead."""
    hand = state.hands[reply.player].known
    return tuple(tile for tile in hand if tile is not reply.tile and refusal(state, Reply(reply.player, tile)) is None)


def _taken_wrongly(state: BingoState) -> Iterator[tuple[Stood, str]]:
    for move in state.legal_moves:
        if isinstance(move, Reply) and move.declare is None:
            after = state.apply(move)
            if after.result is None:
                yield Stood(move, None, state.other(after.taker or "")), "wrong_taker"


def _revokes(state: BingoState) -> Iterator[tuple[Stood, str]]:
    for tile in state.hands[state.turn].known:
        code = refusal(state, Reply(state.turn, tile))
        if code in REVOKES:
            yield Stood(Reply(state.turn, tile)), code


def _false_calls(state: BingoState) -> Iterator[tuple[Stood, str]]:
    """Yield calls of more doubles than are still out, so that everybody at the table can know that they are false."""
    kind = Lead if state.lead is None else Reply
    if kind is Reply and state.rules["declare_when"] == "lead_only":
        return
    lying = {tile for trick in state.tricks for tile in trick.tiles} | {
        tile for pile in state.stock.stacks for tile in pile
    }
    out = sum(tile.is_double and tile not in lying and tile is not _led(state) for tile in DOUBLE_SIX.kinds)
    for tile in state.hands[state.turn].known:
        if tile.is_double and refusal(state, kind(state.turn, tile)) is None:
            yield from (
                (Stood(kind(state.turn, tile, called)), "false_declaration") for called in DECLARATIONS if called > out
            )


def _led(state: BingoState) -> Tile | None:
    return None if state.lead is None else state.lead.tile
