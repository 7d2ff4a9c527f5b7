"""Where a machine keeps what it is told to keep."""

import os
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

DATA_VARIABLE: Final = "DOMINOTABLE_DATA"
"""Environment variable naming the folder of data."""


def data_folder(given: Path | None = None) -> Path:
    """Return the folder that an option names, else `$DOMINOTABLE_DATA`, else the user's own; it need not exist yet."""
    named = os.environ.get(DATA_VARIABLE)
    folder = given or (Path(named) if named else user_data_path("dominotable", appauthor=False))
    return folder.expanduser().absolute()


def tiles_folder(given: Path | None = None) -> Path:
    """Return the folder of enrolled tiles."""
    return data_folder(given) / "tiles"
