"""What people may tell a table: one small model for each operation, checked before anything is done."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from domino_rules.tile import Tile
from domino_server.schemas import sendable
from domino_server.tables.config import PlayerName

_Part = Literal["a", "b", "m"]


def _tile(text: str) -> str:
    return str(Tile.parse(text))


TileText = Annotated[str, Field(max_length=8), AfterValidator(_tile)]
Text = Annotated[str, Field(max_length=300), AfterValidator(sendable)]
TileIndex = Annotated[int, Field(ge=0, le=500)]
Pixels = tuple[Annotated[float, Field(ge=-1e5, le=1e5)], Annotated[float, Field(ge=-1e5, le=1e5)]]


class _Command(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AnswerCommand(_Command):
    """Answer an open question."""

    op: Literal["answer"]
    code: Text
    key: Text


class MoveCommand(_Command):
    """Tell a move, in the notation of the rules."""

    op: Literal["move"]
    text: Text


class PassCommand(_Command):
    """A player passes."""

    op: Literal["pass"]
    player: PlayerName


class DrawCommand(_Command):
    """A player draws a tile that nobody saw."""

    op: Literal["draw"]
    player: PlayerName


class DeclareCommand(_Command):
    """In Bingo: a player calls his doubles."""

    op: Literal["declare"]
    player: PlayerName
    doubles: int = Field(ge=1, le=7)


class OpenerCommand(_Command):
    """Who leads."""

    op: Literal["opener"]
    player: PlayerName


class CorrectCommand(_Command):
    """A move of the hand was another one, was not made (`text` null), or one was left out (`insert`)."""

    op: Literal["correct"]
    number: int = Field(ge=1, le=1000)
    text: Text | None = None
    insert: bool = False


class TakeBackCommand(_Command):
    """The last move is taken back."""

    op: Literal["take_back"]


class UndoCommand(_Command):
    """Undo the last step, over the end of a hand too."""

    op: Literal["undo"]


class RedoCommand(_Command):
    """Do again what was undone last."""

    op: Literal["redo"]


class HalfCommand(_Command):
    """A half of a lying tile shows other pips than were read."""

    op: Literal["half"]
    tile: TileIndex
    half: Literal[0, 1]
    pips: int = Field(ge=0, le=12)


class PhantomCommand(_Command):
    """What was taken for a tile is none."""

    op: Literal["phantom"]
    tile: TileIndex


class MissedCommand(_Command):
    """A tile lies there that was not found; `at` its middle in pixels, `head` the middle of the half written first."""

    op: Literal["missed"]
    tile: Annotated[str, Field(max_length=8)]
    at: Pixels
    head: Pixels | None = None


class JoinCommand(_Command):
    """A tile is joined to another one, and to nothing else that it was joined to; to none if the second is null."""

    op: Literal["join"]
    tiles: tuple[TileIndex, TileIndex | None]
    parts: tuple[_Part, _Part] | None = None


class ShownCommand(_Command):
    """What a player has left at the end of the hand."""

    op: Literal["shown"]
    player: PlayerName
    tiles: list[TileText] = Field(max_length=40)


class AdjustCommand(_Command):
    """Give points to a side, or take some."""

    op: Literal["adjust"]
    side: Text
    points: int = Field(ge=-100_000, le=100_000)
    note: Text = ""


class RedealCommand(_Command):
    """The hand is dealt again."""

    op: Literal["redeal"]


class NextHandCommand(_Command):
    """The table was cleared; what lies there next begins the next hand."""

    op: Literal["next_hand"]


class NewMatchCommand(_Command):
    """Another match begins with the game, seats and options that are set up now."""

    op: Literal["new_match"]


class SeatsCommand(_Command):
    """The players' names, in the same order."""

    op: Literal["seats"]
    names: list[PlayerName] = Field(min_length=2, max_length=8)


class OptionsCommand(_Command):
    """House options; they count at once before the first hand, otherwise from the next match on."""

    op: Literal["options"]
    options: dict[str, Text] = Field(max_length=64)


class ZoneShape(_Command):
    """A part of the table as it was drawn on the picture."""

    name: Annotated[str, Field(max_length=20)]
    polygon: list[Pixels] = Field(min_length=3, max_length=64)


class ZonesCommand(_Command):
    """The parts of the table: in pixels of the picture, or in table millimetres; neither is the game's own again."""

    op: Literal["zones"]
    zones: list[ZoneShape] | None = Field(default=None, max_length=40)
    zones_mm: dict[str, Any] | None = None
    reset: bool = False


class RulingCommand(_Command):
    """A judge decides: let it stand, correct a move, replay the hand, take or give points."""

    op: Literal["ruling"]
    kind: Literal["let_stand", "correct", "replay", "penalty", "award"]
    reason: Text
    by: Text
    hand: int | None = Field(default=None, ge=1, le=10_000)
    move: int | None = Field(default=None, ge=1, le=1000)
    text: Text | None = None
    side: Text | None = None
    points: int = Field(default=0, ge=0, le=100_000)
    alert: Text | None = None


class ClaimCommand(_Command):
    """A player calls points for the last move; whoever made it, if no player is named."""

    op: Literal["claim"]
    count: int = Field(ge=0, le=10_000)
    player: PlayerName | None = None


Command = Annotated[
    AnswerCommand
    | MoveCommand
    | PassCommand
    | DrawCommand
    | DeclareCommand
    | OpenerCommand
    | CorrectCommand
    | TakeBackCommand
    | UndoCommand
    | RedoCommand
    | HalfCommand
    | PhantomCommand
    | MissedCommand
    | JoinCommand
    | ShownCommand
    | AdjustCommand
    | RedealCommand
    | NextHandCommand
    | NewMatchCommand
    | SeatsCommand
    | OptionsCommand
    | ZonesCommand
    | RulingCommand
    | ClaimCommand,
    Field(discriminator="op"),
]
COMMAND: Final[TypeAdapter[Command]] = TypeAdapter(Command)
JUDGE_OPS: Final = frozenset({"ruling"})
"""Operations of a judge alone."""
SHARED_OPS: Final = frozenset({"claim"})
"""Operations of whoever keeps the table, and of a judge."""
