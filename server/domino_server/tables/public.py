"""The public side of a table as a pure function of its match: nothing here can hold what a player hides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from domino_rules.errors import DominoError
from domino_rules.explain import FALLBACKS, catalogue, explain, find_language
from domino_rules.games.bingo_state import BingoState
from domino_rules.games.chain import ChainState
from domino_rules.games.cincos_state import CincosState
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.match import Match
from domino_rules.moves import Draw, Move, Stood
from domino_rules.notation import format_move
from domino_rules.record import MoveRecord
from domino_rules.record_replay import CALLED
from domino_rules.score import ScoreEvent
from domino_rules.state import GameState
from domino_rules.tile import Tile
from domino_server.referee.events import Pause
from domino_server.referee.sight import Kind, Sight
from domino_server.tables.open_tiles import open_tiles
from domino_server.tables.states import AlertRow, EndState, HandRow, LayoutState, MoveRow, PauseState

EARNED: Final = CALLED | {"capture"}
"""Reasons of scores that belong to a move, not to the end of the hand."""
_IN_PLAY: Final = frozenset({Kind.LAYOUT, Kind.TALON, Kind.TRICK, Kind.TRUMP})
_TARGETS: Final[Mapping[str, str]] = {"pincset": "target", "cincos": "target", "bingo": "sets_to_win"}

Times = Mapping[tuple[int, int], str]
"""When a move was committed, ISO 8601, by hand and number."""


@dataclass(frozen=True, slots=True)
class Played:
    """What is committed at a table, and what is said about it.

    Attributes:
        match: the match as committed.
        moves: the moves of the hand in progress, with how each is known.
        pause: why the game waits.
        times: when moves were committed.
        alerts: illegal plays of the hand in progress.
        lying: tiles that were seen to lie in play, beside those that were committed.
        laid: the hand with the line of play as it lies, also where a question is open who laid it; None for that of
            the match.
    """

    match: Match
    moves: Sequence[MoveRecord] = ()
    pause: Pause | None = None
    times: Times = field(default_factory=dict)
    alerts: Sequence[AlertRow] = ()
    lying: frozenset[Tile] = frozenset()
    laid: ChainState | None = None


def open_move(move: Move) -> Move:
    """Return a move without what only its player may know: the tile that he drew."""
    return Draw(move.player) if isinstance(move, Draw) else move


def open_text(move: Move) -> str:
    """Return a move as everybody may read it."""
    return format_move(open_move(move))


def facts(played: Played, lang: str) -> dict[str, Any]:
    """Return the fields of a `TableState` that follow from what was played."""
    match = played.match
    state = match.state
    return {
        "sides": {side: list(players) for side, players in match.sides.items()},
        "hand": len(match.hands),
        "to_move": None if state is None or match.hand_over else state.to_move,
        "target": target(match),
        "layout": layout_of(played.laid or state),
        "board": board_of(state),
        "totals": dict(match.totals),
        "winner": match.winner,
        "moves": move_rows(played),
        "hands": hand_rows(match),
        "pause": None if played.pause is None else pause_of(played, played.pause, lang),
        "alerts": list(played.alerts),
    }


def target(match: Match) -> int | None:
    """Return what wins the match, in the unit of its totals; None where there is no such number."""
    option = _TARGETS.get(match.game.name)
    return None if option is None else int(match.rules[option])


def layout_of(state: GameState | None) -> LayoutState | None:
    """Return the line of play; None in games without one."""
    if not isinstance(state, ChainState):
        return None
    ends = [EndState(arm=end.arm.value, pips=end.pips, count=end.count) for end in state.layout.open_ends]
    return LayoutState(text=str(state.layout), ends=ends, count=state.count if isinstance(state, CincosState) else None)


def board_of(state: GameState | None) -> dict[str, Any] | None:
    """Return what lies open in games without a line of play; None in the others."""
    if isinstance(state, BingoState):
        return _bingo(state)
    if isinstance(state, TiuUState):
        return {
            "talon": [str(tile) for tile in state.talon],
            "stock": len(state.stock),
            "stacks": [str(tile) for tile in state.stock.kinds],
            "piles": {player: len(tiles) for player, tiles in state.captured.items()},
            "points": dict(state.finals),
        }
    return None


def _bingo(state: BingoState) -> dict[str, Any]:
    up = state.stock.stacks[-1] if state.stock.stacks and state.closing is None else ()
    lead = state.lead
    return {
        "trump": state.trump,
        "trump_tile": str(up[0]) if up else None,
        "lead": None if lead is None else {"player": lead.player, "tile": str(lead.tile), "declared": lead.declare},
        "trick": [str(tile) for tile in state.tricks[-1].tiles] if state.tricks and lead is None else [],
        "tricks": {player: sum(trick.taker == player for trick in state.tricks) for player in state.players},
        "stock": len(state.stock),
        "phase": state.phase,
        "points": dict(state.points),
        "closed": None if state.closing is None else state.closing.player,
    }


def move_rows(played: Played) -> list[MoveRow]:
    """Return the moves of the hand in progress with what each earned."""
    number = len(played.match.hands)
    points = _earned(played)
    return [
        MoveRow(
            number=n,
            hand=number,
            player=record.move.player,
            text=open_text(record.move),
            known=record.source.value,
            points=points[n - 1] if n <= len(points) else 0,
            at=played.times.get((number, n)),
        )
        for n, record in enumerate(played.moves, 1)
    ]


def _earned(played: Played) -> list[int]:
    """Return the points that each move of the hand in progress earned; as far as it can be played again."""
    hands = played.match.hands
    if not hands or hands[-1].deal is None or not played.moves:
        return []
    found: list[int] = []
    try:
        state = played.match.game.start(hands[-1].deal, played.match.rules, hands[-1].context)
        for record in played.moves:
            move, before = record.move, len(state.events)
            state = state.let_stand(move) if isinstance(move, Stood) else state.apply(move)
            found.append(earned(state.events[before:]))
    except DominoError:  # a told score may have ended the hand elsewhere: the moves stand, their points are not known
        return found
    return found


def earned(events: Sequence[ScoreEvent]) -> int:
    """Return the points among scores that a move itself earned."""
    return sum(event.points for event in events if event.reason in EARNED)


def hand_rows(match: Match) -> list[HandRow]:
    """Return the hands that are over, with running totals."""
    rows: list[HandRow] = []
    totals = dict.fromkeys(match.sides, 0)
    for number, hand in enumerate(match.hands, 1):
        result = hand.result
        if result is None:
            continue
        points = dict.fromkeys(match.sides, 0)
        for event in result.events:
            if event.unit == match.game.unit:
                points[event.side] = points.get(event.side, 0) + event.points
        before = {**totals, **hand.context.totals} if hand.context.totals else totals
        totals = {side: before.get(side, 0) + points[side] for side in points}
        rows.append(
            HandRow(
                number=number,
                winner=result.side,
                points=points,
                totals=dict(totals),
                reason=result.kind,
                pending=result.pending,
            )
        )
    return rows


def pause_of(played: Played, pause: Pause, lang: str) -> PauseState:
    """Return why the game waits; of the tiles in question those that everybody can see, or has seen."""
    seen = played.lying | set(open_tiles(played.match.state))
    expects = [str(tile) for tile in pause.expects if tile in seen]
    return PauseState(code=pause.code, expects=expects, text=text_of("pause", pause.code, lang))


def in_play(sight: Sight | None) -> frozenset[Tile]:
    """Return the tiles that a sight shows in play: in the line, the trick, on the talon, turned up as trump."""
    if sight is None:
        return frozenset()
    return frozenset(seen.tile for seen in sight.tiles if seen.tile is not None and seen.place.kind in _IN_PLAY)


def text_of(section: str, code: str, lang: str, **params: Any) -> str:
    """Return a code of a section as a sentence; in plain words if no catalogue has it."""
    known = catalogue(find_language(lang))
    full = f"{section}.{code}"
    if any(f"{each}.{code}" in known for each in (section, *FALLBACKS.get(section, ()))):
        return explain(full, params, lang)
    return code.replace("_", " ")
