"""News of a table: in order, once, bounded; who falls behind says so and is caught up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from domino_server.tables.hub import MOST_WAITING, Hub, Item, News, as_json
from domino_server.tables.rename import renamed
from domino_server.tables.said import open_line, public_part
from domino_server.tables.spectacles import Spectacles
from domino_server.tables.undo import last_step


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Run in a loop of its own, whatever this thread runs."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def event(seq: int, *, private: bool = False) -> News:
    item = Item("move", as_json({"seq": seq}), seq)
    return News(events=((None if private else item, item),))


def test_subscribers_hear_what_is_for_them_in_order() -> None:
    """Events come in order, then the newest state only; private ones go to those who keep the table."""

    async def work() -> tuple[list[Item], list[Item]]:
        hub = Hub()
        hub.bind(asyncio.get_running_loop())
        everybody, keeper = hub.join(private=False, last_seq=3), hub.join(private=True, last_seq=3)
        for news in (event(3), event(4), event(5, private=True), event(6)):
            hub.publish(news)
        for seq in (5, 6):
            hub.publish(News(snapshot=Item("snapshot", "{}", seq), private=Item("private", "{}")))
        await asyncio.sleep(0)
        return await everybody.next(1), await keeper.next(1)

    everybody, keeper = run(work())
    assert [(item.name, item.seq) for item in everybody] == [("move", 4), ("move", 6), ("snapshot", 6)]
    assert [item.seq for item in keeper] == [4, 5, 6, 6, None]
    assert everybody[0].sse == b'id: 4\nevent: move\ndata: {"seq":4}\n\n'


def test_who_does_not_listen_is_behind_and_holds_little() -> None:
    """Beyond the bound nothing is kept for a subscriber but the newest state; after catching up events come again."""

    async def work() -> None:
        hub = Hub()
        hub.bind(asyncio.get_running_loop())
        sleeper = hub.join(private=False, last_seq=0)
        for seq in range(1, 10 * MOST_WAITING):
            hub.publish(event(seq))
            hub.publish(News(snapshot=Item("snapshot", "{}", seq)))
        await asyncio.sleep(0)
        items = await sleeper.next(1)
        assert sleeper.behind
        assert [item.name for item in items] == ["snapshot"]
        assert sleeper.catch_up() == 0
        sleeper.heard(10 * MOST_WAITING - 1)
        hub.publish(event(10 * MOST_WAITING - 1))
        hub.publish(event(10 * MOST_WAITING))
        await asyncio.sleep(0)
        assert [item.seq for item in await sleeper.next(1)] == [10 * MOST_WAITING]
        assert await sleeper.next(0.01) == []

    run(work())


def test_news_come_from_any_thread_and_end_with_goodbye() -> None:
    """Threads may publish; once the hub says goodbye everybody is let go, and nothing is told any more."""

    async def work() -> None:
        hub = Hub()
        hub.publish(event(1))
        hub.bind(asyncio.get_running_loop())
        listener = hub.join(private=False, last_seq=0)
        threads = [threading.Thread(target=hub.publish, args=(event(seq),)) for seq in (5,)]
        for thread in threads:
            thread.start()
        assert [item.seq for item in await listener.next(5)] == [5]
        assert hub.told == 5
        threading.Thread(target=hub.close).start()
        assert await listener.next(5) == []
        assert listener.closed
        assert hub.join(private=False, last_seq=0).closed

    run(work())


@pytest.mark.parametrize(
    ("lines", "game", "count"),
    [
        (["Game: cincos", "Seats: A B"], "cincos", 0),
        (["Game: cincos", "", "Hand 1", "A 6-6 start"], "cincos", 3),
        (["Game: cincos", "", "Hand 1", "Opener: A (told)", "A 6-6 start", "B 6-1 L"], "cincos", 1),
        (["Game: bingo", "", "Hand 1", "Table: 6-3", "A leads 5-5"], "bingo", 1),
        (["Game: bingo", "", "Hand 1", "Table: 6-3"], "bingo", 3),
        (["Hand 1", "Adjust A: -90 ; piles recounted", 'Adjust "B C": +90 ; piles recounted'], "tiu-u", 2),
        (["Hand 1", *["Adjust A: -9 ; piles recounted", "Adjust B: +9 ; piles recounted"] * 2], "tiu-u", 2),
        (["Hand 1", "A stock 3-1", "Adjust A: -90 ; late"], "tiu-u", 1),
        (["Game: cincos", "", "Hand 1", "A 6-6 start", "Shown B: 1-1", "", "Hand 2", "Deal A: 6-6"], "cincos", 3),
        (["Hand 1", "A draws ?", "A 6-5 L", "Correct 1: A draws ? (seen one_look)"], "cincos", 2),
        (["Hand 1", "A draws ?", "Shown A: 1-1", *["Correct 1: A draws ?", "Correct 2: A draws ?"]], "cincos", 3),
        (["Hand 1", "A draws ?", "A 6-5 L", "Correct 1: insert A draws ? (inferred played_on)"], "cincos", 1),
        (["Hand 1", "A 6-5 L", "Correct 1: A draws ? (told)"], "cincos", 1),
    ],
)
def test_a_step_back_is_a_move_or_the_head_of_a_hand(lines: list[str], game: str, count: int) -> None:
    """One step undoes one line, a recount its line for each player, the first move of a line also its hand's head."""
    assert last_step(lines, game) == count


def test_names_are_changed_where_the_notation_has_them() -> None:
    """Players and sides are renamed in headers, deals, moves and corrections; words and tiles that look alike stay."""
    lines = [
        "Seats: A draws", "Sides: A | draws", "Deal A: 6-4 ?x6", "Opener: A (told)", "A draws ?", "draws 6-4 L (told)",
        "Correct 3: insert draws 6-1 R", "Correct 2: remove", "Adjust A: +5 ; A said so", "Shown draws: none (told)",
        'A passes ; "A" and draws', "Option.target: 150",
    ]  # fmt: skip
    assert renamed(lines, {"A": "Doña Ana", "draws": "Bo"}) == [
        'Seats: "Doña Ana" Bo', 'Sides: "Doña Ana" | Bo', 'Deal "Doña Ana": 6-4 ?x6', 'Opener: "Doña Ana" (told)',
        '"Doña Ana" draws ?', "Bo 6-4 L (told)", "Correct 3: insert Bo 6-1 R", "Correct 2: remove",
        'Adjust "Doña Ana": +5 ; A said so', "Shown Bo: none (told)", '"Doña Ana" passes ; "A" and draws',
        "Option.target: 150",
    ]  # fmt: skip


def test_private_events_have_no_public_part() -> None:
    """Questions, answers, hands and findings are for the staff; what cannot be read is told without words."""
    for name in ("question", "settled", "shown", "finding", "told", "refused", "something new"):
        assert public_part({"event": name}, "points") is None
    assert open_line("A draws 6-4") == "A draws ?"
    assert open_line("no move") == ""


def test_spectacles_are_clear_until_something_is_told() -> None:
    """Corrections of the picture begin with none and end when the table is laid anew."""
    spectacles = Spectacles()
    assert spectacles.clear
    spectacles.phantoms.append((1.0, 2.0))
    assert not spectacles.clear
    spectacles.forget()
    assert spectacles.clear
