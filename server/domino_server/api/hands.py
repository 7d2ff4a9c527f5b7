"""Hands: a player's own, in private, and those that lie turned up at the end; and tiles without a game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, Final

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, File, Form, Request, UploadFile
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import UploadFile as AnyUpload

from domino_rules.errors import SetupError
from domino_rules.tile import Tile, TileSet, find_tile_set
from domino_server.access import Principal, access_of, require
from domino_server.api.control import tell
from domino_server.api.deps import Keeper, ServicesDep, Staff, in_thread
from domino_server.api.tables import REFUSED
from domino_server.api.uploads import name_of, picture_bytes
from domino_server.problems import RequestError
from domino_server.services import Services
from domino_server.tables.advice import Advice, advise
from domino_server.tables.commands import ShownCommand
from domino_server.tables.config import TableConfig
from domino_server.tables.counting import Counted, CountedHands, CountedPicture, counted_hands, counted_picture
from domino_server.tables.desk import Desk
from domino_vision.sources import decode_picture
from domino_vision.types import Frame

router = APIRouter(tags=["hands"])
MOST_PICTURES: Final = 12
_UPLOADS: Final[dict[int | str, dict[str, Any]]] = {**REFUSED, 408: REFUSED[400], 413: REFUSED[400]}
_BY_SEAT: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "description": "a photograph of each turned-up hand; the name of the field is the seat",
                    "additionalProperties": {"type": "string", "format": "binary"},
                }
            }
        },
    }
}
_HAND: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["hand"],
                    "properties": {"hand": {"type": "array", "items": {"type": "string"}, "maxItems": 40}},
                }
            },
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["picture"],
                    "properties": {"picture": {"type": "string", "format": "binary"}},
                }
            },
        },
    }
}


class OwnHand(BaseModel):
    """The tiles of a player."""

    model_config = ConfigDict(extra="forbid")

    hand: list[Annotated[str, Field(max_length=8)]] = Field(max_length=40)


class PlayerLink(BaseModel):
    """A player's secret link; it is shown once."""

    link: str
    token: str
    seat: str


@router.post("/tables/{table}/players/{seat}/link", status_code=201, responses=REFUSED)
async def link(services: ServicesDep, request: Request, table: str, seat: str, who: Keeper) -> PlayerLink:
    """Make a player's secret link; no table in tournament mode gives one."""
    del who

    def make() -> PlayerLink:
        config = TableConfig.kept(services.store.table(table).config)
        _check_allowed(config)
        number = seat_number(config.seats, seat)
        made = access_of(request).tokens.create("player", table=table, seat=str(number), label=config.seats[number])
        return PlayerLink(link=f"/player/{table}#token={made.secret}", token=made.secret, seat=config.seats[number])

    return await in_thread(services, make)


@router.post("/tables/{table}/advice", responses=_UPLOADS, openapi_extra=_HAND)
async def advice(
    services: ServicesDep, request: Request, table: str, who: Annotated[Principal, Depends(require("player"))]
) -> Advice:
    """Tell a player what he may do with his hand, and what it would score. Nobody else hears of it."""
    config = await in_thread(services, lambda: TableConfig.kept(services.store.table(table).config))
    _check_allowed(config)
    tiles = await _own_hand(services, request, config.tile_set)
    worker = await in_thread(services, lambda: services.manager.running(table))

    def ask(desk: Desk) -> Advice:
        seats = _seats(desk)
        return advise(desk.session.referee.ledger.match, seats[seat_number(seats, who.seat or "")], tiles)

    return await asyncio.wrap_future(worker.ask(ask))


async def _own_hand(services: Services, request: Request, tile_set: TileSet) -> list[Tile]:
    if request.headers.get("content-type", "").startswith("multipart/"):
        async with request.form(max_files=1, max_fields=4) as form:
            picture = form.get("picture")
            if not isinstance(picture, AnyUpload):
                raise RequestError(422, "invalid_request", "send a photograph as picture, or JSON with hand")
            found = await _read(services, "hand", await picture_bytes(services, picture), tile_set)
        return [Tile.parse(tile) for tile in found.tiles]
    return [Tile.parse(tile) for tile in OwnHand.model_validate_json(await request.body()).hand]


@router.post("/tables/{table}/hands", responses=_UPLOADS, openapi_extra=_BY_SEAT)
async def hands(services: ServicesDep, request: Request, table: str, who: Staff, apply: bool = False) -> CountedHands:
    """Read photographs of turned-up hands: tiles, pips, and whether they fit the table; `apply` tells the referee."""
    worker = await in_thread(services, lambda: services.manager.running(table))
    config = await in_thread(services, lambda: TableConfig.kept(services.store.table(table).config))
    seats: tuple[str, ...] = await asyncio.wrap_future(worker.ask(_seats))
    found: dict[str, list[Tile]] = {}
    async with request.form(max_files=MOST_PICTURES, max_fields=MOST_PICTURES) as form:
        for seat, picture in form.multi_items():
            if not isinstance(picture, AnyUpload):
                raise RequestError(422, "invalid_request", f"the field {seat!r} is no photograph")
            player = seats[seat_number(seats, seat)]
            read = await _read(services, player, await picture_bytes(services, picture), config.tile_set)
            found.setdefault(player, []).extend(Tile.parse(tile) for tile in read.tiles)
    if not found:
        raise RequestError(422, "invalid_request", "send a photograph for a seat")

    def check(desk: Desk) -> CountedHands:
        return counted_hands(desk.session.referee.ledger.match, found, config.tile_set)

    counted: CountedHands = await asyncio.wrap_future(worker.ask(check))
    if not apply:
        return counted
    for player, tiles in found.items():
        command = ShownCommand(op="shown", player=player, tiles=[str(tile) for tile in tiles])
        await tell(services, table, who, command)
    return counted.model_copy(update={"applied": True})


@router.post("/count", responses=_UPLOADS)
async def count(
    services: ServicesDep,
    picture: Annotated[list[UploadFile], File(description="photographs of tiles", max_length=MOST_PICTURES)],
    set_name: Annotated[str | None, Form(alias="set", description="the tile set")] = None,
) -> Counted:
    """Count the tiles on photographs, without a game."""
    tile_set = find_tile_set(set_name or services.options.set_name)
    found = []
    for number, each in enumerate(picture, 1):
        data = await picture_bytes(services, each)
        found.append(await _read(services, name_of(each, f"picture {number}"), data, tile_set))
    return Counted(hands=found, pips=sum(each.pips for each in found))


async def _read(services: Services, name: str, data: bytes, tile_set: TileSet) -> CountedPicture:
    def read() -> CountedPicture:
        observation = services.networks.observe(Frame(decode_picture(data, name)), tile_set)
        return counted_picture(name, observation, tile_set)

    return await run_sync(read, limiter=services.readers)


def _seats(desk: Desk) -> tuple[str, ...]:
    return desk.session.referee.ledger.seating.seats


def seat_number(seats: Sequence[str], seat: str) -> int:
    """Return which seat a name or a number (from 0) stands for; raises SetupError `players`."""
    if seat in seats:
        return seats.index(seat)
    if seat.isascii() and seat.isdigit() and len(seat) < 3 and int(seat) < len(seats):
        return int(seat)
    raise SetupError("players", f"{seat} is not among {', '.join(seats)}", player=seat)


def _check_allowed(config: TableConfig) -> None:
    if config.tournament:
        raise RequestError(403, "advice_forbidden", "this table plays a tournament: no advice")
