"""Enrolling a set of tiles: what the command and the pages share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from domino_rules.tile import Tile, TileSet, find_tile_set
from domino_vision.errors import EnrolError, VisionError

if TYPE_CHECKING:
    from domino_server.store import Store
    from domino_vision.enrol import TileStore
    from domino_vision.enrol.enrolment import Ask, EnrolReport, Readings
    from domino_vision.enrol.seen import TilesInPicture
    from domino_vision.enrol.store import EnrolledTiles
    from domino_vision.types import Frame


@dataclass(frozen=True, slots=True)
class EnrolledRow:
    """A name of enrolled tiles in a list.

    Attributes:
        name: of the tiles.
        set_name: the set that they belong to; None if their file is damaged.
        tiles: how many were seen.
        kinds: how many different ones.
        of: how many different ones the set has.
        owner: the table whose keeper enrolled them; None for the house's.
        problem: why they cannot be used; None if they can.
    """

    name: str
    set_name: str | None = None
    tiles: int = 0
    kinds: int = 0
    of: int = 0
    owner: str | None = None
    problem: EnrolError | None = None


def rows_of(store: TileStore) -> tuple[EnrolledRow, ...]:
    """Return what is enrolled, by name; a damaged file is listed with its problem."""
    return tuple(_row(store, name) for name in store.names())


def _row(store: TileStore, name: str) -> EnrolledRow:
    try:
        tiles = store.load(name)
    except EnrolError as error:
        return EnrolledRow(name, problem=error)
    kinds = set(tiles.tiles)
    of = len(find_tile_set(tiles.set_name).kinds)
    return EnrolledRow(name, tiles.set_name, len(tiles.halves), len(kinds), of, tiles.owner)


def tiles_before(store: TileStore, name: str, *, add: bool) -> EnrolledTiles | None:
    """Return the tiles that are added to, None for a new name.

    Raises:
        EnrolError: `tiles_name`; `tiles_known` for a new name that is taken; `tiles_unknown` or `tiles_broken` where
            tiles are to be added.
    """
    if add:
        return store.load(name)
    if store.path(name).is_file():
        msg = f"{name!r} is enrolled already: add to it, or remove it first"
        raise EnrolError("tiles_known", msg, name=name)
    return None


def check_unused(tables: Store, name: str) -> None:
    """Refuse to let tiles go while a table is set up to play with them.

    Raises:
        EnrolError: `tiles_in_use`.
        StoreError: if the store of the tables cannot be read.
    """
    if any(row.config.get("tiles") == name for row in tables.tables()):
        raise EnrolError("tiles_in_use", f"a table plays with {name}: let it play without first", name=name)


def seen_in(name: str, frame: Frame, pipeline: Readings) -> TilesInPicture:
    """Return the face-up tiles of a picture.

    Raises:
        VisionError: `no_tile` (params `picture`) if there is none.
    """
    from domino_vision.enrol.enrolment import tiles_in

    seen = tiles_in(name, frame, pipeline.readings(frame))
    if not len(seen):
        raise VisionError("no_tile", f"{name}: no face-up tile in view", picture=name)
    return seen


def enrol_seen(
    name: str,
    seen: Sequence[TilesInPicture],
    tile_set: TileSet,
    *,
    given: Sequence[Sequence[Tile]] | None = None,
    told: Sequence[Mapping[int, Tile]] | None = None,
    ask: Ask | None = None,
    before: EnrolledTiles | None = None,
    threads: int = 2,
) -> EnrolReport:
    """Enrol the tiles of pictures under a name with the shipped reader; they are not saved yet.

    Raises:
        EnrolError, ModelError: as `domino_vision.enrol.enrol`.
    """
    from domino_vision.enrol import enrol
    from domino_vision.reader import TileReader
    from domino_vision.weights import READER, find_model

    reader = TileReader(find_model(READER), threads)
    return enrol(name, seen, tile_set, reader, given=given, told=told, ask=ask, before=before)


def facts_of(report: EnrolReport) -> dict[str, Any]:
    """Return what came of enrolling as JSON: tiles, those not seen, those named against a clear reading, figures."""
    return {
        "name": report.tiles.name,
        "set": report.tiles.set_name,
        "tiles": [str(tile) for tile in report.tiles.tiles],
        "missing": [str(tile) for tile in report.missing],
        "against": [str(doubt) for doubt in report.against],
        "changed": report.fit.head is not None,
        "worse": report.fit.worse,
        "loss": {"before": round(report.fit.loss[0], 4), "after": round(report.fit.loss[1], 4)},
        "halves": {"before": round(report.fit.right[0], 4), "after": round(report.fit.right[1], 4)},
    }
