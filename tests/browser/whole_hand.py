"""A table with its three pages while a hand is played there: the phone as camera, the console, the overlay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, expect

from domino_rules.moves import Move
from domino_rules.notation import format_move
from domino_rules.record_replay import Replay
from domino_rules.tile import Tile
from domino_server.tables.public import open_move
from tests.browser.opening import opened
from tests.table_server import TableOfTest

LONG_MS = 60_000
_ON_THE_WAY = 3
"""So many pictures are on their way from the camera to the program at most."""


@dataclass(frozen=True)
class Watched:
    """A table at which a hand is played, and the pages that show it.

    Attributes:
        table: the table.
        console: the keeper's page.
        overlay: the page for streams.
        phone: the page that is the camera.
    """

    table: TableOfTest
    console: Page
    overlay: Page
    phone: Page

    def expect_log(self, count: int) -> None:
        """The console shows so many moves."""
        expect(self.console.locator("#log li")).to_have_count(count, timeout=LONG_MS)

    def settle(self) -> str:
        """Return what the phone's page says that the program does about the table: `wait`, `hand` and the like."""
        return self.phone.locator("#settle").get_attribute("data-state") or ""

    def come_to_rest(self) -> None:
        """Wait until the program has seen what is before the camera now, and finds the table at rest."""
        shown = self.table.state()["picture"]
        self.table.until(
            lambda state: state["picture"] > shown + _ON_THE_WAY and state["settle"]["state"] == "wait", LONG_MS / 1000
        )

    def expect_boxes(self, count: int) -> None:
        """The console shows so many tiles in its picture."""
        expect(self.console.locator("#boxes .box")).to_have_count(count, timeout=LONG_MS)

    def expect_moves(self, moves: Sequence[Move]) -> None:
        """Console and table have just these moves, the tiles drawn as they are written."""
        told = [move["text"] for move in self.table.state()["moves"]]
        assert told == [format_move(open_move(move)) for move in moves]
        rows = self.console.locator("#log li")
        expect(rows).to_have_count(len(moves), timeout=LONG_MS)
        shown = rows.evaluate_all(
            "rows => rows.map(row => [row.querySelector('bdi').textContent,"
            " ...[...row.querySelectorAll('svg[role=img]')].map(tile => tile.getAttribute('aria-label'))])"
        )
        assert shown[::-1] == [[move.player, *_tiles(text)] for move, text in zip(moves, told, strict=True)]

    def expect_score(self, points: Mapping[str, int]) -> None:
        """Overlay, console and table give each side so many points."""
        texts = [str(value) for value in points.values()]
        for page in (self.overlay, self.console):
            expect(page.locator("#plates strong, .side-row .points")).to_have_text(texts, timeout=LONG_MS)
        assert self.table.state()["totals"] == points

    def expect_see_through(self) -> None:
        """The stream shows through wherever the overlay says nothing; most of its plates cover at least 200 of 255."""
        shot = np.frombuffer(self.overlay.screenshot(omit_background=True), np.uint8)
        picture = cv2.imdecode(shot, cv2.IMREAD_UNCHANGED)
        assert picture is not None
        alpha = picture[:, :, 3]
        assert alpha[0, -1] == 0
        assert (alpha == 0).mean() > 0.5
        box = self.overlay.locator("#plates").bounding_box()
        assert box is not None
        left, top = round(box["x"]), round(box["y"])
        panel = alpha[top : top + round(box["height"]), left : left + round(box["width"])]
        assert (panel > 200).mean() > 0.5

    def expect_end(self, moves: Sequence[Move], after: Mapping[str, int], before: Mapping[str, int]) -> None:
        """The hand is over: its moves and its score are shown; undo goes back over its end, redo brings all again.

        Args:
            moves: of the hand.
            after: what each side has at its end.
            before: what each side had before the last move.
        """
        self.expect_moves(moves)
        self.expect_score(after)
        self.expect_see_through()
        self.undo_over_the_end(before, after)

    def undo_over_the_end(self, before: Mapping[str, int], after: Mapping[str, int]) -> None:
        """Undo goes back over the end of the hand and is seen everywhere; redo ends it again with the same score."""
        rows = self.console.locator("#log li").count()
        while self.table.state()["hands"]:
            self._press("u")
        self.expect_score(before)
        while self.table.state()["can_redo"]:
            self._press("r")
        self.expect_score(after)
        self.expect_log(rows)

    def tell_hands(self, hands: Mapping[str, Sequence[Tile]]) -> None:
        """Tap in the hands that are left, each tile by its two digits."""
        self.console.keyboard.press("h")
        for player, tiles in hands.items():
            row = self.console.locator(".hand-row").filter(has_text=player)
            for tile in tiles:
                row.get_by_role("button", name="Add a tile").click()
                expect(self.console.locator(".pick").first).to_be_focused()
                for digit in tile.halves:
                    self.console.keyboard.press(str(digit))
                expect(row.get_by_role("button", name=f"Take out {tile}")).to_be_visible()
        self.console.get_by_role("button", name="Take these hands").click()

    def call_doubles(self, player: str, doubles: int) -> None:
        """Say in the console how many doubles a player calls."""
        self.console.keyboard.press("e")
        self.console.get_by_label("Player").select_option(player)
        with self.console.expect_response("**/commands"):
            self.console.get_by_role("button", name=str(doubles), exact=True).click()

    def put_right(self, tile: str, wrong: int, right: int) -> None:
        """Tap a tile in the picture that was read as `tile`, and another number for the half that reads `wrong`."""
        self.console.locator(f"#boxes .box[aria-label^='{tile},']").click()
        dialog = self.console.locator("dialog")
        half = dialog.locator(".half-row").filter(has=self.console.locator(f"input[value='{wrong}']:checked"))
        half.get_by_role("radio", name=str(right)).check()
        with self.console.expect_response("**/commands"):
            dialog.get_by_role("button", name="Save").click()

    def _press(self, key: str) -> None:
        """Press a key of the console and wait until the table has done it."""
        before = self.table.state()["seq"]
        self.console.keyboard.press(key)
        self.table.until(lambda state: state["seq"] > before)


@contextmanager
def watched(browser: Browser, table: TableOfTest) -> Iterator[Watched]:
    """Open the three pages of a table, each in a profile of its own."""
    base = str(table.house.client.base_url)
    pages = [
        opened(browser, f"{base}/table/{table.id}#token={table.secrets['keeper']}"),
        opened(browser, f"{base}/overlay/{table.id}?theme=minimal"),
        opened(browser, f"{base}/camera/{table.id}#token={table.secrets['camera']}"),
    ]
    yield Watched(table, *pages)
    for page in pages:
        page.context.close()


def score_after(played: Replay, moves: int) -> dict[str, int]:
    """Return what each side has after so many moves of the first hand, in games that score while they are played."""
    found = dict.fromkeys(played.totals(), 0)
    for step in played.hands[0].steps[:moves]:
        for event in step.events:
            found[event.side] += event.points if event.unit == played.match.game.unit else 0
    return found


def _tiles(text: str) -> list[str]:
    """Return the tiles of a written move, as they are drawn."""
    return [f"{a}-{b}" for a, b in re.findall(r"(\d+)[-|](\d+)", text)]
