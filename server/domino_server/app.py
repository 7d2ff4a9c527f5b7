"""The HTTP application: a factory, so that tests and commands make their own."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from anyio import CapacityLimiter
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles

from domino_rules.tile import find_tile_set
from domino_server import access, problems
from domino_server.live import LiveTable, observer
from domino_server.report import Question
from domino_server.store import Store
from domino_server.version import VERSION
from domino_vision.pipeline import Pipeline, load_pipeline

STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What `dominotable serve` was told.

    Attributes:
        source: folder, video file, camera index or URL that the live table follows; None for no live table.
        every_s: seconds between pictures of the live table.
        game: the game of the live table and the default of posted pictures.
        set_name: the tile set, likewise.
        max_upload_bytes: the largest picture that may be posted.
        data: folder for what is kept beside the database; None for nothing.
        live_table: id of the table to follow from the start, which `/overlay` shows; None for none.
        access: who may do what, and how often.
    """

    source: str | None = None
    every_s: float = 1.0
    game: str | None = "cincos"
    set_name: str = "double-six"
    max_upload_bytes: int = 32 * 1024 * 1024
    data: Path | None = None
    live_table: str | None = None
    access: access.AccessOptions = field(default_factory=access.AccessOptions)


@dataclass(frozen=True, slots=True)
class Services:
    """What the request handlers share."""

    options: ServeOptions
    pipeline: Pipeline
    table: LiveTable
    reading: threading.Lock
    """One picture at a time: a pipeline is not for several threads at once, and the cores are taken anyway."""
    readers: CapacityLimiter
    """Threads for posted pictures, one decodes while one reads; pages and events never wait behind them."""


def create_app(
    options: ServeOptions | None = None, pipeline: Pipeline | None = None, store: Store | None = None
) -> FastAPI:
    """Return the application; models are loaded when it is made, so that a missing model is told at once.

    Without a store it keeps what it must in memory.

    Raises:
        SetupError: `unknown_set` or `unknown_game`.
        ModelError: `model_missing` or `model_broken`.
    """
    from domino_server.api import read, table

    options = options or ServeOptions()
    question = Question.of(find_tile_set(options.set_name), options.game)
    pipeline = pipeline or load_pipeline()
    reading = threading.Lock()
    live = LiveTable(observer(pipeline, question, reading), options.source, options.every_s)
    services = Services(options, pipeline, live, reading, CapacityLimiter(2))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        live.start()
        yield
        live.stop()

    app = FastAPI(
        title="dominotable",
        version=VERSION,
        summary="Open ends, count, scores and legal plays from a picture of a domino table.",
        license_info={"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        lifespan=lifespan,
        docs_url=None,  # its page comes from the internet
        redoc_url=None,
        generate_unique_id_function=_operation_id,
    )
    app.state.services = services
    app.state.say_goodbye = live.say_goodbye
    problems.install(app)
    app.include_router(read.router, prefix="/api/v1")
    app.include_router(table.router, prefix="/api/v1")
    app.include_router(table.pages)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")

    bodies = replace(options.access.bodies, picture_bytes=options.max_upload_bytes)
    access.install(app, store or Store.open("sqlite://"), replace(options.access, bodies=bodies))
    return app


def _operation_id(route: APIRoute) -> str:
    return f"{route.tags[0]}-{route.name}" if route.tags else route.name
