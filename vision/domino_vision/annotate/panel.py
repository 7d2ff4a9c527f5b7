"""The strip beside the picture: the count large enough to be read across the table, then all the rest in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from domino_vision.annotate.chain import chain_order, shown_value, tips
from domino_vision.annotate.style import BOLD, INK, ORANGE, PLAIN, SKY, VERMILLION, WHITE, Colour, put_text, wrap
from domino_vision.annotate.words import Words
from domino_vision.types import TableObservation, TileRole, U8Array

_PALE: Final[Colour] = (205, 205, 205)
_SUM_SIZE: Final = 1.2
_LEAST: Final = 0.4
"""Text shrinks down to this share of its size before lines are left out."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text.

    Attributes:
        text: what it says.
        size: height as a share of the panel's letters.
        colour: of the letters.
        weight: of the letters.
        above: space above, as a share of its height.
    """

    text: str
    size: float = 1.0
    colour: Colour = WHITE
    weight: int = PLAIN
    above: float = 0.0


def draw_panel(
    wh: tuple[int, int], observation: TableObservation, extra: Sequence[str], words: Words, letter: int
) -> U8Array:
    """Return the panel (h, w, 3) uint8 BGR.

    Args:
        wh: width and height in pixels.
        observation: what was understood.
        extra: further lines, such as legal plays.
        words: what it says.
        letter: height of plain text in pixels, where there is room.
    """
    width, height = wh
    panel = np.full((height, width, 3), INK, dtype=np.uint8)
    margin = letter * 0.8
    size = float(letter)
    lines = _lines(observation, extra, words, width - 2 * margin, letter)
    while _height(lines, size) > height - 2 * margin and size > letter * _LEAST:
        size *= 0.93
        lines = _lines(observation, extra, words, width - 2 * margin, round(size))
    lines = _cut(lines, size, height - 2 * margin, words)
    y = margin
    for line in lines:
        own = size * line.size
        y += own * line.above
        put_text(panel, line.text, margin, y + own * 0.65, max(8, round(own)), line.colour, line.weight)
        y += own * 1.3
    return panel


def _lines(observation: TableObservation, extra: Sequence[str], words: Words, width: float, size: int) -> list[Line]:
    lines = _count_lines(observation, words, width, size)
    for title, texts in _tile_lines(observation, words):
        if title:
            lines.append(Line(title, 0.8, SKY, BOLD, above=0.8))
        lines += [Line(part) for part in wrap(texts, width, size, PLAIN)]
    for problem in (*observation.problems, *(q for q in observation.questions if q not in observation.problems)):
        named = ", ".join(filter(None, (words.tile(observation.tiles[i]) for i in problem.tiles)))
        said = f"{named}: {words.problem(problem)}" if named else words.problem(problem)
        parts = _wrapped(f"! {said}", width, size)
        lines += [Line(part, 1.0, _bright(VERMILLION), BOLD, 0.4 if not at else 0.0) for at, part in enumerate(parts)]
    for at, text in enumerate(extra):
        parts = _wrapped(text, width, size)
        lines += [Line(part, above=0.8 if at == 0 and not k else 0.0) for k, part in enumerate(parts)]
    return lines


def _count_lines(observation: TableObservation, words: Words, width: float, size: int) -> list[Line]:
    if observation.open_end_count is None:
        return [Line(words.open_ends, 0.9, _PALE), Line(words.no_chain, 1.6, WHITE, BOLD)]
    lines = [Line(words.open_ends, 0.9, _PALE), Line(str(observation.open_end_count), 4.0, ORANGE, BOLD)]
    counts = [tip.count for tip in tips(observation) if tip.count]
    if len(counts) > 1 and sum(counts) == observation.open_end_count:
        larger = round(size * _SUM_SIZE)
        lines += [Line(part, _SUM_SIZE) for part in _wrapped("= " + " + ".join(map(str, counts)), width, larger)]
    if observation.ask:
        lines.append(Line(words.check, 1.2, _bright(VERMILLION), BOLD))
    return lines


def _tile_lines(observation: TableObservation, words: Words) -> list[tuple[str, list[str]]]:
    groups: list[tuple[str, list[str]]] = []
    chain = [shown_value(observation.tiles[index]) for index in chain_order(observation)]
    if chain:
        groups.append((words.chain, chain))
    loose = [shown_value(tile) for tile in observation.with_role(TileRole.LOOSE)]
    if loose:
        groups.append((words.loose, loose))
    others = [
        f"{len(tiles)} {word}"
        for role, word in ((TileRole.DOWN, words.down), (TileRole.STANDING, words.standing))
        if (tiles := observation.with_role(role))
    ]
    if others:
        groups.append(("", others))
    return groups


def _wrapped(text: str, width: float, size: int) -> list[str]:
    return [line.replace("  ", " ") for line in wrap(text.split(" "), width, size, PLAIN)] or [""]


def _height(lines: Sequence[Line], size: float) -> float:
    return sum(size * line.size * (1.3 + line.above) for line in lines)


def _cut(lines: list[Line], size: float, height: float, words: Words) -> list[Line]:
    if _height(lines, size) <= height:
        return lines
    kept = list(lines)
    while kept and _height(kept, size) + size * 1.3 > height:
        kept.pop()
    return [*kept, Line(f"… {len(lines) - len(kept)} {words.more}", colour=_PALE)]


def _bright(colour: Colour) -> Colour:
    """The colour as it can be read on a dark ground."""
    blue, green, red = (min(255, round(channel * 0.75 + 64)) for channel in colour)
    return blue, green, red
