"""Tiles that lie where they lay are known in the picture of a camera that was pushed."""

import cv2
import numpy as np
import pytest

from domino_vision.settle.moved import unchanged_since
from domino_vision.types import F64Array, U8Array

PLACES = [(200, 200), (300, 200), (700, 420)]


def picture(places: list[tuple[int, int]], light: float = 1.0) -> U8Array:
    """Return a table with striped ground and pale tiles, 60 x 30 pixels, at places."""
    rng = np.random.default_rng(3)
    ground = np.repeat(rng.integers(60, 110, (1, 960, 3)), 720, axis=0).astype(np.uint8)
    for x, y in places:
        cv2.rectangle(ground, (x - 30, y - 15), (x + 30, y + 15), (225, 220, 230), -1)
        cv2.circle(ground, (x - 12, y), 5, (40, 30, 30), -1)
    return np.asarray(np.clip(ground * light, 0, 255), np.uint8)


def quad(x: float, y: float) -> F64Array:
    return np.array([[x - 30, y - 15], [x - 30, y + 15], [x + 30, y + 15], [x + 30, y - 15]], np.float64)


@pytest.mark.parametrize("light", [1.0, 0.85])
def test_what_still_lies_there_is_told_from_what_was_taken(light: float) -> None:
    """After a push by some pixels and a turn, in another light, a tile that is gone is missed, the others are not."""
    turn = cv2.getRotationMatrix2D((480, 360), 1.5, 1.0)
    turn[:, 2] += (14, -9)
    pushed = np.vstack([turn, [0, 0, 1]])
    before, to_mm = picture(PLACES), np.diag([0.8, 0.8, 1.0])
    now = cv2.warpAffine(picture(PLACES[1:], light), turn, (960, 720), borderMode=cv2.BORDER_REPLICATE)
    off = np.array([[1, 0, 0.8], [0, 1, -0.6], [0, 0, 1]])  # nobody knows exactly how it was pushed
    same = unchanged_since(before, to_mm, np.asarray(now, np.uint8), to_mm @ np.linalg.inv(off @ pushed))
    ends = [cv2.perspectiveTransform(quad(*place)[None], pushed)[0] for place in PLACES]
    assert [same(np.asarray(end, np.float64)) for end in ends] == [False, True, True]


def test_what_the_picture_does_not_show_is_not_known() -> None:
    """A place beyond the edge is not as it was."""
    table, to_mm = picture(PLACES), np.eye(3)
    assert not unchanged_since(table, to_mm, table, to_mm)(quad(-200, 300))
    assert unchanged_since(table, to_mm, table, to_mm)(quad(*PLACES[0]))
