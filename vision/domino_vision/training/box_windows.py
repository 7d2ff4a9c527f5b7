"""Square windows cut out of labelled pictures: any scale, turn and tilt, with the boxes that belong to them."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.training.box_labels import Box, Quad, tile_length, visible_part

Image = NDArray[np.uint8]
"""BGR, shape (height, width, 3)."""


@dataclass(frozen=True, slots=True)
class WindowOptions:
    """How windows are cut.

    Attributes:
        size: Side of the window in pixels.
        shortest: Shortest tile length in the window, pixels.
        longest: Longest tile length in the window, pixels.
        whole: Share of windows that show the whole picture (the first look at run time).
        enlarge: Largest enlargement of a stored picture.
        tilt: Largest change of scale by perspective from the middle of the window to its edge.
        flat: Share of windows that are seen from the side, 20 to 50 degrees lower than the picture.
        closer: Largest enlargement, over the whole picture, of one without tiles.
        keep: Visible share from which a tile cut by the border is labelled.
        drop: Visible share up to which it is left as background; between the two it is painted over.
    """

    size: int = 640
    shortest: float = 25.0
    longest: float = 320.0
    whole: float = 0.35
    enlarge: float = 2.5
    tilt: float = 0.12
    flat: float = 0.0
    closer: float = 1.25
    keep: float = 0.55
    drop: float = 0.10


def cut_window(
    rng: np.random.Generator,
    image: Image,
    boxes: Sequence[Box],
    ignore: Sequence[Quad],
    options: WindowOptions,
    ground: Image | None = None,
) -> tuple[Image, list[Box]]:
    """Cut one window.

    Args:
        rng: Source of chance.
        image: Whole picture.
        boxes: Tiles in picture pixels.
        ignore: Regions in picture pixels that are neither tile nor background.
        options: Sizes and limits.
        ground: Picture seen where the window reaches beyond `image`, shape (size, size, 3); grey if None.

    Returns:
        The window, shape (size, size, 3), and the boxes in window pixels (mean rectangles).
    """
    mapping = _mapping(rng, image, boxes, options)
    window = _warp(image, mapping, options.size, ground)
    kept: list[Box] = []
    erase = [_project(mapping, quad) for quad in ignore]
    for box in boxes:
        quad = _project(mapping, box.quad)
        share, rectangle = visible_part(quad, options.size)
        if share >= options.keep:
            kept.append(Box(rectangle, box.kind))
        elif share > options.drop:
            erase.append(quad)
    return paint_over(rng, window, erase, [box.quad for box in kept]), kept


def paint_over(rng: np.random.Generator, window: Image, erase: Sequence[Quad], spare: Sequence[Quad]) -> Image:
    """Fill regions from their surroundings, sparing the tiles that overlap them."""
    size = window.shape[0]
    mask = np.zeros((size, size), np.uint8)
    for quad in erase:
        cv2.fillConvexPoly(mask, cv2.convexHull(_grown(quad, 1.12).astype(np.int32)), 255)
    if not mask.any():
        return window
    keep = np.zeros_like(mask)
    for quad in spare:
        cv2.fillConvexPoly(keep, quad.astype(np.int32), 255)
    small = size // 4
    hole = cv2.dilate(cv2.resize(mask, (small, small), interpolation=cv2.INTER_AREA), np.ones((3, 3), np.uint8))
    filled = cv2.inpaint(cv2.resize(window, (small, small), interpolation=cv2.INTER_AREA), hole, 3, cv2.INPAINT_TELEA)
    smooth = cv2.resize(filled, (size, size), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    smooth += rng.normal(0, 3, (size, size, 1)).astype(np.float32)
    alpha = cv2.GaussianBlur(mask, (0, 0), 2)
    alpha[keep > 0] = 0
    weight = alpha[..., None].astype(np.float32) / 255
    return np.clip(window * (1 - weight) + smooth * weight, 0, 255).astype(np.uint8)


def background(rng: np.random.Generator, image: Image, size: int) -> Image:
    """A random square of a picture without tiles, shape (size, size, 3)."""
    height, width = image.shape[:2]
    side = int(min(height, width) * rng.uniform(0.4, 1.0))
    top, left = int(rng.integers(0, height - side + 1)), int(rng.integers(0, width - side + 1))
    part = image[top : top + side, left : left + side]
    if rng.random() < 0.5:
        part = part[:, ::-1]
    square = cv2.resize(part, (size, size), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(np.rot90(square, int(rng.integers(4))), dtype=np.uint8)


def _mapping(
    rng: np.random.Generator, image: Image, boxes: Sequence[Box], options: WindowOptions
) -> NDArray[np.float64]:
    """Homography from picture to window pixels, shape (3, 3)."""
    height, width = image.shape[:2]
    middle = np.array([width / 2, height / 2])
    size = options.size
    if not boxes or rng.random() < options.whole:
        closest = 1.25 if boxes else options.closer
        scale = size / max(height, width) * float(np.exp(rng.uniform(np.log(0.75), np.log(closest))))
        if scale * max(height, width) > 1.25 * size:
            reach = np.maximum(np.array([width, height]) / 2 - size / scale / 2, 0)
            middle = middle + rng.uniform(-reach, reach)
        return _homography(rng, middle, scale, size * 0.08, options)
    chosen = boxes[int(rng.integers(len(boxes)))].quad
    length = max(tile_length(chosen), 1.0)
    target = float(np.exp(rng.uniform(np.log(options.shortest), np.log(options.longest))))
    scale = min(target / length, options.enlarge)
    centre = chosen.mean(axis=0) if rng.random() < 0.9 else rng.uniform((0, 0), (width, height))
    extent = size / scale
    low = np.minimum(middle, np.array([extent, extent]) * 0.4)
    centre = np.clip(centre, low, np.array([width, height]) - low)
    return _homography(rng, centre, scale, size * 0.3, options)


def _homography(
    rng: np.random.Generator, centre: NDArray[np.floating], scale: float, shift: float, options: WindowOptions
) -> NDArray[np.float64]:
    angle = rng.uniform(-np.pi, np.pi) if rng.random() < 0.6 else rng.integers(4) * np.pi / 2 + rng.normal(0, 0.05)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    squeeze = float(np.exp(rng.normal(0, 0.05)))
    turn = np.array([[cos * squeeze, -sin, 0], [sin * squeeze, cos, 0], [0, 0, 1]])
    to_centre = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1]])
    tilt = rng.uniform(-options.tilt, options.tilt, 2) * (rng.random() < 0.7) / (options.size / 2)
    lean = np.array([[1, 0, 0], [0, 1, 0], [tilt[0], tilt[1], 1]])
    move = rng.uniform(-shift, shift, 2) + options.size / 2
    place = np.array([[1, 0, move[0]], [0, 1, move[1]], [0, 0, 1]])
    view = _from_the_side(rng, options) if rng.random() < options.flat else np.eye(3)
    return np.asarray(place @ lean @ view @ turn @ to_centre, dtype=np.float64)


def _from_the_side(rng: np.random.Generator, options: WindowOptions) -> NDArray[np.float64]:
    """What a lower camera makes of a picture about its middle: shorter across, smaller farther away."""
    tilt, towards = np.radians(rng.uniform(20, 50)), rng.uniform(0, 2 * np.pi)
    axis = np.array([np.cos(towards), np.sin(towards)])
    across = np.array([-axis[1], axis[0]])
    far = across * np.sin(tilt) / (options.size * rng.uniform(1.3, 2.5))
    shorter = np.outer(axis, axis) + np.cos(tilt) * np.outer(across, across)
    return np.block([[shorter, np.zeros((2, 1))], [far[None], np.ones((1, 1))]])


def _warp(image: Image, mapping: NDArray[np.float64], size: int, ground: Image | None) -> Image:
    """Warp with the picture shrunk first where the window is coarser, against aliasing."""
    scale = float(np.sqrt(abs(np.linalg.det(mapping[:2, :2] / mapping[2, 2]))))
    centre = np.linalg.solve(mapping, [size / 2, size / 2, 1.0])
    scale = max(scale, _local_scale(mapping, centre[:2] / centre[2]))
    source = image
    if scale < 0.75:
        shrink = max(scale, 0.05)
        source = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    adjusted = mapping @ np.diag([image.shape[1] / source.shape[1], image.shape[0] / source.shape[0], 1.0])
    base = np.full((size, size, 3), 114, np.uint8) if ground is None else ground.copy()
    warped = cv2.warpPerspective(
        source, adjusted, (size, size), dst=base, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
    )
    return np.asarray(warped, dtype=np.uint8)


def _local_scale(mapping: NDArray[np.float64], point: NDArray[np.float64]) -> float:
    near = _project(mapping, np.asarray(point + np.array([[0, 0], [1, 0], [0, 1]]), dtype=np.float32))
    return float(max(np.linalg.norm(near[1] - near[0]), np.linalg.norm(near[2] - near[0])))


def _project(mapping: NDArray[np.float64], points: NDArray[np.float32]) -> NDArray[np.float32]:
    flat = np.c_[points, np.ones(len(points))] @ mapping.T
    return np.asarray(flat[:, :2] / flat[:, 2:], dtype=np.float32)


def _grown(quad: Quad, factor: float) -> Quad:
    centre = quad.mean(axis=0)
    return np.asarray((quad - centre) * factor + centre, dtype=np.float32)
