"""A phone as camera: frames over a WebSocket, each acknowledged, or single photographs."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, UploadFile, WebSocket
from pydantic import BaseModel

from domino_rules.errors import DominoError
from domino_server.access import Principal, authenticate, require, watched
from domino_server.api.deps import ServicesDep, in_thread, services_of
from domino_server.api.sockets import refuse
from domino_server.api.tables import REFUSED
from domino_server.api.uploads import picture_bytes
from domino_server.problems import RequestError
from domino_server.services import Services
from domino_server.tables.frames import Pushed
from domino_server.tables.worker import Worker

router = APIRouter(tags=["camera"])
PATIENCE_S = 10.0
"""A table that does not take a frame within so long has much to do; the frame is dropped."""


class Taken(BaseModel):
    """A photograph was taken in; how it was understood is told by the events."""

    taken: bool
    picture: int


async def push(worker: Worker, data: bytes, *, still: bool = False) -> bool:
    """Give a picture to a table; return whether the table took it, False if a newer one came first."""
    loop = asyncio.get_running_loop()
    taken: asyncio.Future[bool] = loop.create_future()

    def tell(took: bool) -> None:
        if not taken.done():
            taken.set_result(took)

    def told(took: bool) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, took)

    worker.slot.put(Pushed(data, time.monotonic(), told, still))
    try:
        return await asyncio.wait_for(taken, PATIENCE_S)
    except TimeoutError:
        return False


def _pushed(services: Services, table: str) -> Worker:
    """Return a running table that takes pictures; raises RequestError `not_pushed`, `table_stopped`."""
    worker = services.manager.running(table)
    if not worker.takes_pictures:
        raise RequestError(409, "not_pushed", "this table has another camera: set its source to push", table=table)
    return worker


@router.post("/tables/{table}/photo", status_code=202, responses={**REFUSED, 413: REFUSED[400]})
async def photo(
    services: ServicesDep,
    table: str,
    who: Annotated[Principal, Depends(require("camera", "keeper"))],
    picture: Annotated[UploadFile, File(description="a photograph of the table, which lies at rest")],
) -> Taken:
    """Take in one photograph, for phones without a live camera."""
    del who
    worker = await in_thread(services, lambda: _pushed(services, table))
    data = await picture_bytes(services, picture)
    taken = await push(worker, data, still=True)
    return Taken(taken=taken, picture=worker.snapshot.state.picture)


@router.websocket("/tables/{table}/camera")
async def camera(websocket: WebSocket, table: str) -> None:
    """Take frames, one JPEG a message; each is acknowledged once the table has taken or dropped it."""
    services = services_of(websocket)
    who = await authenticate(websocket, "camera", "keeper")
    async with watched(websocket, who):
        try:
            worker = await in_thread(services, lambda: _pushed(services, table))
        except DominoError as error:
            await refuse(websocket, error)
            return
        await websocket.send_json({"hello": {"role": who.role, "table": table}})
        await _frames(websocket, services, table, worker)


async def _frames(websocket: WebSocket, services: Services, table: str, worker: Worker) -> None:
    most = services.options.max_upload_bytes
    number = 0
    while True:
        data = await websocket.receive_bytes()
        number += 1
        worker = services.manager.worker(table) or worker
        small = 0 < len(data) <= most
        taken = await push(worker, data) if small and worker.alive else False
        await websocket.send_json(_ack(worker, number, dropped=not taken, too_large=len(data) > most))


def _ack(worker: Worker, number: int, *, dropped: bool, too_large: bool) -> dict[str, Any]:
    state = worker.snapshot.state
    code = "upload_too_large" if too_large else state.camera.code or state.settle.code
    if not worker.alive:
        code = "table_stopped"
    return {
        "ack": number, "state": state.settle.state, "code": code, "camera": state.camera.state, "dropped": dropped,
        "picture": state.picture,
    }  # fmt: skip
