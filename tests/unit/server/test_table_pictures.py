"""Pictures on their way to a table: the newest one wins, networks are shared, what is no picture is refused."""

from __future__ import annotations

import threading
import time

import cv2
import numpy as np
import pytest

from domino_server.tables.frames import FairLock, Pushed, Slot, decode_frame
from domino_vision.errors import SourceError


def test_newest_picture_wins() -> None:
    """A picture that nobody took is dropped for a newer one, and its sender told; a photograph stays."""
    news = threading.Condition()
    slot = Slot(news)
    told: list[tuple[str, bool]] = []

    def pushed(name: str, *, still: bool = False) -> Pushed:
        return Pushed(name.encode(), 0.0, lambda took: told.append((name, took)), still)

    slot.put(pushed("a"))
    slot.put(pushed("b"))
    slot.put(pushed("photo", still=True))
    slot.put(pushed("c"))
    with news:
        taken = slot.take()
        assert slot.take() is None
    assert taken is not None
    assert taken.data == b"photo"
    assert told == [("a", False), ("b", False), ("c", False)]
    assert slot.dropped == 3


def test_networks_are_shared_in_turn() -> None:
    """The lock goes round in the order in which it was asked for; who has had it stands behind all who wait."""
    lock, order, rounds = FairLock(), list[int](), 25
    threads = [threading.Thread(target=lambda me=me: take(me), daemon=True) for me in range(4)]

    def take(me: int) -> None:
        for _ in range(rounds):
            with lock.turn():
                order.append(me)
                wait_for(min(3, 4 * rounds - len(order)))

    def wait_for(waiting: int) -> None:
        end = time.monotonic() + 30
        while len(lock._waiting) != waiting:
            assert time.monotonic() < end
            time.sleep(0.0001)

    with lock.turn():
        for number, thread in enumerate(threads, 1):
            thread.start()
            wait_for(number)
    for thread in threads:
        thread.join(30)
    assert order == [0, 1, 2, 3] * rounds


def test_frames_are_decoded_or_refused_with_the_reason() -> None:
    """Whole pictures are decoded; torn, tiny, empty and other things are named."""
    whole = cv2.imencode(".jpg", np.full((64, 96, 3), 90, np.uint8))[1].tobytes()
    assert decode_frame(whole).shape == (64, 96, 3)
    tiny = cv2.imencode(".jpg", np.zeros((8, 8, 3), np.uint8))[1].tobytes()
    for data, code in (
        (b"", "picture_empty"),
        (b"text", "not_a_picture"),
        (tiny, "picture_too_small"),
        (whole[:-9], "picture_damaged"),
    ):
        with pytest.raises(SourceError) as refused:
            decode_frame(data)
        assert refused.value.code == code
