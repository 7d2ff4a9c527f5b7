"""Folders of path-traced pictures with label files, and the fixed test set."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from domino_vision.render.develop import QUALITY
from domino_vision.render.errors import RenderError
from domino_vision.render.frame import RenderFrame, render_frame
from domino_vision.render.layouts import SETS_MIXED
from domino_vision.render.options import RenderOptions
from domino_vision.synth.paint import F32

Progress = Callable[[int, int], None]
TEST_SEED = 20_261_129
"""Seed of the test set; training refuses it, so that no model has seen its pictures."""
TEST_COUNT = 60
TEST_OPTIONS = RenderOptions(samples=24)


@dataclass(frozen=True, slots=True)
class Written:
    """What a folder now holds: pictures, face-up tiles, face-down tiles, ignored quads, joins."""

    pictures: int
    tiles: int
    down: int
    ignored: int
    joins: int


def to_label(result: RenderFrame, name: str) -> dict[str, Any]:
    """The label of a picture in the format of the photographs' label files.

    Beyond that format every tile carries `visible` (share of the face that nothing covers) and `depth` (distance along
    the optical axis in tile widths), which give the order in depth, and `standing` names those quads of `ignore` that
    are tiles standing upright in full view.

    Args:
        result: the picture.
        name: file name of the picture.
    """

    def points(quad: F32) -> list[list[float]]:
        return [[round(float(x), 2), round(float(y), 2)] for x, y in quad]

    return {
        "image": name,
        "source": "rendered",
        "set": result.set_name,
        "sets": SETS_MIXED.get(result.kind, 1),
        "table": Path(name).stem,
        "tiles": [
            {
                "quad": points(tile.quad),
                "halves": list(tile.halves),
                "visible": round(tile.visible, 3),
                "depth": round(tile.depth, 3),
            }
            for tile in result.tiles
        ],
        "down": [points(tile.quad) for tile in result.down],
        "ignore": [points(quad) for quad in result.ignore],
        "standing": [points(quad) for quad in result.standing],
        "chain": [list(join) for join in result.chain] or None,
        "note": result.kind,
    }


def write_frame(folder: Path, result: RenderFrame, name: str) -> None:
    """Write ``name``.jpg and ``name``.json into a folder, the label last."""
    picture = folder / f"{name}.jpg"
    if not cv2.imwrite(str(picture), result.frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY]):
        raise RenderError("render_option", f"cannot write {picture}", option="out")
    label = json.dumps(to_label(result, picture.name), separators=(",", ":"))
    (folder / f"{name}.json").write_text(label + "\n", encoding="utf-8")


def render_dataset(
    out: Path, count: int, seed: int, options: RenderOptions, progress: Progress | None = None
) -> Written:
    """Render pictures with labels into a folder.

    Picture i depends on (seed, i) and the options alone, so a set can be made in parts and taken up again: pictures
    whose label is there already are left as they are.

    Args:
        out: the folder, made if it is not there.
        count: how many pictures.
        seed: of all of them.
        options: what may be rendered.
        progress: told after every picture how many are done, and of how many.

    Raises:
        RenderError: `extra_missing` without Mitsuba, `render_variant`, `render_option`.
        SynthError: a range of the options is empty.
    """
    if count < 1 or seed < 0:
        raise RenderError(
            "render_option", f"{count} pictures from seed {seed}: neither may be negative", option="count"
        )
    out.mkdir(parents=True, exist_ok=True)
    names = [f"render-{seed}-{index:06d}" for index in range(count)]
    for index, name in enumerate(names):
        if not (out / f"{name}.json").is_file():
            write_frame(out, render_frame(np.random.default_rng([seed, index]), options), name)
        if progress is not None:
            progress(index + 1, count)
    return _tally(out, names)


def render_test_set(
    out: Path, count: int = TEST_COUNT, variant: str = TEST_OPTIONS.variant, progress: Progress | None = None
) -> Written:
    """Render the fixed test set; the first ``count`` pictures of it are always the same.

    Args:
        out: the folder, made if it is not there.
        count: how many of its pictures.
        variant: variant of Mitsuba; another one than the default traces the same scenes with other noise.
        progress: as for `render_dataset`.

    Raises:
        RenderError: `extra_missing` without Mitsuba, `render_variant`.
    """
    return render_dataset(out, count, TEST_SEED, replace(TEST_OPTIONS, variant=variant), progress)


def _tally(out: Path, names: list[str]) -> Written:
    labels = [json.loads((out / f"{name}.json").read_text(encoding="utf-8")) for name in names]
    tiles, down, ignored = (sum(len(label[key]) for label in labels) for key in ("tiles", "down", "ignore"))
    return Written(len(labels), tiles, down, ignored, sum(len(label["chain"] or []) for label in labels))
