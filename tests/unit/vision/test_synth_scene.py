"""Whole rendered tables: labels, legality, determinism."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_vision.synth.dataset import to_label, write_dataset
from domino_vision.synth.errors import SynthError
from domino_vision.synth.scene import SceneOptions, SynthFrame, render_scene
from domino_vision.synth.styles import SET_MAX

SMALL = SceneOptions(size_wh=(640, 480), tile_fraction=(0.08, 0.2))
KINDS = ("chain", "cross", "loose", "hand", "mixed", "single", "stock", "any")


def _frames(kind: str, count: int = 4, **changes: object) -> list[SynthFrame]:
    options = replace(SMALL, kind=kind, **changes)
    return [render_scene(np.random.default_rng([11, seed]), options) for seed in range(count)]


def test_same_seed_same_frame() -> None:
    """Picture and label depend on the generator's state alone."""
    first, second = (render_scene(np.random.default_rng(4), SMALL) for _ in range(2))
    assert np.array_equal(first.frame, second.frame)
    assert json.dumps(to_label(first, "x.jpg")) == json.dumps(to_label(second, "x.jpg"))
    other = render_scene(np.random.default_rng(5), SMALL)
    assert not np.array_equal(first.frame, other.frame)


@pytest.mark.parametrize("kind", KINDS)
def test_quads_are_convex_clockwise_and_inside(kind: str) -> None:
    """Every face-up and face-down quad is convex, turns clockwise, lies in the picture and is longer than wide."""
    for frame in _frames(kind):
        height, width = frame.frame.shape[:2]
        assert frame.frame.dtype == np.uint8
        for quad in (*(t.quad for t in frame.tiles), *frame.down, *frame.ignore):
            assert quad.shape == (4, 2)
            assert quad.dtype == np.float32
            assert cv2.isContourConvex(quad)
            assert cv2.contourArea(quad, True) > 0
            assert quad.min() >= 0
            assert (quad.max(axis=0) < [width, height]).all()


def test_quads_have_the_size_asked_for() -> None:
    """Seen from above, a tile's long edge is about the asked share of the picture's long side."""
    options = SceneOptions(size_wh=(640, 480), tile_fraction=(0.15, 0.15), tilt_deg=(90, 90), kind="loose")
    for seed in range(4):
        for tile in render_scene(np.random.default_rng(seed), options).tiles:
            long, short = np.linalg.norm(tile.quad[2] - tile.quad[1]), np.linalg.norm(tile.quad[1] - tile.quad[0])
            assert 0.14 * 640 < long < 0.19 * 640
            assert 1.7 < long / short < 2.25


@pytest.mark.parametrize("set_name", ["double-six", "double-nine", "double-twelve", "chinese"])
def test_tiles_are_of_the_set_and_unique(set_name: str) -> None:
    """No tile occurs twice, and no half exceeds the set's highest."""
    for frame in _frames("mixed", 5, set_name=set_name):
        keys = [tuple(sorted(t.halves)) for t in frame.tiles]
        assert len(set(keys)) == len(keys)
        assert all(0 <= half <= SET_MAX[set_name] for t in frame.tiles for half in t.halves)


@pytest.mark.parametrize("kind", ["chain", "cross"])
def test_touching_halves_are_equal(kind: str) -> None:
    """Joined halves carry the same pips, and only a double is joined at its long side."""
    joins = 0
    for frame in _frames(kind, 12):
        for first, key, second, other in frame.chain:
            joins += 1
            values = []
            for index, part in ((first, key), (second, other)):
                halves = frame.tiles[index].halves
                assert part != "m" or halves[0] == halves[1]
                values.append(halves[1] if part == "b" else halves[0])
            assert values[0] == values[1]
    assert joins > 20


def test_joined_tiles_touch() -> None:
    """The joined ends of two tiles lie within a third of a tile of each other in the picture."""
    ends = {"a": (0, 1), "b": (2, 3)}
    for frame in _frames("chain", 8, tilt_deg=(85, 90)):
        for first, key, second, other in frame.chain:
            if "m" in (key, other):
                continue
            one, two = frame.tiles[first].quad, frame.tiles[second].quad
            length = float(np.linalg.norm(one[2] - one[1]))
            gap = np.linalg.norm(one[list(ends[key])].mean(axis=0) - two[list(ends[other])].mean(axis=0))
            assert gap < 0.62 * length


def test_a_cross_has_a_spinner_with_side_arms() -> None:
    """Some rendered cross has a double joined at its long side and at an end at once."""
    found = False
    for frame in _frames("cross", 12):
        parts: dict[int, set[str]] = {}
        for first, key, second, other in frame.chain:
            parts.setdefault(first, set()).add(key)
            parts.setdefault(second, set()).add(other)
        found = found or any("m" in p and len(p) > 1 for p in parts.values())
    assert found


def test_face_down_tiles_are_apart_from_face_up_tiles() -> None:
    """No face-down quad overlaps the quad of a face-up tile by more than a sliver."""
    seen = 0
    for frame in _frames("loose", 12):
        for down in frame.down:
            seen += 1
            for tile in frame.tiles:
                overlap = cv2.intersectConvexConvex(down, tile.quad)[0]
                assert overlap < 0.35 * cv2.contourArea(tile.quad)
    assert seen


def test_occluded_tiles_are_ignored() -> None:
    """With hands over the table, tiles that stay labelled are mostly visible, and some frame loses tiles to ignore."""
    lost = 0
    for frame in _frames("mixed", 10, occluders=1.0):
        assert all(0.8 <= t.visible <= 1 for t in frame.tiles)
        lost += len(frame.ignore)
    assert lost


def test_an_empty_scene_has_no_tiles() -> None:
    """The kind "empty" gives pictures of things only."""
    for frame in _frames("empty", 3):
        assert (frame.tiles, frame.down, frame.standing, frame.chain) == ((), (), (), ())


def test_a_background_picture_is_used() -> None:
    """A given picture gives the table its colour."""
    red = np.zeros((200, 300, 3), np.uint8)
    red[:, :, 2] = 220
    options = replace(SMALL, kind="single", harm=0.0, things=0, occluders=0.0)
    frame = render_scene(np.random.default_rng(3), options, red).frame
    middle = np.median(frame.reshape(-1, 3), axis=0)
    assert middle[2] > 120
    assert middle[0] < 60


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (SceneOptions(kind="tower"), "unknown_kind"),
        (SceneOptions(set_name="double-zero"), "unknown_set"),
        (SceneOptions(tile_fraction=(0.5, 0.1)), "scene_range"),
        (SceneOptions(tilt_deg=(0, 20)), "scene_range"),
    ],
)
def test_bad_options_are_refused(options: SceneOptions, code: str) -> None:
    """Unknown kinds and sets and empty ranges raise typed errors."""
    with pytest.raises(SynthError) as caught:
        render_scene(np.random.default_rng(0), options)
    assert caught.value.code == code


def test_dataset_is_written_with_labels(tmp_path: Path) -> None:
    """Every picture has a label in the format of the photographs, and the seed decides all of it."""
    for folder in ("one", "two"):
        write_dataset(tmp_path / folder, 3, 8, replace(SMALL, kind="any"))
    names = sorted(p.name for p in (tmp_path / "one").iterdir())
    assert len(names) == 6
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    label = json.loads(next((tmp_path / "one").glob("*.json")).read_text())
    assert set(label) >= {"image", "source", "set", "table", "tiles", "down", "ignore", "chain", "note"}
    assert (tmp_path / "one" / label["image"]).is_file()
