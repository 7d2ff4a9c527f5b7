"""Layouts and rows of tiles as SVG: crosswise doubles, bends at the table's edge, real pips, open ends with numbers.

One self-contained picture without scripts, fonts or links, which reads on light and dark pages alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from domino_rules.layout import Layout
from domino_rules.svg_place import Box, Lying, Mark, Point, place_layout
from domino_rules.tile import Tile

UNIT: Final = 40
"""Picture units of a half tile."""
_MARGIN: Final = 0.5
_STYLE: Final = (
    ".tile{fill:#fffdf4;stroke:#5d564b;stroke-width:1.6}"
    ".last .tile{stroke:#d2691e;stroke-width:3.2}"
    ".back{fill:#8d8579;stroke:#5d564b;stroke-width:1.6}"
    ".bar{stroke:#a59c8c;stroke-width:1.6}"
    ".pip{fill:#23201b}"
    ".red{fill:#c0261f}"
    ".mark{fill:#1d7a4f}"
    ".number{fill:#fff;font:600 20px sans-serif;text-anchor:middle}"
    ".label{fill:#3b3630;font:600 17px sans-serif}"
    "@media(prefers-color-scheme:dark){.label{fill:#e8e3d8}.tile{stroke:#b8b0a2}.mark{fill:#2f9e6b}}"
)
_ROWS: Final = {
    1: (1,), 2: (1, 1), 3: (1, 1, 1), 4: (2, 2), 5: (2, 1, 2), 6: (2, 2, 2), 7: (2, 3, 2), 8: (3, 2, 3), 9: (3, 3, 3),
    10: (3, 4, 3), 11: (4, 3, 4), 12: (4, 4, 4), 13: (4, 5, 4), 14: (5, 4, 5), 15: (5, 5, 5), 16: (4, 4, 4, 4),
    17: (6, 5, 6), 18: (6, 6, 6),
}  # fmt: skip
"""The pips of a half by rows across the tile."""


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled row of tiles in a picture; None is a tile face down."""

    label: str
    tiles: tuple[Tile | None, ...]


def layout_svg(layout: Layout, *, title: str = "", width: float = 22.0, mark_last: bool = True) -> str:
    """Return the layout as an SVG document.

    Args:
        layout: what lies there; it may be empty.
        title: text for screen readers and tooltips; the layout's notation if empty.
        width: how wide the table is, in half tiles; the line bends there.
        mark_last: whether the tile laid last is outlined.
    """
    placed = place_layout(layout, width, width * 0.72)
    last = layout.placements[-1] if mark_last and len(layout) > 1 else None
    shapes = [_lying(tile, "last" if tile.placement is last else "") for tile in placed.tiles]
    shapes += [_mark(mark) for mark in placed.marks]
    return _document(placed.boxes, shapes, title or str(layout) or "no tiles")


def rows_svg(rows: Iterable[Row], *, title: str = "", per_line: int = 12, red: Collection[int] = ()) -> str:
    """Return labelled rows of tiles (tricks, piles, a talon) as an SVG document; long rows are wrapped.

    Halves with as many pips as one of `red` have red pips, as on Chinese tiles.
    """
    shapes: list[str] = []
    boxes: list[Box] = []
    y = 0.0
    for row in rows:
        shapes.append(_text(Point(0.0, y + 0.45), row.label, "label"))
        boxes.append(Box(Point(len(row.label) * 0.14, y + 0.3), len(row.label) * 0.14, 0.3))
        y += 0.7
        for begin in range(0, len(row.tiles), per_line):
            for at, tile in enumerate(row.tiles[begin : begin + per_line]):
                middle = Point(0.5 + at * 1.25, y + 1.0)
                shapes.append(_back(middle) if tile is None else _upright(tile, middle, red))
                boxes.append(Box(middle, 0.5, 1.0))
            y += 2.25
        y += 0.35
    return _document(boxes, shapes, title or "tiles")


def _document(boxes: Sequence[Box], shapes: Iterable[str], title: str) -> str:
    left = min((box.middle.x - box.half_width for box in boxes), default=-1.0) - _MARGIN
    right = max((box.middle.x + box.half_width for box in boxes), default=1.0) + _MARGIN
    top = min((box.middle.y - box.half_height for box in boxes), default=-0.5) - _MARGIN
    bottom = max((box.middle.y + box.half_height for box in boxes), default=0.5) + _MARGIN
    view = " ".join(_number(value * UNIT) for value in (left, top, right - left, bottom - top))
    name = escape("".join(char if char.isprintable() else " " for char in title))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" role="img">'
    return "\n".join((head, f"<title>{name}</title>", f"<style>{_STYLE}</style>", *shapes, "</svg>")) + "\n"


def _lying(lying: Lying, extra: str) -> str:
    placement = lying.placement
    return _tile(placement.inner, placement.outer, lying.middle, lying.facing, extra)


def _upright(tile: Tile, middle: Point, red: Collection[int]) -> str:
    return _tile(tile.high, tile.low, middle, Point(0, 1), "", red)


def _tile(inner: int, outer: int, middle: Point, facing: Point, extra: str, red: Collection[int] = ()) -> str:
    """Draw a tile whose inner half lies behind `facing`; the group's own y axis runs from inner to outer half."""
    angle = {(0, 1): 0, (-1, 0): 90, (0, -1): 180, (1, 0): 270}[round(facing.x), round(facing.y)]
    name = f' class="{extra}"' if extra else ""
    body = f'<rect class="tile" x="-19" y="-39" width="38" height="78" rx="6"/>{_BAR}'
    pips = "".join((*_pips(inner, -20.0, inner in red), *_pips(outer, 20.0, outer in red)))
    return f'<g{name} transform="{_moved(middle)} rotate({angle})">{body}{pips}</g>'


_BAR: Final = '<line class="bar" x1="-13" y1="0" x2="13" y2="0"/>'


def _pips(count: int, middle: float, red: bool) -> Iterator[str]:
    rows = _ROWS.get(count, ())
    radius = 3.9 if count < 10 else 2.6 if count < 17 else 2.2
    for row, across in enumerate(rows):
        y = middle + (row - (len(rows) - 1) / 2) * (11.0 if len(rows) < 4 else 8.4) * (2 if rows in _WIDE else 1)
        for at in range(across):
            x = (at - (across - 1) / 2) * (22.0 / max(max(rows) - 1, 1))
            if count in (2, 3) and across == 1:  # the diagonal
                x = (row - (len(rows) - 1) / 2) * 22.0 / (len(rows) - 1)
            yield f'<circle class="{"pip red" if red else "pip"}" cx="{_number(x)}" cy="{_number(y)}" r="{radius}"/>'


_WIDE: Final = ((1, 1), (2, 2))


def _back(middle: Point) -> str:
    return f'<rect class="back" transform="{_moved(middle)}" x="-19" y="-39" width="38" height="78" rx="6"/>'


def _mark(mark: Mark) -> str:
    circle = '<circle class="mark" r="15"/>'
    number = f'<text class="number" y="7">{mark.end.pips}</text>'
    return f'<g transform="{_moved(mark.middle)}">{circle}{number}</g>'


def _text(at: Point, text: str, name: str) -> str:
    clean = escape("".join(char if char.isprintable() else " " for char in text))
    return f'<text class="{name}" x="{_number(at.x * UNIT)}" y="{_number(at.y * UNIT)}">{clean}</text>'


def _moved(middle: Point) -> str:
    return f"translate({_number(middle.x * UNIT)} {_number(middle.y * UNIT)})"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))
