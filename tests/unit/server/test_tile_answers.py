"""What is asked about a new tile that is hard to read, and what an answer does when the table went on meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from domino_rules.errors import SetupError
from domino_rules.moves import Play
from domino_rules.tile import Tile
from domino_server.referee import Answer, Opener
from domino_server.referee.session import Line
from domino_server.referee.unsure import TILE_QUESTION
from domino_server.store import Store
from domino_server.tables.desk import Desk
from domino_server.tables.frames import FairLock, SharedReader
from domino_vision.settle import SettleState
from domino_vision.types import Detections, Frame, TileReadings, TileRole
from tests.judge_tables import SEATS
from tests.referee_games import Table
from tests.table_frames import Film, pincset_tables, reached_over
from tests.table_server import house

STEP_S = 0.2
TABLES = pincset_tables(3, 6)[1]
"""6-3, 6-2 at its 6, 3-1 at its 3, 2-2, 1-1 at the 1, 5-1."""
OR_BLANK = {1: {1: 0.5, 0: 0.49}}
"""A half with one pip that may be blank as well."""


@dataclass
class Blurred(Film):
    """A film in which halves of some tiles are hard to read: what the network makes of the numbers that they show."""

    doubt: dict[Tile, dict[int, dict[int, float]]] = field(default_factory=dict)
    turned: bool = False
    """Whether all tiles are found the other way round."""

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        found = super().readings(frame, near)
        corners, logp = found.corners_px, found.half_logp.copy()
        for index, halves in enumerate(logp.argmax(2).tolist()):
            for half, pips in enumerate(halves):
                if pips in self.doubt.get(Tile(*halves), {}):
                    p = np.full(logp.shape[2], 1e-4)
                    for read, share in self.doubt[Tile(*halves)][pips].items():
                        p[read] = share
                    logp[index, half] = np.log(p / p.sum())
        if self.turned:
            corners, logp = np.roll(corners, 2, axis=1), logp[:, ::-1].copy()
        return replace(found, corners_px=corners, half_logp=logp)


class Watched:
    """A table at which the first tiles were laid, those that come next blurred."""

    def __init__(self, laid: int, doubt: dict[Tile, dict[int, dict[int, float]]], **config: object) -> None:
        self.film = Blurred()
        store = Store.open("sqlite://")
        setup = {"game": "pincset", "seats": list(SEATS["pincset"]), "use_zones": False, **config}
        row = store.create_table("T", {**setup, "options": {"force_66": "false"}})
        self.desk = Desk(row, store, SharedReader(self.film, FairLock()))
        self.session = self.desk.session
        self.session.tell(Opener(SEATS["pincset"][1]))
        self.at = 0.0
        for table in TABLES[:laid]:
            self.show(table)
        self.film.doubt = doubt

    def show(self, table: Table) -> None:
        self.film.paint(table)
        self.look()

    def look(self, *, arm: bool = False, looks: int = 20) -> None:
        bgr = self.film.paint(self.film.tables[-1])
        for _ in range(looks):
            self.at += STEP_S
            self.session.push(Frame(reached_over(bgr, 0, 0.0) if arm else bgr, self.at))

    def answer(self, key: str) -> list[Line]:
        return self.session.tell(Answer(TILE_QUESTION, key))

    @property
    def offered(self) -> list[str]:
        asked = self.session.referee.questions.get(TILE_QUESTION)
        return [] if asked is None else [choice.key for choice in asked.choices]

    @property
    def laid(self) -> list[str]:
        moves = [record.move for record in self.session.referee.ledger.moves]
        return [str(move.tile) for move in moves if isinstance(move, Play)]

    @property
    def seen(self) -> list[str]:
        shown = self.session.observation
        return [] if shown is None else [str(tile.tile) for tile in shown.tiles]


def without(table: Table, index: int) -> Table:
    return Table([tile for i, tile in enumerate(table.tiles) if i != index], [])


def test_only_what_is_offered_is_an_answer_and_only_once() -> None:
    """Another key is refused, and so is a second answer when the table has gone on, even if no tile lies there."""
    table = Watched(2, {Tile(3, 1): OR_BLANK})
    table.show(TABLES[2])
    assert table.offered == ["right", "0|3", "again"]
    with pytest.raises(SetupError, match="not 5-5"):
        table.answer("5-5")
    assert table.offered
    table.answer("0|3")
    table.look()
    assert table.laid == ["6-3", "6-2", "3-0"]
    with pytest.raises(SetupError) as refused:
        table.answer("0|3")
    assert refused.value.code == "no_such_question"
    table.show(Table([], []))
    with pytest.raises(SetupError):
        table.answer("0|3")


def test_refusals_over_http() -> None:
    """What is no answer, and what comes too late, is a conflict or a fault of the request with its code."""
    film = Blurred()
    with house(film) as server:
        table = server.make(opener="B")
        for shown in TABLES[:2]:
            table.photograph(shown)
        assert table.tell("answer", code=TILE_QUESTION, key="right").json()["code"] == "no_such_question"
        film.doubt = {Tile(3, 1): OR_BLANK}
        table.photograph(TABLES[2])
        (asked,) = table.state()["questions"]
        assert [choice["key"] for choice in asked["choices"]] == ["right", "0|3", "again"]
        assert table.tell("answer", code=TILE_QUESTION, key="?").json()["code"] == "no_such_choice"
        assert table.tell("answer", code=TILE_QUESTION, key="0|3").status_code == 200
        assert table.tell("answer", code=TILE_QUESTION, key="0|3").status_code == 409


def test_an_arm_over_the_table_withdraws_the_question() -> None:
    """It is asked again when the arm has left; an answer meanwhile says nothing of the tiles that vision remembers."""
    table = Watched(2, {Tile(3, 1): OR_BLANK})
    table.show(TABLES[2])
    table.look(arm=True, looks=2)
    assert table.session.settler.state is SettleState.HAND
    assert not table.offered
    with pytest.raises(SetupError):
        table.answer("0|3")
    table.session.name_tile(2, (0, 3))
    assert not any(tile.told for tile in table.session.settler.tracker.memory.tiles)
    table.look()
    assert table.offered


def test_a_tile_taken_back_after_the_answer_is_gone() -> None:
    """The table is read once more with what was told; a tile that nobody committed is none that was overlooked."""
    table = Watched(2, {Tile(3, 1): OR_BLANK})
    table.show(TABLES[2])
    table.answer("0|3")
    table.show(TABLES[1])
    assert table.seen == ["6-3", "6-2"]
    assert table.laid == ["6-3", "6-2"]


def test_another_tile_laid_where_one_was_told_is_read_as_itself() -> None:
    """What was said of a tile goes with it once the table was committed without it."""
    table = Watched(2, {Tile(3, 1): OR_BLANK})
    table.show(TABLES[2])
    table.answer("0|3")
    table.look()
    assert table.seen == ["6-3", "6-2", "3-0"]
    table.film.doubt = {}
    table.show(TABLES[1])
    table.show(TABLES[2])
    assert table.seen == ["6-3", "6-2", "3-1"]


def test_a_named_tile_that_is_found_the_other_way_round_is_the_same() -> None:
    """Which half comes first may change from look to look; nobody played against the rules."""
    table = Watched(2, {Tile(3, 1): OR_BLANK})
    table.show(TABLES[2])
    table.film.turned = True
    table.answer("0|3")
    table.look()
    assert table.laid == ["6-3", "6-2", "3-0"]
    assert table.session.referee.pause is None


def test_two_tiles_in_doubt_where_they_meet_are_asked_about() -> None:
    """The rules leave one reading of each only if the other is what it is taken for: a person's word settles both."""
    table = Watched(2, {Tile(3, 1): OR_BLANK, Tile(1, 1): OR_BLANK})
    table.show(Table([TABLES[4].tiles[i] for i in (0, 1, 2, 4)], []))
    assert table.offered == ["right", "0|3", "again"]
    assert table.laid == ["6-3", "6-2"]
    table.answer("0|3")
    table.look()
    assert not table.offered
    assert table.laid == ["6-3", "6-2", "3-0", "0-0"]


def test_that_one_tile_is_right_says_nothing_of_another_in_doubt() -> None:
    """Two tiles that came at once are asked about one after the other, though the first was read rightly."""
    table = Watched(0, {Tile(6, 3): {3: {3: 0.5, 1: 0.49}}, Tile(6, 2): {2: {2: 0.5, 0: 0.49}}})
    table.show(TABLES[1])
    asked = [str(tile) for tile in table.session.referee.questions[TILE_QUESTION].tiles]
    table.answer("right")
    assert not table.seen
    table.look()
    asked += [str(tile) for tile in table.session.referee.questions[TILE_QUESTION].tiles]
    assert sorted(asked) == ["6-2", "6-3"]
    table.answer("right")
    assert sorted(table.seen) == ["6-2", "6-3"]


def test_the_first_tile_of_a_hand_is_asked_about() -> None:
    """Between hands no rule speaks against any reading: no hand begins with one that is hard to read."""
    table = Watched(0, {Tile(6, 3): {6: {6: 0.5, 5: 0.49}}})
    table.show(TABLES[0])
    assert table.offered == ["right", "3|5", "again"]
    assert table.session.referee.ledger.hand == 0
    table.answer("3|5")
    table.look()
    assert table.laid == ["5-3"]


def test_no_tile_that_the_rules_do_not_know_is_read() -> None:
    """A set with more pips than the game's was named: its tiles are doubts, and the table goes on."""
    table = Watched(2, {Tile(3, 1): {1: {9: 0.999}}}, set="double-nine")
    table.show(TABLES[2])
    assert "again" in table.offered
    table.show(TABLES[3])
    assert all(Tile.parse(tile).high <= 6 for tile in table.seen)


def test_a_table_that_is_laid_anew_asks_nothing_of_the_one_before() -> None:
    """A hand that is dealt again: the question about a tile of the last look is gone with it."""
    table = Watched(2, {Tile(3, 1): OR_BLANK})
    table.show(TABLES[2])
    assert {"event": "settled", "code": TILE_QUESTION, "answer": None} in table.desk.laid_anew()
    assert not table.offered
    with pytest.raises(SetupError):
        table.answer("right")


def test_hand_that_is_turned_up_far_from_all_tiles_is_seen_once_another_one_lies_there() -> None:
    """What is watched is what surrounds the tiles; when somebody turns his tiles up, others do, far from these."""
    table = Watched(2, {}, use_zones=True)
    across = np.array([1.0, 0.0])
    near = (np.array([0.0, 330.0]), across, (5, 4), TileRole.LOOSE)
    far = (np.array([0.0, -330.0]), across, (4, 4), TileRole.LOOSE)
    table.film.paint(Table([*TABLES[1].tiles, near], TABLES[1].joins))
    table.look(arm=True)
    table.look()
    assert table.seen[-1] == "5-4"
    table.show(Table([*TABLES[1].tiles, near, far], TABLES[1].joins))
    assert "4-4" in table.seen
