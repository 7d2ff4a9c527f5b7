"""A picture in, its report out."""

from typing import Annotated

from fastapi import APIRouter, File, Form, UploadFile

from domino_rules.tile import find_tile_set, parse_tiles
from domino_server.api.deps import ServicesDep
from domino_server.problems import RequestError
from domino_server.report import Question, build_report
from domino_server.schemas import Health, Problem, Report
from domino_server.version import VERSION
from domino_vision.sources import decode_picture
from domino_vision.types import Frame

router = APIRouter(tags=["read"])


@router.post("/read", responses={413: {"model": Problem}, 422: {"model": Problem}})
def picture(
    services: ServicesDep,
    picture: Annotated[UploadFile, File(description="a photograph of the table, JPEG or PNG")],
    game: Annotated[str | None, Form(description="pincset, cincos, bingo or tiu-u; empty for the table's")] = None,
    hand: Annotated[str | None, Form(description="the tiles of a hand, such as 6-4,5-5")] = None,
    set_name: Annotated[str | None, Form(alias="set", description="the tile set; empty for the table's")] = None,
) -> Report:
    """Read one photograph: tiles, layout, open ends, count, points and legal plays."""
    options = services.options
    tiles = None if not hand else parse_tiles(hand)
    question = Question.of(find_tile_set(set_name or options.set_name), game or options.game, tiles)
    data = picture.file.read(options.max_upload_bytes + 1)
    if len(data) > options.max_upload_bytes:
        limit = options.max_upload_bytes // (1024 * 1024)
        raise RequestError(413, "upload_too_large", f"the picture is larger than {limit} MiB", limit_mib=limit)
    name = picture.filename or "picture"
    frame = Frame(decode_picture(data, name))
    with services.reading:
        observation = services.pipeline.with_set(question.tile_set).observe(frame)
    return build_report(observation, question, name)


@router.get("/health", tags=["health"])
def health() -> Health:
    """Tell that the process is up."""
    return Health(status="ok", version=VERSION)
