"""Hands that players play who pick among their legal moves by chance, with plays against the rules planted in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from random import Random
from typing import Final

from domino_rules.games.bingo_state import BingoState
from domino_rules.games.chain import ChainState
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.match import Match
from domino_rules.moves import Capture, Draw, Lead, Move, Pass, Play, Quadruple, Reply, Stood, Triple, Turn, plain
from domino_rules.state import GameState
from domino_rules.tile import DOUBLE_SIX, Tile
from domino_server.films.unseen import AnyUnseen
from domino_server.films.wrong_lines import (
    CODES,
    HIDDEN,
    asked_for,
    fits_nowhere,
    held_fitting,
    points_of,
    proof,
    wrong_tiles,
)
from domino_server.films.wrong_pairs import PASSED_OVER, held_mates, passed_over, wrong_pairs
from domino_server.films.wrong_tricks import NOT_DUE, REVOKES, drawn_out_of_place, witnesses, wrong_tricks

_FIRST: Final = 4
_LAST: Final = 18
"""Illegal plays are planted among these tiles of a hand."""
_MOST_MOVES: Final = 400
_CALLS: Final = 0.5
"""How often somebody calls the doubles that he holds."""
LATER: Final = HIDDEN | {PASSED_OVER}
"""Kinds that show only by what is laid later, so that the rules engine must not know the hands."""
ALSO: Final = frozenset({"taken_back", "tile_twice", "not_your_turn", "points_wrong", "illegal_join", NOT_DUE}) | LATER
"""Kinds that can be asked for besides (see `Plants.also`)."""
_PUT_RIGHT: Final = frozenset({"taken_back", "tile_twice", "false_declaration", NOT_DUE})
"""Kinds that never stand: of a call that cannot be true nothing is counted, and a tile drawn too much is put back."""


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
        called: the points that its player calls; None if he calls none.
    """

    move: Move
    before: GameState
    after: GameState
    code: str | None = None
    undone: bool = False
    shown_by: tuple[Tile, ...] = ()
    called: int | None = None


@dataclass(slots=True)
class Plants:
    """How many plays against the rules are still to be planted in a hand, and from which tile on.

    Attributes:
        due: by how many tiles laid each is due, rising.
        also: kinds that are planted only if they are named here. At lines of play `illegal_join` (a tile that fits
            nowhere); `taken_back` (a tile that was laid by the rules is taken up again, and another one laid) and
            `tile_twice` (a tile of another set), which are always put right; `not_your_turn` while there is something
            to draw; `points_wrong` (then the right points are called too); `illegal_pass` and `illegal_draw`, which
            only later tiles show. In Bingo `move_not_due`, a tile drawn out of place and put back; in Tiu-U
            `passed_over`, a pair not taken, which only a later capture shows. For `LATER` the hand is `Unseen`.
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
    match: Match,
    random: Random,
    plants: Plants,
    *,
    stands: bool | None = None,
    unseen: AnyUnseen | None = None,
) -> tuple[Match, tuple[Step, ...]]:
    """Play the hand in progress to its end.

    Args:
        match: with a hand in progress, all tiles known unless they are `unseen`.
        random: picks the moves.
        plants: plays against the rules to be made.
        stands: whether these are let stand; None for either, by chance.
        unseen: the players' tiles, if the match was dealt without them.

    Returns:
        The match, and what was done, undone plays included.
    """
    steps: list[Step] = []
    laid = 0
    while not match.hand_over and len(steps) < _MOST_MOVES:
        state = _opened(match, unseen)
        if plants.taken(laid):
            planted = _planted(state, random, plants.also, stands=stands)
            if planted is not None and not _refused(match, *planted):
                plants.due.pop(0)
                move, code = planted
                undone = code in _PUT_RIGHT or (
                    isinstance(move, Stood)
                    and not _only_stands(move, code)
                    and (random.random() < 0.5 if stands is None else not stands)
                )
                if undone:
                    steps.append(Step(move, state, state, code, undone=True))
                else:
                    match = _made(match, move, unseen)
                    shown_by = _shown_by(state, move, code)
                    steps.append(Step(move, state, _opened(match, unseen), code, shown_by=shown_by))
                    laid += not isinstance(move, Pass | Draw)
                    continue
        choice = _choice(state, random, steps)
        match = _made(match, choice, unseen)
        steps.append(Step(choice, state, _opened(match, unseen)))
        laid += not isinstance(choice, Pass | Draw)
    if unseen is not None and match.hand_over:
        match = unseen.shown(match)
    calling = "points_wrong" in plants.also
    return match, tuple(
        _called(_proved(step, steps[n:]), random) if calling else _proved(step, steps[n:])
        for n, step in enumerate(steps)
    )


def _opened(match: Match, unseen: AnyUnseen | None) -> GameState:
    """Return the hand with all tiles known."""
    state = match.state
    assert state is not None  # noqa: S101 - a hand is in progress
    return state if unseen is None else unseen.opened(state)


def _refused(match: Match, move: Move, code: str) -> bool:
    """Return whether the table alone shows at once that a pass or a draw is against the rules."""
    return code in LATER and match.state is not None and move not in match.state.legal_moves


def _made(match: Match, move: Move, unseen: AnyUnseen | None) -> Match:
    """Return the match after a move."""
    move = move if unseen is None else unseen.made(move)
    return match.let_stand(move) if isinstance(move, Stood) else match.play(move)


def _proved(step: Step, later: Sequence[Step]) -> Step:
    """Return a pass or draw against the rules with the tile that proves it, or as none if nothing ever does.

    In Tiu-U a later capture proves it, unless tiles were bought before.
    """
    if step.code not in LATER:
        return step
    before, last = step.before, later[-1].after
    player = step.move.player
    own = [other.move for other in later if other.move.player == player and not other.undone]
    if isinstance(before, TiuUState):
        held = takewhile(lambda move: not isinstance(move, Triple | Quadruple), map(plain, own))
        tiles = [move.tile for move in held if isinstance(move, Capture) and move.tile in step.shown_by]
        return replace(step, shown_by=(tiles[0],)) if tiles else replace(step, code=None, shown_by=())
    assert isinstance(before, ChainState)  # noqa: S101 - kinds of its games
    assert isinstance(last, ChainState)  # noqa: S101 - kinds of its games
    done = [(getattr(plain(move), "tile", None), isinstance(move, Draw)) for move in own]
    done = [(None if draws else tile, draws) for tile, draws in done]
    fitting = [tile for tile in DOUBLE_SIX.kinds if tile not in before.layout and before.layout.fits(tile)]
    shown = proof(fitting, [*done, *((tile, False) for tile in last.hands[player].known)])
    return replace(step, code=None) if shown is None else replace(step, shown_by=(shown,))


def _called(step: Step, random: Random) -> Step:
    """Return a step with the points that are called for it: every player calls what his tile makes, or what he says."""
    if step.undone or not isinstance(step.move, Play) or step.after.result is not None:
        return step
    right = points_of(step.before, step.after)
    if step.code == "points_wrong":
        return replace(step, called=random.choice([right + 5, right - 5, 0] if right else [5, 10]))
    return replace(step, called=right) if right else step


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
    chosen = random.choice(_proving(moves, steps) or moves)
    calls = [move for move in every if isinstance(move, Lead | Reply) and move.tile is getattr(chosen, "tile", None)]
    return calls[-1] if len(calls) > 1 and random.random() < _CALLS else chosen


def _proving(moves: Sequence[Move], steps: Sequence[Step]) -> list[Move]:
    """Return the moves that show what their player held when he passed or drew against the rules."""
    wrong = {(step.move.player, tile) for step in steps if step.code in LATER for tile in step.shown_by}
    laid = [move for move in moves if isinstance(move, Play | Capture)]
    return [move for move in laid if (move.player, move.tile) in wrong]


def _planted(state: GameState, random: Random, also: frozenset[str], *, stands: bool | None) -> tuple[Move, str] | None:
    """Return a play against the rules that the table shows, and why the rules refuse it; None if there is none now."""
    options: list[tuple[Move, str]] = [
        (move, code)
        for move, code in _options(state)
        if not (stands is False and _only_stands(move, code)) and not (stands is True and code in _PUT_RIGHT)
        if not ("illegal_join" in also and fits_nowhere(state, move, code))
    ]
    options += [(move, kind) for move, kind in _asked_for(state) if kind in also] if also else []
    random.shuffle(options)
    kinds = sorted({kind for _, kind in options})
    if not kinds:
        return None
    chosen = random.choice(kinds)
    return next((move, CODES.get(kind, kind)) for move, kind in options if kind == chosen)


def _only_stands(move: Move, code: str) -> bool:
    """Return whether a play against the rules, once put right at once, would be none."""
    wrong = move.move if isinstance(move, Stood) else move
    return code in REVOKES or (isinstance(wrong, Turn) and wrong.take is not None)


def _shown_by(state: GameState, move: Move, code: str) -> tuple[Tile, ...]:
    if isinstance(state, BingoState) and isinstance(move, Stood) and isinstance(move.move, Reply) and code in REVOKES:
        return witnesses(state, move.move)
    if isinstance(state, TiuUState):
        return held_mates(state, move.player) if code == PASSED_OVER else ()
    return held_fitting(state, move.player) if isinstance(state, ChainState) and code in LATER else ()


def _asked_for(state: GameState) -> Iterator[tuple[Move, str]]:
    if isinstance(state, ChainState):
        yield from asked_for(state)
    elif isinstance(state, BingoState):
        yield from drawn_out_of_place(state)
    elif isinstance(state, TiuUState):
        yield from passed_over(state)


def _options(state: GameState) -> Iterator[tuple[Stood, str]]:
    if isinstance(state, ChainState):
        yield from wrong_tiles(state)
    elif isinstance(state, BingoState):
        yield from wrong_tricks(state)
    elif isinstance(state, TiuUState):
        yield from wrong_pairs(state)
