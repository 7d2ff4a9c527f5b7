"""What a referee says while cameras misread, miss and hide tiles never looks like a lie to `verify`."""

from __future__ import annotations

import pytest

from domino_rules.record_replay import replay
from domino_server.judge.verify_scores import derive
from domino_server.referee import Opener, Referee
from domino_server.referee.events import Event, event_json
from domino_server.store import NewEvent, Store, StoreJournal
from tests.referee_games import Camera, Seen, random_game, sights, truthful

BAD = Seen(misread=0.12, drop=0.15)


def follow(store: Store, game: str, seats: str, seed: int, seen: Seen) -> str:
    """Show a referee a bad film of a match whose record is in the store; return the table."""
    record = random_game(game, seats, seed, hands=3)
    table = store.create_table("T", {}).id
    referee, camera = (
        Referee.start(game, tuple(seats), {}, StoreJournal(store, table)),
        Camera(tuple(seats), seen, seed),
    )
    truth = replay(record)

    def tell(events: tuple[Event, ...]) -> None:
        store.append(table, [NewEvent("said", event_json(event)) for event in events])

    for sight in sights(record, camera):
        camera.calls.clear()
        tell(referee.see(sight))
        if "opener" in referee.questions and not referee.groups:
            tell(referee.tell(Opener(truth.hands[0].steps[0].record.move.player)))
        for question in list(referee.questions.values()):
            told = truthful(referee, question, truth)
            if told is not None and question.code in referee.questions:
                tell(referee.tell(told))
    return table


@pytest.mark.parametrize(("game", "seats"), [("pincset", "ABCD"), ("cincos", "AB"), ("bingo", "AB"), ("tiu-u", "AB")])
@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_was_said_contradicts_the_record(game: str, seats: str, seed: int) -> None:
    """Corrections, late hands and questions included, all scores that were said follow from the moves."""
    store = Store.open("sqlite://")
    table = follow(store, game, seats, seed, BAD)
    assert [problem.text for problem in derive(store.events(table)).problems] == []
