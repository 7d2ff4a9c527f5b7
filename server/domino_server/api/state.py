"""How a table stands: state, events, the layout as a drawing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, Header, Request
from fastapi.responses import Response, StreamingResponse

from domino_rules.layout import Layout
from domino_rules.svg import Row, layout_svg, rows_svg
from domino_rules.tile import Tile
from domino_server.access import while_valid
from domino_server.api.deps import Reader, ServicesDep, in_thread
from domino_server.api.streams import feed
from domino_server.api.tables import REFUSED
from domino_server.services import Services
from domino_server.tables.states import KeeperState, TableState

router = APIRouter(tags=["state"])
_PING: Final = b": still here\n\n"
_NO_STORE: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.get("/tables/{table}/state", responses=REFUSED)
async def state(services: ServicesDep, table: str, who: Reader) -> KeeperState | TableState:
    """Tell how the table stands; with a token of a keeper or judge also what only they may see."""
    snapshot = await in_thread(services, lambda: services.manager.snapshot(table))
    if not who.may("keeper", "judge"):
        return snapshot.state
    return KeeperState.model_validate({**snapshot.state.model_dump(), **snapshot.private.model_dump()})


@router.get(
    "/tables/{table}/events",
    response_class=StreamingResponse,
    responses={**REFUSED, 200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def events(
    services: ServicesDep,
    request: Request,
    table: str,
    who: Reader,
    last_event_id: Annotated[str | None, Header(description="number of the last event that was heard")] = None,
) -> Response:
    """Stream what happens: `snapshot` first, then numbered events, each batch followed by a new `snapshot`.

    `status` tells of camera and picture. Whoever sends the number of the last event that he heard is told first what
    he missed; whoever reads too slowly gets what he missed and the newest state, and loses no event.
    """
    await in_thread(services, lambda: services.store.table(table))
    resume = int(last_event_id) if last_event_id is not None and _is_number(last_event_id) else None
    stream = while_valid(request, who, _events(services, table, private=who.may("keeper", "judge"), resume=resume))
    return StreamingResponse(stream, media_type="text/event-stream", headers=_NO_STORE)


async def _events(services: Services, table: str, *, private: bool, resume: int | None) -> AsyncIterator[bytes]:
    async for items in feed(services, table, private=private, resume=resume):
        yield b"".join(item.sse for item in items) or _PING


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16


@router.get(
    "/tables/{table}/layout.svg",
    response_class=Response,
    responses={**REFUSED, 200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def layout(services: ServicesDep, table: str, who: Reader) -> Response:
    """Draw what lies open on the table."""
    del who
    snapshot = await in_thread(services, lambda: services.manager.snapshot(table))
    return Response(drawing(snapshot.state), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


def drawing(state: TableState) -> str:
    """Return the line of play, or the open tiles of games without one, as SVG."""
    if state.layout is not None:
        return layout_svg(Layout.parse(state.layout.text, with_spinner=state.game == "cincos"))
    board = state.board or {}
    rows = []
    if state.game == "bingo":
        trump = board.get("trump_tile")
        lead = board.get("lead")
        rows = [("trump", [trump] if trump else []), ("trick", [lead["tile"]] if lead else board.get("trick", []))]
    elif state.game == "tiu-u":
        rows = [("talon", board.get("talon", [])), ("stacks", board.get("stacks", []))]
    return rows_svg(Row(label, tuple(Tile.parse(tile) for tile in tiles)) for label, tiles in rows)
