"""A table's match as vision has just seen it: six tiles, committed from frames that a perfect network reads."""

from __future__ import annotations

from domino_server.store import Store
from domino_server.tables.desk import Desk
from domino_server.tables.frames import FairLock, SharedReader
from domino_vision.settle import Commit
from domino_vision.types import Frame
from tests.judge_tables import SEATS
from tests.table_frames import Film, pincset_tables


def seen_desk() -> tuple[Desk, Commit]:
    """Return a desk in a store of its own, and what vision has committed there."""
    film = Film(pincset_tables(3, 6)[1])
    store = Store.open("sqlite://")
    row = store.create_table("Seen", {"game": "pincset", "seats": list(SEATS["pincset"]), "use_zones": False})
    desk = Desk(row, store, SharedReader(film, FairLock()))
    bgr = film.paint(film.tables[-1])
    for number in range(30):
        desk.session.push(Frame(bgr, number / 5))
        if (commit := desk.session.settler.committed) is not None:
            return desk, commit
    raise AssertionError("the table is never committed")
