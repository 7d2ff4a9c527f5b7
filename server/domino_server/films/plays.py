"""Hands that players play who pick among their legal moves by chance, with plays against the rules planted in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from domino_rules.games.bingo_state import BingoState
from domino_rules.games.chain import ChainState
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.layout import MAIN_LINE, SPINNER_ARMS, Arm, Layout
from domino_rules.match import Match
from domino_rules.moves import Draw, Lead, Move, Pass, Play, Reply, Stood, Turn, plain
from domino_rules.state import GameState
from domino_rules.tile import DOUBLE_SIX, Tile
from domino_server.films.wrong_pairs import wrong_pairs
from domino_server.films.wrong_tricks import REVOKES, witnesses, wrong_tricks

_FIRST: Final = 4
_LAST: Final = 18
"""Illegal plays are planted among these tiles of a hand."""
_MOST_MOVES: Final = 400
_CALLS: Final = 0.5
"""How often somebody calls the doubles that he holds."""
ALSO: Final = frozenset({"taken_back", "tile_twice"})
"""Kinds that can be asked for besides (see `Plants.also`)."""


_PUT_RIGHT: Final = ALSO | {"false_declaration"}
"""Kinds that never stand: of a call that cannot be true nothing is counted."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a hand that is to be filmed.

    Attributes:
        move: what is done.
        before: the hand before it.
        after: the hand behind it; as before if it was undone.
        code: why the rules refuse it; None for a legal move.
        undone: whether it is put right at once, and is no move of the record.
        shown_by: tiles of which the player must lay one before the table shows that it was against the rules; none if
            it shows at once.
    """

    move: Move
    before: GameState
    after: GameState
    code: str | None = None
    undone: bool = False
    shown_by: tuple[Tile, ...] = ()


@dataclass(slots=True)
class Plants:
    """How many plays against the rules are still to be planted in a hand, and from which tile on.

    Attributes:
        due: by how many tiles laid each is due, rising.
        also: kinds at lines of play that are planted only if they are named here: `taken_back` (a tile that was laid by
            the rules is taken up again, and another one laid) and `tile_twice` (a tile of another
            set). Both are always put right.
    """

    due: list[int]
    also: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def drawn(cls, count: int, random: Random, also: frozenset[str] = frozenset()) -> Plants:
        """Return `count` places drawn by chance."""
        return cls(sorted(random.sample(range(_FIRST, _LAST), count)), also)

    def taken(self, laid: int) -> bool:
        """Return whether one is due now, with so many tiles laid."""
        return bool(self.due) and laid >= self.due[0]


def play_hand(
    match: Match, random: Random, plants: Plants, *, stands: bool | None = None
) -> tuple[Match, tuple[Step, ...]]:
    """Play the hand in progress to its end.

    Args:
        match: with a hand in progress, all tiles known.
        random: picks the moves.
        plants: plays against the rules to be made.
        stands: whether these are let stand; None for either, by chance.

    Returns:
        The match, and what was done, undone plays included.
    """
    steps: list[Step] = []
    laid = 0
    while not match.hand_over and len(steps) < _MOST_MOVES:
        state = match.state
        assert state is not None  # noqa: S101 - a hand is in progress
        if plants.taken(laid):
            planted = _planted(state, random, plants.also, stands=stands)
            if planted is not None:
                plants.due.pop(0)
                move, code = planted
                undone = code in _PUT_RIGHT or (
                    not _only_stands(move, code) and (random.random() < 0.5 if stands is None else not stands)
                )
                if undone or not isinstance(move, Stood):
                    steps.append(Step(move, state, state, code, undone=True))
                else:
                    match = match.let_stand(move)
                    steps.append(Step(move, state, match.state or state, code, shown_by=_shown_by(state, move, code)))
                    laid += 1
                    continue
        choice = _choice(state, random, steps)
        match = match.play(choice)
        steps.append(Step(choice, state, match.state or state))
        laid += not isinstance(choice, Pass | Draw)
    return match, tuple(steps)


def _choice(state: GameState, random: Random, steps: list[Step]) -> Move:
    """Return a legal move; a stock tile that was left lying takes its mate. Who lays a double may call his doubles."""
    every = list(state.legal_moves)
    moves = [move for move in every if getattr(move, "declare", None) is None]
    last = steps[-1] if steps else None
    if last is not None and last.undone and isinstance(last.move, Stood) and isinstance(last.move.move, Turn):
        moves = [move for move in moves if getattr(move, "tile", None) is last.move.tile]
    if last is not None and last.undone and last.code == "false_declaration":
        return next(move for move in moves if getattr(move, "tile", None) is getattr(plain(last.move), "tile", None))
    if last is not None and last.undone and isinstance(last.move, Play):
        moves = [move for move in moves if getattr(move, "tile", None) is not last.move.tile]
    chosen = random.choice(moves)
    calls = [move for move in every if isinstance(move, Lead | Reply) and move.tile is getattr(chosen, "tile", None)]
    return calls[-1] if len(calls) > 1 and random.random() < _CALLS else chosen


def _planted(state: GameState, random: Random, also: frozenset[str], *, stands: bool | None) -> tuple[Move, str] | None:
    """Return a play against the rules that the table shows, and why the rules refuse it; None if there is none now."""
    options: list[tuple[Move, str]] = [
        (move, code)
        for move, code in _options(state)
        if not (stands is False and _only_stands(move, code)) and not (stands is True and code in _PUT_RIGHT)
    ]
    if also and isinstance(state, ChainState):
        options += [option for option in _undone_only(state) if option[1] in also]
    random.shuffle(options)
    kinds = sorted({code for _, code in options})
    if not kinds:
        return None
    kind = random.choice(kinds)
    return next(option for option in options if option[1] == kind)


def _only_stands(move: Move, code: str) -> bool:
    """Return whether a play against the rules, once put right at once, would be none."""
    wrong = move.move if isinstance(move, Stood) else move
    return code in REVOKES or (isinstance(wrong, Turn) and wrong.take is not None)


def _shown_by(state: GameState, move: Stood, code: str) -> tuple[Tile, ...]:
    if isinstance(state, BingoState) and isinstance(move.move, Reply) and code in REVOKES:
        return witnesses(state, move.move)
    return ()


def _options(state: GameState) -> Iterator[tuple[Stood, str]]:
    if isinstance(state, ChainState):
        yield from _wrong_tiles(state)
    elif isinstance(state, BingoState):
        yield from wrong_tricks(state)
    elif isinstance(state, TiuUState):
        yield from wrong_pairs(state)


def _wrong_tiles(state: ChainState) -> Iterator[tuple[Stood, str]]:
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


def _undone_only(state: ChainState) -> Iterator[tuple[Move, str]]:
    """Yield legal plays that are taken back, and tiles that lie there already, laid once more where they match."""
    player, layout = state.to_move, state.layout
    if player is None or len(layout) < 2 or layout.exhausts(DOUBLE_SIX):
        return
    others = state.legal_moves
    for move in others:
        if isinstance(move, Play) and any(getattr(other, "tile", move.tile) is not move.tile for other in others):
            yield move, "taken_back"
    for placement in layout:
        for end in layout.open_ends:
            if not placement.tile.is_double and end.pips in placement.tile:
                yield Stood(Play(player, placement.tile, end.arm), end.pips), "tile_twice"


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
