"""Renders the demo pictures: ``python -m domino_vision.synth.demo OUTDIR``."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from domino_vision.synth.board import Board
from domino_vision.synth.dataset import write_frame
from domino_vision.synth.layouts import Chain, Habits, scatter
from domino_vision.synth.plan import stock_of
from domino_vision.synth.scene import SynthFrame, render_stage
from domino_vision.synth.stage import SceneOptions, Stage, set_stage
from domino_vision.synth.styles import TileStyle, random_style
from domino_vision.synth.video import GameVideo, VideoOptions
from domino_vision.synth.video_chain import chain_script
from domino_vision.synth.video_script import Script
from domino_vision.types import U8Array

_QUALITY = 84


@dataclass(frozen=True, slots=True)
class Demo:
    """One demo picture: its name, the seed that gives it, what is drawn, and how it is laid."""

    name: str
    seed: int
    options: SceneOptions
    look: str
    lay: Callable[[np.random.Generator, Board], None]


def _look(name: str) -> TileStyle:
    """The fixed tile styles of the demo pictures."""
    base = random_style(np.random.default_rng(7))
    ivory = replace(
        base,
        aspect=2.0,
        body=(205, 232, 243),
        body_kind="plain",
        opacity=1.0,
        corner=0.1,
        bevel=0.04,
        thickness=0.34,
        side=(180, 208, 222),
        base=(160, 190, 205),
        layer=1.0,
        pip_kind="drilled",
        pip_radius=0.085,
        pip_spread=0.26,
        pip_colours=((22, 20, 20),) * 13,
        six_across=False,
        mirrored=False,
        pip_glint=True,
        wells=False,
        divider="short",
        divider_colour=(22, 20, 20),
        divider_width=0.04,
        divider_length=0.8,
        pin="brass",
        pin_radius=0.07,
        logo="none",
        mark="D",
        back="plain",
        back_colour=(198, 226, 238),
        gloss=0.6,
        wear=0.1,
    )
    match name:
        case "green":
            green, white = (80, 120, 20), (245, 248, 248)
            return replace(
                ivory, body=green, side=(62, 98, 14), base=(62, 98, 14), back_colour=(84, 124, 24), divider="bar",
                divider_colour=white, pip_colours=(white,) * 13, pip_kind="engraved", pip_glint=False, corner=0.14,
            )  # fmt: skip
        case "black":
            black, white = (34, 30, 30), (240, 242, 242)
            return replace(
                ivory, body=black, side=(44, 40, 40), base=(30, 26, 26), back_colour=(40, 34, 34), divider="groove",
                divider_colour=(110, 104, 104), pip_colours=(white,) * 13, pip_kind="printed", pin="none",
                back="frame", back_ink=(90, 84, 84), pip_glint=False,
            )  # fmt: skip
        case _:
            return ivory


def _cincos(rng: np.random.Generator, board: Board) -> None:
    stock = stock_of(rng, "double-six")
    chain = Chain(rng, board, stock, _TIDY)
    chain.start(np.zeros(2), 0.02, True)
    chain.grow(10)
    scatter(rng, board, 3, (np.array([-7.5, -4.5]), np.array([7.5, 4.5])), kind="up", gap=0.6, stock=stock)


def _pincset(rng: np.random.Generator, board: Board) -> None:
    chain = Chain(rng, board, stock_of(rng, "double-six"), replace(_TIDY, bend=0.2))
    chain.start(np.array([1.0, 0.0]), 0.1, False)
    chain.grow(17)


def _hand(rng: np.random.Generator, board: Board) -> None:
    stock = stock_of(rng, "double-six")
    scatter(rng, board, 7, (np.array([-4.6, -3.0]), np.array([4.6, 0.6])), kind="up", gap=0.25, stock=stock)
    scatter(rng, board, 5, (np.array([-4.6, 0.8]), np.array([4.6, 3.2])), kind="down", gap=0.15)


_TIDY = Habits(gap=0.03, crooked=0.014, sideways=0.02, clearance=0.35, bend=0.1, crosswise=1.0, side_bend=0.0)
DEMOS = (
    Demo("cincos", 17, SceneOptions(tile_fraction=(0.085, 0.085), tilt_deg=(66, 74)), "ivory", _cincos),
    Demo("pincset", 28, SceneOptions(tile_fraction=(0.095, 0.095), tilt_deg=(46, 54)), "green", _pincset),
    Demo("hand", 505, SceneOptions(tile_fraction=(0.15, 0.15), tilt_deg=(68, 80)), "black", _hand),
)


_GAME: Final = SceneOptions(size_wh=(1024, 683), tile_fraction=(0.068, 0.068), tilt_deg=(70, 80))
_GAME_SEED: Final = 14
_GAME_QUALITY: Final = 70
_GAME_TILES: Final = 11
_GAME_VIDEO: Final = VideoOptions(fps=5, reach_s=0.2, slide_s=0.2, rest_s=0.6, noise=1.2)


def render_demo(demo: Demo) -> SynthFrame:
    """The picture of one demo."""
    options = replace(demo.options, style=_look(demo.look), harm=0.3, occluders=0.0, things=2)
    rng = np.random.default_rng(demo.seed)
    stage = set_stage(rng, options)
    demo.lay(rng, stage.board)
    return render_stage(rng, stage, options)


def demo_game() -> tuple[Stage, Script]:
    """The demo game: its table, and the script by which two players lay tiles."""
    options = replace(_GAME, style=_look("ivory"), harm=0.1, occluders=0.0, things=0)
    stage = set_stage(np.random.default_rng(_GAME_SEED), options)
    return stage, chain_script(np.random.default_rng(_GAME_SEED), stage, seats=2, spinner=True, most=_GAME_TILES)


def game_pictures() -> Iterator[U8Array]:
    """The table of the demo game, (h, w, 3) uint8 BGR: empty, and then after each tile."""
    stage, script = demo_game()
    shown = -1
    for shot in GameVideo(_GAME_SEED, stage, script, _GAME_VIDEO):
        if shot.resting and shot.done > shown:
            shown = shot.done
            yield shot.frame.bgr


def main(arguments: list[str]) -> int:
    """Write all demo pictures with their labels, and the demo game, into the folder named by the only argument."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m domino_vision.synth.demo OUTDIR\n")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for demo in DEMOS:
        write_frame(folder, render_demo(demo), demo.name, _QUALITY)
    (folder / "game").mkdir(exist_ok=True)
    for number, bgr in enumerate(game_pictures()):
        cv2.imwrite(str(folder / "game" / f"{number:02d}.jpg"), bgr, [cv2.IMWRITE_JPEG_QUALITY, _GAME_QUALITY])
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
