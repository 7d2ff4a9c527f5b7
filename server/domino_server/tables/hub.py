"""Whoever looks on: news of a table go to every subscriber, and one who is slow gets the newest state instead.

Everything here runs in the event loop; `Hub.publish` alone may be called from other threads.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

MOST_WAITING: Final = 64
"""So many events wait for a subscriber; after that he is behind, and is told how the table stands."""


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of news.

    Attributes:
        name: what it is: `snapshot`, `private`, `status`, or the kind of a numbered event.
        data: JSON, without line breaks.
        seq: its number; None for what has none.
        sse: the item as it goes over the line to all who read events, written once.
    """

    name: str
    data: str
    seq: int | None = None
    sse: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        head = "" if self.seq is None else f"id: {self.seq}\n"
        object.__setattr__(self, "sse", f"{head}event: {self.name}\ndata: {self.data}\n\n".encode())


@dataclass(frozen=True, slots=True)
class News:
    """What a table publishes at once, in the order in which it is to be heard.

    Attributes:
        events: numbered events, each for everybody (or None) and for those who keep the table.
        snapshot: the state behind them, for everybody.
        private: the private part, for those who keep the table.
        status: news of camera and picture.
    """

    events: tuple[tuple[Item | None, Item], ...] = ()
    snapshot: Item | None = None
    private: Item | None = None
    status: Item | None = None


def as_json(value: Any) -> str:
    """Return plain values as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Subscription:
    """One who looks on. Iterate with `next`; leave with `Hub.leave`.

    Attributes:
        private: whether he keeps the table.
        behind: he missed events; the caller calls `catch_up`, fetches those behind `last_seq` and calls `heard`.
        closed: there will be no more news.
        last_seq: number of the newest event that he was given.
    """

    def __init__(self, *, private: bool, last_seq: int, behind: bool = False) -> None:
        """Start with nothing to tell; events up to `last_seq` are known."""
        self.private = private
        self.behind = behind
        self.closed = False
        self.last_seq = last_seq
        self._events: deque[Item] = deque()
        self._newest: dict[str, Item] = {}
        self._news = asyncio.Event()

    def offer(self, news: News) -> None:
        """Take in news; never waits."""
        if not self.behind:
            self._events.extend(self._heard(news))
            if len(self._events) > MOST_WAITING:
                self._events.clear()
                self.behind = True
        for item in (news.snapshot, news.private if self.private else None, news.status):
            if item is not None:
                self._newest[item.name] = item
        self._news.set()

    def _heard(self, news: News) -> Iterator[Item]:
        for public, full in news.events:
            item = full if self.private else public
            if item is not None:
                yield item

    async def next(self, quiet_s: float) -> list[Item]:
        """Return what is new: events in order, then the newest state; nothing after a quiet while, or at the end."""
        if not self._news.is_set():
            try:
                await asyncio.wait_for(self._news.wait(), quiet_s)
            except TimeoutError:
                return []
        self._news.clear()
        items = [item for item in self._events if item.seq is not None and item.seq > self.last_seq]
        self._events.clear()
        if items:
            self.heard(items[-1].seq)
        items += [self._newest[name] for name in ("snapshot", "private", "status") if name in self._newest]
        self._newest.clear()
        return items

    def catch_up(self) -> int:
        """Begin to catch up: new events wait again, those behind the number returned are to be fetched."""
        self.behind = False
        return self.last_seq

    def heard(self, seq: int | None) -> None:
        """Note that he was given the events up to `seq`: none of them comes again."""
        self.last_seq = max(self.last_seq, seq or 0)

    def close(self) -> None:
        """Let him go: there will be no more news."""
        self.closed = True
        self._news.set()


class Hub:
    """Gives the news of one table to its subscribers.

    Attributes:
        told: number of the newest event that was given to the subscribers.
    """

    def __init__(self) -> None:
        """Start without subscribers."""
        self.told = 0
        self._subscribers: set[Subscription] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def __len__(self) -> int:
        return len(self._subscribers)

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Say in which event loop the subscribers live."""
        self._loop = loop

    def publish(self, news: News) -> None:
        """Give news to all subscribers; from any thread."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return
        try:
            loop.call_soon_threadsafe(self._fan_out, news)
        except RuntimeError:  # the loop was closed just now
            return

    def join(self, *, private: bool, last_seq: int, behind: bool = False) -> Subscription:
        """Add a subscriber who knows the events up to `last_seq`; call in the event loop."""
        subscription = Subscription(private=private, last_seq=last_seq, behind=behind)
        if self._closed:
            subscription.close()
        self._subscribers.add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Forget a subscriber."""
        self._subscribers.discard(subscription)

    def close(self) -> None:
        """Let all subscribers go, now and later; from any thread."""
        self._closed = True
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._say_goodbye)

    def _fan_out(self, news: News) -> None:
        self.told = max((item.seq or 0 for _, item in news.events), default=self.told)
        for subscription in self._subscribers:
            subscription.offer(news)

    def _say_goodbye(self) -> None:
        for subscription in self._subscribers:
            subscription.close()
