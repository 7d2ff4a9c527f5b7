"""How many tiles that lie face down are found, in the first pictures of filmed games of three kinds.

Run by hand, not by pytest: `python -m tests.bench.backs_on_films --seeds 500 508 [--weights FILE]`. Stocks and
boneyards lie in rows there, of every style and pattern.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.optimize import linear_sum_assignment

from domino_rules.games import LINE_GAMES
from domino_rules.state import find_game
from domino_server.films.film import FilmOptions, make_film
from domino_server.films.scripts import FilmError
from domino_vision.assemble import AssembleOptions, assemble
from domino_vision.pipeline import load_pipeline
from domino_vision.synth.video import VideoFrame, VideoOptions
from domino_vision.synth.video_writer import NONE

GAMES = ("bingo", "tiu-u", "cincos")
SIZE_WH = (1920, 1440)
LOOKS = (0, 6)
"""After so many acts the table is looked at."""
NEAR = 0.6
"""A tile is found if the middle of one that is seen is so near to its own, in its widths."""


@dataclass
class Found:
    """Counts: tiles that lie there, tiles that are seen, and those that are both."""

    there: int = 0
    seen: int = 0
    right: int = 0

    def add(self, there: np.ndarray, seen: np.ndarray) -> None:
        """Count the quads (n, 4, 2) of a picture and those seen in it, (m, 4, 2)."""
        self.there += len(there)
        self.seen += len(seen)
        if len(there) and len(seen):
            away = np.linalg.norm(seen.mean(1)[:, None] - there.mean(1)[None], axis=-1)
            rows, columns = linear_sum_assignment(away)
            widths = np.linalg.norm(there[:, 0] - there[:, 1], axis=1)
            self.right += int((away[rows, columns] < NEAR * widths[columns]).sum())

    def __str__(self) -> str:
        return f"recall {self.right / max(self.there, 1):.3f}, precision {self.right / max(self.seen, 1):.3f}"


def pictures(game: str, seed: int) -> Iterator[VideoFrame]:
    """Yield the looks at the table of a film, with the truth."""
    video = VideoOptions(fps=5, reach_s=0.4, slide_s=0.3, rest_s=0.4)
    film = make_film(FilmOptions(game, seed, illegal=0, mishaps=NONE, size_wh=SIZE_WH, video=video))
    left = list(LOOKS)
    for _, shot in film.frames():
        if not left:
            return
        if shot.resting and shot.done >= left[0]:
            del left[0]
            yield shot


def quads(found: list[np.ndarray]) -> np.ndarray:
    """Return quads as one array (n, 4, 2)."""
    return np.array(found, np.float64).reshape(-1, 4, 2)


def main() -> None:
    """Film, look, count."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs=2, default=(500, 508), help="from, and up to but without")
    parser.add_argument("--weights", help="another detector")
    chosen = parser.parse_args()
    pipeline = load_pipeline(detector=chosen.weights, threads=1)
    for game in GAMES:
        down, up, options = Found(), Found(), AssembleOptions(line=game in LINE_GAMES)
        for seed in range(*chosen.seeds):
            try:
                for shot in pictures(game, seed):
                    readings = pipeline.readings(shot.frame)
                    tiles = assemble(readings, SIZE_WH, find_game(game).tile_set, options=options).tiles
                    down.add(quads(list(shot.down)), quads([t.quad_px for t in tiles if t.halves is None]))
                    up.add(quads([t.quad for t in shot.tiles]), quads([t.quad_px for t in tiles if t.halves]))
            except FilmError as error:
                print(f"{game} {seed}: {error.message}", flush=True)
        print(f"{game}: {down.there} face down, {down}; {up.there} face up, {up}", flush=True)


if __name__ == "__main__":
    main()
