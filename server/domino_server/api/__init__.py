"""REST routes of version 1, and the pages."""

from fastapi import APIRouter

from domino_server.api import camera, control, health, pages, pictures, read, state, tables

__all__ = ["health", "pages", "routers"]


def routers() -> tuple[APIRouter, ...]:
    """Return the routers below `/api/v1`."""
    return (read.router, tables.router, state.router, control.router, camera.router, pictures.router)
