"""Layouts as pictures: valid, self-contained, nothing overlaps, every tile and open end is drawn."""

import itertools
import random
import re
import xml.etree.ElementTree as ET

import pytest

from domino_rules.layout import Arm, Layout
from domino_rules.svg import Row, layout_svg, rows_svg
from domino_rules.svg_place import Box, Point, place_layout
from domino_rules.tile import DOUBLE_NINE, DOUBLE_SIX, Tile, TileSet

SVG = "{http://www.w3.org/2000/svg}"


def grown(seed: int, *, with_spinner: bool, tile_set: TileSet = DOUBLE_SIX) -> Layout:
    chance = random.Random(seed)
    pool = list(tile_set)
    chance.shuffle(pool)
    layout = Layout(with_spinner).place(pool.pop(), Arm.START)
    while plays := [(tile, arm) for tile in pool for arm in layout.fits(tile)]:
        tile, arm = chance.choice(plays)
        layout = layout.place(tile, arm)
        pool.remove(tile)
    return layout


def drawn(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - our own picture


@pytest.mark.parametrize("with_spinner", [False, True])
@pytest.mark.parametrize("width", [10, 14, 22])
def test_nothing_overlaps_on_any_table(width: int, with_spinner: bool) -> None:
    """Tiles and marks of random layouts, up to all 28 tiles, never cover each other however narrow the table is."""
    for seed in range(40):
        layout = grown(seed, with_spinner=with_spinner)
        placed = place_layout(layout, width, width * 0.7)
        boxes = placed.boxes
        assert len(placed.tiles) == len(layout)
        assert not any(one.near(other, -0.001) for at, one in enumerate(boxes) for other in boxes[:at])


def test_a_larger_set_fits_too() -> None:
    """The table grows until a long line of double-nine tiles finds room."""
    for seed in range(5):
        layout = grown(seed, with_spinner=True, tile_set=DOUBLE_NINE)
        boxes = place_layout(layout, 16, 10).boxes
        assert not any(one.near(other, -0.001) for at, one in enumerate(boxes) for other in boxes[:at])


def test_joined_halves_touch() -> None:
    """Each tile of an arm starts where the one before it ends."""
    layout = grown(3, with_spinner=False)
    placed = {tile.placement.tile: tile for tile in place_layout(layout).tiles}
    for arm in (Arm.LEFT, Arm.RIGHT):
        line = layout.line(arm)
        for one, other in itertools.pairwise(line):
            assert placed[one.tile].box.near(placed[other.tile].box, 0.01)


def test_doubles_lie_crosswise() -> None:
    """A double lies across a straight line, other tiles along it."""
    layout = Layout.parse("6-6 L:6-4 R:6-5 R:5-5")
    across = {str(tile.placement.tile): abs(tile.facing.y) == 1 for tile in place_layout(layout).tiles}
    assert across == {"6-6": True, "6-4": False, "6-5": False, "5-5": True}


def test_the_document_is_valid_and_shows_every_pip() -> None:
    """The picture parses as XML, refers to nothing outside, draws all pips and numbers all open ends."""
    layout = Layout.parse("6-6 L:6-4 R:6-5 U:6-1 D:6-0")
    text = layout_svg(layout)
    root = drawn(text)
    assert root.tag == f"{SVG}svg"
    assert not re.search(r"href|url\(|@import", text)
    assert len(root.findall(f".//{SVG}circle[@class='pip']")) == sum(tile.pips for tile in layout.tiles)
    assert [node.text for node in root.findall(f".//{SVG}text")] == ["4", "5", "1", "0"]
    assert root.findtext(f"{SVG}title") == str(layout)


def test_the_view_holds_everything() -> None:
    """No tile reaches over the picture's edge."""
    layout = grown(7, with_spinner=True)
    x, y, width, height = map(float, drawn(layout_svg(layout)).attrib["viewBox"].split())
    for box in place_layout(layout, 22, 22 * 0.72).boxes:
        assert x <= (box.middle.x - box.half_width) * 40
        assert (box.middle.x + box.half_width) * 40 <= x + width
        assert y <= (box.middle.y - box.half_height) * 40
        assert (box.middle.y + box.half_height) * 40 <= y + height


def test_an_empty_layout_is_a_picture() -> None:
    """Before the first tile there is an empty picture, not an error."""
    assert drawn(layout_svg(Layout())).findtext(f"{SVG}title") == "no tiles"


def test_halves_up_to_eighteen_pips_are_drawn() -> None:
    """Every half that a set on the market has shows as many pips as it says."""
    for pips in range(19):
        root = drawn(rows_svg([Row("tile", (Tile(pips, 0),))]))
        assert len(root.findall(f".//{SVG}circle[@class='pip']")) == pips


def test_rows_escape_their_labels() -> None:
    """Names are text, never markup; a tile face down has no pips."""
    root = drawn(rows_svg([Row('<b> & "Đorđe"', (None, Tile(6, 5)))]))
    assert root.findtext(f"{SVG}text") == '<b> & "Đorđe"'
    assert len(root.findall(f".//{SVG}rect[@class='back']")) == 1


def test_boxes_know_their_distance() -> None:
    """Two boxes are near if less than the gap lies between them."""
    assert Box(Point(0, 0), 1, 1).near(Box(Point(2.1, 0), 1, 1), 0.2)
    assert not Box(Point(0, 0), 1, 1).near(Box(Point(2.3, 0), 1, 1), 0.2)
