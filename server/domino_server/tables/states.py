"""What a table tells: to everybody (`TableState`), and to those who keep it (`PrivateState`)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Point = tuple[float, float]


class _State(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CameraState(_State):
    """Where the pictures come from and how that goes."""

    state: Literal["none", "waiting", "live", "lost", "ended"] = "none"
    label: str | None = Field(default=None, description="what was opened, without passwords")
    fps: float = 0.0
    size: tuple[int, int] | None = Field(default=None, description="width and height in pixels")
    code: str | None = Field(default=None, description="why there is no picture, or none that shows anything")
    detail: str | None = None


class SettleInfo(_State):
    """What the program is doing about the table."""

    state: Literal["wait", "hand", "stable", "read", "commit", "ask"] = "wait"
    code: str = "start"
    text: str = ""


class EndState(_State):
    """An open end."""

    arm: str
    pips: int
    count: int


class LayoutState(_State):
    """The line of play."""

    text: str = Field(description="inner half first; L, R, U, D are its arms")
    ends: list[EndState]
    count: int | None = Field(description="the count, in games that count")


class MoveRow(_State):
    """A move of the hand in progress."""

    number: int
    hand: int
    player: str
    text: str
    known: str = Field(description="seen, told or inferred")
    points: int = 0
    at: str | None = Field(default=None, description="when it was committed, ISO 8601 UTC")


class HandRow(_State):
    """A hand that is over."""

    number: int
    winner: str | None
    points: dict[str, int]
    totals: dict[str, int]
    reason: str
    pending: bool = Field(default=False, description="its score waits for hands that nobody has shown")


class PauseState(_State):
    """Why the game waits."""

    code: str
    expects: list[str] = Field(description="tiles that it expects to see on the table, or to see no more")
    text: str


class AlertRow(_State):
    """Something that everybody should know."""

    code: str
    player: str | None
    tile: str | None
    text: str
    at: str | None = None


class TableState(_State):
    """A table as everybody may see it: never a hand, never advice, never what a hidden hand may hold."""

    id: str
    name: str
    game: str
    set: str
    seats: list[str]
    sides: dict[str, list[str]]
    language: str
    delay_s: float = 0.0
    tournament: bool = False
    seq: int = Field(description="number of the newest event that this state includes")
    phase: Literal["stopped", "running", "archived"]
    camera: CameraState = CameraState()
    settle: SettleInfo = SettleInfo()
    hand: int = 0
    to_move: str | None = None
    target: int | None = None
    layout: LayoutState | None = None
    board: dict[str, Any] | None = None
    totals: dict[str, int] = Field(default_factory=dict)
    winner: str | None = None
    moves: list[MoveRow] = Field(default_factory=list)
    hands: list[HandRow] = Field(default_factory=list)
    pause: PauseState | None = None
    alerts: list[AlertRow] = Field(default_factory=list)
    picture: int = Field(default=0, description="number of the newest picture")


class ChoiceState(_State):
    """One answer to a question."""

    key: str
    text: str
    odds: float | None = None
    changes: dict[str, Any] = Field(default_factory=dict)


class DoubtState(_State):
    """What is in doubt in a picture that a question is about."""

    tiles: list[str] = Field(description="as they are read; `?` for one whose face is not read")
    text: str


class QuestionState(_State):
    """An open question, for those who keep the table."""

    code: str
    text: str
    choices: list[ChoiceState]
    tiles: list[str]
    crops: int = Field(description="so many pictures lie under /crops/{code}/{n}.jpg")
    params: dict[str, Any] = Field(default_factory=dict)
    doubts: list[DoubtState] = Field(default_factory=list, description="of a question about a picture: what is unsure")


class SeenTileState(_State):
    """A tile as it lies in the newest picture that was understood."""

    index: int
    quad: list[Point] = Field(description="corners in pixels; 0-1 is the short edge at the first half's end")
    tile: str | None
    halves: tuple[int, int] | None
    role: str
    confidence: float


class SeenEndState(_State):
    """An open end in the picture."""

    arm: str
    pips: int
    count: int
    at: Point | None = Field(description="the middle of the tile's free side, in pixels; null if the tile is not found")
    out: Point | None = Field(description="the way from there away from the tile, of length 1")


class ProblemState(_State):
    """Something about the picture that a person should look at."""

    code: str
    tiles: list[int]
    text: str


class ObservationState(_State):
    """What vision makes of the table."""

    size: tuple[int, int]
    tiles: list[SeenTileState]
    joins: list[tuple[int, str, int, str]] = Field(description="tile, part, tile, part; a and b ends, m long side")
    ends: list[SeenEndState]
    problems: list[ProblemState]
    believed: bool = Field(description="whether it was committed; otherwise it is a look that is in doubt")


class ZoneState(_State):
    """A part of the table in the picture."""

    name: str
    polygon: list[Point]


class CalibrationState(_State):
    """How far the camera knows its table."""

    tiles: int = Field(default=0, description="tiles that lie flat on the table")
    mm_per_px: float | None = Field(
        default=None, description="length of a pixel on the table at the middle of the picture; null until tiles told"
    )
    zones: Literal["drawn", "preset", "off", "none"] = Field(
        default="none", description="where the parts of the table come from; none until tiles lie there"
    )


class GhostTileState(_State):
    """A tile of the table as it last lay undisturbed."""

    tile: str
    quad: list[Point] = Field(description="corners in pixels")
    matches: bool = Field(description="whether it lies there now")


class KeptState(_State):
    """How much evidence there is of a table, and how much may be."""

    size: int = Field(description="bytes of pictures that are kept")
    most: int | None = Field(description="so many at most; 0 if the server keeps none; null without a limit")
    days: float | None = Field(description="so long at most; null without a limit")


class PrivateState(_State):
    """What only those who keep the table, or judge there, may see."""

    questions: list[QuestionState] = Field(default_factory=list)
    observation: ObservationState | None = None
    zones: list[ZoneState] = Field(default_factory=list)
    zones_mm: dict[str, Any] | None = None
    shown: dict[str, list[str]] = Field(default_factory=dict)
    suspicions: list[dict[str, Any]] = Field(
        default_factory=list, description="what may be against the rules in the hand in progress, for the judge"
    )
    ghost: list[GhostTileState] = Field(
        default_factory=list, description="where the tiles lay before the table was bumped, until it is as it was"
    )
    calibration: CalibrationState = CalibrationState()
    kept: KeptState | None = Field(default=None, description="of a table that runs where anything is kept")
    can_undo: bool = False
    can_redo: bool = False
    config: dict[str, Any] = Field(default_factory=dict)


class KeeperState(TableState, PrivateState):
    """A table as those see it who keep it, or judge there."""
