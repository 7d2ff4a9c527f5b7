"""Streams that end when who reads them may not any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from typing import TypeVar

from starlette.requests import HTTPConnection

from domino_server.access.deps import access_of
from domino_server.access.roles import Principal
from domino_server.access.service import CHECK_S

Item = TypeVar("Item")


async def while_valid(connection: HTTPConnection, who: Principal, stream: AsyncIterable[Item]) -> AsyncIterator[Item]:
    """Yield the items of a stream until the token of `who` is revoked, or the public table is made private.

    Whether it was is asked at every item and in quiet times, with one look at the database a second for all streams
    of the same token or table.
    """
    access = access_of(connection)
    iterator = aiter(stream)
    coming: asyncio.Task[Item] | None = None
    try:
        while True:
            coming = coming or asyncio.create_task(_next(iterator))
            await asyncio.wait({coming}, timeout=CHECK_S)
            if not await access.still_valid(who):
                return
            if not coming.done():
                continue
            try:
                item = coming.result()
            except StopAsyncIteration:
                return
            coming = None
            yield item
    finally:
        await _close(iterator, coming)


async def _next(iterator: AsyncIterator[Item]) -> Item:
    return await anext(iterator)


async def _close(iterator: AsyncIterator[Item], coming: asyncio.Task[Item] | None) -> None:
    if coming is not None:
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)
    close = getattr(iterator, "aclose", None)
    if close is not None:
        await close()
