"""Gauges: each fault of a picture is told apart and named."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_vision import gauges
from domino_vision.gauges import Gauge, Verdict, measure
from domino_vision.types import Detections, Face


def quads(length: float, tilt: float = 0.0) -> np.ndarray:
    """A grid of tiles; with tilt the far ones are shorter, as seen from the side."""
    out = []
    for row in range(3):
        for column in range(4):
            x, y = 150 + column * length * 1.6, 120 + row * length * 0.9
            out.append([[x, y], [x, y + length / 2], [x + length, y + length / 2], [x + length, y]])
    flat = np.array(out, np.float32).reshape(-1, 1, 2)
    if tilt:
        angle = np.radians(tilt)
        centred = flat - (480, 360)
        depth = 960 + centred[..., 1] * -np.sin(angle)
        flat = np.stack([centred[..., 0], centred[..., 1] * np.cos(angle)], axis=2) * (960 / depth)[..., None] + (
            480,
            360,
        )
    return flat.reshape(-1, 4, 2).astype(np.float32)


def picture(corners: np.ndarray, face: int = 190, ground: int = 110, pip: int = 15) -> np.ndarray:
    bgr = np.full((720, 960, 3), ground, np.uint8)
    for quad in corners:
        cv2.fillConvexPoly(bgr, np.round(quad).astype(np.int32), (face,) * 3)
        size = float(np.linalg.norm(quad[2] - quad[1]))
        for u in (0.15, 0.35, 0.65, 0.85):
            spot = quad[0] + (quad[3] - quad[0]) * u + (quad[1] - quad[0]) * 0.5
            cv2.circle(bgr, np.round(spot).astype(int).tolist(), max(1, round(size / 20)), (pip,) * 3, -1)
    return bgr


def found(corners: np.ndarray) -> Detections:
    n = len(corners)
    return Detections(corners, np.zeros(n, np.uint8), np.ones(n, np.float32))


def gauge(name: str, bgr: np.ndarray, corners: np.ndarray) -> Gauge:
    return next(g for g in measure(bgr, found(corners)) if g.name == name)


def test_good_picture_has_no_advice() -> None:
    """A sharp picture from above in good light is good in every way."""
    corners = quads(110)
    assert {g.code for g in measure(picture(corners), found(corners))} == {"ok"}


@pytest.mark.parametrize(("length", "verdict"), [(110, Verdict.GOOD), (62, Verdict.FAIR), (40, Verdict.POOR)])
def test_distance(length: float, verdict: Verdict) -> None:
    """Small pips call for a closer camera."""
    seen = gauge("pip_px", picture(quads(length)), quads(length))
    assert seen.verdict is verdict
    assert seen.value == pytest.approx(length / 10, rel=0.01)
    assert (verdict is Verdict.GOOD) or "closer" in seen.words


@pytest.mark.parametrize(("sigma", "verdict"), [(0.0, Verdict.GOOD), (3.5, Verdict.FAIR), (7.0, Verdict.POOR)])
def test_blur(sigma: float, verdict: Verdict) -> None:
    """Edges as wide as a pip call for a still, focused camera."""
    bgr = picture(quads(110))
    bgr = cv2.GaussianBlur(bgr, (0, 0), sigma) if sigma else bgr
    assert gauge("blur", bgr, quads(110)).verdict is verdict


@pytest.mark.parametrize(("tilt", "verdict"), [(0, Verdict.GOOD), (50, Verdict.FAIR), (66, Verdict.POOR)])
def test_tilt(tilt: float, verdict: Verdict) -> None:
    """A flat view calls for looking more from above."""
    corners = quads(110, tilt)
    seen = gauge("tilt_deg", picture(corners), corners)
    assert seen.value == pytest.approx(tilt, abs=6)
    assert seen.verdict is verdict


def test_glare_and_light() -> None:
    """Mirrored light, too little and too much light are told apart."""
    corners = quads(110)
    shiny = picture(corners, face=60)
    for quad in corners:
        centre = quad.mean(axis=0)
        cv2.fillConvexPoly(shiny, np.round(centre + (quad - centre) * 0.7).astype(np.int32), (255,) * 3)
    assert gauge("glare", shiny, corners).verdict is Verdict.POOR
    assert gauge("brightness", picture(corners, 30, 10, 5), corners).code == "too_dark"
    assert gauge("brightness", picture(corners, 255, 250, 240), corners).code == "too_bright"


def test_no_tile_in_view() -> None:
    """Without a tile, or with standing ones alone, the advice is to point the camera at the table."""
    standing = Detections(quads(110), np.full(12, Face.STANDING, np.uint8), np.ones(12, np.float32))
    for none in (Detections.none(), standing):
        seen = measure(np.full((100, 100, 3), 120, np.uint8), none)
        assert seen[0].code == "no_tiles"
        assert seen[0].verdict is Verdict.POOR
        assert "table" in seen[0].words


def test_tiny_and_huge_tiles_are_measured() -> None:
    """Tiles of a few pixels and tiles larger than the picture are no error."""
    for scale in (0.02, 40.0):
        corners = (quads(110) * scale).astype(np.float32)
        assert all(np.isfinite(g.value) for g in measure(picture(quads(110)), found(corners)))


def test_cameras_of_linux_are_listed_without_opening(tmp_path: Path) -> None:
    """Cameras come from the system's list, in order, and nodes without pictures are left out."""
    for number, index, name in ((10, "0", "Good cam"), (0, "0", "Built-in"), (1, "1", "Built-in")):
        node = tmp_path / f"video{number}"
        node.mkdir()
        (node / "index").write_text(f"{index}\n")
        (node / "name").write_text(f"{name}\n")
    cameras = gauges._linux_cameras(tmp_path)
    assert [(camera.index, camera.name) for camera in cameras] == [(0, "Built-in"), (10, "Good cam")]
    assert gauges._linux_cameras(tmp_path / "none") == ()


def test_cameras_elsewhere_are_tried(capfd: pytest.CaptureFixture[str]) -> None:
    """Other systems are asked by trying the first few; the real list is silent."""
    assert [camera.index for camera in gauges._probed_cameras(lambda index: index % 2 == 0)] == [0, 2]
    assert not gauges._opens(97)
    assert isinstance(gauges.camera_list(), tuple)
    assert capfd.readouterr().err == ""
