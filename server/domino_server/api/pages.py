"""The pages: files, which find out what to show from their own address."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from fastapi.responses import FileResponse, RedirectResponse, Response

from domino_server.api.deps import ServicesDep
from domino_server.services import STATIC

pages = APIRouter(include_in_schema=False)
_METHODS: Final = ["GET", "HEAD"]


def _page(name: str) -> FileResponse:
    return FileResponse(STATIC / f"{name}.html", media_type="text/html; charset=utf-8")


@pages.api_route("/", methods=_METHODS)
def index() -> FileResponse:
    """Show the tables."""
    return _page("index")


@pages.api_route("/overlay", methods=_METHODS)
def own_overlay(services: ServicesDep) -> Response:
    """Go to the overlay of the table that the server was started with, or show the tables."""
    table = services.options.live_table
    return RedirectResponse("/" if table is None else f"/overlay/{table}", status_code=307)


@pages.api_route("/table/{table}", methods=_METHODS)
def console() -> FileResponse:
    """Show the page of whoever keeps a table."""
    return _page("table")


@pages.api_route("/camera/{table}", methods=_METHODS)
def camera() -> FileResponse:
    """Show the page that makes a phone a camera."""
    return _page("camera")


@pages.api_route("/overlay/{table}", methods=_METHODS)
def overlay() -> FileResponse:
    """Show the page for streams."""
    return _page("overlay")


@pages.api_route("/player/{table}", methods=_METHODS)
def player() -> FileResponse:
    """Show a player's own page."""
    return _page("player")


@pages.api_route("/judge/{table}", methods=_METHODS)
def judge() -> FileResponse:
    """Show the page of a judge."""
    return _page("judge")


@pages.api_route("/count", methods=_METHODS)
def count() -> FileResponse:
    """Count tiles."""
    return _page("count")
