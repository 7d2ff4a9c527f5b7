"""Whole hands through the phone's live camera: every move on the console, the score on the overlay.

The tables are drawn, and read without mistakes but those that are planted; `test_filmed_hand.py` shows rendered films
of all four games.
"""

from __future__ import annotations

import re
import time
from itertools import cycle

import pytest
from playwright.sync_api import Browser, expect

from domino_rules.moves import Move
from domino_rules.notation import format_move
from domino_rules.record import Record
from domino_rules.record_replay import Replay, replay
from domino_rules.tile import Tile
from tests.browser.camera_file import CameraFile
from tests.browser.whole_hand import LONG_MS, Watched, score_after, watched
from tests.laid_hands import Scene, scenes
from tests.referee_games import random_game
from tests.table_frames import Film, reached_over
from tests.table_server import House, TableOfTest, listening

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]
NAMES = ("Ana", "Đorđe", "Łukasz", "Мира")
SEED = 11


class Hand:
    """The first hand of a random game: what was played, and what it scores."""

    def __init__(self, game: str, seats: int, **options: object) -> None:
        self.record: Record = random_game(game, NAMES[:seats], SEED, 1, **options)
        self.played: Replay = replay(self.record)
        self.moves: list[Move] = [made.move for made in self.record.hands[0].moves]

    @property
    def totals(self) -> dict[str, int]:
        """What each side has when the hand is over."""
        return self.played.totals()

    def score(self, moves: int) -> dict[str, int]:
        """Return what each side has after so many moves, in games that score while they are played."""
        return score_after(self.played, moves)

    def number(self, text: str) -> int:
        """Return the number of a move."""
        return 1 + [format_move(move) for move in self.moves].index(text)

    def opened(self, house: House, *, zones: bool = True) -> TableOfTest:
        """Open a table at which it is played."""
        opener, seats = self.moves[0].player, list(self.record.seats)
        options = dict(self.record.options)
        return house.make(game=self.record.game, seats=seats, opener=opener, options=options, use_zones=zones)


def play(watched: Watched, scene: Scene, film: Film, camera: CameraFile) -> None:
    """Let a scene happen, and wait until the console shows it."""
    if scene.player is not None and scene.table is None:
        watched.console.keyboard.press("p")
    if scene.player is not None and scene.doubles is not None:
        watched.call_doubles(scene.player, scene.doubles)
    if scene.table is not None:
        if scene.player is not None:
            reach_over(watched, scene.side, camera)
        camera.show(film.paint(scene.table))
        watched.expect_boxes(len(scene.table.tiles))
    watched.expect_log(scene.moves)


def reach_over(watched: Watched, side: int, camera: CameraFile) -> None:
    """Move an arm over the table until the phone's page says that one is there."""
    table = camera.picture
    deadline = time.monotonic() + LONG_MS / 1000
    slants = cycle((0.0, 0.1, 0.2, 0.1))
    while watched.settle() != "hand":
        assert time.monotonic() < deadline, "no hand is seen"
        camera.show(reached_over(table, side, next(slants)))
        watched.phone.wait_for_timeout(100)


def test_hand_of_cincos_with_a_misread_tile_put_right(camera: CameraFile, camera_browser: Browser) -> None:
    """A tile read wrong scores five points; a tap puts move, layout and score right, and it is not read wrong again.

    Tiles drawn from the boneyard are seen; the hands lie open at the end and score by themselves. Undo over the end of
    the hand takes its score back everywhere, redo brings it again.
    """
    hand = Hand("cincos", 4)
    film = Film(misread={Tile(5, 0): (0, 2)})
    wrong = hand.number("Мира 5-0 R")
    with listening(film) as house, watched(camera_browser, hand.opened(house)) as seen:
        for scene in scenes(hand.record):
            play(seen, scene, film, camera)
            if scene.moves == wrong:
                _put_right(seen, hand, wrong)
        expect_whole(seen, hand)


def test_hand_of_bingo(camera: CameraFile, camera_browser: Browser) -> None:
    """Tricks are laid and carried off, the stock is closed, doubles are called in the console; the sets are shown."""
    hand = Hand("bingo", 2)
    film = Film()
    with listening(film) as house, watched(camera_browser, hand.opened(house)) as seen:
        for scene in scenes(hand.record):
            play(seen, scene, film, camera)
        expect_whole(seen, hand)


def test_hand_of_pincset_with_hands_tapped_in(camera: CameraFile, camera_browser: Browser) -> None:
    """On a table without zones passes are one key, which no camera sees, and what is left in the hands is tapped in."""
    hand = Hand("pincset", 4, force_66=False)
    film = Film()
    with listening(film) as house, watched(camera_browser, hand.opened(house, zones=False)) as seen:
        for scene in scenes(hand.record, zones=False):
            play(seen, scene, film, camera)
        assert max(hand.totals.values()) > 0
        left = hand.played.hands[0].steps[-1].state.hands
        seen.tell_hands({seat: held.tiles or () for seat, held in left.items() if held.size})
        expect_whole(seen, hand)


def expect_whole(seen: Watched, hand: Hand) -> None:
    """The hand is shown as it was played, with its score; undo goes back over its end, redo brings all again."""
    seen.expect_end(hand.moves, hand.totals, hand.score(len(hand.moves) - 1))


def _put_right(seen: Watched, hand: Hand, number: int) -> None:
    """The move that was just seen is 5-2, which scores; a tap on the tile makes it 5-0, which does not."""
    right = hand.score(number)
    row = seen.console.locator("#log li").first
    expect(row.get_by_role("img")).to_have_attribute("aria-label", "5-2")
    seen.expect_score({**right, "Мира": right["Мира"] + 5})
    seen.put_right("5-2", 2, 0)
    expect(row.get_by_role("img")).to_have_attribute("aria-label", "5-0")
    expect(seen.console.locator("#layout")).to_have_attribute("alt", re.compile(r"R:5-0"))
    expect(seen.overlay.locator("#news")).to_contain_text("Corrected: Мира: 5-0")
    seen.expect_score(right)
    seen.expect_moves(hand.moves[:number])
