"""What was undone stays undone: over a restart, a mistake of ours and a store that fails, in all four games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from domino_rules.record import Record
from domino_server.store import StoreError
from tests.laid_hands import scenes
from tests.referee_games import Table, random_game
from tests.table_frames import Film
from tests.table_server import House, TableOfTest, house

GAMES = [("pincset", 4, 11), ("cincos", 2, 3), ("bingo", 2, 11), ("tiu-u", 2, 11)]


@pytest.fixture
def server() -> Iterator[House]:
    with house(Film()) as running:
        yield running


def game_of(game: str, seats: int, seed: int) -> Record:
    return random_game(game, [f"P{n}" for n in range(seats)], seed, 1)


def laid(game: str, seats: int, seed: int) -> Iterator[Table]:
    """Yield what lies on the table, look by look."""
    return (scene.table for scene in scenes(game_of(game, seats, seed)) if scene.table is not None)


def played(server: House, game: str, seats: int, seed: int, most: int | None) -> tuple[TableOfTest, list[Table]]:
    """Return a table at which a hand was photographed until it has so many moves, and what lay there each time.

    Without a number it is photographed to its end.
    """
    record = game_of(game, seats, seed)
    opener = record.hands[0].moves[0].move.player
    options = {name: str(value).lower() for name, value in record.options.items()}
    table = server.make(game=game, seats=list(record.seats), opener=opener, options=options, use_zones=True)
    lain = []
    for scene in scenes(record):
        if scene.table is None:
            table.told("pass", player=scene.player)
            continue
        lain.append(scene.table)
        table.photograph(scene.table)
        if scene.doubles is not None:
            table.told("declare", player=scene.player, doubles=scene.doubles)
        if most is not None and len(table.texts()) >= most:
            break
    assert (len(table.state()["hands"]) == 1) if most is None else (len(table.texts()) >= most), table.state()
    return table, lain


def record_of(table: TableOfTest) -> list[str]:
    """Return the lines of a table's record that hold."""
    worker = table.house.manager.worker(table.id)
    assert worker is not None
    lines: list[str] = worker.ask(lambda desk: desk.lines).result(10)
    return lines


def restart(table: TableOfTest) -> None:
    assert table.post("stop").status_code == 200
    assert table.post("start").status_code == 200


@pytest.mark.parametrize(("game", "seats", "seed"), GAMES)
@pytest.mark.parametrize("most", [1, 6, None])
def test_first_look_after_a_restart_makes_nothing_again(
    server: House, game: str, seats: int, seed: int, most: int | None
) -> None:
    """The table lies there as it did: the steps stay undone, over the end of the hand too, and can be done again."""
    table, lain = played(server, game, seats, seed, most)
    whole = record_of(table)
    for _ in range(3):
        if not table.state()["can_undo"]:
            break
        table.told("undo")
        left = record_of(table)
        restart(table)
        table.photograph(lain[-1])
        assert record_of(table) == left
        assert table.state()["can_redo"]
    assert record_of(table) != whole
    while table.state()["can_redo"]:
        table.told("redo")
    assert record_of(table) == whole


def test_what_changes_after_the_restart_is_seen(server: House) -> None:
    """The undone tile is taken off while nobody watches, and another one is laid: that is the move."""
    table, lain = played(server, "cincos", 2, 3, 6)
    whole = table.texts()
    table.told("undo")
    restart(table)
    table.photograph(lain[-2])
    assert table.texts() == whole[:-1]
    table.photograph(lain[-1])
    assert table.texts() == whole
    assert table.state()["moves"][-1]["known"] == "seen"


def test_a_look_that_fails_makes_nothing_again(server: House) -> None:
    """A mistake of ours at a picture begins the table anew with what is committed, without what was undone."""
    table, lain = played(server, "cincos", 2, 3, 4)
    whole = table.texts()
    table.told("undo")
    server.film.fail = 1
    table.photograph(lain[-1])
    table.photograph(lain[-1])
    assert server.film.fail == 0
    assert table.texts() == whole[:-1]
    assert table.told("redo")["moves"][-1]["text"] == whole[-1]


def test_a_store_that_comes_back_makes_nothing_again(server: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look that could not be kept is taken in once the store is back, unless somebody has undone a step by then."""
    table, lain = played(server, "pincset", 4, 11, 2)
    before = record_of(table)
    append, away = server.store.append, [True]

    def failing(*arguments: object, **more: object) -> object:
        if away[0]:
            raise StoreError("store_unreachable", "the database is gone")
        return append(*arguments, **more)  # type: ignore[arg-type]

    again = next(islice(laid("pincset", 4, 11), len(lain), None))
    monkeypatch.setattr(server.store, "append", failing)
    table.post("photo", files={"picture": ("table.jpg", server.film.show(again))})
    table.until(lambda state: state["camera"]["code"] == "store_unreachable")
    away[0] = False
    table.told("undo")
    table.until(lambda state: state["camera"]["code"] is None)
    table.idle()
    assert record_of(table) == before[:-1]
    assert table.state()["can_redo"]
