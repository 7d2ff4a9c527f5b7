"""Pages and the real server together: a game photographed with the phone's page, followed by console and overlay."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from domino_rules.notation import format_move
from tests.browser.opening import opened
from tests.referee_games import Table
from tests.serving import serving
from tests.table_frames import Film, pincset_tables
from tests.table_server import listening

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NO_CAMERA = "Object.defineProperty(navigator, 'mediaDevices', {value: undefined})"
SEATS = ["Ana", "Đorđe", "Łukasz", "Мира"]
RECORD, TABLES = pincset_tables(3, 4)
OPENER = SEATS["ABCD".index(RECORD.hands[0].moves[0].move.player)]
LONG_MS = 60_000


def test_game_goes_from_phone_to_console_to_overlay(browser: Browser) -> None:
    """Four photographs make four moves; a pass is told, a move corrected once for all viewers, undone and redone."""
    film = Film()
    with listening(film) as house:
        table = house.make(seats=SEATS, opener=OPENER)
        base = str(house.client.base_url)
        console = opened(browser, f"{base}/table/{table.id}#token={table.secrets['keeper']}")
        overlay = opened(browser, f"{base}/overlay/{table.id}?theme=scoreboard&lang=pl")
        phone = opened(browser, f"{base}/camera/{table.id}#token={table.secrets['camera']}", init=NO_CAMERA)
        for number, laid in enumerate(TABLES, 1):
            _photograph(phone, film, laid)
            expect(console.locator("#log li")).to_have_count(number, timeout=LONG_MS)
        tile = format_move(RECORD.hands[0].moves[3].move).split()[1]
        expect(console.locator("#log li").first.get_by_role("img")).to_have_attribute("aria-label", tile)
        expect(console.locator("#boxes .box")).to_have_count(4)
        expect(overlay.locator("#last").get_by_role("img")).to_have_attribute("aria-label", tile)
        console.keyboard.press("p")
        expect(console.locator("#log li").first).to_contain_text("passes")
        expect(overlay.locator("#last")).to_contain_text("pas")
        console.keyboard.press("u")
        expect(console.locator("#log li")).to_have_count(4)
        console.keyboard.press("r")
        expect(console.locator("#log li")).to_have_count(5)
        console.locator("#log .entry").first.click()
        console.get_by_role("button", name="Was not played").click()
        expect(console.locator("#log li")).to_have_count(4)
        expect(overlay.locator("#news")).to_contain_text("Poprawka, nie zagrano")
        for page in (console, overlay, phone):
            page.context.close()


def test_house_sets_up_a_table_and_gives_out_links(browser: Browser) -> None:
    """The guided set-up makes a real table; its console gives a phone's link as QR code and a player's own link."""
    with listening(Film()) as house:
        token = house.admin["Authorization"].removeprefix("Bearer ")
        page = opened(browser, f"{house.client.base_url}/#token={token}")
        page.get_by_role("radio", name="Pińćset").check()
        for _ in range(3):
            page.get_by_role("button", name="Next").click()
        page.get_by_role("button", name="Open the table").click()
        page.wait_for_url("**/table/*")
        expect(page.locator(".side-row")).to_have_count(2)
        page.keyboard.press("l")
        page.get_by_role("button", name="Show the code").click()
        expect(page.locator(".qr").first).to_be_visible()
        expect(page.locator(".link-text input").first).to_have_value(re.compile(r"/camera/\w+#token=dt_"))
        page.get_by_role("button", name="Link for Player 1").click()
        mine = page.locator(".link-text input").nth(2)
        expect(mine).to_have_value(re.compile(r"/player/\w+#token=dt_"))
        own = opened(browser, mine.input_value())
        own.get_by_role("button", name="6-6", exact=True).click()
        expect(own.locator("#said")).not_to_be_empty()
        for each in (own, page):
            each.context.close()


def test_served_folder_is_seen_and_tiles_are_counted(browser: Browser, demo: Path) -> None:
    """`serve --source` opens a console whose boxes come from the networks, and the count page reads a hand."""
    with serving("--source", str(demo / "cincos.jpg"), "--game", "cincos") as base:
        console = opened(browser, base.line("keeper"))
        expect(console.locator("#boxes .box")).to_have_count(14, timeout=LONG_MS)
        count = opened(browser, f"{base}/count")
        count.locator("#file").set_input_files(demo / "hand.jpg")
        expect(count.locator("#total")).to_contain_text("pips", timeout=LONG_MS)
        count.locator("#file").set_input_files(
            {"name": "note.jpg", "mimeType": "image/jpeg", "buffer": b"not a picture"}
        )
        expect(count.locator("#said")).to_contain_text("note.jpg", timeout=LONG_MS)
        for page in (console, count):
            page.context.close()


def _photograph(phone: Page, film: Film, laid: Table) -> None:
    picture = FilePayload(name="table.jpg", mimeType="image/jpeg", buffer=film.show(laid))
    phone.locator("#photo-said").evaluate("said => { said.textContent = '' }")
    phone.locator("#file").set_input_files(picture)
    expect(phone.locator("#photo-said")).to_contain_text("has the photograph")
