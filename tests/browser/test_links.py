"""Links that the console hands out: each opens what it says until it is taken back; the overlay is as it is wished."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Shown
from tests.browser.opening import console_of, opened
from tests.table_frames import Film
from tests.table_server import House, listening

pytestmark = pytest.mark.browser


@pytest.fixture
def server() -> Iterator[House]:
    with listening(Film()) as running:
        yield running


def test_links_are_taken_back(browser: Browser, server: House) -> None:
    """The camera, a player and another keeper come in by their links; what is taken back opens nothing any more."""
    table = server.make(public=False)
    console = console_of(browser, table)
    console.keyboard.press("l")
    links = {}
    for name in ("Show the code", "Link for A", "Link for a keeper"):
        console.get_by_role("button", name=name, exact=True).click()
        expect(console.get_by_role("button", name=name, exact=True)).to_have_count(0)
    for link in console.get_by_label("Link", exact=True).evaluate_all("inputs => inputs.map(input => input.value)"):
        links[urlsplit(link).path.split("/")[1]] = link
    phone, player, keeper = (opened(browser, links[name]) for name in ("camera", "player", "table"))
    expect(phone.locator("#line")).to_have_text("Sending")
    player.get_by_role("button", name="6-6", exact=True).click()
    expect(player.locator("#said")).not_to_be_empty()
    expect(keeper.locator("#actions button").first).to_be_visible()
    console.keyboard.press("Escape")
    console.keyboard.press("l")
    console.locator("summary").filter(has_text="What was given out").click()
    rows = console.locator(".tokens li")
    expect(rows.first).to_be_visible()
    expect(rows.filter(has_text="Judge").get_by_role("button")).to_have_count(0)  # the house's to take back
    before = rows.count()
    for role in ("Camera", "Player: A", "Keeper"):
        newest = rows.filter(has_text=role).last
        newest.get_by_role("button", name="Take back").click()
        before -= 1
        expect(rows).to_have_count(before)
    expect(phone.locator("#line")).to_have_attribute("data-up", "false")
    expect(keeper.locator("#line")).to_have_attribute("data-up", "false")
    for name in ("camera", "player", "table"):
        secret = links[name].rpartition("token=")[2]
        answer = server.client.get(f"{table.path}/state", headers={"Authorization": f"Bearer {secret}"})
        assert (answer.status_code, answer.json()["code"]) == (401, "token_unknown"), name
    again = opened(browser, links["table"])
    expect(again.locator("#says")).to_contain_text("no longer")
    for page in (console, phone, player, keeper, again):
        page.context.close()


def test_overlay_link_says_what_is_wished_for(shown: Shown) -> None:
    """Theme, language, delay and parts go into the address; what is as usual stays out of it."""
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    page.keyboard.press("l")
    overlay = page.locator(".link-part").filter(has_text="Overlay for a stream")

    def wishes() -> dict[str, list[str]]:
        address = overlay.get_by_label("Link", exact=True).input_value()
        assert re.fullmatch(r"/overlay/t", urlsplit(address).path)
        return parse_qs(urlsplit(address).query)

    assert wishes() == {"theme": ["scoreboard"], "lang": ["en"]}
    overlay.get_by_label("Theme").select_option("minimal")
    expect(overlay.get_by_role("checkbox", name="Layout")).not_to_be_checked()
    assert wishes() == {"theme": ["minimal"], "lang": ["en"]}
    overlay.get_by_label("Language").select_option("sr-Latn")
    overlay.get_by_label("Delay, seconds").fill("10")
    overlay.get_by_role("checkbox", name="Last move").check()
    assert wishes() == {"theme": ["minimal"], "lang": ["sr-Latn"], "delay": ["10"], "show": ["score,last,news"]}
    page.goto(overlay.get_by_label("Link", exact=True).input_value().replace("delay=10", "delay=0"))
    expect(page.locator("#plates")).to_be_visible()
    expect(page.locator("#last")).to_contain_text("donji krak")
    expect(page.locator("#ends")).to_be_hidden()
