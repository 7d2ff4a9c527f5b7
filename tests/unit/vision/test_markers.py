"""Printed markers on the table: where it lies while few tiles tell."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble.plane import fit_plane, project
from domino_vision.settle import Commit, Settler
from domino_vision.track import find_markers, plane_of_markers
from domino_vision.types import HALF_CLASSES, Detections, Frame, TileReadings

SIZE = (1280, 720)
TABLE = (900, 700)
SEEN = np.array([[330, 130], [960, 150], [1240, 690], [40, 660]], np.float32)
"""Where the corners of the table are in the picture: a camera that looks at it at a slant."""
MARKERS = ((30, 30, 0), (760, 40, 1), (740, 560, 2))
"""Left, top (millimetres) and number."""


def camera() -> NDArray[np.float64]:
    corners = np.array([[0, 0], [TABLE[0], 0], TABLE, [0, TABLE[1]]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, SEEN), np.float64)


def picture(markers: tuple[tuple[int, int, int], ...] = MARKERS, sides: tuple[int, ...] = (80, 80, 80)) -> np.ndarray:
    """The table as the camera sees it, with markers."""
    flat = np.full((TABLE[1] * 2, TABLE[0] * 2, 3), 200, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for (x, y, number), side in zip(markers, sides, strict=False):
        marker = cv2.aruco.generateImageMarker(dictionary, number, side * 2)
        flat[y * 2 : (y + side) * 2, x * 2 : (x + side) * 2] = marker[..., None]
    onto = camera() @ np.diag([0.5, 0.5, 1])
    return cv2.warpPerspective(flat, onto, SIZE, flags=cv2.INTER_AREA, borderValue=(90, 90, 90))


def tile(x: float, y: float, length: float = 44.0) -> NDArray[np.float64]:
    """The corners of a tile on the table, millimetres, lying level."""
    along, across = np.array([length / 2, 0]), np.array([0, length / 4])
    return np.array([x, y]) + np.array([-along - across, -along + across, along + across, along - across])


def readings(*quads: NDArray[np.float64]) -> TileReadings:
    seen = np.array([project(camera(), quad) for quad in quads], np.float32).reshape(-1, 4, 2)
    logp = np.full((len(seen), 2, HALF_CLASSES), 1e-4)
    for index in range(len(seen)):
        logp[index, :, index] = 1.0
    return TileReadings(
        seen, np.zeros(len(seen), np.uint8), np.full(len(seen), 0.9, np.float32), np.log(logp).astype(np.float32)
    )


def lengths(plane: NDArray[np.float64], quads_px: np.ndarray) -> NDArray[np.float64]:
    quads = project(plane, np.asarray(quads_px, np.float64))
    return np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)


def test_markers_show_how_the_table_lies_where_one_tile_cannot() -> None:
    """Far and near tiles are as long as the one that lay there first; from that tile alone they are not."""
    first, others = readings(tile(450, 350)), readings(tile(300, 80), tile(200, 640), tile(700, 620))
    plane = plane_of_markers(picture(), first)
    assert plane is not None
    assert lengths(plane, first.corners_px) == pytest.approx(50.0, rel=0.02)
    assert lengths(plane, others.corners_px) == pytest.approx(50.0, rel=0.04)
    alone = fit_plane(first.corners_px, SIZE).px_to_mm
    assert np.abs(lengths(alone, others.corners_px) / 50 - 1).max() > 0.2
    step = project(plane, np.array([[640.0, 360.0], [650.0, 360.0], [640.0, 370.0]]))
    assert step[1][0] > 0
    assert abs(step[1][1]) < 1e-6
    assert step[2][1] > 0


@pytest.mark.parametrize(
    ("markers", "sides"),
    [((), ()), (MARKERS[:1], (80,)), (MARKERS, (80, 40, 80))],
    ids=["none", "one", "of two sizes"],
)
def test_markers_that_tell_nothing_are_left_alone(
    markers: tuple[tuple[int, int, int], ...], sides: tuple[int, ...]
) -> None:
    """Without two markers of one size the tiles tell where the table lies."""
    assert plane_of_markers(picture(markers, sides), readings(tile(450, 350))) is None


def test_markers_off_the_table_are_left_alone() -> None:
    """On a screen behind the table they show another plane, on which the tiles are not equal."""
    unlike = readings(tile(300, 80, 25), tile(450, 350, 44), tile(200, 640, 70), tile(700, 620, 70))
    assert plane_of_markers(picture(), unlike) is None


def test_without_a_tile_nothing_tells_the_scale() -> None:
    assert plane_of_markers(picture(), readings()) is None


def test_markers_are_found_by_number() -> None:
    assert set(find_markers(picture())) == {0, 1, 2}


class Still:
    """Reads what it is told to."""

    def __init__(self, found: TileReadings) -> None:
        self.found = found

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        del frame, near
        return self.found


@pytest.mark.parametrize(("markers", "right"), [(MARKERS, True), ((), False)])
def test_a_table_is_laid_out_by_its_markers_from_the_first_tile_on(
    markers: tuple[tuple[int, int, int], ...], right: bool
) -> None:
    """Who follows a table from its first tile knows at once how it is tilted."""
    settler = Settler(Still(readings(tile(450, 350))), DOUBLE_SIX)
    frames = (Frame(picture(markers), step / 10) for step in range(40))
    commits = [event for frame in frames for event in settler.push(frame) if isinstance(event, Commit)]
    assert len(commits) == 1
    others = readings(tile(300, 80), tile(200, 640), tile(700, 620))
    off = np.abs(lengths(commits[0].observation.px_to_mm, others.corners_px) / 50 - 1).max()
    assert bool(off < 0.05) is right
