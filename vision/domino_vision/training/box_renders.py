"""Rendered tables as the detector sees them."""

from dataclasses import dataclass

import numpy as np

from domino_vision.synth.scene import SceneOptions, render_scene
from domino_vision.training.box_labels import FACE_DOWN, FACE_UP, STANDING, Box, Quad
from domino_vision.training.box_windows import Image

SIZES = ((640, 640), (640, 480), (480, 640), (960, 720), (800, 800))
STOCKS, EMPTY = 0.25, 0.15
"""Shares of tables with backs in rows, and of tables without tiles: printed and patterned grounds, cards, dice."""
LOOKALIKES, LOOKALIKES_ALONE = 0.3, 0.8
"""Shares of tables with printed dominoes, cards in rows and dice, among those with tiles and among those without."""
FLAT, FLAT_DEG = 0.3, (35.0, 62.0)
"""Share of tables looked at from the side, and how high the camera stands over these."""
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
    kind = "stock" if special < STOCKS else "empty" if special < STOCKS + EMPTY else "any"
    options = SceneOptions(
        set_name=SETS[int(rng.integers(len(SETS)))],
        kind=kind,
        size_wh=size,
        tile_fraction=(low, min(low * 1.3, top)),
        tilt_deg=FLAT_DEG if rng.random() < FLAT else SceneOptions().tilt_deg,
        harm=float(rng.uniform(0.0, 0.8)),
        lookalikes=LOOKALIKES_ALONE if kind == "empty" else LOOKALIKES,
    )
    scene = render_scene(rng, options, background=ground if rng.random() < 0.3 else None)
    boxes = [Box(np.asarray(tile.quad, np.float32), FACE_UP) for tile in scene.tiles]
    boxes += [Box(np.asarray(quad, np.float32), FACE_DOWN) for quad in scene.down]
    boxes += [Box(np.asarray(quad, np.float32), STANDING) for quad in scene.standing]
    ignore = tuple(np.asarray(quad, np.float32) for quad in scene.ignore)
    return Render(np.asarray(scene.frame, np.uint8), tuple(boxes), ignore)
