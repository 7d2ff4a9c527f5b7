"""Writes rendered tables as pictures with label files."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from domino_vision.synth.paint import U8
from domino_vision.synth.scene import SceneOptions, SynthFrame, render_scene

ANY_SCENE = SceneOptions(kind="any")


def to_label(frame: SynthFrame, name: str) -> dict[str, Any]:
    """The label of a frame in the format of the photographs' label files.

    Args:
        frame: the rendered picture.
        name: file name of the picture.
    """

    def points(quad: Any) -> list[list[float]]:
        return [[round(float(x), 1), round(float(y), 1)] for x, y in quad]

    return {
        "image": name,
        "source": "rendered",
        "set": frame.set_name,
        "table": Path(name).stem,
        "tiles": [{"quad": points(t.quad), "halves": list(t.halves)} for t in frame.tiles],
        "down": [points(q) for q in frame.down],
        "ignore": [points(q) for q in (*frame.standing, *frame.ignore)],
        "chain": [list(join) for join in frame.chain] or None,
        "note": "",
    }


def write_frame(folder: Path, frame: SynthFrame, name: str, quality: int = 90) -> None:
    """Write ``name``.jpg and ``name``.json into a folder."""
    cv2.imwrite(str(folder / f"{name}.jpg"), frame.frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    label = json.dumps(to_label(frame, f"{name}.jpg"), separators=(",", ":"))
    (folder / f"{name}.json").write_text(label + "\n", encoding="utf-8")


def write_dataset(
    folder: Path,
    n: int,
    seed: int,
    options: SceneOptions = ANY_SCENE,
    *,
    sets: Sequence[str] = ("double-six", "double-six", "double-nine", "double-twelve"),
    backgrounds: Sequence[U8] = (),
) -> None:
    """Write ``n`` rendered tables with labels.

    Args:
        folder: where to; made if it is not there.
        n: how many pictures.
        seed: picture i depends on (seed, i) alone, so a set can be made in parts.
        options: what may be drawn; the set name is taken from ``sets`` in turn at random.
        sets: set names to choose from.
        backgrounds: BGR pictures used for half of the tables.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(n):
        rng = np.random.default_rng([seed, index])
        chosen = replace(options, set_name=str(rng.choice(list(sets))))
        picture = backgrounds[int(rng.integers(len(backgrounds)))] if backgrounds and rng.random() < 0.5 else None
        write_frame(folder, render_scene(rng, chosen, picture), f"synth-{seed}-{index:06d}")
