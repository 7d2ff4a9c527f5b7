"""What there is to choose from: games with their options, cameras, and a look through one."""

from __future__ import annotations

from typing import Annotated, Any, Final

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from domino_rules.explain import LANGUAGES, explain
from domino_rules.games import GAMES
from domino_rules.ruleset import Option
from domino_rules.state import Game
from domino_server.access import Principal, require
from domino_server.api.deps import ServicesDep
from domino_server.api.sources import check_source
from domino_server.api.tables import REFUSED
from domino_server.rules_view import plain
from domino_server.tables.drawings import scaled_jpeg
from domino_vision.gauges import camera_list
from domino_vision.sources import open_source

router = APIRouter(tags=["catalogue"])
_JPEG: Final[dict[int | str, dict[str, Any]]] = {
    **REFUSED,
    200: {"content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}},
}


class OptionInfo(BaseModel):
    """A house option."""

    name: str
    default: Any
    choices: list[Any]
    minimum: int
    text: dict[str, str] = Field(description="what it means, by language")
    source: str


class GameInfo(BaseModel):
    """A game."""

    name: str
    title: dict[str, str] = Field(description="by language")
    seats: list[int] = Field(description="how many may play")
    set: str
    unit: str
    options: list[OptionInfo]
    presets: dict[str, Any]


class CameraInfo(BaseModel):
    """A camera of this machine."""

    source: str
    label: str


class Asked(BaseModel):
    """A source that is to be looked through."""

    model_config = ConfigDict(extra="forbid")

    source: str = Field(min_length=1, max_length=1000)


def _texts(code: str) -> dict[str, str]:
    return {lang: explain(code, {}, lang) for lang in LANGUAGES}


def _option(game: Game, option: Option) -> OptionInfo:
    return OptionInfo(
        name=option.name,
        default=plain(option.default),
        choices=plain(option.choices),
        minimum=option.minimum,
        text=_texts(f"option.{game.name}.{option.name}"),
        source=option.source,
    )


@router.get("/games")
def games() -> list[GameInfo]:
    """List the games with their house options and what these mean."""
    return [
        GameInfo(
            name=game.name,
            title=_texts(f"game.{game.name}"),
            seats=list(game.player_counts),
            set=game.tile_set.name,
            unit=game.unit,
            options=[_option(game, option) for option in game.options],
            presets=plain(getattr(game, "presets", {})),
        )
        for game in GAMES
    ]


@router.get("/cameras", responses=REFUSED)
def cameras(who: Annotated[Principal, Depends(require("admin"))]) -> list[CameraInfo]:
    """List the cameras of this machine."""
    del who
    return [CameraInfo(source=str(each.index), label=f"{each.name} ({each.index})") for each in camera_list()]


@router.post("/cameras/preview", response_class=Response, responses=_JPEG)
async def preview(
    services: ServicesDep, asked: Asked, who: Annotated[Principal, Depends(require("admin"))]
) -> Response:
    """Show one picture of a camera, before a table is made for it."""
    check_source(who, asked.source)

    def look() -> bytes:
        with open_source(asked.source) as source:
            return scaled_jpeg(next(iter(source)).frame.bgr)

    data = await run_sync(look, limiter=services.waiters)
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})
