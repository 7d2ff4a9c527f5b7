"""Whole matches: hands one after another, totals, and corrections after the fact. Knows no game.

A match keeps what was told (deals, openers, moves, shown hands, adjustments of the score) and derives all the rest, so
that a correction of anything changes everything behind it as if it had been right from the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NoReturn

from domino_rules.errors import DominoError, IllegalMoveError, SetupError
from domino_rules.moves import Move, Stood
from domino_rules.ruleset import RuleSet
from domino_rules.score import ScoreEvent
from domino_rules.state import Deal, Game, GameState, HandContext, HandResult
from domino_rules.tile import Tile


def order_of_play(clockwise: Sequence[str], direction: str, first: str) -> tuple[str, ...]:
    """Return the players in the order of play, from `first`.

    Args:
        clockwise: the seats clockwise as seen from above.
        direction: `clockwise` (the next player sits on the left) or `counter_clockwise` (on the right).
        first: who opens.

    Raises:
        SetupError: `players` if nobody sits there, `bad_option` for another direction.
    """
    if first not in clockwise:
        raise SetupError("players", f"{first} is not among {', '.join(clockwise)}", player=first)
    if direction not in {"clockwise", "counter_clockwise"}:
        raise SetupError("bad_option", f"no direction: {direction!r}", option="direction", value=direction)
    at = clockwise.index(first)
    step = 1 if direction == "clockwise" else -1
    return tuple(clockwise[(at + step * turn) % len(clockwise)] for turn in range(len(clockwise)))


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand that a player showed once `after` moves had been made."""

    player: str
    tiles: tuple[Tile, ...]
    after: int


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand of a match.

    Attributes:
        deal: how it began.
        opener: who was told to open it; None where the rules find him.
        moves: what was done.
        shown: hidden hands that were shown.
        adjustments: told corrections of the score.
        told: the result, of a hand of which nothing else is known.
        context: what it knew of the match (derived).
        state: where it stands (derived); None if only its result is told.
    """

    deal: Deal | None
    opener: str | None = None
    moves: tuple[Move, ...] = ()
    shown: tuple[Shown, ...] = ()
    adjustments: tuple[ScoreEvent, ...] = ()
    told: HandResult | None = None
    context: HandContext = HandContext()  # noqa: RUF009 - frozen
    state: GameState | None = None

    @property
    def events(self) -> tuple[ScoreEvent, ...]:
        """The scores of the hand, adjustments included."""
        earned = self.told.events if self.told is not None else () if self.state is None else self.state.events
        return (*earned, *self.adjustments)

    @property
    def result(self) -> HandResult | None:
        """How the hand ended, adjustments included; None while it goes on."""
        result = self.told if self.told is not None else None if self.state is None else self.state.result
        return None if result is None else replace(result, events=self.events)


@dataclass(frozen=True, slots=True)
class Match:
    """A match in progress. Every method returns a new match or raises; the match itself never changes.

    Players are named by their seats, which are given in the order of play. Hands and moves are numbered from 0.

    Example:
        >>> from random import Random
        >>> from domino_rules.state import find_game
        >>> game = find_game("cincos")
        >>> match = Match(game, ("A", "B"), game.rules())
        >>> match = match.start_hand(game.shuffled_deal(match.seats, match.rules, Random(1)))
        >>> match = match.play(next(iter(match.state.legal_moves)))
        >>> match.over, dict(match.totals)
        (False, {'A': 0, 'B': 0})
    """

    game: Game
    seats: tuple[str, ...]
    rules: RuleSet
    hands: tuple[PlayedHand, ...] = ()

    # Where it stands

    @property
    def sides(self) -> Mapping[str, tuple[str, ...]]:
        """The scoring sides with their players; raises SetupError `players` if the game is not for so many."""
        return self.game.sides(self.seats, self.rules)

    @property
    def state(self) -> GameState | None:
        """The hand in progress, or the last one; None before the first."""
        return self.hands[-1].state if self.hands else None

    @property
    def results(self) -> tuple[HandResult, ...]:
        """The results of the hands that have ended."""
        return tuple(result for hand in self.hands if (result := hand.result) is not None)

    @property
    def events(self) -> tuple[ScoreEvent, ...]:
        """Every score of the match, in order."""
        return tuple(event for hand in self.hands for event in hand.events)

    @property
    def totals(self) -> Mapping[str, int]:
        """Each side's total in the unit that decides the match; of a series, in the game that was played last."""
        totals = dict.fromkeys(self.sides, 0)
        if self.hands:
            totals.update(self.hands[-1].context.totals)
            for event in self.hands[-1].events:
                if event.unit == self.game.unit:
                    totals[event.side] += event.points
        return MappingProxyType(totals)

    @property
    def winner(self) -> str | None:
        """The side that has won the match; None while it goes on."""
        return self.game.winner(self.seats, self.rules, self.results)

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return self.winner is not None

    @property
    def hand_over(self) -> bool:
        """Whether no hand is in progress."""
        return not self.hands or self.hands[-1].result is not None

    def next_context(self, opener: str | None = None) -> HandContext:
        """Return what the next hand will know; raises SetupError `match_over` or `opener`."""
        return self.game.next_context(self.seats, self.rules, self.results, opener)

    # Playing

    def start_hand(self, deal: Deal, opener: str | None = None) -> Match:
        """Return the match in which the next hand has begun; `opener` is told where the rules leave a choice.

        Raises:
            SetupError: `match_over`, `hand_in_progress`, `opener`, or what the deal lacks.
        """
        self._check_hand_over()
        return self._with(PlayedHand(deal, opener))

    def tell_hand(self, result: HandResult) -> Match:
        """Return the match after a hand of which only the result is told.

        Raises:
            SetupError: `match_over` or `hand_in_progress`.
        """
        self._check_hand_over()
        return self._with(PlayedHand(None, told=result))

    def play(self, move: Move) -> Match:
        """Return the match after `move`.

        Raises:
            IllegalMoveError: `match_over`, `hand_over` (no hand is in progress) or why the rules refuse the move.
        """
        return self._after(move, self._state_for(move).apply(move))

    def let_stand(self, move: Stood) -> Match:
        """Return the match after a move against the rules that the table let stand.

        Raises:
            IllegalMoveError: `match_over`, `hand_over`, or why it cannot even lie there (`GameState.let_stand`).
        """
        return self._after(move, self._state_for(move).let_stand(move))

    def reveal(self, player: str, tiles: Iterable[Tile], hand: int = -1) -> Match:
        """Return the match in which a hidden hand has been shown, after the moves made so far in that hand.

        Raises:
            SetupError: `no_such_hand`, or `inconsistent_state` if the player cannot have held these tiles.
        """
        at, played = self._hand(hand)
        shown = Shown(player, tuple(tiles), len(played.moves))
        return self._again(at, replace(played, shown=(*played.shown, shown)))

    def adjust(self, side: str, points: int, note: str = "", hand: int = -1, player: str | None = None) -> Match:
        """Return the match with a told correction of a score, in the hand in which it belongs.

        Raises:
            SetupError: `no_such_hand`, or `players` if nobody is called `side`.
        """
        if side not in self.sides:
            raise SetupError("players", f"no side is called {side!r}: {', '.join(self.sides)}", side=side)
        at, played = self._hand(hand)
        event = ScoreEvent(side, points, "correction", (), player, self.game.unit, note)
        return self._again(at, replace(played, adjustments=(*played.adjustments, event)))

    # Corrections

    def correct(self, hand: int, move: int, *moves: Move, count: int = 1) -> Match:
        """Return the match in which `moves` were made instead of `count` moves from the one numbered `move`.

        Raises:
            DominoError: `no_such_hand`, `no_such_move`; or why the rules refuse a move, or a hand, from there on. Its
                `params` then name the `hand` and the `move`.
        """
        at, played = self._hand(hand)
        place = self._place(played, at, move)
        return self._splice(at, place, place + count, moves)

    def insert(self, hand: int, before: int, *moves: Move) -> Match:
        """Return the match in which `moves` were made before the move numbered `before`; raises like `correct`."""
        at, played = self._hand(hand)
        place = before if before == len(played.moves) else self._place(played, at, before)
        return self._splice(at, place, place, moves)

    def remove(self, hand: int, move: int, count: int = 1) -> Match:
        """Return the match in which `count` moves from the one numbered `move` were not made; raises like `correct`."""
        at, played = self._hand(hand)
        place = self._place(played, at, move)
        return self._splice(at, place, place + count, ())

    def correct_deal(self, hand: int, deal: Deal, opener: str | None = None) -> Match:
        """Return the match in which a hand began otherwise; raises like `correct`."""
        at, played = self._hand(hand)
        return self._again(at, replace(played, deal=deal, opener=opener))

    def undo(self) -> Match:
        """Return the match without its last move, or without the last hand if that has no move.

        Raises:
            SetupError: `no_such_hand` if nothing has been played.
        """
        at, played = self._hand(-1)
        if not played.moves:
            return replace(self, hands=self.hands[:-1])
        return self.remove(at, len(played.moves) - 1)

    # Mechanics

    def _state_for(self, move: Move) -> GameState:
        """Return the hand in progress."""
        state = self.state
        if self.hand_over or state is None:
            code = "match_over" if self.over else "hand_over"
            message = "the match is over" if self.over else "no hand is in progress"
            raise IllegalMoveError(code, message, player=move.player)
        return state

    def _after(self, move: Move, state: GameState) -> Match:
        hand = self.hands[-1]
        played = replace(hand, moves=(*hand.moves, move), state=state)
        return replace(self, hands=(*self.hands[:-1], played))

    def _hand(self, hand: int) -> tuple[int, PlayedHand]:
        at = hand + len(self.hands) if hand < 0 else hand
        if not 0 <= at < len(self.hands):
            raise SetupError("no_such_hand", f"there is no hand {hand}: {len(self.hands)} so far", hand=hand)
        return at, self.hands[at]

    def _place(self, played: PlayedHand, hand: int, move: int) -> int:
        place = move + len(played.moves) if move < 0 else move
        if not 0 <= place < len(played.moves):
            message = f"hand {hand} has no move {move}: {len(played.moves)} moves"
            raise SetupError("no_such_move", message, hand=hand, move=move)
        return place

    def _check_hand_over(self) -> None:
        if not self.hand_over:
            raise SetupError("hand_in_progress", "the hand before has not ended", hand=len(self.hands) - 1)

    def _splice(self, hand: int, start: int, end: int, moves: Sequence[Move]) -> Match:
        played = self.hands[hand]
        made = (*played.moves[:start], *moves, *played.moves[end:])
        shift = len(made) - len(played.moves)
        shown = tuple(
            replace(show, after=max(start, show.after + shift)) if show.after > start else show for show in played.shown
        )
        return self._again(hand, replace(played, moves=made, shown=shown))

    def _again(self, at: int, changed: PlayedHand) -> Match:
        """Return the match with one hand changed, and that hand and all behind it played again."""
        match = replace(self, hands=self.hands[:at])
        for number, hand in enumerate((changed, *self.hands[at + 1 :]), at):
            if not match.hand_over:
                _fail(SetupError("hand_in_progress", "the hand has not ended", hand=number - 1), number - 1)
            match = match._with(hand)  # noqa: SLF001 - another match
        return match

    def _with(self, hand: PlayedHand) -> Match:
        """Return the match with a hand added, its derived parts worked out."""
        number = len(self.hands)
        try:
            context = self.next_context(hand.opener)
            if hand.deal is None:
                played = replace(hand, context=context)
            else:
                if tuple(hand.deal.hands) != self.seats:
                    message = f"the deal is for {', '.join(hand.deal.hands)}, not {', '.join(self.seats)}"
                    raise SetupError("players", message, players=tuple(hand.deal.hands))
                start = self.game.start(hand.deal, self.rules, _adjusted(context, hand.adjustments, self.game.unit))
                played = replace(hand, context=context, state=_replayed(start, hand, number))
        except DominoError as error:
            if "hand" in error.params:
                raise
            _fail(error, number)
        return replace(self, hands=(*self.hands, played))


def _adjusted(context: HandContext, adjustments: Iterable[ScoreEvent], unit: str) -> HandContext:
    """Return the context as the hand must see it: a target is reached with adjusted totals."""
    totals = dict(context.totals)
    for event in adjustments:
        if event.unit == unit:
            totals[event.side] = totals.get(event.side, 0) + event.points
    return replace(context, totals=MappingProxyType(totals))


def _replayed(state: GameState, hand: PlayedHand, number: int) -> GameState:
    for at in range(len(hand.moves) + 1):
        try:
            for show in hand.shown:
                if min(show.after, len(hand.moves)) == at:
                    state = state.reveal(show.player, show.tiles)
            if at < len(hand.moves):
                move = hand.moves[at]
                state = state.let_stand(move) if isinstance(move, Stood) else state.apply(move)
        except DominoError as error:
            _fail(error, number, at)
    return state


def _fail(error: DominoError, hand: int, move: int | None = None) -> NoReturn:
    """Raise the error again with the hand and the move in question."""
    place: dict[str, int] = {"hand": hand} if move is None else {"hand": hand, "move": move}
    where = f"hand {hand}" if move is None else f"hand {hand}, move {move}"
    raise type(error)(error.code, f"{where}: {error.message}", **{**error.params, **place}) from error
