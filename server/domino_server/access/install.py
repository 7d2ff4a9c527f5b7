"""Puts access control around an application."""

from __future__ import annotations

from dataclasses import dataclass, field

from fastapi import FastAPI

from domino_server.access import redact
from domino_server.access.guard import Guard
from domino_server.access.headers import SecurityHeaders
from domino_server.access.hosts import OwnHosts
from domino_server.access.rates import Limits
from domino_server.access.service import Access
from domino_server.access.tokens import Tokens
from domino_server.access.trust import Trust, trust_routes
from domino_server.limits import BodyLimit, BodyLimits
from domino_server.store import Store


@dataclass(frozen=True, slots=True)
class AccessOptions:
    """How a server lets people in.

    Attributes:
        allow_hosts: further names by which it may be called, beside the machine's own.
        limits: how often each thing may be done.
        bodies: how large and how slow a request may be.
        trust: the local authority that phones are asked to trust; None without HTTPS of our own.
    """

    allow_hosts: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    bodies: BodyLimits = field(default_factory=BodyLimits)
    trust: Trust | None = None


def install(app: FastAPI, store: Store, options: AccessOptions) -> Access:
    """Put everything around `app` that stands between the network and its routes; call it last.

    From the outside in: security headers, checks of host and origin and rate limits, size and time limits of bodies.
    Tokens are cut out of all logs of the process. `app.state.access` is what the dependencies use.

    Raises:
        AccessError: `bad_host`.
    """
    redact.install()
    access = Access(Tokens(store), options.limits)
    app.state.access = access
    if options.trust is not None:
        app.router.routes[:0] = trust_routes(options.trust)
    app.add_middleware(BodyLimit, limits=options.bodies)
    app.add_middleware(Guard, hosts=OwnHosts(options.allow_hosts), limits=options.limits)
    app.add_middleware(SecurityHeaders)
    return access
