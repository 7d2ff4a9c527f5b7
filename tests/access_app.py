"""A small application behind access control, for tests: one route for each way of letting people in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, FastAPI, Request, UploadFile, WebSocket
from fastapi.responses import StreamingResponse

from domino_server import problems
from domino_server.access import (
    AccessOptions,
    Limits,
    Principal,
    access_of,
    authenticate,
    install,
    maybe,
    reader,
    require,
    watched,
    while_valid,
)
from domino_server.store import Store

Keeper = Annotated[Principal, Depends(require("keeper"))]
Judge = Annotated[Principal, Depends(require("judge"))]
Either = Annotated[Principal, Depends(require("keeper", "judge"))]
Admin = Annotated[Principal, Depends(require("admin"))]
Reader = Annotated[Principal, Depends(reader)]


@dataclass(frozen=True, slots=True)
class Room:
    """The application with two tables, of which the second is private, and its store."""

    app: FastAPI
    store: Store
    table: str
    private: str

    def token(self, role: str, table: str | None = None, seat: str | None = None) -> str:
        """Return a new token, of the first table unless another is named."""
        where = None if role == "admin" else table or self.table
        secret: str = self.app.state.access.tokens.create(role, table=where, seat=seat).secret
        return secret


def make_room(options: AccessOptions | None = None) -> Room:
    """Return a new application over a store in memory."""
    store = Store.open("sqlite://")
    table = store.create_table("open", {}).id
    private = store.create_table("closed", {"public": False}).id
    app = FastAPI()
    problems.install(app)
    _add_routes(app)
    _add_streams(app)
    install(app, store, options or AccessOptions(limits=Limits.none()))
    return Room(app, store, table, private)


def bearer(secret: str) -> dict[str, str]:
    """Return the header that carries a token."""
    return {"Authorization": f"Bearer {secret}"}


def _add_routes(app: FastAPI) -> None:
    @app.post("/api/v1/tables")
    def create(who: Admin) -> str:
        return who.role

    @app.post("/api/v1/tables/{table}/start")
    def start(table: str, who: Keeper) -> str:
        return who.role

    @app.post("/api/v1/tables/{table}/rulings")
    def rule(table: str, who: Judge) -> str:
        return who.role

    @app.get("/api/v1/tables/{table}/picture")
    def picture(table: str, who: Either) -> str:
        return who.role

    @app.get("/api/v1/tables/{table}/state")
    def state(table: str, who: Reader) -> dict[str, str | None]:
        return {"role": who.role, "token": who.token, "seat": who.seat}

    @app.get("/api/v1/tables")
    def tables(who: Annotated[Principal | None, Depends(maybe)]) -> str | None:
        return None if who is None else who.role

    @app.post("/api/v1/read")
    async def read(picture: UploadFile) -> int:
        return len(await picture.read())

    @app.post("/api/v1/echo")
    async def echo(request: Request) -> int:
        return len(await request.body())

    @app.get("/overlay/{table}")
    def overlay(table: str) -> str:
        return table


def _add_streams(app: FastAPI) -> None:
    @app.get("/api/v1/tables/{table}/events")
    def events(table: str, request: Request, who: Reader) -> StreamingResponse:
        async def ticks() -> AsyncIterator[str]:
            number = 0
            while True:
                yield f"data: {number}\n\n"
                number += 1
                await asyncio.sleep(0.05 if number < 3 else 60)

        return StreamingResponse(while_valid(request, who, ticks()), media_type="text/event-stream")

    @app.websocket("/api/v1/tables/{table}/control")
    async def control(websocket: WebSocket, table: str) -> None:
        who = await authenticate(websocket, "keeper", "judge", patience_s=0.5)
        async with watched(websocket, who):
            await websocket.send_json({"hello": who.role})
            while True:
                said = await websocket.receive_text()
                access_of(websocket).spend(who)
                await websocket.send_json({"said": said})
