"""Tables with a whole random match in the store, as the referee would have written it, for tests of the judge's aid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from domino_rules.record import Record
from domino_rules.record_replay import random_record
from domino_rules.state import find_game
from domino_server.judge.heads import Heads
from domino_server.judge.signing import TableKey
from domino_server.referee.events import Event, event_json
from domino_server.referee.ledger import Ledger, header_lines
from domino_server.store import NewEvent, Store, StoreJournal

SEATS = {"pincset": ("Ana", "Bo", "Cleo", "Đorđe"), "cincos": ("Ana", "Bo"), "bingo": ("Ewa", "Jan"),
         "tiu-u": ("Ana", "Bo")}  # fmt: skip


def a_record(game: str, seed: int, hands: int) -> Record:
    """Return the record of a random match."""
    found = find_game(game)
    return random_record(found, found.rules(), SEATS[game], Random(seed), hands=hands)


def said(ledger: Ledger, record: Record) -> Iterator[list[Event]]:
    """Yield what a referee says, step by step, while a match is played."""
    for hand in record.hands:
        yield ledger.start_hand(hand.deal, hand.opener, was_told=False)
        for move in hand.moves:
            yield ledger.commit([move])


def a_table(store: Store, keys: Path, game: str = "pincset", seed: int = 1, hands: int = 2) -> tuple[str, TableKey]:
    """Return a table in the store at which a random match was played, and its key."""
    table = store.create_table(f"Table {seed}", {"game": game, "seats": list(SEATS[game])}).id
    key = TableKey.open(keys, table)
    play(store, table, a_record(game, seed, hands), key)
    return table, key


def play(store: Store, table: str, record: Record, key: TableKey) -> Ledger:
    """Play a record at a table."""
    journal = StoreJournal(store, table)
    journal.add(header_lines(record.game, record.seats, record.options, {}))
    ledger, heads = Ledger(journal), Heads(store, table, key)
    for events in said(ledger, record):
        tell(store, table, events, heads)
    return ledger


def tell(store: Store, table: str, events: Iterable[Event], heads: Heads | None = None) -> None:
    """Keep what the referee says."""
    stored = store.append(table, [NewEvent("said", event_json(event)) for event in events])
    if heads is not None:
        heads.note(stored)
