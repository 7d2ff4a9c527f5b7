"""A picture in, its report out."""

from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, File, Form, UploadFile

from domino_rules.state import find_game
from domino_rules.tile import Tile, find_tile_set, parse_tiles
from domino_server.api.deps import ServicesDep
from domino_server.api.uploads import name_of, picture_bytes
from domino_server.report import Question, build_report
from domino_server.schemas import Problem, Report
from domino_server.services import ServeOptions, Services
from domino_server.tile_checks import set_played
from domino_vision.sources import decode_picture
from domino_vision.types import Frame

router = APIRouter(tags=["read"])


@router.post("/read", responses={status: {"model": Problem} for status in (400, 408, 413, 422, 429)})
async def picture(
    services: ServicesDep,
    picture: Annotated[UploadFile, File(description="a photograph of the table, JPEG or PNG")],
    game: Annotated[str | None, Form(description="pincset, cincos, bingo or tiu-u; empty for cincos")] = None,
    hand: Annotated[str | None, Form(description="the tiles of a hand, such as 6-4,5-5")] = None,
    set_name: Annotated[
        str | None, Form(alias="set", description="the tile set; empty for the game's, without a game any")
    ] = None,
) -> Report:
    """Read one photograph: tiles, layout, open ends, count, points and legal plays."""
    options = services.options
    tiles = None if not hand else parse_tiles(hand)
    question = _question(game or None, set_name or None, options, tiles)
    data = await picture_bytes(services, picture)
    name = name_of(picture, "picture")
    return await run_sync(_report, services, question, data, name, limiter=services.readers)


def _question(game: str | None, set_name: str | None, options: ServeOptions, hand: tuple[Tile, ...] | None) -> Question:
    """Return what is asked; the default game is meant only where no set is named that it is not played with."""
    default = None if options.game is None else find_game(options.game)
    named = None if set_name is None else find_tile_set(set_name)
    if default is not None and named is not None and named.kinds != default.tile_set.kinds:
        default = None
    found = default if game is None else find_game(game)
    tile_set = set_played(found, set_name, find_tile_set(options.set_name))
    return Question.of(tile_set, None if found is None else found.name, hand)


def _report(services: Services, question: Question, data: bytes, name: str) -> Report:
    frame = Frame(decode_picture(data, name))
    observation = services.networks.observe(frame, question.tile_set, line=question.has_line)
    return build_report(observation, question, name, frame)
