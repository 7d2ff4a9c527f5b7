"""Whatever is appended is read back equal, from both databases and from an exported file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domino_server.store import NewEvent, RecordLines, Store, StoreError, StoreJournal, export_table, import_table
from tests import databases

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
WHOLE = st.integers(-(2**53) + 1, 2**53 - 1)
LEAVES = st.none() | st.booleans() | WHOLE | st.floats(allow_nan=False, allow_infinity=False) | TEXT
DATA = st.dictionaries(
    TEXT,
    st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4)),
    max_size=5,
)
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(2300, 1, 1), timezones=ZONES)  # noqa: DTZ001
KINDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12).filter(
    lambda kind: kind != "record"  # whose data has a form of its own
)
EVENTS = st.lists(st.builds(NewEvent, KINDS, DATA, MOMENTS), min_size=1, max_size=5)
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
settings.register_profile("store", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(params=databases.KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store of each kind, the same for all examples."""
    with databases.fresh(request.param, tmp_path) as address:
        opened = Store.open(address)
        yield opened
        opened.close()


@pytest.fixture
def memory() -> Iterator[Store]:
    """A store in memory, the same for all examples."""
    opened = Store.open("sqlite://")
    yield opened
    opened.close()


@settings(settings.get_profile("store"), max_examples=40)
@given(name=NAMES, config=DATA, batches=st.lists(EVENTS, min_size=1, max_size=3))
def test_what_is_read_back_equals_what_was_appended(
    store: Store, tmp_path: Path, name: str, config: dict[str, object], batches: list[list[NewEvent]]
) -> None:
    """Names, configurations, kinds, moments and data of any depth and script; then once more through a file."""
    row = store.create_table(name, config)
    assert (row.name, row.config) == (name, config)
    assert store.table(row.id) == row
    stored = [event for batch in batches for event in store.append(row.id, batch)]
    given_events = [(e.kind, e.data, e.at and e.at.astimezone(UTC)) for batch in batches for e in batch]
    assert [(event.kind, event.data, event.at) for event in stored] == given_events
    assert [event.seq for event in stored] == list(range(1, len(stored) + 1))
    assert store.events(row.id) == tuple(stored)
    export_table(store, row.id, None, tmp_path / "t.zip")
    copy = import_table(store, tmp_path / "t.zip", None)
    again = [(event.kind, event.data, event.at, event.hash) for event in store.events(copy.id)]
    assert again == [(event.kind, event.data, event.at, event.hash) for event in stored]


STEPS = st.lists(
    st.one_of(
        st.lists(st.sampled_from("abc"), max_size=3),
        st.tuples(st.just("undo"), st.integers(1, 4)),
        st.just("redo"),
        st.just("match"),
    ),
    max_size=25,
)


@settings(settings.get_profile("store"), max_examples=100)
@given(steps=STEPS)
def test_a_journal_equals_lists_that_are_undone_and_redone(memory: Store, steps: list[object]) -> None:
    """Against a model of plain lists, and against itself opened anew, after any sequence of steps."""
    store, table = memory, memory.create_table("A", {}).id
    journal = StoreJournal(store, table)
    lines, undone, matches = list[str](), list[list[str]](), list[tuple[str, ...]]()
    for step in steps:
        before = store.last_seq(table)
        if isinstance(step, list):
            journal.add(step)
            lines += step
            undone = undone if not step else []
        elif step == "redo" and undone:
            journal.redo()
            lines += undone.pop()
        elif step == "match":
            journal.new_match()
            if lines:
                matches.append(tuple(lines))
                lines, undone = [], []
        elif isinstance(step, tuple) and step[1] <= len(lines):
            journal.undo(step[1])
            undone.append(lines[-step[1] :])
            del lines[-step[1] :]
        else:
            with pytest.raises(StoreError):
                journal.undo(step[1]) if isinstance(step, tuple) else journal.redo()
            assert store.last_seq(table) == before
        assert store.last_seq(table) >= before
    again = RecordLines(store.events(table))
    assert (again.lines, again.matches, again.undone) == (lines, matches, [tuple(group) for group in undone])
    assert (journal.matches, journal.undone) == (tuple(matches), tuple(again.undone))
    assert journal.text == "\n".join((*lines, ""))
