"""What a player may do with his hand, and what it would score. For his eyes only."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from domino_rules.errors import DominoError, SetupError
from domino_rules.games.chain import ChainState
from domino_rules.games.cincos import scored_plays
from domino_rules.games.cincos_state import CincosState
from domino_rules.match import Match
from domino_rules.moves import Draw, Move, Pass, Play
from domino_rules.notation import format_move
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_server.tables.public import EARNED
from domino_server.tile_checks import check_hand


class Advised(BaseModel):
    """A play with what it would score."""

    tile: str
    arm: str | None = None
    text: str
    points: int = 0
    count: int | None = None


class Advice(BaseModel):
    """What a player may do."""

    hand: list[str]
    plays: list[Advised]
    must_draw: bool = False
    may_pass: bool = Field(default=False, serialization_alias="pass")
    turn: bool = Field(description="whether it is the player's turn; otherwise the plays are what he could do now")
    text: str = ""


def advise(match: Match, player: str, hand: Sequence[Tile]) -> Advice:
    """Return what a player may do.

    Args:
        match: as committed.
        player: whose hand it is.
        hand: his tiles.

    Raises:
        SetupError: `no_hand` if none is in progress, `inconsistent_state` if he cannot hold these tiles, `players`,
            `not_in_set`, `hand_duplicate`.
    """
    state = match.state
    if player not in match.seats:
        raise SetupError("players", f"{player} is not among {', '.join(match.seats)}", player=player)
    check_hand(hand, match.game.tile_set)
    if state is None or match.hand_over:
        raise SetupError("no_hand", "no hand is in progress")
    if state.to_move == player:
        return _own_turn(match, state, player, hand)
    plays = _fitting(state, player, hand) if isinstance(state, ChainState) else []
    return Advice(hand=_texts(hand), plays=plays, turn=False, text=f"{state.to_move or 'nobody'} to move")


def _own_turn(match: Match, state: GameState, player: str, hand: Sequence[Tile]) -> Advice:
    side = next((name for name, players in match.sides.items() if player in players), player)
    held = state.reveal(player, hand)
    moves = [move for move in held.legal_moves if move.player == player]
    plays = [_advised(held, move, side) for move in moves if not isinstance(move, Draw | Pass)]
    return Advice(
        hand=_texts(hand),
        plays=sorted(plays, key=lambda play: -play.points),
        must_draw=not plays and any(isinstance(move, Draw) for move in moves),
        may_pass=any(isinstance(move, Pass) for move in moves),
        turn=True,
    )


def _advised(state: GameState, move: Move, side: str) -> Advised:
    tile = getattr(move, "tile", None)
    found = Advised(
        tile=str(tile) if tile is not None else "",
        arm=move.arm.value if isinstance(move, Play) else None,
        text=format_move(move),
    )
    try:
        after = state.apply(move)
    except DominoError:  # a reply whose trick depends on a hidden hand, say: legal, its points unknown
        return found
    fresh = after.events[len(state.events) :]
    points = sum(event.points for event in fresh if event.side == side and event.reason in EARNED)
    count = after.count if isinstance(after, CincosState) else None
    return found.model_copy(update={"points": points, "count": count})


def _fitting(state: ChainState, player: str, hand: Sequence[Tile]) -> list[Advised]:
    """Return where tiles fit now, for a player whose turn it is not."""
    if isinstance(state, CincosState):
        scored = scored_plays(state.layout, hand, state.rules)
        return [
            Advised(
                tile=str(play.tile),
                arm=play.arm.value,
                text=format_move(Play(player, play.tile, play.arm)),
                points=play.points,
                count=play.count,
            )
            for play in scored
        ]
    return [
        Advised(tile=str(tile), arm=arm.value, text=format_move(Play(player, tile, arm)))
        for tile in hand
        for arm in state.layout.fits(tile)
    ]


def _texts(hand: Sequence[Tile]) -> list[str]:
    return [str(tile) for tile in hand]
