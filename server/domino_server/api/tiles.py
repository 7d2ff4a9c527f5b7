"""Tiles of one's own: the sets that are enrolled, and enrolling one from pictures of it."""

from __future__ import annotations

from typing import Annotated, Any, Final

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, File, Form, UploadFile
from pydantic import BaseModel

from domino_rules.tile import find_tile_set, parse_tiles
from domino_server.access import Principal, anywhere
from domino_server.api.deps import ServicesDep, in_thread
from domino_server.api.tables import REFUSED
from domino_server.api.uploads import name_of, picture_bytes
from domino_server.data_folder import tiles_folder
from domino_server.enrolling import EnrolledRow, enrol_seen, facts_of, rows_of, tiles_before
from domino_server.problems import RequestError
from domino_server.services import Services
from domino_vision.enrol import TileStore
from domino_vision.sources import decode_picture
from domino_vision.types import Frame

router = APIRouter(tags=["tiles"])
MOST_PICTURES: Final = 12
_UPLOADS: Final[dict[int | str, dict[str, Any]]] = {**REFUSED, 408: REFUSED[400], 413: REFUSED[400]}
Keepers = Annotated[Principal, Depends(anywhere("keeper"))]
"""The house, and those who keep one of its tables."""


class TilesInfo(BaseModel):
    """Enrolled tiles in a list."""

    name: str
    set: str | None
    tiles: int
    kinds: int
    of: int
    problem: str | None


class Shares(BaseModel):
    """A figure without and with what was learned of the tiles, each tile held out."""

    before: float
    after: float


class Enrolled(BaseModel):
    """What came of enrolling."""

    name: str
    set: str
    tiles: list[str]
    missing: list[str]
    changed: bool
    loss: Shares
    halves: Shares


@router.get("/tiles", responses=REFUSED)
async def listed(services: ServicesDep, who: Keepers) -> list[TilesInfo]:
    """List the enrolled tiles: of which set, how many were seen, how many different ones of how many."""
    del who
    rows = await in_thread(services, lambda: rows_of(_store(services)))
    return [_info(row) for row in rows]


@router.post("/tiles", status_code=201, responses=_UPLOADS)
async def enrol(
    services: ServicesDep,
    who: Keepers,
    picture: Annotated[list[UploadFile], File(description="photographs of the tiles", max_length=MOST_PICTURES)],
    name: Annotated[str, Form(max_length=100, description="what the tiles are to be called")],
    set_name: Annotated[str, Form(alias="set", max_length=100, description="the tile set")] = "double-six",
    seen: Annotated[
        list[str] | None,
        Form(max_length=MOST_PICTURES, description="the tiles in each picture, 6-6,6-5,..., if that is known"),
    ] = None,
    add: Annotated[bool, Form(description="add to tiles that have the name already")] = False,
) -> Enrolled:
    """Enrol the tiles on photographs: what was seen, and which tiles of the set were not."""
    tile_set = find_tile_set(set_name)
    given = [parse_tiles(text) for text in seen or ()] or None
    store = _store(services)
    posted = [(name_of(each, f"picture {n}"), await picture_bytes(services, each)) for n, each in enumerate(picture, 1)]

    def run() -> Enrolled:
        before = tiles_before(store, name, add=add)
        if add:
            _check_own(services, who, name)
        frames = ((label, Frame(decode_picture(data, label))) for label, data in posted)
        found = [services.networks.tiles_in(label, frame, tile_set) for label, frame in frames]
        return Enrolled(**facts_of(enrol_seen(store, name, found, tile_set, given=given, before=before)))

    return await run_sync(run, limiter=services.enrolling)


def _store(services: Services) -> TileStore:
    return TileStore(tiles_folder(services.options.data))


def _check_own(services: Services, who: Principal, name: str) -> None:
    """Leave the tiles of other tables to those who keep them, and to the house."""
    if who.role == "admin":
        return
    if any(row.id != who.table and row.config.get("tiles") == name for row in services.store.tables()):
        raise RequestError(403, "tiles_shared", f"another table plays with {name}: the house adds to it", name=name)


def _info(row: EnrolledRow) -> TilesInfo:
    problem = None if row.problem is None else row.problem.code
    return TilesInfo(name=row.name, set=row.set_name, tiles=row.tiles, kinds=row.kinds, of=row.of, problem=problem)
