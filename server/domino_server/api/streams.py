"""News of a table as a stream: what was missed, how it stands, then whatever happens; nothing lost, nothing twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Final

from domino_server.api.deps import in_thread
from domino_server.services import Services
from domino_server.store import StoredEvent
from domino_server.tables.hub import Item, Subscription, as_json
from domino_server.tables.said import public_part
from domino_server.tables.view import SAID

QUIET_S: Final = 15.0
"""A stream says that it is still there after so long without news."""
_PAGE: Final = 200


async def feed(
    services: Services, table: str, *, private: bool, resume: int | None, quiet_s: float = QUIET_S
) -> AsyncIterator[list[Item]]:
    """Yield news of a table; an empty list after a quiet while.

    Args:
        services: of the application.
        table: its id.
        private: whether the private side is told too.
        resume: number of the last event that the reader has; None for a new reader.
        quiet_s: how long to wait for news.

    Raises:
        StoreError: `unknown_table`, `store_unreachable`.
    """
    manager = services.manager
    hub = await in_thread(services, lambda: manager.hub(table))
    subscription = hub.join(private=private, last_seq=0)
    try:
        snapshot = await in_thread(services, lambda: manager.snapshot(table))
        known = snapshot.state.seq
        if resume is not None and 0 <= resume < known:
            subscription.heard(resume)
            async for items in _missed(services, table, subscription):
                yield items
        subscription.heard(known)
        first = [Item("snapshot", snapshot.state.model_dump_json(), known)]
        yield [*first, Item("private", snapshot.private.model_dump_json())] if private else first
        subscription.behind |= hub.told > known  # told just before the state that includes it was there
        while not subscription.closed:
            if subscription.behind:
                async for items in _missed(services, table, subscription):
                    yield items
            yield await subscription.next(quiet_s)
    finally:
        hub.leave(subscription)


async def _missed(services: Services, table: str, subscription: Subscription) -> AsyncIterator[list[Item]]:
    """Yield the events that a subscriber has missed, from the store, page by page."""
    unit = await in_thread(services, lambda: services.manager.unit(table))
    after = subscription.catch_up()
    while True:
        read = partial(services.store.events, table, after=after, kinds=(SAID,), limit=_PAGE)
        found = await in_thread(services, read)
        items = [item for event in found if (item := _item(event, unit, private=subscription.private)) is not None]
        if found:
            after = found[-1].seq
            subscription.heard(after)
        if items:
            yield items
        if len(found) < _PAGE:
            return


def _item(event: StoredEvent, unit: str, *, private: bool) -> Item | None:
    part = public_part(event.data, unit)
    if part is None and not private:
        return None
    data = {**(event.data if private else {}), **(part or {}), "seq": event.seq, "at": event.at.isoformat()}
    return Item(str(event.data["event"]), as_json(data), event.seq)
