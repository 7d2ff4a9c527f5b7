"""Tables: made, set up, started, stopped, put away."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from domino_server.access import Principal, access_of, maybe
from domino_server.api.deps import Admin, Keeper, ServicesDep, Staff, in_thread
from domino_server.api.sources import check_source
from domino_server.enrolled import enrolled_tiles
from domino_server.problems import refusal_of
from domino_server.schemas import Problem
from domino_server.store import TableRow
from domino_server.tables.config import MOST_NAME, TableConfig
from domino_server.tables.manager import TableManager

router = APIRouter(tags=["tables"])
_LOG = logging.getLogger(__name__)
REFUSED: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 401, 403, 404, 409, 422, 429, 503)
}


class NewTable(TableConfig):
    """A table to be made: its name, and how it is set up."""

    name: str = Field(min_length=1, max_length=MOST_NAME)

    @property
    def config(self) -> TableConfig:
        """How it is set up."""
        return TableConfig.model_validate(self.model_dump(exclude={"name"}))


class Changes(BaseModel):
    """What is to be otherwise at a table."""

    model_config = ConfigDict(extra="forbid")

    name: str | None = Field(default=None, min_length=1, max_length=MOST_NAME)
    config: dict[str, Any] | None = Field(default=None, description="only what changes")


class TableInfo(BaseModel):
    """A table in a list."""

    id: str
    name: str
    game: str
    seats: list[str]
    phase: str
    public: bool


class TableDetails(TableInfo):
    """A table as those see it who keep it."""

    config: TableConfig
    created_at: str
    archived_at: str | None


class Secrets(BaseModel):
    """Tokens that were just made; they are shown once."""

    keeper: str
    judge: str
    camera: str


class MadeTable(BaseModel):
    """A table that was just made."""

    table: TableDetails
    tokens: Secrets


def details(manager: TableManager, row: TableRow) -> TableDetails:
    """Return a table with its configuration."""
    config = TableConfig.kept(row.config)
    phase = "archived" if row.archived_at else "running" if manager.is_running(row.id) else "stopped"
    return TableDetails(
        id=row.id,
        name=row.name,
        game=config.game,
        seats=config.seats,
        phase=phase,
        public=config.public,
        config=config,
        created_at=row.created_at.isoformat(),
        archived_at=None if row.archived_at is None else row.archived_at.isoformat(),
    )


def _readable(manager: TableManager, rows: Iterable[TableRow]) -> Iterator[TableDetails]:
    """Yield the tables whose configuration this version understands."""
    for row in rows:
        try:
            yield details(manager, row)
        except ValidationError as error:
            _LOG.error("table %s cannot be shown: %s", row.id, refusal_of(error).message)


@router.get("/tables", responses={401: {"model": Problem}, 429: {"model": Problem}})
async def listed(
    services: ServicesDep, who: Annotated[Principal | None, Depends(maybe)], archived: bool = False
) -> list[TableInfo]:
    """List the public tables and one's own; all, for the house. Archived ones are for the house alone."""
    house = who is not None and who.role == "admin"
    rows = await in_thread(services, lambda: services.store.tables(archived=archived and house))
    found = list(_readable(services.manager, rows))
    seen = [each for each in found if house or each.public or (who is not None and who.table == each.id)]
    return [TableInfo.model_validate(each.model_dump(include=set(TableInfo.model_fields))) for each in seen]


@router.post("/tables", status_code=201, responses=REFUSED)
async def create(services: ServicesDep, request: Request, who: Admin, new: NewTable) -> MadeTable:
    """Make a table; the tokens in the answer are shown this once."""
    check_source(who, new.source)
    tokens = access_of(request).tokens
    label = f"made with the table by {who.role}"

    def make() -> MadeTable:
        with services.setting_up:
            enrolled_tiles(new.config.tiles, services.options.data)
            row = services.manager.create(new.name, new.config)
        secrets = {role: tokens.create(role, table=row.id, label=label).secret for role in Secrets.model_fields}
        return MadeTable(table=details(services.manager, row), tokens=Secrets(**secrets))

    return await in_thread(services, make)


@router.get("/tables/{table}", responses=REFUSED)
async def show(services: ServicesDep, table: str, who: Staff) -> TableDetails:
    """Tell how a table is set up."""
    del who
    return await in_thread(services, lambda: details(services.manager, services.store.table(table)))


@router.patch("/tables/{table}", responses=REFUSED)
async def change(services: ServicesDep, table: str, who: Keeper, changes: Changes) -> TableDetails:
    """Change name or configuration; seats and options count from the next match on; another game needs a new match."""
    if changes.config is not None and isinstance(changes.config.get("source"), str):
        check_source(who, changes.config["source"])

    def configure() -> TableDetails:
        with services.setting_up:
            config = None
            if changes.config is not None:
                before = TableConfig.kept(services.store.table(table).config)
                config = before.changed(changes.config)
                if config.tiles != before.tiles:
                    enrolled_tiles(config.tiles, services.options.data)
            return details(services.manager, services.manager.configure(table, changes.name, config))

    return await in_thread(services, configure)


@router.post("/tables/{table}/start", responses=REFUSED)
async def start(services: ServicesDep, table: str, who: Keeper) -> TableDetails:
    """Watch the table."""
    del who
    return await in_thread(services, lambda: details(services.manager, services.manager.start(table)))


@router.post("/tables/{table}/stop", responses=REFUSED)
async def stop(services: ServicesDep, table: str, who: Keeper) -> TableDetails:
    """Watch the table no longer; what was played stays."""
    del who
    return await in_thread(services, lambda: details(services.manager, services.manager.stop(table)))


@router.post("/tables/{table}/archive", responses=REFUSED)
async def archive(services: ServicesDep, table: str, who: Keeper) -> TableDetails:
    """Stop the table and put it away."""
    del who
    return await in_thread(services, lambda: details(services.manager, services.manager.archive(table)))
