"""Plays a record through the real engine, and random matches into a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Any, Final

from domino_rules.errors import DominoError, SetupError
from domino_rules.match import Match, PlayedHand
from domino_rules.moves import Stood
from domino_rules.notation import format_name
from domino_rules.record import OPTION, Adjustment, HandRecord, MoveRecord, Record, ToldResult, ToldScore
from domino_rules.ruleset import RuleSet
from domino_rules.score import Addend, Ledger, ScoreEvent
from domino_rules.state import Deal, Game, GameState, Hand, HandContext, HandResult, find_game

CALLED: Final = frozenset({"count", "trick", "declaration", "trump_double_under_bingo"})
"""Reasons of scores that are called during a hand, when the move is made that completes them."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a replay: the state behind it, and what it scored."""

    record: MoveRecord
    state: GameState
    events: tuple[ScoreEvent, ...]


@dataclass(frozen=True, slots=True)
class HandReplay:
    """A hand of a replay: what it scored before the first move, and its moves (none if only its result was told)."""

    number: int
    played: PlayedHand
    opening: tuple[ScoreEvent, ...]
    steps: tuple[Step, ...]

    @property
    def closing(self) -> tuple[ScoreEvent, ...]:
        """What was scored behind the last move: hands shown, adjustments."""
        return self.events[len(self.opening) + sum(len(step.events) for step in self.steps) :]

    @property
    def result(self) -> HandResult | None:
        """How the hand ended, adjustments included; None while it goes on."""
        return self.played.result

    @property
    def events(self) -> tuple[ScoreEvent, ...]:
        """All scores of the hand so far, adjustments included."""
        return self.played.events


@dataclass(frozen=True, slots=True)
class Replay:
    """A record as the engine played it: the match, and each hand move by move."""

    match: Match
    hands: tuple[HandReplay, ...]

    @property
    def winner(self) -> str | None:
        """The side that has won the match; None while it goes on, or if it ended in a draw."""
        return self.match.winner

    def totals(self, unit: str | None = None) -> dict[str, int]:
        """Return what each side earned in all hands; without a unit in the one that decides the match."""
        return Ledger(self.match.events).totals(self.match.sides, unit or self.match.game.unit)


@dataclass(frozen=True, slots=True)
class Seating:
    """The game, rules, seats and sides that the headers of a record name."""

    game: Game
    rules: RuleSet
    seats: tuple[str, ...]
    sides: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, record: Record) -> Seating:
        """Return what the headers say.

        Raises:
            SetupError: `missing_header`, `unknown_game`, `unknown_option`, `bad_option`, `players`, `sides`.
            ParseError: `notation_name`.
        """
        game = find_game(record.game)
        rules = game.rules(**record.options)
        seats = record.seats
        sides = game.sides(seats, rules)
        told = record.headers.get("Sides")
        if told is not None and told != format_sides(sides):
            message = f"the sides are {format_sides(sides)}, not {told}"
            raise SetupError("sides", message, sides=format_sides(sides), told=told)
        return cls(game, rules, seats, sides)

    def deal(self, hand: HandRecord) -> Deal:
        """Return the deal of a hand with unseen tiles for all that the record leaves out.

        Raises:
            SetupError: `unknown_player`.
        """
        usual = self.game.shuffled_deal(self.seats, self.rules, Random(0))
        for player in hand.deal.hands:
            if player not in self.seats:
                raise SetupError("unknown_player", f"nobody is called {player!r}", player=player)
        hands = {seat: hand.deal.hands.get(seat, Hand.hidden(usual.hands[seat].size)) for seat in self.seats}
        total = sum(held.size for held in usual.hands.values()) + len(usual.stock) + len(usual.table)
        left = total - sum(held.size for held in hands.values()) - len(hand.deal.table or usual.table)
        stock = (None,) * max(left, 0) if usual.stock else ()
        return Deal(hands, hand.deal.stock or stock, hand.deal.table)


def format_sides(sides: Mapping[str, tuple[str, ...]]) -> str:
    """Return the sides as the header `Sides` has them: `A C | B D`."""
    return " | ".join(" ".join(format_name(player) for player in members) for members in sides.values())


def replay(record: Record) -> Replay:
    """Return the record as the engine plays it, its corrections carried out.

    Raises:
        IllegalMoveError: with the reason of the engine and `hand` and `move` (from 1) of the record.
        SetupError: from the headers (see `Seating.of`), or `inconsistent_state`, `hand_in_progress`, `match_over`,
            `opener`, `unknown_player`, `bad_correction` with the `hand`.
    """
    record = record.corrected()
    seating = Seating.of(record)
    match = Match(seating.game, seating.seats, seating.rules)
    hands: list[HandReplay] = []
    for hand in record.hands:
        match, opening, steps = _play(match, seating, hand)
        hands.append(HandReplay(hand.number, match.hands[-1], opening, steps))
    return Replay(match, tuple(hands))


def _play(match: Match, seating: Seating, hand: HandRecord) -> tuple[Match, tuple[ScoreEvent, ...], tuple[Step, ...]]:
    at: dict[str, Any] = {"hand": hand.number}
    steps: list[Step] = []
    opening: tuple[ScoreEvent, ...] = ()
    try:
        if hand.result is not None and not hand.moves:
            match = match.tell_hand(told_result(hand, hand.result, seating.game.unit))
        else:
            match = match.start_hand(seating.deal(hand), hand.opener)
        opening = match.hands[-1].events
        for number, moved in enumerate(hand.moves, 1):
            at["move"] = number
            before = len(match.hands[-1].events)
            match = match.let_stand(moved.move) if isinstance(moved.move, Stood) else match.play(moved.move)
            played = match.hands[-1]
            assert played.state is not None  # noqa: S101 - a hand that was played has a state
            steps.append(Step(moved, played.state, played.events[before:]))
        at.pop("move", None)
        match = _revealed(match, hand)
        for given in hand.adjustments:
            match = match.adjust(given.side, given.points, given.comment)
    except DominoError as error:
        raise _located(error.__cause__ if isinstance(error.__cause__, DominoError) else error, at) from error
    return match, opening, tuple(steps)


def _revealed(match: Match, hand: HandRecord) -> Match:
    """Return the match with the hands that were shown at the hand's end, where a score waits for them."""
    for player, tiles in hand.shown.items():
        result = match.hands[-1].result
        if result is not None and result.pending:
            match = match.reveal(player, tiles)
    return match


def told_result(hand: HandRecord, told: ToldResult, unit: str) -> HandResult:
    """Return the result of a hand that was only told, with its told scores."""
    events = tuple(
        ScoreEvent(score.side, score.points, "told", (Addend("told", score.points),), unit=score.unit or unit)
        for score in hand.scores
    )
    return HandResult(told.kind, told.side, told.player, events)


def adjusted(result: HandResult | None, hand: HandRecord, unit: str) -> HandResult | None:
    """Return the result of a hand with the adjustments that its record holds."""
    if result is None or not hand.adjustments:
        return result
    events = (ScoreEvent(given.side, given.points, "correction", unit=unit) for given in hand.adjustments)
    return replace(result, events=(*result.events, *events))


def _located(error: DominoError, at: Mapping[str, Any]) -> DominoError:
    where = ", ".join(f"{name} {number}" for name, number in at.items())
    return type(error)(error.code, f"{where}: {error.message}", **{**error.params, **at})


def match_record(match: Match, headers: Mapping[str, str] | None = None) -> Record:
    """Return the record of a match, every move as if it had been seen; `replay` gives the match back.

    Args:
        match: the match, finished or not.
        headers: further headers.
    """
    hands = (_hand_record(number, hand) for number, hand in enumerate(match.hands, 1))
    return Record({**_headers(match.game, match.rules, match.seats), **(headers or {})}, tuple(hands))


def _hand_record(number: int, hand: PlayedHand) -> HandRecord:
    told = hand.told
    return HandRecord(
        number,
        deal=hand.deal or Deal({}),
        opener=hand.opener,
        moves=tuple(MoveRecord(move) for move in hand.moves),
        shown=MappingProxyType({show.player: show.tiles for show in hand.shown}),
        result=None if told is None else ToldResult(told.kind, told.side, told.player),
        scores=() if told is None else tuple(ToldScore(e.side, e.points, e.unit) for e in told.events),
        adjustments=tuple(Adjustment(event.side, event.points, event.note) for event in hand.adjustments),
    )


def _headers(game: Game, rules: RuleSet, seats: Sequence[str]) -> dict[str, str]:
    head = {
        "Game": game.name,
        "Seats": " ".join(map(format_name, seats)),
        "Sides": format_sides(game.sides(seats, rules)),
    }
    return head | {OPTION + name: _option_text(value) for name, value in rules.changed().items()}


def random_record(
    game: Game,
    rules: RuleSet,
    seats: Sequence[str],
    random: Random,
    *,
    hands: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Record:
    """Return the record of a match in which every player picks among his legal moves by chance.

    Args:
        game: the game.
        rules: its options.
        seats: the players in the order of play.
        random: where chance comes from; the same seed gives the same record.
        hands: how many hands at most; None plays the match to its end.
        headers: further headers.
    """
    sides = game.sides(seats, rules)
    head = _headers(game, rules, seats)
    played: list[HandRecord] = []
    results: list[HandResult] = []
    while (hands is None or len(played) < hands) and game.winner(seats, rules, results) is None:
        try:
            context = game.next_context(seats, rules, results)
        except SetupError as error:
            if error.code != "match_over":  # a match may end in a draw
                raise
            break
        hand, result = _random_hand(game, game.shuffled_deal(seats, rules, random), rules, context, random)
        played.append(replace(hand, number=len(played) + 1, scores=_told(result, sides, game.unit)))
        results.append(result)
    return Record({**head, **(headers or {})}, tuple(played))


def _option_text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()


def _random_hand(
    game: Game, deal: Deal, rules: RuleSet, context: HandContext, random: Random
) -> tuple[HandRecord, HandResult]:
    state = game.start(deal, rules, context)
    moves: list[MoveRecord] = []
    while (result := state.result) is None:
        move = random.choice(list(state.legal_moves))
        after = state.apply(move)
        moves.append(MoveRecord(move, claim=_claim(after, len(state.events))))
        state = after
    return HandRecord(1, deal, context.opener, tuple(moves)), result


def _claim(state: GameState, before: int) -> int | None:
    """Return the points that are called when the move is made, whoever gets them; None if it scored nothing."""
    return sum(event.points for event in state.events[before:] if event.reason in CALLED) or None


def _told(result: HandResult, sides: Mapping[str, tuple[str, ...]], unit: str) -> tuple[ToldScore, ...]:
    totals = Ledger(result.events).totals(sides, unit)
    return tuple(ToldScore(side, points) for side, points in totals.items() if points)
