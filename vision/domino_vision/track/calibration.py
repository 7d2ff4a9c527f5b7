"""Where the table lies, found without emptying it: from the tiles that lie there, or from printed markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from domino_vision.assemble.plane import TILE_LENGTH_MM, TablePlane, face_weight, fit_plane, project
from domino_vision.errors import ZoneError
from domino_vision.track.poses import Pose, match_tiles, rigid_fit
from domino_vision.track.register import quads_of
from domino_vision.types import F32Array, F64Array, TableObservation, TileReadings, U8Array

_LEAST_TILES: Final = 1
_GOOD_TILES: Final = 4
_REFIT_TILES: Final = 3
_UNEQUAL: Final = 0.04
"""The plane is found anew if tiles differ in size by more than this share on it,"""
_BETTER: Final = 0.6
"""and by less than this part of it on the new one."""
_DRIFT_TILES: Final = 4
_DRIFT_MM: Final = 3.0
_REACH_MM: Final = 15.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where a table lies in the pictures of a camera.

    Attributes:
        px_to_mm: shape (3, 3), pixels to table millimetres; a tile is 50 mm long unless markers say otherwise.
        tile_wh_mm: length and width of a tile.
        tilt_deg: between the line of sight and the table's normal, 0 = from straight above.
        tiles: how many tiles it rests on; 0 for markers alone.
        error_mm: typical error of a tile's length or width on it.
        source: `tiles` or `markers`.
    """

    px_to_mm: F64Array
    tile_wh_mm: tuple[float, float]
    tilt_deg: float
    tiles: int
    error_mm: float
    source: str

    @property
    def good(self) -> bool:
        """Whether enough tiles, or markers, support it."""
        return self.source == "markers" or (self.tiles >= _GOOD_TILES and self.error_mm < TILE_LENGTH_MM * 0.06)


def calibrate_from_tiles(looks: Sequence[TileReadings], size_wh: tuple[int, int]) -> Calibration:
    """Return where the table lies by the tiles of one or more looks of a camera at rest.

    Args:
        looks: readings; tiles may lie anywhere, in a chain, in hands laid out, or in a heap.
        size_wh: width and height of the pictures in pixels.

    Raises:
        ZoneError: `calibration_tiles` if no tile lies there.
    """
    corners = np.concatenate([look.corners_px for look in looks]) if looks else np.zeros((0, 4, 2), np.float32)
    face = np.concatenate([look.face for look in looks]) if looks else np.zeros(0, np.uint8)
    score = np.concatenate([look.score for look in looks]) if looks else np.zeros(0, np.float32)
    weight = face_weight(face) * score / max(len(looks), 1)
    if int((weight > 0).sum()) < _LEAST_TILES:
        raise ZoneError("calibration_tiles", "no tile lies on the table: lay one down, or use a marker")
    plane = fit_plane(corners, size_wh, weight)
    used = weight > 0
    tiles = round(int(used.sum()) / len(looks))
    return Calibration(
        plane.px_to_mm, plane.tile_wh_mm, plane.tilt_deg, tiles, _error_mm(plane, corners[used]), "tiles"
    )


def find_markers(bgr: U8Array, dictionary: int = cv2.aruco.DICT_4X4_50) -> dict[int, F32Array]:
    """Return the ArUco markers of a picture (h, w, 3) by number: corners (4, 2) in pixels, from the upper left on."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary), cv2.aruco.DetectorParameters())
    corners, numbers, _ = detector.detectMarkers(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY))
    flat = np.asarray(numbers if len(corners) else []).ravel().tolist()
    # whole numbers are pixel centres for OpenCV and outer corners for us
    return {int(n): np.asarray(quad, np.float32).reshape(4, 2) + 0.5 for n, quad in zip(flat, corners, strict=True)}


def calibrate_from_markers(bgr: U8Array, side_mm: float, readings: TileReadings | None = None) -> Calibration:
    """Return where the table lies by printed ArUco markers (4x4) that lie on it, all of one size.

    The table's x runs along the upper edge of the marker with the lowest number, which is its origin.

    Args:
        bgr: the picture (h, w, 3).
        side_mm: length of a marker's side.
        readings: tiles of the same picture, to measure their true size.

    Raises:
        ZoneError: `calibration_markers` if none is seen.
    """
    found = find_markers(bgr)
    if not found or side_mm <= 0:
        raise ZoneError("calibration_markers", "no marker is seen: print one of the 4x4 set and lay it on the table")
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * side_mm
    first = found[min(found)]
    px_to_mm = np.asarray(cv2.getPerspectiveTransform(first, square.astype(np.float32)), np.float64)
    if len(found) > 1:
        px_to_mm = _joint(found, px_to_mm, square)
    wh, error, tiles = (TILE_LENGTH_MM, TILE_LENGTH_MM / 2), 0.0, 0
    if readings is not None and len(readings):
        lengths, widths = _sides(project(px_to_mm, readings.corners_px.astype(np.float64)))
        wh = (float(np.median(lengths)), float(np.median(widths)))
        error, tiles = float(np.median(np.abs(lengths - wh[0]))), len(readings)
    return Calibration(px_to_mm, wh, _tilt(px_to_mm, bgr.shape[1::-1]), tiles, error, "markers")


def better_plane(readings: TileReadings, old: F64Array, fresh: F64Array | None) -> F64Array | None:
    """Return a plane on which tiles are clearly more equal than on the old one, laid over it; None if there is none.

    Args:
        readings: the tiles of one look.
        old: shape (3, 3), pixels to the table millimetres in use.
        fresh: shape (3, 3), pixels to millimetres as these tiles alone tell, in coordinates of its own.
    """
    corners = readings.corners_px[face_weight(readings.face) > 0].astype(np.float64)
    if fresh is None or len(corners) < _REFIT_TILES:
        return None
    before, after = project(old, corners), project(fresh, corners)
    if _spread(before) < _UNEQUAL or _spread(after) > _BETTER * _spread(before):
        return None
    pose = rigid_fit(after.reshape(-1, 2), before.reshape(-1, 2))
    return np.asarray(pose.matrix @ fresh, np.float64)


def _spread(quads_mm: F64Array) -> float:
    """Return how unequal tiles (n, 4, 2) are in length and in width, relative, and how far from a tile's length."""
    lengths, widths = _sides(quads_mm)
    return float((np.abs(lengths / TILE_LENGTH_MM - 1) + np.abs(widths / np.median(widths) - 1)).mean() / 2)


@dataclass(frozen=True, slots=True)
class Drift:
    """How far the tiles that nobody touched have crept since they were first seen.

    Attributes:
        pose: the motion, table millimetres.
        shift_mm: its median length at the tiles.
        tiles: how many tiles tell of it.
    """

    pose: Pose
    shift_mm: float
    tiles: int

    @property
    def significant(self) -> bool:
        """Whether the calibration should follow it."""
        return self.tiles >= _DRIFT_TILES and self.shift_mm > _DRIFT_MM


class DriftWatch:
    """Remembers where tiles were first seen, and measures whether all of them creep together."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._first = np.zeros((0, 4, 2))
        self._last = np.zeros((0, 4, 2))

    def see(self, observation: TableObservation) -> Drift:
        """Take in a committed observation in table coordinates; return the drift since each tile was first seen."""
        quads = quads_of(observation)
        nothing = [None] * len(quads)
        matches = match_tiles(self._last, quads, [None] * len(self._last), nothing)
        near = {m.after: m for m in matches if m.shift_mm < _REACH_MM and abs(m.turn) < 0.2}
        first = quads.copy()
        for after, match in near.items():
            origin = self._first[match.before]
            first[after] = np.roll(origin, 2, axis=0) if match.turned else origin
        self._first, self._last = first, quads
        stayed = sorted(near)
        if not stayed:
            return Drift(Pose(), 0.0, 0)
        pose = rigid_fit(first[stayed].reshape(-1, 2), quads[stayed].reshape(-1, 2))
        delta = quads[stayed].mean(1) - first[stayed].mean(1)
        return Drift(pose, float(np.linalg.norm(np.median(delta, axis=0))), len(stayed))


def _error_mm(plane: TablePlane, corners_px: F32Array) -> float:
    lengths, widths = _sides(plane.to_mm(corners_px))
    away = np.concatenate([lengths - plane.tile_wh_mm[0], widths - plane.tile_wh_mm[1]])
    return float(np.median(np.abs(away)))


def _sides(quads_mm: F64Array) -> tuple[F64Array, F64Array]:
    """Return lengths and widths (n,) of quads (n, 4, 2)."""
    ring = np.linalg.norm(np.roll(quads_mm, -1, axis=1) - quads_mm, axis=2)
    return (ring[:, 1] + ring[:, 3]) / 2, (ring[:, 0] + ring[:, 2]) / 2


def _joint(found: dict[int, F32Array], start: F64Array, square: F64Array) -> F64Array:
    """Return the homography under which all markers are squares of one size, each where it lies."""
    px_to_mm = start
    pixels = np.concatenate([quad.astype(np.float64) for quad in found.values()])
    for _ in range(3):
        goals = []
        for number, quad in found.items():
            flat = project(px_to_mm, quad.astype(np.float64))
            pose = Pose() if number == min(found) else rigid_fit(square, flat)
            goals.append(pose.apply(square))
        fitted, _ = cv2.findHomography(pixels, np.concatenate(goals))
        if np.shape(fitted) != (3, 3):
            break
        px_to_mm = np.asarray(fitted, np.float64)
    return px_to_mm


def _tilt(px_to_mm: F64Array, size_wh: Sequence[int]) -> float:
    """Return the tilt that a homography shows, degrees, by how unequally it scales two ways at the picture's middle."""
    middle = np.array(size_wh, np.float64) / 2
    around = project(px_to_mm, middle + np.array([[0, 0], [1, 0], [0, 1]]))
    scales = np.linalg.svd(np.stack([around[1] - around[0], around[2] - around[0]]), compute_uv=False)
    return float(np.degrees(np.arccos(np.clip(scales[1] / max(float(scales[0]), 1e-12), 0, 1))))
