"""REST routes of version 1, and the pages."""

from fastapi import APIRouter

from domino_server.api import (
    camera,
    catalogue,
    codes,
    control,
    hands,
    health,
    judge,
    pages,
    pictures,
    preview,
    read,
    state,
    tables,
    tiles,
    tokens,
    transfer,
)

__all__ = ["health", "pages", "routers"]


def routers() -> tuple[APIRouter, ...]:
    """Return the routers below `/api/v1`; fixed paths come before those with a table in them."""
    modules = (
        read,
        catalogue,
        preview,
        codes,
        transfer,
        tables,
        state,
        control,
        camera,
        pictures,
        hands,
        tokens,
        judge,
        tiles,
    )
    return tuple(module.router for module in modules)
