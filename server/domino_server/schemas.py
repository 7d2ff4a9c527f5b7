"""What the commands print as JSON and the server answers: one schema for both."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def sendable(text: str) -> str:
    """Return text with what UTF-8 cannot carry (bytes of file names that are no text) escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


Name = Annotated[str, AfterValidator(sendable)]
"""The name of a file or device, which may hold any bytes."""


class _Schema(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TileReport(_Schema):
    """A tile as it was read. `quad` holds pixel corners; 0-1 is the short edge at the first half's end."""

    quad: list[tuple[float, float]]
    role: str = Field(description="chain, loose, down or standing")
    tile: str | None = Field(description="the tile as high-low, if its face was seen")
    halves: tuple[int, int] | None = Field(description="pips of the first and the second half as they lie")
    confidence: float


class OpenEndReport(_Schema):
    """A place where the line of play may grow."""

    arm: str = Field(description="L or R of the main line, U or D of the spinner")
    pips: int = Field(description="what must be matched")
    count: int = Field(description="what this end adds to the count")
    if_spinner: str | None = Field(default=None, description="the end is open if this double is the spinner")


class PlayReport(_Schema):
    """A legal play with what it would score."""

    tile: str
    arm: str
    count: int | None = Field(description="the count after the play, in games that count")
    points: int | None = Field(description="the points it earns, in games that score plays")
    source: str = Field(description="hand: given; loose: lies face up off the chain; unseen: not on the table")
    if_spinner: str | None = Field(default=None, description="the play needs this double to be the spinner")


class ProblemReport(_Schema):
    """Something about the table that a person should know."""

    code: str
    tiles: list[int]
    text: str


class Report(_Schema):
    """Everything that one picture tells."""

    source: Name
    size: tuple[int, int] = Field(description="width and height in pixels")
    set: str
    game: str | None
    tiles: list[TileReport]
    joins: list[tuple[int, str, int, str]] = Field(description="tile, part, tile, part; a and b ends, m long side")
    layout: str | None = Field(description="the line of play, inner half first; L, R, U, D are its arms")
    spinner: str | None
    spinner_candidates: list[str] = Field(description="doubles that may be the spinner, when that is open")
    open_ends: list[OpenEndReport]
    count: int | None = Field(description="sum of the open ends")
    count_confidence: float
    points: int | None = Field(description="what the last play earned, in games that score plays")
    hand: list[str] | None
    legal_plays: list[PlayReport]
    must_draw: bool = Field(description="a hand was given and none of its tiles fits")
    ask: bool = Field(description="a person should look: the count or a tile may be wrong")
    questions: list[ProblemReport] = Field(description="why a person should look; empty if `ask` is false")
    advice: list[str] = Field(description="what would make the tiles in question easier to read")
    problems: list[ProblemReport]
    tile_px: float = Field(description="length of a typical tile in pixels")
    timings_ms: dict[str, float]


class Problem(BaseModel):
    """An error as RFC 9457 problem+json, with our stable code."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    params: dict[str, object] = Field(default_factory=dict)


class Health(_Schema):
    """Whether the process is up."""

    status: str
    version: str
