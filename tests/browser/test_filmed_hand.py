"""Whole hands filmed by the project's own generator, seen by the phone's live camera and read by the trained networks.

The browser plays the film as its camera, frame by frame as it is rendered: hands come in, lay, draw and carry off
tiles, and leave. At rest the film waits until the table has been seen and the console shows the move, so that a slow
machine plays the same hand more slowly.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from domino_rules.games import LINE_GAMES
from domino_rules.moves import Draw, Lead, Move, Pass, Play, Reply
from domino_rules.notation import format_move
from domino_rules.record_replay import replay
from domino_rules.tile import Tile
from domino_server.films.film import Film, FilmOptions, make_film
from domino_vision.pipeline import Pipeline, load_pipeline
from domino_vision.synth.video import VideoFrame, VideoOptions
from domino_vision.synth.video_writer import NONE
from tests.browser.camera_file import CameraFile
from tests.browser.whole_hand import LONG_MS, Watched, score_after, watched
from tests.misreading import Misreading
from tests.table_server import listening

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]
SMALL, LARGE = (1280, 960), (1920, 1080)
"""Pictures in which a tile is at least 55 pixels long, in shapes that the page asks a camera for."""
VIDEO = VideoOptions(fps=10, reach_s=0.3, slide_s=0.2, rest_s=0.3)


MISREAD = {"cincos": ("Bo 4-3 R", 3, 5)}
"""A move by game, the number on the outer half of its tile, and the one that is read there each time."""


@pytest.mark.parametrize(
    ("camera", "game", "seats", "seed"),
    [(SMALL, "cincos", 2, 3), (SMALL, "bingo", 2, 20), (SMALL, "pincset", 4, 27), (LARGE, "tiu-u", 2, 1)],
    indirect=["camera"],
    ids=["cincos", "bingo", "pincset", "tiu-u"],
)
def test_filmed_hand_is_followed_by_the_networks(
    camera: CameraFile, camera_browser: Browser, game: str, seats: int, seed: int
) -> None:
    """Every move is on the console, and the overlay ends with the engine's score; only called doubles are told.

    Where a hand begins with tiles on the table the film waits until they are seen. A tile that is read wrong is tapped
    and put right. Undo takes the end of the hand back, redo brings it again.
    """
    film = make_film(FilmOptions(game, seed, seats=seats, illegal=0, mishaps=NONE, size_wh=camera.size_wh, video=VIDEO))
    moves = [made.move for made in film.record.hands[0].moves]
    players, opener = list(film.record.seats), moves[0].player
    played = replay(film.record)
    with listening(networks=_networks(game, moves)) as house:
        table = house.make(game=game, seats=players, opener=opener, use_zones=True)
        with watched(camera_browser, table) as seen:
            known = 0
            for shot, done in _played(film, camera):
                if shot.frame.at == 0 and game not in LINE_GAMES:
                    seen.table.until(lambda state: state["to_move"] is not None, LONG_MS / 1000)
                if done:
                    seen.come_to_rest()
                    known = _expect_done(seen, film, moves, shot.done - 1, known)
            seen.expect_end(moves, played.totals(), score_after(played, len(moves) - 1))


def _networks(game: str, moves: list[Move]) -> Pipeline | Misreading:
    """Return the shipped networks, which read the tile of the move in `MISREAD` wrong."""
    if game not in MISREAD:
        return load_pipeline()
    text, shown, read = MISREAD[game]
    tile = next(move.tile for move in moves if isinstance(move, Play) and format_move(move) == text)
    return Misreading(load_pipeline(), tile, shown, read)


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


def _expect_done(seen: Watched, film: Film, moves: list[Move], act: int, known: int) -> int:
    """The console shows the move that an act was, if it is known at once; say how many doubles were called with it.

    That nobody can play any more is known with the last tile. Return the number of moves up to this one; `known` are
    those up to the act before.
    """
    text = film.scripts[0].moves[act].get("move")
    if text is None:
        return known
    number = [format_move(move) for move in moves].index(text, known)
    move = moves[number]
    if isinstance(move, Draw | Pass):  # known by what the player does next
        return number + 1
    blocked = all(isinstance(later, Pass) for later in moves[number + 1 :])
    seen.expect_log(len(moves) if blocked else number + 1)
    if text == MISREAD.get(film.options.game, ("",))[0]:
        _put_right(seen, film, number, move)
    if isinstance(move, Lead | Reply) and move.declare is not None:
        seen.call_doubles(move.player, move.declare)
    return number + 1


def _put_right(seen: Watched, film: Film, number: int, move: Move) -> None:
    """The move that was just seen shows a wrong number; a tap on its tile puts move and score right."""
    _, shown, read = MISREAD[film.options.game]
    assert isinstance(move, Play)
    inner = move.tile.other(shown)
    wrong, right = Tile(inner, read), move.tile
    row = seen.console.locator("#log li").first
    expect(row.get_by_role("img")).to_have_attribute("aria-label", str(wrong))
    seen.put_right(str(wrong), read, shown)
    expect(row.get_by_role("img")).to_have_attribute("aria-label", str(right))
    expect(seen.overlay.locator("#news")).to_contain_text(f"Corrected: {move.player}: {right}")
    seen.expect_score(score_after(replay(film.record), number + 1))
