"""Hands on photographs, read by the networks: a player's own for advice, those at the end of the hand to be counted."""

from __future__ import annotations

from pathlib import Path

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.opening import opened
from tests.serving import Served, serving
from tests.table_server import bearer

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LONG_MS = 60_000
HAND = ["3-2", "1-1", "6-6", "4-0", "3-0", "3-3", "6-3"]
"""The tiles on datasets/demo/hand.jpg that lie face up."""
PIPS = 41


def test_hands_are_photographed(browser: Browser, demo: Path) -> None:
    """4-4 4-1 lies there: the player sees that 4-0 and 1-1 fit, the console counts the same hand and checks it."""
    with serving("--game", "cincos", "--seats", "Ana,Bo", "--opener", "Ana") as base:
        table = base.line("keeper").partition("#")[0].rpartition("/")[2]
        with httpx.Client(base_url=f"{base}/api/v1/tables/{table}", headers=bearer(base.token), timeout=60) as house:
            for name in ("01.jpg", "02.jpg"):
                sent = house.post("/photo", files={"picture": (demo / "game" / name).read_bytes()})
                assert sent.status_code == 202, sent.text
            link = house.post("/players/Bo/link").json()["link"]
        console = opened(browser, base.line("keeper"))
        expect(console.locator("#log li")).to_have_count(2, timeout=LONG_MS)
        advised(browser, f"{base}{link}", demo)
        counted(console, base, demo)
        console.context.close()


def advised(browser: Browser, link: str, demo: Path) -> None:
    player = opened(browser, link)
    player.locator("#file").set_input_files(demo / "hand.jpg")
    expect(player.locator(".pick[aria-pressed=true]")).to_have_count(len(HAND), timeout=LONG_MS)
    plays = player.locator("#plays li .tile")
    expect(plays).to_have_count(2)
    assert set(plays.evaluate_all("tiles => tiles.map(tile => tile.ariaLabel)")) == {"4-0", "1-1"}
    player.context.close()


def counted(console: Page, base: Served, demo: Path) -> None:
    console.keyboard.press("h")
    row = console.locator(".hand-row").filter(has_text="Bo")
    row.locator("input[type=file]").set_input_files(demo / "hand.jpg")
    expect(row.locator(".chip:not(.add)")).to_have_count(len(HAND), timeout=LONG_MS)
    expect(row.locator(".pips")).to_have_text(f"{PIPS} pips")
    expect(console.locator(".check")).not_to_be_empty()
    row.get_by_role("button", name="Take out 6-6").click()
    expect(row.locator(".pips")).to_have_text(f"{PIPS - 12} pips")
