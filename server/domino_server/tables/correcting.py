"""What people correct in the picture of a table: halves, tiles that are none or were missed, joins, zones."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from domino_rules.errors import SetupError
from domino_rules.tile import Tile
from domino_server.referee import Correct
from domino_server.referee.session import Line
from domino_server.tables import commands as c
from domino_server.tables.desk import PX_TO_MM, Desk
from domino_server.tables.places import middle_px, missed_tile, nearest_parts, tile_at, zones_of
from domino_server.tables.spectacles import ToldJoin
from domino_server.tile_checks import check_tile
from domino_vision.track import TableMemory
from domino_vision.types import ReadTile
from domino_vision.zones import Zones

_NEAR_MM: Final = 15.0


def half(desk: Desk, command: c.HalfCommand) -> list[Line]:
    """A half shows other pips than were read."""
    tile = tile_at(desk.session.shown, command.tile)
    if tile.halves is None:
        raise SetupError("no_face", "this tile shows no face", tile=command.tile)
    pair = [*tile.halves]
    pair[command.half] = command.pips
    check_tile(Tile(*pair), desk.config.tile_set)
    return desk.session.name_tile(command.tile, (pair[0], pair[1]))


def phantom(desk: Desk, command: c.PhantomCommand) -> list[Line]:
    """What was taken for a tile is none; the move that it was taken for was not made."""
    tile = tile_at(desk.session.shown, command.tile)
    lines = _unlaid(desk, tile.tile)
    at, middle = middle_px(tile), tile.quad_mm.mean(axis=0)
    tracker = desk.session.settler.tracker
    kept = [
        known for known in tracker.memory.tiles if float(np.linalg.norm(known.quad_mm.mean(axis=0) - middle)) > _NEAR_MM
    ]
    tracker.memory = TableMemory(kept)
    desk.spectacles.missed = [each for each in desk.spectacles.missed if not _is_at(each.quad_px.mean(axis=0), tile)]
    desk.spectacles.phantoms.append(at)
    return lines + desk.session.look_again()


def missed(desk: Desk, command: c.MissedCommand) -> list[Line]:
    """A tile lies there that was not found."""
    found = missed_tile(desk.session.shown, command.tile, command.at, command.head)
    check_tile(Tile(*found.halves), desk.config.tile_set)
    middle = found.quad_px.mean(axis=0)
    shown = desk.session.shown
    if shown is not None and any(_is_at(middle, tile) for tile in shown.tiles):
        raise SetupError("tile_there", "a tile lies there already: correct its halves", tile=command.tile)
    desk.spectacles.missed.append(found)
    return desk.session.look_again()


def join(desk: Desk, command: c.JoinCommand) -> list[Line]:
    """A tile is joined otherwise than was seen."""
    first, second = command.tiles
    tile = tile_at(desk.session.shown, first)
    if second == first:
        raise SetupError("no_such_tile", "a tile cannot be joined to itself", tile=first)
    if second is None:
        told = ToldJoin(middle_px(tile), "a", None, "a")
    else:
        other = tile_at(desk.session.shown, second)
        part, other_part = command.parts or nearest_parts(tile, other)
        told = ToldJoin(middle_px(tile), part, middle_px(other), other_part)
    desk.spectacles.joins = [each for each in desk.spectacles.joins if each.at != told.at] + [told]
    return desk.session.joined_anew()


def zones(desk: Desk, command: c.ZonesCommand) -> list[Line]:
    """The table has other parts; they are kept with where the table lies in the picture."""
    drawn = _drawn(desk, command)
    kept: dict[str, Any] | None = None
    place = desk.session.settler.tracker.px_to_mm
    if drawn is not None:
        kept = {**drawn.to_json(), **({} if place is None else {PX_TO_MM: place.tolist()})}
    desk.configure(desk.config.changed({"zones": kept}), kind="zones")
    desk.session.draw_zones(drawn)
    return desk.session.look_again()


def _drawn(desk: Desk, command: c.ZonesCommand) -> Zones | None:
    if command.zones_mm is not None:
        return Zones.from_json(command.zones_mm)
    if command.zones is None or command.reset:
        return None
    return zones_of(command.zones, desk.session.shown, len(desk.config.seats), desk.config.game)


def _unlaid(desk: Desk, tile: Tile | None) -> list[Line]:
    """Take back the move that laid a tile, if one did."""
    ledger = desk.session.referee.ledger
    made = [n for n, record in enumerate(ledger.moves, 1) if getattr(record.move, "tile", None) is tile]
    return [] if tile is None or not made else desk.session.tell(Correct(made[-1], None))


def _is_at(point: Any, tile: ReadTile) -> bool:
    quad = tile.quad_px
    length = float(np.linalg.norm(quad[:2].mean(axis=0) - quad[2:].mean(axis=0)))
    return float(np.linalg.norm(np.asarray(point) - quad.mean(axis=0))) < length / 2
