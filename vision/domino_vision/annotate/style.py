"""Colours and text. The colours stay apart for colour-blind eyes; no meaning hangs on colour alone.

Source of the colours: Okabe and Ito, Color Universal Design, 2008.
"""

from functools import cache, lru_cache
from typing import Any, Final

import cv2

from domino_vision.types import TileRole, U8Array

Colour = tuple[int, int, int]
"""Blue, green, red."""

WHITE: Final[Colour] = (255, 255, 255)
BLACK: Final[Colour] = (0, 0, 0)
INK: Final[Colour] = (32, 24, 20)
GREY: Final[Colour] = (150, 150, 150)
BLUE: Final[Colour] = (178, 114, 0)
ORANGE: Final[Colour] = (0, 159, 230)
SKY: Final[Colour] = (233, 180, 86)
VERMILLION: Final[Colour] = (0, 94, 213)
PURPLE: Final[Colour] = (167, 121, 204)
YELLOW: Final[Colour] = (66, 228, 240)

ROLE_COLOURS: Final[dict[TileRole, Colour]] = {
    TileRole.CHAIN: BLUE,
    TileRole.LOOSE: SKY,
    TileRole.DOWN: PURPLE,
    TileRole.STANDING: YELLOW,
}
BOLD: Final = 700
PLAIN: Final = 450


def put_text(image: U8Array, text: str, left: float, middle: float, size: int, colour: Colour, weight: int) -> None:
    """Write one line in place, any script; `left` and `middle` (half way up the digits) in pixels, `size` in pixels."""
    baseline = round(middle + 0.36 * size)
    cv2.putText(image, text, (round(left), baseline), colour, _font(), size, weight)


@lru_cache(maxsize=4096)
def text_width(text: str, size: int, weight: int) -> int:
    """Return the width of a line in pixels."""
    left, _, width, _ = cv2.getTextSize((100_000, 1000), text, (0, 0), _font(), size, weight)
    return int(left + width)


def wrap(words: list[str], width: float, size: int, weight: int) -> list[str]:
    """Break words into lines of at most `width` pixels; a longer word has a line of its own."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]}  {word}" if lines else word
        if lines and text_width(longer, size, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


@cache
def _font() -> Any:
    return cv2.FontFace("sans")
