"""A live table whose database is killed in the middle of a hand: it says so, goes on, and has lost nothing."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from domino_rules.notation import format_move
from domino_server.store import Store, StoreJournal
from tests import databases
from tests.e2e.test_table_streams import Heard
from tests.table_frames import Film, pincset_tables
from tests.table_server import listening

pytestmark = pytest.mark.slow
RECORD, TABLES = pincset_tables(3, 4)
MOVES = [format_move(made.move) for made in RECORD.hands[0].moves[:4]]
OPENER = RECORD.hands[0].moves[0].move.player


def test_table_goes_on_when_its_database_is_back(tmp_path: Path) -> None:
    """What was committed stands, what came meanwhile is refused in words, the look that was lost is taken in again."""
    with databases.fresh("postgresql", tmp_path) as address:
        database, store = databases.postgres(), Store.open(address)
        with closing(store), listening(Film(), store) as house:
            table = house.make(opener=OPENER)
            heard = Heard(table)
            heard.first("snapshot")
            for laid in TABLES[:2]:
                table.photograph(laid)
            assert table.texts() == MOVES[:2]
            heard.wait(2)
            database.kill()
            try:
                photo = {"picture": ("table.jpg", house.film.show(TABLES[2]))}
                assert table.post("photo", files=photo).json().get("code") in {None, "store_unreachable"}
                assert house.client.get("/api/health/ready").status_code == 503
                assert house.client.get("/api/health/live").status_code == 200
                for answer in (table.tell("pass", player="A"), house.client.get("/api/v1/tables")):
                    assert (answer.status_code, answer.json()["code"]) == (503, "store_unreachable")
                    assert str(database.folder) not in answer.text
            finally:
                database.start()
            table.until(lambda state: state["camera"]["code"] is None and state["phase"] == "running")
            for laid in TABLES[2:]:
                table.photograph(laid)
            assert table.texts() == MOVES
            heard.wait(1 + len(MOVES))
            moves = [data["text"] for name, _, data in list(heard.items) if name == "move"]
            assert moves == MOVES
            assert heard.numbers == sorted(set(heard.numbers))
            heard.stop()
            again = Store.open(address)
            kept = StoreJournal(again, table.id).record
            assert [format_move(made.move) for made in kept.hands[0].moves] == MOVES
            again.close()
