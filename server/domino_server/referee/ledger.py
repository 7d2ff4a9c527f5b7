"""What is committed: the match, its record on disk, and how each move is known. Every change goes through here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from domino_rules.audit import audit_results
from domino_rules.errors import DominoError, SetupError
from domino_rules.match import Match
from domino_rules.moves import Move, Stood
from domino_rules.notation import format_name, format_unseen
from domino_rules.record import OPTION, MoveRecord, Record
from domino_rules.record_replay import Seating, format_sides, replay
from domino_rules.state import Deal, GameState, find_game
from domino_rules.tile import Tile
from domino_server.referee.events import (
    Corrected,
    Event,
    Found,
    HandEnded,
    HandShown,
    HandStarted,
    MatchEnded,
    MoveCommitted,
)
from domino_server.referee.journal import Journal, move_line

RECOUNTED: Final = "piles recounted"
"""The note of the points that a recount of the piles gives or takes."""


def header_lines(game: str, seats: Sequence[str], options: Mapping[str, Any], extra: Mapping[str, str]) -> list[str]:
    """Return the headers of a new record.

    Raises:
        SetupError: `unknown_game`, `unknown_option`, `bad_option` or `players`.
    """
    found = find_game(game)
    rules = found.rules(**options)
    sides = found.sides(tuple(seats), rules)
    heads = {"Game": found.name, "Seats": " ".join(map(format_name, seats)), "Sides": format_sides(sides)}
    heads |= {OPTION + name: _option(value) for name, value in rules.changed().items()}
    return [f"{name}: {text}" for name, text in {**heads, **extra}.items()]


def _option(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()


def _after(match: Match, move: Move) -> Match:
    return match.let_stand(move) if isinstance(move, Stood) else match.play(move)


class Ledger:
    """The committed part of a match, in memory and in its journal."""

    def __init__(self, journal: Journal) -> None:
        """Take up the record that the journal holds.

        Raises:
            RecordError, SetupError, IllegalMoveError: if it is no record of a match that can be played.
        """
        self.journal = journal
        record = journal.record
        self.seating = Seating.of(record)
        played = replay(record)
        self.match: Match = played.match
        self.moves: list[MoveRecord] = [step.record for step in played.hands[-1].steps] if played.hands else []
        self.shown: set[str] = set(record.hands[-1].shown) if record.hands else set()
        self._found: set[Found] = set()

    def refuse_other(self, game: str, seats: Sequence[str], options: Mapping[str, Any]) -> None:
        """Refuse to go on with another match than is held.

        Args:
            game: the header of a record of the game, `Game: cincos`.
            seats: the players in the order of play.
            options: house options, values or texts; those that are left out are as they are held.

        Raises:
            SetupError: `other_match`.
        """
        seating, held = self.seating, self.record.options
        if seating.seats != tuple(seats) or not game.endswith(seating.game.name):
            names = ", ".join(seating.seats)
            message = f"the record holds a match of {seating.game.name} with {names}; name another file"
            raise SetupError("other_match", message, game=seating.game.name, seats=seating.seats)
        if seating.game.rules(**{**held, **options}) != seating.rules:
            played = ", ".join(f"{name}={text}" for name, text in held.items()) or "no house option"
            message = f"the record is played with {played}; name another file or the same options"
            raise SetupError("other_match", message, options=dict(held))

    @property
    def record(self) -> Record:
        """The record as committed."""
        return self.journal.record

    @property
    def hand(self) -> int:
        """Number of the hand, from 1; 0 before the first."""
        return len(self.match.hands)

    @property
    def state(self) -> GameState | None:
        """The hand in progress, or the last one."""
        return self.match.state

    def start_hand(self, deal: Deal, opener: str | None, *, was_told: bool) -> list[Event]:
        """Begin the next hand; raises as `Match.start_hand`."""
        self.match = self.match.start_hand(deal, opener)
        lines = ["", f"Hand {self.hand}"]
        lines += [
            f"Deal {format_name(seat)}: {format_unseen((*h.known, *(None,) * h.unknown))}"
            for seat, h in deal.hands.items()
            if h.known
        ]
        if deal.table:
            lines.append(f"Table: {format_unseen(deal.table)}")
        if opener is not None:
            lines.append(f"Opener: {format_name(opener)}{' (told)' if was_told else ' (inferred acted_first)'}")
        self.journal.add(lines)
        self.moves, self.shown = [], set()
        return [HandStarted(self.hand)]

    def commit(self, records: Iterable[MoveRecord]) -> list[Event]:
        """Commit moves: they are on the disk when this returns. Raises IllegalMoveError and changes nothing."""
        fresh = list(records)
        match, out = self.match, list[Event]()
        for record in fresh:
            before = len(match.hands[-1].events)
            match = _after(match, record.move)
            number = len(match.hands[-1].moves)
            out.append(MoveCommitted(self.hand, number, record, match.hands[-1].events[before:]))
        self.journal.add(move_line(record) for record in fresh)
        self.match = match
        self.moves += fresh
        return out + (self._over() if fresh and match.hand_over else [])

    def correct(self, number: int, after: MoveRecord | None, *, insert: bool = False) -> list[Event]:
        """Correct the move `number` (from 0) of the hand: replace, remove (`after` None) or insert before it.

        Raises:
            DominoError: if the rules then refuse a move; nothing is changed.
        """
        hand = self.hand - 1
        if insert and after is not None:
            match = self.match.insert(hand, number, after.move)
        elif after is None:
            match = self.match.remove(hand, number)
        else:
            match = self.match.correct(hand, number, after.move)
        action = "insert " if insert else "remove" if after is None else ""
        self.journal.add(
            [f"Correct {number + 1}: {action}{'' if after is None else move_line(replace(after, comment=''))}"]
        )
        was_over = self.match.hand_over
        self.match = match
        before = None if insert else self.moves[number]
        self.moves[number : number + (not insert)] = [] if after is None else [after]
        out: list[Event] = [Corrected(self.hand, number + 1, before, after)]
        return out + (self._over() if match.hand_over and not was_over else [])

    def mark(self, number: int, record: MoveRecord) -> None:
        """Note that the move `number` (from 0) of the hand, the same as before, is known otherwise."""
        self.journal.add([f"Correct {number + 1}: {move_line(replace(record, comment=''))}"])
        self.moves[number] = record

    def show(self, hands: Mapping[str, Sequence[Tile]], *, was_told: bool) -> list[Event]:
        """Note hands that were shown; scores that wait for them are added.

        Raises:
            SetupError: `inconsistent_state` if a player cannot have held them; nothing is changed.
        """
        match, out = self.match, list[Event]()
        for player, tiles in hands.items():
            result = match.hands[-1].result
            if result is not None and result.pending:
                match = match.reveal(player, tiles)
            out.append(HandShown(self.hand, player, tuple(tiles)))
        known = " (told)" if was_told else ""
        self.journal.add(f"Shown {format_name(p)}: {format_unseen(t) or 'none'}{known}" for p, t in hands.items())
        waited = self.match.hands[-1].result
        self.match = match
        self.shown |= set(hands)
        return out + (self._over() if waited is not None and waited.pending else [])

    def adjust(self, side: str, points: int, note: str) -> list[Event]:
        """Give or take points; raises SetupError `players` or `no_such_hand`."""
        note = " ".join(note.split())  # a line of the record is one line
        self.match = self.match.adjust(side, points, note)
        self.journal.add([f"Adjust {format_name(side)}: {points:+}{f' ; {note}' if note else ''}"])
        return self._over() if self.match.hand_over else []

    def _over(self) -> list[Event]:
        result = self.match.hands[-1].result
        assert result is not None  # noqa: S101 - asked only when the hand is over
        out: list[Event] = [HandEnded(self.hand, result, dict(self.match.totals))]
        if not result.pending:
            winner = self.match.winner
            if winner is not None:
                out.append(MatchEnded(winner, dict(self.match.totals)))
        return out

    def audit(self) -> list[Event]:
        """Return what the audit finds worth saying in the hand that is over: passes, draws, replies not allowed."""
        try:
            found = audit_results(self.record)[-1].findings
        except (DominoError, IndexError):
            return []
        news = [
            Found(f.hand, f.code, f.player, f.move, f.certainty.value) for f in found if f.hand == self.hand and f.tells
        ]
        fresh: list[Event] = [found for found in news if found not in self._found]
        self._found |= set(news)
        return fresh

    def with_moves(self, records: Iterable[MoveRecord]) -> Match:
        """Return the match with further moves that are not committed."""
        match = self.match
        for record in records:
            match = _after(match, record.move)
        return match

    def inserted(self, number: int, record: MoveRecord) -> GameState | None:
        """Return the hand as it stands with one more move before the move `number` (from 0); None if that cannot be."""
        try:
            return self.match.insert(self.hand - 1, number, record.move).state
        except DominoError:
            return None

    def retold(self, move: Move) -> GameState | None:
        """Return the hand as it stands if its last move was another one; None if it has none, or that cannot be."""
        if not self.moves:
            return None
        try:
            return self.match.correct(self.hand - 1, len(self.moves) - 1, move).state
        except DominoError:
            return None
