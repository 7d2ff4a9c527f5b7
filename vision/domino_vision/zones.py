"""Zones of a table: named polygons in table millimetres, and which of them a tile lies in.

A zone's name is its kind, with the seat where it belongs to one: `layout`, `stock`, `trump`, `trick`, `talon`,
`pile-0`, `hand-2`. Seats are numbered from 0, the near side of the picture, against the clock as players sit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NoReturn

import cv2
import numpy as np

from domino_vision.assemble.plane import project
from domino_vision.errors import ZoneError
from domino_vision.types import F64Array, ReadTile, TableObservation

KINDS: Final = ("layout", "stock", "trump", "trick", "talon", "pile", "hand")
"""What zones are for."""
SEAT_KINDS: Final = ("pile", "hand")
"""Kinds of which each seat has one."""
MOST_SEATS: Final = 8

_NAME = re.compile(r"(?P<kind>[a-z]+)(?:-(?P<seat>\d))?")
_VERSION: Final = 1
_MOST_CORNERS: Final = 64


@dataclass(frozen=True, slots=True)
class Zone:
    """A named polygon.

    Attributes:
        name: the kind, with `-seat` for piles and hands.
        polygon_mm: corners (x, y) in table millimetres, at least three, going round.
    """

    name: str
    polygon_mm: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        match = _NAME.fullmatch(self.name)
        if match is None or match["kind"] not in KINDS:
            _fail("zone_name", f"{self.name!r} is no zone; kinds: {', '.join(KINDS)}", name=self.name)
        if (match["kind"] in SEAT_KINDS) != (match["seat"] is not None):
            need = "needs a seat, as in pile-0" if match["kind"] in SEAT_KINDS else "belongs to no seat"
            _fail("zone_seat", f"zone {self.name!r} {need}", name=self.name)
        points = np.array(self.polygon_mm, np.float64)
        if not 3 <= len(self.polygon_mm) <= _MOST_CORNERS or points.shape[1:] != (2,) or not np.isfinite(points).all():
            _fail("zone_shape", f"zone {self.name!r} is no polygon of 3 to {_MOST_CORNERS} corners", name=self.name)
        if cv2.contourArea(points.astype(np.float32)) < 1.0:
            _fail("zone_shape", f"zone {self.name!r} has no area", name=self.name)

    @property
    def kind(self) -> str:
        """The name without the seat."""
        return self.name.partition("-")[0]

    @property
    def seat(self) -> int | None:
        """The seat that it belongs to."""
        seat = self.name.partition("-")[2]
        return int(seat) if seat else None

    @property
    def points(self) -> F64Array:
        """The corners, shape (n, 2)."""
        return np.array(self.polygon_mm, np.float64)

    @property
    def area_mm2(self) -> float:
        """Its area."""
        return float(cv2.contourArea(self.points.astype(np.float32)))

    def depth(self, point_mm: Sequence[float]) -> float:
        """Return how far inside a point lies, mm; negative outside."""
        contour = self.points.astype(np.float32).reshape(-1, 1, 2)
        return float(cv2.pointPolygonTest(contour, (float(point_mm[0]), float(point_mm[1])), measureDist=True))


@dataclass(frozen=True, slots=True)
class Zones:
    """All zones of a table. Where zones overlap the smaller one counts.

    Attributes:
        zones: in the order in which they were drawn; names are different.
        seats: how many players sit at the table.
        game: the game that they were made for, or "".
    """

    zones: tuple[Zone, ...] = ()
    seats: int = 0
    game: str = ""

    def __post_init__(self) -> None:
        names = [zone.name for zone in self.zones]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            _fail("zone_twice", f"zone {twice[0]!r} is there twice", name=twice[0])
        if not 0 <= self.seats <= MOST_SEATS:
            _fail("zone_seats", f"{self.seats} seats; at most {MOST_SEATS}", seats=self.seats)

    def __getitem__(self, name: str) -> Zone:
        """Return a zone by name; raises `ZoneError` `zone_unknown`."""
        found = next((zone for zone in self.zones if zone.name == name), None)
        if found is None:
            _fail("zone_unknown", f"no zone {name!r} on this table", name=name)
        return found

    def __contains__(self, name: object) -> bool:
        return any(zone.name == name for zone in self.zones)

    def at(self, point_mm: Sequence[float], margin_mm: float = 0.0) -> Zone | None:
        """Return the zone of a point: the smallest that holds it, or else the nearest within a margin.

        Args:
            point_mm: x and y on the table.
            margin_mm: how far outside of every zone a point may lie.
        """
        depths = [(zone, zone.depth(point_mm)) for zone in self.zones]
        inside = [zone for zone, depth in depths if depth >= 0]
        if inside:
            return min(inside, key=lambda zone: zone.area_mm2)
        near = max(depths, key=lambda pair: pair[1], default=None)
        return near[0] if near is not None and near[1] >= -margin_mm else None

    def of(self, tile: ReadTile, margin_mm: float = 10.0) -> Zone | None:
        """Return the zone of a tile by its middle."""
        middle = tile.quad_mm.mean(axis=0)
        return self.at((float(middle[0]), float(middle[1])), margin_mm)

    def sorted_tiles(self, observation: TableObservation, margin_mm: float = 10.0) -> dict[str | None, tuple[int, ...]]:
        """Return the tiles of an observation in table coordinates by zone name; None for those in no zone."""
        found: dict[str | None, list[int]] = {}
        for index, tile in enumerate(observation.tiles):
            zone = self.of(tile, margin_mm)
            found.setdefault(None if zone is None else zone.name, []).append(index)
        return {name: tuple(tiles) for name, tiles in found.items()}

    def moved(self, transform: F64Array) -> Zones:
        """Return the zones moved by a homography (3, 3) of the table plane."""
        moved = [Zone(zone.name, _pairs(project(transform, zone.points))) for zone in self.zones]
        return replace(self, zones=tuple(moved))

    def in_px(self, px_to_mm: F64Array) -> dict[str, F64Array]:
        """Return the polygons (n, 2) in the pixels of a frame, by name, to be drawn.

        Args:
            px_to_mm: shape (3, 3), the frame's pixels to table millimetres.
        """
        to_px = np.asarray(np.linalg.inv(px_to_mm), np.float64)
        return {zone.name: project(to_px, zone.points) for zone in self.zones}

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        rows = [{"name": zone.name, "polygon_mm": [list(point) for point in zone.polygon_mm]} for zone in self.zones]
        return {"version": _VERSION, "game": self.game, "seats": self.seats, "zones": rows}

    @classmethod
    def from_json(cls, raw: object) -> Zones:
        """Return zones from plain values.

        Raises:
            ZoneError: `zone_format`, `zone_name`, `zone_seat`, `zone_shape`, `zone_twice` or `zone_seats`.
        """
        if not isinstance(raw, dict) or raw.get("version") != _VERSION or not isinstance(raw.get("zones"), list):
            _fail("zone_format", f"no zones of version {_VERSION}")
        game, seats = raw.get("game", ""), raw.get("seats", 0)
        if not isinstance(game, str) or type(seats) is not int:
            _fail("zone_format", "game is a word and seats a whole number")
        return cls(tuple(_zone(row) for row in raw["zones"]), seats, game)

    def save(self, path: Path) -> None:
        """Write the zones to a JSON file; a half-written file never remains."""
        part = path.with_name(path.name + ".part")
        try:
            part.write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise ZoneError("zone_unwritable", f"cannot write {path}: {error.strerror}", file=str(path)) from error

    @classmethod
    def load(cls, path: Path) -> Zones:
        """Read zones from a JSON file.

        Raises:
            ZoneError: `zone_unreadable`, or as `from_json`.
        """
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ZoneError("zone_unreadable", f"cannot read {path}: {error.strerror}", file=str(path)) from error
        except (ValueError, RecursionError) as error:
            raise ZoneError("zone_format", f"{path} is not JSON: {error}", file=str(path)) from error
        return cls.from_json(raw)


def _zone(raw: object) -> Zone:
    if not isinstance(raw, dict) or not isinstance(raw.get("name"), str):
        _fail("zone_format", "a zone is an object with a name and polygon_mm")
    points = raw.get("polygon_mm")
    if not isinstance(points, list) or not all(map(_is_point, points)):
        _fail("zone_shape", f"polygon_mm of {raw['name']!r} is no list of [x, y]", name=raw["name"])
    return Zone(raw["name"], tuple((float(x), float(y)) for x, y in points))


def _is_point(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(isinstance(n, int | float) and not isinstance(n, bool) for n in value)


def _pairs(points: Iterable[Iterable[float]]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)


def _fail(code: str, message: str, **params: Any) -> NoReturn:
    raise ZoneError(code, message, **params)
