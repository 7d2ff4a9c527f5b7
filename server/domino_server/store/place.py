"""Where a machine keeps its tables, unless it is told otherwise."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from platformdirs import user_data_path
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

DATABASE: Final = "dominotable.db"


@dataclass(frozen=True, slots=True)
class Place:
    """A folder for everything that is kept, and the database.

    Attributes:
        folder: the folder of data; it need not exist yet.
        url: the database, for `Store.open`.
    """

    folder: Path
    url: str

    @classmethod
    def of(cls, data: Path | None = None, database: str | None = None) -> Self:
        """Return the place that options ask for.

        Args:
            data: the folder; by default `$DOMINOTABLE_DATA`, else the user's folder of data.
            database: address of the database; by default `$DOMINOTABLE_DATABASE`, else a file in the folder.
        """
        folder = (data or _usual_folder()).expanduser().absolute()
        file = URL.create("sqlite", database=str(folder / DATABASE)).render_as_string(hide_password=False)
        return cls(folder, database or os.environ.get("DOMINOTABLE_DATABASE") or file)

    @property
    def file(self) -> Path | None:
        """The file of the database; None if it has none."""
        try:
            url = make_url(self.url)
        except (ArgumentError, ValueError):
            return None
        named = url.get_backend_name() == "sqlite" and url.database not in {None, "", ":memory:"}
        return Path(str(url.database)) if named else None

    @property
    def evidence(self) -> Path:
        """The folder that holds a folder of evidence for each table."""
        return self.folder / "evidence"

    @property
    def keys(self) -> Path:
        """The folder of the keys that tables sign with."""
        return self.folder / "keys"


def _usual_folder() -> Path:
    given = os.environ.get("DOMINOTABLE_DATA")
    if given:
        return Path(given)
    return user_data_path("dominotable", appauthor=False)
