"""Whether the process is up, whether it can do its work, and what it counts."""

from __future__ import annotations

import ipaddress
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from domino_server.access import Principal, maybe
from domino_server.api.deps import ServicesDep, in_thread
from domino_server.problems import RequestError
from domino_server.schemas import Health, Problem
from domino_server.version import VERSION

router = APIRouter(tags=["health"])


@router.get("/api/health/live")
async def live() -> Health:
    """Tell that the process is up."""
    return Health(status="ok", version=VERSION)


@router.get("/api/health/ready", responses={503: {"model": Problem}})
async def ready(services: ServicesDep) -> Health:
    """Tell whether tables can be kept: the store answers."""
    await in_thread(services, services.store.check)
    return Health(status="ok", version=VERSION)


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={401: {"model": Problem}, 403: {"model": Problem}, 429: {"model": Problem}},
)
async def metrics(
    services: ServicesDep, request: Request, who: Annotated[Principal | None, Depends(maybe)]
) -> Response:
    """Tell what is counted, for Prometheus; to this machine, or to the house."""
    if not _is_here(request) and (who is None or who.role != "admin"):
        raise RequestError(403, "not_allowed", "the counters are for this machine and for the house")
    data = await in_thread(services, lambda: generate_latest(services.manager.metrics.registry))
    return Response(data, headers={"Content-Type": CONTENT_TYPE_LATEST})


def _is_here(request: Request) -> bool:
    """Whether a request comes from this machine, and through no proxy."""
    if "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
