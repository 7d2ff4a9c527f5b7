"""Plays against the rules of games with a line of play that are planted in films."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domino_rules.games.chain import ChainState
from domino_rules.layout import MAIN_LINE, SPINNER_ARMS, Arm, Layout
from domino_rules.moves import Draw, Move, Pass, Play, Stood, plain
from domino_rules.record_replay import CALLED
from domino_rules.state import GameState
from domino_rules.tile import DOUBLE_SIX, Tile

HIDDEN = frozenset({"illegal_pass", "illegal_draw"})
"""Kinds that show only by what is laid later."""
CODES = {"illegal_join": "no_match"}
"""Why the rules refuse a kind, where that is called otherwise."""


def wrong_tiles(state: ChainState) -> Iterator[tuple[Stood, str]]:
    """Yield tiles that do not match, on arms that are closed, and at the ends of doubles that are no spinner.

    None once the table proves that nobody can play: that ends the hand, and what is laid then belongs to no turn.
    """
    player = state.to_move
    hand = None if player is None else state.hands[player]
    if player is None or hand is None or hand.size < 2 or not state.layout or state.layout.exhausts(DOUBLE_SIX):
        return
    for tile in hand.known:
        if not tile.is_double:
            yield from _wrong_places(state, player, tile)


def asked_for(state: ChainState) -> Iterator[tuple[Move, str]]:
    """Yield what is planted only if it is asked for, and as what: of each kind (`plays.ALSO`) all that can be done."""
    player = state.to_move
    if player is None or len(state.layout) < 2 or state.layout.exhausts(DOUBLE_SIX):
        return
    yield from _put_right(state, player)
    if state.boneyard:
        yield from _out_of_turn(state, player)
    yield from _later(state, player)
    yield from _called_wrongly(state)
    yield from ((move, "illegal_join") for move, code in wrong_tiles(state) if fits_nowhere(state, move, code))


def fits_nowhere(state: GameState, move: Move, code: str) -> bool:
    """Return whether a tile that was laid where it does not match matches no end."""
    laid = plain(move)
    if code != "no_match" or not isinstance(state, ChainState) or not isinstance(laid, Play):
        return False
    return not state.layout.fits(laid.tile)


def _put_right(state: ChainState, player: str) -> Iterator[tuple[Move, str]]:
    """Yield legal plays that are taken back, and tiles that lie there already, laid once more where they match."""
    others = state.legal_moves
    for move in others:
        if isinstance(move, Play) and any(getattr(other, "tile", move.tile) is not move.tile for other in others):
            yield move, "taken_back"
    for placement in state.layout:
        for end in state.layout.open_ends:
            if not placement.tile.is_double and end.pips in placement.tile:
                yield Stood(Play(player, placement.tile, end.arm), end.pips), "tile_twice"


def _out_of_turn(state: ChainState, player: str) -> Iterator[tuple[Move, str]]:
    """Yield tiles that others lay where they match, while the player to move has neither laid nor drawn."""
    if state.moves and isinstance(state.moves[-1], Draw):
        return
    for other in state.players:
        if other != player and state.hands[other].size > 1:
            for tile in state.hands[other].known:
                for end in state.layout.open_ends:
                    if end.pips in tile:
                        yield Stood(Play(other, tile, end.arm), end.pips), "not_your_turn"


def _later(state: ChainState, player: str) -> Iterator[tuple[Move, str]]:
    """Yield a pass or a draw of a player who holds tiles that fit: of who draws two, for one may be the tile drawn."""
    fitting = held_fitting(state, player)
    if state.boneyard and len(fitting) > 1 and not isinstance(state.moves[-1], Draw):
        yield Draw(player), "illegal_draw"
    elif not state.boneyard and fitting and state.hands[player].size > 1:
        yield Pass(player), "illegal_pass"


def held_fitting(state: ChainState, player: str) -> tuple[Tile, ...]:
    """Return the tiles of a player that fit."""
    return tuple(tile for tile in state.hands[player].known if state.layout.fits(tile))


def _called_wrongly(state: ChainState) -> Iterator[tuple[Move, str]]:
    """Yield legal plays for which points are called that they do not make."""
    if state.layout.with_spinner:
        for move in state.legal_moves:
            if isinstance(move, Play) and state.apply(move).result is None:
                yield move, "points_wrong"


def points_of(before: GameState, after: GameState) -> int:
    """Return the points that are called for a play."""
    return sum(event.points for event in after.events[len(before.events) :] if event.reason in CALLED)


def _wrong_places(state: ChainState, player: str, tile: Tile) -> Iterator[tuple[Stood, str]]:
    layout = state.layout
    ends = {end.arm: end.pips for end in layout.open_ends}
    for arm in MAIN_LINE:
        if ends[arm] not in tile:
            yield from ((Stood(Play(player, tile, arm), half), "no_match") for half in tile.halves)
    spinner = layout.spinner
    if spinner is not None and not layout.arms_open and spinner.outer in tile and len(layout) > 1:
        yield from ((Stood(Play(player, tile, a), spinner.outer), "arm_closed") for a in SPINNER_ARMS if a not in ends)
    if not layout.with_spinner and inside_double(layout, tile) is not None:
        yield Stood(Play(player, tile, Arm.RIGHT), None), "arm_closed"


def inside_double(layout: Layout, tile: Tile) -> int | None:
    """Return the number of a double inside a line that a tile could be laid against; None if there is none."""
    tips = {tip.tile for arm in MAIN_LINE if (tip := layout.tip(arm)) is not None}
    inside = [p.tile.high for p in layout if p.tile.is_double and p.tile not in tips and p.tile.high in tile]
    return inside[0] if inside else None


def proof(fitting: Sequence[Tile], later: Sequence[tuple[Tile | None, bool]]) -> Tile | None:
    """Return the tile that proves a pass or a draw against the rules as soon as it is seen; None if none ever does.

    Whatever was drawn is seen only when it is laid: more tiles that fitted than were drawn prove that one was held.

    Args:
        fitting: all tiles that fitted then and did not lie there.
        later: what the player did from then on, the draw itself included: a draw (None, True), or a tile that he laid
            or showed.
    """
    drawn = seen = 0
    for tile, draws in later:
        drawn += draws
        seen += tile in fitting
        if seen > drawn:
            return tile
    return None
