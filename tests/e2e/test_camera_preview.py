"""A look through a camera over HTTP: a stream of pictures, errors before it begins, no more looks than may be."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

import httpx2 as httpx
import numpy as np
import pytest

from domino_server.api import preview
from domino_vision.sources import decode_picture
from tests.network_cameras import mjpeg_camera
from tests.table_frames import Film
from tests.table_server import House, TableOfTest, listening

PATH = "/api/v1/cameras/preview"


@pytest.fixture(scope="module")
def server() -> Iterator[House]:
    with listening(Film()) as running:
        yield running


@pytest.fixture(scope="module")
def table(server: House) -> TableOfTest:
    return server.make(start=False)


@pytest.fixture(scope="module")
def camera() -> Iterator[str]:
    """A camera whose pictures grow lighter."""
    began = time.monotonic()
    with mjpeg_camera(lambda: np.full((720, 1280, 3), min(255, int(20 * (time.monotonic() - began))), np.uint8)) as url:
        yield url


def look(server: House, who: dict[str, str], source: str) -> httpx.Response:
    request = server.client.build_request("POST", PATH, headers=who, json={"source": source})
    return server.client.send(request, stream=True)


def pictures(answer: httpx.Response, count: int) -> list[np.ndarray]:
    """Return the first pictures of a stream."""
    held, found = b"", list[np.ndarray]()
    for chunk in answer.iter_bytes():
        held += chunk
        while b"\r\n\r\n" in held:
            head, _, rest = held.partition(b"\r\n\r\n")
            length = int(head.rpartition(b": ")[2])
            if len(rest) < length:
                break
            found.append(decode_picture(rest[:length], "part"))
            held = rest[length:].lstrip(b"\r\n")
        if len(found) >= count:
            break
    return found


def problem_of(answer: httpx.Response) -> tuple[int, str]:
    answer.read()
    return answer.status_code, answer.json()["code"]


def test_pictures_come_as_they_are_seen(server: House, table: TableOfTest, camera: str) -> None:
    """A keeper gets picture after picture, each newer than the one before."""
    answer = look(server, table.headers["keeper"], camera)
    assert answer.headers["content-type"].startswith("multipart/x-mixed-replace")
    seen = [float(bgr.mean()) for bgr in pictures(answer, 6)]
    answer.close()
    assert seen == sorted(seen)
    assert seen[-1] > seen[0] + 5


def test_what_is_wrong_is_said_before_the_stream(server: House, table: TableOfTest) -> None:
    """A camera that is not there, a file that a keeper may not choose, and who is no keeper."""
    keeper = table.headers["keeper"]
    assert problem_of(look(server, keeper, "http://127.0.0.1:9/x")) == (422, "stream_unreachable")
    assert problem_of(look(server, keeper, "/etc/passwd")) == (403, "path_refused")
    assert problem_of(look(server, table.headers["camera"], "0")) == (403, "not_allowed")
    assert problem_of(look(server, server.admin, "nothing.mp4")) == (422, "source_missing")
    assert server.app.state.services.lookers.borrowed_tokens == 0


def test_so_many_look_at_once_and_then_there_is_room_again(server: House, table: TableOfTest, camera: str) -> None:
    """The fifth is asked to wait; who goes makes room."""
    with ExitStack() as open_now:
        for _ in range(4):
            answer = look(server, table.headers["keeper"], camera)
            open_now.callback(answer.close)
            assert answer.status_code == 200
        assert problem_of(look(server, table.headers["keeper"], camera)) == (503, "cameras_busy")
    deadline = time.monotonic() + 20
    while server.app.state.services.lookers.borrowed_tokens:
        assert time.monotonic() < deadline, "a look that was left holds its place"
        time.sleep(0.05)
    answer = look(server, table.headers["keeper"], camera)
    assert pictures(answer, 1)
    answer.close()


def test_a_look_ends_by_itself(server: House, table: TableOfTest, camera: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody holds a camera for ever."""
    monkeypatch.setattr(preview, "LONGEST_S", 0.5)
    answer = look(server, table.headers["keeper"], camera)
    assert 1 <= len(pictures(answer, 1000)) < 10
    answer.close()


def test_a_look_through_a_picture_ends_with_it(server: House, demo: object) -> None:
    """A file of the house is shown once."""
    answer = look(server, server.admin, f"{demo}/cincos.jpg")
    (shown,) = pictures(answer, 10)
    assert shown.shape == (960, 1280, 3)
