"""WebSockets: a browser cannot send headers with them, so the token is the first message."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from starlette.exceptions import WebSocketException
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from domino_server.access.deps import access_of, check, table_of
from domino_server.access.errors import token_missing
from domino_server.access.guard import client_of
from domino_server.access.roles import Principal
from domino_server.access.service import CHECK_S
from domino_server.problems import RequestError, problem_of

PATIENCE_S: Final = 5.0
"""How long a client may take to say its token."""
_MOST_CHARACTERS: Final = 1000
_CLOSE_CODES: Final = {401: 4401, 403: 4403, 408: 4408, 429: 4429}


async def authenticate(websocket: WebSocket, *roles: str, patience_s: float = PATIENCE_S) -> Principal:
    """Accept a WebSocket and return who it is, from its first message `{"token": "dt_…"}`.

    Whoever is refused is told `{"problem": {…}}` and closed with 4401 (no or no known token), 4403 (not for this),
    4408 (said nothing in time) or 4429 (too many wrong ones).

    Args:
        websocket: one that is not accepted yet; its path may have a parameter `table`.
        roles: who may pass, as in `require`.
        patience_s: seconds to wait for the message.

    Raises:
        WebSocketException: if it was refused; the framework closes the socket.
        WebSocketDisconnect: if the client has gone.
    """
    await websocket.accept()
    try:
        async with asyncio.timeout(patience_s):
            secret = _token(await websocket.receive())
        who = await access_of(websocket).identify_secret(client_of(websocket.scope), secret)
        check(who, table_of(websocket), roles)
    except TimeoutError:
        late = RequestError(408, "token_late", f"no token within {patience_s:g} s", limit_s=patience_s)
        raise await _refused(websocket, late) from None
    except RequestError as error:
        raise await _refused(websocket, error) from error
    return who


@asynccontextmanager
async def watched(websocket: WebSocket, who: Principal) -> AsyncIterator[None]:
    """Close a WebSocket (4401, `token_unknown`) soon after its token is revoked; the block then ends at once."""
    handler = asyncio.current_task()
    ended = False

    async def watch() -> None:
        nonlocal ended
        access = access_of(websocket)
        while await access.still_valid(who):
            await asyncio.sleep(CHECK_S)
        ended = True
        with suppress(RuntimeError, OSError):
            await websocket.close(4401, "token_unknown")
        if handler is not None:
            handler.cancel()

    watcher = asyncio.create_task(watch())
    try:
        yield
    except asyncio.CancelledError:
        if not ended or handler is None or handler.uncancel() > 0:
            raise
    finally:
        watcher.cancel()


def _token(message: Message) -> str:
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(int(str(message.get("code") or 1006)))
    text = message.get("text")
    try:
        said = json.loads(text) if isinstance(text, str) and len(text) <= _MOST_CHARACTERS else None
    except (ValueError, RecursionError):
        said = None
    token = said.get("token") if isinstance(said, dict) else None
    if not isinstance(token, str):
        raise token_missing()
    return token


async def _refused(websocket: WebSocket, error: RequestError) -> WebSocketException:
    problem = problem_of(error.status, error.code, error.message, dict(error.params))
    with suppress(RuntimeError, OSError, WebSocketDisconnect):
        await websocket.send_json({"problem": problem.model_dump()})
    return WebSocketException(_CLOSE_CODES.get(error.status, 4400), error.code)
