"""Where something came to lie in which no tile was found, it is looked at from near, and told if that shows nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX, Tile
from domino_vision.settle import Commit, Settler
from domino_vision.settle.moved import changes
from domino_vision.settle.unfound import unfound
from domino_vision.synth.stage import SceneOptions, Stage, set_stage
from domino_vision.synth.video import GameVideo, VideoOptions
from domino_vision.synth.video_script import Placing, Script
from domino_vision.synth.video_truth import TruthReader
from domino_vision.types import Detections, F64Array, Frame, TileReadings
from tests.unit.vision.test_settle_settler import pieces

LENGTH, WIDTH = 20, 10


def quad(x: float, y: float) -> F64Array:
    """Return the place of an upright tile with its middle at a point."""
    w, h = WIDTH / 2, LENGTH / 2
    return np.array([[x + w, y - h], [x - w, y - h], [x - w, y + h], [x + w, y + h]], np.float64)


def changed(*parts: tuple[float, float, float, float]) -> np.ndarray:
    """Return a mask in which upright rectangles changed: middle, width and height of each."""
    mask = np.zeros((200, 300), np.uint8)
    for x, y, w, h in parts:
        cv2.rectangle(mask, (round(x - w / 2), round(y - h / 2)), (round(x + w / 2), round(y + h / 2)), 1, -1)
    return mask


@pytest.mark.parametrize("size", [(10, 20), (20, 20)])
def test_a_change_as_large_as_tiles_is_told(size: tuple[int, int]) -> None:
    """One tile, or two side by side, far from those that are known."""
    (place,) = unfound(changed((220, 60, *size)), 0.5, [quad(100, 100) * 2])
    assert np.allclose(place.mean(0), (440, 120), atol=2)
    assert np.linalg.norm(place[0] - place[1]) <= np.linalg.norm(place[1] - place[2]) + 1e-6


def test_pips_alone_that_changed_are_one_thing() -> None:
    """Of a dark tile on a dark cloth only the pips differ from what was there."""
    pips = [(x, y, 3, 3) for x in (216, 225) for y in (54, 68)]
    (place,) = unfound(changed(*pips), 1.0, [quad(100, 100)])
    assert np.allclose(place.mean(0), (220.5, 61), atol=2)


@pytest.mark.parametrize(
    "part",
    [
        (100, 100, 14, 22),  # a tile that is known, with its shadow
        (220, 60, 4, 30),  # an edge
        (220, 60, 3, 3),  # a speck
        (200, 100, 60, 60),  # an arm, or light
        (298, 60, 10, 20),  # what reaches in from the edge
    ],
)
def test_what_is_no_tile_is_not_told(part: tuple[float, float, float, float]) -> None:
    """Shadows of known tiles, slivers, specks, arms and whatever leaves the picture are nothing laid."""
    assert not len(unfound(changed(part), 1.0, [quad(100, 100)]))
    assert not len(unfound(changed((220, 60, 10, 20)), 1.0, []))


@pytest.mark.parametrize("wrong", [1e5, 1e12, np.inf])
def test_tiles_far_beyond_the_picture_tell_no_size(wrong: float) -> None:
    """A plane that was fitted badly may put a known tile anywhere; the others tell how large a tile is."""
    mask = changed((220, 60, 10, 20))
    known = [quad(100, 100), quad(100, 100) * wrong]
    assert unfound(mask, 1.0, known).tolist() == unfound(mask, 1.0, known[:1]).tolist()
    assert not len(unfound(mask, 1.0, known[1:]))


def test_a_picture_with_fine_pips_does_not_differ_from_itself() -> None:
    """Bright pips of a few pixels do not flicker between the picture and the one laid over it."""
    table = np.full((960, 1280, 3), 25, np.uint8)
    for x in range(300, 900, 17):
        for y in range(300, 600, 13):
            cv2.circle(table, (x, y), 4, (235, 235, 235), -1)
    mask, scale = changes(table, np.eye(3), table, np.eye(3))
    assert mask.shape == (360, 480)
    assert scale == 0.375
    assert not mask.any()


class Shortsighted(TruthReader):
    """Finds only what lies where it is told to look; from the beginning the first tile of the chain."""

    def __init__(self, *, blind: bool) -> None:
        """Start, blind for whatever else lies there or not."""
        super().__init__(4, misread=0.0)
        self._blind = blind

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        """Return the tiles that were known, and those within `near` beside them."""
        whole = super().readings(frame, near)
        known = [Tile(*map(int, logp.argmax(1))) is Tile(6, 5) for logp in whole.half_logp]
        middles = [] if near is None or self._blind else near.corners_px.mean(1).tolist()
        told = [any(np.hypot(*(np.array(at) - quad.mean(0))) < 15 for at in middles) for quad in whole.corners_px]
        kept = np.array(known) | np.array(told)
        return TileReadings(whole.corners_px[kept], whole.face[kept], whole.score[kept], whole.half_logp[kept])


@pytest.mark.parametrize("blind", [False, True])
def test_what_is_overlooked_is_looked_at_from_near(*, blind: bool) -> None:
    """A tile that only a closer look finds is committed as any other; one that none finds leaves its place."""
    options = SceneOptions(size_wh=(640, 400), tile_fraction=(0.09, 0.09), tilt_deg=(80, 86), harm=0.2)
    stage: Stage = set_stage(np.random.default_rng(11), options)
    first, _, third = pieces(stage, 3)
    reader = Shortsighted(blind=blind)
    settler = Settler(reader, DOUBLE_SIX)
    script = Script((Placing(*third),), (first,))
    commits = []
    for shot in GameVideo(4, stage, script, VideoOptions(rest_s=0.9, noise=1.5)):
        commits += [event for event in settler.push(reader.watch(shot)) if isinstance(event, Commit)]
    last = commits[-1]
    assert len(last.observation.tiles) == (1 if blind else 2)
    assert len(last.unfound) == (1 if blind else 0)
    if blind:
        away = last.observation.tiles[0].quad_mm.mean(0) - last.unfound[0].mean(0)
        assert 60 < float(np.linalg.norm(away)) < 160
