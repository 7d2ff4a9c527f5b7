"""A whole hand of Pińćset through the phone's live camera: every move on the console, the score on the overlay."""

from __future__ import annotations

import base64
from collections.abc import Mapping

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from domino_rules.moves import Pass
from domino_rules.notation import format_move
from domino_rules.tile import Tile
from tests.browser.conftest import PATIENCE_MS
from tests.table_frames import Film, pincset_tables, states
from tests.table_server import listening

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]
SEATS = dict(zip("ABCD", ("Ana", "Đorđe", "Łukasz", "Мира"), strict=True))
RECORD, TABLES = pincset_tables(11, 99)
HAND = RECORD.hands[0]
LAST = list(states(RECORD))[-1]
SIDES = {"AC": "Ana+Łukasz", "BD": "Đorđe+Мира"}
LONG_MS = 60_000

CAMERA = """
const canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [1280, 720];
const paint = canvas.getContext("2d");
navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
window.shows = async (data) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  window.picture = picture;
};
setInterval(() => { if (window.picture) paint.drawImage(window.picture, 0, 0); }, 100);
"""
"""A camera whose picture the test chooses; all else is the page's own."""


def test_whole_hand_by_live_camera_ends_with_the_right_score(browser: Browser) -> None:
    """Each tile laid is a move on the console, passes are one key, which no camera sees; hands give the engine's score.

    Undo over the end of the hand takes the score back everywhere, redo brings it again.
    """
    film = Film()
    with listening(film) as house:
        opener = SEATS[HAND.moves[0].move.player]
        table = house.make(seats=list(SEATS.values()), opener=opener)
        base = str(house.client.base_url)
        console = _page(browser, f"{base}/table/{table.id}#token={table.secrets['keeper']}")
        overlay = _page(browser, f"{base}/overlay/{table.id}?theme=minimal")
        phone = _page(browser, f"{base}/camera/{table.id}#token={table.secrets['camera']}", CAMERA)
        pictures = iter(TABLES)
        for number, made in enumerate(HAND.moves, 1):
            if isinstance(made.move, Pass):
                console.keyboard.press("p")
            else:
                data = base64.b64encode(film.show(next(pictures))).decode()
                phone.evaluate("data => window.shows(data)", data)
            expect(console.locator("#log li")).to_have_count(number, timeout=LONG_MS)
        told = [move["text"] for move in table.state()["moves"]]
        assert [_seat(text) for text in told] == [format_move(move.move) for move in HAND.moves]
        assert LAST.result is not None
        wanted = {side: sum(e.points for e in LAST.result.events if e.side == side) for side in SIDES}
        assert max(wanted.values()) > 0
        _tell_hands(console, {SEATS[seat]: hand.tiles or () for seat, hand in LAST.hands.items() if hand.size})
        _expect_score(overlay, list(wanted.values()))
        _expect_see_through(overlay)
        _expect_score(console, list(wanted.values()))
        assert table.state()["totals"] == {SIDES[side]: points for side, points in wanted.items()}
        while any(table.state()["totals"].values()):
            table.told("undo")
        _expect_score(overlay, [0, 0])
        while table.state()["can_redo"]:
            table.told("redo")
        _expect_score(overlay, list(wanted.values()))
        for page in (console, overlay, phone):
            page.context.close()


def _tell_hands(console: Page, hands: Mapping[str, tuple[Tile, ...]]) -> None:
    """Tap in the hands that are left, each tile by its two digits."""
    console.keyboard.press("h")
    for player, tiles in hands.items():
        row = console.locator(".hand-row").filter(has_text=player)
        for tile in tiles:
            row.get_by_role("button", name="Add a tile").click()
            expect(console.locator(".pick").first).to_be_focused()
            for digit in tile.halves:
                console.keyboard.press(str(digit))
            expect(row.get_by_role("button", name=f"Take out {tile}")).to_be_visible()
    console.get_by_role("button", name="Take these hands").click()


def _expect_score(page: Page, points: list[int]) -> None:
    found = page.locator("#plates strong, .side-row .points")
    expect(found).to_have_text([str(n) for n in points], timeout=LONG_MS)


def _expect_see_through(overlay: Page) -> None:
    """The stream shows through wherever the overlay says nothing; most of its plates cover at least 200 of 255."""
    shot = np.frombuffer(overlay.screenshot(omit_background=True), np.uint8)
    picture = cv2.imdecode(shot, cv2.IMREAD_UNCHANGED)
    assert picture is not None
    alpha = picture[:, :, 3]
    assert alpha[0, -1] == 0
    assert (alpha == 0).mean() > 0.5
    box = overlay.locator("#plates").bounding_box()
    assert box is not None
    left, top = round(box["x"]), round(box["y"])
    panel = alpha[top : top + round(box["height"]), left : left + round(box["width"])]
    assert (panel > 200).mean() > 0.5


def _seat(text: str) -> str:
    """Return a move's text with the letter of the seat instead of the name."""
    for letter, name in SEATS.items():
        text = text.replace(name, letter)
    return text


def _page(browser: Browser, address: str, script: str = "") -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE_MS)
    if script:
        page.add_init_script(script)
    page.goto(address)
    return page
