"""What is set up for a table: its game, who sits there, where its pictures come from."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from domino_rules.errors import SetupError
from domino_rules.explain import find_language
from domino_rules.ruleset import RuleSet
from domino_rules.state import Game, find_game
from domino_rules.tile import TileSet
from domino_server.problems import refusal_of
from domino_server.schemas import sendable

PUSH: Final = "push"
"""The source of a table whose pictures are sent by a phone."""
MOST_NAME: Final = 60
_LOG = logging.getLogger(__name__)
_CONTROL: Final = frozenset(map(chr, (*range(32), 127)))

PlayerName = Annotated[str, Field(min_length=1, max_length=MOST_NAME)]


@cache
def _tell_passed_over(named: str) -> None:
    _LOG.warning("a table was set up with the tile set %s: that is passed over, a game is played with its own", named)


def clean_name(text: str) -> str:
    """Return a name as it is kept: single blanks, nothing that no screen shows.

    Raises:
        ValueError: if nothing is left.
    """
    kept = " ".join("".join(" " if char in _CONTROL else char for char in sendable(text)).split())
    if not kept:
        raise ValueError("a name needs at least one letter or digit")
    return kept


class TableConfig(BaseModel):
    """How a table is set up; kept with the table as JSON.

    Attributes:
        game: the game played.
        seats: the players in the order of play, the first at the near side.
        options: house options, texts by name.
        tiles: an enrolled design of tiles; None for what was learned.
        source: camera index, file, folder or URL; `push` for a phone; None for a table without a camera.
        opener: who leads the first hand, where the rules leave it open.
        zones: the parts of the table in its millimetres, as they were drawn before.
        use_zones: whether the table has parts but the layout.
        language: of texts.
        tournament: no advice at this table.
        public: state and overlay need no token.
        private_evidence: the room outside the table is made unrecognisable in the pictures that are kept.
        delay_s: how much later the overlay shows what happens, seconds.
        every_s: pause between the pictures of a folder, seconds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str = "cincos"
    seats: list[PlayerName] = Field(default_factory=lambda: ["A", "B"], min_length=2, max_length=8)
    options: dict[str, str] = Field(default_factory=dict, max_length=64)
    tiles: str | None = Field(default=None, max_length=100)
    source: str | None = Field(default=None, max_length=1000)
    opener: str | None = Field(default=None, max_length=MOST_NAME)
    zones: dict[str, Any] | None = None
    use_zones: bool = True
    language: str = "en"
    tournament: bool = False
    public: bool = True
    private_evidence: bool = True
    delay_s: float = Field(default=0.0, ge=0, le=3600)
    every_s: float = Field(default=1.0, ge=0.05, le=3600)

    @field_validator("game")
    @classmethod
    def _known_game(cls, name: str) -> str:
        return find_game(name).name

    @field_validator("language")
    @classmethod
    def _known_language(cls, tag: str) -> str:
        return find_language(tag)

    @field_validator("seats")
    @classmethod
    def _clean_seats(cls, names: list[str]) -> list[str]:
        return [clean_name(name) for name in names]

    @field_validator("source")
    @classmethod
    def _no_blank_source(cls, source: str | None) -> str | None:
        return None if source is None or not source.strip() else source.strip()

    @model_validator(mode="after")
    def _playable(self) -> Self:
        """Refuse options and seats that make no game; the error keeps its own code."""
        self.found.sides(tuple(self.seats), self.rules)
        if self.opener is not None and self.opener not in self.seats:
            raise SetupError("players", f"{self.opener} is not among {', '.join(self.seats)}", player=self.opener)
        return self

    @classmethod
    def kept(cls, config: Mapping[str, Any]) -> Self:
        """Return a configuration that was kept with a table, perhaps by a version that let a tile set be named.

        That a game is played with its own tiles instead is logged once.

        Raises:
            ValidationError: if it makes no table.
        """
        if config.get("set") is not None:
            _tell_passed_over(str(config["set"]))
        return cls.model_validate({name: value for name, value in config.items() if name != "set"})

    @property
    def found(self) -> Game:
        """The game."""
        return find_game(self.game)

    @property
    def rules(self) -> RuleSet:
        """The rules that it is played by."""
        return self.found.rules(**self.options)

    @property
    def tile_set(self) -> TileSet:
        """The tiles in use, the game's own."""
        return self.found.tile_set

    @property
    def pushed(self) -> bool:
        """Whether pictures are sent to the table."""
        return self.source == PUSH

    def changed(self, changes: Mapping[str, Any]) -> TableConfig:
        """Return the configuration with some values changed; raises DominoError why it cannot be."""
        try:
            return TableConfig.model_validate({**self.model_dump(), **changes})
        except ValidationError as error:
            raise refusal_of(error) from None
