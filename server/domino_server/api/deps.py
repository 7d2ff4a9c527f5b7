"""What request handlers depend on."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from anyio.to_thread import run_sync
from fastapi import Depends
from starlette.requests import HTTPConnection

from domino_server.access import Principal, reader, require
from domino_server.services import Services

Result = TypeVar("Result")


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the app that serves this request or WebSocket."""
    found: Services = connection.app.state.services
    return found


async def in_thread(services: Services, run: Callable[[], Result]) -> Result:
    """Run what waits for the store or for a table in a thread, off the event loop."""
    return await run_sync(run, limiter=services.waiters)


ServicesDep = Annotated[Services, Depends(services_of)]
Reader = Annotated[Principal, Depends(reader)]
"""Whoever may look on."""
Keeper = Annotated[Principal, Depends(require("keeper"))]
Staff = Annotated[Principal, Depends(require("keeper", "judge"))]
"""Those who see the private side of a table."""
Admin = Annotated[Principal, Depends(require("admin"))]
