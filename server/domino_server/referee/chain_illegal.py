"""What speaks against a tile in the line of play that no legal order explains: an illegal play, or a misreading."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from domino_rules.errors import IllegalMoveError
from domino_rules.games.chain import ChainState
from domino_rules.layout import Arm
from domino_rules.moves import Draw, Pass, Play, Stood
from domino_rules.notation import BESIDE
from domino_rules.record import BY_TURN_ALONE, MoveRecord
from domino_rules.state import refusal
from domino_rules.tile import Tile
from domino_server.referee.chain_line import Attached, Line, attach, first_play
from domino_server.referee.chain_search import Evidence, may_pass
from domino_server.referee.events import Choice, IllegalPlay, Pause, Question
from domino_server.referee.reader import Explained, Path, inferred, seen
from domino_server.referee.sight import Reading

SURELY_ILLEGAL: Final = 0.95
"""From these odds on an illegal play is reported without asking whether it is a misreading."""


def diagnose(line: Line, stuck: tuple[Path, dict[Tile, int], tuple[int, ...]], evidence: Evidence) -> Explained:
    """Return what is wrong with the tiles that could not be laid, after the moves that could be made."""
    path, at, left = stuck
    assert isinstance(path.state, ChainState)  # noqa: S101 - the search is for lines of play
    if path.state.result is not None:
        return Explained((path,), pause=Pause("hand_over", tuple(line.tile(i) for i in left)))
    for index in left:
        if not path.state.layout or attach(path.state.layout, line, at, index) is not None:
            path = _with_draws(turn_of_actor(path, evidence), evidence)
            return _diagnosed(line, path, at, index, evidence)
    return Explained((path,), pause=Pause("not_joined", tuple(line.tile(i) for i in left)))


def _diagnosed(line: Line, path: Path, at: dict[Tile, int], index: int, evidence: Evidence) -> Explained:
    state = path.state
    assert isinstance(state, ChainState)  # noqa: S101 - the search is for lines of play
    code, joined = _wrong(state, line, at, index, evidence)
    odds, others = _odds(state, line, at, index, joined)
    tile = line.tile(index)
    params = {} if joined is None else {"arm": _place(joined), "pips": _wanted(state, joined)}
    player = _player(state, evidence, code)
    if code == "must_lead":
        params = {"tiles": _leads(state, first_play(player or "", line.seen(index)))}
    touched = (index, None if joined is None else joined.neighbour)
    crops = tuple(line.seen(i).quad_px for i in touched if i is not None)
    known_odds = None if code == "arm_closed" and not others else odds
    illegal = IllegalPlay(code, player, tile, known_odds, crops, params)
    pause = Pause("illegal_play", (tile,), {"code": code, "player": player})
    known = player in evidence.actors or not may_pass(state, 0)
    stands = _standing(state, line, index, joined, player, known=known)
    if odds >= SURELY_ILLEGAL or not others:
        return Explained((path,), pause=pause, illegal=illegal, stands=stands)
    return Explained((path,), pause=pause, question=_question(illegal, odds, others), stands=stands)


def _leads(state: ChainState, play: Play) -> list[str]:
    """Return the tiles of which one has to open the line."""
    try:
        state.apply(play)
    except IllegalMoveError as error:
        return list(error.params.get("tiles", ()))
    return []


def _place(joined: Attached) -> str:
    """Return where the tile lies, as the record names it."""
    return BESIDE if joined.beside else joined.arm.value


def _wanted(state: ChainState, joined: Attached) -> int:
    """Return the pips that the end wants; those of the tile where there is no such end."""
    return next((end.pips for end in state.layout.open_ends if end.arm is joined.arm), joined.inner)


def _standing(
    state: ChainState, line: Line, index: int, joined: Attached | None, player: str | None, *, known: bool
) -> MoveRecord | None:
    """Return the play as it lies, by a player who is `known` or has the turn; None if it can be in no record."""
    tile, name = line.tile(index), player or ""
    if not state.layout:
        move = Stood(first_play(name, line.seen(index)))
    elif joined is None:
        return None
    elif joined.beside:
        move = Stood(Play(name, tile, Arm.RIGHT))
    else:
        move = Stood(Play(name, tile, joined.arm), joined.inner)
    try:
        state.let_stand(move)
    except IllegalMoveError:
        return None
    return seen(move, None if known else BY_TURN_ALONE)


def turn_of_actor(path: Path, evidence: Evidence) -> Path:
    """Return the path after the passes that lie between the player to move and the one whose hand was seen."""
    state, moves = path.state, path.moves
    assert isinstance(state, ChainState)  # noqa: S101 - the search is for lines of play
    if not evidence.actors or not state.layout:
        return path
    for _ in state.players:
        player = state.to_move
        if player is None or player in evidence.actors:
            return Path(moves, state, path.weight)
        try:
            state = state.apply(Pass(player))
        except IllegalMoveError:
            return path
        moves = (*moves, inferred(Pass(player), "later_seat_moved"))
    return path


def _with_draws(path: Path, evidence: Evidence) -> Path:
    """Return the path after the draws that were seen: he who laid the tile drew before."""
    state, moves = path.state, path.moves
    assert isinstance(state, ChainState)  # noqa: S101 - the search is for lines of play
    left = (evidence.draws or 0) - sum(isinstance(record.move, Draw) for record in moves)
    for _ in range(left if state.layout and state.to_move is not None else 0):
        try:
            state = state.apply(Draw(state.to_move or ""))
        except IllegalMoveError:
            return path
        moves = (*moves, seen(Draw(state.to_move or "")))
    return Path(moves, state, path.weight)


def _player(state: ChainState, evidence: Evidence, code: str) -> str | None:
    if code in {"not_your_turn", "must_lead"} and evidence.actors:
        return evidence.actors[-1]
    return state.to_move or next(iter(evidence.actors), None) or next(iter(state.openers), None)


def _wrong(
    state: ChainState, line: Line, at: dict[Tile, int], index: int, evidence: Evidence
) -> tuple[str, Attached | None]:
    """Return the reason why a tile may not lie where it lies."""
    tile = line.tile(index)
    if not state.layout:
        player = next((seat for seat in evidence.actors), next(iter(state.openers), state.to_move or ""))
        return refusal(state, first_play(player, line.seen(index))) or "must_lead", None
    joined = attach(state.layout, line, at, index)
    if joined is None or joined.problem is not None:
        return (joined.problem if joined is not None else None) or "arm_closed", joined
    code = refusal(state, Play(state.to_move or "", tile, joined.arm))
    if code is None and not evidence.may_have_acted(state.to_move):
        code = "not_your_turn"
    return (code or "not_your_turn"), joined


def _odds(
    state: ChainState, line: Line, at: dict[Tile, int], index: int, joined: Attached | None
) -> tuple[float, list[Reading]]:
    """Return how likely it is that the play is illegal, and the readings that would make it legal."""
    shown = line.seen(index)
    legal = [other for other in shown.others if _would_fit(state, line, at, index, other)]
    if joined is not None and joined.neighbour is not None:
        pair = (min(index, joined.neighbour), max(index, joined.neighbour))
        if pair in line.sight.match_p:
            return 1.0 - line.sight.match_p[pair], legal
    share = sum(other.p for other in legal)
    return (shown.confidence / (shown.confidence + share) if share else 1.0), legal


def _would_fit(state: ChainState, line: Line, at: dict[Tile, int], index: int, other: Reading) -> bool:
    read = replace(line, sight=line.sight.read_as(index, other.halves))
    if read.tile(index) in state.layout:
        return False
    if not state.layout:
        return any(refusal(state, first_play(player, read.seen(index))) is None for player in state.openers)
    joined = attach(state.layout, read, at, index)
    if joined is None or not joined.is_legal:
        return False
    return refusal(state, Play(state.to_move or "", read.tile(index), joined.arm)) is None


def _question(illegal: IllegalPlay, odds: float, others: list[Reading]) -> Question:
    total = sum(other.p for other in others) or 1.0
    choices = [
        Choice(f"as:{Tile(*other.halves)}", f"{Tile(*other.halves)}", (1 - odds) * other.p / total, {"legal": True})
        for other in others
    ]
    choices.append(Choice("illegal", f"{illegal.tile} {illegal.code}", odds, {"legal": False}))
    tiles = () if illegal.tile is None else (illegal.tile,)
    params = {"code": illegal.code, "player": illegal.player, **illegal.params}
    return Question("misread_or_illegal", tuple(choices), tiles, illegal.crops, params)
