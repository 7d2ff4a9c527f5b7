"""Is this picture good enough? Numbers, and for each a verdict and what to do about it in plain words."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from domino_vision.assemble.plane import fit_plane
from domino_vision.detectors.base import lengths_px
from domino_vision.rectify import rectify_tiles
from domino_vision.sources.quiet import silent_opencv
from domino_vision.types import Detections, F32Array, F64Array, Face, U8Array

PIPS_IN_LENGTH: Final = 10.0
"""Diameters of a pip in the length of a tile: about 9 on double-six sets, up to 12 on double-twelve sets."""

_PATCH_LENGTH_PX: Final = 240
_PROBED_CAMERAS: Final = 4


class Verdict(StrEnum):
    """How good a measure is."""

    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"


@dataclass(frozen=True, slots=True)
class Gauge:
    """One measure of a picture.

    Attributes:
        name: `tiles`, `pip_px`, `blur`, `glare`, `tilt_deg` or `brightness`.
        value: the number.
        unit: of the number, for people.
        verdict: good, fair or poor.
        code: stable word for the advice, `ok` if there is none.
        words: the advice in English.
    """

    name: str
    value: float
    unit: str
    verdict: Verdict
    code: str
    words: str


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that may be opened by its index."""

    index: int
    name: str


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where fair and poor begin, and what to do then; with `fair` above `poor` low values are bad."""

    name: str
    unit: str
    fair: float
    poor: float
    code: str
    words: str

    def judge(self, value: float) -> Gauge:
        sign = -1.0 if self.fair > self.poor else 1.0
        verdict = Verdict.GOOD
        if sign * value >= sign * self.fair:
            verdict = Verdict.POOR if sign * value >= sign * self.poor else Verdict.FAIR
        good = verdict is Verdict.GOOD
        code, words = ("ok", "fine") if good else (self.code, self.words)
        return Gauge(self.name, round(value, 3), self.unit, verdict, code, words)


# Sharp photographs have a blur of 0.12 to 0.45; smeared by a Gaussian of 0.3 pips about 0.65, of 0.5 pips about 0.9.
_PIP: Final = _Scale("pip_px", "pixels a pip", 7, 5, "too_far", "move the camera closer or use a higher resolution")
_BLUR: Final = _Scale("blur", "of a pip's width", 0.55, 0.8, "blurred", "hold the camera still and let it focus")
_GLARE: Final = _Scale(
    "glare", "of a tile's face", 0.15, 0.35, "glare", "move the lamp or the camera: light is mirrored"
)
_TILT: Final = _Scale("tilt_deg", "degrees", 45, 60, "too_flat", "look at the table more from above")
_DARK: Final = _Scale("brightness", "of 255", 60, 35, "too_dark", "more light")
_BRIGHT: Final = _Scale("brightness", "of 255", 225, 245, "too_bright", "less light or a shorter exposure")


def measure(bgr: U8Array, found: Detections) -> tuple[Gauge, ...]:
    """Measure a picture in which tiles were found.

    Args:
        bgr: the picture (h, w, 3) uint8.
        found: the tiles in it, corners in its pixels.

    Returns:
        The number of tiles and the brightness always; with tiles also pixels a pip (of the smaller tiles), blur (width
        of the sharpest edges, as a share of a pip), glare (share of saturated face, of the worse tiles) and tilt.
    """
    lying = found.where(np.asarray(found.face != Face.STANDING))
    quads = lying.corners_px
    if not len(quads):
        words = "no domino tile is seen: point the camera at the table"
        none = Gauge("tiles", 0, "tiles", Verdict.POOR, "no_tiles", words)
        return (none, _brightness(float(bgr.mean())))
    lengths = lengths_px(quads)
    pip = float(np.percentile(lengths, 20)) / PIPS_IN_LENGTH
    patches = [_patch(bgr, quad, float(length)) for quad, length in zip(quads, lengths, strict=True)]
    plane = fit_plane(quads, (bgr.shape[1], bgr.shape[0]), lying.score.astype(np.float64))
    return (
        Gauge("tiles", len(quads), "tiles", Verdict.GOOD, "ok", "fine"),
        _PIP.judge(pip),
        _BLUR.judge(float(np.median([_edge_px(patch) * PIPS_IN_LENGTH / patch.shape[1] for patch in patches]))),
        _GLARE.judge(float(np.percentile([_saturated(patch) for patch in patches], 80))),
        _TILT.judge(plane.tilt_deg),
        _brightness(float(np.median([patch.mean() for patch in patches]))),
    )


def camera_list() -> tuple[Camera, ...]:
    """Return the cameras of this machine. Linux is asked without opening any; elsewhere the first few are tried."""
    return _linux_cameras() if sys.platform == "linux" else _probed_cameras(_opens)


def _linux_cameras(folder: Path = Path("/sys/class/video4linux")) -> tuple[Camera, ...]:
    cameras = []
    for node in sorted(folder.glob("video*")):
        number = node.name.removeprefix("video")
        if number.isdecimal() and _first_line(node / "index", "0") == "0":
            cameras.append(Camera(int(number), _first_line(node / "name", node.name)))
    return tuple(sorted(cameras, key=lambda camera: camera.index))


def _probed_cameras(opens: Callable[[int], bool]) -> tuple[Camera, ...]:
    return tuple(Camera(index, f"camera {index}") for index in range(_PROBED_CAMERAS) if opens(index))


def _opens(index: int) -> bool:
    with silent_opencv():
        capture = cv2.VideoCapture(index)
        opened = capture.isOpened()
        capture.release()
    return opened


def _first_line(path: Path, default: str) -> str:
    try:
        return path.read_text(errors="replace").splitlines()[0].strip()
    except (OSError, IndexError):
        return default


def _brightness(value: float) -> Gauge:
    bright = _BRIGHT.judge(value)
    return bright if bright.code != "ok" else _DARK.judge(value)


def _patch(bgr: U8Array, quad: F32Array, length: float) -> U8Array:
    """The face of a tile, upright, at the size it has in the picture, or smaller if that is large."""
    size = int(np.clip(length, 16, _PATCH_LENGTH_PX))
    return np.asarray(rectify_tiles(bgr, quad[None], (size, max(8, size // 2)), 0.0)[0], dtype=np.uint8)


def _edge_px(patch: U8Array) -> float:
    """Width of the sharpest edges in pixels: what the brightness spans, over how fast it changes at most."""
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    span = float(np.percentile(grey, 98) - np.percentile(grey, 2))
    slope: F64Array = np.hypot(
        cv2.Sobel(grey, cv2.CV_64F, 1, 0, ksize=3, scale=1 / 8), cv2.Sobel(grey, cv2.CV_64F, 0, 1, ksize=3, scale=1 / 8)
    )
    return span / max(float(np.percentile(slope, 99)), 1.0)


def _saturated(patch: U8Array) -> float:
    return float((patch.min(axis=2) >= 250).mean())
