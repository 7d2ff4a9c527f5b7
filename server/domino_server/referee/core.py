"""The referee: committed tables and what people tell go in, moves, scores, questions and pauses come out.

A pure state machine: the same inputs give the same outputs; it knows neither pictures nor threads. What it commits is
on the disk before it says so. It compares every table with the game anew, so that it never loses step silently: either
legal moves explain the table, or the game waits, says what it expects, and goes on by itself when the table matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from domino_rules.errors import DominoError, SetupError
from domino_rules.match import Match
from domino_rules.record import GUESSED_ORDER, MoveRecord, Record, Source
from domino_rules.state import Deal, GameState
from domino_rules.tile import Tile
from domino_server.referee.beginnings import TRUMP_UNSEEN, waited_for
from domino_server.referee.branches import Branch, best, common, grown, marked, question_of
from domino_server.referee.calls import declaring
from domino_server.referee.chain_line import line_tiles
from domino_server.referee.draws import Draws
from domino_server.referee.events import (
    Asked,
    Choice,
    Event,
    Pause,
    Paused,
    Question,
    Resumed,
    Settled,
    as_illegal,
)
from domino_server.referee.hands import HandsShown
from domino_server.referee.journal import Journal
from domino_server.referee.ledger import Ledger, header_lines
from domino_server.referee.not_due import DrawsNotDue
from domino_server.referee.reader import Explained, Reader
from domino_server.referee.readers import reader_of
from domino_server.referee.sight import Kind, Point, Sight
from domino_server.referee.standing import IllegalPlays
from domino_server.referee.swaps import Swaps
from domino_server.referee.taken_back import TakenBack
from domino_server.referee.taken_over import NEXT_PLAYER
from domino_server.referee.telling import Telling
from domino_server.referee.told import Told

_KEEP: Final = 3
"""So many tables with new tiles later, orders that change nothing are no longer kept apart."""
_MOST_BRANCHES: Final = 24
_IN_PLAY: Final = frozenset({Kind.LAYOUT, Kind.TALON, Kind.TRICK, Kind.TRUMP})
_WHILE_PAUSED: Final = ("misread_or_illegal", "missed_reply", "missed_trick", "taker_differs", NEXT_PLAYER)
_BRANCHING: Final = frozenset({"opener", "which_tile", "order"})


class Referee:
    """Follows a match at one table. Not for several threads at once.

    Attributes:
        ledger: what is committed.
        questions: the open questions by code.
        pause: why the game waits; None while it goes on.
        cleared: whether the next hand may begin: none was played, or the table was seen empty since the last one.
    """

    def __init__(self, journal: Journal) -> None:
        """Take up the match whose record the journal holds; `start` begins a new one.

        Raises:
            RecordError, SetupError, IllegalMoveError: if that is no record of a match that can be played.
        """
        self.ledger = Ledger(journal)
        self.reader: Reader = reader_of(self.ledger.seating)
        self.questions: dict[str, Question] = {}
        self.pause: Pause | None = None
        self.opener: str | None = None
        self.branches: tuple[Branch, ...] = ()
        self.sight: Sight | None = None
        self.groups: dict[str, list[Branch]] = {}
        self.told_tiles: list[tuple[Point, tuple[int, int]]] = []
        self.told_illegal: set[tuple[str, str]] = set()
        self.dismissed: set[tuple[str, tuple[Tile, ...]]] = set()
        self.declared: dict[str, list[int]] = {}
        self._where: dict[Tile, Point] = {}
        self.deal: Deal | None = None
        self.cleared = not self.ledger.hand
        self._actors: tuple[str, ...] = ()
        self._unclear = False
        self._stock = self._open_for = 0
        self.swaps, self._hands = Swaps(), HandsShown()
        self.telling, self.illegal = Telling(self), IllegalPlays(self)
        self.taken_back, self.draws, self.not_due = TakenBack(self), Draws(self), DrawsNotDue(self)
        self.reset_branches()

    @classmethod
    def start(
        cls,
        game: str,
        seats: Sequence[str],
        options: Mapping[str, Any] | None = None,
        journal: Journal | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Referee:
        """Begin a match, or take it up if the journal already holds one.

        Args:
            game: name of the game.
            seats: the players in the order of play.
            options: house options, values or texts.
            journal: where the record goes; in memory by default.
            headers: further headers of the record.

        Raises:
            SetupError: `unknown_game`, `unknown_option`, `bad_option`, `players`; `other_match` if the journal holds
                a match of another game, other players or other house options.
        """
        journal = journal or Journal()
        lines = header_lines(game, seats, options or {}, headers or {})
        if journal.empty:
            journal.add(lines)
        referee = cls(journal)
        referee.ledger.refuse_other(lines[0], seats, options or {})
        return referee

    # Where it stands

    @property
    def record(self) -> Record:
        """The record as committed."""
        return self.ledger.record

    @property
    def match(self) -> Match:
        """The match, with the likeliest of the moves that are not committed yet."""
        return self.ledger.with_moves(best(self.branches).moves) if self.branches else self.ledger.match

    @property
    def state(self) -> GameState | None:
        """The hand as it most likely stands."""
        return best(self.branches).state if self.branches else None

    @property
    def settled(self) -> bool:
        """Whether nothing is open: one explanation, no question, no pause."""
        return len(self.branches) <= 1 and not self.questions and self.pause is None

    @property
    def in_doubt(self) -> bool:
        """Whether the last table contradicts what is committed, and a second one would settle it."""
        return self.taken_back.in_doubt or self.swaps.in_doubt or self.not_due.in_doubt

    def explains(self, sight: Sight) -> bool:
        """Return whether legal moves, or none, explain a table; nothing is changed."""
        sight = self.with_told(sight).after(self.sight)
        return any(e.is_clean and e.paths for branch in self.branches for e in self._looks_from(branch.state, sight))

    # Input

    def see(self, sight: Sight) -> tuple[Event, ...]:
        """Take in a committed table."""
        out: list[Event] = []
        self._actors, self._unclear = self._actors + sight.actors, self._unclear | sight.unclear
        if self.pause is not None and self.illegal.standing is None:  # what is committed is not what lay there before
            sight = sight.noted((False,) * len(sight.tiles))
        if sight.believed:  # what lies there next is another tile
            self.told_tiles = [told for told in self.told_tiles if sight.lying_at(told[0]) is not None]
        sight = replace(self.with_told(sight).after(self.sight), actors=self._actors, unclear=self._unclear)
        again, self.sight = self.sight is not None and sight.is_look_of(self.sight), sight
        self.illegal.at_end(sight, out)
        self._between_hands(sight, out)
        if self.branches:
            if not again:
                self.draws.look(sight, out)
            going = not self.ledger.match.hand_over
            self.during_hand(sight, out)
            if not again:
                self.not_due.look(sight, out)
            if going and self.ledger.match.hand_over and self.ledger.hand:
                self._look_at_hands(sight, out)
        return tuple(out)

    def tell(self, told: Told) -> tuple[Event, ...]:
        """Take in what a person says.

        Raises:
            DominoError: `no_such_question`, `no_such_choice`, or why the rules refuse it; nothing is changed then.
        """
        return tuple(self.telling.take(told))

    def again(self) -> tuple[Event, ...]:
        """Look once more at the last table, with what was told since."""
        if self.sight is None:
            return ()
        self.forget_actors()
        return self.see(self.sight)

    # Between hands

    def _between_hands(self, sight: Sight, out: list[Event]) -> None:
        match = self.ledger.match
        if not match.hand_over or (self.branches and len(self.branches) > 1):
            return
        if match.hands:
            self._look_at_hands(sight, out)
        if match.over:
            return
        deal = self.deal or self.reader.begins(self.ledger.match, sight, cleared=self.cleared)
        if not any(t.halves is not None and t.place.kind in _IN_PLAY for t in sight.tiles):
            if match.hands and not self.cleared:
                out += self.end_pause()
            self.cleared = True
            result = self.ledger.match.hands[-1].result if match.hands else None
            if result is not None and result.pending:
                self.ask(Question("hands_hidden"), out)
            return
        if deal is None:
            self._not_begun(sight, out)
            return
        out += self.end_pause() if self.pause is not None and self.pause.code == "not_begun" else []
        opener = self.opener or (sight.actors[0] if self.reader.needs_opener and sight.actors else None)
        if opener is None and self.reader.needs_opener and not match.hands:
            self.ask(Question("opener", tuple(Choice(seat, seat) for seat in self.ledger.seating.seats)), out)
            self.groups, self.deal = {}, deal
            return
        try:
            out += self.ledger.start_hand(deal, opener, was_told=self.opener is not None)
        except SetupError as error:
            self._wait(Pause("cannot_start", (), {"code": error.code, "message": error.message}), out)
            return
        self.opener, self.deal, self.cleared, self._where = None, None, False, {}
        self.sight = replace(sight, overlooked=())
        self.told_tiles.clear()
        self._hands = HandsShown()
        self.withdraw("opener", out)
        self.withdraw(TRUMP_UNSEEN, out)
        self.reset_branches()

    def _not_begun(self, sight: Sight, out: list[Event]) -> None:
        """Say that the tiles with which a hand begins are not all there, and ask for one that nobody will see."""
        asked = self.reader.asks(sight) if self.cleared else None
        if asked is not None:
            self.ask(asked, out)
        if self.cleared and (pause := waited_for(sight, asked)) is not None:
            self._wait(pause, out)

    def _look_at_hands(self, sight: Sight, out: list[Event]) -> None:
        """Note hands that lie turned up, or ask if they cannot be what was held."""
        shown = self._hands.look(self.ledger, self.reader, sight)
        out += shown
        if shown:
            self.audit(out)
        result = self.ledger.match.hands[-1].result
        if result is not None and not result.pending:
            self.withdraw("hands_hidden", out)
            self.withdraw("hand_differs", out)
        elif self._hands.differs is not None:
            self.ask(self._hands.differs, out)

    # During a hand

    def during_hand(self, sight: Sight, out: list[Event]) -> None:
        """Explain a table from every branch."""
        if self.taken_back.put_back(sight, out):
            return
        if self.illegal.out_of_turn(sight, out) or self.taken_back.played_on(sight, out):
            return
        found = [(branch, self.look_from(branch.state, sight)) for branch in self.branches]
        clean = [(branch, e) for branch, e in found if e.paths and e.is_clean]
        if clean:
            self.illegal.standing = None
            self._go_on(clean, sight, out)
            return
        if self.illegal.played_on(sight, out):
            return
        swapped = [(branch, e) for branch, e in found if e.swaps]
        if swapped:
            self._swap(swapped, sight, out)
            return
        branch, explained = max(found, key=lambda item: item[0].weight)
        self._stop(branch, explained, sight, out)

    def look_from(self, state: GameState, sight: Sight) -> Explained:
        """Return how a table may have come about from a state."""
        there = self.illegal.standing
        if there is not None and state is not there.state:  # the table before was explained up to the illegal play
            sight = sight.noted((False,) * len(sight.tiles))
        explained = self.reader.explain(state, sight, self._where)
        asked = explained.question
        if asked is not None and (asked.code, asked.tiles) in self.dismissed:
            return replace(explained, question=None, illegal=None, pause=None, stands=None, retold=False)
        return explained

    def _looks_from(self, state: GameState, sight: Sight) -> Iterator[Explained]:
        """Yield how a table may have come about from a state, and from it with the move that must have been missed."""
        explained = self.look_from(state, sight)
        yield explained
        with_missed = None if explained.missed is None else self.ledger.inserted(*explained.missed)
        if with_missed is not None:
            yield self.look_from(with_missed, sight)

    def forget_actors(self) -> None:
        """Take whoever reached over the table so far as done with."""
        self._actors, self._unclear = (), False

    def _go_on(self, clean: list[tuple[Branch, Explained]], sight: Sight, out: list[Event]) -> None:
        out += self.end_pause()
        longer = [grown(branch, path) for branch, e in clean for path in e.paths]
        moved = any(path.moves for _, e in clean for path in e.paths)
        stock, laid = sight.backs(Kind.STOCK), [t for t in sight.within(Kind.LAYOUT) if t.tile is not None]
        line = {tile for _, e in clean for path in e.paths for tile in line_tiles(path.state)}
        brought = any(seen.tile not in self._where and seen.tile not in line for seen in laid)
        if moved or (stock == self._stock and not brought):  # an arm that brought and took nothing made no move
            self.forget_actors()
        self._open_for += moved
        self._stock = stock
        self.branches = tuple(sorted(longer, key=lambda branch: -branch.weight)[:_MOST_BRANCHES])
        self._where |= {seen.tile: seen.at for seen in laid if seen.tile is not None}
        self.swaps.clear()
        self.taken_back.look([e for _, e in clean], sight, out)
        self.settle(out)

    def _swap(self, swapped: list[tuple[Branch, Explained]], sight: Sight, out: list[Event]) -> None:
        branch, explained = max(swapped, key=lambda item: item[0].weight)
        ready, asked = self.swaps.weigh(self.ledger, explained.swaps, sight)
        if asked is not None:
            self.ask(asked, out)
        if ready and not (branch.moves and any(s.number >= len(self.ledger.moves) for s in ready)):
            self.choose(branch, out)
            if self.swaps.correct(self.ledger, ready, out):
                self.reset_branches()
                self.during_hand(sight, out)
                return
        for known in self.swaps.as_known(explained.swaps, sight):
            again = [(b, self.look_from(b.state, known)) for b in self.branches]
            clean = [(b, e) for b, e in again if e.paths and e.is_clean]
            if clean:
                noted = self.swaps.kept()
                self._go_on(clean, known, out)
                self.swaps.restore(noted)
                return
        self._wait(Pause("unexplained", tuple(s.known for s in explained.swaps if s.known is not None)), out)

    def _stop(self, branch: Branch, explained: Explained, sight: Sight, out: list[Event]) -> None:
        """Take what can be explained, and wait; what comes after an illegal play that still lies there waits too."""
        if explained.missed is not None and sight.believed and self._insert(explained.missed, sight, out):
            return
        waits = self.pause is not None and self.pause.code == "illegal_play"
        if not waits and len(explained.paths) == 1 and explained.paths[0].moves:
            branch = grown(branch, explained.paths[0])
            self.branches = (branch,)
            self.forget_actors()
            self.settle(out)
            branch = best(self.branches)
        fresh = self.illegal.lies(branch, explained)
        if not explained.overs:
            self.withdraw(NEXT_PLAYER, out)
        if explained.question is not None:
            tile = str(explained.question.tiles[0]) if explained.question.tiles else ""
            if (explained.question.code, tile) in self.told_illegal:
                self.illegal.report(as_illegal(explained.question), out)
            else:
                self.ask(explained.question, out)
        if explained.illegal is not None:
            self.illegal.report(explained.illegal, out)
        if explained.pause is not None:
            self._wait(explained.pause, out)
        if fresh:
            self.illegal.played_on(sight, out)

    def _insert(self, missed: tuple[int, MoveRecord], sight: Sight, out: list[Event]) -> bool:
        """Put in a move that nobody saw, but that the table proves; return whether the rules allow it."""
        number, record = missed
        try:
            out += self.ledger.correct(number, record, insert=True)
        except DominoError:
            return False
        self.reset_branches()
        self.during_hand(sight, out)
        return True

    # Settling

    def settle(self, out: list[Event]) -> None:
        """Commit what all branches agree on, ask where they differ in something that matters, or choose in time."""
        self._commit_common(out)
        if len(self.branches) > 1:
            asked = question_of(self.branches, self.sight)
            if asked is not None:
                self.groups = asked[1]
                if self.telling.told_before(asked[0], out):
                    return
                for code in _BRANCHING - {asked[0].code}:
                    self.withdraw(code, out)
                self.ask(asked[0], out)
            elif self._open_for >= _KEEP or any(b.state.result is not None for b in self.branches):
                self.choose(best(self.branches), out)
        if len(self.branches) <= 1:
            self._open_for = 0
            for code in _BRANCHING:
                self.withdraw(code, out)

    def _commit_common(self, out: list[Event]) -> None:
        shared = common(self.branches)
        if not shared:
            return
        self.commit(shared, out)
        cut = tuple(replace(branch, moves=branch.moves[len(shared) :]) for branch in self.branches)
        self.branches = cut

    def choose(self, branch: Branch, out: list[Event]) -> None:
        """Commit a branch though others are possible; its moves are marked as inferred."""
        if len(self.branches) > 1:
            branch = marked(branch, Source.INFERRED, GUESSED_ORDER)
        if branch.moves:
            self.commit(branch.moves, out)
        self.branches = (replace(branch, moves=(), weight=1.0),)
        self._open_for = 0

    def choose_told(self, branches: Sequence[Branch], out: list[Event]) -> None:
        """Keep only the branches that a person chose; in what they differ still he said nothing."""
        told = len(common(branches))
        self.branches = tuple(
            replace(branch, moves=(*marked(branch, Source.TOLD, None).moves[:told], *branch.moves[told:]))
            for branch in branches
        )
        self.settle(out)

    def commit(self, records: Iterable[MoveRecord], out: list[Event]) -> None:
        """Commit moves, and look at the hand once it is over."""
        ready: list[MoveRecord] = []
        for record in records:
            ready.append(declaring(self, ready, record, out))
        out += self.ledger.commit(ready)
        self.after_commit(out)

    def after_commit(self, out: list[Event]) -> None:
        """Look at a hand that is over: what the audit finds, and whether its score still waits for hidden hands."""
        hands = self.ledger.match.hands
        result = hands[-1].result if hands else None
        if result is not None:
            if not result.pending:
                self.withdraw("hands_hidden", out)
            self.audit(out)

    def audit(self, out: list[Event]) -> None:
        """Say what the audit finds in the hand that is over, and no more of a draw than was seen of it."""
        self.draws.note()
        out += self.ledger.audit()

    def reset_branches(self) -> None:
        """Take the committed hand as the only possibility."""
        state = self.ledger.state
        self.branches = () if state is None else (Branch((), state),)
        self._open_for = 0
        self.illegal.forget()

    def forget_table(self) -> None:
        """Expect the table to be laid anew: the hand is dealt again."""
        self._where.clear()
        self.told_tiles.clear()
        self.told_illegal.clear()
        self.dismissed.clear()
        self.cleared = True

    # Questions and pauses

    def ask(self, question: Question, out: list[Event]) -> None:
        """Ask a question, once."""
        old = self.questions.get(question.code)
        self.questions[question.code] = question
        same = old is not None and old.tiles == question.tiles
        if not same or [c.text for c in (old or question).choices] != [c.text for c in question.choices]:
            out.append(Asked(question))

    def withdraw(self, code: str, out: list[Event], answer: str | None = None) -> None:
        """Close a question: answered, or settled by the table."""
        if self.questions.pop(code, None) is not None:
            out.append(Settled(code, answer))

    def _wait(self, pause: Pause, out: list[Event]) -> None:
        if self.pause != pause:
            self.pause = pause
            out.append(Paused(pause))

    def end_pause(self) -> list[Event]:
        """The table matches the game again."""
        out: list[Event] = []
        self.illegal.told = None
        for code in _WHILE_PAUSED:
            self.withdraw(code, out)
        if self.pause is not None:
            out.append(Resumed(self.pause.code))
            self.pause = None
        return out

    def with_told(self, sight: Sight) -> Sight:
        """Return the sight with the tiles that a person named."""
        return sight.with_named(self.told_tiles)
