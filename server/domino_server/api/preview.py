"""A look through a camera before a table is made for it: its pictures as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Final

from anyio import CapacityLimiter, WouldBlock
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from domino_rules.errors import DominoError
from domino_server.access import Principal, anywhere, while_valid
from domino_server.api.deps import ServicesDep
from domino_server.api.mjpeg import MEDIA_TYPE, MJPEG, part
from domino_server.api.sources import check_source
from domino_server.problems import RequestError
from domino_server.services import Services
from domino_server.tables.drawings import scaled_jpeg
from domino_vision.sources import Source, open_source

router = APIRouter(tags=["catalogue"])
LONGEST_S: Final = 120.0
"""A look ends after so long, should nobody end it."""
_EVERY_S: Final = 0.15


class Asked(BaseModel):
    """A source that is to be looked through."""

    model_config = ConfigDict(extra="forbid")

    source: str = Field(min_length=1, max_length=1000)


@router.post("/cameras/preview", response_class=StreamingResponse, responses=MJPEG)
async def preview(
    services: ServicesDep, request: Request, asked: Asked, who: Annotated[Principal, Depends(anywhere("keeper"))]
) -> Response:
    """Show the pictures of a camera as motion JPEG, as many as can be read, for two minutes at most."""
    check_source(who, asked.source)
    parts = _parts(services, asked.source)
    first = await anext(parts)  # what is wrong with a camera is said before the stream begins
    return StreamingResponse(while_valid(request, who, _after(first, parts)), media_type=MEDIA_TYPE)


async def _after(first: bytes, parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    with suppress(DominoError):  # a camera that is unplugged ends the look
        async for each in parts:
            yield each


async def _parts(services: Services, name: str) -> AsyncIterator[bytes]:
    """Yield the parts of the stream; raises SourceError, or RequestError `cameras_busy`."""
    loop, looker = asyncio.get_running_loop(), object()
    _enter(services.lookers, looker)
    source: Source | None = None
    try:
        source = await run_sync(open_source, name, limiter=services.waiters)
        ends = loop.time() + LONGEST_S
        while (data := await run_sync(_next, source, limiter=services.waiters)) and loop.time() < ends:
            yield part(data)
            await asyncio.sleep(_EVERY_S)
    finally:
        services.lookers.release_on_behalf_of(looker)
        if source is not None:
            loop.run_in_executor(None, source.close)  # a camera takes a while to let go; nobody need wait


def _enter(lookers: CapacityLimiter, looker: object) -> None:
    try:
        lookers.acquire_on_behalf_of_nowait(looker)
    except WouldBlock as error:
        raise RequestError(503, "cameras_busy", "others look through cameras just now: try again soon") from error


def _next(source: Source) -> bytes | None:
    """Return the next picture, scaled down; None after the last one."""
    shot = next(source, None)
    return None if shot is None else scaled_jpeg(shot.frame.bgr)
