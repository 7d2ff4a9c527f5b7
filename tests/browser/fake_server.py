"""A small server with the pages of the real one and a table that a test moves: states that a camera rarely makes.

It speaks what the pages read (state, events, control, camera) and keeps what they tell, and it sends the same headers
as the real server, so that what they forbid fails here too.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, HTTPException, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, JSONResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles

import domino_server
from domino_rules.layout import Layout
from domino_rules.svg import layout_svg

STATIC = Path(domino_server.__file__).parent / "static"
KEY = "dt_keeper"
POLICY = "default-src 'self'; img-src 'self' blob:; media-src 'self' blob:; object-src 'none'; base-uri 'none'"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>'


class FakeTable:
    """One table with canned state; `emit` tells all pages, `commands` holds what they told."""

    def __init__(self, state: dict[str, Any], private: dict[str, Any], picture: bytes) -> None:
        self.state, self.private, self.picture = state, private, picture
        self.commands: list[dict[str, Any]] = []
        self.requests: list[tuple[str, Any]] = []
        self.fields: list[list[tuple[str, str]]] = []
        self.frames: list[int] = []
        self.most_waiting = 0
        self.events: list[dict[str, Any]] = []
        self.down = False
        self.refuse: dict[str, Any] | None = None
        self.answers: dict[str, Any] = {}
        self._version = 0

    @property
    def version(self) -> int:
        """Counts up with every change."""
        return self._version

    def change(self, **changes: Any) -> None:
        """Change the public state and tell the pages."""
        self.state = {**self.state, **changes}
        self._version += 1

    def change_private(self, **changes: Any) -> None:
        """Change what a keeper sees and tell the pages."""
        self.private = {**self.private, **changes}
        self._version += 1

    def emit(self, kind: str, *, again: bool = False, **data: Any) -> int:
        """Send a numbered event; `again` sends the newest once more."""
        if not again:
            self.state = {**self.state, "seq": self.state["seq"] + 1}
        self.events.append({"event": kind, "seq": self.state["seq"], **data})
        self._version += 1
        return int(self.state["seq"])


def make_app(table: FakeTable) -> FastAPI:  # noqa: PLR0915 - a list of routes
    app = FastAPI()
    api = "/api/v1/tables/{_id}"

    @app.middleware("http")
    async def headers(request: Request, call_next: Any) -> Response:
        if table.down and request.url.path.startswith("/api/"):
            return JSONResponse({"code": "gone", "detail": "gone"}, 503)
        response: Response = await call_next(request)
        response.headers["Content-Security-Policy"] = POLICY
        return response

    def keeper(request: Request) -> bool:
        return request.headers.get("authorization") == f"Bearer {KEY}"

    @app.get(f"{api}/state")
    def state(request: Request) -> Any:
        return {**table.state, **table.private} if keeper(request) else table.state

    @app.get(f"{api}/events")
    def events(request: Request) -> StreamingResponse:
        last = request.headers.get("last-event-id")

        async def stream() -> AsyncIterator[str]:
            sent = 0 if last is None else int(last)
            done = len(table.events) if last is None else sum(e["seq"] <= sent for e in table.events)
            yield _sse("snapshot", table.state, table.state["seq"])
            seen = table.version
            while not table.down:
                for event in table.events[done:]:
                    yield _sse(event["event"], event, event["seq"])
                done = len(table.events)
                if table.version != seen:
                    seen = table.version
                    yield _sse("snapshot", table.state, table.state["seq"])
                await asyncio.sleep(0.02)

        return StreamingResponse(stream(), media_type="text/event-stream")

    @app.websocket(f"{api}/control")
    async def control(websocket: WebSocket) -> None:
        await websocket.accept()
        token = json.loads(await websocket.receive_text())["token"]
        if token != KEY or table.down:
            await websocket.send_json({"problem": {"status": 401, "code": "token_unknown", "detail": "no"}})
            await websocket.close(4401)
            return
        await websocket.send_json({"hello": {"role": "keeper", "table": "t"}})
        seen, done = -1, len(table.events)
        try:
            while not table.down:
                for event in table.events[done:]:
                    await websocket.send_json({"event": event["event"], "id": event["seq"], "data": event})
                done = len(table.events)
                if table.version != seen:
                    seen = table.version
                    await websocket.send_json({"event": "snapshot", "data": table.state})
                    await websocket.send_json({"event": "private", "data": table.private})
                await asyncio.sleep(0.02)
            await websocket.close(1012)
        except (WebSocketDisconnect, RuntimeError):
            return

    @app.websocket(f"{api}/camera")
    async def camera(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.receive_text()
        await websocket.send_json({"hello": {"role": "camera"}})
        waiting: asyncio.Queue[int] = asyncio.Queue()

        async def receive() -> None:
            while True:
                waiting.put_nowait(len(await websocket.receive_bytes()))
                table.most_waiting = max(table.most_waiting, waiting.qsize())

        receiving = asyncio.create_task(receive())
        try:
            while not table.down:
                await asyncio.sleep(0.05)
                if waiting.empty():
                    continue
                table.frames.append(waiting.get_nowait())
                await websocket.send_json({"ack": len(table.frames), "state": "read", "camera": "live"})
            await websocket.close(1012)
        except (WebSocketDisconnect, RuntimeError):
            return
        finally:
            receiving.cancel()

    @app.get(f"{api}/picture.jpg")
    def picture() -> Response:
        return Response(table.picture, media_type="image/jpeg")

    @app.get(f"{api}/crops/{{_code}}/{{_n}}.jpg")
    def crop(_n: int) -> Response:
        return Response(table.answers["crops"][_n], media_type="image/jpeg")

    @app.get(f"{api}/layout.svg")
    def layout() -> Response:
        text = (table.state.get("layout") or {}).get("text") or ""
        drawn = layout_svg(Layout.parse(text)) if text else table.answers.get("svg", SVG)
        return Response(drawn, media_type="image/svg+xml")

    @app.post(f"{api}/commands")
    async def commands(request: Request) -> Any:
        if table.refuse is not None:
            return JSONResponse(table.refuse, table.refuse["status"])
        table.commands.append(await request.json())
        return {"ok": True, "seq": table.state["seq"]}

    @app.api_route("/api/v1/{path:path}", methods=["GET", "POST", "PATCH", "DELETE"])
    async def rest(path: str, request: Request) -> Any:
        body: Any = None
        if "json" in request.headers.get("content-type", ""):
            body = await request.json()
        elif request.method != "GET":
            async with request.form() as form:
                body = sorted(form.keys())
                table.fields.append([(name, text) for name, text in form.multi_items() if isinstance(text, str)])
        table.requests.append((f"{request.method} {path}", body))
        if path == "qr":
            return Response(SVG, media_type="image/svg+xml")
        if path not in table.answers:
            raise HTTPException(404)
        return table.answers[path]

    for name in ("table", "camera", "overlay", "player"):
        app.get(f"/{name}/{{_id}}")(_page(f"{name}.html"))
    app.get("/count")(_page("count.html"))
    app.get("/")(_page("index.html"))
    app.mount("/static", StaticFiles(directory=STATIC))
    return app


def _page(name: str) -> Any:
    return lambda: FileResponse(STATIC / name)


def _sse(kind: str, data: Any, seq: int) -> str:
    return f"id: {seq}\nevent: {kind}\ndata: {json.dumps(data)}\n\n"


@contextmanager
def running(table: FakeTable) -> Iterator[str]:
    """Serve the table in a thread and yield the base URL."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(make_app(table), log_level="error", timeout_graceful_shutdown=1, ws="websockets-sansio")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        table.down = True
        server.should_exit = True
        thread.join(timeout=10)
