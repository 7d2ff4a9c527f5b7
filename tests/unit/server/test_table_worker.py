"""The thread of a table when things go wrong: cameras that vanish, crashes, full disks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import pytest

from domino_rules.errors import DominoError
from domino_rules.notation import format_move
from domino_server.pacing import STILL_TIMES
from domino_server.store import Store, StoreError
from domino_server.tables import eyes as eyes_module
from domino_server.tables import worker as worker_module
from domino_server.tables.commands import COMMAND
from domino_server.tables.config import TableConfig
from domino_server.tables.frames import Pushed
from domino_server.tables.manager import TableManager
from domino_server.tables.states import TableState
from domino_server.tables.witness import witnesses_in
from domino_server.tables.worker import Teller, Worker
from domino_vision.errors import SourceError
from domino_vision.sources import Shot, Source, VideoFileSource
from domino_vision.types import Frame
from tests.table_frames import SIZE_WH, Film, draw, pincset_tables

RECORD, TABLES = pincset_tables(3, 3)
OPENER = RECORD.hands[0].moves[0].move.player
KEEPER = Teller("keeper", "token")


class Plug(Source):
    """A camera that shows what it is told to, and can be unplugged."""

    live = True
    name = "plug"

    def __init__(self) -> None:
        self.picture = draw(TABLES[0], 0)
        self.out = threading.Event()
        self.opened = 0

    def __next__(self) -> Shot:
        time.sleep(0.03)
        if self.out.is_set():
            raise SourceError("camera_lost", "camera 0 sends no more frames", name="camera 0")
        return Shot("plug", Frame(self.picture, time.monotonic()))

    def open(self, source: str) -> Source:
        self.opened += 1
        if self.out.is_set():
            raise SourceError("camera_missing", f"no camera with index {source}", index=source)
        return self


@pytest.fixture
def film() -> Film:
    film = Film()
    for table in TABLES:
        film.show(table)
    return film


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(f"sqlite:///{tmp_path / 'tables.db'}")
    yield store
    store.close()


def manager_of(store: Store, film: Film, open_: Callable[[str], Source] | None = None) -> TableManager:
    more = {} if open_ is None else {"open_source": open_}
    return TableManager(store, lambda _: film, witnesses_in(None), **more)  # type: ignore[arg-type]


def config(**changes: object) -> TableConfig:
    plain = {"game": "pincset", "seats": list("ABCD"), "options": {"force_66": "false"}, "source": "push"}
    return TableConfig.model_validate({**plain, "use_zones": False, "opener": OPENER, **changes})


def started(manager: TableManager, **changes: object) -> Worker:
    row = manager.create("T", config(**changes))
    manager.start(row.id)
    return manager.running(row.id)


def until(worker: Worker, what: Callable[[TableState], bool], seconds: float = 30) -> TableState:
    deadline = time.monotonic() + seconds
    while not what(worker.snapshot.state):
        assert time.monotonic() < deadline, worker.snapshot.state
        time.sleep(0.02)
    return worker.snapshot.state


def photograph(worker: Worker, film: Film, number: int) -> None:
    data = cv2.imencode(".jpg", draw(TABLES[number], number))[1].tobytes()
    worker.slot.put(Pushed(data, time.monotonic(), still=True))


def test_a_single_picture_stands_before_the_camera(store: Store, film: Film, tmp_path: Path) -> None:
    """It is read like a table that is filmed, and stays there, live, until the table is stopped."""
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), draw(TABLES[0], 0))
    manager = manager_of(store, film)
    worker = started(manager, source=str(picture))
    until(worker, lambda state: len(state.moves) == 1)
    seen = until(worker, lambda state: state.picture > STILL_TIMES).picture
    state = until(worker, lambda state: state.picture > seen)
    assert (state.camera.state, state.settle.code) == ("live", "at_rest")
    begin = time.monotonic()
    manager.close()
    assert time.monotonic() - begin < 5


def test_the_last_table_of_a_video_is_read(store: Store, film: Film) -> None:
    """A video that ends as soon as the tile lies there is not too short."""

    class Short(VideoFileSource):
        def __init__(self) -> None:
            frames = [draw(TABLES[0], 0)] * 12 + [draw(TABLES[1], 1)] * 2
            self._shots = iter([Shot(f"film#{n}", Frame(bgr, n / 10)) for n, bgr in enumerate(frames)])

        def __next__(self) -> Shot:
            return next(self._shots)

        def close(self) -> None: ...

    manager = manager_of(store, film, lambda _: Short())
    worker = started(manager, source="film.mp4")
    state = until(worker, lambda state: state.camera.state == "ended")
    assert len(until(worker, lambda state: len(state.moves) == 2).moves) == 2
    assert state.picture
    manager.close()


def test_camera_that_is_unplugged_comes_back(store: Store, film: Film) -> None:
    """An unplugged camera is lost, with the reason; it is opened again, and the game goes on where it was."""
    plug = Plug()
    manager = manager_of(store, film, plug.open)
    worker = started(manager, source="0")
    until(worker, lambda state: len(state.moves) == 1)
    plug.out.set()
    lost = until(worker, lambda state: state.camera.state == "lost")
    assert lost.camera.code in {"camera_lost", "camera_missing"}
    opened = plug.opened
    plug.picture = draw(TABLES[1], 1)
    plug.out.clear()
    state = until(worker, lambda state: len(state.moves) == 2)
    assert (state.camera.state, state.camera.code) == ("live", None)
    assert plug.opened > opened
    manager.close()


def test_crash_at_a_picture_begins_anew_with_what_is_committed(store: Store, film: Film) -> None:
    """A mistake of ours is logged and counted; the moves stay, and the next pictures are read as before."""
    manager = manager_of(store, film)
    worker = started(manager)
    photograph(worker, film, 0)
    until(worker, lambda state: len(state.moves) == 1)
    film.fail = 1
    photograph(worker, film, 1)
    until(worker, lambda state: state.camera.code == "internal_error")
    assert len(worker.snapshot.state.moves) == 1
    photograph(worker, film, 1)
    state = until(worker, lambda state: len(state.moves) == 2)
    assert state.phase == "running"
    assert manager.metrics.crashes.labels(worker.row.id)._value.get() == 1
    manager.close()


def test_table_that_crashes_again_and_again_stops(store: Store, film: Film) -> None:
    """After several mistakes within a minute the table stops and says so; what was played is there."""
    manager = manager_of(store, film)
    worker = started(manager)
    film.fail = 10**6
    deadline = time.monotonic() + 60
    while worker.alive and time.monotonic() < deadline:
        photograph(worker, film, 0)
        time.sleep(0.05)
    assert not worker.alive
    assert (worker.snapshot.state.phase, worker.snapshot.state.camera.code) == ("stopped", "internal_error")
    assert manager.snapshot(worker.row.id).state.phase == "stopped"
    manager.close()


def test_full_disk_holds_the_game_up_and_loses_nothing(
    store: Store, film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the disk is full nothing is committed and everybody can see why; once there is room the move is made."""
    monkeypatch.setattr(worker_module, "RETRY_S", 0.05)
    manager = manager_of(store, film)
    worker = started(manager)
    photograph(worker, film, 0)
    until(worker, lambda state: len(state.moves) == 1)
    real = store.append

    def full(table: str, events: object) -> object:
        raise StoreError("store_full", "the disk is full")

    monkeypatch.setattr(store, "append", full)
    photograph(worker, film, 1)
    until(worker, lambda state: state.camera.code == "store_full")
    refused = worker.submit(COMMAND.validate_python({"op": "take_back"}), KEEPER)
    with pytest.raises(DominoError, match="full"):
        refused.result(10)
    assert len(worker.snapshot.state.moves) == 1
    monkeypatch.setattr(store, "append", real)
    state = until(worker, lambda state: len(state.moves) == 2)
    assert state.camera.code is None
    assert [move.text for move in state.moves] == [format_move(m.move) for m in RECORD.hands[0].moves[:2]]
    assert not store.events(worker.row.id, kinds={"told"}), "what could not be kept was not carried out, nor kept later"
    manager.close()


def test_silent_phone_is_lost(store: Store, film: Film, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that sends nothing for a while is told as lost, and as live at its next picture."""
    monkeypatch.setattr(eyes_module, "SILENT_S", 1.0)
    manager = manager_of(store, film)
    worker = started(manager)
    photograph(worker, film, 0)
    lost = until(worker, lambda state: state.camera.state == "lost")
    assert lost.camera.code == "camera_silent"
    photograph(worker, film, 0)
    until(worker, lambda state: state.camera.state == "live")
    manager.close()


def test_tables_that_ran_are_started_again(store: Store, film: Film) -> None:
    """A server that ends takes up its running tables at the next start; a stopped one stays stopped."""
    manager = manager_of(store, film)
    worker = started(manager)
    photograph(worker, film, 0)
    until(worker, lambda state: len(state.moves) == 1)
    stopped = started(manager)
    manager.stop(stopped.row.id)
    manager.close()
    assert not worker.alive
    again = manager_of(store, film)
    again.resume()
    assert again.is_running(worker.row.id)
    assert not again.is_running(stopped.row.id)
    assert len(again.snapshot(worker.row.id).state.moves) == 1
    photograph(again.running(worker.row.id), film, 1)
    until(again.running(worker.row.id), lambda state: len(state.moves) == 2)
    again.close()


def test_table_that_cannot_start_holds_up_no_other(store: Store, film: Film) -> None:
    """A configuration that this version does not know stops its own table, not the server."""
    manager = manager_of(store, film)
    good, bad = started(manager).row.id, started(manager).row.id
    manager.close()
    store.configure(bad, config={**store.table(bad).config, "from_the_future": 1})
    again = manager_of(store, film)
    again.resume()
    assert again.is_running(good)
    assert not again.is_running(bad)
    with pytest.raises(DominoError) as refused:
        again.start(bad)
    assert refused.value.code == "invalid_request"
    again.close()


def test_stopped_table_refuses_what_waits(store: Store, film: Film) -> None:
    """Commands to a table that stops are answered: carried out, or refused because it is stopped."""
    manager = manager_of(store, film)
    worker = started(manager)
    manager.stop(worker.row.id)
    with pytest.raises(DominoError) as refused:
        worker.submit(COMMAND.validate_python({"op": "undo"}), KEEPER).result(5)
    assert refused.value.code == "table_stopped"
    with pytest.raises(DominoError) as missing:
        manager.running(worker.row.id)
    assert missing.value.code == "table_stopped"
    manager.close()


def test_folder_is_a_camera(store: Store, film: Film, tmp_path: Path) -> None:
    """The pictures of a folder are shown one after the other, then it has ended until some are added."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    manager = manager_of(store, film)
    worker = started(manager, source=str(folder), every_s=0.05)
    time.sleep(0.5)
    assert worker.snapshot.state.camera.state == "waiting"
    cv2.imwrite(str(folder / "1.png"), draw(TABLES[0], 0))
    until(worker, lambda state: len(state.moves) == 1)
    until(worker, lambda state: state.camera.state == "ended")
    (folder / "2.jpg").write_text("no picture")
    until(worker, lambda state: state.camera.state == "lost")
    cv2.imwrite(str(folder / "3.png"), draw(TABLES[1], 1))
    until(worker, lambda state: len(state.moves) == 2)
    manager.close()


def test_folder_that_was_shown_is_not_shown_again_by_the_next_server(store: Store, film: Film, tmp_path: Path) -> None:
    """A server that starts again has the same moves, and shows what was added meanwhile; who starts it gets it anew."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), draw(TABLES[0], 0))
    before = manager_of(store, film)
    table = started(before, source=str(folder), every_s=0.05).row.id
    until(before.running(table), lambda state: state.camera.state == "ended" and len(state.moves) == 1)
    before.close()

    after = manager_of(store, film)
    after.resume()
    worker = after.running(table)
    state = until(worker, lambda state: state.camera.state == "ended")
    time.sleep(0.5)
    assert (worker.snapshot.state.picture, len(state.moves)) == (0, 1)
    cv2.imwrite(str(folder / "2.png"), draw(TABLES[1], 1))
    until(worker, lambda state: state.camera.state == "ended" and len(state.moves) == 2)
    assert worker.snapshot.state.picture == STILL_TIMES
    after.stop(table)
    after.start(table)
    until(after.running(table), lambda state: state.picture == 2 * STILL_TIMES)
    after.close()


def test_folder_is_shown_again_if_nobody_said_yet_who_leads(store: Store, film: Film, tmp_path: Path) -> None:
    """What was seen before the question was answered is in no record: the next server sees it once more and asks."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number, table in enumerate(TABLES[:3]):
        cv2.imwrite(str(folder / f"{number}.png"), draw(table, number))

    def asked(worker: Worker) -> list[str]:
        until(worker, lambda state: state.camera.state == "ended")
        until(worker, lambda _: bool(worker.snapshot.private.questions))
        return [question.code for question in worker.snapshot.private.questions]

    before = manager_of(store, film)
    table = started(before, source=str(folder), every_s=0.05, opener=None).row.id
    assert asked(before.running(table)) == ["opener"]
    state = until(before.running(table), lambda state: state.layout is not None and len(state.layout.text.split()) == 3)
    assert state.moves == []
    before.close()
    for server in range(2):
        after = manager_of(store, film)
        after.resume()
        worker = after.running(table)
        assert asked(worker) == ["opener"]
        if server:
            answer = COMMAND.validate_python({"op": "answer", "code": "opener", "key": OPENER})
            worker.submit(answer, KEEPER).result(10)
            until(worker, lambda state: len(state.moves) == 3)
        after.close()


def test_folder_that_was_broken_off_goes_on(store: Store, film: Film, tmp_path: Path) -> None:
    """The next server shows what was not shown yet: a picture that comes late is none of another hand."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number, table in enumerate(TABLES):
        cv2.imwrite(str(folder / f"{number}.png"), draw(table, number))
    before = manager_of(store, film)
    table = started(before, source=str(folder), every_s=1.0).row.id
    until(before.running(table), lambda state: len(state.moves) == 2)
    before.close()
    after = manager_of(store, film)
    after.resume()
    worker = after.running(table)
    until(worker, lambda state: state.camera.state == "ended" and len(state.moves) == 3)
    assert worker.snapshot.state.picture <= 2 * STILL_TIMES
    after.close()


def filmed(path: Path, seconds: float) -> None:
    """Write a film of all tables, each for so long."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE_WH)
    assert writer.isOpened()
    for number, table in enumerate(TABLES):
        for _ in range(round(10 * seconds)):
            writer.write(draw(table, number))
    writer.release()


def test_film_that_was_broken_off_goes_on_where_it_was(store: Store, film: Film, tmp_path: Path) -> None:
    """The next server goes on after the last move that was kept; who starts the table anew sees all of it again."""
    path = tmp_path / "film.avi"
    filmed(path, 2.0)
    before = manager_of(store, film)
    table = started(before, source=str(path)).row.id
    until(before.running(table), lambda state: len(state.moves) == 2)
    before.close()
    after = manager_of(store, film)
    after.resume()
    until(after.running(table), lambda state: len(state.moves) == 3 and state.camera.state == "ended")
    shown = after.running(table).snapshot.state.picture
    assert 20 < shown < 40 + STILL_TIMES, "it goes on within the second table"
    after.stop(table)
    after.start(table)
    until(after.running(table), lambda state: state.picture > 2)
    until(after.running(table), lambda state: state.picture > shown)
    after.close()


def test_film_that_breaks_while_it_is_shown_goes_on(store: Store, film: Film, tmp_path: Path) -> None:
    """A disk that fails for a moment: the film is opened again and shows no frame a second time."""
    path = tmp_path / "film.avi"
    filmed(path, 1.0)
    times: list[float] = []

    class Breaking(VideoFileSource):
        def __next__(self) -> Shot:
            shot = super().__next__()
            if len(times) == 15 and shot.frame.at not in times:
                times.append(shot.frame.at)
                raise SourceError("video_unreadable", "the disk is gone", name=self.name)
            times.append(shot.frame.at)
            return shot

    manager = manager_of(store, film, lambda source: Breaking(Path(source)))
    worker = started(manager, source=str(path))
    until(worker, lambda state: state.camera.state == "ended" and len(state.moves) == 3)
    manager.close()
    assert times[16:] == pytest.approx([1.4 + n / 10 for n in range(len(times) - 16)])
    assert worker.snapshot.state.picture < 35 + STILL_TIMES


def test_film_that_was_shown_is_not_shown_again_by_the_next_server(store: Store, film: Film, tmp_path: Path) -> None:
    """It stays ended; another film under its name is shown, and so is one that was broken off with nothing seen."""
    path = tmp_path / "film.mp4"
    path.write_bytes(b"film")

    class Film12(VideoFileSource):
        def __init__(self) -> None:
            self._shots = iter([Shot(f"film#{n}", Frame(draw(TABLES[0], 0), n / 10)) for n in range(12)])

        def __next__(self) -> Shot:
            return next(self._shots)

        def skip_to(self, at: float) -> None: ...

        def close(self) -> None: ...

    def frames_shown() -> int:
        manager = manager_of(store, film, lambda _: Film12())
        manager.resume()
        worker = manager.running(table)
        until(worker, lambda state: state.camera.state == "ended")
        time.sleep(0.3)
        shown = worker.snapshot.state.picture
        manager.close()
        return shown

    first = manager_of(store, film, lambda _: Film12())
    table = first.create("T", config(source=str(path))).id
    first.start(table)
    until(first.running(table), lambda state: state.picture > 2)
    first.close()
    assert frames_shown() > 12
    assert frames_shown() == 0
    path.write_bytes(b"another film")
    assert frames_shown() > 12
    assert frames_shown() == 0
