"""Tiles that are not seen whole, that stand, and grounds that look like backs."""

from dataclasses import replace

import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble import assemble
from domino_vision.assemble.plane import face_weight, fit_plane
from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS, Face, TileReadings, TileRole
from tests.laid_tables import Camera, line, read_table

CAMERA = Camera()


def readings_of(*tiles: tuple[int, int]) -> TileReadings:
    return read_table(line(*tiles), CAMERA, np.random.default_rng(0), 0, 0.999)


def cut(readings: TileReadings, index: int, share: float) -> TileReadings:
    """Let a tile end early, at its second half."""
    corners = readings.corners_px.copy()
    start, end = corners[index, :2].mean(0), corners[index, 2:].mean(0)
    corners[index, 2:] += (start - end) * (1 - share)
    return replace(readings, corners_px=corners)


def test_a_tile_that_is_seen_in_part_is_asked_about() -> None:
    """The box of the last tile covers two thirds of one: the half that was read may not be its end."""
    whole = readings_of((6, 4), (4, 1), (1, 3), (3, 5))
    assert not assemble(whole, CAMERA.size_wh, DOUBLE_SIX).ask
    seen = assemble(cut(whole, 3, 0.7), CAMERA.size_wh, DOUBLE_SIX)
    assert ("part_of_tile", (3,)) in [(q.code, q.tiles) for q in seen.questions]


@pytest.mark.parametrize("at_edge", [False, True])
def test_the_edge_of_the_picture_cuts_off(at_edge: bool) -> None:
    """A tile a little short is in order in the middle of the picture; at its edge it is cut off there."""
    readings = cut(readings_of((6, 4), (4, 1), (1, 3), (3, 5)), 3, 0.87)
    far = float(readings.corners_px[3, :, 0].max())
    size_wh = (int(far), CAMERA.size_wh[1]) if at_edge else CAMERA.size_wh
    seen = assemble(readings, size_wh, DOUBLE_SIX)
    assert ("part_of_tile" in [q.code for q in seen.questions]) is at_edge


@pytest.mark.parametrize(("shown", "sure"), [(BACK_CLASS, 0.8), (UNREADABLE_CLASS, 0.98)])
def test_what_shows_nothing_of_a_back_stands(shown: int, sure: float) -> None:
    """A lying back would read as one; where it does, the detector alone speaks for standing."""
    readings = readings_of((6, 4), (4, 1), (1, 3), (3, 5))
    readings.face[3] = Face.STANDING
    score = readings.score.copy()
    score[3] = 0.8
    readings.half_logp[3] = np.log(np.eye(15)[shown] * 0.97 + 0.002)
    seen = assemble(replace(readings, score=score), CAMERA.size_wh, DOUBLE_SIX)
    assert seen.tiles[3].role is TileRole.STANDING
    assert seen.tiles[3].confidence == pytest.approx(sure, abs=0.03)
    assert seen.ask is (shown == BACK_CLASS)


def test_a_patterned_ground_does_not_tilt_the_table() -> None:
    """A hundred false backs twice as large weigh no more than the tiles whose faces are seen."""
    readings = readings_of((6, 4), (4, 1), (1, 3), (3, 5))
    spots = np.array([[x, y] for x in range(10) for y in range(10)]) * 90.0
    ring = np.array([[-40, -20], [-40, 20], [40, 20], [40, -20]]) * 0.5
    corners = np.concatenate([readings.corners_px, (spots[:, None] + ring).astype(np.float32)]).astype(np.float32)
    face = np.array([Face.UP] * 4 + [Face.DOWN] * 100, np.uint8)
    weight = face_weight(face)
    assert weight[4:].sum() <= weight[:4].sum() / 8 + 1e-9
    plane = fit_plane(corners, CAMERA.size_wh, weight)
    assert not plane.bad[:4].any()
    assert face_weight(face[4:]).max() == pytest.approx(0.3)
