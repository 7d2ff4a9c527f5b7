"""The picture of a table for those who keep it: as it is, annotated, as a stream, and the crops of questions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final, Literal

from anyio.to_thread import run_sync
from fastapi import APIRouter, Path, Request
from fastapi.responses import Response, StreamingResponse

from domino_server.access import while_valid
from domino_server.api.deps import ServicesDep, Staff, in_thread
from domino_server.api.mjpeg import MEDIA_TYPE, MJPEG, part
from domino_server.api.tables import REFUSED
from domino_server.problems import RequestError
from domino_server.services import Services
from domino_server.tables import drawings
from domino_server.tables.publisher import Snapshot

router = APIRouter(tags=["pictures"])
_JPEG: Final[dict[int | str, dict[str, Any]]] = {
    **REFUSED,
    200: {"content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}},
}
_EVERY_S: Final = 0.15
_QUIET_S: Final = 5.0
"""The picture is sent again after so long, so that a stream without news stays open."""

Kind = Literal["annotated", "plain"]


@router.get("/tables/{table}/picture.jpg", response_class=Response, responses=_JPEG)
async def picture(services: ServicesDep, table: str, who: Staff, kind: Kind = "annotated") -> Response:
    """Show the newest picture, with boxes, values, joins and ends or plain."""
    del who
    snapshot = await in_thread(services, lambda: services.manager.snapshot(table))
    return _jpeg(await _drawn(services, snapshot, kind))


@router.get("/tables/{table}/stream.mjpeg", response_class=StreamingResponse, responses=MJPEG)
async def stream(services: ServicesDep, request: Request, table: str, who: Staff, kind: Kind = "plain") -> Response:
    """Stream the pictures as motion JPEG, as many as can be read."""
    await in_thread(services, lambda: services.manager.running(table))
    parts = while_valid(request, who, _parts(services, table, kind))
    return StreamingResponse(parts, media_type=MEDIA_TYPE)


async def _parts(services: Services, table: str, kind: Kind) -> AsyncIterator[bytes]:
    loop, last, sent_at = asyncio.get_running_loop(), 0, 0.0
    while (worker := services.manager.worker(table)) is not None and not services.manager.closing:
        snapshot = worker.snapshot
        look = snapshot.look
        if look is not None and (look.number != last or loop.time() - sent_at > _QUIET_S):
            last, sent_at = look.number, loop.time()
            yield part(await _drawn(services, snapshot, kind))
        await asyncio.sleep(_EVERY_S)


@router.get("/tables/{table}/crops/{question}/{number}.jpg", response_class=Response, responses=_JPEG)
async def crop(
    services: ServicesDep,
    table: str,
    question: Annotated[str, Path(max_length=100)],
    number: Annotated[int, Path(ge=0, le=100)],
    who: Staff,
) -> Response:
    """Show what an open question is about."""
    del who
    snapshot = await in_thread(services, lambda: services.manager.snapshot(table))
    look = snapshot.look
    corners = () if look is None else look.crops.get(question, ())
    if look is None or look.asked_in is None or number >= len(corners):
        raise RequestError(404, "no_such_crop", f"question {question!r} has no picture {number}", question=question)
    frame, quad = look.asked_in, corners[number]
    return _jpeg(await run_sync(lambda: drawings.crop_jpeg(frame, quad), limiter=services.drawers))


async def _drawn(services: Services, snapshot: Snapshot, kind: Kind) -> bytes:
    look = snapshot.look
    if look is None:
        raise RequestError(404, "no_picture_yet", "the table has no picture yet")
    draw = drawings.annotated_jpeg if kind == "annotated" else drawings.plain_jpeg
    return await run_sync(lambda: draw(look, snapshot.state), limiter=services.drawers)


def _jpeg(data: bytes) -> Response:
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})
