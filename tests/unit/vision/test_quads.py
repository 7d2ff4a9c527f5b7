"""Quads: boxes move to the corners of the faces, and never run away."""

import random

import cv2
import numpy as np
import pytest

from domino_vision.detectors.base import lengths_px
from domino_vision.quads import refine
from domino_vision.types import Detections, Face
from tests.laid_tables import Camera, LaidTable, lay_chain


def photograph(table: LaidTable, camera: Camera, light: bool, grain: float = 6.0) -> np.ndarray:
    """Draw the tiles of a table as a camera sees them: faces, pips, dark gaps, grain."""
    width, height = camera.size_wh
    face, ground, pip = (
        ((225, 230, 235), (60, 70, 80), (20, 20, 20)) if light else ((30, 25, 20), (170,) * 3, (240,) * 3)
    )
    bgr = np.full((height, width, 3), ground, np.float32)
    fixed = lambda points: np.round(points * 16).astype(np.int32)  # noqa: E731
    everything = np.concatenate([table.quads().reshape(-1, 2)])
    for quad in table.quads():
        a, b, _, d = quad
        spots = [a + (d - a) * u + (b - a) * v for u in (0.12, 0.38, 0.62, 0.88) for v in (0.22, 0.78)]
        seen = camera.see(np.concatenate([everything, quad, np.array(spots)]))[len(everything) :]
        cv2.fillConvexPoly(bgr, fixed(seen[:4] - 0.5), face, cv2.LINE_AA, 4)
        radius = np.linalg.norm(seen[2] - seen[1]) / 20
        for spot in seen[4:]:
            cv2.circle(bgr, fixed(spot - 0.5).tolist(), round(radius * 16), pip, -1, cv2.LINE_AA, 4)
    noise = np.random.default_rng(0).normal(0, grain, bgr.shape)
    return np.clip(cv2.GaussianBlur(bgr, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def boxes_of(quads: np.ndarray, noise: float, seed: int = 0) -> np.ndarray:
    """What a detector would say: the smallest rectangle around each quad, a little off in place, size and angle."""
    rng = np.random.default_rng(seed)
    boxes = []
    for quad in quads.astype(np.float32):
        (x, y), (w, h), angle = cv2.minAreaRect(quad)
        long = max(w, h)
        off = rng.normal(0, noise, 5)
        box = cv2.boxPoints(
            ((x + off[0] * long, y + off[1] * long), (w * (1 + off[2]), h * (1 + off[3])), angle + 57 * off[4])
        )
        boxes.append(
            box if np.linalg.norm(box[1] - box[0]) < np.linalg.norm(box[2] - box[1]) else np.roll(box, 1, axis=0)
        )
    return np.array(boxes, np.float32)


def error(corners: np.ndarray, quads: np.ndarray) -> float:
    """Mean distance of corners over the length of the tile, whichever corner is named first."""
    orders = [np.roll(quads[:, way], k, axis=1) for way in (slice(None), slice(None, None, -1)) for k in range(4)]
    away = np.min([np.linalg.norm(corners - order, axis=2).mean(axis=1) for order in orders], axis=0)
    return float((away / lengths_px(quads.astype(np.float32))).mean())


def detections(corners: np.ndarray, face: Face = Face.UP) -> Detections:
    n = len(corners)
    return Detections(corners, np.full(n, face, np.uint8), np.full(n, 0.9, np.float32))


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("tilt", [0.0, 40.0])
@pytest.mark.parametrize("count", [1, 3, 9])
def test_corners_come_nearer(light: bool, tilt: float, count: int) -> None:
    """Boxes that are off by some percent end up at the corners, whatever colours and angle of view."""
    table = lay_chain(random.Random(count), count)
    camera = Camera(turn=20, tilt=tilt, lean=70)
    quads = camera.see(table.quads())
    boxes = boxes_of(quads, 0.03)
    seen = refine(photograph(table, camera, light), detections(boxes))
    assert error(seen.corners_px, quads) < 0.95 * error(boxes, quads)
    assert error(seen.corners_px, quads) < (0.08 if tilt else 0.025)


def test_true_corners_stay() -> None:
    """Corners that are right already move by no more than a hundredth of a tile."""
    table = lay_chain(random.Random(5), 7)
    camera = Camera(turn=10, tilt=30)
    quads = camera.see(table.quads())
    seen = refine(photograph(table, camera, True), detections(quads.astype(np.float32)))
    assert error(seen.corners_px, quads) < 0.012


@pytest.mark.parametrize("kind", ["plain", "noise", "stripes"])
def test_nothing_to_see_keeps_the_box(kind: str) -> None:
    """On a picture without tiles boxes stay near where they are: convex, of their size."""
    rng = np.random.default_rng(3)
    bgr = np.full((600, 800, 3), 90, np.uint8)
    if kind == "noise":
        bgr = rng.integers(0, 255, bgr.shape, dtype=np.uint8)
    elif kind == "stripes":
        bgr[:, ::14] = 255
    box = cv2.boxPoints(((400, 300), (60, 120), 25)).astype(np.float32)[None]
    seen = refine(bgr, detections(box))
    assert error(seen.corners_px, box) < 0.12
    assert cv2.isContourConvex(seen.corners_px[0])


def test_standing_tiles_and_order_are_left_alone() -> None:
    """Standing tiles keep their box; faces, scores and order stay; no tiles are no trouble."""
    box = cv2.boxPoints(((400, 300), (60, 120), 25)).astype(np.float32)[None]
    seen = refine(np.zeros((600, 800, 3), np.uint8), detections(box, Face.STANDING))
    assert (seen.corners_px == box).all()
    assert len(refine(np.zeros((600, 800, 3), np.uint8), Detections.none())) == 0


@pytest.mark.parametrize("at", [(0, 0), (-30, 50), (795, 595), (900, 900)])
def test_boxes_over_the_edge_of_the_picture(at: tuple[int, int]) -> None:
    """A box partly or wholly outside of the picture is no error."""
    box = cv2.boxPoints((at, (60, 120), 25)).astype(np.float32)[None]
    seen = refine(np.full((600, 800, 3), 90, np.uint8), detections(box))
    assert np.isfinite(seen.corners_px).all()


def test_first_half_stays_first() -> None:
    """Corners 0 and 1 stay at the same end, whichever way they go round."""
    table = lay_chain(random.Random(2), 5)
    camera = Camera()
    quads = camera.see(table.quads()).astype(np.float32)
    picture = photograph(table, camera, True)
    for turned in (quads, quads[:, ::-1], np.roll(quads, 2, axis=1)):
        seen = refine(picture, detections(np.ascontiguousarray(turned)))
        assert np.linalg.norm(seen.corners_px - turned, axis=2).max() < 0.05 * lengths_px(quads).max()
