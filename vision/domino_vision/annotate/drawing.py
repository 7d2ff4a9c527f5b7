"""The annotated picture: tiles, values, order, joins and open ends on it, the count and the words beside it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from domino_vision.annotate.chain import Tip, chain_order, join_point, shown_value, tips
from domino_vision.annotate.panel import draw_panel
from domino_vision.annotate.placing import Places
from domino_vision.annotate.shapes import Tag, draw_arrow, draw_dot, draw_line, draw_quad
from domino_vision.annotate.style import BLACK, BLUE, GREY, INK, ORANGE, ROLE_COLOURS, VERMILLION, WHITE
from domino_vision.annotate.words import Words
from domino_vision.types import F64Array, ReadTile, TableObservation, TileRole, U8Array

_LONG_SIDE_PX: Final = (1280, 2000)
"""Pictures are scaled so that their long side lies between these."""
_DOUBTFUL: Final = 0.9
"""Values less sure than this carry a question mark."""
_PANEL_SHARE: Final = 0.3
_MARGIN_LETTERS: Final = 3.0
_LEAST_HEIGHT: Final = 0.4
"""Flatter pictures stand on an empty ground of this share of their width, so that the words beside them stay large."""


def annotate(
    bgr: U8Array, observation: TableObservation, lines: Sequence[str] = (), words: Words | None = None
) -> U8Array:
    """Draw what was understood.

    Nothing is written on a tile: labels lie beside their tiles, the count and all words in a strip on the right.

    Args:
        bgr: the picture (h, w, 3) uint8 that was observed; it is not changed.
        observation: what lies there.
        lines: further lines for the strip, such as legal plays.
        words: other words than the English ones.

    Returns:
        A new picture, uint8 BGR, scaled, with the strip beside it.
    """
    words = words or Words()
    picture, scaled = _scaled(bgr, observation)
    letter = round(max(picture.shape[:2]) / 42)
    drawing = _Drawing(picture.copy(), scaled, words, letter)
    if not drawing.draw():
        border = round(letter * _MARGIN_LETTERS)
        picture = np.asarray(
            cv2.copyMakeBorder(picture, border, border, border, border, cv2.BORDER_CONSTANT, value=INK), dtype=np.uint8
        )
        drawing = _Drawing(picture, _moved(scaled, np.float32(border)), words, letter)
        drawing.draw()
    drawn = _tall_enough(drawing.image)
    height, width = drawn.shape[:2]
    panel_w = round(max(width * _PANEL_SHARE, letter * 15))
    panel = draw_panel((panel_w, height), observation, lines, words, round(letter * 1.15))
    return np.concatenate([drawn, panel], axis=1)


class _Drawing:
    """One try at drawing on a picture."""

    def __init__(self, image: U8Array, observation: TableObservation, words: Words, letter: int) -> None:
        self.image = image
        self._seen = observation
        self._words = words
        tile = observation.tile_px or letter * 4
        self._letter = int(np.clip(tile * 0.26, letter * 0.75, letter * 1.2))
        self._line = max(2, round(np.clip(tile * 0.022, letter * 0.08, letter * 0.22)))
        quads = np.array([tile.quad_px for tile in observation.tiles], np.float32).reshape(-1, 4, 2)
        self._places = Places((image.shape[1], image.shape[0]), quads)

    def draw(self) -> bool:
        """Draw all; return whether every label found a place."""
        for tile in self._seen.tiles:
            quad = tile.quad_px.astype(np.float64)
            draw_quad(self.image, quad, ROLE_COLOURS[tile.role], self._line, tile.role)
        for index in sorted({i for q in self._seen.questions for i in q.tiles[:1]} | self._branching()):
            quad = self._seen.tiles[index].quad_px.astype(np.float64)
            draw_quad(self.image, quad, VERMILLION, self._line, self._seen.tiles[index].role)
        self._draw_joins()
        placed = [self._draw_tip(tip) for tip in tips(self._seen)]
        order = {index: number for number, index in enumerate(chain_order(self._seen), 1)}
        by_order = sorted(range(len(self._seen.tiles)), key=lambda index: order.get(index, len(order) + 1))
        placed += [self._draw_label(index, order.get(index)) for index in by_order]
        return all(placed)

    def _branching(self) -> set[int]:
        return {problem.tiles[0] for problem in self._seen.problems if problem.code == "branch"}

    def _draw_joins(self) -> None:
        wrong = {frozenset(p.tiles) for p in self._seen.problems if p.code == "illegal_join"}
        for join in self._seen.joins:
            bad = frozenset((join.a, join.b)) in wrong
            point = join_point(self._seen.tiles, join)
            draw_dot(self.image, point, self._line * (3.0 if bad else 1.6), VERMILLION if bad else BLUE)

    def _draw_tip(self, tip: Tip) -> bool:
        size = self._letter * 0.8
        at = tip.at + tip.out * self._line * 2
        draw_arrow(self.image, at, tip.out, size, ORANGE)
        tag = Tag(f"+{tip.count}", "", round(self._letter * 1.15), ORANGE, BLACK)
        box = self._places.place(tip.at + tip.out * size * 0.7, tag.wh, tip.out, tip.tile, self._letter * 0.6)
        if box is None:
            return False
        tag.draw(self.image, box)
        return True

    def _draw_label(self, index: int, number: int | None) -> bool:
        tile = self._seen.tiles[index]
        tag = self._tag(tile, number)
        best = None
        for anchor, out in _long_sides(tile):
            best = self._places.place(anchor, tag.wh, out, index, self._letter * 0.45)
            if best is not None:
                break
        if best is None:
            return False
        start, end = self._places.leader(best, index)
        if np.linalg.norm(end - start) > self._letter * 0.3:
            draw_line(self.image, start, end, WHITE, max(2, self._line // 2))
        tag.draw(self.image, best)
        return True

    def _tag(self, tile: ReadTile, number: int | None) -> Tag:
        size = self._letter
        if tile.role is TileRole.DOWN:
            return Tag("", self._words.down, round(size * 0.8), GREY)
        if tile.role is TileRole.STANDING:
            return Tag("", self._words.standing, round(size * 0.8), GREY)
        doubt = "?" if tile.confidence < _DOUBTFUL else ""
        return Tag("" if number is None else str(number), shown_value(tile) + doubt, size, BLUE)


def _long_sides(tile: ReadTile) -> list[tuple[F64Array, F64Array]]:
    """Middle of each long side (2,) and the direction outwards (2,); the upper one first."""
    quad = tile.quad_px.astype(np.float64)
    centre = quad.mean(axis=0)
    sides = sorted(((quad[1] + quad[2]) / 2, (quad[3] + quad[0]) / 2), key=lambda side: float(side[1]))
    return [(side, (side - centre) / max(float(np.linalg.norm(side - centre)), 1e-6)) for side in sides]


def _tall_enough(image: U8Array) -> U8Array:
    missing = round(image.shape[1] * _LEAST_HEIGHT) - image.shape[0]
    if missing <= 0:
        return image
    return np.asarray(cv2.copyMakeBorder(image, 0, missing, 0, 0, cv2.BORDER_CONSTANT, value=INK), dtype=np.uint8)


def _scaled(bgr: U8Array, observation: TableObservation) -> tuple[U8Array, TableObservation]:
    long_side = max(bgr.shape[:2])
    scale = float(np.clip(long_side, *_LONG_SIDE_PX)) / long_side
    if scale == 1:
        return bgr, observation
    size = (round(bgr.shape[1] * scale), round(bgr.shape[0] * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    picture = np.asarray(cv2.resize(bgr, size, interpolation=way), dtype=np.uint8)
    ratio = np.array([size[0] / bgr.shape[1], size[1] / bgr.shape[0]], np.float32)
    tiles = tuple(replace(tile, quad_px=tile.quad_px * ratio) for tile in observation.tiles)
    return picture, replace(observation, tiles=tiles, tile_px=observation.tile_px * scale)


def _moved(observation: TableObservation, by: np.float32) -> TableObservation:
    tiles = tuple(replace(tile, quad_px=tile.quad_px + by) for tile in observation.tiles)
    return replace(observation, tiles=tiles)
