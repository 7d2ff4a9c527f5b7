"""The HTTP application: a factory, so that tests and commands make their own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from anyio.to_thread import run_sync
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles

from domino_rules.tile import find_tile_set
from domino_server import access, problems
from domino_server.judge.keeper import TIDY_S
from domino_server.logs import RequestLog
from domino_server.networks import Networks
from domino_server.report import Question
from domino_server.services import STATIC, ServeOptions, Services
from domino_server.store import Store, StoreError
from domino_server.tables.manager import TableManager
from domino_server.tables.witness import witnesses_in
from domino_server.version import VERSION
from domino_vision.pipeline import Pipeline

__all__ = ["ServeOptions", "create_app"]

_LOG = logging.getLogger(__name__)


def create_app(
    options: ServeOptions | None = None,
    pipeline: Pipeline | None = None,
    store: Store | None = None,
) -> FastAPI:
    """Return the application; models are loaded when it is made, so that a missing model is told at once.

    Args:
        options: what the server was told.
        pipeline: the networks; default the shipped ones.
        store: what is kept; default a store in memory.

    Raises:
        SetupError: `unknown_set` or `unknown_game`.
        ModelError: `model_missing` or `model_broken`.
    """
    options = options or ServeOptions()
    Question.of(find_tile_set(options.set_name), options.game)
    store = store or Store.open("sqlite://")
    networks = Networks(pipeline, options.data)
    witnesses = witnesses_in(options.data, options.retention)
    manager = TableManager(store, networks.reader, witnesses, networks=networks.lock)
    services = Services(options, store, manager, networks)
    app = FastAPI(
        title="dominotable",
        version=VERSION,
        summary="Open ends, count, scores and legal plays from a picture of a domino table; tables that are followed.",
        license_info={"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        lifespan=_lifespan(services),
        docs_url=None,  # its page comes from the internet
        redoc_url=None,
        generate_unique_id_function=_operation_id,
    )
    app.state.services = services
    app.state.say_goodbye = manager.say_goodbye
    problems.install(app)
    _route(app)
    bodies = replace(options.access.bodies, picture_bytes=options.max_upload_bytes)
    access.install(app, store, replace(options.access, bodies=bodies))
    app.add_middleware(RequestLog, count=manager.metrics.count_request)
    return app


def _route(app: FastAPI) -> None:
    from domino_server import api

    for router in api.routers():
        app.include_router(router, prefix="/api/v1")
    app.include_router(api.health.router)
    app.include_router(api.pages.pages)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")


def _lifespan(services: Services):  # type: ignore[no-untyped-def]  # a context manager of FastAPI's own making
    manager = services.manager

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        manager.bind(asyncio.get_running_loop())
        await run_sync(_start, services)
        tidying = asyncio.create_task(_tidy(manager))
        yield
        tidying.cancel()
        await run_sync(manager.close)

    return lifespan


async def _tidy(manager: TableManager) -> None:
    """See to what is kept too long, as long as the server runs."""
    while True:
        try:
            await run_sync(manager.tidy)
        except StoreError as error:
            _LOG.warning("evidence cannot be looked after: %s", error.message)
        await asyncio.sleep(TIDY_S)


def _start(services: Services) -> None:
    """Watch again what was watched, and the table that the server was started with."""
    services.manager.resume()
    if services.options.live_table is not None:
        services.manager.try_start(services.options.live_table)


def _operation_id(route: APIRoute) -> str:
    return f"{route.tags[0]}-{route.name}" if route.tags else route.name
