"""The referee's record in the store: what holds, what was undone, and a store that fails in the middle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from domino_rules.errors import SetupError
from domino_server.referee.journal import Journal
from domino_server.store import NewEvent, Store, StoreError, StoreJournal, records
from domino_server.store.rows import StoredEvent


class Failing(Store):
    """A store that says it cannot be reached: before it keeps what it was given, or after."""

    fail: str | None = None

    def append(self, table: str, events: Sequence[NewEvent]) -> tuple[StoredEvent, ...]:
        """Keep events, or say that they were not kept."""
        if self.fail == "before":
            raise StoreError("store_unreachable", "gone")
        stored = super().append(table, events)
        if self.fail == "after":
            raise StoreError("store_unreachable", "gone while it was committed")
        return stored


@pytest.fixture
def store() -> Iterator[Failing]:
    """A store in memory."""
    opened = Failing.open("sqlite://")
    yield opened
    opened.close()


@pytest.fixture
def table(store: Failing) -> str:
    """A table."""
    return store.create_table("A", {}).id


def test_it_is_a_journal(store: Failing, table: str) -> None:
    """It says the same as a journal in memory, before and after it is opened again, among other events."""
    plain, kept = Journal(), StoreJournal(store, table)
    assert (kept.empty, kept.text) == (plain.empty, plain.text)
    for lines in (["Game: bingo", "Seats: Ana, Bo"], [], ["", "# Ręka 1"]):
        plain.add(lines)
        kept.add(lines)
        store.append(table, [NewEvent("said", {"line": "not of the record"})])
    assert isinstance(kept, Journal)
    assert (kept.empty, kept.text) == (False, plain.text)
    assert StoreJournal(store, table).text == plain.text
    assert records(store, table) == (plain.text,)


def test_a_closed_journal_takes_nothing(store: Failing, table: str) -> None:
    """What comes after `close` is refused, and the store stays open."""
    journal = StoreJournal(store, table)
    journal.close()
    journal.close()
    with pytest.raises(SetupError) as error:
        journal.add(["x"])
    assert error.value.code == "journal_closed"
    assert store.last_seq(table) == 0


def test_lines_are_undone_and_redone_by_adding_events(store: Failing, table: str) -> None:
    """Groups come back in reverse order, also after a restart, until another line is written; no event goes."""
    journal = StoreJournal(store, table)
    journal.add(["a", "b", "c", "d"])
    assert journal.undo(1) == ("d",)
    assert journal.undo(2) == ("b", "c")
    assert (journal.text, journal.count, journal.undone) == ("a\n", 1, (("d",), ("b", "c")))
    journal = StoreJournal(store, table)
    assert journal.redo() == ("b", "c")
    assert journal.redo() == ("d",)
    assert journal.text == "a\nb\nc\nd\n"
    journal.undo(1)
    journal.add(["e"])
    assert journal.undone == ()
    assert StoreJournal(store, table).text == journal.text == "a\nb\nc\ne\n"
    assert store.last_seq(table) == 10


def test_no_more_is_undone_than_there_is(store: Failing, table: str) -> None:
    """Too many lines, none, and a redo without an undo are refused, and nothing is written."""
    journal = StoreJournal(store, table)
    journal.add(["a"])
    for count in (2, 0, -1):
        with pytest.raises(StoreError) as error:
            journal.undo(count)
        assert error.value.code == "bad_undo"
    with pytest.raises(StoreError) as error:
        journal.redo()
    assert error.value.code == "bad_undo"
    assert (journal.text, store.last_seq(table)) == ("a\n", 1)


def test_events_that_undo_what_never_was_are_refused(store: Failing, table: str) -> None:
    """A record that another hand wrote wrongly is not taken up."""
    store.append(table, [NewEvent("record", {"line": "a"}), NewEvent("record", {"redo": 1})])
    with pytest.raises(StoreError) as error:
        StoreJournal(store, table)
    assert error.value.code == "bad_undo"


def test_a_new_match_begins_a_new_record(store: Failing, table: str) -> None:
    """The match before is kept whole and cannot be undone into; an empty record begins nothing."""
    journal = StoreJournal(store, table)
    journal.new_match()
    assert store.last_seq(table) == 0
    journal.add(["a", "b"])
    journal.undo(1)
    journal.new_match()
    assert (journal.empty, journal.undone, journal.matches) == (True, (), (("a",),))
    journal.add(["c"])
    with pytest.raises(StoreError):
        journal.undo(2)
    assert records(store, table) == ("a\n", "c\n")
    assert StoreJournal(store, table).matches == (("a",),)


def test_lines_that_were_not_kept_are_written_at_the_next_try(store: Failing, table: str) -> None:
    """The journal is as before, and the same lines go in once the store is back."""
    journal = StoreJournal(store, table)
    journal.add(["a"])
    store.fail = "before"
    for _ in range(2):
        with pytest.raises(StoreError):
            journal.add(["b"])
    assert journal.text == "a\n"
    store.fail = None
    journal.add(["b"])
    assert StoreJournal(store, table).text == journal.text == "a\nb\n"
    assert store.last_seq(table) == 2


def test_lines_that_were_kept_though_the_store_failed_do_not_count_twice(store: Failing, table: str) -> None:
    """The connection breaks during the commit: the record says what the referee knows, whatever comes next."""
    journal = StoreJournal(store, table)
    journal.add(["a"])
    journal.new_match()
    journal.add(["b", "c"])
    journal.undo(1)
    store.fail = "after"
    for attempt in (lambda: journal.add(["x", "y"]), journal.new_match, journal.redo):
        with pytest.raises(StoreError):
            attempt()
    assert (journal.text, journal.undone) == ("b\n", (("c",),))
    store.fail = None
    journal.redo()
    journal.add(["d"])
    again = StoreJournal(store, table)
    assert again.text == journal.text == "b\nc\nd\n"
    assert again.matches == journal.matches == (("a",),)
