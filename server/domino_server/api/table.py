"""The live table: its newest report, picture and events, and the pages that show them."""

from collections.abc import AsyncIterator

from fastapi import APIRouter
from fastapi.responses import FileResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from domino_server.api.deps import ServicesDep
from domino_server.live import AsyncSnapshots
from domino_server.problems import RequestError
from domino_server.schemas import Problem, TableStatus

router = APIRouter(tags=["table"])
pages = APIRouter(include_in_schema=False)


@router.get("/table")
async def status(services: ServicesDep) -> TableStatus:
    """Tell how the live table is doing, with its newest report."""
    return services.table.snapshot.status


@router.get("/table/picture.jpg", response_class=Response, responses={404: {"model": Problem}})
async def picture(services: ServicesDep) -> Response:
    """Show the newest picture with boxes, values, joins, ends and count."""
    snapshot = services.table.snapshot
    if snapshot.picture is None:
        raise RequestError(404, "no_picture_yet", "the live table has no picture yet")
    return Response(snapshot.picture, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


@router.get("/table/events", response_class=EventSourceResponse)
async def events(services: ServicesDep) -> AsyncIterator[ServerSentEvent]:
    """Stream the table's status: the newest at once, then each change; a slow reader gets the newest only."""
    async for snapshot in AsyncSnapshots(services.table):
        if snapshot is None:
            yield ServerSentEvent(comment="still here")
        else:
            yield ServerSentEvent(data=snapshot.status, event="status", id=str(snapshot.status.seq))


@pages.api_route("/", methods=["GET", "HEAD"])
def console() -> FileResponse:
    """Show the newest picture with the report beside it."""
    return _page("index.html")


@pages.api_route("/overlay", methods=["GET", "HEAD"])
def overlay() -> FileResponse:
    """Show ends, count and points on a transparent ground, for a browser source."""
    return _page("overlay.html")


def _page(name: str) -> FileResponse:
    from domino_server.app import STATIC

    return FileResponse(STATIC / name, media_type="text/html; charset=utf-8")
