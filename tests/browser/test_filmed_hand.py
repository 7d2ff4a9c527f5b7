"""Whole hands filmed by the project's own generator, seen by the phone's live camera and read by the trained networks.

The browser plays the film as its camera, frame by frame as it is rendered: hands come in, lay, draw and carry off
tiles, and leave. At rest the film waits until the table has been seen and the console shows the move, so that a slow
machine plays the same hand more slowly. A line of play and a game of tricks are filmed; films of the other two games
take twice as long, and their tables are drawn (`test_whole_hand.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from domino_rules.moves import Draw, Lead, Move, Pass, Reply
from domino_rules.notation import format_move
from domino_rules.record_replay import replay
from domino_server.films.film import Film, FilmOptions, make_film
from domino_vision.pipeline import load_pipeline
from domino_vision.synth.video import VideoFrame, VideoOptions
from domino_vision.synth.video_writer import NONE
from tests.browser.camera_file import CameraFile
from tests.browser.whole_hand import Watched, watched
from tests.table_server import listening

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]
SIZE_WH = (1280, 960)
VIDEO = VideoOptions(fps=10, reach_s=0.3, slide_s=0.2, rest_s=0.3)


@pytest.mark.parametrize("camera", [SIZE_WH], indirect=True)
@pytest.mark.parametrize(("game", "seed"), [("cincos", 3), ("bingo", 20)])
def test_filmed_hand_is_followed_by_the_networks(
    camera: CameraFile, camera_browser: Browser, game: str, seed: int
) -> None:
    """Every move is on the console, and the overlay ends with the engine's score; only called doubles are told."""
    film = make_film(FilmOptions(game, seed, seats=2, illegal=0, mishaps=NONE, size_wh=SIZE_WH, video=VIDEO))
    moves = [made.move for made in film.record.hands[0].moves]
    seats, opener = list(film.record.seats), moves[0].player
    with listening(networks=load_pipeline()) as house:
        table = house.make(game=game, seats=seats, opener=opener, use_zones=True)
        with watched(camera_browser, table) as seen:
            for shot, done in _played(film, camera):
                if done:
                    seen.come_to_rest()
                    _expect_done(seen, film, moves, shot.done - 1)
            seen.expect_moves(moves)
            seen.expect_score(replay(film.record).totals())
            seen.expect_see_through()


def _played(film: Film, camera: CameraFile) -> Iterator[tuple[VideoFrame, bool]]:
    """Play a film before the camera, as fast as it was filmed; yield each frame, and whether it ends an act.

    Time stands still while the caller looks at a frame.
    """
    done, before = 0, 0.0
    for _, shot in film.frames():
        start = time.monotonic()
        camera.show(shot.frame.bgr)
        yield shot, shot.done > done
        done = shot.done
        time.sleep(max(0.0, start + shot.frame.at - before - time.monotonic()))
        before = shot.frame.at


def _expect_done(seen: Watched, film: Film, moves: list[Move], act: int) -> None:
    """The console shows the move that an act was, if it is known at once; say how many doubles were called with it."""
    text = film.scripts[0].moves[act].get("move")
    if text is None:
        return
    number = [format_move(move) for move in moves].index(text)
    move = moves[number]
    if isinstance(move, Draw | Pass):  # known by what the player does next
        return
    seen.expect_log(number + 1)
    if isinstance(move, Lead | Reply) and move.declare is not None:
        seen.call_doubles(move.player, move.declare)
