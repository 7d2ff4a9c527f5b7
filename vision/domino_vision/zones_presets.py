"""Zones to begin with, for each game and number of seats, fitted to what of the table the camera sees."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from domino_vision.assemble.plane import TILE_LENGTH_MM, project
from domino_vision.errors import ZoneError
from domino_vision.types import F32Array, F64Array, TableObservation, TileRole
from domino_vision.zones import Zone, Zones

GAMES: Final = ("pincset", "cincos", "bingo", "tiu-u")
"""Games that have presets."""
SEATS: Final[dict[str, tuple[int, ...]]] = {
    "pincset": (2, 3, 4), "cincos": (2, 3, 4), "bingo": (2,), "tiu-u": (2, 3, 4),
}  # fmt: skip
"""How many may sit at each."""

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom as shares of the visible table."""

_HANDS: Final[tuple[Rect, ...]] = (
    (0.25, 0.86, 0.75, 1.0),
    (0.88, 0.2, 1.0, 0.8),
    (0.25, 0.0, 0.75, 0.14),
    (0.0, 0.2, 0.12, 0.8),
)
_PILES: Final[tuple[Rect, ...]] = (
    (0.2, 0.7, 0.8, 0.86),
    (0.74, 0.16, 0.88, 0.68),
    (0.2, 0.14, 0.8, 0.3),
    (0.12, 0.16, 0.26, 0.68),
)
_TRICK_PILES: Final[dict[int, Rect]] = {0: (0.7, 0.52, 1.0, 0.84), 2: (0.7, 0.16, 1.0, 0.48)}
_SIDES: Final[dict[int, tuple[int, ...]]] = {0: (), 2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)}
"""On which side each seat sits: near, right, far, left."""
_LEAST_MM: Final = 3 * TILE_LENGTH_MM
_LEAST_ROW: Final = 4
"""So many tiles tell how their rows lie."""
_SQUARE: Final = 0.8
"""How well the tiles of a table agree in that they lie square to each other, 0 to 1."""
_MOST_TURN: Final = np.radians(20.0)
_STOCK: Final = "stock"
_TALON: Final = "talon"
_PILE: Final = "pile"
_LEAST_STOCK: Final = 8
"""So many backs in a row are the stock of Tiu-U."""
_IN_ROW_MM: Final = 15.0
_STRAIGHT: Final = 0.15
"""Backs are in a row if they spread across it by at most this share of what they spread along it."""
_ROW_MM: Final = 0.8 * TILE_LENGTH_MM
"""The part of the table that is the stock's row reaches so far to both sides of it."""
_ROWS: Final = (0.2, 0.55)
"""Between these shares of the view the row may lie, with the talon below it."""
_HEAP_MM: Final = 60.0
"""Tiles whose middles are within this of each other lie in one heap."""
_LEAST_HEAP: Final = 4
"""So many tiles face down are a boneyard."""
_ROUND_MM: Final = 15.0
"""A heap's zone is larger than the heap by this, all around."""


def visible_rect(size_wh: tuple[int, int], px_to_mm: F64Array, inset: float = 0.02) -> Rect:
    """Return an upright rectangle of the table, mm, that a camera sees whole: left, top, right, bottom.

    Args:
        size_wh: width and height of the picture in pixels.
        px_to_mm: shape (3, 3), pixels to table millimetres.
        inset: share of the picture left out at its edges.

    Raises:
        ZoneError: `zone_view` if the camera looks too flatly to see a rectangle.
    """
    width, height = size_wh
    shares = np.array([inset, 1 - inset])
    middle = project(px_to_mm, np.array([[width / 2, height / 2]]))[0]
    for top in np.linspace(inset, 0.4, 8):
        corners = np.array([[x, y] for y in (top, shares[1]) for x in shares]) * [width, height]
        quad = project(px_to_mm, corners)
        left, right = max(quad[0, 0], quad[2, 0]), min(quad[1, 0], quad[3, 0])
        high, low = max(quad[0, 1], quad[1, 1]), min(quad[2, 1], quad[3, 1])
        if right - left > _LEAST_MM and low - high > _LEAST_MM and left < middle[0] < right and high < middle[1] < low:
            return float(left), float(high), float(right), float(low)
    raise ZoneError("zone_view", "the camera looks at the table too flatly, or sees too little of it, for zones")


def preset(game: str, seats: int, view_mm: Rect, stock_mm: float | None = None) -> Zones:
    """Return the zones of a game, to be used as they are or drawn anew one by one.

    Args:
        game: pincset, cincos, bingo or tiu-u.
        seats: players; 0 draws no hands or piles.
        view_mm: the part of the table that is used (`visible_rect`).
        stock_mm: how far down the table the row of the stock lies, where that is seen; only Tiu-U has such a row.

    Raises:
        ZoneError: `zone_game` or `zone_seats`.
    """
    if game not in GAMES:
        raise ZoneError("zone_game", f"no zones for {game!r}; games: {', '.join(GAMES)}", game=game)
    if seats and seats not in SEATS[game]:
        allowed = ", ".join(map(str, SEATS[game]))
        raise ZoneError("zone_seats", f"{game} has zones for {allowed} seats, not {seats}", game=game, seats=seats)
    rects = {"bingo": _bingo, "tiu-u": _tiu_u}.get(game, _chain)(_SIDES[seats])
    if stock_mm is not None and game == "tiu-u":
        rects = _with_row(rects, (stock_mm - view_mm[1]) / (view_mm[3] - view_mm[1]), view_mm)
    return Zones(tuple(Zone(name, _polygon(rect, view_mm)) for name, rect in rects.items()), seats, game)


def preset_along_rows(game: str, seats: int, observation: TableObservation) -> Zones:
    """Return the zones of a game for a table that is seen, turned as the rows of its tiles are in the picture.

    People lay talon, stock and piles along the edges of their table, and a camera rarely stands square to these.

    Raises:
        ZoneError: `zone_game`, `zone_seats` or `zone_view`.
    """
    quads: list[F32Array] = [tile.quad_mm for tile in observation.tiles]
    turn = _row_turn(observation)
    if turn is None:
        turn = rows_turn(np.array(quads, np.float64).reshape(-1, 4, 2))
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    upright = np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
    view = visible_rect(observation.size_wh, np.asarray(upright @ observation.px_to_mm, np.float64))
    zones = preset(game, seats, view, _stock_row(observation, upright))
    return _with_talon(zones, observation, upright).moved(np.asarray(upright.T, np.float64))


def _backs(observation: TableObservation) -> F64Array:
    """Return the middles of the tiles face down, (n, 2), mm."""
    backs = [tile.quad_mm.mean(0) for tile in observation.tiles if tile.role is TileRole.DOWN]
    return np.array(backs, np.float64).reshape(-1, 2)


def _row_turn(observation: TableObservation) -> float | None:
    """Return by how much a row of backs is turned from the picture's rows, radians; None if there is no such row."""
    backs = _backs(observation)
    if len(backs) < _LEAST_STOCK:
        return None
    _, spread, axes = np.linalg.svd(backs - backs.mean(axis=0))
    along = axes[0] * np.sign(axes[0][0] or 1.0)
    turn = float(np.arctan2(along[1], along[0]))
    return turn if spread[1] < spread[0] * _STRAIGHT and abs(turn) <= _MOST_TURN else None


def _stock_row(observation: TableObservation, upright: F64Array) -> float | None:
    """Return how far down the upright table, mm, a row of backs lies; None if there is none."""
    backs = _backs(observation)
    if len(backs) < _LEAST_STOCK:
        return None
    down = project(upright, backs)[:, 1]
    row = float(np.median(down))
    return row if float(np.percentile(np.abs(down - row), 80)) < _IN_ROW_MM else None


def _with_talon(zones: Zones, observation: TableObservation, upright: F64Array) -> Zones:
    """Return the zones, of an upright table, with a talon that is as long as its row of tiles face up.

    Who lays the talon further to a side than the preset has it sits there, and so do the piles along it.
    """
    talon = next((zone for zone in zones.zones if zone.name == _TALON), None)
    quads = [project(upright, t.quad_mm.astype(np.float64)) for t in observation.tiles if t.halves is not None]
    if talon is None or not quads:
        return zones
    (left, top), (right, bottom) = talon.points.min(0), talon.points.max(0)
    middles = np.array([quad.mean(0) for quad in quads])
    row = [quad for quad, at in zip(quads, middles, strict=True) if top < at[1] < bottom and _free(zones, at, talon)]
    if len(row) < _LEAST_ROW:
        return zones
    xs = np.concatenate(row)[:, 0]
    further = (min(0.0, float(xs.min()) - _ROUND_MM - left), max(0.0, float(xs.max()) + _ROUND_MM - right))
    longer = [
        Zone(zone.name, _longer(zone, *further)) if zone is talon or _along(zone, talon) else zone
        for zone in zones.zones
    ]
    return replace(zones, zones=tuple(longer))


def _along(zone: Zone, talon: Zone) -> bool:
    """Return whether a part of an upright table is a pile that lies along the talon: before it or beyond it."""
    inside = (zone.points[:, 0] >= talon.points[:, 0].min()) & (zone.points[:, 0] <= talon.points[:, 0].max())
    return zone.kind == _PILE and bool(inside.all()) and bool(np.ptp(zone.points[:, 0]) > np.ptp(zone.points[:, 1]))


def _longer(zone: Zone, to_left: float, to_right: float) -> tuple[tuple[float, float], ...]:
    """Return the outline of a part of an upright table, moved out at its ends, mm: to the left below 0."""
    (left, top), (right, bottom) = zone.points.min(0), zone.points.max(0)
    edges = (float(left) + to_left, float(top), float(right) + to_right, float(bottom))
    return _polygon((0.0, 0.0, 1.0, 1.0), edges)


def _free(zones: Zones, at: F64Array, talon: Zone) -> bool:
    """Return whether a place on the table is of no other zone than the talon."""
    zone = zones.at((float(at[0]), float(at[1])))
    return zone is None or zone is talon


def _with_row(rects: dict[str, Rect], row: float, view_mm: Rect) -> dict[str, Rect]:
    """Return the places of Tiu-U with the row of the stock at a share of the view; talon and far pile make room."""
    if not _ROWS[0] < row < _ROWS[1]:
        return rects
    half = _ROW_MM / (view_mm[3] - view_mm[1])
    left, _, right, _ = rects["stock"]
    found = {**rects, "stock": (left, row - half, right, row + half)}
    for name, (left, top, right, bottom) in rects.items():
        if name == "talon":
            found[name] = (left, max(top, row + half), right, bottom)
        elif name.startswith("pile") and top < row < bottom + half:
            found[name] = (left, top, right, row - half)
    return found


def around_boneyard(zones: Zones, observation: TableObservation, size: int) -> Zones:
    """Return the zones with that of the boneyard around its heap, if no tile lies face down where a preset has it.

    Args:
        zones: a preset of a game with a line of play.
        observation: a table before the first tile is laid, in the frame of the zones.
        size: how many tiles the boneyard has; more tiles face down are being shuffled.
    """
    down = [tile for tile in observation.tiles if tile.role is TileRole.DOWN]
    places = [zones.of(tile) for tile in down]
    if any(place is not None and place.kind == _STOCK for place in places):
        return zones
    free = [tile.quad_mm for tile, place in zip(down, places, strict=True) if place is None or place.kind == "layout"]
    heap = max(_heaps(free), key=len, default=[])
    if not _LEAST_HEAP <= len(heap) <= size:
        return zones
    corners = np.concatenate(heap)
    (left, top), (right, bottom) = corners.min(0) - _ROUND_MM, corners.max(0) + _ROUND_MM
    around = Zone(_STOCK, _polygon((0.0, 0.0, 1.0, 1.0), (float(left), float(top), float(right), float(bottom))))
    return replace(zones, zones=tuple(around if zone.name == _STOCK else zone for zone in zones.zones))


def _heaps(quads: list[F32Array]) -> list[list[F32Array]]:
    """Return the tiles (4, 2) by the heaps in which they lie."""
    heaps: list[list[F32Array]] = []
    for quad in quads:
        near = [heap for heap in heaps if any(np.linalg.norm((quad - one).mean(0)) < _HEAP_MM for one in heap)]
        heaps = [
            *(heap for heap in heaps if all(heap is not one for one in near)),
            [quad, *(q for h in near for q in h)],
        ]
    return heaps


def rows_turn(quads_mm: F64Array) -> float:
    """Return by how much the rows of tiles (n, 4, 2) are turned from the picture's, radians; 0 if they lie anyhow."""
    if len(quads_mm) < _LEAST_ROW:
        return 0.0
    along = quads_mm[:, 2:].mean(1) - quads_mm[:, :2].mean(1)
    mean = np.exp(4j * np.arctan2(along[:, 1], along[:, 0])).mean()
    turn = float(np.angle(mean)) / 4
    return turn if abs(mean) >= _SQUARE and abs(turn) <= _MOST_TURN else 0.0


def _chain(sides: tuple[int, ...]) -> dict[str, Rect]:
    """The chain takes what the hands leave; the boneyard lies in a corner."""
    left, right = (0.12 if 3 in sides else 0.0), (0.88 if 1 in sides else 1.0)
    top, bottom = (0.14 if 2 in sides else 0.0), (0.86 if 0 in sides else 1.0)
    hands = {f"hand-{seat}": _HANDS[side] for seat, side in enumerate(sides)}
    return {"layout": (left, top, right, bottom), "stock": (0.77, 0.82, 1.0, 1.0), **hands}


def _bingo(sides: tuple[int, ...]) -> dict[str, Rect]:
    """Tricks in the middle, the trump tile and the stock at the left, piles at the right, near and far."""
    hands = {f"hand-{seat}": _HANDS[side] for seat, side in enumerate(sides)}
    piles = {f"pile-{seat}": _TRICK_PILES[side] for seat, side in enumerate(sides)}
    middle = {"trick": (0.28, 0.3, 0.68, 0.7), "trump": (0.0, 0.16, 0.24, 0.48), "stock": (0.0, 0.52, 0.24, 0.84)}
    return {**middle, **piles, **hands}


def _tiu_u(sides: tuple[int, ...]) -> dict[str, Rect]:
    """The talon in the middle with the stock's row above it, a pile before each player."""
    hands = {f"hand-{seat}": _HANDS[side] for seat, side in enumerate(sides)}
    piles = {f"pile-{seat}": _PILES[side] for seat, side in enumerate(sides)}
    wide = (0.27, 0.73) if len(sides) > 2 else (0.12, 0.88)
    return {"talon": (wide[0], 0.42, wide[1], 0.69), "stock": (wide[0], 0.31, wide[1], 0.41), **piles, **hands}


def _polygon(rect: Rect, view_mm: Rect) -> tuple[tuple[float, float], ...]:
    left, top, right, bottom = view_mm
    xs = [left + (right - left) * share for share in (rect[0], rect[2])]
    ys = [top + (bottom - top) * share for share in (rect[1], rect[3])]
    return ((xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[0], ys[1]))
