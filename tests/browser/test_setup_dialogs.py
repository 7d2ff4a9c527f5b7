"""Guided set-up in the console: what the camera knows of its table, and tiles of one's own."""

import base64
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Shown
from tests.browser.test_pages_accessibility import grave

pytestmark = pytest.mark.browser
CAMERA = {"state": "live", "label": "phone", "fps": 5.0, "size": [1280, 960], "code": None, "detail": None}


def test_camera_check_follows_what_is_known(shown: Shown) -> None:
    """Each tick stands for something in the state, and comes and goes with it while the dialog is open."""
    page = shown.open("/table/t")
    shown.table.change(camera={**CAMERA, "state": "waiting", "size": None})
    page.locator("#calibration").click()
    checks = page.locator(".checks li")
    expect(checks).to_have_count(4)
    expect(page.locator(".checks [data-done='true']")).to_have_count(0)
    shown.table.change(camera=CAMERA)
    expect(checks.nth(0)).to_have_attribute("data-done", "true")
    expect(checks.nth(0)).to_contain_text("1280 × 960 pixels")
    shown.table.change_private(calibration={"tiles": 3, "mm_per_px": 0.456, "zones": "preset"})
    expect(page.locator(".checks [data-done='true']")).to_have_count(4)
    expect(checks.nth(1)).to_contain_text("3 tiles")
    expect(checks.nth(2)).to_contain_text("0.46 mm")
    assert grave(page) == []
    shown.table.change(camera={**CAMERA, "state": "ended"})
    expect(checks.nth(0)).to_contain_text("all pictures shown")
    expect(checks.nth(0)).to_have_attribute("data-done", "true")
    shown.table.change(camera={**CAMERA, "state": "lost"})
    expect(checks.nth(0)).to_have_attribute("data-done", "false")
    shown.table.change_private(calibration={"tiles": 0, "mm_per_px": 0.456, "zones": "preset"})
    expect(checks.nth(1)).to_have_attribute("data-done", "false")


def test_own_tiles_are_taught_in_three_steps_by_keyboard(shown: Shown, demo: Path) -> None:
    """A name, pictures, what was found and is missing, and the table plays with them."""
    known = {"name": "abuelo", "set": "double-six", "tiles": 14, "kinds": 14, "of": 28, "yours": True, "problem": None}
    found = {"name": "casa", "set": "double-six", "tiles": ["6-6", "6-5", "5-5"], "missing": ["1-0", "0-0"]}
    shown.table.answers.update(tiles=[known])
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    page.keyboard.press("t")
    expect(page.get_by_role("heading", name="Step 1 of 3")).to_be_visible()
    expect(page.locator(".own-tiles select").first.locator("option")).to_have_text(
        ["New tiles", "abuelo (14 of 28 seen)"]
    )
    assert grave(page) == []
    page.get_by_label("Name").fill("casa")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Step 2 of 3")).to_be_focused()
    page.get_by_label("Take or choose pictures").set_input_files(demo / "cincos.jpg")
    page.get_by_role("button", name="Use what the camera shows now").click()
    expect(page.locator(".own-tiles li")).to_have_count(2)
    assert grave(page) == []
    shown.table.answers["tiles"] = found
    page.get_by_role("button", name="Find the tiles").press("Enter")
    expect(page.locator(".own-found")).to_contain_text("Found: 3 tiles")
    expect(page.locator(".own-found")).to_contain_text("Not seen yet: 2 tiles")
    assert grave(page) == []
    assert _sent(shown, "POST tiles") == ["add", "name", "picture", "set"]
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".own-tiles select").first).to_have_value("casa")  # more pictures are added to what is there
    page.get_by_role("button", name="Use at this table").click()
    page.get_by_role("button", name="Use at this table").press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert _sent(shown, "PATCH tables/t") == {"config": {"tiles": "casa"}}


def test_tiles_in_doubt_are_shown_and_named(shown: Shown, demo: Path) -> None:
    """Where the pictures do not tell, each tile in doubt is shown; tapping what it is, or another one, is enough."""
    shown.table.answers.update(tiles=[])
    page = _with_pictures(shown, demo / "cincos.jpg")
    crop = base64.b64encode((demo / "cincos.jpg").read_bytes()).decode()
    told = {"picture": 1, "name": "cincos.jpg", "at": [5, 5], "choices": ["6-6", "6-5"], "crop": crop}
    doubts = [{**told, "index": index} for index in (3, 7)]
    problem = {"status": 422, "code": "tiles_doubtful", "detail": "doubt", "title": "", "params": {"doubts": doubts}}
    page.route("**/api/v1/tiles", lambda route: route.fulfill(status=422, json=problem))
    page.get_by_role("button", name="Find the tiles").click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("cannot be told apart")
    cards = page.locator(".doubt")
    expect(cards).to_have_count(2)
    expect(cards.first.locator("img")).to_have_js_property("complete", value=True)
    assert cards.first.locator("img").evaluate("image => image.naturalWidth") > 0
    cards.first.get_by_role("button", name="6-5").click()
    expect(cards.first.get_by_role("button", name="6-5")).to_have_attribute("aria-pressed", "true")
    cards.nth(1).get_by_role("button", name="Another one").click()
    page.get_by_role("dialog", name="Which tile is it?").get_by_role("button", name="2-1").click()
    expect(cards.nth(1).get_by_role("button", name="2-1")).to_have_attribute("aria-pressed", "true")
    assert grave(page) == []
    page.unroute("**/api/v1/tiles")
    shown.table.answers["tiles"] = {"name": "casa", "set": "double-six", "tiles": ["6-6"], "missing": []}
    page.get_by_role("button", name="Find the tiles").click()
    expect(page.locator(".own-found")).to_contain_text("All tiles of the set were seen.")
    assert [text for name, text in shown.table.fields[-1] if name == "told"] == ["1:3=6-5", "1:7=2-1"]
    expect(cards).to_have_count(0)


def test_names_are_checked_before_pictures_are_taken(shown: Shown) -> None:
    """A name that is none, or that other tiles have, goes no further than the first step."""
    row = {"name": "abuelo", "set": "double-six", "tiles": 14, "kinds": 14, "of": 28, "yours": True, "problem": None}
    shown.table.answers.update(tiles=[row])
    page = _opened(shown)
    name = page.get_by_label("Name")
    for wrong in ("../etc", "abuelo", " ", "ends."):
        name.fill(wrong)
        page.get_by_role("button", name="Next", exact=True).click()
        assert not name.evaluate("field => field.validity.valid"), wrong
        expect(page.get_by_role("heading", name="Step 1 of 3")).to_be_visible()
    name.fill("Дедине 2")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.get_by_role("heading", name="Step 2 of 3")).to_be_visible()


def test_more_pictures_than_can_be_sent_are_told(shown: Shown, demo: Path) -> None:
    """What is left out is said; what something in between answers is no result."""
    shown.table.answers.update(tiles=[])
    page = _with_pictures(shown, *[demo / "cincos.jpg"] * 14)
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text(
        "2 pictures were left out: 12 at once are the most."
    )
    expect(page.locator(".own-tiles li")).to_have_count(12)
    page.route("**/api/v1/tiles", lambda route: route.fulfill(status=201, body="<html>"))
    page.get_by_role("button", name="Find the tiles").click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("The server does not answer.")


def test_own_tiles_are_removed_after_a_question(shown: Shown) -> None:
    """Own and damaged tiles can be removed; those of others can be played with only."""
    row = {"name": "abuelo", "set": "double-six", "tiles": 14, "kinds": 14, "of": 28, "yours": True, "problem": None}
    old = {**row, "name": "old", "set": None, "problem": "tiles_broken"}
    shown.table.answers.update({"tiles": [row, {**row, "name": "casa", "yours": False}, old], "tiles/old": {}})
    page = _opened(shown)
    which, dialog = page.locator(".own-tiles select").first, page.get_by_role("dialog").first
    remove, use, ahead = (dialog.get_by_role("button", name=name, exact=True) for name in
                          ("Remove them", "Use at this table", "Next"))  # fmt: skip
    for name, shows in (("", (0, 0, 1)), ("abuelo", (1, 1, 1)), ("casa", (0, 1, 0)), ("old", (1, 0, 0))):
        which.select_option(name)
        for button, there in zip((remove, use, ahead), shows, strict=True):
            expect(button).to_be_visible(visible=bool(there))
    expect(which.locator("option:checked")).to_have_text("old (damaged)")
    remove.click()
    page.get_by_role("dialog", name="Forget the tiles").get_by_role("button", name="Remove them").click()
    expect(which.locator("option")).to_have_count(3)
    assert [name for name, _ in shown.table.requests if name.startswith("DELETE")] == ["DELETE tiles/old"]
    assert grave(page) == []


def _with_pictures(shown: Shown, *pictures: Path) -> Page:
    """Open the dialog at its second step, with pictures chosen."""
    page = _opened(shown)
    page.get_by_label("Name").fill("casa")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_label("Take or choose pictures").set_input_files(list(pictures))
    return page


def _opened(shown: Shown) -> Page:
    """Open the dialog at its first step."""
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    page.locator("#own-tiles").click()
    return page


def _sent(shown: Shown, what: str) -> Any:
    """Return the newest body of a request, once it has come."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        bodies = [body for name, body in shown.table.requests if name == what]
        if bodies:
            return bodies[-1]
        time.sleep(0.02)
    raise AssertionError(f"{what} was not sent: {shown.table.requests}")
