"""Chinese tiles: 21 patterns in red and white, no divider, no blank; of tiles of one weight the pattern decides."""

from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_rules.tile import CHINESE, Tile
from domino_vision.assemble.decode import decode, half_probabilities
from domino_vision.reader import TileReader
from domino_vision.synth.scene import SceneOptions, render_scene
from domino_vision.types import F32Array, U8Array

MODEL = Path(__file__).parents[3] / "models" / "reader" / "reader.onnx"
MISNAMED = {"4-2": Tile(3, 3)}
"""This cut-out shows six white pips, three in each half; the four-two is `2-4.png`."""
GROUNDS = ((40, 90, 40), (60, 60, 60), (190, 200, 205), (120, 70, 40))


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader(MODEL, threads=1)


def paste(cutout: U8Array, ground: tuple[int, int, int], rng: np.random.Generator) -> tuple[U8Array, F32Array]:
    """A photograph of one cut-out tile on a ground of its own, leaning a little, and its corners."""
    height, width = cutout.shape[:2]
    ring = np.argwhere(cutout[..., 3] > 128)[:, ::-1].astype(np.float32)
    box = np.asarray(cv2.boxPoints(cv2.minAreaRect(ring)), np.float32)
    if np.linalg.norm(box[1] - box[0]) > np.linalg.norm(box[2] - box[1]):
        box = np.roll(box, -1, axis=0)
    side = float(max(height, width))
    start = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    angle, scale = rng.uniform(0, 2 * np.pi), 150 / side
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    end = (start - (width / 2, height / 2)) @ turn.T * scale + 160 + rng.normal(0, 4, (4, 2))
    move = cv2.getPerspectiveTransform(start, end.astype(np.float32))
    tile = cv2.warpPerspective(cutout, move, (320, 320), flags=cv2.INTER_AREA)
    frame = np.clip(np.array(ground) + rng.normal(0, 6, (320, 320, 3)), 0, 255)
    alpha = tile[..., 3:] / 255.0
    picture = np.clip(tile[..., :3] * alpha + frame * (1 - alpha), 0, 255).astype(np.uint8)
    return picture, np.asarray(cv2.perspectiveTransform(box[None], move), np.float32)


def read(reader: TileReader, pictures: list[tuple[U8Array, F32Array]]) -> list[Tile]:
    """The tiles as the assembly decodes them: what the reader says and what the set holds."""
    logp = np.concatenate([reader.read(frame, quads) for frame, quads in pictures])
    decoded = decode(half_probabilities(logp, 12), (), CHINESE)
    return [Tile(*halves) for halves in decoded.halves]


def test_all_patterns_are_read_from_cut_outs(photos: Path, reader: TileReader) -> None:
    """Each of the 21 patterns, cut out of photographs and pasted on four grounds: at least 99 % are read right."""
    rng = np.random.default_rng(5)
    files = sorted((photos / "chinese_cutouts").glob("*.png"))
    assert {MISNAMED.get(file.stem) or Tile.parse(file.stem) for file in files} == set(CHINESE.kinds)
    right = 0
    for ground in GROUNDS:
        pictures = [paste(np.asarray(cv2.imread(str(f), cv2.IMREAD_UNCHANGED), np.uint8), ground, rng) for f in files]
        truth = [MISNAMED.get(file.stem) or Tile.parse(file.stem) for file in files]
        right += sum(a == b for a, b in zip(read(reader, pictures), truth, strict=True))
    assert right >= 0.99 * len(files) * len(GROUNDS)


def test_drawn_tables_are_read(reader: TileReader) -> None:
    """Tiles of drawn Chinese tables, cut out where they lie, read as their patterns."""
    right, count = 0, 0
    for seed in (11, 12, 13):
        rng = np.random.default_rng([4242, seed])
        scene = render_scene(rng, SceneOptions("chinese", (960, 720), (0.09, 0.2), (60.0, 90.0), "loose"))
        if not scene.tiles:
            continue
        quads = np.array([tile.quad for tile in scene.tiles], np.float32)
        tiles = read(reader, [(scene.frame, quads)])
        right += sum(a == Tile(*map(int, t.halves)) for a, t in zip(tiles, scene.tiles, strict=True))
        count += len(tiles)
    assert count >= 12
    assert right >= 0.95 * count


@pytest.mark.parametrize("weight", [("4-2", "3-3", "5-1"), ("4-1", "3-2"), ("6-1", "5-2", "4-3")])
def test_tiles_of_one_weight_are_told_apart(weight: tuple[str, ...]) -> None:
    """Where pips are equal in number the pattern decides, and each civil pattern may lie twice."""
    tiles = [Tile.parse(text) for text in weight]
    assert len({tile.pips for tile in tiles}) == 1
    p = np.full((len(tiles), 2, 7), 0.01)
    for row, tile in zip(p, tiles, strict=True):
        row[0, tile.high] = row[1, tile.low] = 0.94
    assert [Tile(*halves) for halves in decode(p, (), CHINESE).halves] == tiles


def test_no_blank_and_no_nine_lies_in_a_chinese_set() -> None:
    """A half that the reader is not sure of is never taken for one that the set does not have."""
    p = np.full((2, 2, 13), 0.005)
    p[0, 0, [6, 9]], p[0, 1, 3] = (0.3, 0.63), 0.94
    p[1, 0, [2, 0]], p[1, 1, 1] = (0.3, 0.63), 0.94
    assert [Tile(*halves) for halves in decode(p, (), CHINESE).halves] == [Tile(6, 3), Tile(2, 1)]
    known = {tuple(sorted(pair)) for pair in product(range(1, 7), repeat=2)}
    assert {tuple(sorted(tile.halves)) for tile in CHINESE.kinds} == known
