"""Rendered tables as the detector sees them."""

from dataclasses import dataclass

import numpy as np

from domino_vision.synth.scene import SceneOptions, render_scene
from domino_vision.training.box_labels import FACE_DOWN, FACE_UP, STANDING, Box, Quad
from domino_vision.training.box_windows import Image

SIZES = ((640, 640), (640, 480), (480, 640), (960, 720), (800, 800))
STOCKS, EMPTY = 0.25, 0.12
"""Shares of tables with backs in rows, and of tables without tiles: printed and patterned grounds, cards, dice."""
SETS = ("double-six", "double-six", "double-nine", "double-twelve", "chinese")


@dataclass(frozen=True, slots=True)
class Render:
    """A rendered table: the picture, its tiles and the regions that count as neither tile nor background."""

    image: Image
    boxes: tuple[Box, ...]
    ignore: tuple[Quad, ...]


def render_boxes(rng: np.random.Generator, ground: Image, longest: float = 320.0) -> Render:
    """Render one table of any style.

    Args:
        rng: Source of chance.
        ground: A picture without tiles, used as the table now and then.
        longest: Longest tile in pixels.
    """
    size = SIZES[int(rng.integers(len(SIZES)))]
    top = longest / max(size)
    low = float(np.exp(rng.uniform(np.log(0.035), np.log(top * 0.8))))
    special = rng.random()
    options = SceneOptions(
        set_name=SETS[int(rng.integers(len(SETS)))],
        kind="stock" if special < STOCKS else "empty" if special < STOCKS + EMPTY else "any",
        size_wh=size,
        tile_fraction=(low, min(low * 1.3, top)),
        harm=float(rng.uniform(0.0, 0.8)),
    )
    scene = render_scene(rng, options, background=ground if rng.random() < 0.3 else None)
    boxes = [Box(np.asarray(tile.quad, np.float32), FACE_UP) for tile in scene.tiles]
    boxes += [Box(np.asarray(quad, np.float32), FACE_DOWN) for quad in scene.down]
    boxes += [Box(np.asarray(quad, np.float32), STANDING) for quad in scene.standing]
    ignore = tuple(np.asarray(quad, np.float32) for quad in scene.ignore)
    return Render(np.asarray(scene.frame, np.uint8), tuple(boxes), ignore)
