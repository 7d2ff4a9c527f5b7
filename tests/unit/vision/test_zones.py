"""Zones of the table, and their presets."""

import json
from dataclasses import replace

import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble import assemble
from domino_vision.errors import ZoneError
from domino_vision.types import ReadTile, TileReadings, TileRole
from domino_vision.zones import Zone, Zones
from domino_vision.zones_presets import (
    GAMES,
    SEATS,
    around_boneyard,
    preset,
    preset_along_rows,
    rows_turn,
    visible_rect,
)

SQUARE = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
NOTHING = TileReadings(
    np.zeros((0, 4, 2), np.float32), np.zeros(0, np.uint8), np.zeros(0, np.float32), np.zeros((0, 2, 15), np.float32)
)
VIEW = (-300.0, -200.0, 300.0, 200.0)


def square(x, y, side):
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def tile_at(x, y):
    quad = np.array([[-25, -12], [-25, 12], [25, 12], [25, -12]], np.float32) + np.array([x, y], np.float32)
    return ReadTile(quad, quad, (3, 4), 0.9, TileRole.LOOSE)


@pytest.mark.parametrize(
    ("tiles", "size", "moved"),
    [(14, 14, True), (8, 8, True), (3, 14, False), (28, 14, False), (0, 14, False)],
    ids=["a boneyard", "of four players", "too few", "being shuffled", "none"],
)
def test_a_boneyard_that_lies_elsewhere_has_its_zone_around_it(tiles, size, moved):
    """The corner that a preset has for it is only a guess, unless tiles lie face down there."""
    zones = preset("cincos", 2, VIEW)
    rows = [tile_at(80.0 + 52 * (k % 4), -120.0 + 27 * (k // 4)) for k in range(tiles)]
    down = tuple(replace(tile, halves=None, role=TileRole.DOWN) for tile in rows)
    table = replace(assemble(NOTHING, (640, 480), DOUBLE_SIX), tiles=(*down, tile_at(-200.0, 0.0)))
    found = around_boneyard(zones, table, size)
    assert (found != zones) is moved
    assert [found.of(tile) == found["stock"] for tile in down] == [moved] * tiles
    assert found.of(table.tiles[-1]) == found["layout"]
    corner = zones["stock"].points.mean(0)
    kept = replace(table, tiles=(*down, replace(tile_at(*corner), halves=None, role=TileRole.DOWN)))
    assert around_boneyard(zones, kept, size) == zones


def test_a_zone_knows_kind_and_seat():
    """The name says what a zone is for and whose it is."""
    assert (Zone("pile-2", SQUARE).kind, Zone("pile-2", SQUARE).seat) == ("pile", 2)
    assert (Zone("layout", SQUARE).kind, Zone("layout", SQUARE).seat) == ("layout", None)


@pytest.mark.parametrize(
    ("name", "polygon", "code"),
    [
        ("kitchen", SQUARE, "zone_name"),
        ("", SQUARE, "zone_name"),
        ("hand", SQUARE, "zone_seat"),
        ("layout-1", SQUARE, "zone_seat"),
        ("stock", SQUARE[:2], "zone_shape"),
        ("stock", ((0.0, 0.0), (1.0, 1.0), (2.0, 2.0)), "zone_shape"),
        ("stock", ((0.0, 0.0), (float("nan"), 1.0), (2.0, 0.0)), "zone_shape"),
    ],
)
def test_what_is_no_zone_is_refused(name, polygon, code):
    """Unknown names, wrong seats and shapes without area raise errors with a code."""
    with pytest.raises(ZoneError) as caught:
        Zone(name, polygon)
    assert caught.value.code == code


def test_the_smaller_zone_counts_and_a_margin_reaches_out():
    """In two zones a point belongs to the smaller; just outside of all, to the nearest within the margin."""
    zones = Zones((Zone("layout", SQUARE), Zone("stock", square(60, 60, 30))))
    assert zones.at((70, 70)) == zones["stock"]
    assert zones.at((10, 10)) == zones["layout"]
    assert zones.at((106, 50)) is None
    assert zones.at((106, 50), margin_mm=8) == zones["layout"]


def test_tiles_are_sorted_by_zone():
    """Each tile of an observation is in one zone or in none."""
    observation = replace(
        assemble(NOTHING, (640, 480), DOUBLE_SIX), tiles=(tile_at(20, 20), tile_at(75, 75), tile_at(500, 0))
    )
    zones = Zones((Zone("layout", SQUARE), Zone("stock", square(60, 60, 30))))
    assert zones.sorted_tiles(observation) == {"layout": (0,), "stock": (1,), None: (2,)}


def test_a_zone_that_there_is_not_is_unknown():
    """Who asks for it by name is told so."""
    zones = Zones((Zone("layout", SQUARE),))
    with pytest.raises(ZoneError) as caught:
        _ = zones["stock"]
    assert caught.value.code == "zone_unknown"
    assert "layout" in zones
    assert "stock" not in zones


def test_zones_twice_are_refused():
    """Two zones of one name are an error."""
    with pytest.raises(ZoneError) as caught:
        Zones((Zone("layout", SQUARE), Zone("layout", SQUARE)))
    assert caught.value.code == "zone_twice"


def test_zones_move_with_the_table():
    """A motion of the table plane moves the polygons; pixels come from the inverse of the homography."""
    zones = Zones((Zone("layout", SQUARE),)).moved(np.array([[1.0, 0, 10], [0, 1, 20], [0, 0, 1]]))
    assert zones["layout"].polygon_mm[0] == pytest.approx((10, 20))
    assert zones.in_px(np.diag([0.5, 0.5, 1.0]))["layout"][0] == pytest.approx([20, 40])


def test_a_file_keeps_zones(tmp_path):
    """What is saved is loaded; broken files are refused with a code."""
    path = tmp_path / "zones.json"
    zones = preset("bingo", 2, VIEW)
    zones.save(path)
    assert Zones.load(path) == zones
    for text, code in (("{", "zone_format"), ("[]", "zone_format"), ('{"version": 1}', "zone_format")):
        path.write_text(text)
        with pytest.raises(ZoneError) as caught:
            Zones.load(path)
        assert caught.value.code == code
    raw = zones.to_json()
    raw["zones"][0]["polygon_mm"] = [[0, True], [1, 2], [3, "4"]]
    path.write_text(json.dumps(raw))
    with pytest.raises(ZoneError) as caught:
        Zones.load(path)
    assert caught.value.code == "zone_shape"
    with pytest.raises(ZoneError) as caught:
        Zones.load(tmp_path / "missing.json")
    assert caught.value.code == "zone_unreadable"


@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in GAMES for seats in (0, *SEATS[game])])
def test_presets_fit_the_view(game, seats):
    """Every preset lies in the view, and its zones do not cover each other's middles."""
    zones = preset(game, seats, VIEW)
    for zone in zones.zones:
        low, high = zone.points.min(0), zone.points.max(0)
        assert low[0] >= -300.001
        assert high[0] <= 300.001
        assert low[1] >= -200.001
        assert high[1] <= 200.001
        if zone.name != "layout":
            assert zones.at(zone.points.mean(0).tolist()) == zone
    hands = [zone for zone in zones.zones if zone.kind == "hand"]
    assert len(hands) == seats
    wanted = {"bingo": {"trick", "trump", "stock"}, "tiu-u": {"talon", "stock"}}.get(game, {"layout", "stock"})
    assert wanted <= {zone.name for zone in zones.zones}


@pytest.mark.parametrize(("game", "seats", "code"), [("chess", 2, "zone_game"), ("bingo", 3, "zone_seats")])
def test_presets_refuse_what_is_not_played(game, seats, code):
    """Unknown games and seat counts raise errors with a code."""
    with pytest.raises(ZoneError) as caught:
        preset(game, seats, VIEW)
    assert caught.value.code == code


def test_the_visible_rectangle_lies_in_the_picture():
    """From straight above nearly all of the picture is used; its corners are seen."""
    left, top, right, bottom = visible_rect((1280, 720), np.diag([0.5, 0.5, 1.0]))
    assert (left, right) == pytest.approx((12.8, 627.2))
    assert (top, bottom) == pytest.approx((7.2, 352.8))


def rows(turn, count=12):
    """An observation of two rows of tiles that are turned in the picture."""
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, s], [-s, c]])
    tiles = tuple(
        replace(tile, quad_mm=((tile.quad_mm - 320) @ rotation + 320).astype(np.float32))
        for tile in (tile_at(200 + 30 * (i % 6), 300 + 60 * (i // 6)) for i in range(count))
    )
    return replace(assemble(NOTHING, (640, 480), DOUBLE_SIX), tiles=tiles, px_to_mm=np.eye(3))


@pytest.mark.parametrize("turn", [-0.12, 0.0, 0.09])
def test_zones_lie_along_the_rows_of_tiles(turn):
    """Where the camera stands askew to the table the parts are turned as the tiles lie, not as the picture does."""
    zones = preset_along_rows("tiu-u", 2, rows(turn))
    low, high = zones["talon"].points[0], zones["talon"].points[1]
    assert np.arctan2(*(high - low)[::-1]) == pytest.approx(turn, abs=0.01)
    assert (zones.game, zones.seats) == ("tiu-u", 2)


@pytest.mark.parametrize("turn", [-0.1, 0.0, 0.08])
@pytest.mark.parametrize("down", [205.0, 220.0])
def test_the_stock_of_tiu_u_is_where_its_row_is_seen(turn, down):
    """The row, and what is laid aside beside it, are the stock's; a tile two lengths above is of the far pile."""
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, s], [-s, c]])

    def at(x, y):
        return (np.array([x, y]) - [320, down]) @ rotation + [320, down]

    backs = [replace(tile_at(*at(250 + 26 * i, down)), halves=None, role=TileRole.DOWN) for i in range(14)]
    seen = replace(assemble(NOTHING, (640, 480), DOUBLE_SIX), tiles=tuple(backs), px_to_mm=np.eye(3))
    zones = preset_along_rows("tiu-u", 2, seen)

    def part(tile):
        zone = zones.of(tile)
        return None if zone is None else zone.name

    assert part(backs[3]) == "stock"
    assert part(tile_at(*at(190, down + 8))) == "stock"
    assert part(tile_at(*at(230, down - 75))) == "pile-1"
    assert part(tile_at(*at(320, down + 70))) == "talon"


@pytest.mark.parametrize("turn", [-0.05, 0.0, 0.06])
def test_a_talon_that_is_laid_further_to_a_side_is_the_talon_all_along(turn):
    """A row that begins beyond the preset belongs to it; a tile laid away from the row does not, nor does a pile."""
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, s], [-s, c]])

    def at(x, y):
        return (np.array([x, y]) - [320, 270]) @ rotation + [320, 270]

    row = [tile_at(*at(40 + 27 * i, 270)) for i in range(16)]
    astray = tile_at(*at(40, 380))
    seen = replace(assemble(NOTHING, (640, 480), DOUBLE_SIX), tiles=(*row, astray), px_to_mm=np.eye(3))
    zones = preset_along_rows("tiu-u", 2, seen)
    assert {zone.name for tile in row if (zone := zones.of(tile)) is not None} == {"talon"}
    assert all(zones.of(tile) is not None for tile in row)
    assert (zone := zones.of(astray)) is None or zone.name != "talon"
    square = replace(seen, tiles=tuple(tile_at(*at(240 + 27 * i, 270)) for i in range(6)))
    assert preset_along_rows("tiu-u", 2, square)["talon"].points[0][0] > zones["talon"].points[0][0]


def test_few_tiles_or_tiles_that_lie_anyhow_turn_nothing():
    """Two tiles tell of no rows, nor do tiles at all angles."""
    assert rows_turn(np.array([tile.quad_mm for tile in rows(0.1, 2).tiles], np.float64)) == 0.0
    wild = [tile.quad_mm for turn in (0.0, 0.3, 0.7, 1.0, 1.3) for tile in rows(turn, 1).tiles]
    assert rows_turn(np.array(wild, np.float64)) == 0.0
