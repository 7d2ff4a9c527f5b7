"""Tiles of one's own: the sets that are enrolled, and enrolling one from pictures of it."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, File, Form, UploadFile
from pydantic import BaseModel, Field

from domino_rules.tile import Tile, find_tile_set, parse_tiles
from domino_server.access import Principal, anywhere
from domino_server.api.deps import ServicesDep, in_thread
from domino_server.api.tables import REFUSED
from domino_server.api.uploads import name_of, picture_bytes
from domino_server.data_folder import tiles_folder
from domino_server.enrolling import EnrolledRow, check_unused, enrol_seen, facts_of, rows_of, tiles_before
from domino_server.judge.pictures import encode
from domino_server.problems import RequestError
from domino_server.services import Services
from domino_vision.enrol import TileStore
from domino_vision.enrol.seen import TilesInPicture
from domino_vision.enrol.store import EnrolledTiles
from domino_vision.errors import EnrolError
from domino_vision.sources import decode_picture
from domino_vision.types import Frame

router = APIRouter(tags=["tiles"])
MOST_PICTURES: Final = 12
_MOST_TOLD: Final = 1000
_TOLD: Final = r"^[0-9]{1,2}:[0-9]{1,3}=[0-9]{1,2}[-|][0-9]{1,2}$"
_CROP_QUALITY: Final = 80
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
    yours: bool = Field(description="whether whoever asks may add to them and remove them")
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
    against: list[str] = Field(description="tiles that were named against what they read as clearly")
    changed: bool
    worse: bool = Field(description="what was learned is used, although it reads these tiles worse, or less surely")
    loss: Shares
    halves: Shares


@router.get("/tiles", responses=REFUSED)
async def listed(services: ServicesDep, who: Keepers) -> list[TilesInfo]:
    """List the enrolled tiles: of which set, how many were seen, how many different ones of how many."""
    rows = await in_thread(services, lambda: rows_of(_store(services)))
    return [_info(row, yours=_may_change(who, row.owner)) for row in rows]


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
    told: Annotated[
        list[Annotated[str, Field(pattern=_TOLD)]] | None,
        Form(max_length=_MOST_TOLD, description="single tiles, 1:4=6-5: picture, from 1; tile in it, from 0; its pips"),
    ] = None,
    add: Annotated[bool, Form(description="add to tiles that have the name already")] = False,
) -> Enrolled:
    """Enrol the tiles on photographs: what was seen, and which tiles of the set were not.

    Tiles that cannot be told apart are refused as `tiles_doubtful`; its `params.doubts` name each by picture and index,
    with choices and a `crop` (JPEG, base64). Send all again with what they are under `told`.
    """
    tile_set = find_tile_set(set_name)
    given = [parse_tiles(text) for text in seen or ()] or None
    said = _said(told or (), len(picture))
    store = _store(services)
    posted = [(name_of(each, f"picture {n}"), await picture_bytes(services, each)) for n, each in enumerate(picture, 1)]

    def run() -> Enrolled:
        before = tiles_before(store, name, add=add)
        if before is not None:
            _check_own(who, before)
        frames = ((label, Frame(decode_picture(data, label))) for label, data in posted)
        found = [services.networks.tiles_in(label, frame, tile_set) for label, frame in frames]
        try:
            report = enrol_seen(name, found, tile_set, given=given, told=said, before=before)
        except EnrolError as error:
            raise _with_crops(error, found) from error
        store.save(report.tiles if before is not None else replace(report.tiles, owner=who.table))
        return Enrolled(**facts_of(report))

    return await run_sync(run, limiter=services.enrolling)


@router.delete("/tiles/{name}", status_code=204, responses=REFUSED)
async def remove(services: ServicesDep, who: Keepers, name: str) -> None:
    """Forget enrolled tiles: those of one's own, where no table is set up for them."""
    store = _store(services)

    def run() -> None:
        if who.role != "admin":
            _check_own(who, store.load(name))
        store.path(name)
        with services.setting_up:
            check_unused(services.store, name)
            store.remove(name)

    await run_sync(run, limiter=services.enrolling)


def _store(services: Services) -> TileStore:
    return TileStore(tiles_folder(services.options.data))


def _may_change(who: Principal, owner: str | None) -> bool:
    """Return whether somebody may change tiles of an owner: the house all, others those that they enrolled."""
    return who.role == "admin" or owner == who.table


def _check_own(who: Principal, tiles: EnrolledTiles) -> None:
    """Leave tiles to whoever enrolled them, and to the house.

    Raises:
        RequestError: `tiles_shared`.
    """
    if not _may_change(who, tiles.owner):
        message = f"{tiles.name} belongs to the house or to another table"
        raise RequestError(403, "tiles_shared", message, name=tiles.name)


def _said(told: Sequence[str], pictures: int) -> list[dict[int, Tile]]:
    """Return what was said of single tiles, for each picture; raises RequestError `no_such_picture`, and ParseError."""
    said: list[dict[int, Tile]] = [{} for _ in range(pictures)]
    for text in told:
        place, _, tile = text.partition("=")
        number, index = map(int, place.split(":"))
        if not 0 < number <= pictures:
            raise RequestError(422, "no_such_picture", f"{text}: there is no picture {number}", picture=number)
        said[number - 1][index] = Tile.parse(tile)
    return said


def _with_crops(error: EnrolError, found: Sequence[TilesInPicture]) -> EnrolError:
    """Return an error about tiles in doubt with what each of them looks like, and pictures counted from 1."""
    doubts: Iterable[dict[str, Any]] = error.params.get("doubts", ())
    seen = [(doubt, found[doubt["picture"]].crops[doubt["index"]]) for doubt in doubts]
    if not seen:
        return error
    shown = [
        {**doubt, "picture": doubt["picture"] + 1, "crop": base64.b64encode(encode(crop, _CROP_QUALITY)).decode()}
        for doubt, crop in seen
    ]
    return EnrolError(error.code, error.message, **{**error.params, "doubts": shown})


def _info(row: EnrolledRow, *, yours: bool) -> TilesInfo:
    problem = None if row.problem is None else row.problem.code
    counts = {"tiles": row.tiles, "kinds": row.kinds, "of": row.of}
    return TilesInfo(name=row.name, set=row.set_name, yours=yours, problem=problem, **counts)
