"""Whatever is in an event, its canonical form is one, and any change of any event shows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from domino_server.judge.chain import canonical, genesis, next_hash, timestamp
from domino_server.judge.exported import Line
from domino_server.judge.verify_chain import follow
from domino_server.store.rows import load

NUMBERS = st.one_of(st.integers(-(2**53) + 1, 2**53 - 1), st.floats(allow_nan=False, allow_infinity=False))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=4), inner, max_size=4)),
    max_leaves=8,
)
DATA = st.dictionaries(st.text(max_size=5), JSON, max_size=4)
START = datetime(2026, 11, 30, tzinfo=UTC)


def chain(data: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events of a table as an export holds them."""
    previous, events = genesis("t"), []
    for seq, each in enumerate(data, 1):
        at = START + timedelta(seconds=seq)
        previous = next_hash(previous, "t", seq, at, "said", each)
        events.append({"seq": seq, "at": timestamp(at), "kind": "said", "data": each, "hash": previous})
    return events


def lines(events: list[dict[str, Any]]) -> list[Line]:
    return [Line(number, event) for number, event in enumerate(events, 1)]


@given(DATA)
def test_canonical_json_reads_back_as_itself(data: dict[str, Any]) -> None:
    """What canonical JSON says is read back, and written again it is the same bytes."""
    text = canonical(data)
    assert canonical(load(text.decode())) == text


@given(DATA)
def test_the_order_of_keys_does_not_matter(data: dict[str, Any]) -> None:
    """The same facts in another order are the same."""
    assert canonical(dict(reversed(list(data.items())))) == canonical(data)


@given(st.lists(DATA, min_size=1, max_size=5), st.data())
def test_any_change_is_found_where_it_was_made(data: list[dict[str, Any]], draw: st.DataObject) -> None:
    """Other content of one event breaks the chain at that event; the events before it still hold."""
    events = chain(data)
    at = draw.draw(st.integers(0, len(events) - 1))
    other = draw.draw(DATA)
    assume(canonical(other) != canonical(events[at]["data"]))
    changed = [*events[:at], {**events[at], "data": other}, *events[at + 1 :]]
    held, problem = follow("t", lines(changed))
    assert problem is not None
    assert (len(held), problem.code, problem.seq) == (at, "event_altered", at + 1)


@given(st.lists(DATA, min_size=2, max_size=6), st.data())
def test_a_missing_event_is_named(data: list[dict[str, Any]], draw: st.DataObject) -> None:
    """Whichever event but the last is taken out, it is named; untouched chains hold whole."""
    events = chain(data)
    assert follow("t", lines(events))[1] is None
    at = draw.draw(st.integers(0, len(events) - 2))
    held, problem = follow("t", lines([*events[:at], *events[at + 1 :]]))
    assert problem is not None
    assert (len(held), problem.code, problem.seq) == (at, "event_missing", at + 1)
