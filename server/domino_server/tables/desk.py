"""A table's match and what people tell it. Not for several threads at once: the table's own thread works here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from domino_rules.errors import SetupError
from domino_rules.games import LINE_GAMES
from domino_rules.moves import Move
from domino_rules.record import HandRecord
from domino_server.referee import (
    Opener,
    Referee,
)
from domino_server.referee.events import event_json
from domino_server.referee.ledger import header_lines
from domino_server.referee.session import Line, TableSession, settler_of
from domino_server.store import NewEvent, Store, StoreJournal, TableRow
from domino_server.tables.config import TableConfig
from domino_server.tables.frames import SharedReader
from domino_server.tables.ghost import Ghost
from domino_server.tables.rename import renamed
from domino_server.tables.undo import last_step
from domino_server.tables.undone import shows_undone
from domino_vision.zones import Zones

PX_TO_MM: Final = "px_to_mm"
"""Where a configuration keeps the place of the table in the picture, beside its zones."""


class Desk:
    """Joins session, record and configuration of one table, and carries out commands.

    Attributes:
        config: how the table is set up now.
        session: vision and referee.
        ghost: the table as it last lay undisturbed.
        journal: the record.
    """

    def __init__(self, row: TableRow, store: Store, reader: SharedReader) -> None:
        """Take up the match of a table, or begin one.

        Raises:
            RecordError, SetupError, IllegalMoveError: if the record is none of a match that can be played.
            StoreError: if the store cannot be reached.
        """
        self.table = row.id
        self.store = store
        self.config = TableConfig.kept(row.config)
        self.spectacles = reader.spectacles
        self.journal = StoreJournal(store, row.id)
        self._reader = reader
        self._notes: list[NewEvent] = []
        self.ghost = Ghost()
        self.session = self._session(self._referee(), self._px_to_mm())

    @property
    def lines(self) -> list[str]:
        """The lines of the record that hold."""
        return self.journal.text.split("\n")[:-1]

    # Setting up

    def _referee(self) -> Referee:
        config = self.config
        lines = header_lines(config.game, config.seats, config.options, {})
        held = [line for line in self.lines if line.strip()]
        if not begun(held) and held != lines:
            if held:
                self.journal.undo(self.journal.count)
            self.journal.add(lines)
        referee = Referee(self.journal)
        if config.opener is not None and referee.ledger.hand <= 1 and not referee.ledger.moves:
            referee.tell(Opener(config.opener))
        return referee

    def _session(self, referee: Referee, px_to_mm: Any) -> TableSession:
        zones = None if self.config.zones is None else Zones.from_json(self.config.zones)
        session = TableSession(
            referee,
            settler_of(self._reader, self.config.game, self.config.tile_set, px_to_mm),
            zones,
            make_zones=self.config.use_zones,
            seen_as=self.spectacles.joined,
            shows_undone=lambda sight: shows_undone(self.journal, sight),
        )
        session.gone_back = self.can_redo
        return session

    def _px_to_mm(self) -> Any:
        kept = None if self.config.zones is None else self.config.zones.get(PX_TO_MM)
        return None if kept is None else np.array(kept, np.float64).reshape(3, 3)

    def take_up_again(self) -> None:
        """Begin anew with what is committed, after a mistake or an undo: vision reads the table afresh."""
        self.journal = StoreJournal(self.store, self.table)
        self._begin_session()

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to be undone."""
        return last_step(self.lines, self.config.game) > 0

    @property
    def can_redo(self) -> bool:
        """Whether a step that was undone can be done again."""
        return bool(self.journal.undone)

    def heard(self, lines: Sequence[Line]) -> None:
        """Note what was said: corrections of a picture hold until the next hand begins."""
        self.ghost.heard(self.session, lines)
        if any(line["event"] == "hand" for line in lines) and not self.spectacles.clear:
            self.spectacles.forget()

    def note(self, event: NewEvent) -> None:
        """Have something kept beside what is said next."""
        self._notes.append(event)

    def take_notes(self) -> list[NewEvent]:
        """Return what is to be kept beside what was said."""
        notes, self._notes = self._notes, []
        return notes

    # Steps

    def undo(self) -> list[Line]:
        """Take back the last step, over the end of a hand too; raises SetupError `nothing_to_undo`."""
        count = last_step(self.lines, self.config.game)
        if not count:
            raise SetupError("nothing_to_undo", "nothing was played that could be undone")
        self.journal.undo(count)
        self.session.gone_back = True
        return self._stepped("undo")

    def redo(self) -> list[Line]:
        """Do again what was undone last; raises SetupError `nothing_to_redo`."""
        if not self.journal.undone:
            raise SetupError("nothing_to_redo", "nothing was undone that could be done again")
        self.journal.redo()
        return self._stepped("redo")

    def _stepped(self, event: str) -> list[Line]:
        ledger = self._anew().ledger
        return [{"event": event, "hand": ledger.hand, "moves": len(ledger.moves)}]

    def _anew(self) -> Referee:
        """Work the match out anew from the record, with the table as it was seen last."""
        fresh = Referee(self.journal)
        fresh.sight = self.session.referee.sight
        self.session.referee = fresh
        return fresh

    def begin_hand(self, move: Move) -> list[Line]:
        """Begin a hand with its first move told, in games with a line of play; nothing happens while one goes on.

        Raises:
            SetupError, IllegalMoveError: if the hand cannot begin so; nothing is changed.
        """
        ledger = self.session.referee.ledger
        if not ledger.match.hand_over or ledger.seating.game.name not in LINE_GAMES:
            return []
        deal = ledger.seating.deal(HandRecord(ledger.hand + 1))
        ledger.match.start_hand(deal, move.player).play(move)
        started = ledger.start_hand(deal, move.player, was_told=True)
        self._anew()
        return [event_json(event) for event in started]

    def next_hand(self) -> list[Line]:
        """Let what lies on the table next begin the next hand; raises SetupError `hand_in_progress`."""
        referee = self.session.referee
        if not referee.ledger.match.hand_over:
            raise SetupError("hand_in_progress", "the hand has not ended", hand=referee.ledger.hand)
        referee.forget_table()
        return self.laid_anew()

    def laid_anew(self) -> list[Line]:
        """Forget the picture of the table: another one is to be seen."""
        self.spectacles.forget()
        return self.session.laid_anew()

    # Matches

    def new_match(self) -> list[Line]:
        """Begin another match with what is set up now."""
        if begun(self.lines):
            self.journal.new_match()
        self._begin_session()
        return [{"event": "match", "game": self.config.game, "seats": list(self.config.seats)}]

    def rename(self, names: list[str]) -> list[Line]:
        """Give the players other names, also in what was played; raises SetupError `players`."""
        config = self.config.changed({"seats": names, "opener": None})
        seating = self.session.referee.ledger.seating
        before, names = list(seating.seats), list(config.seats)
        if len(names) != len(before):
            raise SetupError("players", f"{len(before)} play this match", expected=len(before), players=len(names))
        sides = dict(zip(seating.sides, seating.game.sides(tuple(names), seating.rules), strict=True))
        lines = renamed(self.lines, {**sides, **dict(zip(before, names, strict=True))})
        self.configure(config)
        self.journal.undo(self.journal.count)
        self.journal.add(lines)
        self._begin_session()
        return [{"event": "seats", "before": before, "seats": names}]

    def set_options(self, options: Mapping[str, str]) -> list[Line]:
        """Change house options: at once before the first hand, otherwise from the next match on."""
        self.configure(self.config.changed({"options": {**self.config.options, **options}}))
        if not begun(self.lines):
            self._begin_session()
        return [{"event": "options", "options": dict(self.config.options)}]

    def configure(self, config: TableConfig, kind: str = "config") -> None:
        """Keep another configuration; it counts for what begins from now on."""
        plain = config.model_dump(mode="json")
        self.store.configure(self.table, config=plain)
        self.store.append(self.table, [NewEvent(kind, {"zones": config.zones} if kind == "zones" else plain)])
        self.config = config

    def _begin_session(self) -> None:
        place = self.session.settler.tracker.px_to_mm
        self.spectacles.forget()
        self.session = self._session(self._referee(), place)


def begun(lines: Sequence[str]) -> bool:
    """Whether a record holds a hand."""
    return any(line.startswith("Hand ") for line in lines)
