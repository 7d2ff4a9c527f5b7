"""Enrolled tiles by their name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from domino_server.data_folder import tiles_folder

if TYPE_CHECKING:
    from domino_vision.enrol.store import EnrolledTiles


def enrolled_tiles(name: str | None, data: Path | None) -> EnrolledTiles | None:
    """Return the tiles that `enrol` keeps under a name; None for no name.

    Raises:
        EnrolError: `tiles_name`, `tiles_unknown` or `tiles_broken`.
    """
    if name is None:
        return None
    from domino_vision.enrol.store import TileStore

    return TileStore(tiles_folder(data)).load(name)
