"""What there is to choose from: games with their options, and cameras."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field

from domino_rules.explain import LANGUAGES, explain
from domino_rules.games import GAMES
from domino_rules.ruleset import Option
from domino_rules.state import Game
from domino_server.access import Principal, anywhere
from domino_server.api.tables import REFUSED
from domino_server.rules_view import plain
from domino_vision.gauges import camera_list

router = APIRouter(tags=["catalogue"])


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
def cameras(who: Annotated[Principal, Depends(anywhere("keeper"))]) -> list[CameraInfo]:
    """List the cameras of this machine."""
    del who
    return [CameraInfo(source=str(each.index), label=f"{each.name} ({each.index})") for each in camera_list()]
