"""The table `live`, which `serve --source … --game …` follows at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from domino_rules.errors import DominoError, SetupError
from domino_server.house_options import parse_options
from domino_server.store import Store, TableRow
from domino_server.tables.config import TableConfig

NAME: Final = "live"
_PLAYED: Final = ("game", "seats", "options")
"""What a match is played by; a table with moves in it keeps these."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """What the command line said of the table; None where it said nothing."""

    source: str | None = None
    game: str | None = None
    seats: tuple[str, ...] | None = None
    options: tuple[str, ...] = ()
    opener: str | None = None
    every_s: float | None = None
    tiles: str | None = None

    def given(self) -> dict[str, Any]:
        """Return what was said, by the names of a table's configuration.

        Raises:
            SetupError: `bad_option` for an option without `=`, or given twice.
        """
        found = {
            "source": self.source,
            "game": self.game,
            "seats": None if self.seats is None else list(self.seats),
            "options": dict(parse_options(self.options)) or None,
            "opener": self.opener,
            "every_s": self.every_s,
            "tiles": self.tiles,
        }
        return {name: value for name, value in found.items() if value is not None}


def live_table(store: Store, asked: LiveTable) -> str:
    """Return the id of the table `live`: the one that is there, if it is played as asked, else a new one.

    A table that is played in another way, another game or with other players, is archived, not changed: its record
    would make no sense under other rules.

    Raises:
        SetupError: if no such table can be.
    """
    given = asked.given()
    found = next((row for row in reversed(store.tables()) if row.name == NAME), None)
    if found is not None and _goes_on(found, given):
        config = _config({**found.config, **given})
        return store.configure(found.id, config=config.model_dump(mode="json")).id
    made = _config({"source": "push", **given})
    if found is not None:
        store.archive(found.id)
    return store.create_table(NAME, made.model_dump(mode="json")).id


def _goes_on(row: TableRow, given: dict[str, Any]) -> bool:
    """Whether a table can go on under what was asked; a record that has not begun goes on under anything."""
    try:
        before, after = _config(row.config), _config({**row.config, **given})
    except DominoError:
        return False
    return all(getattr(before, name) == getattr(after, name) for name in _PLAYED)


def _config(data: Any) -> TableConfig:
    try:
        return TableConfig.kept(data)
    except ValidationError as error:
        first = error.errors()[0]
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, DominoError):
            raise cause from None
        where = ".".join(map(str, first["loc"]))
        message = first["msg"].removeprefix("Value error, ")
        raise SetupError("bad_table", f"{where}: {message}" if where else message, field=where) from None
