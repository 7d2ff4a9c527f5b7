"""What people tell a table, over HTTP or over a WebSocket on which they also hear everything."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Request, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError

from domino_rules.errors import DominoError
from domino_server.access import Principal, access_of, authenticate, watched
from domino_server.api.deps import ServicesDep, Staff, in_thread, services_of
from domino_server.api.sockets import problem, refuse
from domino_server.api.streams import feed
from domino_server.api.tables import REFUSED
from domino_server.problems import RequestError, refusal_of
from domino_server.schemas import sendable
from domino_server.services import Services
from domino_server.tables.commands import COMMAND, JUDGE_OPS, SHARED_OPS, Command
from domino_server.tables.hub import Item
from domino_server.tables.worker import Teller

router = APIRouter(tags=["control"])
BUSY_S: Final = 30.0
"""A command that is not carried out after so long is given up by whoever asked."""
_MOST_CHARACTERS: Final = 64 * 1024
_PING_S: Final = 15.0


class Done(BaseModel):
    """A command was carried out."""

    ok: bool = True
    seq: int


@router.post("/tables/{table}/commands", responses=REFUSED)
async def command(
    services: ServicesDep, request: Request, table: str, who: Staff, command: Annotated[Command, Body()]
) -> Done:
    """Tell the table something."""
    del request
    return Done(seq=await tell(services, table, who, command))


async def tell(services: Services, table: str, who: Principal, command: Command) -> int:
    """Tell a table something and return the number of the newest event.

    Raises:
        RequestError: `not_allowed`, `table_stopped`, `table_busy`.
        DominoError: why the table refuses it.
    """
    check_role(who, command)
    worker = await in_thread(services, lambda: services.manager.running(table))
    done = worker.submit(command, Teller(who.role, who.token))
    try:
        return await asyncio.wait_for(asyncio.wrap_future(done), BUSY_S)
    except TimeoutError:
        raise RequestError(503, "table_busy", "the table has much to do: try again") from None


def check_role(who: Principal, command: Command) -> None:
    """Refuse a keeper who rules, and a judge who keeps the table; raises RequestError `not_allowed`."""
    judged = who.role == "judge"
    allowed = judged if command.op in JUDGE_OPS else who.may("keeper") or (judged and command.op in SHARED_OPS)
    if not allowed:
        raise RequestError(403, "not_allowed", f"a {who.role} may not tell {command.op!r}", role=who.role)


@router.websocket("/tables/{table}/control")
async def control(websocket: WebSocket, table: str) -> None:
    """Hear everything, and tell the table something: `{"id": 1, "op": ...}`."""
    services = services_of(websocket)
    who = await authenticate(websocket, "keeper", "judge")
    async with watched(websocket, who):
        try:
            await in_thread(services, lambda: services.store.table(table))
        except DominoError as error:
            await refuse(websocket, error)
            return
        await websocket.send_json({"hello": {"role": who.role, "table": table}})
        telling = asyncio.create_task(_hear(websocket, services, table))
        try:
            while True:
                text = await websocket.receive_text()
                await websocket.send_json(await _answer(websocket, services, table, who, text))
        finally:
            telling.cancel()


async def _hear(websocket: WebSocket, services: Services, table: str) -> None:
    """Tell what happens until the table or the reader is gone; then close the line."""
    with suppress(RuntimeError, OSError, WebSocketDisconnect, DominoError):
        async for items in feed(services, table, private=True, resume=None, quiet_s=_PING_S):
            for item in items:
                await websocket.send_text(_message(item))
        await websocket.close(1001, "going_away")


def _message(item: Item) -> str:
    number = "" if item.seq is None else f'"id":{item.seq},'
    return f'{{"event":"{item.name}",{number}"data":{item.data}}}'


async def _answer(websocket: WebSocket, services: Services, table: str, who: Principal, text: str) -> dict[str, Any]:
    number, told = _parsed(text)
    if isinstance(told, DominoError):
        return {"id": number, "problem": problem(told)}
    try:
        access_of(websocket).spend(who)
        return {"id": number, "ok": True, "seq": await tell(services, table, who, told)}
    except DominoError as error:
        return {"id": number, "problem": problem(error)}
    except Exception:  # noqa: BLE001 - the log says what; the line stays open
        mistake = RequestError(500, "internal_error", "the server made a mistake; its log says more")
        return {"id": number, "problem": problem(mistake)}


def _parsed(text: str) -> tuple[Any, Command | DominoError]:
    """Return the number that the client gave, and the command, or why it is none."""
    try:
        data = json.loads(text) if len(text) <= _MOST_CHARACTERS else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        return None, RequestError(422, "invalid_request", "send a JSON object with an op")
    number = data.pop("id", None)
    if not (number is None or isinstance(number, str | int)):
        number = None
    if isinstance(number, str):
        number = sendable(number)
    try:
        return number, COMMAND.validate_python(data)
    except ValidationError as error:
        return number, refusal_of(error)
