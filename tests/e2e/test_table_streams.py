"""Streams over real sockets: events that resume, readers that sleep, phones that push, consoles that tell."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from domino_rules.notation import format_move
from domino_server.api.streams import feed
from domino_server.tables.hub import MOST_WAITING, Item
from tests.referee_games import Table
from tests.table_frames import Film, draw, jpeg, pincset_tables
from tests.table_server import House, TableOfTest, listening

RECORD, TABLES = pincset_tables(3, 4)
PART = '--x\r\nContent-Disposition: form-data; name="picture"; filename="a.jpg"\r\n\r\n'
OPENER = RECORD.hands[0].moves[0].move.player


@pytest.fixture(scope="module")
def server() -> Iterator[House]:
    with listening(Film()) as running:
        yield running


class Heard:
    """Reads a stream of events in a thread of its own."""

    def __init__(self, table: TableOfTest, last: int | None = None) -> None:
        self.items: list[tuple[str, int | None, Any]] = []
        self.status = 0
        self._headers = {} if last is None else {"Last-Event-ID": str(last)}
        self._url = f"{table.house.client.base_url}{table.path}/events"
        self._stop = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with httpx.stream("GET", self._url, headers=self._headers, timeout=60) as answer:
            self.status = answer.status_code
            fields: dict[str, str] = {}
            for line in answer.iter_lines():
                if self._stop:
                    return
                if not line:
                    self._take(fields)
                    fields = {}
                    continue
                name, _, value = line.partition(":")
                fields[name] = value.removeprefix(" ")

    def _take(self, fields: dict[str, str]) -> None:
        if "event" in fields:
            number = int(fields["id"]) if "id" in fields else None
            self.items.append((fields["event"], number, json.loads(fields["data"])))

    @property
    def numbers(self) -> list[int]:
        """Numbers of the events, snapshots left out."""
        return [number for name, number, _ in list(self.items) if number is not None and name != "snapshot"]

    def wait(self, count: int, seconds: float = 20) -> None:
        deadline = time.monotonic() + seconds
        while len(self.numbers) < count:
            assert time.monotonic() < deadline, f"{len(self.numbers)} of {count} events: {self.numbers}"
            time.sleep(0.01)

    def first(self, name: str, seconds: float = 20) -> Any:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = next((data for heard, _, data in list(self.items) if heard == name), None)
            if found is not None:
                return found
            time.sleep(0.01)
        raise AssertionError(f"no {name} among {[item[0] for item in self.items]}")

    def stop(self) -> None:
        self._stop = True


def begun(server: House) -> TableOfTest:
    table = server.make(opener=OPENER)
    table.photograph(TABLES[0])
    assert len(table.texts()) == 1
    return table


def steps(table: TableOfTest, count: int) -> None:
    """Undo and redo: each is an event for everybody."""
    redo = table.state()["can_redo"]
    for _ in range(count):
        assert table.tell("redo" if redo else "undo").status_code == 200
        redo = not redo


def port_of(server: House) -> int:
    return int(str(server.client.base_url).rstrip("/").rpartition(":")[2])


def post_head(table: TableOfTest, length: str) -> str:
    return (
        f"POST {table.path}/photo HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: {table.headers['keeper']['Authorization']}\r\n"
        f"Content-Type: multipart/form-data; boundary=x\r\n{length}\r\n\r\n"
    )


def test_snapshot_comes_first_then_each_event_once_in_order(server: House) -> None:
    """A reader gets the state at once, then a numbered event for each step, each followed by the new state."""
    table = begun(server)
    heard = Heard(table)
    assert heard.first("snapshot")["moves"]
    assert heard.items[0][0] == "snapshot"
    steps(table, 6)
    heard.wait(6)
    assert heard.numbers == sorted(set(heard.numbers))
    assert [name for name, number, _ in heard.items if number in heard.numbers and name != "snapshot"] == [
        "undo", "redo", "undo", "redo", "undo", "redo",
    ]  # fmt: skip
    heard.stop()


def test_reader_that_comes_back_hears_what_it_missed(server: House) -> None:
    """With the number of the last event, a reader hears the missed ones once, in order, and then how it stands."""
    table = begun(server)
    heard = Heard(table)
    heard.first("snapshot")
    steps(table, 4)
    heard.wait(4)
    heard.stop()
    steps(table, 5)
    again = Heard(table, last=heard.numbers[1])
    again.wait(7)
    assert again.numbers[:2] == heard.numbers[2:]
    assert again.numbers == sorted(set(again.numbers))
    first = [name for name, _, _ in again.items].index("snapshot")
    assert again.items[first][2]["seq"] >= again.numbers[6]
    steps(table, 1)
    again.wait(8)
    again.stop()


def test_senseless_last_event_id_is_a_new_reader(server: House) -> None:
    """Whatever stands in Last-Event-ID, the reader gets the state."""
    table = begun(server)
    for last in (10**9, 0):
        heard = Heard(table, last=last)
        assert heard.first("snapshot")["id"] == table.id
        heard.stop()
    headers = {"Last-Event-ID": "drop table"}
    with httpx.stream("GET", f"{server.client.base_url}{table.path}/events", headers=headers, timeout=10) as answer:
        assert next(answer.iter_lines()).startswith(("id: ", "event: snapshot"))


def test_slow_reader_loses_no_number_and_holds_nobody_up(server: House) -> None:
    """A client that stops reading gets every event once it reads again; others hear them at once meanwhile."""
    table = begun(server)
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(("127.0.0.1", port_of(server)))
    slow.sendall(f"GET {table.path}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    quick = Heard(table)
    quick.first("snapshot")
    started = time.monotonic()
    steps(table, 60)
    took = time.monotonic() - started
    quick.wait(60, seconds=5)
    assert took < 60
    slow.settimeout(0.5)
    data = b""
    deadline = time.monotonic() + 20
    while data.count(b"event: undo") + data.count(b"event: redo") < 60 and time.monotonic() < deadline:
        try:
            data += slow.recv(65536)
        except TimeoutError:
            continue
    slow.close()
    numbers = [
        int(block.split(b"id: ")[1].split(b"\n")[0])
        for block in data.split(b"\n\n")
        if b"event: undo" in block or b"event: redo" in block
    ]
    assert numbers == quick.numbers[:60]
    quick.stop()


def test_console_and_pictures_that_nobody_reads_hold_nobody_up(server: House) -> None:
    """A console and a stream of pictures that stop reading: the others go on, and the console then hears the newest."""
    table = begun(server)
    pictures = socket.socket()
    pictures.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    pictures.connect(("127.0.0.1", port_of(server)))
    bearer = table.headers["keeper"]["Authorization"]
    head = f"GET {table.path}/stream.mjpeg HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {bearer}\r\n\r\n"
    pictures.sendall(head.encode())
    quick = Heard(table)
    quick.first("snapshot")
    with socket_of(table, "control", "keeper", max_queue=1) as console:
        steps(table, 120)
        quick.wait(120, seconds=10)
        table.look(server.film.show(TABLES[1]))
        newest = table.state()["seq"]
        heard, deadline = list[int](), time.monotonic() + 20
        while True:
            told = json.loads(console.recv(timeout=20))
            heard += [told["id"]] if told.get("event") in {"undo", "redo"} else []
            if told.get("event") == "snapshot" and told["data"]["seq"] >= newest:
                break
            assert time.monotonic() < deadline, "the console is not caught up"
    assert heard == quick.numbers[:120]
    pictures.close()
    quick.stop()


def test_reader_who_falls_far_behind_is_caught_up_from_the_store(server: House) -> None:
    """More events than wait for a reader: he gets all of them from the store, in order, and then the newest state."""
    table = begun(server)
    services = server.app.state.services

    async def sleepy() -> list[Item]:
        manager = server.manager
        manager.hub(table.id).bind(asyncio.get_running_loop())
        got: list[Item] = []
        stream = feed(services, table.id, private=False, resume=None, quiet_s=0.5)
        got += await anext(stream)
        await asyncio.to_thread(steps, table, 2 * MOST_WAITING)
        async for items in stream:
            got += items
            if not items:
                break
        return got

    worker = server.manager.worker(table.id)
    assert worker is not None
    with ThreadPoolExecutor(1) as aside:  # the browser tests leave a loop running in this thread
        items = aside.submit(lambda: asyncio.run(sleepy())).result()
    numbers = [item.seq for item in items if item.name in {"undo", "redo"} and item.seq is not None]
    assert len(numbers) == 2 * MOST_WAITING
    assert numbers == sorted(set(numbers))
    snapshots = [item for item in items if item.name == "snapshot"]
    assert snapshots[-1].seq == table.state()["seq"]
    own = server.manager.loop
    assert own is not None
    server.manager.hub(table.id).bind(own)


def test_stream_of_a_stopped_table_goes_on_when_it_starts(server: House) -> None:
    """A reader of a table that is not watched hears it start and stop."""
    table = server.make(start=False)
    heard = Heard(table)
    assert heard.first("snapshot")["phase"] == "stopped"
    table.post("start")
    deadline = time.monotonic() + 10
    while not any(data.get("phase") == "running" for name, _, data in list(heard.items) if name == "snapshot"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    heard.stop()


@contextmanager
def socket_of(table: TableOfTest, what: str, who: str, **how: Any) -> Iterator[ClientConnection]:
    url = str(table.house.client.base_url).replace("http", "ws").rstrip("/")
    with connect(f"{url}{table.path}/{what}", max_size=8 * 1024 * 1024, **how) as ws:
        ws.send(json.dumps({"token": table.secrets[who]}))
        yield ws


def test_phone_pushes_frames_and_each_is_acknowledged(server: House) -> None:
    """Frames go up one after the other, each is acknowledged with what the table makes of it; moves come of them."""
    table = server.make(opener=OPENER)
    frame = server.film.show(TABLES[0])
    with socket_of(table, "camera", "camera") as phone:
        assert json.loads(phone.recv())["hello"]["role"] == "camera"
        states = set()
        deadline = time.monotonic() + 20
        number = 0
        while not table.texts() and time.monotonic() < deadline:
            phone.send(frame)
            number += 1
            ack = json.loads(phone.recv())
            assert ack["ack"] == number
            states.add(ack["state"])
            time.sleep(0.05)
        assert table.texts() == [format_move(RECORD.hands[0].moves[0].move)]
        assert states & {"stable", "read", "commit"}  # which of them is acknowledged depends on the moment
        assert table.state()["camera"]["state"] == "live"


def test_torn_and_empty_frames_are_told_and_passed_over(server: House) -> None:
    """Half a JPEG, text and nothing at all are acknowledged with what is wrong; the next whole frame counts."""
    table = server.make()
    whole = server.film.show(TABLES[0])
    with socket_of(table, "camera", "camera") as phone:
        phone.recv()
        codes = []
        for data in (whole[: len(whole) // 2], b"no picture", b""):
            phone.send(data)
            phone.recv()
            table.idle()
            codes.append(table.state()["camera"]["code"])
        assert codes == ["picture_damaged", "not_a_picture", "not_a_picture"]
        phone.send(whole)
        assert not json.loads(phone.recv())["dropped"]
        table.until(lambda state: state["camera"]["code"] is None and state["camera"]["state"] == "live")


def test_who_may_not_push_is_told_so(server: House) -> None:
    """A judge pushes no frames, a wrong token none; a table with another camera says so."""
    table = server.make()
    with socket_of(table, "camera", "judge") as phone:
        assert json.loads(phone.recv())["problem"]["code"] == "not_allowed"
        with pytest.raises(ConnectionClosed):
            phone.recv()
    other = server.make(source=None)
    with socket_of(other, "camera", "camera") as phone:
        assert json.loads(phone.recv())["problem"]["code"] == "not_pushed"


def test_console_hears_everything_and_tells(server: House) -> None:
    """Over one line a keeper hears states, private parts and events, and tells; a wrong command is named."""
    table = begun(server)
    with socket_of(table, "control", "keeper") as console:
        said = [json.loads(console.recv()) for _ in range(3)]
        assert said[0] == {"hello": {"role": "keeper", "table": table.id}}
        assert [each["event"] for each in said[1:]] == ["snapshot", "private"]
        assert said[2]["data"]["observation"]["tiles"]
        console.send(json.dumps({"id": 7, "op": "undo"}))
        answers = [json.loads(console.recv()) for _ in range(4)]
        assert any(each.get("id") == 7 and each.get("ok") for each in answers)
        assert {"undo", "snapshot", "private"} <= {each.get("event") for each in answers}
        for sent, code in ((json.dumps({"id": 8, "op": "fly"}), "invalid_request"), ("[", "invalid_request")):
            console.send(sent)
            assert _problem(console)["code"] == code


def _problem(console: ClientConnection) -> Any:
    for _ in range(10):
        answer = json.loads(console.recv(timeout=10))
        if "problem" in answer:
            return answer["problem"]
    raise AssertionError("no problem was told")


def test_motion_jpeg_shows_the_newest_picture(server: House) -> None:
    """The stream sends whole JPEG pictures, for those who keep the table alone."""
    table = begun(server)
    url = f"{server.client.base_url}{table.path}/stream.mjpeg"
    assert httpx.get(url).status_code == 401
    with httpx.stream("GET", url, headers=table.headers["keeper"], timeout=10) as answer:
        assert answer.headers["content-type"].startswith("multipart/x-mixed-replace")
        data = b""
        for chunk in answer.iter_bytes():
            data += chunk
            if b"\r\n\r\n" in data and len(data) > 3000:
                break
    assert b"Content-Type: image/jpeg" in data
    assert b"\xff\xd8" in data


def test_huge_upload_is_refused_in_words(server: House) -> None:
    """200 MB sent as a photograph are answered with 413 and the limit; the server goes on."""
    table = server.make()
    head = post_head(table, "Transfer-Encoding: chunked")
    with socket.create_connection(("127.0.0.1", port_of(server))) as line:
        line.sendall(head.encode())
        line.sendall(b"%x\r\n%s\r\n" % (len(PART), PART.encode()))
        chunk = b"%x\r\n%s\r\n" % (1 << 20, b"\xff" * (1 << 20))
        for _ in range(200):
            line.sendall(chunk)
        line.sendall(b"0\r\n\r\n")
        line.settimeout(30)
        answer = line.recv(65536)
    assert b" 413 " in answer.split(b"\r\n")[0]
    assert b"upload_too_large" in answer
    assert server.client.get("/api/health/ready").status_code == 200


def test_torn_upload_disturbs_nobody(server: House) -> None:
    """A client that goes away in the middle of a photograph leaves the table as it was."""
    table = begun(server)
    whole = server.film.show(TABLES[1])
    head = post_head(table, f"Content-Length: {len(whole) + 200}") + PART
    with socket.create_connection(("127.0.0.1", port_of(server))) as line:
        line.sendall(head.encode() + whole[: len(whole) // 2])
    time.sleep(0.3)
    assert len(table.texts()) == 1
    table.look(server.film.show(TABLES[1]))
    assert len(table.texts()) == 2


def test_black_frames_are_named(server: House) -> None:
    """A lens that is covered shows as `no_picture`, and the game goes on when it is free again."""
    table = begun(server)
    black = jpeg(draw(Table(), 0) * 0)
    with socket_of(table, "camera", "camera") as phone:
        phone.recv()
        for _ in range(8):
            phone.send(black)
            phone.recv()
            time.sleep(0.05)
    assert table.until(lambda state: state["camera"]["code"] == "no_picture")["settle"]["state"] == "hand"
    table.look(server.film.show(TABLES[1]))
    assert len(table.until(lambda state: len(state["moves"]) == 2)["moves"]) == 2
